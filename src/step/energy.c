// Energy balance of a step.
#include "step/energy.h"

#include "contact/core/readout.h"
#include "force/list.h"
#include "force/shell_material.h"
#include "force/solid_material.h"
#include "model/body.h"
#include "solve/runtime.h"
#include "step/tunables.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Energies are sums of many terms with rounding errors.
static const double ROUND_OFF = 1e-12;

// Digits lost in the energy of an element.
static const double LOST = 4 * DBL_EPSILON;

void st_energy_count(StEnergyRecord *record, const StReport *report) {
  record->work += report->external_work;
  if (report->energy_gain > record->largest_gain) {
    record->largest_gain = report->energy_gain;
    record->largest_time = report->time;
  }
  if (!(report->energy_gain <= report->energy_error)) { // also rejects NaN
    record->unexplained++;
    record->unexplained_energy += report->energy_gain;
  }
}

void st_energy_words(const StEnergyRecord *record, char *text, size_t size) {
  text[0] = 0;
  if (record->unexplained > 0)
    snprintf(
        text, size,
        "Energy grew beyond the work done in %ld step%s, by %.3g J in all. The largest gain of a "
        "step, explained or not, was %.3g J, in the step to t = %.6g s.",
        record->unexplained, record->unexplained == 1 ? "" : "s", record->unexplained_energy,
        record->largest_gain, record->largest_time);
}

static double element_moduli(const StDescription *description, const StSolidMaterial *solid,
                             const StShellStiffness *shell) {
  const StSolidMaterial *last = NULL;
  double sum = 0, modulus = 0;
  for (int b = 0; b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    const StMesh *mesh = body->mesh;
    for (int t = 0; t < mesh->tet_count; t++) {
      const StSolidMaterial *material = &solid[st_body_tet_material(body, t)];
      if (material != last)
        modulus = material->law->modulus(material->k);
      last = material;
      sum += modulus * st_tet_volume(mesh->position, mesh->tet + 4 * t);
    }
    for (int t = 0; t < st_body_shell_count(body); t++) {
      const StShellStiffness *material = &shell[st_body_triangle_material(body, t)];
      sum += (material->lambda + 2 * material->mu) *
             st_triangle_area(mesh->position, mesh->triangle + 3 * t);
    }
  }
  return sum;
}

StStatus st_energy_noise(const StDescription *description, double *noise, StError *error) {
  StSolidMaterial *solid = NULL;
  StShellStiffness *shell = NULL;
  StStatus status = st_solid_materials_create(description, &solid, error);
  if (status == ST_OK)
    status = st_shell_materials_create(description, &shell, error);
  if (status == ST_OK)
    *noise = LOST * element_moduli(description, solid, shell);
  free(solid);
  free(shell);
  return status;
}

// Energy that depends on time, for bodies at rest at one end of the step.
static double timed_energy(const StSystem *system, const double *position, double time) {
  StPoint at = {.time = time,
                .position = position,
                .velocity = position}; // no energy depends on velocities, …
  double sum = 0;
  for (int i = 0; i < system->force_count; i++) {
    const StForceType *type = system->force[i].type;
    if (type->has_energy && type->of_time) // … nor one of contact on time alone
      sum += st_system_energy(system, i, &at);
  }
  return sum;
}

static bool depends_on_time(const StSystem *system) {
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].type->has_energy && system->force[i].type->of_time)
      return true;
  return false;
}

// Second difference over the step of the energy that depends on time, at rest at one of its ends.
static double timed_bend(const StSystem *system, const StEnergyEnds *ends, const double *position,
                         double change) {
  double middle = 0.5 * (ends->start + ends->last);
  double half =
      timed_energy(system, position, middle) - timed_energy(system, position, ends->start);
  return change - 2 * half;
}

// Work of what changes during the step, half at its start and half at its end; and of what changes
// at its end. It is uncertain by half of how much the force changes: of a spring k whose length
// changes by L while its end moves by x, that is kLx if the force changes with the motion (the
// mixed difference), and kL(x − L) if the end keeps up with the length, as that of a tie does. Both
// are exact for an end that stays, or keeps up; the smaller one counts.
static double timed_work(const StSystem *system, const StEnergyEnds *ends, double *error) {
  *error = 0;
  if (!depends_on_time(system))
    return 0;
  double at_start =
      timed_energy(system, ends->from, ends->last) - timed_energy(system, ends->from, ends->start);
  double last = timed_energy(system, ends->to, ends->last);
  double at_end = last - timed_energy(system, ends->to, ends->start);
  double jump = timed_energy(system, ends->to, ends->end) - last;
  double bend = timed_bend(system, ends, ends->from, at_start) +
                timed_bend(system, ends, ends->to, at_end); // kL²/2
  double sum[3] = {0.5 * (at_start + at_end) + jump, at_end - at_start, 2 * bend};
  st_runtime_sum_all(sum, 3);
  *error = 0.5 * fmin(fabs(sum[1]), fabs(sum[1] + sum[2]));
  return sum[0];
}

// Energy equivalent of Newton's velocity tolerance at these speeds.
static double solver_error(const StEnergyEnds *ends, double kinetic) {
  double speed = ends->velocity_tolerance;
  return speed * sqrt(2 * ends->mass * kinetic) + ends->mass * speed * speed;
}

static bool is_touching(const StSystem *system, const StEnergyEnds *ends) {
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].type == &st_force_contact)
      return ends->before->force_energy[i] > 0 || ends->after->force_energy[i] > 0;
  return false;
}

// The energy of what is prescribed is exact and exchanged with nothing: the mass of a drum that is
// turned does not matter to what falls about in it.
static double allowed_gain(const StEnergyEnds *ends, double work, double of_a_reason) {
  const StReport *a = ends->before, *b = ends->after;
  double stored = fmax(a->kinetic_energy, b->kinetic_energy);
  double kinetic = fmax(stored - ends->done.led, 0), exchanged = kinetic + fabs(work);
  for (int i = 0; i < b->force_count; i++)
    if (!isnan(b->force_energy[i])) {
      exchanged += fabs(b->force_energy[i] - a->force_energy[i]);
      stored += fabs(b->force_energy[i]);
    }
  double most = of_a_reason * exchanged;
  double reasons = fmin(ends->lost, most) + fmin(ends->done.error, most);
  return st_step_tunables.energy_method_error * exchanged +
         fmin(reasons, st_step_tunables.energy_regained * exchanged) + ROUND_OFF * stored +
         ends->noise + ends->done.noise + solver_error(ends, kinetic);
}

double st_energy_jump(const StSystem *system, const StPoint *start, const StReport *before) {
  double now = 0, then = 0;
  for (int i = 0; i < system->force_count; i++) {
    const StForceType *type = system->force[i].type;
    if (type != &st_force_contact && type != &st_force_friction)
      continue;
    now += type->energy(system->force[i].data, start);
    then += before->force_energy[i];
  }
  return fmax(st_runtime_sum(now) - then, 0);
}

static double friction_energy(const StSystem *system, const StReport *report) {
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].type == &st_force_friction)
      return report->force_energy[i];
  return 0;
}

double st_energy_pressing_work(const StSystem *system, const StPoint *end, const StReport *before) {
  if (!end->contact_set)
    return 0;
  double held = st_runtime_sum(st_readout_held_energy(end->contact_set, end->position));
  return fmax(held - friction_energy(system, before), 0);
}

// What all but friction gained beyond what friction and the outside did. What anchors store does
// not matter, only what they do.
static double rebound(const StSystem *system, const StEnergyEnds *ends, double work) {
  double after = ends->after->total_energy - friction_energy(system, ends->after);
  double before = ends->before->total_energy - friction_energy(system, ends->before);
  return after - before - (work - ends->pressing_work) - ends->done.rubbed;
}

// A NaN energy must not pass as small, nor an infinite one as explained.
StEnergyBalance st_energy_balance(const StSystem *system, const StEnergyEnds *ends) {
  double error, work = ends->done.work + ends->pressing_work + timed_work(system, ends, &error);
  double gain = ends->after->total_energy - ends->before->total_energy - work;
  double worst = ends->done.rubs ? fmax(gain, rebound(system, ends, work)) : gain;
  double of_a_reason = is_touching(system, ends) ? st_step_tunables.energy_in_contact
                                                 : st_step_tunables.energy_regained;
  double allowed = allowed_gain(ends, work, of_a_reason) + error;
  return (StEnergyBalance){.work = work,
                           .gain = isnan(gain) ? INFINITY : gain,
                           .worst = isnan(gain) ? INFINITY : worst,
                           .allowed = isfinite(allowed) ? allowed : 0};
}
