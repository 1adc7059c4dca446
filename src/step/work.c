// External work, and that of friction.
// Tested by tests/verify/test_energy_balance.c.
#include "step/work.h"

#include "base/memory.h"
#include "force/list.h"
#include "force/rigid.h"
#include "solve/runtime.h"

#include <math.h>
#include <string.h>

static bool obstacles_move(const StDescription *description) {
  for (int i = 0; i < description->obstacle_count; i++)
    if (st_motion_moves(&description->obstacle[i].motion))
      return true;
  return false;
}

static bool boundaries_move(const StDescription *description) {
  for (int i = 0; i < description->boundary_count; i++)
    if (st_motion_moves(&description->boundary[i].motion))
      return true;
  return false;
}

// A force with an external cause, such as a load or wind, whose work is in no energy.
static bool is_program(const StSystem *system, int index) {
  const StForceType *type = system->force[index].type;
  return type->of_outside && !type->has_energy;
}

static bool programs_act(const StSystem *system) {
  for (int i = 0; i < system->force_count; i++)
    if (is_program(system, i))
      return true;
  return false;
}

static int find_force(const StSystem *system, const StForceType *type) {
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].type == type)
      return i;
  return -1;
}

StStatus st_work_create(const StSystem *system, StWork **result, StError *error) {
  StWork *work = ST_OWNER(StWork);
  ST_TRY_MEMORY(work, error);
  work->system = system;
  work->by_obstacles = system->contacts && obstacles_move(system->description);
  work->by_vertices = boundaries_move(system->description);
  work->by_programs = programs_act(system);
  work->friction = work->by_obstacles ? -1 : find_force(system, &st_force_friction);
  work->rigid = find_force(system, &st_force_rigid);
  size_t led = work->by_vertices ? 3 * (size_t)system->piece->owned_count : 0;
  bool single = work->by_programs || work->friction >= 0;
  work->impulse = ST_OWN(work, double, led);
  work->end = ST_OWN(work, double, led);
  work->rubbing =
      ST_OWN(work, double, work->friction >= 0 ? 3 * (size_t)system->piece->owned_count : 0);
  work->force = ST_OWN(work, double, single ? 3 * (size_t)system->piece->vertex_count : 0);
  return st_owner_give(work, result, error);
}

void st_work_destroy(StWork *work) {
  if (!work)
    return;
  st_pair_readouts_free(&work->pairs);
  st_owner_free(work);
}

bool st_work_possible(const StWork *work) {
  return work->by_obstacles || work->by_vertices || work->by_programs;
}

bool st_work_begin(StWork *work, bool rubs) {
  size_t bytes = 3 * (size_t)work->system->piece->owned_count * sizeof(double);
  work->sum = work->end_sum = 0;
  work->rubs = rubs && work->friction >= 0;
  if (work->by_vertices)
    memset(work->impulse, 0, bytes);
  if (work->rubs)
    memset(work->rubbing, 0, bytes);
  return work->rubs || st_work_possible(work);
}

// If one force acts for the whole step, its work is that over the obstacle's path: times its final
// velocity it would be wrong in first order, increasingly so as the obstacle comes to rest.
static StStatus add_obstacles(StWork *work, const StPoint *at, bool alone, double h,
                              double *work_done, StError *error) {
  StContactExtremes unused;
  if (st_readout_pairs(at->contact_set, at->position, at->velocity, NULL, &work->pairs, &unused) !=
      ST_OK)
    return st_fail_memory(error);
  for (int i = 0; i < work->pairs.count; i++) {
    const StPairReadout *pair = &work->pairs.row[i];
    *work_done += alone ? pair->driving_work : h * pair->driving_power;
  }
  return ST_OK;
}

static double program_work(StWork *work, const StPoint *at, double h) {
  double sum = 0;
  const StSystem *system = work->system;
  for (int f = 0; f < system->force_count; f++) {
    if (!is_program(system, f))
      continue;
    st_system_single_force(system, f, at, work->force);
    for (int i = 0; i < 3 * system->piece->owned_count; i++)
      sum += h * work->force[i] * at->velocity[i];
  }
  return sum;
}

static void add_rubbing(StWork *work, const StPoint *at, double share) {
  st_system_single_force(work->system, work->friction, at, work->force);
  for (int i = 0; i < 3 * work->system->piece->owned_count; i++)
    work->rubbing[i] += share * work->force[i];
}

StStatus st_work_add(StWork *work, const StPoint *at, const double *force, double share, double h,
                     StError *error) {
  int size = 3 * work->system->piece->owned_count;
  for (int i = 0; work->by_vertices && i < size; i++) {
    work->impulse[i] += share * force[i];
    work->end[i] = force[i];
  }
  if (work->rubs)
    add_rubbing(work, at, share);
  work->end_sum = work->by_programs ? program_work(work, at, h) : 0;
  StStatus status = ST_OK;
  if (work->by_obstacles)
    status = add_obstacles(work, at, share == 1, h, &work->end_sum, error);
  work->sum += share * work->end_sum;
  return st_runtime_agree(status, error);
}

// Work on a prescribed vertex: its kinetic energy, and motion against the forces on it.
static double vertex_work(const StWork *work, const double *force, const double *held,
                          const StState *from, const double *position, const double *velocity) {
  const double *mass = work->system->piece->mass;
  double sum = 0, inertia = work->system->still ? 0 : 0.5;
  for (int i = 0; i < from->size; i++) {
    double before = from->velocity[i], after = velocity[i];
    if (held[i] == 0)
      sum += inertia * mass[i / 3] * (after * after - before * before) -
             force[i] * (position[i] - from->position[i]);
  }
  return sum;
}

static double led_energy(const StWork *work, const double *held, const StState *from,
                         const double *velocity) {
  const double *mass = work->system->piece->mass;
  double before = 0, after = 0;
  for (int i = 0; i < from->size && !work->system->still; i++)
    if (held[i] == 0) {
      before += 0.5 * mass[i / 3] * from->velocity[i] * from->velocity[i];
      after += 0.5 * mass[i / 3] * velocity[i] * velocity[i];
    }
  return fmin(before, after);
}

static double work_noise(const StWork *work, const double *held, const StState *from,
                         const double *position) {
  if (work->rigid < 0)
    return 0;
  const void *rigid = work->system->force[work->rigid].data;
  return st_rigid_work_noise(rigid, held, from->position, position);
}

// A step's impulse times the mean of the velocities at both ends is what it does to the kinetic
// energy, exactly.
static double rubbing_work(const StWork *work, const StState *from, const double *velocity,
                           double h) {
  double sum = 0;
  for (int i = 0; i < from->size; i++)
    sum += 0.5 * h * work->rubbing[i] * (from->velocity[i] + velocity[i]);
  return sum;
}

StWorkDone st_work_total(const StWork *work, const double *held, const StState *from,
                         const double *position, const double *velocity, double h) {
  double sum[5] = {work->sum, work->end_sum};
  if (work->by_vertices) {
    sum[0] += vertex_work(work, work->impulse, held, from, position, velocity);
    sum[1] += vertex_work(work, work->end, held, from, position, velocity);
    sum[2] = led_energy(work, held, from, velocity);
    sum[4] = work_noise(work, held, from, position);
  }
  if (work->rubs)
    sum[3] = rubbing_work(work, from, velocity, h);
  st_runtime_sum_all(sum, 5);
  return (StWorkDone){.work = sum[0],
                      .error = fabs(sum[0] - sum[1]),
                      .noise = sum[4],
                      .led = sum[2],
                      .rubbed = sum[3],
                      .rubs = work->rubs};
}
