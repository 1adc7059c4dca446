// Legacy VTK files, text and big-endian binary, up to version 5.1: unstructured grids and polydata.
// Attributes other than labels are skipped.
#include "mesh/reader.h"

#include "base/memory.h"
#include "mesh/vtk_data.h"
#include "mesh/vtk_grid.h"

#include <string.h>

typedef struct Vtk {
  StScan *scan;
  int version; // major version
  StVtkGrid grid;
  size_t cell_capacity, type_capacity;
  size_t connectivity_capacity;
  size_t name_count, name_capacity;
  char **name;        // [name_count + 1] of labels, decoded; the last one is NULL
  bool of_cells;      // the current section is CELL_DATA
  size_t tuple_count; // of the current data section
} Vtk;

static StStatus read_points(Vtk *vtk) {
  size_t count;
  StNumberType type;
  if (vtk->grid.point)
    return st_scan_fail(vtk->scan, "POINTS occur a second time");
  ST_TRY(st_vtk_count(vtk->scan, "the number of points", &count));
  ST_TRY(st_vtk_type(vtk->scan, &type));
  ST_TRY(st_vtk_reals(vtk->scan, "a coordinate", type, 3 * count, &vtk->grid.point));
  vtk->grid.point_count = count;
  return ST_OK;
}

static StStatus add_cell(Vtk *vtk, const int64_t *vertex, size_t count, int type) {
  StVtkGrid *grid = &vtk->grid;
  ST_TRY_MEMORY(
      st_grow((void **)&grid->end, &vtk->cell_capacity, grid->cell_count + 1, sizeof(int64_t)) &&
          st_grow((void **)&grid->type, &vtk->type_capacity, grid->cell_count + 1,
                  sizeof(int64_t)) &&
          st_grow((void **)&grid->connectivity, &vtk->connectivity_capacity,
                  grid->connectivity_count + count, sizeof(int64_t)),
      vtk->scan->error);
  if (count)
    memcpy(grid->connectivity + grid->connectivity_count, vertex, count * sizeof(int64_t));
  grid->connectivity_count += count;
  grid->end[grid->cell_count] = (int64_t)grid->connectivity_count;
  grid->type[grid->cell_count++] = type;
  return ST_OK;
}

// Up to version 4 cells are stored as "count vertex vertex …".
static StStatus split_cells(Vtk *vtk, const int64_t *number, size_t size, size_t count, int type) {
  size_t at = 0;
  for (size_t cell = 0; cell < count; cell++) {
    if (at >= size || number[at] < 0 || (uint64_t)number[at] > size - at - 1)
      return st_scan_fail(vtk->scan, "cell %zu goes past the %zu numbers announced for the cells",
                          cell, size);
    ST_TRY(add_cell(vtk, number + at + 1, (size_t)number[at], type));
    at += (size_t)number[at] + 1;
  }
  if (at != size)
    return st_scan_fail(vtk->scan, "the cells take %zu numbers, but %zu were announced", at, size);
  return ST_OK;
}

static StStatus read_counted_cells(Vtk *vtk, size_t count, size_t size, int type) {
  ST_FREE int64_t *number = NULL;
  ST_TRY(st_vtk_integers(vtk->scan, "a point number of a cell", ST_INT32, size, &number));
  return split_cells(vtk, number, size, count, type);
}

static StStatus add_offset_cells(Vtk *vtk, const int64_t *offset, size_t offset_count,
                                 const int64_t *vertex, size_t vertex_count, int type) {
  for (size_t i = 1; i < offset_count; i++) {
    if (offset[i - 1] < 0 || offset[i] < offset[i - 1] || (uint64_t)offset[i] > vertex_count)
      return st_scan_fail(vtk->scan,
                          "offset %zu is %lld: offsets must not fall and end at the %zu numbers "
                          "of the connectivity",
                          i, (long long)offset[i], vertex_count);
    ST_TRY(add_cell(vtk, vertex + offset[i - 1], (size_t)(offset[i] - offset[i - 1]), type));
  }
  return ST_OK;
}

// From version 5 on they are stored as two arrays.
static StStatus read_offset_cells(Vtk *vtk, size_t offset_count, size_t vertex_count, int type) {
  int64_t *offset, *vertex;
  StNumberType number;
  ST_TRY(st_scan_expect(vtk->scan, "OFFSETS"));
  ST_TRY(st_vtk_type(vtk->scan, &number));
  ST_TRY(st_vtk_integers(vtk->scan, "an offset", number, offset_count, &offset));
  StStatus status = st_scan_expect(vtk->scan, "CONNECTIVITY");
  if (status == ST_OK)
    status = st_vtk_type(vtk->scan, &number);
  if (status == ST_OK)
    status = st_vtk_integers(vtk->scan, "a point number of a cell", number, vertex_count, &vertex);
  if (status == ST_OK) {
    status = add_offset_cells(vtk, offset, offset_count, vertex, vertex_count, type);
    free(vertex);
  }
  free(offset);
  return status;
}

static StStatus read_cells(Vtk *vtk, int type) {
  size_t count, size;
  if (vtk->grid.label) // it would be too short
    return st_scan_fail(vtk->scan, "cells must come before their labels");
  ST_TRY(st_vtk_count(vtk->scan, "the number of cells", &count));
  ST_TRY(st_vtk_count(vtk->scan, "the number of integers that the cells take", &size));
  return vtk->version >= 5 ? read_offset_cells(vtk, count, size, type)
                           : read_counted_cells(vtk, count, size, type);
}

static StStatus read_cell_types(Vtk *vtk) {
  size_t count;
  ST_TRY(st_vtk_count(vtk->scan, "the number of cell types", &count));
  if (count != vtk->grid.cell_count)
    return st_scan_fail(vtk->scan, "%zu cell types are announced, but the number of cells is %zu",
                        count, vtk->grid.cell_count);
  free(vtk->grid.type);
  vtk->grid.type = NULL;
  vtk->type_capacity = count; // of the array that comes
  return st_vtk_integers(vtk->scan, "a cell type", ST_INT32, count, &vtk->grid.type);
}

// An attribute array: used if it is the best label so far, otherwise skipped.
static StStatus read_attribute(Vtk *vtk, StSpan name, StNumberType type, size_t components,
                               size_t tuples) {
  int rank = vtk->of_cells && components == 1 && st_number_is_integer(type) &&
                     tuples == vtk->grid.cell_count
                 ? st_vtk_label_rank(name)
                 : 0;
  if (rank <= vtk->grid.label_rank)
    return st_vtk_skip(vtk->scan, "a value", type, components * tuples);
  int64_t *label;
  ST_TRY(st_vtk_integers(vtk->scan, "a label", type, tuples, &label));
  free(vtk->grid.label);
  vtk->grid.label = label;
  vtk->grid.label_rank = rank;
  return ST_OK;
}

// SCALARS name type [components], then perhaps LOOKUP_TABLE name.
static StStatus read_scalars(Vtk *vtk) {
  StScan *scan = vtk->scan;
  StSpan name, word;
  StNumberType type;
  int64_t components = 1;
  st_scan_word(scan, &name);
  ST_TRY(st_vtk_type(vtk->scan, &type));
  if (!st_scan_at_line_end(scan))
    ST_TRY(st_scan_integer(scan, "the number of components", 1, 4, &components));
  StScan before = *scan;
  st_scan_next_line(scan);
  if (st_scan_word_in_line(scan, &word) && st_span_is_word(word, "LOOKUP_TABLE"))
    st_scan_word_in_line(scan, &word);
  else
    *scan = before;
  return read_attribute(vtk, name, type, (size_t)components, vtk->tuple_count);
}

// VECTORS, NORMALS …: name type, a fixed number of components.
static StStatus read_vectors(Vtk *vtk, size_t components) {
  StSpan name;
  StNumberType type;
  st_scan_word(vtk->scan, &name);
  ST_TRY(st_vtk_type(vtk->scan, &type));
  return read_attribute(vtk, name, type, components, vtk->tuple_count);
}

static StStatus read_texture(Vtk *vtk) {
  StSpan name;
  int64_t components;
  StNumberType type;
  st_scan_word(vtk->scan, &name);
  ST_TRY(st_scan_integer(vtk->scan, "the number of components", 1, 3, &components));
  ST_TRY(st_vtk_type(vtk->scan, &type));
  return st_vtk_skip(vtk->scan, "a value", type, (size_t)components * vtk->tuple_count);
}

// LOOKUP_TABLE name size and COLOR_SCALARS name components: bytes in binary, fractions in text.
static StStatus read_colours(Vtk *vtk, size_t factor) {
  StSpan name;
  size_t count;
  st_scan_word(vtk->scan, &name);
  ST_TRY(st_vtk_count(vtk->scan, "the number of colours", &count));
  return st_vtk_skip(vtk->scan, "a colour", ST_UINT8, count * factor);
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// A copy with "%20" decoded as a space.
static char *decode(StSpan text) {
  char *copy = ST_NEW(char, text.length + 1), *to = copy;
  for (size_t i = 0; i < text.length && copy; i++) {
    bool coded = text.at[i] == '%' && i + 2 < text.length && hex_digit(text.at[i + 1]) >= 0 &&
                 hex_digit(text.at[i + 2]) >= 0;
    *to++ = coded ? (char)(16 * hex_digit(text.at[i + 1]) + hex_digit(text.at[i + 2])) : text.at[i];
    i += coded ? 2 : 0;
  }
  return copy;
}

static StStatus add_name(Vtk *vtk, StSpan text) {
  ST_TRY_MEMORY(
      st_grow((void **)&vtk->name, &vtk->name_capacity, vtk->name_count + 2, sizeof(char *)),
      vtk->scan->error);
  char *copy = vtk->name[vtk->name_count] = decode(text);
  ST_TRY_MEMORY(copy, vtk->scan->error);
  vtk->name[++vtk->name_count] = NULL;
  return ST_OK;
}

static StStatus read_strings(Vtk *vtk, size_t count, bool keep) {
  StScan *scan = vtk->scan;
  st_scan_next_line(scan);
  for (size_t i = 0; i < count; i++) {
    StSpan text;
    if (scan->at == scan->end)
      return st_scan_fail(scan, "the file ends where a string should be");
    if (vtk->scan->binary)
      ST_TRY(st_vtk_binary_string(vtk->scan, &text));
    else
      text = st_scan_rest_of_line(scan);
    if (keep)
      ST_TRY(add_name(vtk, text));
  }
  return ST_OK;
}

// Lines up to an empty one.
static void skip_metadata(StScan *scan) {
  st_scan_next_line(scan);
  while (scan->at < scan->end && st_scan_rest_of_line(scan).length)
    continue;
}

// name components tuples type
static StStatus read_field_array(Vtk *vtk) {
  StScan *scan = vtk->scan;
  StSpan name, word;
  size_t components, tuples;
  st_scan_word(scan, &name);
  while (st_span_is_word(name, "METADATA")) { // of the array before
    skip_metadata(scan);
    st_scan_word(scan, &name);
  }
  ST_TRY(st_vtk_count(vtk->scan, "the number of components", &components));
  ST_TRY(st_vtk_count(vtk->scan, "the number of tuples", &tuples));
  StScan before = *scan;
  if (st_scan_word(scan, &word) && st_span_is_word(word, "string"))
    return read_strings(vtk, components * tuples, st_span_is(name, "LabelNames"));
  *scan = before;
  StNumberType type;
  ST_TRY(st_vtk_type(vtk->scan, &type));
  return read_attribute(vtk, name, type, components, tuples);
}

static StStatus read_field(Vtk *vtk) {
  StSpan name;
  size_t count;
  st_scan_word(vtk->scan, &name);
  ST_TRY(st_vtk_count(vtk->scan, "the number of arrays", &count));
  for (size_t i = 0; i < count; i++)
    ST_TRY(read_field_array(vtk));
  return ST_OK;
}

static StStatus read_dataset(Vtk *vtk) {
  StSpan word;
  st_scan_word(vtk->scan, &word);
  if (st_span_is_word(word, "POLYDATA") || st_span_is_word(word, "UNSTRUCTURED_GRID"))
    return ST_OK;
  return st_scan_fail(vtk->scan,
                      "dataset '%s' cannot be simulated; UNSTRUCTURED_GRID and POLYDATA can",
                      st_quote(word).text);
}

static StStatus begin_data(Vtk *vtk, bool of_cells) {
  ST_TRY(st_vtk_count(vtk->scan, "the number of values", &vtk->tuple_count));
  size_t count = of_cells ? vtk->grid.cell_count : vtk->grid.point_count;
  if (vtk->tuple_count != count)
    return st_scan_fail(vtk->scan, "data are announced for %zu %s, but there are %zu",
                        vtk->tuple_count, of_cells ? "cells" : "points", count);
  vtk->of_cells = of_cells;
  return ST_OK;
}

typedef enum Section {
  DATASET,
  POINTS,
  CELLS,
  CELL_TYPES,
  FIELD,
  DATA,
  SCALARS,
  VECTORS,
  TEXTURE,
  TABLE,
  COLOURS,
  METADATA
} Section;

// argument: the cell type of CELLS, whether DATA are of cells, the components of VECTORS.
static const struct {
  const char *word;
  Section section;
  int argument;
} keywords[] = {
    {"DATASET", DATASET, 0},
    {"POINTS", POINTS, 0},
    {"CELLS", CELLS, 0},
    {"VERTICES", CELLS, ST_VTK_POLY_VERTEX},
    {"LINES", CELLS, ST_VTK_POLY_LINE},
    {"POLYGONS", CELLS, ST_VTK_POLYGON},
    {"TRIANGLE_STRIPS", CELLS, ST_VTK_STRIP},
    {"CELL_TYPES", CELL_TYPES, 0},
    {"FIELD", FIELD, 0},
    {"CELL_DATA", DATA, true},
    {"POINT_DATA", DATA, false},
    {"SCALARS", SCALARS, 0},
    {"VECTORS", VECTORS, 3},
    {"NORMALS", VECTORS, 3},
    {"TENSORS", VECTORS, 9},
    {"TENSORS6", VECTORS, 6},
    {"GLOBAL_IDS", VECTORS, 1},
    {"PEDIGREE_IDS", VECTORS, 1},
    {"EDGE_FLAGS", VECTORS, 1},
    {"TEXTURE_COORDINATES", TEXTURE, 0},
    {"LOOKUP_TABLE", TABLE, 0},
    {"COLOR_SCALARS", COLOURS, 0},
    {"METADATA", METADATA, 0},
};

static StStatus read_section(Vtk *vtk, Section section, int argument) {
  switch (section) {
  case DATASET: return read_dataset(vtk);
  case POINTS: return read_points(vtk);
  case CELLS: return read_cells(vtk, argument);
  case CELL_TYPES: return read_cell_types(vtk);
  case FIELD: return read_field(vtk);
  case DATA: return begin_data(vtk, argument);
  case SCALARS: return read_scalars(vtk);
  case VECTORS: return read_vectors(vtk, (size_t)argument);
  case TEXTURE: return read_texture(vtk);
  case TABLE: return read_colours(vtk, 4);
  case COLOURS: return read_colours(vtk, vtk->tuple_count);
  case METADATA: skip_metadata(vtk->scan);
  }
  return ST_OK;
}

static StStatus read_sections(Vtk *vtk) {
  StScan *scan = vtk->scan;
  StSpan word;
  while (st_scan_word(scan, &word)) {
    int k = 0;
    while (k < ST_LENGTH(keywords) && !st_span_is_word(word, keywords[k].word))
      k++;
    if (k == ST_LENGTH(keywords))
      return st_scan_fail(scan, "found '%s' instead of a keyword such as POINTS or CELLS",
                          st_quote(word).text);
    ST_TRY(read_section(vtk, keywords[k].section, keywords[k].argument));
  }
  return ST_OK;
}

// # vtk DataFile Version 3.0 / a title / ASCII or BINARY
static StStatus read_header(Vtk *vtk) {
  static const char opening[] = "# vtk DataFile Version ";
  StScan *scan = vtk->scan;
  StSpan line = st_scan_rest_of_line(scan);
  double version;
  if (!st_span_starts(line, opening) ||
      !st_span_real((StSpan){line.at + sizeof opening - 1, line.length - sizeof opening + 1},
                    &version))
    return st_scan_fail(scan, "a legacy VTK file begins with '# vtk DataFile Version 3.0' or so");
  if (!(version >= 1 && version < 6))
    return st_scan_fail(scan, "version %g of the format is not supported; 1.0 … 5.1 are", version);
  vtk->version = (int)version;
  st_scan_next_line(scan);
  StSpan kind = st_scan_rest_of_line(scan);
  bool binary = st_span_is_word(kind, "BINARY");
  if (!binary && !st_span_is_word(kind, "ASCII"))
    return st_scan_fail(scan, "found '%s' instead of ASCII or BINARY", st_quote(kind).text);
  scan->binary = binary;
  return ST_OK;
}

static StStatus read_all(Vtk *vtk, StBuilder *builder) {
  ST_TRY(read_header(vtk));
  ST_TRY(read_sections(vtk));
  return st_vtk_grid_add(&vtk->grid, vtk->name, vtk->scan, builder);
}

StStatus st_read_vtk(StScan *scan, StBuilder *builder) {
  Vtk vtk = {.scan = scan};
  StStatus status = read_all(&vtk, builder);
  st_vtk_grid_free(&vtk.grid);
  for (size_t i = 0; i < vtk.name_count; i++)
    free(vtk.name[i]);
  free(vtk.name);
  return status;
}
