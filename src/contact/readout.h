// What contact and friction do at given positions and velocities, in newtons and exactly as the
// forces apply it: per pair, per vertex, and the worst of all touches. A rank's own points only, no
// MPI: pairs are sums, to be added up over ranks.
#ifndef ST_CONTACT_READOUT_H
#define ST_CONTACT_READOUT_H

#include "contact/contacts.h"

typedef enum StSlipState { ST_CONTACT_FREE, ST_CONTACT_STICKING, ST_CONTACT_SLIDING } StSlipState;

typedef struct StPairReadout {
  int pair;
  int order;                 // in a list that is merged
  double touching, sticking; // points
  double normal_force;       // N, sum of magnitudes
  double friction_size;      // N, sum of magnitudes
  double friction[3];        // N, on the points
  double force[3];           // N, pressing and friction on the collider, …
  double torque[3];          // N m, … the same about the origin, …
  double other_torque[3];    // … and on the other body, whose force is the opposite
  double power;              // W, friction force times sliding velocity, of both sides; anchored:
                             // what is neither stored nor given back
  double net[3];             // N, everything on both bodies; 0 for an obstacle, which feels nothing
  double driving_power;      // W, what a moving obstacle feeds in by pushing and dragging
  double driving_work;       // J, the same forces times its way since the step's start
} StPairReadout;

// Of pairs that touch or that lagged friction goes by, in their order; all others have nothing.
typedef struct StPairReadouts {
  int count;
  StPairReadout *row; // [count]
  size_t capacity;
} StPairReadouts;

void st_pair_readouts_free(StPairReadouts *readouts); // frees the array

// Puts rows of several ranks in the order of pairs and adds up those of the same, first come first.
void st_pair_readouts_merge(StPairReadouts *readouts);

// Of all touches of the rank, whatever their pair.
typedef struct StTouchExtremes {
  double cone_violation;     // N, largest |friction| - μ × normal force; -INFINITY: no friction
  double normal_force_error; // N, largest |normal force friction went by - the true one|
  double creep_speed;        // m/s, fastest of the sticking points
  double displacement;       // m, the largest elastic displacement that an anchor holds
  double deepest_gap;        // m; INFINITY: nothing touches
  int deepest_vertex;        // description's number; -1
} StTouchExtremes;

// position, velocity: [vertex_count][3] with ghosts; ST_SYSTEM_FAULT: no memory; else the
// set's status.
StStatus st_readout_pairs(const StTouchSet *set, const double *position, const double *velocity,
                          StPairReadouts *readouts, StTouchExtremes *extremes);

// J, what anchors would store if normal forces were as they are and nothing else had changed since
// the step's start.
double st_readout_held_energy(const StTouchSet *set, const double *position);

// The numbers of a vertex, as the collider of all its contacts.
enum {
  ST_READOUT_NORMAL_FORCE, // N, sum of magnitudes
  ST_READOUT_GAP,          // m, the smallest; the scene's largest thickness when free
  ST_READOUT_SLIP_SPEED,   // m/s, the largest; 0 when free
  ST_READOUT_HELD,         // m, the longest elastic displacement of an anchor; 0 when free
  ST_READOUT_STATE,        // StSlipState; sliding when any contact slides
  ST_READOUT_WIDTH
};

// vertex: [owned_count][ST_READOUT_WIDTH]
StStatus st_readout_vertices(const StTouchSet *set, const double *position, const double *velocity,
                             double *vertex);

#endif
