// Static analysis: scale of the unknowns, tolerances of an equilibrium, and messages where there is
// none.
#pragma once

#include "step/attempt.h"

// A body that went as a whole in an attempt that failed: nothing balances what acts on it.
typedef struct StAdrift {
  double share; // how far, of its length; 0: there is none
  int body;
  double force[3]; // N, what is left of all forces
  bool touches, rolls;
} StAdrift;

typedef struct StStatics {
  double reach;        // s, see step/stage.h; 0: the analysis is dynamic
  double least_period; // s, see step/pseudo_time.h
  double length;       // m, of the longest body
  double pace;         // m/s², acceleration by which a body's own stiffness strains it by one
  double mass;         // kg, of all bodies
  double mode;  // negative eigenvalue of the Jacobian at the last solution; 0: none was found, …
  int unstable; // … and the body that moves most in its mode
  double jump;  // of a body's length, in the last attempt at the step; 0: none
  StAdrift adrift; // in the attempt at the step in which one went farthest
} StStatics;

// All zero for a dynamic analysis. Collective.
StStatus st_statics_measure(const StSystem *system, StStatics *statics, StError *error);

// For a load step. position: [vertex_count][3], where it begins; room: the same size. Collective.
void st_statics_choose_tolerances(const StStatics *statics, const StSystem *system,
                                  const double *position, const StPlan *plan, double *room,
                                  StNewtonOptions *options);

// Whether a body jumps in a step of size h: a vertex leaves the course of the last step by more
// than a fraction of the body's length and by more than twice the way that this course would have
// taken it, and does so as far in a step of half the size. Until that is tried it counts as a jump.
// position: [owned][3], the step's end. Collective.
bool st_statics_jumps(StStatics *statics, const StSystem *system, const StState *state,
                      const double *position, double h);

// Whether the solution of an attempt is unstable: fills `mode` and `unstable`. Collective.
StStatus st_statics_find_mode(StStatics *statics, StAttempt *attempt, StError *error);

// After an attempt at a step of size h that failed: fills `adrift` if a body went farther than in
// those before. Later ones are shorter, and may run out of iterations before it moves. Collective.
StStatus st_statics_note_drift(StStatics *statics, const StAttempt *attempt, const StState *state,
                               double h, StError *error);

// Fills *error with ST_NOT_SOLVED and why there is no equilibrium after the last attempt at a step
// of size h: which body slides or is free, or which one buckles (unstable). Collective.
StStatus st_statics_explain(const StStatics *statics, StAttempt *attempt, const StState *state,
                            double h, bool unstable, StError *error);
