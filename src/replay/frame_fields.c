// Frames by the reader of their format.
#include "base/memory.h"
#include "output/run_folder.h"
#include "output/series.h"
#include "replay/frame_reader.h"

#include <string.h>

struct StFrameFields {
  char *path;
  const StFrameReader *reader;
  void *file;
  StFrameContent content;
};

void st_frame_fields_close(StFrameFields *fields) {
  if (!fields)
    return;
  if (fields->file)
    fields->reader->close(fields->file);
  free(fields->path);
  free(fields);
}

static StStatus check_size(const StFrameFields *fields, const StRecording *recording,
                           StError *error) {
  const StFrameContent *content = &fields->content;
  if (content->vertex_count == recording->point_count &&
      content->cell_count == recording->cell_count)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "%s: has %zu points and %zu cells where the scene of the run has %zu and %zu: its "
                 "meshes were changed since; run the scene again",
                 fields->path, content->vertex_count, content->cell_count, recording->point_count,
                 recording->cell_count);
}

static StStatus load(StFrameFields *fields, const StRecording *recording, int frame,
                     StError *error) {
  char name[ST_FRAME_NAME_SIZE];
  st_frame_name(recording->format, frame, name);
  fields->reader =
      recording->format == ST_FRAMES_VTKHDF ? &st_frame_reader_vtkhdf : &st_frame_reader_vtu;
  ST_TRY_MEMORY(fields->path = st_run_folder_file(recording->folder, name), error);
  ST_TRY(fields->reader->open(fields->path, &fields->file, &fields->content, error));
  return check_size(fields, recording, error);
}

StStatus st_frame_fields_open(const StRecording *recording, int frame, StFrameFields **fields,
                              StError *error) {
  ST_TRY_MEMORY(*fields = ST_NEW(StFrameFields, 1), error);
  StStatus status = load(*fields, recording, frame, error);
  if (status != ST_OK) {
    st_frame_fields_close(*fields);
    *fields = NULL;
    return status;
  }
  if (!(*fields)->content.has_time)
    (*fields)->content.time = st_recording_frame_time(recording, frame);
  return ST_OK;
}

double st_frame_fields_time(const StFrameFields *fields) {
  return fields->content.time;
}

int st_frame_fields_vertex_count(const StFrameFields *fields) {
  return (int)fields->content.vertex_count;
}

int st_frame_fields_cell_count(const StFrameFields *fields) {
  return (int)fields->content.cell_count;
}

int st_frame_fields_count(const StFrameFields *fields) {
  return fields->content.field_count;
}

const StFrameField *st_frame_fields_at(const StFrameFields *fields, int index) {
  return &fields->content.field[index];
}

char *const *st_frame_fields_labels(const StFrameFields *fields) {
  return fields->content.label;
}

const StFrameField *st_frame_fields_find(const StFrameFields *fields, const char *name) {
  for (int i = 0; i < fields->content.field_count; i++)
    if (strcmp(fields->content.field[i].name, name) == 0)
      return &fields->content.field[i];
  return NULL;
}

StStatus st_frame_fields_read(const StFrameFields *fields, const StFrameField *field,
                              double **value, StError *error) {
  return fields->reader->read(fields->file, (int)(field - fields->content.field), value, error);
}

StStatus st_frame_fields_position(const StFrameFields *fields, double **position, StError *error) {
  return fields->reader->positions(fields->file, position, error);
}
