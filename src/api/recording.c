// Recordings of the public interface: those of replay/recording.h.
#include "stiction/recording.h"

#include "api/handles.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "output/run_folder.h"
#include "replay/frame_fields.h"

#include <string.h>

_Static_assert((int)STICTION_RUN_FINISHED == ST_RECORDING_FINISHED &&
                   (int)STICTION_RUN_FAILED == ST_RECORDING_FAILED &&
                   (int)STICTION_RUN_INTERRUPTED == ST_RECORDING_INTERRUPTED &&
                   (int)STICTION_RUN_UNDER_WAY == ST_RECORDING_RUNNING,
               "public and internal states are the same numbers");

struct StictionRecording {
  StReleased released;
  StRecording inside;
  StJsonDocument *summary; // NULL: a run that has just begun has none
  StRecording with_scene;  // the same with its scene; empty before a field is asked for
  char *field_name;        // of the last field that was asked for …
  double *field_value;     // … and its values
};

static void destroy(StReleased *released) {
  StictionRecording *recording = (StictionRecording *)released; // its first member
  st_recording_close(&recording->inside);
  st_recording_close(&recording->with_scene);
  free(recording->field_name);
  free(recording->field_value);
  st_json_destroy(recording->summary);
  free(recording);
}

static StStatus read_summary(StictionRecording *recording, const char *folder, StError *error) {
  ST_FREE char *path = st_run_folder_file(folder, "summary.json");
  ST_TRY_MEMORY(path, error);
  if (path && st_file_exists(path))
    ST_TRY(st_json_read_own(path, &recording->summary, error));
  return ST_OK;
}

static StStatus open_recording(const char *folder, StictionRecording **recording, StError *error) {
  StictionRecording *made = ST_NEW(StictionRecording, 1);
  ST_TRY_MEMORY(made, error);
  made->released.destroy = destroy;
  StStatus status = st_recording_load(folder, NULL, &made->inside, error);
  if (status == ST_OK)
    status = read_summary(made, folder, error);
  if (status != ST_OK) {
    destroy(&made->released);
    return status;
  }
  st_recording_leave_scene(&made->inside); // only fields need it, and most callers ask for none
  *recording = made;
  return ST_OK;
}

StictionStatus stiction_recording_open(Stiction *session, const char *folder,
                                       StictionRecording **recording) {
  ST_NEED(recording);
  *recording = NULL;
  ST_NEED(session);
  ST_NEED(folder);
  ST_ENTER(session, ST_NOTHING);
  return st_call_leave(open_recording(folder, recording, st_call_error()));
}

void stiction_recording_free(StictionRecording *recording) {
  if (recording)
    st_call_release(&recording->released);
}

StictionRunState stiction_recording_state(const StictionRecording *recording) {
  return recording ? (StictionRunState)recording->inside.state : STICTION_RUN_UNDER_WAY;
}

const char *stiction_recording_reason(const StictionRecording *recording) {
  return recording && recording->inside.reason ? recording->inside.reason : "";
}

double stiction_recording_number(const StictionRecording *recording, const char *key) {
  if (!recording || !recording->summary || !key)
    return NAN;
  return st_json_get_number(st_json_root(recording->summary), key);
}

long stiction_recording_row_count(const StictionRecording *recording) {
  return recording ? recording->inside.rows : 0;
}

int stiction_recording_column_count(const StictionRecording *recording) {
  return recording ? recording->inside.column_count : 0;
}

static bool has_column(const StictionRecording *recording, int index) {
  return recording && index >= 0 && index < recording->inside.column_count;
}

const char *stiction_recording_column_name(const StictionRecording *recording, int index) {
  return has_column(recording, index) ? recording->inside.name[index] : NULL;
}

const char *stiction_recording_column_unit(const StictionRecording *recording, int index) {
  return has_column(recording, index) ? recording->inside.unit[index] : "";
}

const double *stiction_recording_column(const StictionRecording *recording, const char *name) {
  return recording && name ? st_recording_column(&recording->inside, name) : NULL;
}

int stiction_recording_frame_count(const StictionRecording *recording) {
  return recording ? recording->inside.frame_count : 0;
}

double stiction_recording_frame_time(const StictionRecording *recording, int frame) {
  bool there = recording && frame >= 0 && frame < recording->inside.frame_count;
  return there ? recording->inside.frame_time[frame] : NAN;
}

int stiction_recording_vertex_count(const StictionRecording *recording) {
  return recording ? (int)recording->inside.point_count : 0;
}

static StStatus check_frame(const StictionRecording *recording, int frame, StError *error) {
  if (frame >= 0 && frame < recording->inside.frame_count)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT, "%s has frames 0 to %d, not %d", recording->inside.folder,
                 recording->inside.frame_count - 1, frame);
}

static StStatus read_frame(const StictionRecording *recording, int frame, double *position,
                           StError *error) {
  ST_TRY(check_frame(recording, frame, error));
  ST_FREE double *read = NULL;
  ST_TRY(st_recording_frame(&recording->inside, frame, &read, error));
  memcpy(position, read, 3 * recording->inside.point_count * sizeof *position);
  return ST_OK;
}

StictionStatus stiction_recording_frame(Stiction *session, const StictionRecording *recording,
                                        int frame, double *position) {
  ST_NEED(session);
  ST_NEED(recording);
  ST_NEED(position);
  ST_ENTER(session, ST_SHARED(recording));
  return st_call_leave(read_frame(recording, frame, position, st_call_error()));
}

static StStatus take_field(StictionRecording *recording, const StFrameFields *fields,
                           const char *name, StictionField *field, StError *error) {
  const StGridArray *array;
  double *value = NULL;
  ST_TRY(st_frame_fields_need(fields, name, &array, error));
  char *copy = st_copy_string(name);
  ST_TRY_MEMORY(copy, error);
  free(recording->field_name);
  recording->field_name = copy;
  ST_TRY(st_frame_fields_read(fields, array, &value, error));
  free(recording->field_value);
  recording->field_value = value;
  const StFieldType *type = st_field_find(name);
  *field =
      (StictionField){.name = copy,
                      .unit = st_frame_fields_unit(fields, array),
                      .summary = type ? type->summary : "",
                      .of_cells = array->of_cells,
                      .components = array->components,
                      .count = st_field_count(recording->with_scene.description, array->of_cells),
                      .value = value};
  return ST_OK;
}

static StStatus read_field(StictionRecording *recording, int frame, const char *name,
                           StictionField *field, StError *error) {
  StRecording *with_scene = &recording->with_scene;
  StFrameFields *fields = NULL;
  ST_TRY(check_frame(recording, frame, error));
  if (!with_scene->description)
    ST_TRY(st_recording_load(recording->inside.folder, NULL, with_scene, error));
  ST_TRY(st_frame_fields_open(with_scene, frame, &fields, error));
  StStatus status = take_field(recording, fields, name, field, error);
  st_frame_fields_close(fields);
  return status;
}

StictionStatus stiction_recording_field(Stiction *session, StictionRecording *recording, int frame,
                                        const char *name, StictionField *field) {
  ST_NEED(field);
  *field = (StictionField){0};
  ST_NEED(session);
  ST_NEED(recording);
  ST_NEED(name);
  ST_ENTER(session, ST_ALONE(recording));
  return st_call_leave(read_field(recording, frame, name, field, st_call_error()));
}
