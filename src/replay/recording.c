// Reading a run's folder.
#include "replay/recording.h"

#include "base/file.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/read.h"
#include "output/json_text.h"
#include "output/run_folder.h"
#include "output/series.h"

#include <math.h>
#include <string.h>

void st_recording_close(StRecording *recording) {
  for (int i = 0; i < recording->column_count; i++)
    free(recording->name[i]);
  free(recording->name);
  free(recording->value);
  free(recording->folder);
  free(recording->reason);
  st_description_destroy(recording->description);
  *recording = (StRecording){0};
}

static StStatus read_named(const char *folder, const char *name, char **text, StError *error) {
  size_t size = 0;
  char *path = st_run_folder_file(folder, name);
  StStatus status = path ? st_file_read(path, text, &size, error) : st_fail_memory(error);
  free(path);
  return status;
}

static double number_of(const char *json, const char *key) {
  const char *at = st_json_text_find(json, key);
  char *end = NULL;
  double value = at ? strtod(at, &end) : NAN;
  return end == at ? NAN : value;
}

static StCost cost_of(const char *json) {
  double steps = number_of(json, "steps");
  StCost cost = {.vertices = (long)number_of(json, "vertices"),
                 .tets = (long)number_of(json, "tets"),
                 .triangles = (long)number_of(json, "triangles"),
                 .steps = (long)steps,
                 .frames = (long)number_of(json, "frames") - 1,
                 .wall = number_of(json, "wall_s"),
                 .seconds_per_frame = number_of(json, "wall_per_frame_s"),
                 .memory = number_of(json, "peak_memory_bytes") * 1e-9,
                 .ranks = (int)number_of(json, "ranks"),
                 .newton_per_step = NAN,
                 .linear_per_step = NAN};
  if (steps > 0) {
    cost.newton_per_step = number_of(json, "newton_iterations") / steps;
    cost.linear_per_step = number_of(json, "linear_iterations") / steps;
  }
  return cost;
}

static StStatus load_summary(StRecording *recording, StError *error) {
  char *json = NULL;
  ST_TRY(read_named(recording->folder, "summary.json", &json, error));
  const char *state = st_json_text_find(json, "status"),
             *reason = st_json_text_find(json, "reason");
  char *word = state ? st_json_text_read_string(&state) : NULL;
  bool failed = word && strcmp(word, "failed") == 0;
  recording->state = failed ? ST_RECORDING_FAILED : ST_RECORDING_FINISHED;
  recording->reason = failed && reason ? st_json_text_read_string(&reason) : NULL;
  recording->cost = cost_of(json);
  free(word);
  free(json);
  return ST_OK;
}

static long line_count(const char *text) {
  long count = 0;
  for (; *text; text++)
    count += *text == '\n';
  return count;
}

static int field_count(const char *line) {
  int count = 1;
  for (; *line && *line != '\n'; line++)
    count += *line == ',';
  return count;
}

// "time [s]" is called "time".
static StStatus load_names(StRecording *recording, const char *line, StError *error) {
  recording->name = ST_NEW(char *, field_count(line));
  if (!recording->name)
    return st_fail_memory(error);
  recording->column_count = field_count(line);
  for (int i = 0; i < recording->column_count; i++) {
    size_t length = strcspn(line, ",\n"), name = length;
    for (size_t k = 0; k + 1 < length; k++)
      if (line[k] == ' ' && line[k + 1] == '[')
        name = k;
    recording->name[i] = strndup(line, name);
    if (!recording->name[i])
      return st_fail_memory(error);
    line += length + (line[length] == ',');
  }
  return ST_OK;
}

static StStatus load_values(StRecording *recording, const char *text, StError *error) {
  recording->value = ST_NEW(double, (size_t)recording->column_count *(size_t)recording->rows);
  if (!recording->value)
    return st_fail_memory(error);
  for (long row = 0; row < recording->rows; row++) {
    for (int c = 0; c < recording->column_count; c++) {
      char *end;
      double value = *text == '\n' ? NAN : strtod(text, &end);
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
  char *text = NULL;
  ST_TRY(read_named(recording->folder, "history.csv", &text, error));
  StStatus status = ST_OK;
  recording->rows = line_count(text) - 1;
  if (recording->rows < 1)
    status = st_fail(error, ST_BAD_INPUT, "%s/history.csv: holds no steps", recording->folder);
  if (status == ST_OK)
    status = load_names(recording, text, error);
  if (status == ST_OK)
    status = load_values(recording, strchr(text, '\n') + 1, error);
  free(text);
  return status;
}

StStatus st_recording_open(const char *folder, StDescription *description, StRecording *recording,
                           StError *error) {
  *recording = (StRecording){.folder = st_copy_string(folder)};
  StStatus status = recording->folder ? load_summary(recording, error) : st_fail_memory(error);
  if (status == ST_OK)
    status = load_history(recording, error);
  if (status == ST_OK)
    recording->description = description;
  else
    st_recording_close(recording);
  return status;
}

const double *st_recording_column(const StRecording *recording, const char *name) {
  for (int i = 0; i < recording->column_count; i++)
    if (strcmp(recording->name[i], name) == 0)
      return recording->value + i * recording->rows;
  return NULL;
}

double st_recording_last(const StRecording *recording, const char *name) {
  const double *column = st_recording_column(recording, name);
  return column ? column[recording->rows - 1] : NAN;
}

StStatus st_recording_frame(const StRecording *recording, int frame, double **position,
                            StError *error) {
  char name[ST_FRAME_NAME_SIZE];
  StMesh *mesh = NULL;
  st_frame_name(frame, name);
  char *path = st_run_folder_file(recording->folder, name);
  StStatus status = path ? st_mesh_read(path, NULL, &mesh, error) : st_fail_memory(error);
  if (status == ST_OK && mesh->vertex_count != st_description_vertex_count(recording->description))
    status = st_fail(error, ST_BAD_INPUT, "%s: has other vertices than its scene", path);
  if (status == ST_OK) {
    *position = mesh->position;
    mesh->position = NULL;
  }
  st_mesh_destroy(mesh);
  free(path);
  return status;
}

double st_recording_frame_time(const StRecording *recording, int frame) {
  return frame / recording->description->time.frame_rate;
}

int st_recording_first_vertex(const StRecording *recording, int body) {
  int first = 0;
  for (int b = 0; b < body; b++)
    first += recording->description->body[b].mesh->vertex_count;
  return first;
}

// Each corner of an element carries its share of what the element weighs at rest.
static double add_element(const int *corner, int corners, double weight, const double *position,
                          double sum[3]) {
  for (int i = 0; i < corners; i++)
    vec3_add_scaled(weight / corners, position + 3 * corner[i], sum);
  return weight;
}

void st_recording_centre(const StRecording *recording, int body, const double *position,
                         double centre[3]) {
  const StMesh *mesh = recording->description->body[body].mesh;
  const double *own = position + 3 * st_recording_first_vertex(recording, body);
  double whole = 0;
  vec3_set(0, 0, 0, centre);
  for (int t = 0; t < mesh->tet_count; t++)
    whole += add_element(mesh->tet + 4 * t, 4, st_tet_volume(mesh->position, mesh->tet + 4 * t),
                         own, centre);
  for (int t = 0; t < mesh->triangle_count && mesh->tet_count == 0; t++)
    whole += add_element(mesh->triangle + 3 * t, 3,
                         st_triangle_area(mesh->position, mesh->triangle + 3 * t), own, centre);
  for (int i = 0; i < 3 && whole > 0; i++)
    centre[i] /= whole;
}
