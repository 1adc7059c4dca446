// Forces, power and slip of contact and friction at given positions and velocities, computed with
// the same functions as the forces of the simulation: per pair, per vertex, and extremes over all
// contacts. This rank's points only, no MPI: the caller adds up pairs over ranks.
#pragma once

#include "contact/core/contacts.h"

typedef enum StSlipState { ST_CONTACT_FREE, ST_CONTACT_STICKING, ST_CONTACT_SLIDING } StSlipState;

typedef struct StPairReadout {
  int pair;
  int order;                 // for merging lists
  double touching, sticking; // number of points
  double normal_force;       // N, sum of magnitudes
  double friction_size;      // N, sum of magnitudes
  double friction[3];        // N, on the points
  double force[3];           // N, normal force and friction on the collider, …
  double torque[3];          // N m, … the same about the origin, …
  double other_torque[3];    // … and on the other body, whose force is the opposite
  double power;              // W, friction force times sliding velocity, of both sides; anchored:
                             // only the part that is neither stored nor returned
  double net[3];             // N, total on both bodies; 0 with an obstacle, which has no forces
  double driving_power;      // W, done by a moving obstacle as it pushes and drags
  double driving_work;       // J, the same forces times its path since the start of the step
  double lost_power;         // W, the power that all forces take from the motion of both sides
} StPairReadout;

// Pairs with contacts or lagged friction, in order; all other pairs have zeros.
typedef struct StPairReadouts {
  int count;
  StPairReadout *row; // [count]
  size_t capacity;
} StPairReadouts;

void st_pair_readouts_free(StPairReadouts *readouts); // frees the array

// Sorts rows of several ranks by pair and sums those of the same pair, in the order they came.
void st_pair_readouts_merge(StPairReadouts *readouts);

// Extremes over all contacts of the rank, of all pairs.
typedef struct StContactExtremes {
  double cone_violation;     // N, largest |friction| - μ × normal force; -INFINITY: no friction
  double normal_force_error; // N, largest |normal force used by friction - the true one|
  double creep_speed;        // m/s, of the fastest sticking point
  double displacement;       // m, the largest elastic displacement that an anchor holds
  double factor;      // the largest factor of stiffness, see contact/barrier/adaptive_stiffness.h
  double deepest_gap; // m; INFINITY: there is no contact
  int deepest_vertex; // description's number; -1
} StContactExtremes;

// position, velocity: [vertex_count][3] with ghosts. ST_SYSTEM_FAULT: out of memory; otherwise the
// set's status.
// mean: [vertex_count][3] velocities in the step, for the power lost; NULL: not wanted.
StStatus st_readout_pairs(const StContactSet *set, const double *position, const double *velocity,
                          const double *mean, StPairReadouts *readouts,
                          StContactExtremes *extremes);

// J, the energy that anchors would store under the current normal forces if nothing else had
// changed since the start of the step.
double st_readout_held_energy(const StContactSet *set, const double *position);

// Values of a vertex, merged over all contacts in which it belongs to the collider.
enum {
  ST_READOUT_NORMAL_FORCE, // N, sum of magnitudes
  ST_READOUT_GAP,          // m, the smallest; the scene's largest thickness without contact
  ST_READOUT_SLIP_SPEED,   // m/s, the largest; 0 without contact
  ST_READOUT_HELD,         // m, the largest elastic displacement of an anchor; 0 without contact
  ST_READOUT_STATE,        // StSlipState; sliding if any contact slides
  ST_READOUT_WIDTH
};

// vertex: [owned_count][ST_READOUT_WIDTH]
StStatus st_readout_vertices(const StContactSet *set, const double *position,
                             const double *velocity, double *vertex);
