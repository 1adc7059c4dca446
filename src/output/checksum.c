// By zlib.
#include "output/checksum.h"

#include <zlib.h>

uint32_t st_checksum_more(uint32_t before, const char *bytes, size_t size) {
  return size > 0 ? (uint32_t)crc32_z(before, (const Bytef *)bytes, size) : before;
}

uint32_t st_checksum(const char *bytes, size_t size) {
  return st_checksum_more((uint32_t)crc32_z(0, NULL, 0), bytes, size);
}
