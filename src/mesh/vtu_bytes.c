// Base64 and zlib, bounded by what is there.
#include "mesh/vtu_bytes.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>
#include <zlib.h>

// zlib streams never expand by more than this factor; larger sizes occur only in broken or
// malicious files.
enum { ZLIB_GROWTH = 1040 };

// The next four characters; false at the end or at anything else. Padding may occur in the middle,
// where one encoded stream follows another.
static bool decode_quad(StVtuBytes *source) {
  int digit[4];
  for (int i = 0; i < 4; i++) {
    while (source->at < source->end && (*source->at == '\n' || *source->at == ' ' ||
                                        *source->at == '\r' || *source->at == '\t'))
      source->at++;
    if (source->at == source->end)
      return false;
    char c = *source->at++;
    digit[i] = c == '=' && i > 1 ? 64 : st_base64_digit(c);
    if (digit[i] < 0)
      return false;
  }
  if (digit[2] == 64 && digit[3] != 64)
    return false;
  source->kept_count = digit[2] == 64 ? 1 : digit[3] == 64 ? 2 : 3;
  source->kept[0] = (unsigned char)(digit[0] << 2 | digit[1] >> 4);
  source->kept[1] = (unsigned char)(digit[1] << 4 | (digit[2] & 63) >> 2);
  source->kept[2] = (unsigned char)(digit[2] << 6 | (digit[3] & 63));
  return true;
}

static bool pull(StVtuBytes *source, char *to, size_t count) {
  if (!source->base64) {
    if (count > (size_t)(source->end - source->at))
      return false;
    memcpy(to, source->at, count);
    source->at += count;
    return true;
  }
  while (count) {
    if (!source->kept_count && !decode_quad(source))
      return false;
    *to++ = (char)source->kept[0];
    source->kept[0] = source->kept[1];
    source->kept[1] = source->kept[2];
    source->kept_count--;
    count--;
  }
  return true;
}

static size_t most_left(const StVtuBytes *source) {
  size_t left = (size_t)(source->end - source->at);
  return source->base64 ? left / 4 * 3 + 3 : left;
}

static bool pull_length(StVtuBytes *source, const StVtuEncoding *encoding, uint64_t *length) {
  char bytes[8];
  if (!pull(source, bytes, encoding->wide ? 8 : 4))
    return false;
  *length =
      encoding->wide ? st_bytes_u64(bytes, encoding->swap) : st_bytes_u32(bytes, encoding->swap);
  return true;
}

static StStatus fail_cut(const StScan *scan) {
  return st_scan_fail(scan, "the data of the array are cut off, or not encoded as announced");
}

static StStatus check_size(const StScan *scan, uint64_t got, StVtuSize wanted) {
  if (got >= wanted.least && got <= wanted.most)
    return ST_OK;
  return st_scan_fail(scan, "the array holds %llu bytes where %s%zu are %s",
                      (unsigned long long)got, wanted.least == wanted.most ? "" : "at most ",
                      wanted.most, wanted.least == wanted.most ? "needed" : "allowed");
}

static StStatus decode_plain(const StScan *scan, const StVtuEncoding *encoding, StVtuBytes *source,
                             StVtuSize wanted, char **data, size_t *size) {
  uint64_t length;
  if (!pull_length(source, encoding, &length))
    return fail_cut(scan);
  ST_TRY(check_size(scan, length, wanted));
  if (length > most_left(source))
    return fail_cut(scan);
  char *bytes = ST_NEW(char, length + 1);
  ST_TRY_MEMORY(bytes, scan->error);
  if (!pull(source, bytes, (size_t)length)) {
    free(bytes);
    return fail_cut(scan);
  }
  *data = bytes;
  *size = (size_t)length;
  return ST_OK;
}

typedef struct Blocks {
  uint64_t count, full, last; // uncompressed sizes of all blocks and of a shorter last one
  uint64_t *packed;           // [count] compressed sizes
  uint64_t largest;           // of them
  uint64_t total;             // uncompressed
} Blocks;

static StStatus read_packed_sizes(const StScan *scan, const StVtuEncoding *encoding,
                                  StVtuBytes *source, Blocks *blocks) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < blocks->count; i++) {
    if (!pull_length(source, encoding, &blocks->packed[i]))
      return fail_cut(scan);
    if (blocks->packed[i] > most_left(source) || (sum += blocks->packed[i]) > most_left(source))
      return fail_cut(scan);
    if (blocks->packed[i] > blocks->largest)
      blocks->largest = blocks->packed[i];
  }
  if (blocks->total / ZLIB_GROWTH > sum)
    return st_scan_fail(scan,
                        "the array claims %llu bytes out of %llu compressed ones, which is more "
                        "than zlib can do",
                        (unsigned long long)blocks->total, (unsigned long long)sum);
  return ST_OK;
}

static StStatus read_blocks(const StScan *scan, const StVtuEncoding *encoding, StVtuBytes *source,
                            StVtuSize wanted, Blocks *blocks) {
  if (!pull_length(source, encoding, &blocks->count))
    return fail_cut(scan);
  if (blocks->count && (!pull_length(source, encoding, &blocks->full) ||
                        !pull_length(source, encoding, &blocks->last)))
    return fail_cut(scan);
  if (blocks->count > most_left(source) / (encoding->wide ? 8 : 4))
    return fail_cut(scan);
  if (blocks->count && !blocks->last)
    blocks->last = blocks->full;
  if (blocks->count && (__builtin_mul_overflow(blocks->count - 1, blocks->full, &blocks->total) ||
                        __builtin_add_overflow(blocks->total, blocks->last, &blocks->total)))
    return fail_cut(scan);
  ST_TRY(check_size(scan, blocks->total, wanted));
  ST_TRY_MEMORY(blocks->packed = ST_NEW(uint64_t, blocks->count), scan->error);
  return read_packed_sizes(scan, encoding, source, blocks);
}

static StStatus unpack(const StScan *scan, StVtuBytes *source, const Blocks *blocks, char *packed,
                       char *to) {
  for (uint64_t i = 0; i < blocks->count; i++) {
    if (!pull(source, packed, (size_t)blocks->packed[i]))
      return fail_cut(scan);
    uLongf size = (uLongf)(i + 1 < blocks->count ? blocks->full : blocks->last), got = size;
    if (uncompress((Bytef *)to, &got, (const Bytef *)packed, (uLong)blocks->packed[i]) != Z_OK ||
        got != size)
      return st_scan_fail(scan, "block %llu of the array is not a zlib stream of %llu bytes",
                          (unsigned long long)i, (unsigned long long)size);
    to += size;
  }
  return ST_OK;
}

static StStatus decode_blocks(const StScan *scan, StVtuBytes *source, const Blocks *blocks,
                              char **data) {
  char *packed = ST_NEW(char, blocks->largest), *bytes = ST_NEW(char, blocks->total + 1);
  StStatus status =
      packed && bytes ? unpack(scan, source, blocks, packed, bytes) : st_fail_memory(scan->error);
  free(packed);
  if (status == ST_OK)
    *data = bytes;
  else
    free(bytes);
  return status;
}

StStatus st_vtu_decode(const StScan *scan, const StVtuEncoding *encoding, StVtuBytes source,
                       StVtuSize wanted, char **data, size_t *size) {
  if (!encoding->compressed)
    return decode_plain(scan, encoding, &source, wanted, data, size);
  Blocks blocks = {0};
  StStatus status = read_blocks(scan, encoding, &source, wanted, &blocks);
  if (status == ST_OK)
    status = decode_blocks(scan, &source, &blocks, data);
  if (status == ST_OK)
    *size = (size_t)blocks.total;
  free(blocks.packed);
  return status;
}
