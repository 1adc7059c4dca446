// A growing byte buffer for building files and messages. Running out of memory is recorded and
// checked once at the end (st_text_failed), so building code needs no checks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct StText {
  char *data; // always ends in a 0 byte when length > 0; NULL before the first append
  size_t length, capacity;
  bool failed;
} StText;

void st_text_add(StText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void st_text_add_bytes(StText *text, const void *bytes, size_t size);
void st_text_free(StText *text);

// Numbers as four bytes, little-endian or (big) big-endian.
void st_text_add_u32(StText *text, uint32_t value, bool big);
void st_text_add_f32(StText *text, double value, bool big);

// The text as a string, to free(); NULL: out of memory.
char *st_text_take(StText *text);
char *st_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

// -1: no digit of base64.
int st_base64_digit(char c);

bool st_text_ends_in(const char *text, const char *ending);

// The name of a file without folders, and how long that is without its extension.
const char *st_path_name(const char *path, int *stem);

// Bytes of the well-formed UTF-8 character at text, with `left` > 0 bytes remaining; 0 if invalid
// (overlong, surrogate …).
size_t st_utf8_length(const char *text, size_t left);
