// VTU: one pass over the tags records all arrays, which are decoded on demand.
#include "base/memory.h"
#include "mesh/grid_file.h"
#include "mesh/number.h"
#include "mesh/vtk_grid.h"
#include "mesh/vtu_bytes.h"
#include "mesh/xml.h"

#include <string.h>

// Limit on the memory of a file's numbers: a constant, plus a multiple of the file size. Compressed
// meshes expand ten to twenty times. A malicious file could expand a thousand times, and arrays
// shared by several pieces any number of times.
enum { ROOM = 64 << 20, GROWTH = 100 };
enum { NAMES_MOST = 1 << 20 }; // bytes of all label names
enum { COMPONENTS_MOST = 9 };

typedef enum Section { NOWHERE, FIELD_DATA, POINT_DATA, CELL_DATA, POINTS, CELLS } Section;

typedef enum Storage { ASCII, INLINE, APPENDED } Storage;

typedef struct Entry {
  Section section;
  StSpan name;
  StNumberType type; // none for strings
  Storage storage;
  size_t offset;  // into the appended data
  StSpan content; // between the tags
  int64_t components;
  const char *mark; // its tag, for messages
} Entry;

// The entries of a part.
typedef struct Piece {
  size_t first, count;
  const char *mark; // its tag
} Piece;

typedef struct Vtu {
  StGridFile grid; // with a part for every piece
  StScan own, *scan;
  StVtuEncoding encoding;
  size_t entry_count, entry_capacity;
  Entry *entry;
  size_t piece_count, piece_capacity;
  Piece *piece;    // [piece_count] one for every part
  StSpan appended; // after the underscore
  bool appended_base64;
  size_t room; // bytes that numbers may still use
} Vtu;

static StNumberType type_of(StSpan word) {
  static const struct {
    const char *name;
    StNumberType type;
  } known[] = {
      {"Int8", ST_INT8},       {"UInt8", ST_UINT8},     {"Int16", ST_INT16}, {"UInt16", ST_UINT16},
      {"Int32", ST_INT32},     {"UInt32", ST_UINT32},   {"Int64", ST_INT64}, {"UInt64", ST_UINT64},
      {"Float32", ST_FLOAT32}, {"Float64", ST_FLOAT64},
  };
  for (int i = 0; i < ST_LENGTH(known); i++)
    if (st_span_is(word, known[i].name))
      return known[i].type;
  return ST_NUMBER_NONE;
}

static StStatus read_header(Vtu *file, const StXmlTag *tag) {
  StSpan type = st_xml_attribute(tag, "type"), order = st_xml_attribute(tag, "byte_order");
  StSpan header = st_xml_attribute(tag, "header_type");
  StSpan compressor = st_xml_attribute(tag, "compressor");
  if (!st_span_is(type, "UnstructuredGrid"))
    return st_scan_fail(file->scan, "a VTKFile of type '%s' cannot be read, UnstructuredGrid can",
                        st_quote(type).text);
  bool big = st_span_is(order, "BigEndian");
  file->encoding.swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  file->encoding.wide = st_span_is(header, "UInt64");
  file->encoding.compressed = compressor.length > 0;
  if (compressor.length && !st_span_is(compressor, "vtkZLibDataCompressor"))
    return st_scan_fail(file->scan,
                        "compressor '%s' is not known: write the file with "
                        "vtkZLibDataCompressor or uncompressed",
                        st_quote(compressor).text);
  return ST_OK;
}

static StStatus read_number(const Vtu *file, const StXmlTag *tag, const char *name, int64_t most,
                            size_t *value) {
  StSpan text = st_xml_attribute(tag, name);
  int64_t number;
  if (!st_span_integer(text, &number) || number < 0 || number > most)
    return st_scan_fail(file->scan, "%s=\"%s\" must be a number in 0 … %lld", name,
                        st_quote(text).text, (long long)most);
  *value = (size_t)number;
  return ST_OK;
}

static StStatus begin_piece(Vtu *file, const StXmlTag *tag) {
  ST_TRY_MEMORY(
      st_grow((void **)&file->piece, &file->piece_capacity, file->piece_count + 1, sizeof(Piece)) &&
          st_grow((void **)&file->grid.part, &file->grid.part_capacity, file->piece_count + 1,
                  sizeof(StGridPart)),
      file->scan->error);
  StGridPart *part = &file->grid.part[file->grid.part_count++];
  *part = (StGridPart){0};
  file->piece[file->piece_count++] = (Piece){.first = file->entry_count, .mark = file->scan->mark};
  ST_TRY(read_number(file, tag, "NumberOfPoints", ST_MESH_LIMIT, &part->point_count));
  return read_number(file, tag, "NumberOfCells", ST_MESH_LIMIT, &part->cell_count);
}

static StStatus find_storage(Vtu *file, const StXmlTag *tag, Entry *array) {
  StSpan format = st_xml_attribute(tag, "format");
  if (st_span_is(format, "ascii") || !format.length) {
    array->storage = ASCII;
  } else if (st_span_is(format, "binary")) {
    array->storage = INLINE;
  } else if (st_span_is(format, "appended")) {
    array->storage = APPENDED;
    return read_number(file, tag, "offset", INT64_MAX, &array->offset);
  } else {
    return st_scan_fail(file->scan, "format=\"%s\" must be ascii, binary or appended",
                        st_quote(format).text);
  }
  return ST_OK;
}

static StStatus add_array(Vtu *file, const StXmlTag *tag, Section section) {
  Entry array = {.section = section,
                 .name = st_xml_attribute(tag, "Name"),
                 .type = type_of(st_xml_attribute(tag, "type")),
                 .components = 1,
                 .mark = file->scan->mark};
  StSpan components = st_xml_attribute(tag, "NumberOfComponents");
  if (components.length && !st_span_integer(components, &array.components))
    return st_scan_fail(file->scan, "NumberOfComponents=\"%s\" must be a number",
                        st_quote(components).text);
  ST_TRY(find_storage(file, tag, &array));
  const char *end = memchr(file->scan->at, '<', st_scan_left(file->scan));
  if (!tag->empty)
    array.content =
        (StSpan){file->scan->at, (size_t)((end ? end : file->scan->end) - file->scan->at)};
  else
    array.content = (StSpan){file->scan->at, 0};
  ST_TRY_MEMORY(
      st_grow((void **)&file->entry, &file->entry_capacity, file->entry_count + 1, sizeof(Entry)),
      file->scan->error);
  file->entry[file->entry_count++] = array;
  Piece *piece =
      file->piece_count && section != FIELD_DATA ? &file->piece[file->piece_count - 1] : NULL;
  if (piece)
    piece->count = file->entry_count - piece->first;
  return ST_OK;
}

// Everything after the underscore is data, whatever it looks like.
static StStatus find_appended(Vtu *file, const StXmlTag *tag) {
  StScan *scan = file->scan;
  file->appended_base64 = st_span_is(st_xml_attribute(tag, "encoding"), "base64");
  st_scan_skip_space(scan);
  if (scan->at == scan->end || *scan->at != '_')
    return st_scan_fail(scan, "the appended data must begin with an underscore");
  file->appended = (StSpan){scan->at + 1, st_scan_left(scan) - 1};
  scan->at = scan->end;
  return ST_OK;
}

static Section section_of(StSpan name) {
  static const char *const known[] = {"FieldData", "PointData", "CellData", "Points", "Cells"};
  for (int i = 0; i < ST_LENGTH(known); i++)
    if (st_span_is(name, known[i]))
      return (Section)(i + 1);
  return NOWHERE;
}

static StStatus walk(Vtu *file) {
  StXmlTag tag;
  Section section = NOWHERE;
  bool found, headed = false;
  for (;;) {
    ST_TRY(st_xml_next(file->scan, &tag, &found));
    if (!found)
      break;
    Section named = section_of(tag.name);
    if (named != NOWHERE) {
      section = tag.closing || tag.empty ? NOWHERE : named;
    } else if (tag.closing) {
      continue;
    } else if (st_span_is(tag.name, "VTKFile")) {
      headed = true;
      ST_TRY(read_header(file, &tag));
    } else if (st_span_is(tag.name, "Piece")) {
      ST_TRY(begin_piece(file, &tag));
    } else if (st_span_is(tag.name, "DataArray") || st_span_is(tag.name, "Array")) {
      ST_TRY(add_array(file, &tag, section));
    } else if (st_span_is(tag.name, "AppendedData")) {
      ST_TRY(find_appended(file, &tag));
    }
  }
  file->scan->mark = file->scan->end;
  if (!headed)
    return st_scan_fail(file->scan, "a VTU file needs the tag <VTKFile type=\"UnstructuredGrid\">");
  return ST_OK;
}

static StStatus decode(const Vtu *file, const Entry *array, StVtuSize wanted, char **data,
                       size_t *size) {
  StSpan from = array->content;
  bool base64 = array->storage == INLINE || file->appended_base64;
  file->scan->mark = array->mark;
  if (array->storage == APPENDED) {
    if (array->offset >= file->appended.length)
      return st_scan_fail(file->scan, "offset %zu lies past the %zu bytes of appended data",
                          array->offset, file->appended.length);
    from = (StSpan){file->appended.at + array->offset, file->appended.length - array->offset};
  }
  StVtuBytes source = {.at = from.at, .end = from.at + from.length, .base64 = base64};
  return st_vtu_decode(file->scan, &file->encoding, source, wanted, data, size);
}

// A scan over the words of an array, after checking that there can be as many.
static StStatus begin_words(const Vtu *file, const Entry *array, size_t count, StScan *words) {
  *words = *file->scan;
  words->at = array->content.at;
  words->end = array->content.at + array->content.length;
  words->mark = array->mark;
  if (count > array->content.length / 2 + 1)
    return st_scan_fail(words,
                        "the array '%s' must hold %zu numbers, for which its %zu bytes are "
                        "too few",
                        st_quote(array->name).text, count, array->content.length);
  return ST_OK;
}

static StStatus end_words(StScan *words, size_t count) {
  StSpan word;
  if (!st_scan_word(words, &word))
    return ST_OK;
  return st_scan_fail(words, "'%s' follows the %zu numbers that the array must hold",
                      st_quote(word).text, count);
}

_Static_assert(sizeof(double) == sizeof(int64_t), "arrays of both have the same size");

static StStatus read_words(StScan *words, size_t count, bool whole, void *value) {
  for (size_t i = 0; i < count; i++)
    ST_TRY(
        whole ? st_scan_integer(words, "a whole number", INT64_MIN, INT64_MAX, (int64_t *)value + i)
              : st_scan_real(words, "a number of the array", (double *)value + i));
  return end_words(words, count);
}

static StStatus check_type(const Vtu *file, const Entry *array) {
  file->scan->mark = array->mark;
  if (array->type != ST_NUMBER_NONE)
    return ST_OK;
  return st_scan_fail(file->scan, "the array '%s' needs a number type, such as Float64 or Int32",
                      st_quote(array->name).text);
}

static StStatus convert(const Vtu *file, const Entry *array, const char *data, size_t count,
                        bool whole, void *value) {
  size_t item = st_number_size(array->type);
  for (size_t i = 0; i < count; i++, data += item)
    if (!whole)
      ((double *)value)[i] = st_number_real(array->type, data, file->encoding.swap);
    else if (!st_number_integer(array->type, data, file->encoding.swap, (int64_t *)value + i))
      return st_scan_fail(file->scan, "number %zu of the array '%s' must be whole", i,
                          st_quote(array->name).text);
  return ST_OK;
}

// Reserves memory for numbers before they are unpacked. Text cannot expand like that.
static StStatus take_room(Vtu *file, const Entry *array, size_t count) {
  StScan *scan = file->scan;
  size_t size = (size_t)(scan->end - scan->start);
  scan->mark = array->mark;
  if (array->storage == ASCII)
    return ST_OK;
  if (count > file->room / sizeof(double))
    return st_scan_fail(scan,
                        "the arrays up to this one take more than %zu MB, too much for a file of "
                        "%zu bytes",
                        (ROOM + GROWTH * size) >> 20, size);
  file->room -= count * sizeof(double);
  return ST_OK;
}

// *value must be NULL before; afterwards the caller must free() it, even after a failure.
static StStatus unpack(Vtu *file, const Entry *array, size_t count, bool whole, void **value) {
  ST_FREE char *data = NULL;
  size_t size, item = st_number_size(array->type);
  StScan words;
  ST_TRY(take_room(file, array, count));
  ST_TRY(check_type(file, array));
  if (array->storage == ASCII)
    ST_TRY(begin_words(file, array, count, &words));
  else
    ST_TRY(decode(file, array, (StVtuSize){count * item, count * item}, &data, &size));
  ST_TRY_MEMORY(*value = st_new_array(count, sizeof(double)), file->scan->error);
  return data ? convert(file, array, data, count, whole, *value)
              : read_words(&words, count, whole, *value);
}

static StStatus read_numbers(Vtu *file, const Entry *array, size_t count, bool whole,
                             void **value) {
  void *made = NULL;
  StStatus status = unpack(file, array, count, whole, &made);
  if (status == ST_OK)
    *value = made;
  else
    free(made);
  return status;
}

// name NULL: any name.
static StStatus need(const Vtu *file, int part, Section section, const char *name,
                     const Entry **array) {
  const Piece *piece = &file->piece[part];
  *array = NULL;
  for (size_t i = 0; i < piece->count && !*array; i++) {
    const Entry *entry = &file->entry[piece->first + i];
    if (entry->section == section && (!name || st_span_is(entry->name, name)))
      *array = entry;
  }
  if (*array)
    return ST_OK;
  file->scan->mark = piece->mark;
  if (!name)
    return st_scan_fail(file->scan, "the piece has no array in <Points>");
  return st_scan_fail(file->scan, "the piece has no array '%s' in <Cells>", name);
}

static Vtu *begin(StGridFile *grid, StError *error) {
  Vtu *file = (Vtu *)grid; // its first member
  file->scan->error = error;
  return file;
}

static StStatus read_points(StGridFile *grid, int part, double **value, StError *error) {
  Vtu *file = begin(grid, error);
  const Entry *array;
  ST_TRY(need(file, part, POINTS, NULL, &array));
  file->scan->mark = array->mark;
  if (array->components != 3)
    return st_scan_fail(file->scan, "points need NumberOfComponents=\"3\", not %lld",
                        (long long)array->components);
  return read_numbers(file, array, 3 * grid->part[part].point_count, false, (void **)value);
}

static StStatus read_cells(StGridFile *grid, int part, StVtkGrid *cells, StError *error) {
  Vtu *file = begin(grid, error);
  const Entry *array;
  size_t count = grid->part[part].cell_count;
  ST_TRY(need(file, part, CELLS, "offsets", &array));
  ST_TRY(read_numbers(file, array, count, true, (void **)&cells->end));
  int64_t last = count ? cells->end[count - 1] : 0;
  if (last < 0 || last > 8 * (int64_t)ST_MESH_LIMIT)
    return st_scan_fail(file->scan,
                        "the last offset is %lld: it must be the number of point "
                        "numbers in the connectivity",
                        (long long)last);
  cells->connectivity_count = (size_t)last;
  ST_TRY(need(file, part, CELLS, "connectivity", &array));
  ST_TRY(read_numbers(file, array, (size_t)last, true, (void **)&cells->connectivity));
  ST_TRY(need(file, part, CELLS, "types", &array));
  return read_numbers(file, array, count, true, (void **)&cells->type);
}

static StStatus read_array(StGridFile *grid, int part, const StGridArray *array, bool whole,
                           void **value, StError *error) {
  Vtu *file = begin(grid, error);
  const Entry *entry;
  size_t items = array->of_cells ? grid->part[part].cell_count : grid->part[part].point_count;
  ST_TRY(need(file, part, array->of_cells ? CELL_DATA : POINT_DATA, array->name, &entry));
  return read_numbers(file, entry, items * (size_t)array->components, whole, value);
}

static bool is_listed(const Entry *entry) {
  return (entry->section == POINT_DATA || entry->section == CELL_DATA) &&
         entry->type != ST_NUMBER_NONE && entry->components > 0 &&
         entry->components <= COMPONENTS_MOST;
}

static StStatus list_arrays(const Vtu *file, const Piece *piece, StGridPart *part, StError *error) {
  ST_TRY_MEMORY(part->array = ST_NEW(StGridArray, piece->count), error);
  for (size_t i = 0; i < piece->count; i++) {
    const Entry *entry = &file->entry[piece->first + i];
    if (!is_listed(entry))
      continue;
    StGridArray *array = &part->array[part->array_count++];
    *array = (StGridArray){.name = strndup(entry->name.at, entry->name.length),
                           .of_cells = entry->section == CELL_DATA,
                           .integer = st_number_is_integer(entry->type),
                           .components = (int)entry->components};
    ST_TRY_MEMORY(array->name, error);
  }
  return ST_OK;
}

// In text, strings are stored as character codes, each terminated by 0.
static StStatus read_codes(const Vtu *file, const Entry *array, char **text, size_t *size) {
  StScan words;
  StSpan word;
  ST_TRY(begin_words(file, array, 0, &words));
  ST_TRY_MEMORY(*text = ST_NEW(char, array->content.length / 2 + 2), file->scan->error);
  for (*size = 0; st_scan_word(&words, &word); (*size)++) {
    int64_t code;
    if (!st_span_integer(word, &code) || code < -128 || code > 255)
      return st_scan_fail(&words, "found '%s' instead of the code of a character",
                          st_quote(word).text);
    (*text)[*size] = (char)code;
  }
  return ST_OK;
}

static StStatus read_strings(Vtu *file, const Entry *entry, char **text, size_t *size) {
  if (entry->storage != ASCII)
    return decode(file, entry, (StVtuSize){0, NAMES_MOST}, text, size);
  ST_TRY(read_codes(file, entry, text, size));
  if (*size <= NAMES_MOST)
    return ST_OK;
  file->scan->mark = entry->mark;
  return st_scan_fail(file->scan, "the strings take %zu bytes, more than %d", *size, NAMES_MOST);
}

static const Entry *find_global(const Vtu *file, const char *name) {
  for (size_t i = 0; i < file->entry_count; i++)
    if (file->entry[i].section == FIELD_DATA && st_span_is(file->entry[i].name, name))
      return &file->entry[i];
  return NULL;
}

// Meshes of other programs may have something else under this name.
static void read_time(Vtu *file) {
  const Entry *entry = find_global(file, "TimeValue");
  ST_FREE double *value = NULL;
  StError *error = file->scan->error, ignored;
  file->scan->error = &ignored;
  file->grid.has_time = entry && read_numbers(file, entry, 1, false, (void **)&value) == ST_OK;
  file->grid.time = file->grid.has_time ? *value : 0;
  file->scan->error = error;
}

// There is always a 0 after the last byte.
static StStatus read_names(Vtu *file) {
  const Entry *entry = find_global(file, "LabelNames");
  size_t size = 0, count = 0;
  if (entry)
    ST_TRY(read_strings(file, entry, &file->grid.label_text, &size));
  char *at = file->grid.label_text, *end = size ? at + size : at;
  for (size_t i = 0; i < size; i++)
    count += at[i] == 0;
  file->grid.label = ST_NEW(char *, count + 2);
  ST_TRY_MEMORY(file->grid.label, file->scan->error);
  for (count = 0; at < end; at += strlen(at) + 1)
    file->grid.label[count++] = at;
  return ST_OK;
}

static StStatus read_file(Vtu *file, StError *error) {
  ST_TRY(walk(file));
  for (size_t i = 0; i < file->piece_count; i++)
    ST_TRY(list_arrays(file, &file->piece[i], &file->grid.part[i], error));
  read_time(file);
  return read_names(file);
}

static void close_vtu(StGridFile *grid) {
  Vtu *file = (Vtu *)grid;
  for (size_t i = 0; i < grid->part_count; i++) {
    for (int k = 0; k < grid->part[i].array_count; k++)
      free(grid->part[i].array[k].name);
    free(grid->part[i].array);
  }
  free(grid->part);
  free(grid->label_text);
  free(grid->label);
  free(file->entry);
  free(file->piece);
  free(file);
}

static StStatus open_vtu(const char *name, const char *bytes, size_t size, StGridFile **result,
                         StError *error) {
  Vtu *file = ST_NEW(Vtu, 1);
  ST_TRY_MEMORY(file, error);
  file->grid.format = &st_grid_format_vtu;
  file->own = st_scan_begin(name, bytes, size, NULL, error);
  file->scan = &file->own;
  file->room = ROOM + GROWTH * size;
  StStatus status = read_file(file, error);
  if (status == ST_OK)
    *result = &file->grid;
  else
    close_vtu(&file->grid);
  return status;
}

const StGridFormat st_grid_format_vtu = {open_vtu, close_vtu, read_points, read_cells, read_array};
