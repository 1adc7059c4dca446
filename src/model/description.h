// The scene, complete and checked, in SI units: built by the scene reader, a C
// program or a test; read once when the model is built. Owns everything it points to except
// descriptors.
#pragma once

#include "base/shared.h"
#include "base/param.h"
#include "base/tunables.h"
#include "mesh/mesh.h"
#include "model/carried.h"
#include "model/curve.h"
#include "model/motion.h"

#include <stdint.h>

typedef struct StMaterialDesc {
  char *name;
  bool shell;               // for triangles; otherwise for tetrahedra
  bool rigid;               // neither: for rigid bodies
  StChoice law;             // of force/material.h, or of force/shell_material.h for a shell
  bool may_invert;          // its tets may invert, if the law is finite there
  double density;           // kg/m³; of a shell kg/m²
  double mass_damping;      // α, 1/s
  double stiffness_damping; // β, s
} StMaterialDesc;

typedef struct StLabelMaterial {
  int label;    // index into the body's mesh labels
  int material; // index into StDescription.material
} StLabelMaterial;

typedef struct StBodyDesc {
  char *name;
  char *source; // where it is described, for messages: "scene.json:7:5: bodies.ball: "; or NULL
  StMesh *mesh; // at rest, in the world: the scene's transform is already applied
  int material; // index, for tets whose label has no material; unused without tets
  int shell;    // the same for triangles
  int label_material_count;
  StLabelMaterial *label_material;
  double velocity[3];         // m/s
  double angular_velocity[3]; // rad/s about the body's centre of mass
  bool own_gravity;           // overrides the scene's:
  double gravity[3];          // m/s²
  bool self_contact;          // it touches itself, where contact is by primitives
  bool rigid;                 // its triangles are its surface (model/rigid.h)
  bool closed;                // that surface, or the one in a cage, encloses it
  double rigid_mass;          // kg
  double rigid_stiffness;     // Pa; 0: derived from the scene
  StCarried carried;          // vertices that move with others, in the mesh's numbers
} StBodyDesc;

// Vertices held or moved. Vertex numbers run through all bodies in order.
typedef struct StBoundaryDesc {
  char *name;
  int vertex_count;
  int *vertex;
  bool axis[3]; // which coordinates are prescribed
  StMotion motion;
  double release; // s; from then on the vertices are free; INFINITY: never
  int shares;     // 1 + another boundary that holds some of the same coordinates still; 0: none
} StBoundaryDesc;

typedef struct StAccelerationDesc {
  double value[3];   // m/s²
  int body;          // -1: all
  double start, end; // acts in [start, end), seconds; steps end exactly at both
} StAccelerationDesc;

// A filled space: the closed surface around it, and how pressure depends on its volume.
typedef struct StVolumeDesc {
  char *name;
  int triangle_count;
  int *triangle;           // [triangle_count][3] vertex numbers through all bodies, outward
  StChoice model;          // of force/volume_model.h
  double rest_volume;      // V₀, m³
  double outside_pressure; // P₀, Pa
  StCurve pressure;        // Pa, absolute, inside at the rest volume, over time; no keys: P₀
} StVolumeDesc;

// Vertices that form a rim that can only rotate about a fixed axis: springs tie them to the
// best-fitting rigid rim. A torque may drive it.
typedef struct StBearingDesc {
  char *name;
  int vertex_count;
  int *vertex; // counted through all bodies
  double centre[3], axis[3];
  double stiffness; // N/m, total of all springs; shared by the vertices' mass
  StCurve torque;   // N m about the axis over time; no keys: none
} StBearingDesc;

typedef enum StLoadKind {
  ST_LOAD_FORCE,    // distributed over vertices, in a fixed direction
  ST_LOAD_TRACTION, // per rest area, in a fixed direction
  ST_LOAD_PRESSURE, // against the current normals of triangles
} StLoadKind;

// An external load on a part of the bodies, over time.
typedef struct StLoadDesc {
  char *name;
  StLoadKind kind;
  int vertex_count;
  int *vertex;    // counted through all bodies
  double *weight; // [vertex_count] share of the force, sum 1, or m² for a traction
  int triangle_count;
  int *triangle;    // [triangle_count][3] of a pressure, outward
  StCurve value[3]; // N or Pa; a pressure has only the first
} StLoadDesc;

// One end of a joint: its position and three points a span away along its axes, which move with a
// part of a body or are fixed in the world.
typedef struct StJointEnd {
  int vertex_count;   // 0: the world
  int *vertex;        // counted through all bodies
  double *weight;     // [vertex_count][ST_JOINT_POINTS], see model/attachment.h
  double place[4][3]; // m, at rest
} StJointEnd;

// A spring, tie or drive between two ends. It couples all their vertices in the matrix.
typedef struct StJointDesc {
  char *name;
  StChoice type;               // of force/joint.h
  StCurve curve[ST_PARAM_MAX]; // of parameters that change over time
  StJointEnd end[2];           // the first is never the world
} StJointDesc;

// A point to record: the mean of some vertices; with a second such point, the distance between
// them.
typedef struct StProbeDesc {
  char *name;
  int vertex_count;
  int *vertex;     // counted through all bodies
  int other_count; // 0: no second point
  int *other;
} StProbeDesc;

// A force that a scene requests by name, beyond those that bodies and materials imply. The same one
// may occur several times, for different bodies or with different values.
typedef struct StForceDesc {
  StChoice choice;                // names a StForceType
  StCurve curve[ST_PARAM_MAX];    // of parameters that may change over time; not given: constant
  int body;                       // -1: all
  const struct StForceType *type; // if a program supplies it; NULL: it is in the list
  // Vertices that a supplied force couples although no element does; not owned.
  int pair_count;
  const int *pair; // [pair_count][2] counted through all bodies
} StForceDesc;

// A rigid thing that bodies touch but cannot move. Its shape is a name and values of
// contact/core/obstacle.h, or a mesh; pose and motion place it in the world.
typedef struct StObstacleDesc {
  char *name;
  StChoice shape;
  StMesh *mesh;       // for the shape "mesh", in its own frame; otherwise NULL
  double rotation[9]; // from the shape's own frame to the world at rest, row-major
  double origin[3];   // where the shape's origin is at rest
  StMotion motion;
  char *material; // its name in the friction table; NULL: none
} StObstacleDesc;

// How friction holds a sticking contact.
typedef enum StStick {
  ST_STICK_VELOCITY, // by velocity, below the sticking speed: creeps
  ST_STICK_ANCHORED, // by an anchor that stores an elastic displacement: does not creep
} StStick;

// Default damping of anchors in scenes.
#define ST_FRICTION_DAMPING 0.1

typedef struct StFrictionDesc {
  double dynamic_coefficient, static_coefficient;
  bool own_static;            // static was given; otherwise it follows dynamic
  double viscous_coefficient; // with primitives Pa s/m, otherwise N s/m per touch
  double sticking_speed;      // ε, m/s
  double stribeck_speed;      // v_s, m/s
  StStick stick;
  double damping;     // anchored: fraction of critical damping
  double restitution; // of rigid bodies: speed after an impact over that before
} StFrictionDesc;

// One body's skin (the collider) against the surface of another body or an obstacle. With smooth
// surfaces its vertices touch that surface, so two bodies usually have two entries. With primitives
// two bodies have one entry, collider < body, and self-contact has one with body == collider.
typedef struct StContactDesc {
  int collider;     // body
  int body;         // whose surface; -1: an obstacle's
  int obstacle;     // -1: a body's
  double thickness; // δ, m
  double stiffness; // κ: Pa with primitives; otherwise Pa/m with area weights (N/m without)
  StFrictionDesc friction;
} StContactDesc;

// The kinds of partners of a body, as bits.
enum { ST_PARTNER_ITSELF = 1, ST_PARTNER_BODIES = 2, ST_PARTNER_OBSTACLES = 4 };

// Laws of pairs, computed when they are asked for: bodies may be many, and few are near each other.
// surface: a body, or the number of bodies plus an obstacle.
typedef struct StContactRule StContactRule;
struct StContactRule {
  double most;                   // m, no thickness is larger
  int64_t pair_count;            // that may touch
  bool all;                      // everything touches everything else
  const unsigned char *partners; // [bodies] what each touches
  // Thickness; negative: the two never touch.
  double (*reach)(const StContactRule *rule, int collider, int surface);
  // The same with all of the law. False: the two never touch.
  bool (*law)(const StContactRule *rule, int collider, int surface, StContactDesc *contact);
  int friction_count;
  StFrictionDesc *friction; // [friction_count] all that pairs may have
  void (*destroy)(StContactRule *rule);
};

typedef enum StContactMethod {
  ST_CONTACT_SMOOTH,     // vertices against smooth surfaces
  ST_CONTACT_PRIMITIVES, // points, edges and triangles against each other
} StContactMethod;

// The traits of a contact method for a scene; contact/core/method.h has its functions.
typedef struct StContactTraits {
  const char *title;
  bool keeps_apart; // gaps never close: bodies start apart
  bool single; // two bodies have one entry, the lower first, and a body may have one with itself
  StDimension stiffness, viscous;           // of κ and of viscous friction
  const char *stiffness_unit, *vertex_unit; // of κ; without area weights
  const char *viscous_unit;
} StContactTraits;

const StContactTraits *st_contact_traits(StContactMethod method);

// Defaults.
#define ST_CONTACT_METHOD_DEFAULT ST_CONTACT_PRIMITIVES

typedef enum StFrictionMode {
  ST_FRICTION_IMPLICIT,    // everything at the end of the step, all derivatives
  ST_FRICTION_FIXED_BASIS, // the same; smooth surfaces without derivatives of the sliding basis
  ST_FRICTION_LAGGED,      // normal force and basis from the start of the step
} StFrictionMode;

typedef struct StContactSettings {
  StContactMethod method;
  StFrictionMode friction;
  int friction_iterations; // of lagged friction
  int max_repeats;         // of a step with stiffer contact, before the step is halved
  // For smooth surfaces:
  bool area_weighted; // κ times a vertex's share of area
  int kernel;         // StSurfaceKernel
  double radius_multiplier, smoothing;
} StContactSettings;

typedef struct StTimeDesc {
  double duration;      // s
  double step;          // s, the largest step
  double frame_rate;    // frames per second of simulated time
  double smallest_step; // s, below which a run stops with an error
} StTimeDesc;

typedef enum StSolverKind { ST_SOLVER_AUTO, ST_SOLVER_DIRECT, ST_SOLVER_ITERATIVE } StSolverKind;
typedef enum StPreconditioner { ST_PC_AUTO, ST_PC_ILU, ST_PC_GAMG, ST_PC_NONE } StPreconditioner;

typedef struct StSolverDesc {
  StSolverKind kind;
  StPreconditioner preconditioner;
  bool inexact_coupling;     // direct solves leave out the coupling of all vertices of a volume
  double velocity_tolerance; // m/s, on max |r_i|/m_i
  double change_tolerance;   // m/s, on the last velocity change
  int max_iterations;        // Newton
  int step_iterations;       // Newton, per step including all attempts
  int max_linear_iterations; // Krylov, per Newton iteration
  int threads;               // 0: all processors, but one under mpiexec
} StSolverDesc;

// Which committed states the independent check examines; it always includes the initial state,
// unless it is off.
typedef enum StJudgeMode { ST_JUDGE_STEPS, ST_JUDGE_FRAMES, ST_JUDGE_OFF } StJudgeMode;

// Which bodies get columns in the history.
typedef enum StBodyColumns {
  ST_BODY_COLUMNS_AUTO, // all, if there are two up to ST_HISTORY_BODIES
  ST_BODY_COLUMNS_ALL,
  ST_BODY_COLUMNS_NONE,
} StBodyColumns;
enum { ST_HISTORY_BODIES = 16 };

// Files of frames.
typedef enum StFrameFormat {
  ST_FRAMES_AUTO,   // VTU of one process, VTKHDF of several
  ST_FRAMES_VTU,    // written by one process
  ST_FRAMES_VTKHDF, // written by all together
} StFrameFormat;

typedef struct StOutputDesc {
  // In simulated seconds, because wall time is not reproducible; 0: at every frame.
  double checkpoint_interval;
  bool stress, forces; // fields in the frames
  StJudgeMode judge;
  StBodyColumns bodies;
  StFrameFormat frames;
} StOutputDesc;

// A default chosen for the user, with the reason; `stiction check` prints it.
typedef struct StNote {
  char *key;    // "time.step", as in the scene
  char *value;  // "0.01 s"
  char *reason; // one line
} StNote;

typedef struct StDescription {
  char *title;  // NULL: none
  bool statics; // equilibria along a path of loads; `time` is then the path's
  int material_count;
  StMaterialDesc *material;
  int body_count;
  StBodyDesc *body;
  int *body_start; // [body_count + 1] the first vertex of each; NULL: they are counted when asked
  double *start;   // [vertices of all bodies][3] m, initial positions; NULL: at rest
  int boundary_count;
  StBoundaryDesc *boundary;
  double gravity[3];
  int acceleration_count;
  StAccelerationDesc *acceleration;
  int volume_count;
  StVolumeDesc *volume;
  int bearing_count;
  StBearingDesc *bearing;
  int load_count;
  StLoadDesc *load;
  int joint_count;
  StJointDesc *joint;
  int probe_count;
  StProbeDesc *probe;
  int obstacle_count;
  StObstacleDesc *obstacle;
  // Pairs with a law of their own, by collider and surface; and the rule of all others, NULL: they
  // do not touch. See model/contact_pairs.h.
  int contact_count;
  StContactDesc *contact;
  StContactRule *contact_rule;
  StContactSettings contact_settings;
  int force_count;
  StForceDesc *force;
  StTimeDesc time;
  const char *integrator; // name of a row in step/integrator.h
  StSolverDesc solver;
  StOutputDesc output;
  int tunable_count;
  StTunableSetting *tunable; // those that differ from their initial values
  int note_count;
  StNote *note;
  StShared *shared; // a list: memory shared with other processes, from which meshes borrow
} StDescription;

StDescription *st_description_create(void); // with all defaults; NULL: no memory
void st_description_destroy(StDescription *description);

// s, in which loads that are there from the beginning rise from nothing: the first load step; 0:
// they are there at once.
static inline double st_description_rise(const StDescription *description) {
  return description->statics ? description->time.step : 0;
}

// For ST_FINALLY.
static inline void st_description_destroy_at(StDescription **at) {
  st_description_destroy(*at);
}

// A copy with its own numbers, curves and motions, so that a program can change them while others
// use the same scene. Shares meshes, names and lists of vertices with the original, which must
// outlive it; curves set on it must own nothing (st_curve_constant).
StStatus st_description_share(const StDescription *of, StDescription **own, StError *error);
void st_description_unshare(StDescription *own); // NULL is fine

// Owns it from here on.
void st_description_keep(StDescription *description, StShared *shared);

// Bytes of shared memory that other processes made: they count there.
size_t st_description_joined(const StDescription *description);

// Numbers the vertices of all bodies, once these are complete. False: no memory.
bool st_description_number(StDescription *description);

int st_description_vertex_count(const StDescription *description);

// The number of a body's first vertex among those of all bodies.
int st_description_first_vertex(const StDescription *description, int body);

// The body that a vertex of the description belongs to.
int st_description_body_of(const StDescription *description, int vertex);

// Marks the bodies that have prescribed vertices; held: [bodies].
void st_description_mark_held(const StDescription *description, bool *held);

// Whether a program supplies forces or drives motions.
bool st_description_has_callbacks(const StDescription *description);

// ST_INTERRUPTED with the name of the object whose driver returned no pose; clears the failure.
StStatus st_description_check_drivers(const StDescription *description, StError *error);

// Corners of the box around all bodies; false (and untouched) when there is no vertex.
bool st_description_bounds(const StDescription *description, double low[3], double high[3]);
double st_description_diagonal(const StDescription *description); // of that box, m

// For messages: "vertex 17 of body "bar"", with the number in the user's mesh file; "body "lower"",
// or "obstacle "floor"" if body is -1.
void st_description_name_vertex(const StDescription *description, int vertex, char *text,
                                size_t size);
void st_description_name_party(const StDescription *description, int body, int obstacle, char *text,
                               size_t size);

// Unit of κ: "Pa", "Pa/m" or "N/m".
const char *st_contact_stiffness_unit(const StContactSettings *settings);

// Records a default; the texts are copied.
StStatus st_description_add_note(StDescription *description, const char *key, const char *value,
                                 const char *reason, StError *error);
