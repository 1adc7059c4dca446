// Numbers of the types that VTK files declare, from raw bytes or text.
#pragma once

#include "mesh/scan.h"

typedef enum StNumberType {
  ST_NUMBER_NONE, // not a number type
  ST_INT8,
  ST_UINT8,
  ST_INT16,
  ST_UINT16,
  ST_INT32,
  ST_UINT32,
  ST_INT64,
  ST_UINT64,
  ST_FLOAT32,
  ST_FLOAT64,
} StNumberType;

size_t st_number_size(StNumberType type); // bytes
bool st_number_is_integer(StNumberType type);

double st_number_real(StNumberType type, const char *at, bool swap);
// Accepts floats with integer values; false if it is not an int64.
bool st_number_integer(StNumberType type, const char *at, bool swap, int64_t *value);
