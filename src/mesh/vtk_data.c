// Counts, types, arrays and strings of legacy VTK files.
#include "mesh/vtk_data.h"

#include "base/memory.h"
#include "mesh/builder.h"

static const bool swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

static StNumberType type_of(StSpan word) {
  static const struct {
    const char *name;
    StNumberType type;
  } known[] = {
      {"char", ST_INT8},
      {"signed_char", ST_INT8},
      {"unsigned_char", ST_UINT8},
      {"short", ST_INT16},
      {"unsigned_short", ST_UINT16},
      {"int", ST_INT32},
      {"unsigned_int", ST_UINT32},
      {"long", ST_INT64},
      {"unsigned_long", ST_UINT64},
      {"vtktypeint64", ST_INT64},
      {"vtktypeuint64", ST_UINT64},
      {"vtkIdType", ST_INT32},
      {"float", ST_FLOAT32},
      {"double", ST_FLOAT64},
  };
  for (int i = 0; i < ST_LENGTH(known); i++)
    if (st_span_is_word(word, known[i].name))
      return known[i].type;
  return ST_NUMBER_NONE;
}

StStatus st_vtk_type(StScan *scan, StNumberType *type) {
  StSpan word = {scan->at, 0};
  if (st_scan_word(scan, &word) && (*type = type_of(word)) != ST_NUMBER_NONE)
    return ST_OK;
  return st_scan_fail(scan, "found '%s' instead of a number type, such as float or int",
                      st_quote(word).text);
}

StStatus st_vtk_count(StScan *scan, const char *what, size_t *count) {
  int64_t value;
  ST_TRY(st_scan_integer(scan, what, 0, ST_MESH_LIMIT, &value));
  *count = (size_t)value;
  return ST_OK;
}

// Start of the data: in binary files right after the newline. Fails if the file is too short for
// all of it.
static StStatus begin_numbers(StScan *scan, StNumberType type, size_t count) {
  if (scan->binary)
    st_scan_next_line(scan);
  size_t left = st_scan_left(scan);
  size_t room = scan->binary ? left / st_number_size(type) : left / 2 + 1;
  if (count <= room)
    return ST_OK;
  scan->mark = scan->binary ? scan->at : scan->mark;
  return st_scan_fail(scan, "%zu numbers should follow, but the file ends after %zu bytes", count,
                      left);
}

// One number, as a double or (whole) an int64_t.
static StStatus read_number(StScan *scan, const char *what, StNumberType type, bool whole,
                            void *value) {
  if (!scan->binary)
    return whole ? st_scan_integer(scan, what, INT64_MIN, INT64_MAX, value)
                 : st_scan_real(scan, what, value);
  scan->mark = scan->at;
  scan->at += st_number_size(type);
  if (!whole)
    *(double *)value = st_number_real(type, scan->mark, swap);
  else if (!st_number_integer(type, scan->mark, swap, value))
    return st_scan_fail(scan, "%s must be a whole number", what);
  return ST_OK;
}

_Static_assert(sizeof(double) == sizeof(int64_t), "arrays of both have the same size");

static StStatus read_numbers(StScan *scan, const char *what, StNumberType type, size_t count,
                             bool whole, void **value) {
  ST_TRY(begin_numbers(scan, type, count));
  char *made = st_new_array(count, sizeof(double));
  ST_TRY_MEMORY(made, scan->error);
  StStatus status = ST_OK;
  for (size_t i = 0; i < count && status == ST_OK; i++)
    status = read_number(scan, what, type, whole, made + i * sizeof(double));
  if (status == ST_OK)
    *value = made;
  else
    free(made);
  return status;
}

StStatus st_vtk_integers(StScan *scan, const char *what, StNumberType type, size_t count,
                         int64_t **value) {
  return read_numbers(scan, what, type, count, true, (void **)value);
}

StStatus st_vtk_reals(StScan *scan, const char *what, StNumberType type, size_t count,
                      double **value) {
  return read_numbers(scan, what, type, count, false, (void **)value);
}

StStatus st_vtk_skip(StScan *scan, const char *what, StNumberType type, size_t count) {
  ST_TRY(begin_numbers(scan, type, count));
  if (scan->binary) {
    scan->at += count * st_number_size(type);
    return ST_OK;
  }
  StSpan word;
  for (size_t i = 0; i < count; i++)
    if (!st_scan_word(scan, &word))
      return st_scan_fail(scan, "the file ends where %s should be", what);
  return ST_OK;
}

// Binary strings have their length in 1, 2, 4 or 8 bytes; the two highest bits say how many.
StStatus st_vtk_binary_string(StScan *scan, StSpan *text) {
  scan->mark = scan->at;
  size_t left = st_scan_left(scan);
  unsigned first = left ? (unsigned char)*scan->at : 0;
  size_t bytes = (size_t)8 >> (first >> 6);
  uint64_t length = first & 63;
  for (size_t i = 1; i < bytes && bytes <= left; i++)
    length = length << 8 | (unsigned char)scan->at[i];
  if (bytes > left || length > left - bytes)
    return st_scan_fail(scan, "a string goes past the end of the file");
  *text = (StSpan){scan->at + bytes, (size_t)length};
  scan->at += bytes + length;
  return ST_OK;
}
