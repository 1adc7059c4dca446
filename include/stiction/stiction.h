// Stiction from C, and from anything that can call C: read a scene, step it, inspect and change it
// while it runs, or run it into a folder. docs/c-interface.md is the guide. All quantities are SI.
// Under MPI every process makes the same calls in the same order, and vertex arrays are complete on
// rank 0. Calls may come from any thread, and those on different simulations run at once; those on
// one simulation, and all calls under MPI, take turns in the order of arrival. Inside a callback,
// calls that compute or change something fail with STICTION_BAD_INPUT. So does a NULL where an
// object is required; functions without a status then return 0, NaN, NULL or "". Handles may be
// freed in any order, at any time.
#ifndef STICTION_STICTION_H
#define STICTION_STICTION_H

#include <stiction/report.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STICTION_API __attribute__((visibility("default")))

typedef enum StictionStatus {
  STICTION_OK = 0,
  STICTION_BAD_INPUT = 1,    // a scene, a file or an argument is wrong
  STICTION_SYSTEM_FAULT = 2, // memory, disk, MPI
  STICTION_NOT_SOLVED = 3,   // a step could not be solved; the state is the last good one
  STICTION_INTERRUPTED = 4,  // stopped because a callback or `stiction stop` asked for it
  STICTION_BUG = 5,          // a check inside the library failed; please report it
} StictionStatus;

typedef enum StictionLevel {
  STICTION_DETAIL = 0,
  STICTION_INFO = 1,
  STICTION_WARNING = 2,
} StictionLevel;

typedef struct Stiction Stiction; // a session: the solvers' run-time, and the last error's text
typedef struct StictionScene StictionScene;
typedef struct StictionSimulation StictionSimulation;

// Sessions

STICTION_API const char *stiction_version(void); // "0.1.0"

// Size of a struct of this header in the library, "StictionReport"; 0: it has no such struct. For
// other languages; in C and C++ stiction_open compares all of them.
STICTION_API size_t stiction_size(const char *type);

// On failure *session is NULL. A process may have several sessions. Under mpiexec it starts MPI and
// PETSc, unless the caller has; environment, signal handlers and threads of the host are as they
// were when it returns. A process alone does without MPI. Then a process forked from it can use
// everything that it has, unless another thread was in a call at that moment; with MPI it is
// refused.
STICTION_API StictionStatus stiction_open(Stiction **session);

typedef struct StictionOptions {
  size_t size;              // sizeof(StictionOptions)
  const void *communicator; // MPI_Comm * of the processes that take part, after MPI_Init; all
                            // sessions of a process have the same. NULL: all processes
} StictionOptions;

// options: NULL as in stiction_open.
STICTION_API StictionStatus stiction_open_with(const StictionOptions *options, Stiction **session);

// The same for a program whose structs have these sizes, in the order of STICTION_STRUCTS; without
// any (NULL, or a count of 0) it is refused. A library of another version, in which one of them
// differs, refuses it with STICTION_BAD_INPUT and the struct's name. At the end of this header
// stiction_open and stiction_open_with become this.
STICTION_API StictionStatus stiction_open_checked(const StictionOptions *options,
                                                  const size_t *sizes, int count,
                                                  Stiction **session);

// Ends its simulations. Their arrays, and scenes, stay until they are freed; further calls are
// refused. The last session that is closed stops MPI, if it was started here; it cannot be started
// again in the same process. From within a callback it does nothing.
STICTION_API void stiction_close(Stiction *session); // NULL is fine

// Why the last call of this thread that failed did so, complete with file, line and key where there
// are any. Valid until the next call that fails; "" when none has. session: may be NULL.
STICTION_API const char *stiction_error(const Stiction *session);

// Receiver of warnings and messages; without one they are dropped. text has no newline at its end.
// It is called from whatever thread the library works for, one message at a time.
typedef void (*StictionListener)(void *context, int level, const char *text);
STICTION_API void stiction_listen(Stiction *session, StictionListener write, void *context);

STICTION_API int stiction_rank(const Stiction *session); // 0 on the process that gets the arrays

// Reads a quantity as scene files have them, "3 mm" or "0.003", into SI. unit: one of its kind,
// "m";
// "" for a plain number. On failure stiction_error says which units would be right.
STICTION_API StictionStatus stiction_quantity(const char *text, const char *unit, double *value);

// Scenes. Everything they return is valid as long as they are, or a simulation made from them is.

// Reads and checks a scene file; docs/scene.md says what is in one.
STICTION_API StictionStatus stiction_scene_load(Stiction *session, const char *path,
                                                StictionScene **scene);

// The same from a text in memory. folder: where relative paths in it start, "" for the current
// folder; NULL: it may not name files. (stiction/build.h is for programs that put scenes together.)
STICTION_API StictionStatus stiction_scene_parse(Stiction *session, const char *text,
                                                 const char *folder, StictionScene **scene);

// A mesh in memory, for stiction_part_set_mesh.
typedef struct StictionMesh {
  int vertex_count;
  const double *position; // [vertex_count][3] m, before the body's scale, rotate and translate
  int tet_count;
  const int *tet; // [tet_count][4]
  int triangle_count;
  const int *triangle; // [triangle_count][3] of shells and cloth
  int label_count;
  const char *const *label;              // [label_count] names
  const int *tet_label, *triangle_label; // [tet_count], [triangle_count] -1: none; NULL: all none
  int tag_count;
  const int *tag; // [tag_count][2] a vertex and the label of a group it is in
} StictionMesh;

STICTION_API void stiction_scene_free(StictionScene *scene); // NULL is fine

STICTION_API const char *stiction_scene_title(const StictionScene *scene); // "" when it has none
STICTION_API double stiction_scene_duration(const StictionScene *scene);   // s
STICTION_API double stiction_scene_time_step(const StictionScene *scene);  // s, the largest
STICTION_API double stiction_scene_frame_rate(const StictionScene *scene); // 1/s
STICTION_API int stiction_scene_vertex_count(const StictionScene *scene);  // of all bodies
STICTION_API int stiction_scene_body_count(const StictionScene *scene);
STICTION_API int stiction_scene_boundary_count(const StictionScene *scene);
STICTION_API int stiction_scene_obstacle_count(const StictionScene *scene);

// A body. Vertices count through all bodies in the scene's order: this one has first_vertex …
// first_vertex + vertex_count - 1. Tets, triangles and skin count from 0 within the body.
typedef struct StictionBody {
  const char *name;
  int first_vertex, vertex_count;
  const double *rest; // [vertex_count][3] m
  int tet_count;
  const int *tet; // [tet_count][4]
  int triangle_count;
  const int *triangle; // [triangle_count][3] of shells and cloth
  int skin_count;
  const int *skin; // [skin_count][3] what there is to see: faces of tets, and all triangles
  int label_count;
  const char *const *label;              // [label_count] names
  const int *tet_label, *triangle_label; // [tet_count], [triangle_count] -1: none
  int tag_count;
  const int *tag; // [tag_count][2] a vertex and the label of a group it is in
} StictionBody;

// Vertices that are held or moved.
typedef struct StictionBoundary {
  const char *name;
  int vertex_count;
  const int *vertex; // [vertex_count] counted through all bodies
  bool axis[3];      // which coordinates are prescribed
  double release;    // s, from when on they are free; INFINITY: never
} StictionBoundary;

// A rigid thing that bodies touch: x = rotation · X + origin takes its own frame to the world at
// rest.
typedef struct StictionObstacle {
  const char *name;
  const char *shape;  // "half_space", "sphere", "mesh" …
  double rotation[9]; // row-major
  double origin[3];   // m
  // Of the shape "mesh", in its own frame; else 0 and NULL:
  int vertex_count;
  const double *position; // [vertex_count][3] m
  int triangle_count;
  const int *triangle; // [triangle_count][3]
} StictionObstacle;

// STICTION_BAD_INPUT when there is none of this index.
STICTION_API StictionStatus stiction_scene_body(StictionScene *scene, int index,
                                                StictionBody *body);
STICTION_API StictionStatus stiction_scene_boundary(StictionScene *scene, int index,
                                                    StictionBoundary *boundary);
STICTION_API StictionStatus stiction_scene_obstacle(StictionScene *scene, int index,
                                                    StictionObstacle *obstacle);

// Motion from outside. Simulations made from the scene later begin with its callbacks; those that
// there are have their own (stiction_simulation_drive). Callbacks answer for any time near the
// present, more than once and not in order: a step that fails is tried again with a smaller one.
// They must not change anything, so that all answers for one step agree. Simulations that run at
// once may call those of their scene at the same time. Returning false ends the
// step with STICTION_INTERRUPTED; the state is that before it.

// Where a rigid thing is and how it moves: a point X of the rest position is at
//   x = pivot + translation + R (X - pivot),
// R the rotation about the vector `rotation` by its length, with the velocity
//   velocity + spin × (x - pivot - translation).
// All zero, at rest, when the callback is called.
typedef struct StictionPose {
  double pivot[3];       // m, in the rest position
  double translation[3]; // m
  double rotation[3];    // rad
  double velocity[3];    // m/s, of the pivot
  double spin[3];        // rad/s
} StictionPose;

typedef bool (*StictionPoseAt)(void *context, double time, StictionPose *pose);

// Moves a boundary, or an obstacle, of this name instead of what the scene says. NULL: as the scene
// says.
STICTION_API StictionStatus stiction_scene_drive(StictionScene *scene, const char *name,
                                                 StictionPoseAt pose, void *context);

// position, velocity: [count][3] in the order of the boundary's vertices, which are at rest when
// the callback is called.
typedef bool (*StictionTargetsAt)(void *context, double time, int count, double *position,
                                  double *velocity);

// The same vertex by vertex, for boundaries only.
STICTION_API StictionStatus stiction_scene_drive_vertices(StictionScene *scene, const char *name,
                                                          StictionTargetsAt targets, void *context);

// Forces from outside. On several processes each asks for the force on all vertices, and takes what
// its own get: callbacks must give the same on all.

// The state at which a force is evaluated. Arrays cover all vertices in the scene's order.
typedef struct StictionPoint {
  double time; // s
  int vertex_count;
  const double *position; // [vertex_count][3] m
  const double *velocity; // [vertex_count][3] m/s
  const double *mass;     // [vertex_count] kg
} StictionPoint;

typedef struct StictionBlocks StictionBlocks; // what takes derivatives

typedef struct StictionForce {
  const char *name;    // lower case, words joined by _: its arrays and columns are named so
  const char *summary; // one sentence
  void *context;       // passed to the callbacks

  // Vertices that it couples though no element does: ∂f_i/∂q_j with i and j of one pair. Those of
  // one element, and a vertex with itself, need no mention.
  int pair_count;
  const int *pair; // [pair_count][2] copied

  // Adds the force, N, to force[vertex_count][3]. Called often: it must not change anything. false:
  // not defined there, and the solver comes less far.
  bool (*add)(void *context, const StictionPoint *at, double *force);

  // Adds by_position ∂f/∂q + by_velocity ∂f/∂v with stiction_blocks_add. NULL: found by
  // differences, which is right for forces on a vertex that depend on that vertex alone, and
  // slower.
  void (*add_blocks)(void *context, const StictionPoint *at, double by_position, double by_velocity,
                     StictionBlocks *blocks);

  // J, whose negative gradient the force is; counted in the total energy. NULL: it has none.
  double (*energy)(void *context, const StictionPoint *at);
} StictionForce;

// Block k: the derivative of the force on vertex row[k] by vertex column[k], row-major, [count][9].
STICTION_API void stiction_blocks_add(StictionBlocks *blocks, int count, const int *row,
                                      const int *column, const double *block);

// Adds a force to the scene, for simulations that are made from it later. The struct is copied;
// what the context points to must outlive the scene.
STICTION_API StictionStatus stiction_scene_add_force(StictionScene *scene,
                                                     const StictionForce *force);

// Threads that share the work of each process in simulations and runs that are made from the scene
// afterwards, in place of its solver.threads. 0: all processors, or one for each process under
// mpiexec. Results do not depend on it.
STICTION_API StictionStatus stiction_scene_set_threads(StictionScene *scene, int threads);

// Simulations

STICTION_API StictionStatus stiction_simulation_create(Stiction *session, StictionScene *scene,
                                                       StictionSimulation **simulation);
STICTION_API void stiction_simulation_free(StictionSimulation *simulation); // NULL is fine

// Advances by one step, smaller than the scene's where that is needed to solve it or to end on a
// frame's time. At the scene's end there is none: STICTION_BAD_INPUT.
STICTION_API StictionStatus stiction_simulation_step(StictionSimulation *simulation);

// Advances by exactly `duration` (s), in steps no larger than the scene's time step: one, or
// several if the duration is longer or a step has to be halved. Ignores frames and the scene's end.
// If a step cannot be solved, the state is the last good one.
STICTION_API StictionStatus stiction_simulation_advance(StictionSimulation *simulation,
                                                        double duration);

// The same up to a time (s). Nothing happens when that is the present.
STICTION_API StictionStatus stiction_simulation_advance_to(StictionSimulation *simulation,
                                                           double time);

STICTION_API int stiction_simulation_threads(const StictionSimulation *simulation);   // it uses
STICTION_API double stiction_simulation_time(const StictionSimulation *simulation);   // s
STICTION_API bool stiction_simulation_finished(const StictionSimulation *simulation); // at its end
STICTION_API bool stiction_simulation_on_frame(const StictionSimulation *simulation);
STICTION_API int stiction_simulation_vertex_count(const StictionSimulation *simulation);

// The state itself: x, y, z of every vertex in the scene's order, [vertex_count][3]. The arrays
// stay where they are as long as the simulation lives, and hold the new state after every step.
// NULL on other ranks than 0.
STICTION_API double *stiction_simulation_positions(StictionSimulation *simulation);  // m
STICTION_API double *stiction_simulation_velocities(StictionSimulation *simulation); // m/s

// Goes on from what was written into these two arrays. Held coordinates go back to where they are
// held; what multi-step methods and contacts remember of the past is forgotten. A rigid body goes
// by the last four of its vertices, and all others of it must fit them. STICTION_BAD_INPUT when no
// simulation can start there (an inverted element; bodies that touch or overlap, which nobody moves
// apart here as at the start; by smooth surfaces only deep overlaps): the state and the arrays are
// then those before the change.
STICTION_API StictionStatus stiction_simulation_state_changed(StictionSimulation *simulation);

// Goes on at another time with the positions and velocities that there are; the same holds as for a
// changed state. What the scene moves is then where it is at that time.
STICTION_API StictionStatus stiction_simulation_set_time(StictionSimulation *simulation,
                                                         double time);

// Goes on from another simulation's state, to add or remove bodies: make a simulation of the
// changed scene and let it take over. Taken over are the time; positions and velocities of all
// bodies with the same name and mesh; what their contacts remember, friction's anchors included,
// where both sides are in both scenes; and where stiction_simulation_move has sent boundaries and
// obstacles of the same name. Other bodies are where their scene puts them. Parameters and
// callbacks stay those of this simulation. STICTION_BAD_INPUT as above, and nothing has changed
// then.
STICTION_API StictionStatus stiction_simulation_take_over(StictionSimulation *simulation,
                                                          StictionSimulation *other);

// Saved states

// Everything the simulation needs to continue with the same bits: positions, velocities, time, the
// memory of contacts, friction and multi-step methods, and where objects were moved by
// stiction_simulation_move. Parameters and callbacks belong to the program and are not part of it.
typedef struct StictionState StictionState;

// Under MPI every process gets a handle; free them all.
STICTION_API StictionStatus stiction_simulation_save(StictionSimulation *simulation,
                                                     StictionState **state);

// Returns to a saved state of this simulation or of another one of the same scene.
STICTION_API StictionStatus stiction_simulation_restore(StictionSimulation *simulation,
                                                        const StictionState *state);

// Returns to the initial state.
STICTION_API StictionStatus stiction_simulation_reset(StictionSimulation *simulation);

STICTION_API void stiction_state_free(StictionState *state);         // NULL is fine
STICTION_API double stiction_state_time(const StictionState *state); // s

// In a file, of the same format as a run's checkpoint.h5, which can be read as well.
STICTION_API StictionStatus stiction_state_write(Stiction *session, const StictionState *state,
                                                 const char *path);
STICTION_API StictionStatus stiction_state_read(Stiction *session, const char *path,
                                                StictionState **state);

// The same as bytes, for other processes. They are the state's and stay as long as it does; rank 0
// has them.
STICTION_API StictionStatus stiction_state_bytes(Stiction *session, StictionState *state,
                                                 const void **bytes, size_t *size);
STICTION_API StictionStatus stiction_state_from_bytes(Stiction *session, const void *bytes,
                                                      size_t size, StictionState **state);

// Changes between steps. They apply from the next step, for this simulation only.

// Moves a boundary or an obstacle from where it is with the pose's velocity, and its spin about the
// pivot, until changed. Ignores the pose's translation and rotation.
STICTION_API StictionStatus stiction_simulation_move(StictionSimulation *simulation,
                                                     const char *name, const StictionPose *pose);

// Moves it from where it is to a pose within `duration` (s), at constant velocity and spin; there
// it rests. The pose's velocity and spin are not looked at.
STICTION_API StictionStatus stiction_simulation_move_to(StictionSimulation *simulation,
                                                        const char *name, const StictionPose *pose,
                                                        double duration);

// Where it is now, with the pivot at the origin.
STICTION_API StictionStatus stiction_simulation_pose(StictionSimulation *simulation,
                                                     const char *name, StictionPose *pose);

// As stiction_scene_drive and …_drive_vertices. A callback should begin where the thing is: from
// there it jumps within one step. For times before, it should tell where the thing was: contact
// measures slip from the beginning of the last step.
STICTION_API StictionStatus stiction_simulation_drive(StictionSimulation *simulation,
                                                      const char *name, StictionPoseAt pose,
                                                      void *context);
STICTION_API StictionStatus stiction_simulation_drive_vertices(StictionSimulation *simulation,
                                                               const char *name,
                                                               StictionTargetsAt targets,
                                                               void *context);

// A number, or three, that may be changed: "gravity", "materials.rubber.young",
// "friction.block|floor.dynamic", "loads.tip.force", "joints.knee.angle", "volumes.air.pressure",
// "boundaries.grip.release" …
typedef struct StictionParameter {
  const char *name;
  const char *unit;    // "Pa"; "": none
  const char *summary; // one sentence
  int count;           // 1 or 3
  double value[3];     // at present
  double least, most;  // its range; -INFINITY, INFINITY: any
} StictionParameter;

STICTION_API int stiction_simulation_parameter_count(const StictionSimulation *simulation);
STICTION_API StictionStatus stiction_simulation_parameter(StictionSimulation *simulation, int index,
                                                          StictionParameter *parameter);

// A value that follows a curve over time in the scene is constant from then on. Changing a
// parameter of a material rebuilds the simulation internally, with its state, which takes as long
// as creating it; all others take effect at once. Static friction follows dynamic unless the scene
// or a call has set it; dynamic friction set above static raises static too, and static friction
// set below dynamic lowers dynamic.
STICTION_API StictionStatus stiction_simulation_get(StictionSimulation *simulation,
                                                    const char *name, int count, double *value);
STICTION_API StictionStatus stiction_simulation_set(StictionSimulation *simulation,
                                                    const char *name, int count,
                                                    const double *value);

// What a state is like

// Forces on vertices, N, as applied at the end of the last step, [vertex_count][3]. name: of one
// force, such as "contact" or "friction" (the report lists those that act); NULL: the sum of all.
// Like positions, the array stays and follows every step, from the first call on.
STICTION_API StictionStatus stiction_simulation_forces(StictionSimulation *simulation,
                                                       const char *name, const double **force);

// How each vertex touches others; like forces. NULL arrays when nothing can touch.
typedef struct StictionContactFields {
  const double *normal_force; // [vertex_count] N, sum of magnitudes
  const double *gap;        // [vertex_count] m, the smallest; a free vertex: the largest thickness
  const double *slip_speed; // [vertex_count] m/s, the largest
  const int *state;         // [vertex_count] 0 free, 1 sticking, 2 sliding
} StictionContactFields;

STICTION_API StictionStatus stiction_simulation_contact_fields(StictionSimulation *simulation,
                                                               StictionContactFields *fields);

// One contact: a point of one side and the surface of the other, or two edges. All as the first of
// the pair sees it; the other one gets the opposite forces.
typedef struct StictionContact {
  int pair;               // index into the report's pairs
  int body;               // the first of the pair
  int other_body;         // -1: it is an obstacle
  int obstacle;           // -1: it is a body
  int state;              // 1 sticking, 2 sliding
  int vertex_count;       // of the feature that touches: 1 a point, 2 an edge, 3 a triangle
  int vertex[3];          // counted through all bodies; -1: none
  int other_vertex_count; // the same of the other body; 0: an obstacle
  int other_vertex[3];
  double point[3];     // m, on the first
  double normal[3];    // unit, towards the first
  double gap;          // m
  double normal_force; // N
  double friction[3];  // N, on the first
  double force[3];     // N, on the first, all of it
  double slip[3];      // m/s, of the first over the other
} StictionContact;

// All contacts, forces as applied at the end of the last step. The array stays until the next call
// of this function; rank 0 has it.
STICTION_API StictionStatus stiction_simulation_contacts(StictionSimulation *simulation,
                                                         const StictionContact **contact,
                                                         int *count);

// A place on a surface.
typedef struct StictionHit {
  int body, obstacle; // which of them; -1: the other, and both -1: nothing was found
  int triangle;       // of the body's skin; of an obstacle -1
  double weight[3];   // of the triangle's corners
  double point[3];    // m
  double normal[3];   // unit, outward
  double distance;    // m, from the point, or along the ray; INFINITY: nothing was found
} StictionHit;

// The place nearest to a point, no farther than `reach` (INFINITY: anywhere); and the first one
// that a ray meets, from either side of a surface. name: only of this body or obstacle; NULL: of
// all.
STICTION_API StictionStatus stiction_simulation_nearest(StictionSimulation *simulation,
                                                        const char *name, const double point[3],
                                                        double reach, StictionHit *hit);
STICTION_API StictionStatus stiction_simulation_ray(StictionSimulation *simulation,
                                                    const char *name, const double origin[3],
                                                    const double direction[3], double reach,
                                                    StictionHit *hit);

// Where the judge found something in this state. NULL arrays when it did not look at it. The arrays
// stay and follow every step, from the first call on.
typedef struct StictionFindings {
  // [vertex_count] a sum of 1: at an edge or triangle that crosses another body's, 2: its own
  // body's, 4: an obstacle; 8: inside another body or an obstacle; 16: of an inverted tet
  const int *vertex;
  const int *inverted; // [tets] 1: inverted
} StictionFindings;

STICTION_API StictionStatus stiction_simulation_findings(StictionSimulation *simulation,
                                                         StictionFindings *findings);

// Cauchy stress of all tets in the scene's order, [tets][6] xx yy zz xy yz zx, Pa; like forces.
STICTION_API StictionStatus stiction_simulation_stress(StictionSimulation *simulation,
                                                       const double **stress);

// A field of a state. Cells are the tets of all bodies in the scene's order, then their triangles;
// tets that make up an element of second order have the element's mean. Values of cells that have
// none, such as those of rigid bodies, are 0.
typedef struct StictionField {
  const char *name;
  const char *unit;    // "Pa"; "": none
  const char *summary; // one sentence
  bool of_cells;       // otherwise of vertices
  int components;      // 1, 3, or 6: xx yy zz xy yz zx
  int count;           // vertices or cells
  const double *value; // [count][components]
} StictionField;

// The fields that there are, without values: "displacement", "contact_pressure", "contact_shear",
// "nodal_stress", "stress", "strain", "principal_stress", "von_mises", "energy_density" …
// index: from 0 on; false: there is no such one.
STICTION_API bool stiction_field_type(int index, StictionField *field);

// One of them at the end of the last step. Its array stays until the next call with this name; rank
// 0 has it. Collective.
STICTION_API StictionStatus stiction_simulation_field(StictionSimulation *simulation,
                                                      const char *name, StictionField *field);

// Derivatives of the state by numbers of the scene, such as a coefficient of friction, a modulus or
// an initial velocity. docs/gradients.md says how they are computed, and what is refused.

// From the start of the scene on, before its first step, every step also finds the derivatives of
// its state by these numbers, named as in messages about scenes: "friction[0].dynamic",
// "materials.rubber.young", "bodies.cube.velocity[2]". Each must be written in the scene. Ends
// earlier ones; count 0: only that.
STICTION_API StictionStatus stiction_simulation_differentiate(StictionSimulation *simulation,
                                                              const char *const *path, int count);

// By one of them, in the order in which they were named: derivatives of positions and velocities,
// [vertices][3], in SI units. Either may be NULL.
STICTION_API StictionStatus stiction_simulation_derivative(StictionSimulation *simulation,
                                                           int index, double *position,
                                                           double *velocity);

// Quantities that were taken as fixed on the way.
typedef struct StictionDerivativeReport {
  long steps;             // followed
  long cut;               // of them, were shorter than the scene's, and are as long as they were
  long stiffness_changes; // factors of contact stiffness that changed from a step to the next
  long anchors_lost;      // of friction, where derivatives of what they hold could not be found
  bool settled;           // bodies were moved apart at the start, by as much as they were
  double error;           // largest part of velocities' derivatives that a check found missing
} StictionDerivativeReport;

STICTION_API StictionStatus stiction_simulation_derivative_report(StictionSimulation *simulation,
                                                                  StictionDerivativeReport *report);

// Reports (stiction/report.h says what is in one)

// Of the last step; the same on all ranks. Valid, names included, until the next call that steps
// or changes the simulation; NULL when the session has been closed, and within a callback while
// another thread's call is using the simulation.
STICTION_API const StictionReport *stiction_simulation_report(StictionSimulation *simulation);

// What the judge checked so far and what it found, in words, and the smallest gap by contact's own
// measure where something can touch. Valid until the next call.
STICTION_API const char *stiction_simulation_verdict(StictionSimulation *simulation);

// How well a force fits its derivatives, at the present state moved at random by about `distance`
// (m): the relative error of its blocks against central differences of the force, and of the force
// against those of its energy (NaN: it has none). 1e-6 and below is right, 1e-2 a mistake.
STICTION_API StictionStatus stiction_simulation_check_force(StictionSimulation *simulation,
                                                            const char *name, double distance,
                                                            double *block_error,
                                                            double *energy_error);

// Whole runs, as `stiction run` makes them: frames, history, summary, checkpoint

typedef struct StictionProgress {
  const StictionReport *report; // of the step just taken
  double time, duration;        // s
  int frames_written, frame_count;
  bool on_frame;       // a frame was written for this state
  double wall_seconds; // over all sessions
  double seconds_left; // estimated wall time; NaN before there is anything to estimate from
} StictionProgress;

typedef struct StictionRunOptions {
  const char *folder; // where everything goes; made when missing
  bool resume;        // go on from the checkpoint in the folder
  bool overwrite;     // replace a run that is already there
  bool reuse;         // do what is left to do: a run of the same scene that has ended stays, with
                      // the status that it ended with; an interrupted one is resumed; another
                      // scene's is replaced
  // Called on rank 0 with the first state and after every step; false: stop, saving everything.
  bool (*progress)(void *context, const StictionProgress *progress); // NULL is fine
  void *context;
} StictionRunOptions;

// STICTION_INTERRUPTED: stopped on request, saved, and the text says how to go on.
// STICTION_NOT_SOLVED: the last good state is saved, the text says what was met, where and when.
STICTION_API StictionStatus stiction_scene_run(Stiction *session, StictionScene *scene,
                                               const StictionRunOptions *options);

// Recording: a simulation that a program drives leaves in a folder what a run does, and view, plot,
// export and stiction/recording.h read it. There is a row of history for every step, a frame and a
// checkpoint for every frame's time that a step reaches or passes, and a frame for the last state.
// Going back (restore, reset, an earlier time) cuts off what came after.

typedef struct StictionRecordOptions {
  const char *folder; // where everything goes; made when missing
  double frame_rate;  // 1/s; 0: the scene's
  bool overwrite;     // replace a run that is already there
  bool resume; // go on from the checkpoint in the folder, which the simulation is put back to; the
               // program supplies its functions again, and the motions it had set are restored
} StictionRecordOptions;

STICTION_API StictionStatus stiction_simulation_record(StictionSimulation *simulation,
                                                       const StictionRecordOptions *options);

// Ends it; freeing the simulation does the same. reason: why the loop was left early, for the
// summary; NULL: it is finished.
STICTION_API StictionStatus stiction_simulation_record_end(StictionSimulation *simulation,
                                                           const char *reason);

// All structs that programs and the library pass to each other. New ones come at the end.
#define STICTION_STRUCTS(X)                                                                        \
  X(StictionOptions)                                                                               \
  X(StictionBody)                                                                                  \
  X(StictionBoundary)                                                                              \
  X(StictionObstacle)                                                                              \
  X(StictionPose)                                                                                  \
  X(StictionPoint)                                                                                 \
  X(StictionForce)                                                                                 \
  X(StictionParameter)                                                                             \
  X(StictionContactFields)                                                                         \
  X(StictionContact)                                                                               \
  X(StictionHit)                                                                                   \
  X(StictionDerivativeReport)                                                                      \
  X(StictionFindings)                                                                              \
  X(StictionForceReport)                                                                           \
  X(StictionVolumeReport)                                                                          \
  X(StictionBearingReport)                                                                         \
  X(StictionActionReport)                                                                          \
  X(StictionPairReport)                                                                            \
  X(StictionBodyReport)                                                                            \
  X(StictionProbeReport)                                                                           \
  X(StictionContactReport)                                                                         \
  X(StictionCertificate)                                                                           \
  X(StictionJudgeReport)                                                                           \
  X(StictionJudgeRecord)                                                                           \
  X(StictionReport)                                                                                \
  X(StictionProgress)                                                                              \
  X(StictionRunOptions)                                                                            \
  X(StictionMesh)                                                                                  \
  X(StictionRecordOptions)                                                                         \
  X(StictionReactionReport)                                                                        \
  X(StictionField)

#ifndef STICTION_UNCHECKED
#define STICTION_SIZE_OF(type) sizeof(type),
#define stiction_open_with(options, session)                                                       \
  stiction_open_checked(options, stiction_sizes, (int)(sizeof stiction_sizes / sizeof(size_t)),    \
                        session)
#define stiction_open(session) stiction_open_with(NULL, session)
static const size_t stiction_sizes[] __attribute__((unused)) = {STICTION_STRUCTS(STICTION_SIZE_OF)};
#endif

#ifdef __cplusplus
}
#endif

#endif
