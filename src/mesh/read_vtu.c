// VTU: first the tags are walked and the arrays noted, then those that matter are decoded.
#include "mesh/reader.h"

#include "base/memory.h"
#include "mesh/number.h"
#include "mesh/vtk_grid.h"
#include "mesh/vtu_bytes.h"
#include "mesh/xml.h"

#include <string.h>

typedef enum Section { NOWHERE, FIELD_DATA, POINT_DATA, CELL_DATA, POINTS, CELLS } Section;
typedef enum Storage { ASCII, INLINE, APPENDED } Storage;

typedef struct Array {
  Section section;
  StSpan name;
  StNumberType type; // none for strings
  Storage storage;
  size_t offset;  // into the appended data
  StSpan content; // between the tags
  int64_t components;
  const char *mark; // its tag, for messages
} Array;

typedef struct Piece {
  size_t point_count, cell_count;
  size_t first_array, array_count;
  const char *mark;
} Piece;

typedef struct Vtu {
  StScan *scan;
  StBuilder *builder;
  StVtuEncoding encoding;
  size_t array_count, array_capacity;
  Array *array;
  size_t piece_count, piece_capacity;
  Piece *piece;
  StSpan appended; // behind the underscore
  bool appended_base64;
  StVtkNames names;
  char *name_text; // what the names point into
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

static StStatus read_header(Vtu *vtu, const StXmlTag *tag) {
  StSpan type = st_xml_attribute(tag, "type"), order = st_xml_attribute(tag, "byte_order");
  StSpan header = st_xml_attribute(tag, "header_type");
  StSpan compressor = st_xml_attribute(tag, "compressor");
  if (!st_span_is(type, "UnstructuredGrid"))
    return st_scan_fail(vtu->scan, "a VTKFile of type '%s' cannot be read, UnstructuredGrid can",
                        st_quote(type).text);
  bool big = st_span_is(order, "BigEndian");
  vtu->encoding.swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  vtu->encoding.wide = st_span_is(header, "UInt64");
  vtu->encoding.compressed = compressor.length > 0;
  if (compressor.length && !st_span_is(compressor, "vtkZLibDataCompressor"))
    return st_scan_fail(vtu->scan,
                        "compressor '%s' is not known: write the file with "
                        "vtkZLibDataCompressor or uncompressed",
                        st_quote(compressor).text);
  return ST_OK;
}

static StStatus read_number(const Vtu *vtu, const StXmlTag *tag, const char *name, int64_t most,
                            size_t *value) {
  StSpan text = st_xml_attribute(tag, name);
  int64_t number;
  if (!st_span_integer(text, &number) || number < 0 || number > most)
    return st_scan_fail(vtu->scan, "%s=\"%s\" must be a number in 0 … %lld", name,
                        st_quote(text).text, (long long)most);
  *value = (size_t)number;
  return ST_OK;
}

static StStatus begin_piece(Vtu *vtu, const StXmlTag *tag) {
  if (!st_grow((void **)&vtu->piece, &vtu->piece_capacity, vtu->piece_count + 1, sizeof(Piece)))
    return st_fail_memory(vtu->scan->error);
  Piece *piece = &vtu->piece[vtu->piece_count++];
  *piece = (Piece){.first_array = vtu->array_count, .mark = vtu->scan->mark};
  ST_TRY(read_number(vtu, tag, "NumberOfPoints", ST_MESH_LIMIT, &piece->point_count));
  return read_number(vtu, tag, "NumberOfCells", ST_MESH_LIMIT, &piece->cell_count);
}

static StStatus find_storage(Vtu *vtu, const StXmlTag *tag, Array *array) {
  StSpan format = st_xml_attribute(tag, "format");
  if (st_span_is(format, "ascii") || !format.length) {
    array->storage = ASCII;
  } else if (st_span_is(format, "binary")) {
    array->storage = INLINE;
  } else if (st_span_is(format, "appended")) {
    array->storage = APPENDED;
    return read_number(vtu, tag, "offset", INT64_MAX, &array->offset);
  } else {
    return st_scan_fail(vtu->scan, "format=\"%s\" must be ascii, binary or appended",
                        st_quote(format).text);
  }
  return ST_OK;
}

static StStatus add_array(Vtu *vtu, const StXmlTag *tag, Section section) {
  Array array = {.section = section,
                 .name = st_xml_attribute(tag, "Name"),
                 .type = type_of(st_xml_attribute(tag, "type")),
                 .components = 1,
                 .mark = vtu->scan->mark};
  StSpan components = st_xml_attribute(tag, "NumberOfComponents");
  if (components.length && !st_span_integer(components, &array.components))
    return st_scan_fail(vtu->scan, "NumberOfComponents=\"%s\" must be a number",
                        st_quote(components).text);
  ST_TRY(find_storage(vtu, tag, &array));
  const char *end = memchr(vtu->scan->at, '<', st_scan_left(vtu->scan));
  if (!tag->empty)
    array.content = (StSpan){vtu->scan->at, (size_t)((end ? end : vtu->scan->end) - vtu->scan->at)};
  else
    array.content = (StSpan){vtu->scan->at, 0};
  if (!st_grow((void **)&vtu->array, &vtu->array_capacity, vtu->array_count + 1, sizeof(Array)))
    return st_fail_memory(vtu->scan->error);
  vtu->array[vtu->array_count++] = array;
  if (vtu->piece_count && section != FIELD_DATA)
    vtu->piece[vtu->piece_count - 1].array_count =
        vtu->array_count - vtu->piece[vtu->piece_count - 1].first_array;
  return ST_OK;
}

// Everything from the underscore on is data, whatever it looks like.
static StStatus find_appended(Vtu *vtu, const StXmlTag *tag) {
  StScan *scan = vtu->scan;
  vtu->appended_base64 = st_span_is(st_xml_attribute(tag, "encoding"), "base64");
  st_scan_skip_space(scan);
  if (scan->at == scan->end || *scan->at != '_')
    return st_scan_fail(scan, "the appended data must begin with an underscore");
  vtu->appended = (StSpan){scan->at + 1, st_scan_left(scan) - 1};
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

static StStatus walk(Vtu *vtu) {
  StXmlTag tag;
  Section section = NOWHERE;
  bool found, headed = false;
  for (;;) {
    ST_TRY(st_xml_next(vtu->scan, &tag, &found));
    if (!found)
      break;
    Section named = section_of(tag.name);
    if (named != NOWHERE) {
      section = tag.closing || tag.empty ? NOWHERE : named;
    } else if (tag.closing) {
      continue;
    } else if (st_span_is(tag.name, "VTKFile")) {
      headed = true;
      ST_TRY(read_header(vtu, &tag));
    } else if (st_span_is(tag.name, "Piece")) {
      ST_TRY(begin_piece(vtu, &tag));
    } else if (st_span_is(tag.name, "DataArray") || st_span_is(tag.name, "Array")) {
      ST_TRY(add_array(vtu, &tag, section));
    } else if (st_span_is(tag.name, "AppendedData")) {
      ST_TRY(find_appended(vtu, &tag));
    }
  }
  vtu->scan->mark = vtu->scan->end;
  if (!headed)
    return st_scan_fail(vtu->scan, "a VTU file needs the tag <VTKFile type=\"UnstructuredGrid\">");
  return ST_OK;
}

static StStatus decode(const Vtu *vtu, const Array *array, size_t wanted, char **data,
                       size_t *size) {
  StSpan from = array->content;
  bool base64 = array->storage == INLINE || vtu->appended_base64;
  vtu->scan->mark = array->mark;
  if (array->storage == APPENDED) {
    if (array->offset >= vtu->appended.length)
      return st_scan_fail(vtu->scan, "offset %zu lies past the %zu bytes of appended data",
                          array->offset, vtu->appended.length);
    from = (StSpan){vtu->appended.at + array->offset, vtu->appended.length - array->offset};
  }
  StVtuBytes source = {.at = from.at, .end = from.at + from.length, .base64 = base64};
  return st_vtu_decode(vtu->scan, &vtu->encoding, source, wanted, data, size);
}

// A scan over the words of an array, after a look whether so many can be there.
static StStatus begin_words(const Vtu *vtu, const Array *array, size_t count, StScan *words) {
  *words = *vtu->scan;
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

static StStatus real_words(const Vtu *vtu, const Array *array, size_t count, double **value) {
  StScan words;
  ST_TRY(begin_words(vtu, array, count, &words));
  if (!(*value = ST_NEW(double, count)))
    return st_fail_memory(vtu->scan->error);
  StStatus status = ST_OK;
  for (size_t i = 0; i < count && status == ST_OK; i++)
    status = st_scan_real(&words, "a number of the array", &(*value)[i]);
  return status == ST_OK ? end_words(&words, count) : status;
}

static StStatus integer_words(const Vtu *vtu, const Array *array, size_t count, int64_t **value) {
  StScan words;
  ST_TRY(begin_words(vtu, array, count, &words));
  if (!(*value = ST_NEW(int64_t, count)))
    return st_fail_memory(vtu->scan->error);
  StStatus status = ST_OK;
  for (size_t i = 0; i < count && status == ST_OK; i++)
    status = st_scan_integer(&words, "a whole number", INT64_MIN, INT64_MAX, &(*value)[i]);
  return status == ST_OK ? end_words(&words, count) : status;
}

static StStatus check_type(const Vtu *vtu, const Array *array) {
  vtu->scan->mark = array->mark;
  if (array->type != ST_NUMBER_NONE)
    return ST_OK;
  return st_scan_fail(vtu->scan, "the array '%s' needs a number type, such as Float64 or Int32",
                      st_quote(array->name).text);
}

// *value must be NULL before; whatever it is afterwards is the caller's to free.
static StStatus read_reals(const Vtu *vtu, const Array *array, size_t count, double **value) {
  char *data;
  size_t size, item = st_number_size(array->type);
  ST_TRY(check_type(vtu, array));
  if (array->storage == ASCII)
    return real_words(vtu, array, count, value);
  ST_TRY(decode(vtu, array, count * item, &data, &size));
  if ((*value = ST_NEW(double, count)))
    for (size_t i = 0; i < count; i++)
      (*value)[i] = st_number_real(array->type, data + i * item, vtu->encoding.swap);
  free(data);
  return *value ? ST_OK : st_fail_memory(vtu->scan->error);
}

static StStatus convert_integers(const Vtu *vtu, const Array *array, const char *data, size_t count,
                                 int64_t *value) {
  size_t item = st_number_size(array->type);
  for (size_t i = 0; i < count; i++)
    if (!st_number_integer(array->type, data + i * item, vtu->encoding.swap, &value[i]))
      return st_scan_fail(vtu->scan, "number %zu of the array '%s' must be whole", i,
                          st_quote(array->name).text);
  return ST_OK;
}

static StStatus read_integers(const Vtu *vtu, const Array *array, size_t count, int64_t **value) {
  char *data;
  size_t size;
  ST_TRY(check_type(vtu, array));
  if (array->storage == ASCII)
    return integer_words(vtu, array, count, value);
  ST_TRY(decode(vtu, array, count * st_number_size(array->type), &data, &size));
  *value = ST_NEW(int64_t, count);
  StStatus status =
      *value ? convert_integers(vtu, array, data, count, *value) : st_fail_memory(vtu->scan->error);
  free(data);
  return status;
}

// The array of a piece, or NULL. name NULL: whatever it is called.
static const Array *find_array(const Vtu *vtu, const Piece *piece, Section section,
                               const char *name) {
  for (size_t i = 0; i < piece->array_count; i++) {
    const Array *array = &vtu->array[piece->first_array + i];
    if (array->section == section && (!name || st_span_is(array->name, name)))
      return array;
  }
  return NULL;
}

static StStatus need_array(const Vtu *vtu, const Piece *piece, Section section, const char *name,
                           const Array **array) {
  if ((*array = find_array(vtu, piece, section, name)))
    return ST_OK;
  vtu->scan->mark = piece->mark;
  if (!name)
    return st_scan_fail(vtu->scan, "the piece has no array in <Points>");
  return st_scan_fail(vtu->scan, "the piece has no array '%s' in <Cells>", name);
}

static StStatus read_points(const Vtu *vtu, const Piece *piece, StVtkGrid *grid) {
  const Array *array;
  ST_TRY(need_array(vtu, piece, POINTS, NULL, &array));
  vtu->scan->mark = array->mark;
  if (array->components != 3)
    return st_scan_fail(vtu->scan, "points need NumberOfComponents=\"3\", not %lld",
                        (long long)array->components);
  return read_reals(vtu, array, 3 * grid->point_count, &grid->point);
}

static StStatus read_types(const Vtu *vtu, const Piece *piece, StVtkGrid *grid) {
  const Array *array;
  int64_t *type = NULL;
  ST_TRY(need_array(vtu, piece, CELLS, "types", &array));
  StStatus status = read_integers(vtu, array, grid->cell_count, &type);
  if (status == ST_OK && !(grid->type = ST_NEW(unsigned char, grid->cell_count)))
    status = st_fail_memory(vtu->scan->error);
  for (size_t i = 0; i < grid->cell_count && status == ST_OK; i++)
    grid->type[i] = type[i] >= 0 && type[i] < 255 ? (unsigned char)type[i] : 255;
  free(type);
  return status;
}

static StStatus read_cells(const Vtu *vtu, const Piece *piece, StVtkGrid *grid) {
  const Array *array;
  ST_TRY(need_array(vtu, piece, CELLS, "offsets", &array));
  ST_TRY(read_integers(vtu, array, grid->cell_count, &grid->end));
  int64_t last = grid->cell_count ? grid->end[grid->cell_count - 1] : 0;
  if (last < 0 || last > 8 * (int64_t)ST_MESH_LIMIT)
    return st_scan_fail(vtu->scan,
                        "the last offset is %lld: it must be the number of point "
                        "numbers in the connectivity",
                        (long long)last);
  grid->connectivity_count = (size_t)last;
  ST_TRY(need_array(vtu, piece, CELLS, "connectivity", &array));
  ST_TRY(read_integers(vtu, array, grid->connectivity_count, &grid->connectivity));
  return read_types(vtu, piece, grid);
}

static StStatus read_labels(const Vtu *vtu, const Piece *piece, StVtkGrid *grid) {
  const Array *best = NULL;
  for (size_t i = 0; i < piece->array_count; i++) {
    const Array *array = &vtu->array[piece->first_array + i];
    int rank = st_vtk_label_rank(array->name);
    if (array->section != CELL_DATA || array->components != 1 ||
        !st_number_is_integer(array->type) || rank <= grid->label_rank)
      continue;
    best = array;
    grid->label_rank = rank;
  }
  return best ? read_integers(vtu, best, grid->cell_count, &grid->label) : ST_OK;
}

static StStatus add_piece(const Vtu *vtu, const Piece *piece) {
  StVtkGrid grid = {.point_count = piece->point_count, .cell_count = piece->cell_count};
  StStatus status = grid.point_count ? read_points(vtu, piece, &grid) : ST_OK;
  if (status == ST_OK && grid.cell_count)
    status = read_cells(vtu, piece, &grid);
  if (status == ST_OK && grid.cell_count)
    status = read_labels(vtu, piece, &grid);
  if (status == ST_OK)
    status = st_vtk_grid_add(&grid, &vtu->names, vtu->scan, vtu->builder);
  st_vtk_grid_free(&grid);
  return status;
}

// In text, strings stand as the codes of their characters, each string closed by 0.
static StStatus read_codes(const Vtu *vtu, const Array *array, char **text, size_t *size) {
  StScan words;
  StSpan word;
  ST_TRY(begin_words(vtu, array, 0, &words));
  if (!(*text = ST_NEW(char, array->content.length / 2 + 2)))
    return st_fail_memory(vtu->scan->error);
  for (*size = 0; st_scan_word(&words, &word); (*size)++) {
    int64_t code;
    if (!st_span_integer(word, &code) || code < -128 || code > 255)
      return st_scan_fail(&words, "'%s' stands where the code of a character should",
                          st_quote(word).text);
    (*text)[*size] = (char)code;
  }
  return ST_OK;
}

static StStatus read_names(Vtu *vtu, const Array *array) {
  size_t size = 0;
  if (array->storage == ASCII)
    ST_TRY(read_codes(vtu, array, &vtu->name_text, &size));
  else
    ST_TRY(decode(vtu, array, SIZE_MAX, &vtu->name_text, &size));
  for (size_t at = 0; at < size;) { // a 0 stands behind the last byte in any case
    size_t length = strlen(vtu->name_text + at);
    if (!st_grow((void **)&vtu->names.name, &vtu->names.capacity, vtu->names.count + 1,
                 sizeof(StSpan)))
      return st_fail_memory(vtu->scan->error);
    vtu->names.name[vtu->names.count++] = (StSpan){vtu->name_text + at, length};
    at += length + 1;
  }
  return ST_OK;
}

static StStatus read_all(Vtu *vtu) {
  ST_TRY(walk(vtu));
  for (size_t i = 0; i < vtu->array_count; i++)
    if (vtu->array[i].section == FIELD_DATA && !vtu->name_text &&
        st_span_is(vtu->array[i].name, "LabelNames"))
      ST_TRY(read_names(vtu, &vtu->array[i]));
  for (size_t i = 0; i < vtu->piece_count; i++)
    ST_TRY(add_piece(vtu, &vtu->piece[i]));
  return ST_OK;
}

StStatus st_read_vtu(StScan *scan, StBuilder *builder) {
  Vtu vtu = {.scan = scan, .builder = builder};
  StStatus status = read_all(&vtu);
  free(vtu.array);
  free(vtu.piece);
  free(vtu.names.name);
  free(vtu.name_text);
  return status;
}
