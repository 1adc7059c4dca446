// Stiction from C, and from whatever can call C: load a scene, step it, read vertices and volumes.
// All quantities are SI. Under MPI every process makes the same calls in the same order, and arrays
// are complete on rank 0. A session and what was made with it belong to one thread at a time.
#ifndef STICTION_STICTION_H
#define STICTION_STICTION_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STICTION_API __attribute__((visibility("default")))

typedef enum StictionStatus {
  STICTION_OK = 0,
  STICTION_BAD_INPUT = 1,    // a scene, a file or an argument is wrong
  STICTION_SYSTEM_FAULT = 2, // memory, disk, MPI
  STICTION_NOT_SOLVED = 3,   // a step could not be solved; the state is the last good one
  STICTION_INTERRUPTED = 4,
  STICTION_BUG = 5, // a check inside the library failed; please report it
} StictionStatus;

typedef enum StictionLevel {
  STICTION_DETAIL = 0,
  STICTION_INFO = 1,
  STICTION_WARNING = 2,
} StictionLevel;

typedef struct Stiction Stiction; // a session: the solvers' run-time, and the last error's text
typedef struct StictionScene StictionScene;
typedef struct StictionSimulation StictionSimulation;

STICTION_API const char *stiction_version(void); // "0.1.0"

// Starts MPI (unless the caller has) and PETSc: one session at a time. When it fails and *session
// is not NULL, stiction_error tells why; close it all the same.
STICTION_API StictionStatus stiction_open(Stiction **session);

// Free scenes and simulations first. MPI cannot be started again in the same process.
STICTION_API void stiction_close(Stiction *session); // NULL is fine

// Why the last call that failed did so, complete with file, line and key where there are any.
// Valid until the next call that fails; "" when none has.
STICTION_API const char *stiction_error(const Stiction *session);

// Where warnings and news go; nowhere unless this is called. text has no newline at its end.
STICTION_API void stiction_listen(Stiction *session,
                                  void (*write)(void *context, int level, const char *text),
                                  void *context);

STICTION_API int stiction_rank(const Stiction *session); // 0 on the process that gets the arrays

// Reads and checks a scene file; docs/scene.md says what is in one.
STICTION_API StictionStatus stiction_scene_load(Stiction *session, const char *path,
                                                StictionScene **scene);
STICTION_API void stiction_scene_free(StictionScene *scene); // NULL is fine

STICTION_API double stiction_scene_duration(const StictionScene *scene); // s

// The scene must outlive the simulation.
STICTION_API StictionStatus stiction_simulation_create(Stiction *session,
                                                       const StictionScene *scene,
                                                       StictionSimulation **simulation);
STICTION_API void stiction_simulation_free(StictionSimulation *simulation); // NULL is fine

// Advances by one step, smaller than the scene's where that is needed to solve it or to end on a
// frame's time.
STICTION_API StictionStatus stiction_simulation_step(StictionSimulation *simulation);

STICTION_API double stiction_simulation_time(const StictionSimulation *simulation);   // s
STICTION_API bool stiction_simulation_finished(const StictionSimulation *simulation); // at its end
STICTION_API bool stiction_simulation_on_frame(const StictionSimulation *simulation);
STICTION_API int stiction_simulation_newton_iterations(const StictionSimulation *simulation);
STICTION_API double stiction_simulation_energy(const StictionSimulation *simulation); // J, total

// Vertices count through all bodies in the scene's order.
STICTION_API int stiction_simulation_vertex_count(const StictionSimulation *simulation);

// Copies x, y, z of every vertex: 3 × vertex_count doubles on rank 0; NULL will do on the others.
STICTION_API StictionStatus stiction_simulation_positions(StictionSimulation *simulation,
                                                          double *position); // m
STICTION_API StictionStatus stiction_simulation_velocities(StictionSimulation *simulation,
                                                           double *velocity); // m/s

// Volumes of the scene, such as the air in a tyre, in its order: index 0 … count - 1. Beyond, a
// name is NULL and a value NaN. Names are valid as long as the scene.
STICTION_API int stiction_simulation_volume_count(const StictionSimulation *simulation);
STICTION_API const char *stiction_simulation_volume_name(const StictionSimulation *simulation,
                                                         int index);
STICTION_API double stiction_simulation_volume(const StictionSimulation *simulation,
                                               int index); // m³
STICTION_API double stiction_simulation_pressure(const StictionSimulation *simulation,
                                                 int index); // Pa, absolute, inside

// Bearings of the scene: rims that turn about an axis; the same holds for their indices and names.
STICTION_API int stiction_simulation_bearing_count(const StictionSimulation *simulation);
STICTION_API const char *stiction_simulation_bearing_name(const StictionSimulation *simulation,
                                                          int index);
STICTION_API double stiction_simulation_bearing_angle(const StictionSimulation *simulation,
                                                      int index); // rad, all turns counted
STICTION_API double stiction_simulation_bearing_speed(const StictionSimulation *simulation,
                                                      int index); // rad/s
STICTION_API double stiction_simulation_bearing_torque(const StictionSimulation *simulation,
                                                       int index); // N m, what drives it

#ifdef __cplusplus
}
#endif

#endif
