// Cases that need nothing but the public interface: a scene built by calls, its simulation, and
// what cases ask of them. Those that change a description or read forces and states in ways that
// the public headers do not have stand on verify/trial.h.
#pragma once

#include "stiction/build.h"
#include "verify/verify.h"

typedef struct StClient {
  StictionScene *scene;
  StictionSimulation *simulation;
} StClient;

// An empty scene without gravity and contact of bodies with themselves, by the direct solver, whose
// only frames are its first and last state. speed: to which velocities are solved, m/s; 0: by
// default.
StictionBuild *st_client_build(const char *integrator, double step, double duration, double speed);

// Frees the build, also when it fails. End the client in either case.
StStatus st_client_start(const StVerify *verify, StictionBuild *build, StClient *client,
                         StError *error);
void st_client_end(StClient *client);

// Runs until the time is over; leaves off early once every vertex is slower than `rest` (0: never).
StStatus st_client_run(StClient *client, double rest, StError *error);
