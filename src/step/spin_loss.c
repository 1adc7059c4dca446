// Adds up what bodies lose of their rotation.
#include "step/spin_loss.h"

#include "base/memory.h"
#include "force/joint.h"
#include "math/vec3.h"
#include "step/tunables.h"

#include <math.h>
#include <stdio.h>

StStatus st_spin_loss_create(const StDescription *description, StSpinLoss **result,
                             StError *error) {
  StSpinLoss *loss = ST_OWNER(StSpinLoss);
  ST_TRY_MEMORY(loss, error);
  loss->description = description;
  loss->led = ST_OWN(loss, bool, description->body_count);
  loss->tied = ST_OWN(loss, bool, description->body_count);
  loss->of_body = ST_OWN(loss, StSpun, description->body_count);
  ST_TRY(st_owner_give(loss, result, error));
  st_description_mark_held(description, loss->led);
  st_joints_mark_tied(description, loss->tied);
  return ST_OK;
}

void st_spin_loss_destroy(StSpinLoss *loss) {
  st_owner_free(loss);
}

// J, of what turns, and with what gravity lends it and takes back.
typedef struct Energy {
  double turning, whole;
} Energy;

// The inertia of a thin or distant body has few digits: where it hardly turns, they could make the
// energy negative, of which any loss is too much.
static double spin_energy(const StBodyReport *body) {
  return fmax(0.5 * vec3_dot(body->angular_momentum, body->angular_velocity), 0);
}

static Energy energy_of(const StSpinLoss *loss, const StReport *report, int body) {
  const StBodyReport *of = &report->body[body];
  if (!loss->tied[body])
    return (Energy){spin_energy(of), spin_energy(of)};
  return (Energy){of->kinetic_energy, of->kinetic_energy + of->potential_energy};
}

void st_spin_loss_begin(StSpinLoss *loss, const StReport *report) {
  for (int b = 0; b < report->body_count; b++) {
    Energy energy = energy_of(loss, report, b);
    loss->of_body[b] = (StSpun){.energy = energy.whole, .highest = energy.turning};
  }
}

static double angle_in_step(const StReport *report, int body) {
  return vec3_length(report->body[body].angular_velocity) * report->h;
}

// Part of what is damped that a step takes.
static double part_in_step(const StIntegrator *method, double angle) {
  return method->spin_loss * pow(angle, method->spin_order);
}

// J, of the energy of rotation: all but what bodies keep (step/angular.h). Their centres go along
// chords about what they are tied to.
static double damped_energy(const StSpinLoss *loss, const StIntegrator *method,
                            const StReport *report, int body) {
  double turning = energy_of(loss, report, body).turning;
  return method->turns ? fmax(turning - spin_energy(&report->body[body]), 0) : turning;
}

// Without a drive E falls by c (ωh)ⁿ E in a step, and ω² with it: after k steps E/E(0) = 1/(1 + k c
// (ωh)²), or 1/√(1 + 2 k c (ωh)⁴).
static double lost_after(const StIntegrator *method, double in_step, double steps) {
  double falls = in_step * steps;
  return method->spin_order == 4 ? 1 - 1 / sqrt(1 + 2 * falls) : falls / (1 + falls);
}

// J, of which a part is lost: for a body on a joint, which stops when it turns back, the most it
// ever had.
static double whole_of(const StSpinLoss *loss, const StSpun *spun, int body, double turning) {
  return loss->tied[body] ? spun->highest : turning + spun->lost;
}

// in_step: J, what the step took. What friction and impacts take, they would have taken of what was
// lost, too.
static void count_step(const StSpinLoss *loss, int body, Energy energy, double in_step) {
  StSpun *spun = &loss->of_body[body];
  double others = spun->energy - energy.whole - in_step;
  double from = loss->tied[body] ? spun->highest : spun->energy;
  if (others > 0)
    spun->lost *= fmax(1 - others / from, 0);
  spun->lost += in_step;
  spun->energy = energy.whole;
  spun->highest = fmax(spun->highest, energy.turning);
}

static StSpinRecord record_of(const StSpinLoss *loss, const StReport *report, int body) {
  const StIntegrator *integrator = st_integrator_find(loss->description->integrator);
  double left = fmax(loss->description->time.duration - report->time, 0);
  double angle = angle_in_step(report, body), turning = energy_of(loss, report, body).turning;
  double lost =
      fmin(loss->of_body[body].lost / whole_of(loss, &loss->of_body[body], body, turning), 1);
  double in_step = turning > 0 ? part_in_step(integrator, angle) *
                                     damped_energy(loss, integrator, report, body) / turning
                               : 0;
  return (StSpinRecord){
      .body = body,
      .time = report->time,
      .speed = vec3_length(report->body[body].angular_velocity),
      .angle = angle,
      .lost = lost,
      .until_end = 1 - (1 - lost) * (1 - lost_after(integrator, in_step, left / report->h))};
}

void st_spin_loss_count(StSpinLoss *loss, const StIntegrator *method, const StReport *report,
                        StSpinRecord *record, const StLog *log) {
  char words[600];
  for (int b = 0; b < report->body_count && record->body < 0; b++) {
    StSpun *spun = &loss->of_body[b];
    Energy energy = energy_of(loss, report, b);
    if (loss->led[b])
      continue;
    count_step(loss, b, energy,
               part_in_step(method, angle_in_step(report, b)) *
                   damped_energy(loss, method, report, b));
    if (!(spun->lost > st_step_tunables.integrator_loss * whole_of(loss, spun, b, energy.turning)))
      continue;
    *record = record_of(loss, report, b);
    st_spin_loss_words(loss->description, record, words, sizeof words);
    st_log(log, ST_WARNING, "%s", words);
  }
}

// Of an integrator that loses nothing by itself.
static void tell_of_damped_steps(const StDescription *description, const StSpinRecord *record,
                                 char *text, size_t size) {
  snprintf(
      text, size,
      "steps that gained energy with \"%s\" are taken by backward Euler, which damps rotation: "
      "by t = %.6g s that has taken %.2g %% of the energy of rotation of body \"%.100s\", "
      "which turns by %.2g° in a step (%.3g rad/s); smaller steps avoid it",
      description->integrator, record->time, 100 * record->lost,
      description->body[record->body].name, record->angle * 180 / M_PI, record->speed);
}

void st_spin_loss_words(const StDescription *description, const StSpinRecord *record, char *text,
                        size_t size) {
  text[0] = 0;
  if (record->body < 0)
    return;
  if (st_integrator_find(description->integrator)->spin_loss == 0) {
    tell_of_damped_steps(description, record, text, size);
    return;
  }
  snprintf(text, size,
           "integrator \"%s\" damps rotation: by t = %.6g s it has taken %.2g %% of the energy of "
           "rotation of body \"%.100s\", which turns by %.2g° in a step (%.3g rad/s), and it takes "
           "%.0f %% by the end of the run if nothing drives or brakes it, more if it speeds up; %s",
           description->integrator, record->time, 100 * record->lost,
           description->body[record->body].name, record->angle * 180 / M_PI, record->speed,
           100 * record->until_end,
           st_integrator_find(description->integrator)->spin_order == 4
               ? "half the step loses an eighth"
               : "bdf2 and tr_bdf2 keep it, and smaller steps lose less");
}
