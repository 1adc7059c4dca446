// One stage of a step as a problem for Newton:
//   r(v) = M (v - v*) - a h f(q* + a h v, v) - h G,   scaled by 1/√m, zero on prescribed
//   coordinates.
// Unknown y with v = v_prescribed + S y, S = 1/√m on free coordinates and 0 on prescribed ones, so
// that the Jacobian is 1 - S (a²h² ∂f/∂q + a h ∂f/∂v) S. In a static analysis
//   r(v) = -a h f(q* + a h v, 0),   S = T/(h √m),
// with a time T (`reach`) that is long against the vibration of everything that is held. The
// Jacobian keeps its 1: a proximal term, which moves nothing that is in equilibrium, and lets what
// nothing holds go no farther than its load takes it in the time T.
#pragma once

#include "solve/problem.h"
#include "step/arc.h"
#include "step/boundary.h"
#include "step/contact_step.h"
#include "step/integrator.h"
#include "step/islands.h"
#include "step/parking.h"
#include "step/state.h"
#include "step/system.h"

struct StTurning;
struct StTurningStep;

typedef struct StStageProblem {
  StSystem *system;
  StProblem problem;           // what Newton sees; its context is this struct
  StContactStep *contact_step; // NULL: stiffness of contact stays as it is

  bool keeps_room;                    // the matrix has room for contacts of this step
  StArc *arc;                         // along which bodies turn
  int frame_count, *frame;            // [frame_count][ST_CARRIERS] carriers of rigid bodies
  bool *fixed;                        // [vertex_count] all three coordinates are prescribed
  bool *fixed_column;                 // [columns] the same for those of Newton's matrix
  StIslands *islands;                 // which take steps of their own length
  StParking *parking;                 // those of them that are solved
  StAdvanceHits hits;                 // on the path examined last
  bool filled;                        // the matrix belongs to the present linearisation, …
  bool whole;                         // … with all blocks
  bool led;                           // so does `pull`,
  bool coupled;                       // and so do the couplings:
  double *coupling, *coupling_weight; // [coupling_count][owned][3], [coupling_count]

  double time, ah, h;
  double step_start;     // when the step began
  double progress;       // of prescribed motions since then, 0 … 1
  double lead;           // of obstacles over that, while their effect is looked at
  double reach;          // s; in a static analysis the time scale of unknowns, otherwise 0
  double period;         // s; of a round of pseudo-time, which is that scale then; 0: none
  double contact_weight; // of contact and friction in f; 1 but for decoupled integrators
  StTrouble trouble;     // of the last residual that was outside the domain

  // [owned][3]
  double *history; // G
  double *held;    // v of prescribed coordinates, 0 elsewhere
  double *shift;   // [rows] on the diagonal of the scaled Jacobian
  // [vertex_count][3]
  double *goal;   // v*
  double *start;  // q*; for prescribed coordinates q_prescribed - a h v_prescribed
  double *origin; // where the step began
  double *scale;  // S
  double *position, *velocity, *force; // at the last residual
  double *direction, *result;          // of a product
  double *pull;                        // of prescribed vertices that go on, on the others' forces
  double *from;                        // positions at the beginning of a step of Newton's
} StStageProblem;

StStatus st_stage_create(StSystem *system, StStageProblem **stage, StError *error);
void st_stage_destroy(StStageProblem *stage);

// Contact that is new in an iterate is stiffened by this (st_contact_step_meet).
void st_stage_use_contact_step(StStageProblem *stage, StContactStep *contact_step);

// A step begins: the matrix has no room for contacts of earlier steps.
void st_stage_begin_step(StStageProblem *stage);

// States that a stage is predicted from.
typedef struct StStageKnown {
  const StState *state;                      // in which the step begins
  const double *position, *velocity, *force; // [owned][3] the result of its first stage
} StStageKnown;

// q*, v* and G of a stage of a step of size h, and the weight of contact.
void st_stage_predict(StStageProblem *stage, const StIntegrator *method, const StStage *row,
                      const StStageKnown *known, double h);

// After that: v* of rigid bodies follows their free rotation (step/turning.h).
void st_stage_predict_rotation(StStageProblem *stage, struct StTurning *turning,
                               const StBoundary *boundary, const struct StTurningStep *step);

typedef struct StStageTimes {
  double step_start; // when the step began
  double time;       // of forces and of prescribed velocities
  double arrival;    // of prescribed positions: the end of the step where `time` is just before it,
                     // so that what is tied to them is in balance with where the step leaves them
  double ah, h;
} StStageTimes;

// After the prediction: takes the boundary's mask, velocities and positions, for a step that began
// at `origin`, [owned][3]. Collective.
void st_stage_prepare(StStageProblem *stage, const StBoundary *boundary, const double *origin,
                      const StStageTimes *times);

// In a static analysis, after st_stage_prepare: r gets the inertia of a round of pseudo-time
// (step/pseudo_time.h), which begins at rest at the positions of this velocity, [owned][3].
// Unknowns change their scale. period 0: r is that of equilibrium again. Collective.
void st_stage_use_period(StStageProblem *stage, double period, const double *velocity);

// The factor of M (v - v*) in r.
double st_stage_inertia(const StStageProblem *stage);

// The boundary's mask alone, so that what it fixes of the matrix is known before a step.
// Collective.
void st_stage_fix(StStageProblem *stage, const StBoundary *boundary, double step_start);

// The stage's positions and velocities at some time, with the contacts there. Who writes into them
// says so to the system's contacts.
StPoint st_stage_point(const StStageProblem *stage, double time);

// Whether anything that is prescribed, or an obstacle, moves in this step. Collective.
bool st_stage_moves(const StStageProblem *stage);

// y for a given velocity, and position and velocity for a given y; all owned entries only.
void st_stage_unknown(const StStageProblem *stage, const double *velocity, double *y);
void st_stage_result(const StStageProblem *stage, const double *y, double *position,
                     double *velocity);

// Changes a step p from y so that bodies move as if they were rigid; see step/arc.h.
void st_stage_take_strain(StStageProblem *stage, const double *y, double *p);

// Moves the stage to a committed state, and fills `force` there. ST_NOT_SOLVED: it is outside the
// domain. Collective.
StStatus st_stage_evaluate_state(StStageProblem *stage, const StState *state, StPoint *at);

// One force alone at the last point, [vertex_count][3], until the next call. Collective.
const double *st_stage_single_force(StStageProblem *stage, int index);
