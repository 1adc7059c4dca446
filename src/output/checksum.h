// CRC32 of what is written: whether a file is still as a checkpoint knows it.
#pragma once

#include <stddef.h>
#include <stdint.h>

// What to do about a table that is not.
#define ST_CHECKSUM_ADVICE                                                                         \
  "restore the file as it was, or move it away to continue without the rows up to here"

uint32_t st_checksum(const char *bytes, size_t size);

// Of what came before, and these bytes after it.
uint32_t st_checksum_more(uint32_t before, const char *bytes, size_t size);
