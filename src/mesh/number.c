// Decoding of single numbers.
#include "mesh/number.h"

#include <math.h>
#include <string.h>

size_t st_number_size(StNumberType type) {
  switch (type) {
  case ST_INT8:
  case ST_UINT8: return 1;
  case ST_INT16:
  case ST_UINT16: return 2;
  case ST_INT32:
  case ST_UINT32:
  case ST_FLOAT32: return 4;
  case ST_INT64:
  case ST_UINT64:
  case ST_FLOAT64: return 8;
  case ST_NUMBER_NONE: break;
  }
  return 0;
}

bool st_number_is_integer(StNumberType type) {
  return type >= ST_INT8 && type <= ST_UINT64;
}

static uint16_t bytes_u16(const char *at, bool swap) {
  uint16_t value;
  memcpy(&value, at, sizeof value);
  return swap ? __builtin_bswap16(value) : value;
}

// Of the integer types; an unsigned number past the largest int64 comes out negative.
static int64_t integer_at(StNumberType type, const char *at, bool swap) {
  switch (type) {
  case ST_INT8: return (signed char)*at;
  case ST_UINT8: return (unsigned char)*at;
  case ST_INT16: return (int16_t)bytes_u16(at, swap);
  case ST_UINT16: return bytes_u16(at, swap);
  case ST_INT32: return (int32_t)st_bytes_u32(at, swap);
  case ST_UINT32: return st_bytes_u32(at, swap);
  default: return (int64_t)st_bytes_u64(at, swap);
  }
}

double st_number_real(StNumberType type, const char *at, bool swap) {
  if (type == ST_FLOAT32)
    return (double)st_bytes_f32(at, swap);
  if (type == ST_FLOAT64)
    return st_bytes_f64(at, swap);
  if (type == ST_UINT64)
    return (double)st_bytes_u64(at, swap);
  return (double)integer_at(type, at, swap);
}

bool st_number_integer(StNumberType type, const char *at, bool swap, int64_t *value) {
  if (st_number_is_integer(type)) {
    *value = integer_at(type, at, swap);
    return type != ST_UINT64 || *value >= 0;
  }
  double real = st_number_real(type, at, swap);
  if (!(fabs(real) < 9e18) || real != floor(real))
    return false;
  *value = (int64_t)real;
  return true;
}
