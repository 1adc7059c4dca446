// Frames as VTU files of one piece.
#include "base/file.h"
#include "base/memory.h"
#include "mesh/vtu_file.h"
#include "replay/frame_reader.h"

#include <string.h>

enum { LABELS_MOST = 1 << 20 }; // bytes of all names

typedef struct Vtu {
  const char *path; // the caller's
  char *data;
  StScan *scan;
  StVtuFile file;
  const StVtuPiece *piece;
  const StVtuEntry **entry; // [field_count] where each is
  StFrameContent *content;
  char *label_text; // what the labels point into
} Vtu;

static void close_vtu(void *file) {
  Vtu *vtu = file;
  if (!vtu)
    return;
  for (int i = 0; i < vtu->content->field_count; i++)
    free(vtu->content->field[i].name);
  free(vtu->content->field);
  free(vtu->content->label);
  free(vtu->entry);
  free(vtu->label_text);
  st_vtu_file_free(&vtu->file);
  free(vtu->scan);
  free(vtu->data);
  free(vtu);
}

static bool is_field(const StVtuEntry *entry) {
  return (entry->section == ST_VTU_POINT_DATA || entry->section == ST_VTU_CELL_DATA) &&
         entry->type != ST_NUMBER_NONE && entry->components > 0 && entry->components <= 9;
}

static StStatus list_fields(Vtu *vtu, StError *error) {
  size_t most = vtu->piece->entry_count;
  vtu->content->field = ST_NEW(StFrameField, most);
  vtu->entry = ST_NEW(const StVtuEntry *, most);
  ST_TRY_MEMORY(vtu->content->field && vtu->entry, error);
  for (size_t i = 0; i < most; i++) {
    const StVtuEntry *entry = &vtu->file.entry[vtu->piece->first_entry + i];
    if (!is_field(entry))
      continue;
    StFrameField *field = &vtu->content->field[vtu->content->field_count];
    *field = (StFrameField){.name = strndup(entry->name.at, entry->name.length),
                            .of_cells = entry->section == ST_VTU_CELL_DATA,
                            .integer = st_number_is_integer(entry->type),
                            .components = (int)entry->components};
    vtu->entry[vtu->content->field_count++] = entry;
    ST_TRY_MEMORY(field->name, error);
  }
  return ST_OK;
}

static const StVtuEntry *find_global(const Vtu *vtu, const char *name) {
  for (size_t i = 0; i < vtu->file.entry_count; i++)
    if (vtu->file.entry[i].section == ST_VTU_FIELD_DATA &&
        st_span_is(vtu->file.entry[i].name, name))
      return &vtu->file.entry[i];
  return NULL;
}

static StStatus read_time(Vtu *vtu) {
  const StVtuEntry *entry = find_global(vtu, "TimeValue");
  double *value = NULL;
  if (!entry)
    return ST_OK;
  StStatus status = st_vtu_file_reals(&vtu->file, entry, 1, &value);
  if (status == ST_OK)
    vtu->content->time = value[0], vtu->content->has_time = true;
  free(value);
  return status;
}

static StStatus read_labels(Vtu *vtu, StError *error) {
  const StVtuEntry *entry = find_global(vtu, "LabelNames");
  size_t size = 0, count = 0;
  if (entry)
    ST_TRY(st_vtu_file_strings(&vtu->file, entry, LABELS_MOST, &vtu->label_text, &size));
  for (size_t i = 0; i < size; i++)
    count += vtu->label_text[i] == 0;
  ST_TRY_MEMORY(vtu->content->label = ST_NEW(char *, count + 1), error);
  char *at = vtu->label_text;
  for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
    vtu->content->label[i] = at;
  return ST_OK;
}

static StStatus parse(Vtu *vtu, StError *error) {
  ST_TRY(st_vtu_file_walk(vtu->scan, &vtu->file));
  if (vtu->file.piece_count != 1)
    return st_fail(error, ST_BAD_INPUT, "%s: has %zu pieces where a frame has one", vtu->path,
                   vtu->file.piece_count);
  vtu->piece = vtu->file.piece;
  vtu->content->vertex_count = vtu->piece->point_count;
  vtu->content->cell_count = vtu->piece->cell_count;
  ST_TRY(read_time(vtu));
  ST_TRY(read_labels(vtu, error));
  return list_fields(vtu, error);
}

static StStatus open_vtu(const char *path, void **file, StFrameContent *content, StError *error) {
  size_t size = 0;
  Vtu *vtu = *file = ST_NEW(Vtu, 1);
  ST_TRY_MEMORY(vtu, error);
  vtu->path = path;
  vtu->content = content;
  ST_TRY_MEMORY(vtu->scan = ST_NEW(StScan, 1), error);
  ST_TRY(st_file_read(path, &vtu->data, &size, error));
  *vtu->scan = st_scan_begin(path, vtu->data, size, NULL, error);
  return parse(vtu, error);
}

static StStatus read_entry(const Vtu *vtu, const StVtuEntry *entry, size_t count, double **value,
                           StError *error) {
  double *read = NULL;
  vtu->scan->error = error;
  StStatus status = st_vtu_file_reals(&vtu->file, entry, count, &read);
  if (status == ST_OK)
    *value = read;
  else
    free(read);
  return status;
}

static StStatus read_vtu(const void *file, int index, double **value, StError *error) {
  const Vtu *vtu = file;
  const StFrameField *field = &vtu->content->field[index];
  size_t items = field->of_cells ? vtu->piece->cell_count : vtu->piece->point_count;
  return read_entry(vtu, vtu->entry[index], items * (size_t)field->components, value, error);
}

static StStatus read_positions(const void *file, double **value, StError *error) {
  const Vtu *vtu = file;
  const StVtuEntry *entry = st_vtu_file_find(&vtu->file, vtu->piece, ST_VTU_POINTS, NULL);
  if (!entry || entry->components != 3)
    return st_fail(error, ST_BAD_INPUT, "%s: has no points", vtu->path);
  return read_entry(vtu, entry, 3 * vtu->piece->point_count, value, error);
}

const StFrameReader st_frame_reader_vtu = {open_vtu, close_vtu, read_vtu, read_positions};
