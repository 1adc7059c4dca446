// Adds up what bodies lose of their rotation.
#include "step/spin_loss.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "model/description.h"

#include <math.h>
#include <stdio.h>

static int body_of(const StDescription *description, int vertex) {
  int body = 0;
  while (vertex >= description->body[body].mesh->vertex_count)
    vertex -= description->body[body++].mesh->vertex_count;
  return body;
}

StStatus st_spin_loss_create(const StDescription *description, const StIntegrator *integrator,
                             StSpinLoss **result, StError *error) {
  StSpinLoss *loss = ST_NEW(StSpinLoss, 1);
  *result = loss;
  if (!loss)
    return st_fail_memory(error);
  loss->description = description;
  loss->integrator = integrator;
  loss->record.body = -1;
  loss->led = ST_NEW(bool, description->body_count);
  loss->lost = ST_NEW(double, description->body_count);
  if (!loss->led || !loss->lost)
    return st_fail_memory(error);
  for (int i = 0; i < description->boundary_count; i++)
    for (int k = 0; k < description->boundary[i].vertex_count; k++)
      loss->led[body_of(description, description->boundary[i].vertex[k])] = true;
  return ST_OK;
}

void st_spin_loss_destroy(StSpinLoss *loss) {
  if (!loss)
    return;
  free(loss->led);
  free(loss->lost);
  free(loss);
}

// Without a drive E falls by c (ωh)² E in a step, and ω² with it: E(t)/E(0) = 1/(1 + cω²ht).
static double lost_after(double in_step, double steps) {
  return in_step * steps / (1 + in_step * steps);
}

static void tell(StSpinLoss *loss, const StReport *report, int body, const StLog *log) {
  char words[600];
  double left = fmax(loss->description->time.duration - report->time, 0);
  double speed = vec3_length(report->body[body].angular_velocity);
  double in_step = loss->integrator->spin_loss * speed * speed * report->h * report->h;
  loss->record = (StSpinRecord){.body = body,
                                .time = report->time,
                                .speed = speed,
                                .angle = speed * report->h,
                                .in_step = in_step,
                                .until_end = lost_after(in_step, left / report->h),
                                .integrator = loss->integrator->name};
  st_spin_loss_words(loss->description, &loss->record, words, sizeof words);
  st_log(log, ST_WARNING, "%s", words);
}

void st_spin_loss_count(StSpinLoss *loss, const StReport *report, const StLog *log) {
  for (int b = 0; b < report->body_count && loss->record.body < 0; b++) {
    double angle = vec3_length(report->body[b].angular_velocity) * report->h;
    double in_step = loss->integrator->spin_loss * angle * angle;
    if (loss->led[b] || !(in_step > ST_SPIN_LOSS_IN_STEP))
      continue;
    loss->lost[b] += in_step;
    if (loss->lost[b] >= ST_SPIN_LOSS_TOLD)
      tell(loss, report, b, log);
  }
}

void st_spin_loss_words(const StDescription *description, const StSpinRecord *record, char *text,
                        size_t size) {
  text[0] = 0;
  if (record->body < 0)
    return;
  snprintf(
      text, size,
      "integrator \"%s\" damps rotation: body \"%.100s\", which turns by %.2g° in a step (%.3g "
      "rad/s at t = %.6g s), loses %.2g %% of its energy of rotation in each, and %.0f %% by "
      "the end of the run if nothing drives it; bdf2 and tr_bdf2 keep it, and smaller steps "
      "lose less",
      record->integrator, description->body[record->body].name, record->angle * 180 / M_PI,
      record->speed, record->time, 100 * record->in_step, 100 * record->until_end);
}
