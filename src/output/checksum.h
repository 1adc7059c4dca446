// CRC32 of what is written: whether a file is still as a checkpoint knows it.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Advice for a table with another checksum.
#define ST_CHECKSUM_ADVICE                                                                         \
  "restore the file as it was, or move it away to continue without the rows up to here"

uint32_t st_checksum(const char *bytes, size_t size);

// Of what came before, and these bytes after it.
uint32_t st_checksum_more(uint32_t before, const char *bytes, size_t size);
