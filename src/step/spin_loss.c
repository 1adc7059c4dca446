// Adds up what bodies lose of their rotation.
#include "step/spin_loss.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "model/description.h"

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
  loss->of_body = ST_NEW(StSpun, description->body_count);
  if (!loss->led || !loss->of_body)
    return st_fail_memory(error);
  st_description_mark_held(description, loss->led);
  return ST_OK;
}

void st_spin_loss_destroy(StSpinLoss *loss) {
  if (!loss)
    return;
  free(loss->led);
  free(loss->of_body);
  free(loss);
}

static double energy_of(const StBodyReport *body) {
  return 0.5 * vec3_dot(body->angular_momentum, body->angular_velocity);
}

void st_spin_loss_begin(StSpinLoss *loss, const StReport *report) {
  for (int b = 0; b < report->body_count; b++) {
    double energy = energy_of(&report->body[b]);
    loss->of_body[b] = (StSpun){.energy = energy, .highest = energy};
  }
}

// Part of the energy of rotation that a step takes of a body that turns like this.
static double part_in_step(const StIntegrator *method, const StBodyReport *body, double h) {
  double angle = vec3_length(body->angular_velocity) * h;
  return method->spin_loss * angle * angle;
}

// Without a drive E falls by c (ωh)² E in a step, and ω² with it: E(t)/E(0) = 1/(1 + cω²ht).
static double lost_after(double in_step, double steps) {
  return in_step * steps / (1 + in_step * steps);
}

// in_step: J, what the step should have taken; friction and impacts may have taken more.
static void count_step(StSpun *spun, double energy, double in_step) {
  double fall = spun->energy - energy;
  spun->energy = energy;
  spun->lost = fmax(spun->lost + fmin(fall, in_step), 0);
  spun->highest = spun->lost > 0 ? fmax(spun->highest, energy) : energy;
}

static StSpinRecord record_of(const StSpinLoss *loss, const StReport *report, int body) {
  const StSpun *spun = &loss->of_body[body];
  double left = fmax(loss->description->time.duration - report->time, 0);
  double speed = vec3_length(report->body[body].angular_velocity);
  double lost = spun->lost / spun->highest;
  const StIntegrator *integrator = st_integrator_find(loss->description->integrator);
  double in_step = part_in_step(integrator, &report->body[body], report->h);
  return (StSpinRecord){.body = body,
                        .time = report->time,
                        .speed = speed,
                        .angle = speed * report->h,
                        .lost = lost,
                        .until_end = 1 - (1 - lost) * (1 - lost_after(in_step, left / report->h))};
}

void st_spin_loss_count(StSpinLoss *loss, const StIntegrator *method, const StReport *report,
                        StSpinRecord *record, const StLog *log) {
  char words[600];
  for (int b = 0; b < report->body_count && record->body < 0; b++) {
    StSpun *spun = &loss->of_body[b];
    double energy = energy_of(&report->body[b]);
    if (loss->led[b])
      continue;
    count_step(spun, energy, part_in_step(method, &report->body[b], report->h) * energy);
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
           "%.0f %% by the end of the run if nothing drives or brakes it; bdf2 and tr_bdf2 keep "
           "it, and smaller steps lose less",
           description->integrator, record->time, 100 * record->lost,
           description->body[record->body].name, record->angle * 180 / M_PI, record->speed,
           100 * record->until_end);
}
