// The XML header with offsets, then the compressed arrays.
#include "mesh/vtu.h"

#include "base/file.h"
#include "base/memory.h"
#include "mesh/xml.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

// Blocks small enough to be compressed in the cache; the fastest level, because coordinates hardly
// shrink further at slower ones.
enum { BLOCK = 1 << 17, LEVEL = 1 };

typedef enum Type { FLOAT64, FLOAT32, INT32, UINT8 } Type;

static const struct {
  const char *name;
  size_t size;
} types[] = {[FLOAT64] = {"Float64", 8},
             [FLOAT32] = {"Float32", 4},
             [INT32] = {"Int32", 4},
             [UINT8] = {"UInt8", 1}};

typedef struct Writer {
  StText *head; // XML
  StText data;  // appended bytes
  char block[BLOCK];
  char packed[BLOCK + BLOCK / 8 + 64]; // compressBound() of a block fits
  StError *error;
} Writer;

// Items of one array, filled into the block a few at a time.
typedef struct Source {
  Type type;
  size_t count;
  const double *real;
  const int *integer;
  int (*at)(const void *context, size_t index); // used when both are NULL
  const void *context;
} Source;

static void put_u64(char *to, uint64_t value) {
  for (int i = 0; i < 8; i++)
    to[i] = (char)(value >> (8 * i));
}

static void put_u32(char *to, uint32_t value) {
  for (int i = 0; i < 4; i++)
    to[i] = (char)(value >> (8 * i));
}

static void put_item(const Source *source, size_t index, char *to) {
  if (source->type == FLOAT64) {
    uint64_t bits;
    memcpy(&bits, &source->real[index], sizeof bits);
    put_u64(to, bits);
  } else if (source->type == FLOAT32) {
    float value = (float)source->real[index];
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(to, bits);
  } else {
    int value = source->integer ? source->integer[index] : source->at(source->context, index);
    if (source->type == UINT8)
      *to = (char)value;
    else
      put_u32(to, (uint32_t)value);
  }
}

// Appends one compressed block to the data. Its compressed size goes into the header at header_at.
static StStatus add_block(Writer *writer, const Source *source, size_t first, size_t count,
                          size_t header_at) {
  size_t size = types[source->type].size;
  for (size_t i = 0; i < count; i++)
    put_item(source, first + i, writer->block + i * size);
  uLongf packed = sizeof writer->packed;
  if (compress2((Bytef *)writer->packed, &packed, (const Bytef *)writer->block,
                (uLong)(count * size), LEVEL) != Z_OK)
    return st_fail(writer->error, ST_SYSTEM_FAULT, "zlib could not compress a block");
  st_text_add_bytes(&writer->data, writer->packed, packed);
  ST_TRY_MEMORY(!writer->data.failed, writer->error);
  put_u64(writer->data.data + header_at, packed);
  return ST_OK;
}

static StStatus add_data(Writer *writer, const Source *source) {
  size_t size = types[source->type].size, per_block = BLOCK / size;
  size_t blocks = (source->count + per_block - 1) / per_block;
  size_t last = blocks ? source->count - (blocks - 1) * per_block : 0;
  size_t header = writer->data.length;
  char number[3][8];
  put_u64(number[0], blocks);
  put_u64(number[1], BLOCK);
  put_u64(number[2], last == per_block ? 0 : last * size); // 0: the last block is full
  st_text_add_bytes(&writer->data, number, sizeof number);
  for (size_t b = 0; b < blocks; b++)
    st_text_add_bytes(&writer->data, "\0\0\0\0\0\0\0", 8);
  for (size_t b = 0; b < blocks; b++)
    ST_TRY(add_block(writer, source, b * per_block, b + 1 < blocks ? per_block : last,
                     header + 8 * (3 + b)));
  return writer->data.failed ? st_fail_memory(writer->error) : ST_OK;
}

static void announce(Writer *writer, const char *name, int components, const Source *source) {
  st_text_add(writer->head, "        <DataArray type=\"%s\" Name=\"", types[source->type].name);
  st_xml_add_escaped(writer->head, name);
  st_text_add(writer->head, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n",
              components, writer->data.length);
}

static StStatus add_array(Writer *writer, const char *name, int components, const Source *source) {
  announce(writer, name, components, source);
  return add_data(writer, source);
}

static StStatus add_user_arrays(Writer *writer, const char *section, const StVtuArray *array,
                                int array_count, size_t item_count) {
  static const Type type[] = {
      [ST_VTU_FLOAT64] = FLOAT64, [ST_VTU_FLOAT32] = FLOAT32, [ST_VTU_INT32] = INT32};
  st_text_add(writer->head, "      <%s>\n", section);
  for (int i = 0; i < array_count; i++) {
    ST_CHECK(item_count == 0 ||
                 (array[i].kind == ST_VTU_INT32 ? array[i].integer != NULL : array[i].real != NULL),
             writer->error);
    Source source = {.type = type[array[i].kind],
                     .count = item_count * (size_t)array[i].components,
                     .real = array[i].real,
                     .integer = array[i].integer};
    ST_TRY(add_array(writer, array[i].name, array[i].components, &source));
  }
  st_text_add(writer->head, "      </%s>\n", section);
  return ST_OK;
}

static int connectivity_at(const void *context, size_t index) {
  const StVtu *vtu = context;
  size_t tets = st_vtu_tet_start(vtu, (size_t)vtu->tet_count);
  size_t triangles = 3 * (size_t)vtu->triangle_count;
  return index < tets               ? vtu->tet[index]
         : index < tets + triangles ? vtu->triangle[index - tets]
                                    : vtu->vertex[index - tets - triangles];
}

// Where a cell ends in the connectivity.
static int offset_at(const void *context, size_t index) {
  const StVtu *vtu = context;
  int cell = (int)index + 1, tets = cell < vtu->tet_count ? cell : vtu->tet_count;
  cell -= tets;
  int triangles = cell < vtu->triangle_count ? cell : vtu->triangle_count;
  return (int)st_vtu_tet_start(vtu, (size_t)tets) + 3 * triangles + (cell - triangles);
}

static int type_at(const void *context, size_t index) {
  return st_vtu_type(context, index);
}

// Frames of a run differ in nothing but their points and fields, and cells take nearly as long to
// compress as both. Without memory to keep them there are none for the next file.
static void keep_cells(const char *data, StVtuCells *cells) {
  size_t total = cells->length[0] + cells->length[1] + cells->length[2];
  cells->packed = ST_NEW(char, total);
  if (cells->packed)
    memcpy(cells->packed, data, total);
}

static StStatus add_cells(Writer *writer, const StVtu *vtu, size_t cell_count) {
  size_t points = st_vtu_tet_start(vtu, (size_t)vtu->tet_count) + 3 * (size_t)vtu->triangle_count +
                  (size_t)vtu->vertex_count;
  static const char *const name[] = {"connectivity", "offsets", "types"};
  const Source source[] = {
      {.type = INT32, .count = points, .at = connectivity_at, .context = vtu},
      {.type = INT32, .count = cell_count, .at = offset_at, .context = vtu},
      {.type = UINT8, .count = cell_count, .at = type_at, .context = vtu},
  };
  StVtuCells *cells = vtu->cells ? vtu->cells : &(StVtuCells){0};
  size_t first = writer->data.length;
  st_text_add(writer->head, "      <Cells>\n");
  for (int i = 0; i < ST_LENGTH(source); i++) {
    size_t begin = writer->data.length;
    announce(writer, name[i], 1, &source[i]);
    if (cells->packed)
      st_text_add_bytes(&writer->data, cells->packed + (begin - first), cells->length[i]);
    else
      ST_TRY(add_data(writer, &source[i]));
    cells->length[i] = writer->data.length - begin;
  }
  st_text_add(writer->head, "      </Cells>\n");
  ST_TRY_MEMORY(!writer->data.failed, writer->error);
  if (vtu->cells && !cells->packed)
    keep_cells(writer->data.data + first, cells);
  return ST_OK;
}

static StStatus add_points(Writer *writer, const StVtu *vtu) {
  Source source = {.type = FLOAT64, .count = 3 * (size_t)vtu->point_count, .real = vtu->position};
  st_text_add(writer->head, "      <Points>\n");
  ST_TRY(add_array(writer, "Points", 3, &source));
  st_text_add(writer->head, "      </Points>\n");
  return ST_OK;
}

// Strings are written as VTK does: as character codes, each string terminated by 0.
static void add_field_data(StText *head, const StVtu *vtu) {
  if (!vtu->label_count && !vtu->has_time)
    return;
  st_text_add(head, "    <FieldData>\n");
  if (vtu->has_time)
    st_text_add(head,
                "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                "format=\"ascii\">%.17g</DataArray>\n",
                vtu->time);
  if (vtu->label_count)
    st_text_add(head,
                "      <Array type=\"String\" Name=\"LabelNames\" NumberOfTuples=\"%d\" "
                "format=\"ascii\">",
                vtu->label_count);
  for (int i = 0; i < vtu->label_count; i++) {
    for (const char *c = vtu->label_name[i]; *c; c++)
      st_text_add(head, "%d ", (unsigned char)*c);
    st_text_add(head, "0 ");
  }
  st_text_add(head, "%s    </FieldData>\n", vtu->label_count ? "</Array>\n" : "");
}

static StStatus build(Writer *writer, const StVtu *vtu) {
  size_t cell_count =
      (size_t)vtu->tet_count + (size_t)vtu->triangle_count + (size_t)vtu->vertex_count;
  st_text_add(writer->head,
              "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
              "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
              "  <UnstructuredGrid>\n");
  add_field_data(writer->head, vtu);
  st_text_add(writer->head, "    <Piece NumberOfPoints=\"%d\" NumberOfCells=\"%zu\">\n",
              vtu->point_count, cell_count);
  ST_TRY(add_user_arrays(writer, "PointData", vtu->point_array, vtu->point_array_count,
                         (size_t)vtu->point_count));
  ST_TRY(add_user_arrays(writer, "CellData", vtu->cell_array, vtu->cell_array_count, cell_count));
  ST_TRY(add_points(writer, vtu));
  ST_TRY(add_cells(writer, vtu, cell_count));
  st_text_add(writer->head, "    </Piece>\n  </UnstructuredGrid>\n"
                            "  <AppendedData encoding=\"raw\">\n_");
  st_text_add_bytes(writer->head, writer->data.data, writer->data.length);
  st_text_add(writer->head, "\n  </AppendedData>\n</VTKFile>\n");
  return writer->head->failed ? st_fail_memory(writer->error) : ST_OK;
}

StStatus st_vtu_build(const StVtu *content, StText *text, StError *error) {
  ST_FREE Writer *writer = ST_NEW(Writer, 1);
  ST_TRY_MEMORY(writer, error);
  writer->head = text;
  writer->error = error;
  StStatus status = build(writer, content);
  st_text_free(&writer->data);
  return status;
}

StStatus st_vtu_write(const char *path, const StVtu *content, StError *error) {
  ST_FINALLY(st_text_free) StText text = {0};
  ST_TRY(st_vtu_build(content, &text, error));
  return st_file_write(path, text.data, text.length, error);
}
