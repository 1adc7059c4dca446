// Frames are VTU files of one piece.
#include "replay/frame_fields.h"

#include "base/file.h"
#include "base/memory.h"
#include "mesh/vtu_file.h"
#include "output/run_folder.h"
#include "output/series.h"

#include <string.h>

enum { LABELS_MOST = 1 << 20 }; // bytes of all names

struct StFrameFields {
  char *path;
  char *data;
  StScan *scan;
  StVtuFile file;
  const StVtuPiece *piece;
  double time;
  int field_count;
  StFrameField *field;
  const StVtuEntry **entry; // [field_count] where each is
  char *label_text;
  char **label; // into the text
};

void st_frame_fields_close(StFrameFields *fields) {
  if (!fields)
    return;
  for (int i = 0; i < fields->field_count; i++)
    free(fields->field[i].name);
  free(fields->field);
  free(fields->entry);
  free(fields->label);
  free(fields->label_text);
  st_vtu_file_free(&fields->file);
  free(fields->scan);
  free(fields->data);
  free(fields->path);
  free(fields);
}

static bool is_field(const StVtuEntry *entry) {
  return (entry->section == ST_VTU_POINT_DATA || entry->section == ST_VTU_CELL_DATA) &&
         entry->type != ST_NUMBER_NONE && entry->components > 0 && entry->components <= 9;
}

static StStatus list_fields(StFrameFields *fields, StError *error) {
  size_t most = fields->piece->entry_count;
  fields->field = ST_NEW(StFrameField, most);
  fields->entry = ST_NEW(const StVtuEntry *, most);
  if (!fields->field || !fields->entry)
    return st_fail_memory(error);
  for (size_t i = 0; i < most; i++) {
    const StVtuEntry *entry = &fields->file.entry[fields->piece->first_entry + i];
    if (!is_field(entry))
      continue;
    StFrameField *field = &fields->field[fields->field_count];
    *field = (StFrameField){.name = strndup(entry->name.at, entry->name.length),
                            .of_cells = entry->section == ST_VTU_CELL_DATA,
                            .integer = st_number_is_integer(entry->type),
                            .components = (int)entry->components};
    fields->entry[fields->field_count++] = entry;
    if (!field->name)
      return st_fail_memory(error);
  }
  return ST_OK;
}

static StStatus check_size(const StFrameFields *fields, const StDescription *description,
                           StError *error) {
  size_t cells = 0;
  for (int b = 0; b < description->body_count; b++)
    cells += (size_t)description->body[b].mesh->tet_count +
             (size_t)description->body[b].mesh->triangle_count;
  if (fields->piece->point_count == (size_t)st_description_vertex_count(description) &&
      fields->piece->cell_count == cells)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "%s: has %zu points and %zu cells where the scene of the run has %d and %zu: its "
                 "meshes were changed since; run the scene again",
                 fields->path, fields->piece->point_count, fields->piece->cell_count,
                 st_description_vertex_count(description), cells);
}

static const StVtuEntry *find_global(const StFrameFields *fields, const char *name) {
  for (size_t i = 0; i < fields->file.entry_count; i++)
    if (fields->file.entry[i].section == ST_VTU_FIELD_DATA &&
        st_span_is(fields->file.entry[i].name, name))
      return &fields->file.entry[i];
  return NULL;
}

static StStatus read_time(StFrameFields *fields) {
  const StVtuEntry *entry = find_global(fields, "TimeValue");
  double *value = NULL;
  if (!entry)
    return ST_OK;
  StStatus status = st_vtu_file_reals(&fields->file, entry, 1, &value);
  if (status == ST_OK)
    fields->time = value[0];
  free(value);
  return status;
}

static StStatus read_labels(StFrameFields *fields, StError *error) {
  const StVtuEntry *entry = find_global(fields, "LabelNames");
  size_t size = 0, count = 0;
  if (entry)
    ST_TRY(st_vtu_file_strings(&fields->file, entry, LABELS_MOST, &fields->label_text, &size));
  for (size_t i = 0; i < size; i++)
    count += fields->label_text[i] == 0;
  fields->label = ST_NEW(char *, count + 1);
  if (!fields->label)
    return st_fail_memory(error);
  char *at = fields->label_text;
  for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
    fields->label[i] = at;
  return ST_OK;
}

static StStatus parse(StFrameFields *fields, const StDescription *description, StError *error) {
  ST_TRY(st_vtu_file_walk(fields->scan, &fields->file));
  if (fields->file.piece_count != 1)
    return st_fail(error, ST_BAD_INPUT, "%s: has %zu pieces where a frame has one", fields->path,
                   fields->file.piece_count);
  fields->piece = fields->file.piece;
  ST_TRY(check_size(fields, description, error));
  ST_TRY(read_time(fields));
  ST_TRY(read_labels(fields, error));
  return list_fields(fields, error);
}

static StStatus load(StFrameFields *fields, const StRecording *recording, int frame,
                     StError *error) {
  char name[ST_FRAME_NAME_SIZE];
  size_t size = 0;
  st_frame_name(frame, name);
  fields->path = st_run_folder_file(recording->folder, name);
  fields->scan = ST_NEW(StScan, 1);
  if (!fields->path || !fields->scan)
    return st_fail_memory(error);
  ST_TRY(st_file_read(fields->path, &fields->data, &size, error));
  *fields->scan = st_scan_begin(fields->path, fields->data, size, NULL, error);
  return parse(fields, recording->description, error);
}

StStatus st_frame_fields_open(const StRecording *recording, int frame, StFrameFields **fields,
                              StError *error) {
  *fields = ST_NEW(StFrameFields, 1);
  if (!*fields)
    return st_fail_memory(error);
  (*fields)->time = st_recording_frame_time(recording, frame);
  StStatus status = load(*fields, recording, frame, error);
  if (status != ST_OK) {
    st_frame_fields_close(*fields);
    *fields = NULL;
  }
  return status;
}

double st_frame_fields_time(const StFrameFields *fields) {
  return fields->time;
}

int st_frame_fields_vertex_count(const StFrameFields *fields) {
  return (int)fields->piece->point_count;
}

int st_frame_fields_cell_count(const StFrameFields *fields) {
  return (int)fields->piece->cell_count;
}

int st_frame_fields_count(const StFrameFields *fields) {
  return fields->field_count;
}

const StFrameField *st_frame_fields_at(const StFrameFields *fields, int index) {
  return &fields->field[index];
}

char *const *st_frame_fields_labels(const StFrameFields *fields) {
  return fields->label;
}

const StFrameField *st_frame_fields_find(const StFrameFields *fields, const char *name) {
  for (int i = 0; i < fields->field_count; i++)
    if (strcmp(fields->field[i].name, name) == 0)
      return &fields->field[i];
  return NULL;
}

static StStatus read_entry(const StFrameFields *fields, const StVtuEntry *entry, size_t count,
                           double **value, StError *error) {
  double *read = NULL;
  fields->scan->error = error;
  StStatus status = st_vtu_file_reals(&fields->file, entry, count, &read);
  if (status == ST_OK)
    *value = read;
  else
    free(read);
  return status;
}

StStatus st_frame_fields_read(const StFrameFields *fields, const StFrameField *field,
                              double **value, StError *error) {
  const StVtuEntry *entry = fields->entry[field - fields->field];
  size_t items = field->of_cells ? fields->piece->cell_count : fields->piece->point_count;
  return read_entry(fields, entry, items * (size_t)field->components, value, error);
}

StStatus st_frame_fields_position(const StFrameFields *fields, double **position, StError *error) {
  const StVtuEntry *entry = st_vtu_file_find(&fields->file, fields->piece, ST_VTU_POINTS, NULL);
  if (!entry || entry->components != 3)
    return st_fail(error, ST_BAD_INPUT, "%s: has no points", fields->path);
  return read_entry(fields, entry, 3 * fields->piece->point_count, position, error);
}
