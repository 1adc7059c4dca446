// A sphere of neo-Hookean membrane blown up to a stretch s: the pressure over the outside is that
// of its energy, p = [2μ(s − 1/s) + 4λ ln s/s]/(R₀ s²). Up to its maximum the pressure may be
// given; beyond, and here mostly, the volume is.
#include "verify/list.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/closed.h"
#include "verify/trial.h"

typedef struct Balloon {
  double radius, young, poisson;
  int cells;        // along a quarter of the circumference
  double stretch;   // wanted
  bool by_pressure; // pressure given, otherwise the volume
} Balloon;

// The readings.
typedef struct Blown {
  double pressure;  // over that outside, Pa
  double by_volume; // cube root of the volume's growth
  double by_radius; // growth of the mean distance from the centre
} Blown;

static double pressure_at(const Balloon *balloon, double s) {
  double mu = balloon->young / (2 * (1 + balloon->poisson));
  double lambda = balloon->young * balloon->poisson / (1 - balloon->poisson * balloon->poisson);
  return (2 * mu * (s - 1 / s) + 4 * lambda * log(s) / s) / (balloon->radius * s * s);
}

static void blow(StWorld *world, const Balloon *balloon) {
  double s = balloon->stretch, p = pressure_at(balloon, s);
  StVolumeDesc *air = st_world_fill(world, 0, balloon->by_pressure ? "prescribed" : "quadratic");
  if (!air)
    return;
  if (balloon->by_pressure) {
    st_world_set_curve(world, &air->pressure, 1, (double[1]){0},
                       (double[1]){air->outside_pressure + p});
  } else {
    air->rest_volume *= s * s * s;
    air->model.value[0] = 1e-4 / p; // nearly that volume, whatever the pressure
  }
}

static StWorld balloon_world(const Balloon *balloon) {
  StWorld world = st_world_begin();
  const StCloth rubber = {.young = balloon->young,
                          .poisson = balloon->poisson,
                          .area_density = 1e-4 * balloon->young,
                          .mass_damping = 1};
  int material = st_world_add_cloth(&world, &rubber);
  const double value[] = {balloon->radius, 0, balloon->cells};
  StMesh *mesh = st_world_surface(&world, "sphere", value, ST_LENGTH(value), (double[3]){0, 0, 0});
  st_world_add_body(&world, "balloon", mesh, material);
  blow(&world, balloon);
  st_world_set_time(&world, "be", 10, 20);
  st_world_set_tolerance(&world, 1e-8 * balloon->radius);
  return world;
}

static double mean_distance(const double *position, int count) {
  double sum = 0;
  for (int v = 0; v < count; v++)
    sum += vec3_length(position + 3 * v);
  return sum / count;
}

static void read_off(const StTrial *trial, const StSnapshot *state, Blown *blown) {
  const StMesh *mesh = trial->description->body[0].mesh;
  const StVolumeDesc *air = &trial->description->volume[0];
  double at_rest = st_surface_volume(mesh->position, air->triangle, air->triangle_count, NULL);
  double volume = st_surface_volume(state->position, air->triangle, air->triangle_count, NULL);
  blown->pressure =
      st_simulation_report(trial->simulation)->zone[0].pressure - air->outside_pressure;
  blown->by_volume = cbrt(volume / at_rest);
  blown->by_radius = mean_distance(state->position, state->vertex_count) /
                     mean_distance(mesh->position, mesh->vertex_count);
}

// Begins blown up evenly, which is nearly the answer; from there to rest.
static StStatus inflate(const Balloon *balloon, Blown *blown, StError *error) {
  StWorld world = balloon_world(balloon);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  StSnapshot state = {0};
  StStatus status = st_trial_start(&world, &trial, error);
  if (status == ST_OK)
    status = st_trial_state(&trial, &state, error);
  for (int i = 0; status == ST_OK && i < 3 * state.vertex_count; i++)
    state.position[i] *= balloon->stretch;
  if (status == ST_OK)
    status = st_trial_throw(&trial, state.position, (double[3]){0, 0, 0}, error);
  st_snapshot_free(&state);
  if (status == ST_OK)
    status = st_trial_run(&trial, 0, error);
  if (status == ST_OK)
    status = st_trial_state(&trial, &state, error);
  if (status == ST_OK)
    read_off(&trial, &state, blown);
  st_snapshot_free(&state);
  return status;
}

// Several stretches of one balloon, by volume; the last is past the pressure's maximum.
static StStatus check_volumes(StVerify *verify, Balloon balloon, StError *error) {
  static const double stretch[] = {1.05, 1.1, 1.3, 2};
  for (int i = 0; i < ST_LENGTH(stretch); i++) {
    Blown blown;
    balloon.stretch = stretch[i];
    ST_TRY(inflate(&balloon, &blown, error));
    st_verify_compare(verify, "Pa", pressure_at(&balloon, blown.by_volume), blown.pressure, 0.01,
                      "E %g N/m, nu %g, R %g m, s = %g: p", balloon.young, balloon.poisson,
                      balloon.radius, stretch[i]);
  }
  return ST_OK;
}

static StStatus check_pressures(StVerify *verify, Balloon balloon, StError *error) {
  static const double stretch[] = {1.05, 1.15, 1.3};
  balloon.by_pressure = true;
  for (int i = 0; i < ST_LENGTH(stretch); i++) {
    Blown blown;
    balloon.stretch = stretch[i];
    ST_TRY(inflate(&balloon, &blown, error));
    st_verify_compare(verify, "", stretch[i] - 1, blown.by_volume - 1, 0.01,
                      "pressure for s = %g given: s - 1 by volume", stretch[i]);
    st_verify_compare(verify, "", stretch[i] - 1, blown.by_radius - 1, NAN,
                      "pressure for s = %g given: s - 1 by radius", stretch[i]);
  }
  return ST_OK;
}

static StStatus refine(StVerify *verify, Balloon balloon, StError *error) {
  double before = NAN, off = NAN;
  int finest = verify->settings.full ? 32 : 16;
  balloon.stretch = 1.3;
  for (balloon.cells = 4; balloon.cells <= finest; balloon.cells *= 2) {
    Blown blown;
    ST_TRY(inflate(&balloon, &blown, error));
    double expected = pressure_at(&balloon, blown.by_volume);
    before = off;
    off = blown.pressure / expected - 1;
    st_verify_compare(verify, "Pa", expected, blown.pressure, balloon.cells == finest ? 0.01 : NAN,
                      "s = 1.3, %d cells: p", balloon.cells);
  }
  st_verify_compare(verify, "", 2, log2(before / off), 0.1, "s = 1.3: order");
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  static const Balloon balloon[] = {{.radius = 0.1, .young = 1000, .poisson = 0.5, .cells = 10},
                                    {.radius = 1, .young = 50, .poisson = 0.3, .cells = 10},
                                    {.radius = 0.02, .young = 2e5, .poisson = 0, .cells = 10}};
  for (int i = 0; i < ST_LENGTH(balloon); i++)
    ST_TRY(check_volumes(verify, balloon[i], error));
  ST_TRY(check_pressures(verify, balloon[2], error));
  return refine(verify, balloon[0], error);
}

const StVerifyCase st_verify_balloon = {
    .name = "balloon",
    .summary = "A membrane sphere is inflated: pressure against stretch, up to 1.3 and past the "
               "maximum pressure, agrees with its energy.",
    .run = run,
};
