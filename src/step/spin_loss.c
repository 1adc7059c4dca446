// Adds up what bodies lose of their rotation.
#include "step/spin_loss.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "step/ties.h"

#include <math.h>
#include <stdio.h>

StStatus st_spin_loss_create(const StDescription *description, StSpinLoss **result,
                             StError *error) {
  StSpinLoss *loss = ST_NEW(StSpinLoss, 1);
  *result = loss;
  if (!loss)
    return st_fail_memory(error);
  loss->description = description;
  loss->led = ST_NEW(bool, description->body_count);
  loss->tied = ST_NEW(bool, description->body_count);
  loss->of_body = ST_NEW(StSpun, description->body_count);
  if (!loss->led || !loss->tied || !loss->of_body)
    return st_fail_memory(error);
  st_description_mark_held(description, loss->led);
  st_ties_mark(description, loss->tied);
  return ST_OK;
}

void st_spin_loss_destroy(StSpinLoss *loss) {
  if (!loss)
    return;
  free(loss->led);
  free(loss->tied);
  free(loss->of_body);
  free(loss);
}

// J, of what turns, and with what gravity lends it and takes back.
typedef struct Energy {
  double turning, whole;
} Energy;

static Energy energy_of(const StSpinLoss *loss, const StReport *report, int body) {
  const StBodyReport *of = &report->body[body];
  double spin = 0.5 * vec3_dot(of->angular_momentum, of->angular_velocity);
  if (!loss->tied[body])
    return (Energy){spin, spin};
  return (Energy){of->kinetic_energy, of->kinetic_energy + of->potential_energy};
}

void st_spin_loss_begin(StSpinLoss *loss, const StReport *report) {
  for (int b = 0; b < report->body_count; b++) {
    Energy energy = energy_of(loss, report, b);
    loss->of_body[b] = (StSpun){.energy = energy.whole, .highest = energy.turning};
  }
}

// Part of the energy of rotation that a step takes of a body that turns like this.
static double part_in_step(const StIntegrator *method, const StBodyReport *body, double h) {
  double angle = vec3_length(body->angular_velocity) * h;
  return method->spin_loss * pow(angle, method->spin_order);
}

// Without a drive E falls by c (ωh)ⁿ E in a step, and ω² with it: after k steps E/E(0) = 1/(1 + k c
// (ωh)²), or 1/√(1 + 2 k c (ωh)⁴).
static double lost_after(const StIntegrator *method, double in_step, double steps) {
  double falls = in_step * steps;
  return method->spin_order == 4 ? 1 - 1 / sqrt(1 + 2 * falls) : falls / (1 + falls);
}

// in_step: J, what the step should have taken; friction and impacts may have taken more.
static void count_step(StSpun *spun, Energy energy, double in_step) {
  double fall = spun->energy - energy.whole;
  spun->energy = energy.whole;
  spun->lost = fmax(spun->lost + fmin(fall, in_step), 0);
  spun->highest = spun->lost > 0 ? fmax(spun->highest, energy.turning) : energy.turning;
}

static StSpinRecord record_of(const StSpinLoss *loss, const StReport *report, int body) {
  const StSpun *spun = &loss->of_body[body];
  double left = fmax(loss->description->time.duration - report->time, 0);
  double speed = vec3_length(report->body[body].angular_velocity);
  double lost = fmin(spun->lost / spun->highest, 1);
  const StIntegrator *integrator = st_integrator_find(loss->description->integrator);
  double in_step = part_in_step(integrator, &report->body[body], report->h);
  return (StSpinRecord){
      .body = body,
      .time = report->time,
      .speed = speed,
      .angle = speed * report->h,
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
    count_step(spun, energy, part_in_step(method, &report->body[b], report->h) * energy.turning);
    if (!(spun->lost > ST_SPIN_LOSS_TOLD * spun->highest))
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
           "%.0f %% by the end of the run if nothing drives or brakes it; %s",
           description->integrator, record->time, 100 * record->lost,
           description->body[record->body].name, record->angle * 180 / M_PI, record->speed,
           100 * record->until_end,
           st_integrator_find(description->integrator)->spin_order == 4
               ? "half the step loses an eighth"
               : "bdf2 and tr_bdf2 keep it, and smaller steps lose less");
}
