// Tags, arrays and their numbers.
#include "mesh/vtu_file.h"

#include "base/memory.h"
#include "mesh/builder.h"
#include "mesh/xml.h"

#include <string.h>

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

static StStatus read_header(StVtuFile *file, const StXmlTag *tag) {
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

static StStatus read_number(const StVtuFile *file, const StXmlTag *tag, const char *name,
                            int64_t most, size_t *value) {
  StSpan text = st_xml_attribute(tag, name);
  int64_t number;
  if (!st_span_integer(text, &number) || number < 0 || number > most)
    return st_scan_fail(file->scan, "%s=\"%s\" must be a number in 0 … %lld", name,
                        st_quote(text).text, (long long)most);
  *value = (size_t)number;
  return ST_OK;
}

static StStatus begin_piece(StVtuFile *file, const StXmlTag *tag) {
  ST_TRY_MEMORY(st_grow((void **)&file->piece, &file->piece_capacity, file->piece_count + 1,
                        sizeof(StVtuPiece)),
                file->scan->error);
  StVtuPiece *piece = &file->piece[file->piece_count++];
  *piece = (StVtuPiece){.first_entry = file->entry_count, .mark = file->scan->mark};
  ST_TRY(read_number(file, tag, "NumberOfPoints", ST_MESH_LIMIT, &piece->point_count));
  return read_number(file, tag, "NumberOfCells", ST_MESH_LIMIT, &piece->cell_count);
}

static StStatus find_storage(StVtuFile *file, const StXmlTag *tag, StVtuEntry *array) {
  StSpan format = st_xml_attribute(tag, "format");
  if (st_span_is(format, "ascii") || !format.length) {
    array->storage = ST_VTU_ASCII;
  } else if (st_span_is(format, "binary")) {
    array->storage = ST_VTU_INLINE;
  } else if (st_span_is(format, "appended")) {
    array->storage = ST_VTU_APPENDED;
    return read_number(file, tag, "offset", INT64_MAX, &array->offset);
  } else {
    return st_scan_fail(file->scan, "format=\"%s\" must be ascii, binary or appended",
                        st_quote(format).text);
  }
  return ST_OK;
}

static StStatus add_array(StVtuFile *file, const StXmlTag *tag, StVtuSection section) {
  StVtuEntry array = {.section = section,
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
  ST_TRY_MEMORY(st_grow((void **)&file->entry, &file->entry_capacity, file->entry_count + 1,
                        sizeof(StVtuEntry)),
                file->scan->error);
  file->entry[file->entry_count++] = array;
  if (file->piece_count && section != ST_VTU_FIELD_DATA)
    file->piece[file->piece_count - 1].entry_count =
        file->entry_count - file->piece[file->piece_count - 1].first_entry;
  return ST_OK;
}

// Everything after the underscore is data, whatever it looks like.
static StStatus find_appended(StVtuFile *file, const StXmlTag *tag) {
  StScan *scan = file->scan;
  file->appended_base64 = st_span_is(st_xml_attribute(tag, "encoding"), "base64");
  st_scan_skip_space(scan);
  if (scan->at == scan->end || *scan->at != '_')
    return st_scan_fail(scan, "the appended data must begin with an underscore");
  file->appended = (StSpan){scan->at + 1, st_scan_left(scan) - 1};
  scan->at = scan->end;
  return ST_OK;
}

static StVtuSection section_of(StSpan name) {
  static const char *const known[] = {"FieldData", "PointData", "CellData", "Points", "Cells"};
  for (int i = 0; i < ST_LENGTH(known); i++)
    if (st_span_is(name, known[i]))
      return (StVtuSection)(i + 1);
  return ST_VTU_NOWHERE;
}

static StStatus walk(StVtuFile *file) {
  StXmlTag tag;
  StVtuSection section = ST_VTU_NOWHERE;
  bool found, headed = false;
  for (;;) {
    ST_TRY(st_xml_next(file->scan, &tag, &found));
    if (!found)
      break;
    StVtuSection named = section_of(tag.name);
    if (named != ST_VTU_NOWHERE) {
      section = tag.closing || tag.empty ? ST_VTU_NOWHERE : named;
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

static StStatus decode(const StVtuFile *file, const StVtuEntry *array, StVtuSize wanted,
                       char **data, size_t *size) {
  StSpan from = array->content;
  bool base64 = array->storage == ST_VTU_INLINE || file->appended_base64;
  file->scan->mark = array->mark;
  if (array->storage == ST_VTU_APPENDED) {
    if (array->offset >= file->appended.length)
      return st_scan_fail(file->scan, "offset %zu lies past the %zu bytes of appended data",
                          array->offset, file->appended.length);
    from = (StSpan){file->appended.at + array->offset, file->appended.length - array->offset};
  }
  StVtuBytes source = {.at = from.at, .end = from.at + from.length, .base64 = base64};
  return st_vtu_decode(file->scan, &file->encoding, source, wanted, data, size);
}

// A scan over the words of an array, after checking that there can be as many.
static StStatus begin_words(const StVtuFile *file, const StVtuEntry *array, size_t count,
                            StScan *words) {
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

static StStatus check_type(const StVtuFile *file, const StVtuEntry *array) {
  file->scan->mark = array->mark;
  if (array->type != ST_NUMBER_NONE)
    return ST_OK;
  return st_scan_fail(file->scan, "the array '%s' needs a number type, such as Float64 or Int32",
                      st_quote(array->name).text);
}

static StStatus convert(const StVtuFile *file, const StVtuEntry *array, const char *data,
                        size_t count, bool whole, void *value) {
  size_t item = st_number_size(array->type);
  for (size_t i = 0; i < count; i++, data += item)
    if (!whole)
      ((double *)value)[i] = st_number_real(array->type, data, file->encoding.swap);
    else if (!st_number_integer(array->type, data, file->encoding.swap, (int64_t *)value + i))
      return st_scan_fail(file->scan, "number %zu of the array '%s' must be whole", i,
                          st_quote(array->name).text);
  return ST_OK;
}

// Doubles or (whole) int64_t. Room is made when the file is known to hold as many.
static StStatus read_numbers(const StVtuFile *file, const StVtuEntry *array, size_t count,
                             bool whole, void **value) {
  ST_FREE char *data = NULL;
  size_t size, item = st_number_size(array->type);
  StScan words;
  ST_TRY(check_type(file, array));
  if (array->storage == ST_VTU_ASCII)
    ST_TRY(begin_words(file, array, count, &words));
  else
    ST_TRY(decode(file, array, (StVtuSize){count * item, count * item}, &data, &size));
  ST_TRY_MEMORY(*value = st_new_array(count, sizeof(double)), file->scan->error);
  return data ? convert(file, array, data, count, whole, *value)
              : read_words(&words, count, whole, *value);
}

StStatus st_vtu_file_reals(const StVtuFile *file, const StVtuEntry *array, size_t count,
                           double **value) {
  return read_numbers(file, array, count, false, (void **)value);
}

StStatus st_vtu_file_integers(const StVtuFile *file, const StVtuEntry *array, size_t count,
                              int64_t **value) {
  return read_numbers(file, array, count, true, (void **)value);
}

const StVtuEntry *st_vtu_file_find(const StVtuFile *file, const StVtuPiece *piece,
                                   StVtuSection section, const char *name) {
  for (size_t i = 0; i < piece->entry_count; i++) {
    const StVtuEntry *array = &file->entry[piece->first_entry + i];
    if (array->section == section && (!name || st_span_is(array->name, name)))
      return array;
  }
  return NULL;
}

// In text, strings are stored as character codes, each terminated by 0.
static StStatus read_codes(const StVtuFile *file, const StVtuEntry *array, char **text,
                           size_t *size) {
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

StStatus st_vtu_file_strings(const StVtuFile *file, const StVtuEntry *entry, size_t most,
                             char **text, size_t *size) {
  if (entry->storage != ST_VTU_ASCII)
    return decode(file, entry, (StVtuSize){0, most}, text, size);
  ST_TRY(read_codes(file, entry, text, size));
  if (*size <= most)
    return ST_OK;
  file->scan->mark = entry->mark;
  return st_scan_fail(file->scan, "the strings take %zu bytes, more than %zu", *size, most);
}

StStatus st_vtu_file_walk(StScan *scan, StVtuFile *file) {
  *file = (StVtuFile){.scan = scan};
  return walk(file);
}

void st_vtu_file_free(StVtuFile *file) {
  free(file->entry);
  free(file->piece);
  *file = (StVtuFile){0};
}
