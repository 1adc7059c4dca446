// A sphere pressed onto a floor: force and contact radius over indentation, after Hertz. The mesh
// is drawn together at the place of contact, so that few elements resolve it.
#include "verify/list.h"

#include "base/memory.h"
#include "field/field.h"
#include "math/vec3.h"
#include "verify/trial.h"

#include <string.h>

static const double young = 1e6, poisson = 0.3, depth = 0.00125; // radius 1 m
static const double thickness = 25e-6, travel = 0.00125 + 25e-6 / 2;
enum { LOADS = 4 };

// The motion of the hyperbolic ball that takes the centre to (0, 0, -gather): conformal, maps the
// unit ball onto itself and makes elements (1 + gather)/(1 - gather) times smaller at the south.
static void draw_south(double gather, double x[3]) {
  double square = vec3_dot(x, x), along = -gather * x[2];
  double scale = 1 / (1 + 2 * along + gather * gather * square);
  double shift = (1 + 2 * along + square) * scale, stretch = (1 - gather * gather) * scale;
  for (int c = 0; c < 3; c++)
    x[c] *= stretch;
  x[2] -= gather * shift;
}

static bool in_north(const double X[3], const void *context) {
  (void)context;
  return X[2] > 1;
}

static StWorld hertz_world(StContactMethod method, int cells) {
  StWorld world = st_world_begin();
  st_world_set_touch(&world, &(StTouch){.method = method});
  const StWorldMaterial rubber = {.young = young, .poisson = poisson, .density = 1};
  const double value[] = {1, 0, cells}, origin[3] = {0, 0, 0};
  StMesh *mesh = st_world_shape(&world, "sphere", value, 3, origin);
  for (int v = 0; mesh && v < mesh->vertex_count; v++) {
    draw_south(0.9, mesh->position + 3 * v);
    mesh->position[3 * v + 2] += 1 + thickness;
  }
  st_world_add_body(&world, "sphere", mesh, st_world_add_material(&world, &rubber));
  st_world_add_floor(&world, 0);
  // The mean pressure at the end, at half the thickness.
  double pressure = young / (1 - poisson * poisson) * 4 / (3 * M_PI) * sqrt(depth);
  StContactDesc contact = {.body = -1,
                           .thickness = thickness,
                           .stiffness = st_world_stiffness(method, pressure, thickness)};
  st_world_add_contact(&world, &contact);
  StBoundaryDesc *north = st_world_add_boundary(&world, 0, in_north, NULL);
  // Down to where the gap in the middle is half the thickness.
  const double time[] = {0, LOADS}, way[] = {0, 0, 0, 0, 0, -travel};
  if (north)
    st_world_move(&world, &north->motion, 2, time, way);
  // A sequence of equilibria; for smooth surfaces by steps far longer than any vibration.
  bool statics = method == ST_CONTACT_PRIMITIVES;
  st_world_set_time(&world, statics ? "static" : "be", 1, LOADS);
  st_world_set_tolerance(&world, 1e-9);
  return world;
}

typedef struct Press {
  double force, radius, depth, peak;
} Press;

static const double *contact_of(const StSnapshot *state) {
  for (int f = 0; f < state->force_count; f++)
    if (strcmp(state->force_name[f], "contact") == 0)
      return state->force[f];
  return NULL;
}

// The pressure where the sphere was lowest: its own axis meets a vertex there.
static StStatus read_peak(const StTrial *trial, const StSnapshot *state, double *peak,
                          StError *error) {
  const double *rest = trial->description->body[0].mesh->position;
  const StFieldState at = {
      .description = trial->description, .position = state->position, .contact = contact_of(state)};
  ST_FREE double *pressure = NULL;
  int lowest = 0;
  ST_TRY(st_field_compute(st_field_find("contact_pressure"), &at, &pressure, error));
  for (int v = 1; v < state->vertex_count; v++)
    if (rest[3 * v + 2] < rest[3 * lowest + 2])
      lowest = v;
  *peak = pressure[lowest];
  return ST_OK;
}

// Hertz's pressure falls off as √(1 - r²/a²), for which the mean of r² is 2a²/5. The depth is how
// far the sphere would reach below its own lowest point if nothing were in its way.
static StStatus read_off(StTrial *trial, Press *press, StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot state = {0};
  ST_TRY(st_simulation_snapshot(trial->simulation, true, false, &state, error));
  const double *contact = contact_of(&state);
  double spread = 0, gap = INFINITY;
  press->force = 0;
  for (int v = 0; v < state.vertex_count && contact; v++) {
    const double *x = state.position + 3 * v;
    press->force += contact[3 * v + 2];
    spread += contact[3 * v + 2] * (x[0] * x[0] + x[1] * x[1]);
    gap = fmin(gap, x[2]);
  }
  press->radius = sqrt(2.5 * spread / press->force);
  press->depth = travel * state.time / LOADS - thickness + gap;
  return read_peak(trial, &state, &press->peak, error);
}

static void compare(StVerify *verify, int cells, const Press *press, double allowed) {
  double modulus = young / (1 - poisson * poisson), d = press->depth;
  st_verify_compare(verify, "N", 4.0 / 3 * modulus * d * sqrt(d), press->force, allowed,
                    "%d cells, %.3g mm deep: force", cells, 1000 * d);
  st_verify_compare(verify, "m", sqrt(d), press->radius, allowed,
                    "%d cells, %.3g mm deep: contact radius", cells, 1000 * d);
  st_verify_compare(
      verify, "Pa", cbrt(6 * press->force * modulus * modulus / (M_PI * M_PI * M_PI)), press->peak,
      allowed, "%d cells, %.3g mm deep: pressure in the middle, by the force", cells, 1000 * d);
}

// The last two loads: before them the mesh is too coarse for the contact's size.
static StStatus run_cells(StVerify *verify, int cells, double allowed, StError *error) {
  StWorld world = hertz_world(verify->settings.method, cells);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  StStatus status = st_trial_start(&world, &trial, error);
  while (status == ST_OK && !st_simulation_finished(trial.simulation)) {
    Press press;
    status = st_trial_step(&trial, error);
    if (status != ST_OK || st_simulation_time(trial.simulation) < LOADS - 1)
      continue;
    status = read_off(&trial, &press, error);
    if (status == ST_OK)
      compare(verify, cells, &press, allowed);
  }
  return status;
}

static StStatus run(StVerify *verify, StError *error) {
  ST_TRY(run_cells(verify, 8, NAN, error));
  ST_TRY(run_cells(verify, 12, NAN, error));
  return run_cells(verify, 16, 0.05, error);
}

const StVerifyCase st_verify_hertz = {
    .name = "hertz",
    .summary =
        "A sphere pressed onto a floor: force and contact radius of Hertz, approached as the "
        "mesh gets finer.",
    .both = true,
    .full_only = true,
    .run = run,
};
