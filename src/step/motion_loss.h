// Energy that backward Euler takes from motion: what a step loses beyond the work done on it, and
// beyond what damping, friction and contact take by their impulses (docs/physics.md). With a
// coefficient of restitution, the loss is not separated exactly from that of impacts.
#pragma once

#include "base/log.h"
#include "step/integrator.h"
#include "step/record.h"
#include "step/system.h"

typedef struct StMotionLoss {
  const StSystem *system;
  int contact, friction, damping; // indices of these forces, or -1
  double least;                   // J/kg, see st_motion_loss_least
  double *force;                  // [vertex_count][3] of damping; NULL: there is none
  // J, taken by damping in the present step: its force times the displacement, and its force times
  // the mean of the velocities at both ends and the step.
  double damped, braked;
} StMotionLoss;

// A committed step.
typedef struct StLossStep {
  bool counts;                // it was taken by backward Euler
  double kinetic_energy;      // J, at its start, …
  const double *force_energy; // [force_count] … and those of the forces
  double led;                 // J, kinetic energy of prescribed vertices
  double mass;                // kg, of all bodies
  bool warns;                 // a warning may be given now
} StLossStep;

StStatus st_motion_loss_create(const StSystem *system, StMotionLoss **loss, StError *error);
void st_motion_loss_destroy(StMotionLoss *loss); // NULL is fine

// J/kg, energy of the least motion that steps resolve. A fall of n steps reaches n² (gh)²/2, all of
// which a plastic impact takes, and backward Euler takes n (gh)²/2 of it. With F (gh)²/2 more in
// motion that is at most 1/√(8F) of 2n² + F. With F = 1/(4s²) this is less than the part s that is
// warned of, in any fall, and in any body that sags under its weight within a few steps.
double st_motion_loss_least(const StDescription *description);

// Work of damping in the step to this state, before the step is counted. velocity, before: [owned]
// [3] at its ends. Collective.
void st_motion_loss_measure(StMotionLoss *loss, const StPoint *at, const double *before,
                            const double *velocity, double h);

// Adds a committed step to the record, and warns once.
void st_motion_loss_count(StMotionLoss *loss, const StLossStep *step, const StReport *report,
                          StLossRecord *record, const StLog *log);

// Part of the energy in motion that the integrator has taken, no less than least (J) of it.
double st_motion_loss_share(const StLossRecord *record, double least);

// The warning; empty: nothing to say.
void st_motion_loss_words(const StDescription *description, const StLossRecord *record, char *text,
                          size_t size);
