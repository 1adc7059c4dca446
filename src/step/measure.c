// Sums over vertices and forces, then over ranks.
// Tested by tests/step/test_saved_state.c.
#include "step/measure.h"

#include "base/memory.h"
#include "force/bearing.h"
#include "force/list.h"
#include "force/solid.h"
#include "force/volume.h"
#include "math/vec3.h"
#include "solve/runtime.h"
#include "step/rigidity.h"

#include <string.h>

// In the order of the sum over ranks.
enum {
  MASS,
  KINETIC,
  VOLUME,
  INVERTED,
  MOMENTUM,
  ANGULAR = MOMENTUM + 3,
  FIRST_MOMENT = ANGULAR + 3,
  ENERGY = FIRST_MOMENT + 3,
  SUM_COUNT = ENERGY + ST_RECORD_FORCES
};

static void sum_vertices(const StSystem *system, const StPoint *at, double *sum) {
  const StPiece *piece = system->piece;
  const double *velocity = system->still ? system->still : at->velocity;
  for (int i = 0; i < piece->owned_count; i++) {
    const double *x = at->position + 3 * i, *v = velocity + 3 * i;
    double m = piece->mass[i], spin[3];
    vec3_cross(x, v, spin);
    sum[MASS] += m;
    sum[KINETIC] += 0.5 * m * vec3_dot(v, v);
    vec3_add_scaled(m, v, sum + MOMENTUM);
    vec3_add_scaled(m, spin, sum + ANGULAR);
    vec3_add_scaled(m, x, sum + FIRST_MOMENT);
  }
}

static void sum_forces(const StSystem *system, const StPoint *at, double *sum) {
  for (int i = 0; i < system->force_count; i++) {
    const StForce *force = &system->force[i];
    if (force->type->has_energy)
      sum[ENERGY + i] = st_system_energy(system, i, at);
    if (force->type == &st_force_solid) {
      int inverted;
      sum[VOLUME] = st_solid_volume(force->data, at, &inverted);
      sum[INVERTED] = inverted;
    }
  }
}

static int action_count(const StForce *force) {
  return force->type->action_count ? force->type->action_count(force->data) : 0;
}

static void name_actions(StMeasure *measure) {
  StActionReport *action = measure->action;
  for (int f = 0; f < measure->system->force_count; f++) {
    const StForce *force = &measure->system->force[f];
    for (int i = 0; i < action_count(force); i++, action++)
      *action = (StActionReport){.name = force->type->action_name(force->data, i),
                                 .joint = force->type->joins};
  }
}

static void weigh(StMeasure *measure, int first, int count, double time, const StForceType *type) {
  double share = st_system_share(measure->system, type, time);
  for (int i = first; i < first + count; i++)
    for (int c = 0; c < 3; c++) {
      measure->sum[i].force[c] *= share;
      measure->sum[i].torque[c] *= share;
    }
}

// Collective.
static void read_actions(StMeasure *measure, const StPoint *at, StReport *report) {
  int first = 0, numbers = measure->action_count * (int)(sizeof(StAction) / sizeof(double));
  memset(measure->sum, 0, (size_t)measure->action_count * sizeof(StAction));
  for (int f = 0; f < measure->system->force_count; f++) {
    const StForce *force = &measure->system->force[f];
    StPoint seen = st_system_seen(measure->system, force->type, at);
    if (action_count(force) > 0)
      force->type->add_actions(force->data, &seen, measure->sum + first);
    weigh(measure, first, action_count(force), at->time, force->type);
    first += action_count(force);
  }
  st_runtime_sum_all(measure->sum, numbers);
  for (int i = 0; i < measure->action_count; i++)
    measure->action[i].action = measure->sum[i];
  report->action_count = measure->action_count;
  report->action = measure->action;
}

StStatus st_measure_create(const StSystem *system, StMeasure **result, StError *error) {
  const StDescription *description = system->description;
  StMeasure *measure = ST_OWNER(StMeasure);
  ST_TRY_MEMORY(measure, error);
  measure->system = system;
  measure->zone = ST_OWN(measure, StVolumeReport, description->volume_count);
  measure->bearing = ST_OWN(measure, StBearingReport, description->bearing_count);
  for (int f = 0; f < system->force_count; f++)
    measure->action_count += action_count(&system->force[f]);
  measure->action = ST_OWN(measure, StActionReport, measure->action_count);
  measure->sum = ST_OWN(measure, StAction, measure->action_count);
  ST_TRY(st_owner_give(measure, result, error));
  name_actions(measure);
  for (int i = 0; i < description->volume_count; i++)
    measure->zone[i].name = description->volume[i].name;
  for (int i = 0; i < description->bearing_count; i++)
    measure->bearing[i].name = description->bearing[i].name;
  return ST_OK;
}

void st_measure_destroy(StMeasure *measure) {
  st_owner_free(measure);
}

// Every rank knows all vertices of volumes and bearings.
static void read_instruments(StMeasure *measure, const StPoint *at, StReport *report) {
  const StSystem *system = measure->system;
  report->zone_count = system->description->volume_count;
  report->zone = measure->zone;
  report->bearing_count = system->description->bearing_count;
  report->bearing = measure->bearing;
  for (int f = 0; f < system->force_count; f++) {
    const void *data = system->force[f].data;
    for (int i = 0; i < report->zone_count && system->force[f].type == &st_force_volume; i++)
      st_volume_read(data, at, i, &measure->zone[i].volume, &measure->zone[i].pressure);
    for (int i = 0; i < report->bearing_count && system->force[f].type == &st_force_bearing; i++) {
      StBearingReport *bearing = &measure->bearing[i];
      st_bearing_read(data, at, i, &bearing->angle, &bearing->speed, &bearing->torque);
    }
  }
}

void st_measure_take(StMeasure *measure, const StPoint *at, StReport *report) {
  const StSystem *system = measure->system;
  double sum[SUM_COUNT] = {0};
  sum_vertices(system, at, sum);
  sum_forces(system, at, sum);
  st_runtime_sum_all(sum, SUM_COUNT);
  report->kinetic_energy = report->total_energy = sum[KINETIC];
  report->volume = sum[VOLUME];
  measure->mass = sum[MASS];
  measure->inverted = (int)sum[INVERTED];
  report->force_count = system->force_count;
  for (int i = 0; i < system->force_count; i++) {
    bool has_energy = system->force[i].type->has_energy;
    report->force_name[i] = system->force[i].type->name;
    report->force_energy[i] = has_energy ? sum[ENERGY + i] : NAN;
    report->total_energy += has_energy ? sum[ENERGY + i] : 0;
  }
  vec3_copy(sum + MOMENTUM, report->momentum);
  vec3_copy(sum + ANGULAR, report->angular_momentum);
  for (int c = 0; c < 3; c++)
    report->centre_of_mass[c] = sum[MASS] > 0 ? sum[FIRST_MOMENT + c] / sum[MASS] : 0;
  st_rigidity_measure(system, at, report);
}

void st_measure_read(StMeasure *measure, const StPoint *at, StReport *report) {
  read_instruments(measure, at, report);
  read_actions(measure, at, report);
}
