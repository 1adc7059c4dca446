// Adds up what backward Euler takes from motion.
// Tested by tests/verify/test_motion_loss.c.
#include "step/motion_loss.h"

#include "base/memory.h"
#include "force/list.h"
#include "math/vec3.h"
#include "solve/runtime.h"
#include "step/tunables.h"

#include <math.h>
#include <stdio.h>

static int find_force(const StSystem *system, const StForceType *type) {
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].type == type)
      return i;
  return -1;
}

double st_motion_loss_least(const StDescription *description) {
  double gravity = vec3_length(description->gravity);
  for (int b = 0; b < description->body_count; b++)
    if (description->body[b].own_gravity)
      gravity = fmax(gravity, vec3_length(description->body[b].gravity));
  double speed = gravity * description->time.step, part = st_step_tunables.integrator_loss;
  return 0.5 * speed * speed / (4 * part * part);
}

StStatus st_motion_loss_create(const StSystem *system, StMotionLoss **result, StError *error) {
  StMotionLoss *loss = ST_NEW(StMotionLoss, 1);
  *result = loss;
  if (!loss)
    return st_fail_memory(error);
  loss->system = system;
  loss->contact = find_force(system, &st_force_contact);
  loss->friction = find_force(system, &st_force_friction);
  loss->damping = find_force(system, &st_force_damping);
  loss->least = st_motion_loss_least(system->description);
  if (loss->damping >= 0)
    loss->force = ST_NEW(double, 3 * (size_t)system->piece->vertex_count);
  return loss->damping < 0 || loss->force ? ST_OK : st_fail_memory(error);
}

void st_motion_loss_destroy(StMotionLoss *loss) {
  if (!loss)
    return;
  free(loss->force);
  free(loss);
}

// An impulse times the mean of the velocities at both ends is what it does to the kinetic energy.
// Where stiff springs and dampers balance each other, what damping takes shows in its force times
// the displacement.
void st_motion_loss_measure(StMotionLoss *loss, const StPoint *at, const double *before,
                            const double *velocity, double h) {
  double sum[2] = {0};
  if (loss->damping < 0)
    return;
  st_system_single_force(loss->system, loss->damping, at, loss->force);
  for (int i = 0; i < 3 * loss->system->piece->owned_count; i++) {
    sum[0] -= h * loss->force[i] * velocity[i];
    sum[1] -= 0.5 * h * loss->force[i] * (before[i] + velocity[i]);
  }
  st_runtime_sum_all(sum, 2);
  loss->damped = sum[0];
  loss->braked = sum[1];
}

// J, taken from motion by contact and friction.
static double taken_by_contact(const StReport *report) {
  double sum = 0;
  for (int i = 0; i < report->pair_count; i++)
    sum += report->pair[i].lost;
  return sum;
}

// J, that a force has stored in the step.
static double stored_by(int force, const StLossStep *step, const StReport *report) {
  return force < 0 ? 0 : report->force_energy[force] - step->force_energy[force];
}

// J, lost in the step, without what contact and anchors have taken or stored.
static double lost_beyond_contact(const StMotionLoss *loss, const StLossStep *step,
                                  const StReport *report) {
  double by_contact = taken_by_contact(report) + report->pressing_work -
                      stored_by(loss->contact, step, report) -
                      stored_by(loss->friction, step, report);
  return -report->energy_gain - by_contact;
}

// J, taken by damping, of the loss that contact leaves: the larger of its two measures, of which
// that by impulse counts up to this loss.
static double taken_by_damping(const StMotionLoss *loss, double left) {
  return fmax(loss->damped, fmin(loss->braked, left));
}

static void warn(const StMotionLoss *loss, const StReport *report, StLossRecord *record,
                 const StLog *log) {
  const StDescription *description = loss->system->description;
  char words[600];
  record->warned = true;
  record->warned_time = report->time;
  record->warned_share = st_motion_loss_share(record, 0);
  st_motion_loss_words(description, record, words, sizeof words);
  st_log(log, ST_WARNING, "%s", words);
}

// A step cannot take more from motion than the kinetic energy at its ends. What it takes beyond
// that, such as of a spring that is stretched slowly or within a step, brings bodies to
// equilibrium.
void st_motion_loss_count(StMotionLoss *loss, const StLossStep *step, const StReport *report,
                          StLossRecord *record, const StLog *log) {
  double moving = fmax(fmax(step->kinetic_energy, report->kinetic_energy) - step->led, 0);
  double lost = taken_by_contact(report), left = lost_beyond_contact(loss, step, report);
  double damped = taken_by_damping(loss, left);
  record->fastest = fmax(record->fastest, moving);
  record->spent += fmax(lost, 0) + fabs(report->external_work) + fabs(damped);
  if (!step->counts)
    return;
  record->taken += left - damped;
  record->moving += fmin(left - damped, moving);
  double share = st_motion_loss_share(record, step->mass * loss->least);
  bool slowed = 2 * report->kinetic_energy < record->fastest; // else it may still speed up
  if (step->warns && slowed && !record->warned && share > st_step_tunables.integrator_loss)
    warn(loss, report, record, log);
}

double st_motion_loss_share(const StLossRecord *record, double least) {
  double settled = fmax(record->taken - record->moving, 0);
  double all = record->fastest + record->spent + settled + least;
  return all > 0 ? fmin(fmax(record->moving / all, 0), 1) : 0;
}

void st_motion_loss_words(const StDescription *description, const StLossRecord *record, char *text,
                          size_t size) {
  text[0] = 0;
  if (!record->warned)
    return;
  bool chosen = description->integrator == NULL ||
                st_integrator_find(description->integrator) == st_integrator_find("be");
  snprintf(text, size,
           "%s: by t = %.6g s it has taken %.0f %% of the energy that was in motion, beyond "
           "damping, friction and contact; %s",
           chosen ? "integrator \"be\" damps vibration and free motion"
                  : "steps taken by backward Euler damp vibration and free motion",
           record->warned_time, 100 * record->warned_share,
           chosen ? "\"integrator\": \"bdf2\" keeps most of it, and smaller steps lose less"
                  : "smaller steps lose less");
}
