// A filled ball squeezed flat between plates: its filling keeps to its law at every step, an
// ideal gas P V, a liquid its volume but for its compressibility, and given pressures are followed.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/squeeze.h"

static const double atmosphere = ST_ATMOSPHERE;

static StSqueeze ball(const StVerify *verify, bool hollow) {
  return (StSqueeze){.hollow = hollow,
                     .cells = verify->settings.full ? 12 : 6,
                     .compressibility = 1 / atmosphere,
                     .inside = 1.1,
                     .way = 0.4,
                     .step = 0.01,
                     .step_count = 12};
}

// The volume that belongs to a pressure, over the rest volume.
static double volume_for(const StSqueeze *squeeze, double pressure) {
  double growth = -squeeze->compressibility * (pressure - squeeze->inside * atmosphere);
  switch (squeeze->model[0]) {
  case 'i': return squeeze->inside * atmosphere / pressure;
  case 'n': return exp(growth);
  default: return 1 + growth;
  }
}

typedef struct Squeezed {
  double off;      // largest relative distance of the volume from its law
  double smallest; // volume over that at rest, and …
  double highest;  // … the pressure with it, Pa
} Squeezed;

static StStatus squeeze_ball(const StSqueeze *squeeze, Squeezed *seen, StError *error) {
  StWorld world = st_squeeze_world(squeeze);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  *seen = (Squeezed){0, INFINITY, 0};
  while (!st_simulation_finished(trial.simulation)) {
    double volume, pressure;
    ST_TRY(st_trial_step(&trial, error));
    ST_TRY(st_squeeze_read(&trial, &volume, &pressure, error));
    double ratio = volume / trial.description->volume[0].rest_volume;
    seen->off = fmax(seen->off, fabs(ratio / volume_for(squeeze, pressure) - 1));
    seen->smallest = fmin(seen->smallest, ratio);
    seen->highest = fmax(seen->highest, pressure);
  }
  return ST_OK;
}

static StStatus check_gas(StVerify *verify, bool hollow, StError *error) {
  StSqueeze squeeze = ball(verify, hollow);
  Squeezed seen;
  squeeze.model = "ideal_gas";
  ST_TRY(squeeze_ball(&squeeze, &seen, error));
  const char *name = hollow ? "hollow" : "shell";
  st_verify_bound(verify, "", seen.off, 1e-12, "%s, ideal_gas: P V off", name);
  st_verify_compare(verify, "", NAN, seen.smallest, NAN, "%s, ideal_gas: smallest V/V0", name);
  st_verify_compare(verify, "Pa", NAN, seen.highest, NAN, "%s, ideal_gas: highest P", name);
  return ST_OK;
}

// From as soft as air to nearly as hard as water: the loss of volume is at most κ_v Δp.
static StStatus check_liquids(StVerify *verify, bool hollow, StError *error) {
  static const struct {
    const char *model, *name;
    double compressibility; // 1/atm
  } liquid[] = {{"nearly_incompressible", "liquid", 1},
                {"nearly_incompressible", "liquid", 0.01},
                {"nearly_incompressible", "liquid", 1e-4},
                {"quadratic", "quadratic", 0.01}};
  for (int i = 0; i < ST_LENGTH(liquid); i++) {
    StSqueeze squeeze = ball(verify, hollow);
    Squeezed seen;
    squeeze.model = liquid[i].model;
    squeeze.compressibility = liquid[i].compressibility / atmosphere;
    squeeze.inside = 1;
    squeeze.way = 0.2; // a filling that cannot shrink stretches its wall instead
    ST_TRY(squeeze_ball(&squeeze, &seen, error));
    const char *name = hollow ? "hollow" : "shell";
    st_verify_bound(verify, "", seen.off, 1e-12, "%s, %s, %g/atm: V off its law", name,
                    liquid[i].name, liquid[i].compressibility);
    double most = squeeze.compressibility * (seen.highest - atmosphere);
    st_verify_bound(verify, "", (1 - seen.smallest) / most, 1 + 1e-9,
                    "%s, %s, %g/atm: loss/(κ_v Δp)", name, liquid[i].name,
                    liquid[i].compressibility);
  }
  return ST_OK;
}

static const double key_time[] = {0, 0.03, 0.06, 0.1};
static const double key_pressure[] = {ST_ATMOSPHERE, 1.08 * ST_ATMOSPHERE, 1.08 * ST_ATMOSPHERE,
                                      1.02 * ST_ATMOSPHERE};

static double wanted_pressure(double t) {
  int k = t < key_time[1] ? 0 : t < key_time[2] ? 1 : 2;
  double share = fmin((t - key_time[k]) / (key_time[k + 1] - key_time[k]), 1);
  return key_pressure[k] + share * (key_pressure[k + 1] - key_pressure[k]);
}

static StWorld keyed_world(const StVerify *verify) {
  StSqueeze squeeze = ball(verify, false);
  squeeze.model = "prescribed";
  squeeze.way = -1;
  StWorld world = st_squeeze_world(&squeeze);
  if (world.description) {
    StCurve *pressure = &world.description->volume[0].pressure;
    st_curve_free(pressure);
    st_world_set_curve(&world, pressure, ST_LENGTH(key_time), key_time, key_pressure);
  }
  return world;
}

// Blown up and let down by keys; the pressure that vertices feel is that of the keys at all times.
static StStatus check_keys(StVerify *verify, StError *error) {
  StWorld world = keyed_world(verify);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  double worst = 0, volume, pressure;
  ST_TRY(st_trial_start(&world, &trial, error));
  while (!st_simulation_finished(trial.simulation)) {
    ST_TRY(st_trial_step(&trial, error));
    ST_TRY(st_squeeze_read(&trial, &volume, &pressure, error));
    worst = fmax(worst, fabs(pressure / wanted_pressure(st_simulation_time(trial.simulation)) - 1));
  }
  // Forces are those of just before the end of a step, by 1e-9 of it.
  st_verify_bound(verify, "", worst, 1e-10, "shell, prescribed: P off its keys");
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  for (int hollow = 0; hollow < 2; hollow++) {
    ST_TRY(check_gas(verify, hollow, error));
    ST_TRY(check_liquids(verify, hollow, error));
  }
  return check_keys(verify, error);
}

const StVerifyCase st_verify_gas = {
    .name = "gas",
    .summary = "A shell and a hollow ball squeezed between plates: a gas keeps p V, liquids keep V "
               "up to their compressibility, prescribed pressures are followed.",
    .run = run,
};
