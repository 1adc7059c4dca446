// External work on the bodies in one step: by moving obstacles, through the forces at their
// contacts; by prescribed vertices; and by external forces without energy. Also the work of
// friction. Uses the forces that the integrator used, so that the balance holds for the discrete
// equations.
#pragma once

#include "contact/core/readout.h"
#include "step/boundary.h"
#include "step/state.h"
#include "step/system.h"

typedef struct StWork {
  const StSystem *system;
  bool by_obstacles, by_vertices, by_programs; // whether any do; if none, nothing is computed
  int friction; // index of that force if its work is known, because no obstacle moves; or −1
  int rigid;    // index of the force that keeps rigid bodies in shape, or −1
  StPairReadouts pairs;
  double sum;      // J, by obstacles and programs on this rank's points so far
  double *impulse; // [owned][3] Σ share f, N, if by_vertices
  double end_sum;  // the same for the last point alone, …
  double *end;     // … [owned][3] and its force
  double *rubbing; // [owned][3] Σ share f of friction, N, …
  bool rubs;       // … if this step wants it
  double *force;   // [vertex_count][3] of one program, or of friction
} StWork;

typedef struct StWorkDone {
  double work;   // J, over the whole step
  double error;  // J, its difference from the work of the force at the end alone: a measure of how
                 // well the step resolves it
  double noise;  // J, of the work on prescribed vertices: what rounded positions make of it
  double led;    // J, kinetic energy of what is prescribed, at the end of the step where it is less
  double rubbed; // J, by friction on the bodies, …
  bool rubs;     // … if it was asked for and is known
} StWorkDone;

StStatus st_work_create(const StSystem *system, StWork **work, StError *error);
void st_work_destroy(StWork *work);

bool st_work_possible(const StWork *work); // false: no external work, ever

// rubs: the work of friction is wanted. Returns whether anything has to be added in this step.
bool st_work_begin(StWork *work, bool rubs);

// Adds a point whose force (owned entries complete) has this share in a step of size h.
StStatus st_work_add(StWork *work, const StPoint *at, const double *force, double share, double h,
                     StError *error);

// held: [owned][3], 0 for a prescribed coordinate. Collective.
StWorkDone st_work_total(const StWork *work, const double *held, const StState *from,
                         const double *position, const double *velocity, double h);
