// A cursor over a file in memory: words, numbers and raw bytes, and messages with their location.
// Lines are counted only for messages, so scanning costs nothing extra.
#pragma once

#include "base/log.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct StSpan {
  const char *at;
  size_t length;
} StSpan;

typedef struct StScan {
  const char *name; // of the file, as messages give it
  const char *start, *at, *end;
  const char *mark; // start of the last item read: the location that messages name
  bool binary;      // … by its byte, not by its line
  const StLog *log;
  StError *error;
} StScan;

StScan st_scan_begin(const char *name, const char *data, size_t size, const StLog *log,
                     StError *error);

// "ball.msh:12: …" for text, "ball.stl: byte 84: …" for binary parts; returns ST_BAD_INPUT.
StStatus st_scan_fail(const StScan *scan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

size_t st_scan_left(const StScan *scan);   // bytes that remain
void st_scan_skip_space(StScan *scan);     // blanks and line ends
void st_scan_skip_blanks(StScan *scan);    // stays in the line
bool st_scan_at_line_end(StScan *scan);    // skips blanks first
void st_scan_next_line(StScan *scan);      // to the first byte after the next line end
StSpan st_scan_rest_of_line(StScan *scan); // without blanks around it; then moves to the next line

bool st_scan_word(StScan *scan, StSpan *word);         // false: the file ends
bool st_scan_word_in_line(StScan *scan, StSpan *word); // false: the line or the file ends

// what: "a node number", "a coordinate" …: named in the message if something else is found.
StStatus st_scan_integer(StScan *scan, const char *what, int64_t low, int64_t high, int64_t *value);
StStatus st_scan_real(StScan *scan, const char *what, double *value);
StStatus st_scan_expect(StScan *scan, const char *word);

// Parses a span that is a single number; false if it is not. Locale-independent.
bool st_span_integer(StSpan span, int64_t *value);
bool st_span_real(StSpan span, double *value);

bool st_span_is(StSpan span, const char *text);
bool st_span_is_word(StSpan span, const char *text); // ignoring case
bool st_span_starts(StSpan span, const char *text);

// Shortened and made printable for a message.
typedef struct StQuote {
  char text[40];
} StQuote;
StQuote st_quote(StSpan span);

// Numbers in memory at `at` (unaligned), byte-swapped if `swap`.
uint32_t st_bytes_u32(const char *at, bool swap);
uint64_t st_bytes_u64(const char *at, bool swap);
float st_bytes_f32(const char *at, bool swap);
double st_bytes_f64(const char *at, bool swap);
