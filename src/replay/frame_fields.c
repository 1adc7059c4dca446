// Frames by the reader of their format.
#include "replay/frame_fields.h"

#include "base/file.h"
#include "base/memory.h"
#include "mesh/second_order.h"
#include "output/run_folder.h"
#include "output/series.h"

#include <string.h>

struct StFrameFields {
  char *path, *data;
  double time;
  StGridFile *file;
  const StGridPart *part;           // its only one
  const StDescription *description; // the recording's
};

void st_frame_fields_close(StFrameFields *fields) {
  if (!fields)
    return;
  st_grid_file_close(fields->file);
  free(fields->data);
  free(fields->path);
  free(fields);
}

static StStatus check_size(StFrameFields *fields, const StRecording *recording, StError *error) {
  if (fields->file->part_count != 1)
    return st_fail(error, ST_BAD_INPUT, "%s: has %zu pieces where a frame has one", fields->path,
                   fields->file->part_count);
  const StGridPart *part = fields->part = fields->file->part;
  if (part->point_count == recording->point_count && part->cell_count == recording->cell_count)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "%s: has %zu points and %zu cells where the scene of the run has %zu and %zu: its "
                 "meshes were changed since; run the scene again",
                 fields->path, part->point_count, part->cell_count, recording->point_count,
                 recording->cell_count);
}

static StStatus load(StFrameFields *fields, const StRecording *recording, int frame,
                     StError *error) {
  char name[ST_FRAME_NAME_SIZE];
  size_t size = 0;
  const StGridFormat *format =
      recording->format == ST_FRAMES_VTKHDF ? &st_grid_format_vtkhdf : &st_grid_format_vtu;
  fields->description = recording->description;
  st_frame_name(recording->format, frame, name);
  ST_TRY_MEMORY(fields->path = st_run_folder_file(recording->folder, name), error);
  ST_TRY(st_file_read(fields->path, &fields->data, &size, error));
  ST_TRY(format->open(fields->path, fields->data, size, &fields->file, error));
  ST_TRY(check_size(fields, recording, error));
  fields->time =
      fields->file->has_time ? fields->file->time : st_recording_frame_time(recording, frame);
  return ST_OK;
}

StStatus st_frame_fields_open(const StRecording *recording, int frame, StFrameFields **fields,
                              StError *error) {
  ST_TRY_MEMORY(*fields = ST_NEW(StFrameFields, 1), error);
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

int st_frame_fields_count(const StFrameFields *fields) {
  return fields->part->array_count;
}

const StGridArray *st_frame_fields_at(const StFrameFields *fields, int index) {
  return &fields->part->array[index];
}

char *const *st_frame_fields_labels(const StFrameFields *fields) {
  return fields->file->label;
}

const StGridArray *st_frame_fields_find(const StFrameFields *fields, const char *name) {
  for (int i = 0; i < fields->part->array_count; i++)
    if (strcmp(fields->part->array[i].name, name) == 0)
      return &fields->part->array[i];
  return NULL;
}

static bool has_second_order(const StDescription *description) {
  for (int b = 0; description && b < description->body_count; b++)
    if (description->body[b].mesh->second_order)
      return true;
  return false;
}

static double *repeat(const double *value, size_t width, int times, double *to) {
  for (int i = 0; i < times; i++, to += width)
    memcpy(to, value, width * sizeof(double));
  return to;
}

// Values of elements to those of their parts.
static StStatus give_to_parts(const StDescription *description, size_t width, double **value,
                              StError *error) {
  size_t parts = 0;
  for (int b = 0; b < description->body_count; b++)
    parts += (size_t)description->body[b].mesh->tet_count +
             (size_t)description->body[b].mesh->triangle_count;
  double *all = ST_NEW(double, parts *width), *from = *value, *to = all;
  ST_TRY_MEMORY(all, error);
  for (int b = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    for (int e = 0; e < st_mesh_element_count(mesh); e++, from += width)
      to = repeat(from, width, st_mesh_part_count(mesh), to);
  }
  memcpy(to, from, (size_t)(all + parts * width - to) * sizeof(double));
  free(*value);
  *value = all;
  return ST_OK;
}

StStatus st_frame_fields_read_elements(const StFrameFields *fields, const StGridArray *field,
                                       double **value, StError *error) {
  return fields->file->format->numbers(fields->file, 0, field, false, (void **)value, error);
}

StStatus st_frame_fields_read(const StFrameFields *fields, const StGridArray *field, double **value,
                              StError *error) {
  double *made = NULL;
  ST_TRY(st_frame_fields_read_elements(fields, field, &made, error));
  StStatus status =
      field->of_cells && has_second_order(fields->description)
          ? give_to_parts(fields->description, (size_t)field->components, &made, error)
          : ST_OK;
  if (status == ST_OK)
    *value = made;
  else
    free(made);
  return status;
}

StStatus st_frame_fields_position(const StFrameFields *fields, double **position, StError *error) {
  return fields->file->format->points(fields->file, 0, position, error);
}
