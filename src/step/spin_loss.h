// Rotation that the integrator damps. Backward Euler moves points along chords: in a step with the
// angle ωh, ω falls by (ωh)², and the energy of rotation by 2 (ωh)², to lowest order
// (docs/physics.md). Bodies that turn about themselves and each other get that back
// (step/angular.h). Other integrators lose less, or nothing, but steps that gain energy are taken
// by it instead. A body on a joint or a bearing turns about a point outside of it, too: there it is
// all of its kinetic energy, or with backward Euler that of its centre.
#pragma once

#include "base/log.h"
#include "step/integrator.h"
#include "step/record.h"

// Changes of the energy of rotation of a body, J.
typedef struct StSpun {
  double energy;  // now; of a tied body with that of gravity
  double lost;    // to the integrator: what there would be more without it
  double highest; // the most there was
} StSpun;

typedef struct StSpinLoss {
  const StDescription *description;
  bool *led;       // [bodies] has prescribed vertices
  bool *tied;      // [bodies] is on a joint or a bearing
  StSpun *of_body; // [bodies]
} StSpinLoss;

StStatus st_spin_loss_create(const StDescription *description, StSpinLoss **loss, StError *error);
void st_spin_loss_destroy(StSpinLoss *loss); // NULL is fine

// Takes a state as one that nothing has been lost from.
void st_spin_loss_begin(StSpinLoss *loss, const StReport *report);

// Takes in a committed step, by the method that it was solved with, and warns once.
void st_spin_loss_count(StSpinLoss *loss, const StIntegrator *method, const StReport *report,
                        StSpinRecord *record, const StLog *log);

// The warning; empty: nothing to say.
void st_spin_loss_words(const StDescription *description, const StSpinRecord *record, char *text,
                        size_t size);
