// What a simulation returns: a snapshot for frames, a report per step, and the complete state for a
// checkpoint. All in the description's numbering, so files do not depend on the number of ranks.
#pragma once

#include "base/status.h"
#include "judge/judge.h"
#include "force/action.h"
#include "step/outcome.h"

#include <stdbool.h>
#include <stddef.h>

enum { ST_RECORD_FORCES = 24 };

// Pairs that a report has whether they have touched or not: all of most scenes.
enum { ST_REPORT_PAIRS = 1024 };

// One contact pair in a committed state.
typedef struct StPairReport {
  int pair;               // its number, model/contact_pairs.h
  const char *name;       // "block|floor": whose vertices, against what
  bool itself;            // a body against itself
  int touching, sticking; // vertices
  double normal_force;    // N, sum of magnitudes
  double friction[3];     // N, on the vertices
  double force[3];        // N, pressing and friction on the first; the other gets the opposite
  double torque[3];       // N m, on the first about the origin, …
  double other_torque[3]; // … and on the other; 0: an obstacle's, which feels nothing
  double lost;            // J, taken from the motion of both in the step, stored energy included
} StPairReport;

// One body in a committed state.
typedef struct StBodyReport {
  const char *name;
  double mass;                // kg
  double volume;              // m³ of its tets
  double centre[3];           // m, of mass
  double velocity[3];         // m/s, of that
  double momentum[3];         // kg m/s
  double angular_momentum[3]; // kg m²/s about its centre
  double angular_velocity[3]; // rad/s, of a rigid body with that and the same mass; 0: a needle
  double kinetic_energy;      // J
  double elastic_energy;      // J, of tets, membranes and bending
  double potential_energy;    // J, of gravity
  double contact_force[3];    // N, total over everything it touches
  double contact_torque[3];   // N m, the same about its centre
} StBodyReport;

// A probe in a committed state.
typedef struct StProbeReport {
  const char *name;
  double point[3];    // m
  double velocity[3]; // m/s
  double distance;    // m, to its other end; NAN: it has none
} StProbeReport;

// All contacts in a committed state, and how well they satisfy the laws of friction: the
// certificate (docs/physics.md).
typedef struct StContactReport {
  int touching, sticking;              // vertices, once for each of their contacts
  double normal_force, friction_force; // N, sums of magnitudes
  double cone_violation; // N, largest |friction| - μ × normal force; NAN: no contact with friction
  double friction_power;     // W, dissipated: negative; not what anchors store
  double held_displacement;  // m, the largest elastic displacement of an anchor
  double pair_net_force;     // N, largest over pairs of two bodies; action is reaction: zero
  double normal_force_error; // N, largest |normal force used by friction - the true one|
  double deepest_gap;        // m; NAN: nothing touches
  int deepest_vertex;        // in the description's numbering; -1
  double creep_speed;        // m/s, of the fastest sticking vertex
  double sticking_speed;     // m/s, the ε below which a vertex counts as sticking, largest of all
                             // pairs that stick by velocity; 0: none
  double stiffness_growth;   // largest ratio of κ to what the scene says
  int repeats;               // of the step with stiffer contact
} StContactReport;

// The worst values of all committed steps of a run, over all its sessions.
typedef struct StContactRecord {
  double cone_violation, friction_power, pair_net_force, normal_force_error;
  double creep_speed, held_displacement, sticking_speed, stiffness_growth;
  long repeats;
  double deepest_gap, deepest_time;
  int deepest_vertex;
  // Steps that ended inside something, possible only after an initial overlap:
  bool overlapping; // the last step did
  long overlapping_steps;
  double overlap_time; // when the last of them ended
} StContactRecord;

// Findings of the independent check in a state.
typedef struct StJudgeReport {
  StJudgeMode mode;
  bool checked; // this state was checked; otherwise the rest is undefined
  StJudgement found;
} StJudgeReport;

// One kind of finding over all states checked.
typedef struct StFindingRecord {
  long states;                  // with such findings
  long most;                    // in one state
  double most_time, first_time; // s
  int body, other, obstacle;    // of the first (judge/judge.h)
} StFindingRecord;

// Everything the independent check found in a run, over all its sessions.
typedef struct StJudgeRecord {
  long starts, steps; // states checked: initial ones, and after a step
  long found;         // states with a finding
  StFindingRecord kind[ST_FOUND_KINDS];
} StJudgeRecord;

// A volume in a committed state.
typedef struct StVolumeReport {
  const char *name;
  double volume;   // m³
  double pressure; // Pa, absolute, inside
} StVolumeReport;

// A bearing in a committed state.
typedef struct StBearingReport {
  const char *name;
  double angle;  // rad, from rest, including whole turns
  double speed;  // rad/s
  double torque; // N m, of the drive
} StBearingReport;

// A load or a joint in a committed state.
typedef struct StActionReport {
  const char *name;
  bool joint; // it has a travel
  StAction action;
} StActionReport;

// Reaction of a boundary or an obstacle: its force and torque on bodies in a committed state.
typedef struct StReactionReport {
  const char *name;
  bool obstacle;
  double force[3];  // N, on the bodies
  double torque[3]; // N m, on them about the world's origin
} StReactionReport;

// Energy over all committed steps of a run, over all its sessions.
typedef struct StEnergyRecord {
  double work;               // J, external
  double largest_gain;       // J, of a step beyond that work; -INFINITY before the first
  double largest_time;       // s, when that step ended
  long unexplained;          // steps whose gain exceeds their errors
  double unexplained_energy; // J, what they gained
} StEnergyRecord;

// The largest strain of a rigid body in a run.
typedef struct StRigidRecord {
  double strain;
  double time; // s, when that step ended
  int body;
} StRigidRecord;

// The first body that lost a notable part of its rotation to the integrator.
typedef struct StSpinRecord {
  int body;            // -1: none
  double time;         // s, when that was noticed
  double speed, angle; // rad/s, and rad in a step
  double lost;         // part of its energy of rotation, …
  double until_end;    // … and by the end of the run if nothing drives or brakes it
} StSpinRecord;

// Energy that backward Euler has taken from motion in a run (step/motion_loss.h).
typedef struct StLossRecord {
  double taken;   // J, beyond what damping, friction and contact took, …
  double moving;  // … of that in any step no more than the kinetic energy at its ends
  double fastest; // J, the largest kinetic energy of vertices that are not prescribed
  double spent;   // J, taken by damping, friction and contact, and work in magnitude
  bool warned;    // the warning was given:
  double warned_time, warned_share; // when, s, and the part of the energy in motion by then
} StLossRecord;

// How the committed steps of a run were solved, and why attempts at them were rejected.
typedef struct StRecoveryRecord {
  long solved[ST_RUNG_COUNT];      // steps
  long rejected[ST_OUTCOME_COUNT]; // attempts
  int most_iterations;             // Newton iterations of one step, rejected attempts included
  double most_time;                // s, when that step ended
} StRecoveryRecord;

// One committed step (or the initial state, step 0), the same on every rank.
typedef struct StReport {
  long step;                // committed steps so far
  double time;              // s, at the end of the step
  double h;                 // s, size of the step
  int newton_iterations;    // of all attempts at the step, rejected ones included
  int linear_iterations;    // Krylov iterations, or factorisations for the direct solver; likewise
  int residual_evaluations; // by Newton's method; likewise
  int retries;              // rejected attempts before the accepted one
  int rejected[ST_OUTCOME_COUNT]; // reasons of those
  StRung rung;                    // how it was finally solved
  double residual;                // m/s: max |r_i|/m_i when accepted
  double seconds;                 // wall time of the step
  double kinetic_energy;          // J
  int force_count;
  const char *force_name[ST_RECORD_FORCES];
  double force_energy[ST_RECORD_FORCES]; // J; NAN for forces without an energy
  double total_energy;                   // kinetic and all force energies
  double external_work;       // J, done in the step by moving obstacles and boundaries, and by what
                              // changes over time
  double pressing_work;       // J, of that, stored by anchors that are pressed more
  double energy_gain;         // J, what the total gained beyond that; negative: lost
  double energy_error;        // J, a gain that the errors of method and solver explain
  double momentum[3];         // kg m/s
  double angular_momentum[3]; // kg m²/s about the origin
  double centre_of_mass[3];   // m
  double volume;              // m³ of all tets
  int body_count;
  const StBodyReport *body; // [body_count]
  int listed_bodies;        // that have columns in the history
  int probe_count;
  const StProbeReport *probe; // [probe_count]
  int rigid_count;            // number of rigid bodies; if any:
  double rigid_strain;        // the largest strain among them, ideally 0, …
  int rigid_body;             // … and whose
  int zone_count;
  const StVolumeReport *zone; // [zone_count] in the order of the description's volumes
  int bearing_count;
  const StBearingReport *bearing; // [bearing_count]
  int action_count;
  const StActionReport *action; // [action_count] loads, then joints
  int reaction_count;
  const StReactionReport *reaction; // [reaction_count] boundaries, then obstacles
  // If bodies may touch; otherwise 0, NULL and undefined:
  int64_t possible_pairs; // all that may
  int pair_count;
  const StPairReport *pair; // [pair_count] the first ST_REPORT_PAIRS, then those that touched
  int touching_count;
  const int *touching; // [touching_count] of these, those that carry anything, in their order
  StContactReport contact;
  const StContactRecord *record;
  const StEnergyRecord *energy; // of the run so far
  const StRecoveryRecord *recovery;
  const StRigidRecord *rigidity;
  const StSpinRecord *spin;
  const StLossRecord *loss;
  StJudgeReport judge;
  const StJudgeRecord *judged;
} StReport;

// Consecutive vertices, tets or cells of the description.
typedef struct StRows {
  int first, count;
} StRows;

// Complete on rank 0, with arrays that are NULL on other ranks; or on each rank the rows it asked
// for.
typedef struct StSnapshot {
  double time;
  int frame;
  int vertex_count, tet_count; // in the arrays; triangles have no fields of their own
  double *position;            // [vertex_count][3]
  double *velocity;            // [vertex_count][3]
  int force_count;
  const char *force_name[ST_RECORD_FORCES];
  double *force[ST_RECORD_FORCES]; // [vertex_count][3] N, each force at this state; NULL if not
                                   // requested
  // [vertex_count] contact of each vertex; NULL if not requested or if nothing can touch
  double *contact_normal_force; // N, sum of magnitudes
  double *contact_gap;          // m, the smallest; the largest thickness when free
  double *slip_speed;           // m/s, the largest
  double *held_displacement;    // m, the largest displacement held by an anchor; 0 when free
  int *contact_state;           // StSlipState (contact/core/readout.h)
  // Findings of the independent check; NULL if this state was not checked.
  int *findings;  // [vertex_count] bit k: part of a finding of kind k (StFindingKind)
  int *inverted;  // [tet_count] 1: inverted
  double *stress; // [tet_count][6] Cauchy xx yy zz xy yz zx, Pa; NULL when not requested
} StSnapshot;

void st_snapshot_free(StSnapshot *snapshot); // frees the arrays

// Everything needed to continue with identical results. Complete on rank 0.
typedef struct StCheckpoint {
  long step;
  int frame; // frames written so far
  double time;
  double h;            // size of the next step
  double h_previous;   // size of the last one, 0 before the first
  int steps_since_cut; // for growing the step back
  long total_newton, total_linear, total_retries;
  double wall_seconds;      // over all sessions
  double processor_seconds; // the same, of all processes together
  int vertex_count;
  double *position, *velocity;                   // [vertex_count][3]
  double *position_previous, *velocity_previous; // [vertex_count][3] (bdf2)
  double *solved;    // [vertex_count][3] velocity that solved the last stage
  double *force;     // [vertex_count][3] total force at this state (tr)
  size_t extra_size; // bytes that forces keep between steps (contact stiffness, sides, angles …)
  char *extra;
  size_t program_count; // numbers that a program keeps with the state (api/saved.c); runs have none
  double *program;
} StCheckpoint;

void st_checkpoint_free(StCheckpoint *checkpoint); // frees the arrays
