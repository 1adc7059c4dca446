// Energy and pressure of a space in the models that answer to its volume, side by side: 1 m³ with
// 1 atm inside and outside at rest and a compressibility of 1/atm, from a quarter to twice of it.
// The curves are drawn by the experiment volume-energy.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/trial.h"

enum { MODELS = 3, POINTS = 71 };

static const char *const model[MODELS] = {"ideal_gas", "nearly_incompressible", "quadratic"};

typedef struct Curve {
  double energy[POINTS]; // J
  double excess[POINTS]; // what pushes outward: pressure inside less outside, Pa
} Curve;

// A cube without stiffness to speak of, so that only its volume matters.
static StWorld cube_world(const char *name) {
  StWorld world = st_world_begin();
  int material = st_world_add_cloth(&world, &(StCloth){.young = 1, .area_density = 1});
  const double value[] = {1, 1, 1, 1}, origin[3] = {0, 0, 0};
  StMesh *mesh = st_world_surface(&world, "box", value, ST_LENGTH(value), origin);
  st_world_add_body(&world, "cube", mesh, material);
  StVolumeDesc *volume = st_world_fill(&world, 0, name);
  if (volume)
    volume->model.value[0] = 1 / ST_ATMOSPHERE;
  st_world_set_time(&world, "be", 1e-3, 1e-3);
  return world;
}

static StStatus measure(StTrial *trial, int point, Curve *curve, StError *error) {
  const StMesh *mesh = trial->description->body[0].mesh;
  double position[3 * 8], ratio = 0.25 + 1.75 * point / (POINTS - 1), s = cbrt(ratio);
  ST_CHECK(mesh->vertex_count == 8, error);
  for (int i = 0; i < 3 * 8; i++)
    position[i] = s * mesh->position[i];
  ST_TRY(st_trial_throw(trial, position, (double[3]){0, 0, 0}, error));
  curve->energy[point] = st_trial_energy(trial, "volume");
  curve->excess[point] = st_simulation_report(trial->simulation)->zone[0].pressure - ST_ATMOSPHERE;
  return ST_OK;
}

static StStatus measure_all(const char *name, Curve *curve, StError *error) {
  StWorld world = cube_world(name);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  for (int i = 0; i < POINTS; i++)
    ST_TRY(measure(&trial, i, curve, error));
  return ST_OK;
}

// The formulas once more, in atm and m³.
static void expect(int which, double V, double *energy, double *excess) {
  switch (which) {
  case 0: *energy = V - 1 - log(V), *excess = 1 / V - 1; break;
  case 1: *energy = 1 - V + V * log(V), *excess = -log(V); break;
  default: *energy = (V - 1) * (V - 1) / 2, *excess = 1 - V; break;
  }
}

static void compare(StVerify *verify, int which, const Curve *curve) {
  double off[2] = {0};
  for (int i = 0; i < POINTS; i++) {
    double energy, excess;
    expect(which, 0.25 + 1.75 * i / (POINTS - 1), &energy, &excess);
    off[0] = fmax(off[0], fabs(curve->energy[i] / ST_ATMOSPHERE - energy));
    off[1] = fmax(off[1], fabs(curve->excess[i] / ST_ATMOSPHERE - excess));
  }
  st_verify_bound(verify, "atm m³", off[0], 1e-13, "%s: energy off", model[which]);
  st_verify_bound(verify, "atm", off[1], 1e-13, "%s: pressure off", model[which]);
}

static StStatus run(StVerify *verify, StError *error) {
  Curve curve[MODELS];
  for (int m = 0; m < MODELS; m++) {
    ST_TRY(measure_all(model[m], &curve[m], error));
    compare(verify, m, &curve[m]);
  }
  return ST_OK;
}

const StVerifyCase st_verify_volume_energy = {
    .name = "volume_energy",
    .summary = "Energy and pressure of 1 m^3 at 1 atm, compressed to a quarter and expanded to "
               "twice its volume, in the three models that depend on volume.",
    .run = run,
};
