// Rotation that the integrator damps. Backward Euler moves a point of a turning body along a chord,
// and what holds the body together turns that back onto its arc: in a step with the angle ωh, ω
// falls by (ωh)², and the energy of rotation by 2 (ωh)², to lowest order (docs/physics.md).
#ifndef ST_STEP_SPIN_LOSS_H
#define ST_STEP_SPIN_LOSS_H

#include "base/log.h"
#include "step/integrator.h"
#include "step/record.h"

// A step that loses more than this part of a body's energy of rotation counts; once they have cost
// a tenth together, the user should know: bodies that tip over as they land turn fast, too, but not
// for long. For backward Euler, ωh = 0.022 counts: 28 % in a turn.
#define ST_SPIN_LOSS_IN_STEP 1e-3
#define ST_SPIN_LOSS_TOLD 0.1

typedef struct StSpinLoss {
  const StDescription *description;
  const StIntegrator *integrator;
  bool *led;    // [bodies] has prescribed vertices
  double *lost; // [bodies] of its energy of rotation, in steps that count
  StSpinRecord record;
} StSpinLoss;

StStatus st_spin_loss_create(const StDescription *description, const StIntegrator *integrator,
                             StSpinLoss **loss, StError *error);
void st_spin_loss_destroy(StSpinLoss *loss); // NULL is fine

// Takes in a committed step, and warns once.
void st_spin_loss_count(StSpinLoss *loss, const StReport *report, const StLog *log);

// The warning; empty: nothing to say.
void st_spin_loss_words(const StDescription *description, const StSpinRecord *record, char *text,
                        size_t size);

#endif
