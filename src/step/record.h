// What a simulation hands out: a snapshot for frames, a report per step, and the complete state for
// a checkpoint. All in the description's numbering, so that files do not depend on the number of
// ranks.
#ifndef ST_STEP_RECORD_H
#define ST_STEP_RECORD_H

#include "base/status.h"

#include <stddef.h>

enum { ST_RECORD_FORCES = 12 };

// One committed step (or the initial state, step 0), the same on every rank.
typedef struct StReport {
  long step;   // committed steps so far
  double time; // s, at the end of the step
  double h;    // s, size of the step
  int newton_iterations;
  int linear_iterations; // Krylov iterations, or factorisations for the direct solver
  int retries;           // failed attempts before this one
  double residual;       // m/s: max |r_i|/m_i when accepted
  double seconds;        // wall time of the step
  double kinetic_energy; // J
  int force_count;
  const char *force_name[ST_RECORD_FORCES];
  double force_energy[ST_RECORD_FORCES]; // J; NAN for forces without an energy
  double total_energy;                   // kinetic and all force energies
  double momentum[3];                    // kg m/s
  double angular_momentum[3];            // kg m²/s about the origin
  double centre_of_mass[3];              // m
  double volume;                         // m³ of all tets
} StReport;

// Complete on rank 0; arrays are NULL on other ranks.
typedef struct StSnapshot {
  double time;
  int frame;
  int vertex_count, tet_count;
  double *position; // [vertex_count][3]
  double *velocity; // [vertex_count][3]
  int force_count;
  const char *force_name[ST_RECORD_FORCES];
  double *force[ST_RECORD_FORCES]; // [vertex_count][3] N, each force at this state; NULL when not
                                   // asked for
  double *stress; // [tet_count][6] Cauchy xx yy zz xy yz zx, Pa; NULL when not asked for
} StSnapshot;

void st_snapshot_free(StSnapshot *snapshot); // frees the arrays

// Everything needed to go on as if nothing had happened. Complete on rank 0.
typedef struct StCheckpoint {
  long step;
  int frame; // frames written so far
  double time;
  double h;            // size of the next step
  double h_previous;   // size of the last one, 0 before the first
  int steps_since_cut; // for growing the step back
  long total_newton, total_linear, total_retries;
  double wall_seconds; // over all sittings
  int vertex_count;
  double *position, *velocity;                   // [vertex_count][3]
  double *position_previous, *velocity_previous; // [vertex_count][3] (bdf2)
  double *force;                                 // [vertex_count][3] total force at this state (tr)
  size_t extra_size; // bytes that forces keep between steps (contact stiffness, sides, angles …)
  char *extra;
} StCheckpoint;

void st_checkpoint_free(StCheckpoint *checkpoint); // frees the arrays

#endif
