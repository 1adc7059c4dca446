// Reads a run's folder.
#include "replay/recording.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "math/vec3.h"
#include "mesh/second_order.h"
#include "replay/obstacle_poses.h"
#include "output/facts.h"
#include "output/run_folder.h"
#include "output/series.h"
#include "replay/contact_columns.h"
#include "replay/folder.h"
#include "replay/frame_fields.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

static void free_course(StRecording *recording) {
  for (int i = 0; i < recording->column_count; i++) {
    free(recording->name[i]);
    free(recording->unit[i]);
  }
  free(recording->name);
  free(recording->unit);
  free(recording->value);
  free(recording->reason);
  free(recording->name_of_run);
  free(recording->frame_time);
  st_obstacle_poses_destroy(recording->poses);
}

void st_recording_close(StRecording *recording) {
  free_course(recording);
  free(recording->folder);
  st_description_destroy(recording->description);
  *recording = (StRecording){0};
}

static StStatus read_named(const char *folder, const char *name, char **text, StError *error) {
  size_t size = 0;
  ST_FREE char *path = st_run_folder_file(folder, name);
  ST_TRY_MEMORY(path, error);
  return st_file_read(path, text, &size, error);
}

// 0 if it is not a valid count; a file may contain any number.
static long count_of(const StJson *summary, const char *key) {
  double value = st_json_get_number(summary, key);
  return value >= 0 && value < 1e15 ? (long)value : 0;
}

static StCost cost_of(const StJson *summary) {
  StCost cost = {.tets = count_of(summary, "tets"),
                 .steps = count_of(summary, "steps"),
                 .wall = st_json_get_number(summary, "wall_s"),
                 .newton_per_step = NAN};
  if (cost.steps > 0)
    cost.newton_per_step = st_json_get_number(summary, "newton_iterations") / (double)cost.steps;
  return cost;
}

static const char *const STATES[] = {
    [ST_RECORDING_MISSING] = "missing", [ST_RECORDING_FINISHED] = "finished",
    [ST_RECORDING_FAILED] = "failed",   [ST_RECORDING_INTERRUPTED] = "interrupted",
    [ST_RECORDING_RUNNING] = "running",
};

const char *st_recording_state_name(StRecordingState state) {
  return STATES[state];
}

StRecordingState st_recording_state_of(const char *word) {
  for (int i = 0; i < ST_LENGTH(STATES); i++)
    if (word && strcmp(word, STATES[i]) == 0)
      return (StRecordingState)i;
  return ST_RECORDING_MISSING;
}

static StStatus take_summary(StRecording *recording, const StJson *summary, StError *error) {
  const char *reason = st_json_get_text(summary, "reason");
  recording->state = st_recording_state_of(st_json_get_text(summary, "status"));
  recording->cost = cost_of(summary);
  if (reason)
    recording->reason = st_copy_string(reason);
  return reason && !recording->reason ? st_fail_memory(error) : ST_OK;
}

// A run that has just started has no summary yet.
static StStatus load_summary(StRecording *recording, StError *error) {
  ST_FREE char *path = st_run_folder_file(recording->folder, "summary.json");
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  StStatus status = path ? ST_OK : st_fail_memory(error);
  recording->state = ST_RECORDING_RUNNING;
  if (path && st_file_exists(path))
    status = st_json_read_own(path, &document, error);
  if (status == ST_OK && document)
    status = take_summary(recording, st_json_root(document), error);
  return status;
}

static StStatus load_frames(StRecording *recording, StError *error) {
  ST_FREE char *run = st_run_folder_file(recording->folder, "run.json");
  ST_FINALLY(st_facts_free) StFacts facts = {0};
  StStatus status = run ? st_facts_read(run, &facts, error) : st_fail_memory(error);
  ST_FREE char *series =
      status == ST_OK ? st_run_folder_file(recording->folder, facts.series) : NULL;
  if (status == ST_OK) {
    recording->format = st_series_format(facts.series);
    const char *ending = st_series_ending(recording->format);
    size_t length = strlen(facts.series);
    length -= st_text_ends_in(facts.series, ending) ? strlen(ending) : 0;
    recording->name_of_run = strndup(facts.series, length);
  }
  if (status == ST_OK && (!series || !recording->name_of_run))
    status = st_fail_memory(error);
  if (status == ST_OK && st_file_exists(series))
    status = st_series_read(series, &recording->frame_time, &recording->frame_count, error);
  return status;
}

static long count_char(const char *text, char c) {
  long count = 0;
  for (; *text; text++)
    count += *text == c;
  return count;
}

static int field_count(const char *line) {
  int count = 1;
  for (; *line && *line != '\n'; line++)
    count += *line == ',';
  return count;
}

// "time [s]" becomes the name "time" and the unit "s".
static bool take_heading(const char *heading, size_t length, char **name, char **unit) {
  size_t end = length;
  for (size_t k = 0; k + 1 < length; k++)
    if (heading[k] == ' ' && heading[k + 1] == '[')
      end = k;
  *name = strndup(heading, end);
  *unit = end + 3 < length ? strndup(heading + end + 2, length - end - 3) : st_copy_string("");
  return *name && *unit;
}

static StStatus load_names(StRecording *recording, const char *line, StError *error) {
  int count = field_count(line);
  recording->name = ST_NEW(char *, count);
  recording->unit = ST_NEW(char *, count);
  ST_TRY_MEMORY(recording->name && recording->unit, error);
  recording->column_count = count;
  for (int i = 0; i < count; i++) {
    size_t length = strcspn(line, ",\n");
    ST_TRY_MEMORY(take_heading(line, length, &recording->name[i], &recording->unit[i]), error);
    line += length + (line[length] == ',');
  }
  return ST_OK;
}

static StStatus load_values(StRecording *recording, const char *text, StError *error) {
  recording->value = ST_NEW(double, (size_t)recording->column_count *(size_t)recording->rows);
  ST_TRY_MEMORY(recording->value, error);
  for (long row = 0; row < recording->rows; row++) {
    for (int c = 0; c < recording->column_count; c++) {
      double value = *text == '\n' || *text == ',' ? NAN : strtod(text, NULL);
      recording->value[c * recording->rows + row] = value;
      text += strcspn(text, ",\n");
      text += *text == ',';
    }
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
  return ST_OK;
}

static StStatus load_history(StRecording *recording, StError *error) {
  ST_FREE char *text = NULL;
  ST_TRY(read_named(recording->folder, "history.csv", &text, error));
  StStatus status = ST_OK;
  recording->rows = count_char(text, '\n') - 1;
  if (recording->rows < 1)
    status = st_fail(error, ST_BAD_INPUT, "%s/history.csv: holds no steps", recording->folder);
  // Otherwise a small file with a long header and many empty lines could use any amount of memory.
  else if (count_char(text, ',') / recording->rows < field_count(text) - 1)
    status = st_fail(error, ST_BAD_INPUT, "%s/history.csv: has rows with fewer values than columns",
                     recording->folder);
  if (status == ST_OK)
    status = load_names(recording, text, error);
  if (status == ST_OK)
    status = load_values(recording, strchr(text, '\n') + 1, error);
  return status;
}

static StStatus load_course(StRecording *recording, StError *error) {
  ST_TRY(load_summary(recording, error));
  ST_TRY(load_frames(recording, error));
  ST_TRY(load_history(recording, error));
  return st_contact_columns_add(recording, error);
}

static void take_scene(StRecording *recording, StDescription *description) {
  recording->description = description;
  recording->point_count = (size_t)st_description_vertex_count(description);
  for (int b = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    recording->cell_count += (size_t)st_mesh_element_count(mesh) + (size_t)mesh->triangle_count;
  }
}

StStatus st_recording_open(const char *folder, StDescription *description, StRecording *recording,
                           StError *error) {
  *recording = (StRecording){.folder = st_copy_string(folder)};
  StStatus status = recording->folder ? load_course(recording, error) : st_fail_memory(error);
  if (status == ST_OK)
    status = st_obstacle_poses_load(folder, description, &recording->poses, error);
  if (status == ST_OK)
    take_scene(recording, description);
  else
    st_recording_close(recording);
  return status;
}

void st_recording_leave_scene(StRecording *recording) {
  st_obstacle_poses_destroy(recording->poses);
  recording->poses = NULL;
  st_description_destroy(recording->description);
  recording->description = NULL;
}

StStatus st_recording_load(const char *folder, const StLog *log, StRecording *recording,
                           StError *error) {
  ST_FINALLY(st_resume_scene_free) StResumeScene scene = {0};
  StDescription *description = NULL;
  *recording = (StRecording){0};
  ST_TRY(st_recording_check_folder(folder, error));
  StStatus status = st_run_resume_load(folder, &scene, error);
  if (status == ST_OK)
    status = st_scene_parse(scene.scene_path, scene.scene_text, scene.scene_size,
                            scene.scene_folder, log, &description, error);
  if (status == ST_OK)
    status = st_recording_open(folder, description, recording, error);
  if (status != ST_OK)
    st_description_destroy(description);
  return status;
}

StStatus st_recording_refresh(StRecording *recording, StError *error) {
  StRecording fresh = {.folder = recording->folder,
                       .description = recording->description,
                       .point_count = recording->point_count,
                       .cell_count = recording->cell_count};
  StStatus status = load_course(&fresh, error);
  if (status == ST_OK && fresh.description)
    status = st_obstacle_poses_load(fresh.folder, fresh.description, &fresh.poses, error);
  free_course(status == ST_OK ? recording : &fresh);
  if (status == ST_OK)
    *recording = fresh;
  return status;
}

int st_recording_column_index(const StRecording *recording, const char *name) {
  for (int i = 0; i < recording->column_count; i++)
    if (strcmp(recording->name[i], name) == 0)
      return i;
  return -1;
}

const double *st_recording_column(const StRecording *recording, const char *name) {
  int index = st_recording_column_index(recording, name);
  return index < 0 ? NULL : recording->value + index * recording->rows;
}

double st_recording_last(const StRecording *recording, const char *name) {
  const double *column = st_recording_column(recording, name);
  return column ? column[recording->rows - 1] : NAN;
}

StStatus st_recording_frame(const StRecording *recording, int frame, double **position,
                            StError *error) {
  StFrameFields *fields;
  ST_TRY(st_frame_fields_open(recording, frame, &fields, error));
  StStatus status = st_frame_fields_position(fields, position, error);
  st_frame_fields_close(fields);
  return status;
}

double st_recording_frame_time(const StRecording *recording, int frame) {
  if (frame >= 0 && frame < recording->frame_count)
    return recording->frame_time[frame];
  return frame / recording->description->time.frame_rate;
}

void st_recording_bounds(const StRecording *recording, double low[3], double high[3]) {
  static const char *const names[3] = {"centre_of_mass_x", "centre_of_mass_y", "centre_of_mass_z"};
  if (!st_description_bounds(recording->description, low, high))
    vec3_set(0, 0, 0, low), vec3_set(0, 0, 0, high);
  for (int k = 0; k < 3; k++) {
    const double *centre = st_recording_column(recording, names[k]);
    double back = 0, forth = 0;
    for (long row = 1; centre && row < recording->rows; row++) {
      back = fmin(back, centre[row] - centre[0]);
      forth = fmax(forth, centre[row] - centre[0]);
    }
    low[k] += back;
    high[k] += forth;
  }
}

int st_recording_first_vertex(const StRecording *recording, int body) {
  int first = 0;
  for (int b = 0; b < body; b++)
    first += recording->description->body[b].mesh->vertex_count;
  return first;
}
