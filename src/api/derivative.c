// Derivatives of a simulation by numbers of its scene.
#include "api/derivative.h"

#include "base/memory.h"
#include "base/text.h"
#include "gradient/sensitivity.h"
#include "scene/scene.h"
#include "scene/set.h"

#include <math.h>
#include <string.h>

struct StDerivatives {
  const StictionScene *scene;
  StSensitivity *inside;
  int count;
  char **path;   // [count]
  double *value; // [count]
};

void st_derivatives_destroy(StDerivatives *derivatives) {
  if (!derivatives)
    return;
  st_sensitivity_destroy(derivatives->inside);
  for (int i = 0; derivatives->path && i < derivatives->count; i++)
    free(derivatives->path[i]);
  free(derivatives->path);
  free(derivatives->value);
  free(derivatives);
}

// Where relative paths of the scene start, with the slash.
static char *folder_of(const StictionScene *scene) {
  char *folder = st_copy_string(scene->path);
  char *slash = folder ? strrchr(folder, '/') : NULL;
  if (folder)
    folder[slash ? slash + 1 - folder : 0] = 0;
  return folder;
}

// The scene with another value of a number.
static StStatus describe_with(const StictionScene *scene, const char *path, double value,
                              StDescription **description, StError *error) {
  ST_FREE char *folder = folder_of(scene);
  ST_FREE char *text = st_copy_string(scene->text);
  ST_FINALLY(st_text_free) StText assignment = {0};
  size_t size = strlen(scene->text);
  st_text_add(&assignment, "%s=%.17g", path, value);
  ST_TRY_MEMORY(folder && text && !assignment.failed, error);
  ST_TRY(st_scene_set("scene", assignment.data, &text, &size, error));
  return st_scene_parse_together("scene", text, size, folder, NULL, description, error);
}

static StStatus describe(void *context, int index, double beside, StDescription **description,
                         StError *error) {
  const StDerivatives *derivatives = context;
  return describe_with(derivatives->scene, derivatives->path[index],
                       derivatives->value[index] + beside, description, error);
}

static StStatus build(StictionSimulation *simulation, const char *const *path, StDerivatives *made,
                      StError *error) {
  int count = made->count;
  ST_FREE double *size = ST_NEW(double, count);
  made->scene = simulation->scene;
  made->path = ST_NEW(char *, count);
  made->value = ST_NEW(double, count);
  ST_TRY_MEMORY(size && made->path && made->value, error);
  for (int i = 0; i < count; i++) {
    ST_TRY_MEMORY(made->path[i] = st_copy_string(path[i]), error);
    ST_TRY(st_scene_get("scene", path[i], made->scene->text, strlen(made->scene->text),
                        &made->value[i], NULL, error));
    size[i] = made->value[i] == 0 ? 1 : fabs(made->value[i]); // 0 does not say how large it may be
  }
  StSceneMaker maker = {describe, made};
  return st_sensitivity_create(simulation->simulation, maker, size, count, &made->inside, error);
}

// Scenes next to this one are made of its text, which knows nothing of what a program has changed.
static StStatus check_changes(StictionSimulation *simulation, StError *error) {
  StParameters parameters = {0};
  ST_TRY(st_pending_settle(simulation, error));
  StStatus status = st_parameters_create(simulation->scene->description, &parameters, error);
  bool same = status == ST_OK && st_parameters_checksum(&parameters) ==
                                     st_parameters_checksum(&simulation->parameters);
  st_parameters_free(&parameters);
  if (status == ST_OK && !same)
    status = st_fail(error, ST_BAD_INPUT,
                     "derivatives are those of the scene, but this simulation's parameters were "
                     "changed: change the scene instead");
  return status;
}

static StStatus differentiate(StictionSimulation *simulation, const char *const *path, int count,
                              StError *error) {
  st_derivatives_destroy(simulation->derivatives);
  simulation->derivatives = NULL;
  if (count == 0)
    return ST_OK;
  ST_TRY(check_changes(simulation, error));
  StDerivatives *made = ST_NEW(StDerivatives, 1);
  ST_TRY_MEMORY(made, error);
  made->count = count;
  StStatus status = build(simulation, path, made, error);
  if (status == ST_OK)
    simulation->derivatives = made;
  else
    st_derivatives_destroy(made);
  return status;
}

// Steps are followed as they were taken, and numbers of the engine hold for the whole process.
static StStatus check_section(const char *path, StError *error) {
  static const char *const NONE[] = {"time",       "solver",  "output",    "analysis",
                                     "load_steps", "tunable", "integrator"};
  size_t length = strcspn(path, ".[");
  for (int i = 0; i < ST_LENGTH(NONE); i++)
    if (strlen(NONE[i]) == length && strncmp(path, NONE[i], length) == 0)
      return st_fail(
          error, ST_BAD_INPUT,
          "%.200s: there are no derivatives by numbers of \"%s\", which say how to compute", path,
          NONE[i]);
  return ST_OK;
}

static StStatus check_paths(const char *const *path, int count, StError *error) {
  for (int i = 0; i < count; i++) {
    if (!path[i])
      return st_fail(error, ST_BAD_INPUT, "path %d is NULL", i);
    ST_TRY(check_section(path[i], error));
  }
  return count >= 0 ? ST_OK : st_fail(error, ST_BAD_INPUT, "%d is no number of paths", count);
}

StictionStatus stiction_simulation_differentiate(StictionSimulation *simulation,
                                                 const char *const *path, int count) {
  ST_NEED(simulation);
  if (count > 0)
    ST_NEED(path);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  StError *error = st_call_error();
  StStatus status = check_paths(path, count, error);
  if (status == ST_OK)
    status = differentiate(simulation, path, count, error);
  return st_call_leave(status);
}

static StStatus check_index(const StictionSimulation *simulation, int index, StError *error) {
  const StDerivatives *derivatives = simulation->derivatives;
  if (!derivatives)
    return st_fail(error, ST_BAD_INPUT,
                   "no derivatives are followed: call stiction_simulation_differentiate before the "
                   "first step");
  if (index < 0 || index >= derivatives->count)
    return st_fail(error, ST_BAD_INPUT, "there is no derivative %d: there are %d", index,
                   derivatives->count);
  return ST_OK;
}

static StStatus read_derivative(const StictionSimulation *simulation, int index, double *position,
                                double *velocity, StError *error) {
  ST_TRY(check_index(simulation, index, error));
  size_t size = 3 * (size_t)simulation->vertex_count;
  ST_FREE double *room = ST_NEW(double, 2 * size);
  ST_TRY_MEMORY(room, error);
  ST_TRY(st_sensitivity_read(simulation->derivatives->inside, index, room, room + size, error));
  if (position)
    memcpy(position, room, size * sizeof(double));
  if (velocity)
    memcpy(velocity, room + size, size * sizeof(double));
  return ST_OK;
}

StictionStatus stiction_simulation_derivative(StictionSimulation *simulation, int index,
                                              double *position, double *velocity) {
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(read_derivative(simulation, index, position, velocity, st_call_error()));
}

static StStatus report_on(const StictionSimulation *simulation, StictionDerivativeReport *report,
                          StError *error) {
  ST_TRY(check_index(simulation, 0, error));
  StSensitivityReport inside = st_sensitivity_report(simulation->derivatives->inside);
  *report = (StictionDerivativeReport){.steps = inside.steps,
                                       .cut = inside.cut,
                                       .stiffness_changes = inside.stiffness_changes,
                                       .anchors_lost = inside.anchors_lost,
                                       .settled = inside.settled,
                                       .error = inside.error};
  return ST_OK;
}

StictionStatus stiction_simulation_derivative_report(StictionSimulation *simulation,
                                                     StictionDerivativeReport *report) {
  ST_NEED(simulation);
  ST_NEED(report);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(report_on(simulation, report, st_call_error()));
}
