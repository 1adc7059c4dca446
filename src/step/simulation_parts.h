// The internals of a simulation, for the files that build, advance, save and read it.
#pragma once

#include "step/attempt.h"
#include "step/bodies.h"
#include "step/certificate.h"
#include "step/energy.h"
#include "step/saved_state.h"
#include "step/gather.h"
#include "step/inspection.h"
#include "step/measure.h"
#include "step/motion_loss.h"
#include "step/reactions.h"
#include "step/recovery.h"
#include "step/schedule.h"
#include "step/simulation.h"
#include "step/contact_step.h"
#include "step/spin_loss.h"
#include "step/statics.h"
#include "step/step_sweep.h"
#include "step/touching_pairs.h"

struct StSimulation {
  const StDescription *description;
  const StLog *log;
  const StIntegrator *integrator; // the scene's
  const StIntegrator *starter;    // with which one of two steps starts and restarts
  bool holds_tunables;            // those of the description are in force
  StSystem *system;
  StBoundary *boundary;
  StSchedule *schedule;
  StStageProblem *stage;
  StLinear *linear;
  StAttempt *attempt;
  StState *state;
  StGather *gather;
  StGather *row_gather; // for snapshots by rows; NULL before the first
  StContactStep *contact_step;
  StStepSweep *step_sweep; // NULL if nothing touches by primitives
  StMeasure *measure;
  StBodies *bodies;
  StReactions *reactions;
  StSpinLoss *spin_loss;
  StMotionLoss *motion_loss;
  StCertificate *certificate; // NULL if nothing can touch
  StInspection *inspection;
  StStatics statics;
  StRecovery recovery;
  StStepObserver observer;
  StReport report;                     // of the committed state
  StReport next;                       // of the current attempt
  StRunMemory memory;                  // of the run so far
  double until;                        // s, target of advance; NAN: frames and the end
  double limit;                        // current limit of the step size
  int steps_since_cut;                 // what good ones since the limit changed count for
  double energy_noise;                 // J, in the energies of elements
  int inverted;                        // inverted tets in the committed state
  double *position, *velocity, *force; // [vertex_count][3] scratch with ghosts
  double *candidate, *candidate_speed; // [vertex_count][3] result of an attempt
  StTouchingPairs touching;            // at the start of the step, …
  StTouchingPairs touching_next;       // … and at the candidate
  long total_newton, total_linear, total_retries;
};

// Local copy of the committed state with ghosts, as the next step sees it: events at its start time
// are already in effect. `place` does not evaluate contacts: not for forces.
StPoint st_simulation_current(StSimulation *simulation);
StPoint st_simulation_place(StSimulation *simulation);

// The committed state as the step that led to it saw it: forces there are those that were applied,
// with the velocities of chords where the step had those.
StPoint st_simulation_applied(StSimulation *simulation);
double st_simulation_applied_time(const StSimulation *simulation);

// Reports of contact, instruments and bodies for the committed state. *at: as it was applied;
// becomes the place of the bodies, with the velocities they have there. Collective.
StStatus st_simulation_read_applied(StSimulation *simulation, StPoint *at, StError *error);

// Just after a time, when events at that time are in effect.
double st_simulation_just_after(const StSimulation *simulation, double time);

// The factors of stiffness that the next step will begin with, of all ranks. Collective.
StStatus st_simulation_next_factors(StSimulation *simulation, StFactors *factors, StError *error);

// The anchors that the next step will hold on to, packed, on rank 0; free() *bytes. Collective.
StStatus st_simulation_gather_anchors(StSimulation *simulation, char **bytes, size_t *size,
                                      StError *error);

// Goes on from these positions and velocities (rank 0's arrays, [vertex_count][3]) at this time,
// with what contacts remember of another simulation (NULL: nothing). When that state is not
// admissible, everything is as before. Collective.
StStatus st_simulation_go_on_from(StSimulation *simulation, double time, const double *position,
                                  const double *velocity, const StHandover *handover,
                                  StError *error);

// Makes the result of the attempt the state, without anything that follows from it.
void st_simulation_take_result(StSimulation *simulation, const StPlan *plan);

// Error for a state in which forces are undefined.
StStatus st_simulation_refuse(const StSimulation *simulation, const StTrouble *trouble,
                              StError *error);

// Whether the attempt's result in `candidate` is accepted: *outcome, and *why in words if not.
// Stiffens contact if something ends inside something. Fills `next` and `touching_next`.
// Collective.
StStatus st_simulation_accept(StSimulation *simulation, const StPlan *plan, StOutcome *outcome,
                              StError *why, StError *error);

// Whether bodies met or separated in the step. A two-step method carries the acceleration of the
// last step into the next, and so creates energy then: that step, and the next, use its starting
// method.
bool st_simulation_met_or_parted(const StSimulation *simulation);

// Whether the energy gained is what contact and anchors store of themselves at the start of the
// step. No smaller step would undo that.
bool st_simulation_has_stored_gain(StSimulation *simulation);

// Fills the force that the next step starts from, if the integrator needs it. ST_NOT_SOLVED with
// *trouble if the state is not admissible. Collective.
StStatus st_simulation_take_force(StSimulation *simulation, const StPoint *at, StTrouble *trouble);

// Copies the report's energies into what a checkpoint holds.
void st_simulation_remember_energy(StSimulation *simulation);

// The independent check's part of the report on the committed state, and on the step that led to
// it. Collective.
StStatus st_simulation_inspect(StSimulation *simulation, bool step, StError *error);

// Programs that drive motions run on every rank, and any may give up.
StStatus st_simulation_check_drivers(const StSimulation *simulation, StError *error);

// Chooses the linear and nonlinear solver from the scene's settings and size.
StStatus st_simulation_choose_solver(StSimulation *simulation, StError *error);
