// The structs behind the public handles.
#pragma once

#include "stiction/stiction.h"

#include "api/call.h"
#include "api/course.h"
#include "api/custom_force.h"
#include "api/parameters.h"
#include "api/public_report.h"
#include "base/log.h"
#include "field/field.h"
#include "output/recorder.h"
#include "step/simulation.h"
#include "step/verdict.h"

#include <pthread.h>
#include <stdatomic.h>

// Handles may be freed in any order: what others still need stays until they are gone too. All
// calls share the session, and closing has it alone (api/call.h).
struct Stiction {
  StTurn turn;
  atomic_bool closed;
  atomic_int references;     // its own, until it is closed, and those of scenes
  pthread_mutex_t listing;   // guards …
  StictionSimulation *first; // … those that are alive
  pthread_mutex_t listening; // messages are told one at a time
  StLog log;
  StictionListener write;
  void *context;
};

// A boundary's or an obstacle's motion that comes from outside.
typedef struct StDrive {
  StDriver driver; // its context is this struct
  StictionPoseAt pose;
  StictionTargetsAt targets;
  void *context;
  int vertex_count;
  double *rest;     // [vertex_count][3] of a boundary driven vertex by vertex
  bool rest_is_own; // a simulation's may be its scene's
  StCourse course;  // where the program has sent it; see course.h
  StCourse past;    // how it came, before the program did so last
} StDrive;

// Of all boundaries and obstacles of a description, which has their drivers.
typedef struct StDrives {
  StDescription *description;
  StDrive *drive; // boundaries, then obstacles
} StDrives;

typedef struct StSkinView {
  int count;
  int *triangle; // NULL: not requested
} StSkinView;

struct StictionScene {
  StReleased released;
  atomic_int references; // its own and those of simulations
  Stiction *session;
  StDescription *description;
  char *path; // of its file; of one that could be where relative paths start
  char *text;
  size_t size;
  pthread_mutex_t skinning; // guards …
  StSkinView *skin;         // … [bodies]
  StDrives drives;
  StCustomForce **force; // [force_count]
  size_t force_count, force_capacity;
};

// Arrays that stay where they are; rank 0 has them.
typedef struct StLive {
  double *position, *velocity;                     // [vertices][3]
  bool wants_forces, wants_stress, wants_findings; // on all ranks
  double *total;                                   // [vertices][3]
  const char *force_name[ST_RECORD_FORCES];        // NULL: no further one
  double *force[ST_RECORD_FORCES];                 // [vertices][3]
  double *normal_force, *gap, *slip;               // [vertices]
  int *state;                                      // [vertices]
  int *finding, *inverted;                         // [vertices], [tets] NULL: not requested
  bool judged;                                     // the judge looked at this state
  double *stress;                                  // [tets][6] NULL: not requested
  double *field[ST_FIELD_TYPES];                   // of the last call for each; NULL: none
} StLive;

// Changes since the last step that the simulation has not taken over yet.
typedef struct StPending {
  bool any;
  StChange change;
  bool rebuild;
} StPending;

// Values that other threads read without waiting for a step, as of the last call.
typedef struct StShown {
  _Atomic double time; // s; NAN: the session has been closed
  atomic_bool finished, on_frame;
  atomic_int threads;
} StShown;

// Derivatives by numbers of the scene (api/derivative.h).
typedef struct StDerivatives StDerivatives;

// The recording of a simulation.
typedef struct StRecord {
  StRecorder *recorder; // NULL: not recorded
  StRunOptions options; // of the recorder
  char *folder;
  double frame_rate; // 1/s
} StRecord;

struct StictionSimulation {
  StReleased released;
  StictionSimulation *previous, *next; // of the same session
  Stiction *session;
  StictionScene *scene;
  StDescription *own;       // the scene's, with numbers and motions of its own
  StSimulation *simulation; // NULL: the session has been closed
  int vertex_count;
  StDrives drives; // of `own`
  StParameters parameters;
  StPending pending;
  StRecord record;
  StictionState *start;        // where it began
  StictionContact *contact;    // of the last time that they were asked for
  StDerivatives *derivatives;  // NULL: none are followed
  struct StSurfaces *surfaces; // api/surfaces.h; NULL: places on them were not requested
  StLive live;
  StShown shown;
  StPublicReport report;
  char verdict[ST_VERDICT_SIZE];
};

// A saved state. Other ranks than the first have only the scalars.
struct StictionState {
  StReleased released;
  StCheckpoint checkpoint;
  char *bytes; // the same as a file has it; NULL: not requested
  size_t size;
};

// For api/call.h.
StTurn *st_session_turn(Stiction *session);
bool st_session_is_closed(const Stiction *session);
void st_session_hold(Stiction *session); // a reference to it
void st_session_drop(Stiction *session);

void st_scene_drop(StictionScene *scene);

void st_simulation_show(StictionSimulation *simulation); // its present state in `shown`

// Ends it before PETSc is stopped. Its arrays stay until it is freed.
void st_simulation_end(StictionSimulation *simulation);

// Motions of a description from outside. `like`: those it begins with, NULL: none.
StStatus st_drives_create(StDescription *description, const StDrives *like, StDrives *drives,
                          StError *error);
void st_drives_free(StDrives *drives);

// The courses of all boundaries, then obstacles, as ST_COURSE_NUMBERS numbers each. NULL: none has
// one. recall: false when something moves now that did not.
int st_drives_count(const StDrives *drives);
void st_drives_remember(const StDrives *drives, double *number);
bool st_drives_recall(StDrives *drives, const double *number);

// Goes on with the courses of others, by names. Before that, `hold` makes the same things able to
// move, from where they are at this time; false as above.
bool st_drives_hold(StDrives *drives, const StDrives *others, double time);
void st_drives_follow(StDrives *drives, const StDrives *others);

// Takes over what was changed since the last step. Collective.
StStatus st_pending_settle(StictionSimulation *simulation, StError *error);

// Makes the simulation anew in this state, with all that was changed. The old one stays when that
// fails. Collective.
StStatus st_pending_rebuild(StictionSimulation *simulation, const StCheckpoint *checkpoint,
                            StError *error);

// Copies the present state into the live arrays, and forces and stress where they are wanted.
// Collective.
StStatus st_live_refresh(StictionSimulation *simulation, StError *error);
void st_live_free(StLive *live); // what it points to

// The same after something that may have failed on the way: returns its status, then the copy's.
StStatus st_live_follow(StictionSimulation *simulation, StStatus status, StError *error);

// ST_BAD_INPUT with the names there are.
StStatus st_live_find_force(const StictionSimulation *simulation, const char *name, int *index,
                            StError *error);

// The public description of a field, without values; and the number of cells or vertices.
StictionField st_field_public(const StFieldType *type);
int st_field_count(const StDescription *description, bool of_cells);

// The state as it is, and back to it. *state is freed by st_saved_destroy. Collective.
StStatus st_saved_take(StictionSimulation *simulation, StictionState **state, StError *error);
StStatus st_saved_give(StictionSimulation *simulation, const StictionState *state, StError *error);
void st_saved_destroy(StictionState *state); // NULL is fine

// The same for the checkpoint of a recording. Without anything that the program has changed, it
// keeps nothing for the program. Going on is collective.
StStatus st_saved_keep(const StictionSimulation *simulation, StCheckpoint *checkpoint,
                       StError *error);
StStatus st_saved_go_on(StictionSimulation *simulation, StCheckpoint *checkpoint, StError *error);

// Tells where it is recorded of a committed step; of a state that was gone to; of the simulation
// made anew; and ends. All do nothing where it is not recorded. Collective.
StStatus st_record_step(StictionSimulation *simulation, StError *error);
StStatus st_record_jump(StictionSimulation *simulation, StError *error);
StStatus st_record_follow(StictionSimulation *simulation, StError *error);
StStatus st_record_end(StictionSimulation *simulation, const char *reason, StError *error);

// Readers of a run's folder take texts of scenes up to a size.
StStatus st_scene_check_size(const StictionScene *scene, StError *error);
