// A running simulation: built from a description, advanced step by step. Collective: every rank
// calls every function here in the same order. Start the runtime (solve/runtime.h) first.
#pragma once

#include "base/log.h"
#include "contact/core/contact_list.h"
#include "model/description.h"
#include "solve/newton.h"
#include "step/record.h"
#include "step/system.h"

typedef struct StSimulation StSimulation;

// The description must outlive the simulation.
StStatus st_simulation_create(const StDescription *description, const StLog *log,
                              StSimulation **simulation, StError *error);
void st_simulation_destroy(StSimulation *simulation);

// Advances by one committed step, at most to the next frame time. Retries with smaller steps by
// itself. ST_NOT_SOLVED: the error gives time, vertex and force; ST_INTERRUPTED: a program that
// drives a motion gave up; the state is the last good one.
StStatus st_simulation_step(StSimulation *simulation, StError *error);

// One step towards exactly this time, no larger than the description's; ignores frames and the end
// of the run. *reached: it is there, and no step was taken.
StStatus st_simulation_step_to(StSimulation *simulation, double until, bool *reached,
                               StError *error);

// Is called with every accepted step before it is committed, when the simulation still has the
// state that the step begins with, and the attempt its result. What it returns is returned by the
// step, which is committed on ST_OK alone.
struct StPlan;
typedef struct StStepObserver {
  StStatus (*accepted)(void *context, const struct StPlan *plan, StError *error); // NULL: none
  void *context;
} StStepObserver;

void st_simulation_observe(StSimulation *simulation, StStepObserver observer);

// Of the last committed step, or of the initial state. Valid until the next step.
const StReport *st_simulation_report(const StSimulation *simulation);

// Linear systems that an iterative method fails on go into files of this folder, on one process.
StStatus st_simulation_keep_systems(StSimulation *simulation, const char *folder, StError *error);

// Newton's result in the last attempt (its last stage): residual norms, iterations, reason.
const StNewtonResult *st_simulation_newton(const StSimulation *simulation);

// The forces, for inspection.
const StSystem *st_simulation_system(const StSimulation *simulation);

// Bytes of vertex data that this rank has sent to others so far.
double st_simulation_sent(const StSimulation *simulation);

int st_simulation_threads(const StSimulation *simulation); // of this rank

double st_simulation_time(const StSimulation *simulation);
bool st_simulation_finished(const StSimulation *simulation);

// Frame k is at time k / frame_rate. True if the state is at a frame time.
bool st_simulation_on_frame(const StSimulation *simulation);
int st_simulation_frame(const StSimulation *simulation); // number of the last frame time reached
int st_simulation_frame_count(
    const StSimulation *simulation); // in the whole run, the initial one too

// Copies out; st_snapshot_free it. forces, stress: whether to compute those fields.
StStatus st_simulation_snapshot(StSimulation *simulation, bool forces, bool stress,
                                StSnapshot *snapshot, StError *error);

// The same divided among all ranks: each gets the rows it asks for, which together must be all,
// each once, in the order of ranks. No rank ever has all.
StStatus st_simulation_snapshot_rows(StSimulation *simulation, StRows vertices, StRows tets,
                                     bool forces, bool stress, StSnapshot *snapshot,
                                     StError *error);

// The contacts at the committed state, complete on rank 0; st_contact_list_free it.
StStatus st_simulation_contacts(StSimulation *simulation, StContactList *list, StError *error);

// Restarts from other positions and velocities (rank 0's arrays, [vertex_count][3]) at the current
// time; held coordinates stay held, and multi-step methods and contacts forget their past.
// ST_BAD_INPUT if that state is not admissible: then nothing changes.
StStatus st_simulation_set_state(StSimulation *simulation, const double *position,
                                 const double *velocity, StError *error);

// The same with the current positions and velocities at another time.
StStatus st_simulation_set_time(StSimulation *simulation, double time, StError *error);

// Goes on from another simulation's state, of a scene with other bodies: at its time, with
// positions and velocities of the bodies that are in both (the same name and mesh), and with what
// their contacts with each other and with obstacles of the same name remember. The memory of
// multi-step methods is dropped. ST_BAD_INPUT as above.
StStatus st_simulation_take_over(StSimulation *simulation, StSimulation *from, StError *error);

// Applies changes in the description since the last step, and updates the energy that the next step
// starts with. Covers gravity, loads, pressures, torques and optional forces; joints and friction
// if requested. *rebuild: a force has appeared or disappeared, which needs a new simulation.
typedef struct StChange {
  bool joints, friction;
} StChange;
StStatus st_simulation_renew(StSimulation *simulation, StChange change, bool *rebuild,
                             StError *error);

// A resumed run and an uninterrupted one compute the same bits. A stop may put a checkpoint after
// any step: everything that lives from one committed step to the next and affects results must be
// in it (StCheckpoint.extra).
StStatus st_simulation_checkpoint(StSimulation *simulation, StCheckpoint *checkpoint,
                                  StError *error);
StStatus st_simulation_restore(StSimulation *simulation, const StCheckpoint *checkpoint,
                               StError *error);

// A simulation that starts in that state instead of the description's.
StStatus st_simulation_create_at(const StDescription *description, const StLog *log,
                                 const StCheckpoint *checkpoint, StSimulation **simulation,
                                 StError *error);
