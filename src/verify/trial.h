// A world that runs: its description and simulation together, and the functions that cases use. One
// process only.
#pragma once

#include "step/simulation.h"
#include "verify/world.h"

typedef struct StTrial {
  StDescription *description;
  StSimulation *simulation;
} StTrial;

// Takes the world, also when it fails. End the trial in either case.
StStatus st_trial_start(StWorld *world, StTrial *trial, StError *error);
void st_trial_end(StTrial *trial);

// Runs until the time is over; leaves off early once every vertex is slower than `rest` (0: never).
StStatus st_trial_run(StTrial *trial, double rest, StError *error);
StStatus st_trial_step(StTrial *trial, StError *error);

StStatus st_trial_state(StTrial *trial, StSnapshot *state, StError *error); // st_snapshot_free it

// Goes on from these positions with one velocity for all vertices.
StStatus st_trial_throw(StTrial *trial, const double *position, const double velocity[3],
                        StError *error);

// Sum over vertices of one force at the present state, N.
StStatus st_trial_force(StTrial *trial, const char *name, double sum[3], StError *error);

double st_trial_energy(const StTrial *trial, const char *name); // of one force, J; NAN: no such

double st_trial_mass(const StTrial *trial, int body);
void st_trial_velocity(const StTrial *trial, double velocity[3]); // of the common centre of mass
