// Scales of a static analysis.
// Tested by tests/verify/test_statics_truth.c.
#include "step/statics.h"

#include "base/memory.h"
#include "force/shell_material.h"
#include "force/solid_material.h"
#include "math/vec3.h"
#include "model/body.h"
#include "solve/negative_mode.h"
#include "solve/runtime.h"
#include "step/diagnose.h"
#include "step/tunables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double diagonal_of(const StMesh *mesh) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double across[3];
  for (int i = 0; i < 3 * mesh->vertex_count; i++) {
    low[i % 3] = fmin(low[i % 3], mesh->position[i]);
    high[i % 3] = fmax(high[i % 3], mesh->position[i]);
  }
  vec3_sub(high, low, across);
  return mesh->vertex_count > 0 ? vec3_length(across) : 0;
}

// The speed of the slowest waves in a body; infinite: it is rigid.
static double wave_speed(const StDescription *description, const StBodyDesc *body,
                         const StSolidMaterial *solid, const StShellStiffness *shell) {
  double least = INFINITY;
  for (int t = 0; t < body->mesh->tet_count; t++) {
    int m = st_body_tet_material(body, t);
    least = fmin(least, solid[m].law->modulus(solid[m].k) / description->material[m].density);
  }
  for (int t = 0; t < st_body_shell_count(body); t++) {
    int m = st_body_triangle_material(body, t);
    least = fmin(least, (shell[m].lambda + 2 * shell[m].mu) / description->material[m].density);
  }
  return sqrt(least);
}

static void measure_bodies(const StDescription *description, const StSolidMaterial *solid,
                           const StShellStiffness *shell, StStatics *statics) {
  double longest = 0, strongest = vec3_length(description->gravity);
  statics->pace = INFINITY;
  for (int b = 0; b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    double length = diagonal_of(body->mesh), speed = wave_speed(description, body, solid, shell);
    statics->length = fmax(statics->length, length);
    statics->mass += st_body_mass(description, body);
    statics->pace = fmin(statics->pace, speed * speed / length);
    longest = fmax(longest, length / speed);
  }
  double swing = strongest > 0 ? sqrt(statics->length / strongest) : 0;
  if (longest == 0 && swing == 0)
    swing = description->time.duration;
  statics->least_period = longest > 0 ? longest : swing;
  statics->reach =
      fmax(st_step_tunables.static_reach * longest, st_step_tunables.static_swings * swing);
}

StStatus st_statics_measure(const StSystem *system, StStatics *statics, StError *error) {
  const StDescription *description = system->description;
  StSolidMaterial *solid = NULL;
  StShellStiffness *shell = NULL;
  *statics = (StStatics){0};
  if (!description->statics)
    return ST_OK;
  StStatus status = st_solid_materials_create(description, &solid, error);
  if (status == ST_OK)
    status = st_shell_materials_create(description, &shell, error);
  if (status == ST_OK)
    measure_bodies(description, solid, shell, statics);
  free(solid);
  free(shell);
  return status;
}

// N, magnitudes of all loads on vertices.
static double sum_loads(const StSystem *system, const StPoint *at, double *room) {
  double sum = 0;
  for (int f = 0; f < system->force_count; f++) {
    if (!system->force[f].type->of_load)
      continue;
    st_system_single_force(system, f, at, room);
    for (int i = 0; i < system->piece->owned_count; i++)
      sum += vec3_length(room + 3 * (size_t)i);
  }
  return st_runtime_sum(sum);
}

// In the units of the solver: a residual r stands for the speed T² r/h of a free body, a change for
// what it moves in a step.
void st_statics_choose_tolerances(const StStatics *statics, const StSystem *system,
                                  const double *position, const StPlan *plan, double *room,
                                  StNewtonOptions *options) {
  StPoint at = {.time = plan->end, .position = position, .velocity = system->still};
  double loads = sum_loads(system, &at, room) / statics->mass;
  double balanced = st_step_tunables.static_change * statics->pace;
  if (loads > 0)
    balanced = fmin(balanced, st_step_tunables.static_residual * loads);
  if (isinf(balanced))
    balanced =
        st_step_tunables.static_residual * statics->length / (statics->reach * statics->reach);
  options->residual_tolerance = balanced * statics->reach * statics->reach / plan->h;
  options->change_tolerance = st_step_tunables.static_change * statics->length / plan->h;
}

// The farthest that a vertex leaves its course, of its body's length.
static double find_jump(const StSystem *system, const StState *state, const double *position,
                        double h) {
  const StPiece *piece = system->piece;
  double most = 0, length = 0;
  for (int i = 0, body = -1; i < piece->independent_count; i++) {
    double way[3], course[3] = {0};
    if (piece->body[i] != body)
      length = diagonal_of(system->description->body[piece->body[i]].mesh);
    body = piece->body[i];
    vec3_sub(position + 3 * (size_t)i, state->position + 3 * (size_t)i, way);
    vec3_add_scaled(h, state->velocity + 3 * (size_t)i, course);
    vec3_sub(way, course, way);
    if (vec3_length(way) > 2 * vec3_length(course))
      most = fmax(most, vec3_length(way) / length);
  }
  return st_runtime_max(most);
}

// In half a step a kink of the course, as where bodies meet, shows by half as much at most, and a
// jump by as much: between them.
static const double KINK = 0.75;

bool st_statics_jumps(StStatics *statics, const StSystem *system, const StState *state,
                      const double *position, double h) {
  if (state->h_before == 0)
    return false;
  double before = statics->jump;
  statics->jump = find_jump(system, state, position, h);
  bool far = statics->jump > st_step_tunables.static_jump;
  return far && !(statics->jump < KINK * before);
}

// The body whose vertices move most, each by the mean of their squares.
static int find_most_moved(const StSystem *system, const double *scale, const double *mode,
                           double *sum) {
  const StPiece *piece = system->piece;
  int most = 0, count = system->description->body_count;
  memset(sum, 0, 2 * (size_t)count * sizeof(double));
  for (int i = 0; i < piece->independent_count; i++) {
    double *of = sum + 2 * (size_t)piece->body[i];
    of[0]++;
    for (int k = 3 * i; k < 3 * i + 3; k++)
      of[1] += scale[k] * scale[k] * mode[k] * mode[k];
  }
  st_runtime_sum_all(sum, 2 * count);
  for (int b = 1; b < count; b++)
    if (sum[2 * b + 1] * sum[2 * most] > sum[2 * most + 1] * sum[2 * b])
      most = b;
  return most;
}

StStatus st_statics_find_mode(StStatics *statics, StAttempt *attempt, StError *error) {
  StSolving *solving = &attempt->solving;
  const StStageProblem *stage = solving->stage;
  ST_FREE double *sum = ST_NEW(double, 2 * stage->system->description->body_count);
  ST_TRY(st_runtime_agree(sum ? ST_OK : st_fail_memory(error), error));
  ST_TRY(st_negative_mode_find(&stage->problem, solving->linear, solving->unknown, solving->moving,
                               &statics->mode, error));
  if (statics->mode < 0)
    statics->unstable = find_most_moved(stage->system, stage->scale, solving->moving, sum);
  return ST_OK;
}

// Displacements of a body in a failed attempt, summed over its vertices.
typedef struct Drift {
  double count, way[3], far; // m, displacements, and the sum of their magnitudes
  double square;             // m², sum of their squares
  double force[3];           // N, what is left of all forces
  double touches;            // contacts
  double held;               // vertices that are held in all directions
} Drift;

enum { DRIFT = sizeof(Drift) / sizeof(double) };

static void sum_drifts(const StAttempt *attempt, const StState *state, double h, Drift *drift) {
  const StStageProblem *stage = attempt->solving.stage;
  const StPiece *piece = stage->system->piece;
  for (int i = 0; i < piece->independent_count; i++) {
    Drift *of = &drift[piece->body[i]];
    double way[3];
    vec3_sub(stage->position + 3 * (size_t)i, state->position + 3 * (size_t)i, way);
    of->count++;
    of->held += stage->fixed[i];
    of->far += vec3_length(way);
    of->square += vec3_dot(way, way);
    vec3_add_scaled(1, way, of->way);
    for (int k = 3 * i; k < 3 * i + 3; k++)
      if (stage->scale[k] > 0)
        of->force[k % 3] -= attempt->solving.residual[k] / (stage->scale[k] * h);
  }
}

static void count_touches(const StStageProblem *stage, Drift *drift) {
  StPoint at = st_stage_point(stage, stage->time);
  const StContactSet *set = at.contact_set;
  for (int t = 0; set && t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    const int *place = st_contact_array_places(&set->now, contact);
    for (int k = 0; k < contact->count; k++)
      if (st_contact_set_is_local(set, place[k]))
        drift[stage->system->piece->body[place[k]]].touches++;
  }
}

// The body that went farthest for its size as a whole, whether it rolls or not.
static int find_adrift(const StDescription *description, const Drift *drift, double *most) {
  static const double ALIKE = 0.5, FAR = 0.1;
  int worst = -1;
  *most = 0;
  for (int b = 0; b < description->body_count; b++) {
    double way = vec3_length(drift[b].way), length = diagonal_of(description->body[b].mesh);
    double share = drift[b].count > 0 ? way / drift[b].count / length : 0;
    if (drift[b].held == 0 && way >= ALIKE * drift[b].far && share > FAR && share > *most) {
      *most = share;
      worst = b;
    }
  }
  return worst;
}

static int find_buckled(const StDescription *description, const Drift *drift) {
  int worst = 0;
  for (int b = 1; b < description->body_count; b++)
    if (drift[b].far / fmax(drift[b].count, 1) > drift[worst].far / fmax(drift[worst].count, 1))
      worst = b;
  return worst;
}

// A solution that is unstable, or that bodies jump to.
static StStatus explain_instability(const StStatics *statics, const StDescription *description,
                                    const Drift *drift, double load, StError *error) {
  const char *unstable = description->body[statics->unstable].name;
  double share;
  int adrift = find_adrift(description, drift, &share);
  if (statics->mode < 0 && load == 0)
    return st_fail(error, ST_NOT_SOLVED,
                   "load parameter 0: body \"%.100s\" balances, as on an edge or on top of a ball: "
                   "its equilibrium is unstable from the first load on; hold it, turn or move it a "
                   "little, or follow its motion with \"analysis\": \"dynamic\"",
                   unstable);
  if (statics->mode < 0)
    return st_fail(error, ST_NOT_SOLVED,
                   "bifurcation: body \"%.100s\" buckles at load parameter %.6g: the equilibrium "
                   "goes on, but is unstable; a small imperfection shows what follows, and "
                   "\"analysis\": \"dynamic\" the motion",
                   unstable, load);
  if (adrift >= 0)
    return st_fail(
        error, ST_NOT_SOLVED,
        "load parameter %.6g: body \"%.100s\" comes loose and moves as a whole, by %.3g m "
        "to its next equilibrium; follow its motion from here with \"analysis\": "
        "\"dynamic\"",
        load, description->body[adrift].name, vec3_length(drift[adrift].way) / drift[adrift].count);
  return st_fail(error, ST_NOT_SOLVED,
                 "load parameter %.6g: limit point: the equilibrium of body \"%.100s\" becomes "
                 "unstable, and it snaps or buckles; follow its motion from here with "
                 "\"analysis\": \"dynamic\"",
                 load, description->body[find_buckled(description, drift)].name);
}

static StStatus explain_drift(const StDescription *description, const StAdrift *adrift, double load,
                              StError *error) {
  const char *does = adrift->rolls ? "rolls" : adrift->touches ? "slides" : "is free to move";
  const char *advice = adrift->rolls     ? "hold it, or let it roll against something"
                       : adrift->touches ? "hold it, or raise friction"
                                         : "hold it by a boundary or a joint, or let it touch "
                                           "something";
  return st_fail(error, ST_NOT_SOLVED,
                 "load parameter %.6g: body \"%.100s\" %s: nothing balances a force of (%.3g, "
                 "%.3g, %.3g) N on it; %s, or follow its motion with \"analysis\": \"dynamic\"",
                 load, description->body[adrift->body].name, does, adrift->force[0],
                 adrift->force[1], adrift->force[2], advice);
}

// A body that rolls by d turns by d/R: its vertices leave their mean displacement by about d. A
// body that slides turns little.
static bool is_turning(const Drift *drift) {
  static const double ROLLS = 0.5;
  double mean = vec3_length(drift->way) / drift->count;
  return drift->square / drift->count - mean * mean > ROLLS * ROLLS * mean * mean;
}

static void sum_all(const StAttempt *attempt, const StState *state, double h, Drift *drift) {
  sum_drifts(attempt, state, h, drift);
  count_touches(attempt->solving.stage, drift);
  st_runtime_sum_all(&drift->count,
                     DRIFT * attempt->solving.stage->system->description->body_count);
}

StStatus st_statics_note_drift(StStatics *statics, const StAttempt *attempt, const StState *state,
                               double h, StError *error) {
  const StDescription *description = attempt->solving.stage->system->description;
  ST_FREE Drift *drift = ST_NEW(Drift, description->body_count);
  ST_TRY(st_runtime_agree(drift ? ST_OK : st_fail_memory(error), error));
  sum_all(attempt, state, h, drift);
  double share;
  int body = find_adrift(description, drift, &share);
  if (!(share > statics->adrift.share))
    return ST_OK;
  bool touches = drift[body].touches > 0;
  statics->adrift = (StAdrift){.share = share,
                               .body = body,
                               .touches = touches,
                               .rolls = touches && is_turning(&drift[body])};
  vec3_copy(drift[body].force, statics->adrift.force);
  return ST_OK;
}

StStatus st_statics_explain(const StStatics *statics, StAttempt *attempt, const StState *state,
                            double h, bool unstable, StError *error) {
  const StDescription *description = attempt->solving.stage->system->description;
  double load = state->time / description->time.duration;
  if (!unstable && statics->adrift.share > 0)
    return explain_drift(description, &statics->adrift, load, error);
  if (!unstable)
    return st_diagnose(attempt, state, h, error);
  ST_FREE Drift *drift = ST_NEW(Drift, description->body_count);
  ST_TRY(st_runtime_agree(drift ? ST_OK : st_fail_memory(error), error));
  sum_all(attempt, state, h, drift);
  return explain_instability(statics, description, drift, load, error);
}
