// What the public handles are inside.
#ifndef ST_API_HANDLES_H
#define ST_API_HANDLES_H

#include "stiction/stiction.h"

#include "api/call.h"
#include "api/custom_force.h"
#include "api/public_report.h"
#include "base/log.h"
#include "step/simulation.h"
#include "step/verdict.h"

// Handles may be freed in any order: what others still need stays until they are gone too. Counts
// and lists change only during calls (api/call.h).
struct Stiction {
  bool closed;
  int references;            // its own, until it is closed, and those of scenes
  StictionSimulation *first; // alive
  StError error;             // of the call that is under way
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
  double *rest; // [vertex_count][3] of a boundary driven vertex by vertex
} StDrive;

typedef struct StSkinView {
  int count;
  int *triangle; // NULL: nobody has asked for it
} StSkinView;

struct StictionScene {
  StReleased released;
  int references; // its own and those of simulations
  Stiction *session;
  StDescription *description;
  char *path; // of its file; of one that could be where relative paths start
  char *text;
  size_t size;
  StSkinView *skin;        // [bodies]
  StDrive *boundary_drive; // [boundaries]
  StDrive *obstacle_drive; // [obstacles]
  StCustomForce **force;   // [force_count]
  size_t force_count, force_capacity;
  int simulation_count; // alive: the scene may not change meanwhile
};

// Arrays that stay where they are; rank 0 has them.
typedef struct StLive {
  double *position, *velocity;                     // [vertices][3]
  bool wants_forces, wants_stress, wants_findings; // on all ranks
  double *total;                                   // [vertices][3]
  double *force[ST_RECORD_FORCES];                 // [vertices][3]
  double *normal_force, *gap, *slip;               // [vertices]
  int *state;                                      // [vertices]
  int *finding, *inverted; // [vertices], [tets] NULL: nobody has asked for them
  bool judged;             // the judge looked at this state
  double *stress;          // [tets][6] NULL: nobody has asked for it
} StLive;

struct StictionSimulation {
  StReleased released;
  StictionSimulation *previous, *next; // of the same session
  Stiction *session;
  StictionScene *scene;
  StSimulation *simulation; // NULL: the session has been closed
  int vertex_count;
  StLive live;
  StPublicReport report;
  char verdict[ST_VERDICT_SIZE];
};

void st_session_drop(Stiction *session); // a reference to it
void st_scene_drop(StictionScene *scene);

// Ends it before PETSc is stopped. Its arrays stay until it is freed.
void st_simulation_end(StictionSimulation *simulation);

// ST_BAD_INPUT while simulations made from the scene are alive.
StStatus st_scene_may_change(const StictionScene *scene, StError *error);

// Copies the present state into the live arrays, and forces and stress where they are wanted.
// Collective.
StStatus st_live_refresh(StictionSimulation *simulation, StError *error);
void st_live_free(StLive *live); // what it points to

// ST_BAD_INPUT with the names there are.
StStatus st_live_find_force(const StictionSimulation *simulation, const char *name, int *index,
                            StError *error);

#endif
