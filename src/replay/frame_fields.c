// Frames by the reader of their format.
#include "replay/frame_fields.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "field/field.h"
#include "output/run_folder.h"
#include "output/series.h"

#include <string.h>

struct StFrameFields {
  char *path, *data;
  double time;
  StGridFile *file;
  const StGridPart *part;           // its only one
  const StDescription *description; // the recording's
  int array_count;
  StGridArray *array;         // [array_count] those of the file, then more that are computed
  const StFieldType **type;   // [array_count] what is computed; NULL: it is read
  const StGridArray **stored; // [array_count] of the file; NULL: it has no such one
};

void st_frame_fields_close(StFrameFields *fields) {
  if (!fields)
    return;
  st_grid_file_close(fields->file);
  free(fields->array);
  free(fields->type);
  free(fields->stored);
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

static const StGridArray *find_stored(const StFrameFields *fields, const char *name) {
  for (int i = 0; i < fields->part->array_count; i++)
    if (strcmp(fields->part->array[i].name, name) == 0)
      return &fields->part->array[i];
  return NULL;
}

// Whether the frame has what a field is computed from.
static bool can_compute(const StFrameFields *fields, const StFieldType *type) {
  if (!fields->description)
    return false;
  return !type->of_contact || find_stored(fields, "force_contact");
}

static void list_field(StFrameFields *fields, const StGridArray *stored, const StFieldType *type) {
  fields->stored[fields->array_count] = stored;
  fields->type[fields->array_count] = type;
  fields->array[fields->array_count++] = type ? (StGridArray){.name = (char *)type->name,
                                                              .of_cells = type->of_cells,
                                                              .components = type->components}
                                              : *stored;
}

static StStatus list_fields(StFrameFields *fields, StError *error) {
  int most = fields->part->array_count + ST_FIELD_TYPES;
  fields->array = ST_NEW(StGridArray, most);
  fields->type = ST_NEW(const StFieldType *, most);
  fields->stored = ST_NEW(const StGridArray *, most);
  ST_TRY_MEMORY(fields->array && fields->type && fields->stored, error);
  for (int i = 0; i < fields->part->array_count; i++) {
    const StGridArray *stored = &fields->part->array[i];
    const StFieldType *type = st_field_find(stored->name);
    list_field(fields, stored, type && can_compute(fields, type) ? type : NULL);
  }
  for (int i = 0; i < ST_FIELD_TYPES; i++)
    if (!find_stored(fields, st_field_types[i].name) && can_compute(fields, &st_field_types[i]))
      list_field(fields, NULL, &st_field_types[i]);
  return ST_OK;
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
  ST_TRY(list_fields(fields, error));
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
  return fields->array_count;
}

const StGridArray *st_frame_fields_at(const StFrameFields *fields, int index) {
  return &fields->array[index];
}

char *const *st_frame_fields_labels(const StFrameFields *fields) {
  return fields->file->label;
}

const StGridArray *st_frame_fields_find(const StFrameFields *fields, const char *name) {
  for (int i = 0; i < fields->array_count; i++)
    if (strcmp(fields->array[i].name, name) == 0)
      return &fields->array[i];
  return NULL;
}

StStatus st_frame_fields_need(const StFrameFields *fields, const char *name,
                              const StGridArray **field, StError *error) {
  const StFieldType *type = st_field_find(name);
  if ((*field = st_frame_fields_find(fields, name)))
    return ST_OK;
  if (type && type->of_contact)
    return st_fail(
        error, ST_BAD_INPUT,
        "the frames have no field '%s', because they have no contact forces: nothing can "
        "touch, or \"output\" has \"forces\": false",
        name);
  ST_FINALLY(st_text_free) StText known = {0};
  for (int i = 0; i < fields->array_count; i++)
    st_text_add(&known, "%s%s", i ? ", " : "", fields->array[i].name);
  st_fail(error, ST_BAD_INPUT, "the frames have no field '%s'; they have %s", name,
          known.failed || !known.data ? "none" : known.data);
  return ST_BAD_INPUT;
}

const char *st_frame_fields_unit(const StFrameFields *fields, const StGridArray *field) {
  static const char *const unit[][2] = {{"velocity", "m/s"},
                                        {"contact_normal_force", "N"},
                                        {"contact_gap", "m"},
                                        {"slip_speed", "m/s"},
                                        {"held_displacement", "m"}};
  const StFieldType *type = fields->type[field - fields->array];
  if (type)
    return type->unit;
  for (int i = 0; i < ST_LENGTH(unit); i++)
    if (strcmp(field->name, unit[i][0]) == 0)
      return unit[i][1];
  return strncmp(field->name, "force_", 6) == 0 ? "N" : "";
}

static bool has_second_order(const StDescription *description) {
  for (int b = 0; description && b < description->body_count; b++)
    if (description->body[b].mesh->second_order)
      return true;
  return false;
}

static StStatus read_stored(const StFrameFields *fields, const StGridArray *stored, double **value,
                            StError *error) {
  return fields->file->format->numbers(fields->file, 0, stored, false, (void **)value, error);
}

// NULL if the frame has no such field of this shape.
static StStatus read_if_stored(const StFrameFields *fields, const StGridArray *like, double **value,
                               StError *error) {
  const StGridArray *stored = find_stored(fields, like->name);
  bool fits = stored && stored->components == like->components &&
              stored->of_cells == like->of_cells && !stored->integer;
  return fits ? read_stored(fields, stored, value, error) : ST_OK;
}

static StStatus compute(const StFrameFields *fields, const StFieldType *type, double **value,
                        StError *error) {
  ST_FREE double *position = NULL;
  ST_FREE double *contact = NULL;
  ST_FREE double *friction = NULL;
  ST_FREE double *stress = NULL;
  ST_TRY(st_frame_fields_position(fields, &position, error));
  if (type->of_contact) {
    const StGridArray normal = {.name = "force_contact", .components = 3};
    const StGridArray tangential = {.name = "force_friction", .components = 3};
    ST_TRY(read_if_stored(fields, &normal, &contact, error));
    ST_TRY(read_if_stored(fields, &tangential, &friction, error));
  }
  if (type->of_stress) {
    const StGridArray of_tets = {.name = "stress", .of_cells = true, .components = 6};
    ST_TRY(read_if_stored(fields, &of_tets, &stress, error));
  }
  StFieldState state = {fields->description, position, contact, friction, stress};
  return st_field_compute(type, &state, value, error);
}

StStatus st_frame_fields_read_elements(const StFrameFields *fields, const StGridArray *field,
                                       double **value, StError *error) {
  const StFieldType *type = fields->type[field - fields->array];
  return type ? compute(fields, type, value, error)
              : read_stored(fields, fields->stored[field - fields->array], value, error);
}

StStatus st_frame_fields_read(const StFrameFields *fields, const StGridArray *field, double **value,
                              StError *error) {
  double *made = NULL;
  ST_TRY(st_frame_fields_read_elements(fields, field, &made, error));
  StStatus status =
      field->of_cells && has_second_order(fields->description)
          ? st_field_give_to_parts(fields->description, field->components, &made, error)
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
