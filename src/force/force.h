// What a force is: a const descriptor with the functions below, working on a rank's local piece.
// The scene checker, the manual, `stiction list` and the derivative tests enumerate st_force_types.
#ifndef ST_FORCE_FORCE_H
#define ST_FORCE_FORCE_H

#include "base/param.h"
#include "contact/touch_set.h"
#include "force/action.h"
#include "math/block_matrix.h"
#include "math/scalar.h"
#include "model/piece.h"

// Where forces are evaluated: one instant, all local vertices.
// Where the blocks of touches are in a matrix: for each touch count × count numbers, -1 where a
// block is not ours. The set's present touches come first, then those of the step's start.
typedef struct StTouchSlots {
  const int *slot;
  const size_t *start; // [touches]
  int now_count;
} StTouchSlots;

typedef struct StPoint {
  double time;
  const double *position; // [vertex_count][3]
  const double *velocity; // [vertex_count][3]
  // What touches there, evaluated by whoever makes the point; NULL: nothing can, or forces of
  // contact are not asked for.
  const StTouchSet *touching;
  const StTouchSlots *slots; // where their blocks go; NULL: they are looked up one by one
} StPoint;

// Trouble met while evaluating: which vertex, and in words why.
typedef struct StTrouble {
  int vertex;         // description's vertex number; -1: none met
  const char *force;  // name of the force
  const char *reason; // "element inverted", "not a number" …
  int element;        // description's element number, -1 when it is no element
} StTrouble;

// What forces are built on. All of it outlives them.
typedef struct StForceSite {
  const StDescription *description;
  const StPiece *piece;
  const struct StForceType *type; // the force itself
} StForceSite;

typedef struct StForceType StForceType;

typedef struct StForce {
  const StForceType *type;
  void *data; // private to the force
} StForce;

struct StForceType {
  const char *name;    // heads columns in the CSV and fields in the frames
  const char *summary; // one sentence
  // Acts only where the scene's list `forces` asks for it: by its name, with values for `param`.
  // Other forces follow from bodies, materials and the like and have no parameters.
  bool optional;
  const StParam *param;
  int param_count;
  bool has_energy;
  bool dissipates;  // its energy is what it stores; it is not the slope of that
  bool by_velocity; // depends on velocity
  bool of_contact;  // acts between bodies, or bodies and obstacles, that touch
  bool joins;       // its actions are of joints
  bool of_outside;  // something outside acts through it: without an energy, its work is counted
  bool of_time;     // its energy may change while nothing moves: something outside does work

  // Builds private data. *present is set to false when the description gives this force nothing to
  // do; it is then left out and costs nothing. What a scene asks of an optional force is in the
  // description's list of forces, more than once perhaps.
  StStatus (*create)(const StForceSite *site, void **data, bool *present, StError *error);
  void (*destroy)(void *data);

  // Told once of the matrix whose blocks it will fill, so that it can look up its slots.
  StStatus (*bind)(void *data, const StBlockMatrix *matrix, StError *error);

  // Energy of the elements owned here, J. INFINITY beyond a barrier. NULL without has_energy.
  double (*energy)(const void *data, const StPoint *at);

  // Adds the same energy to those of the bodies that it is of, [bodies]. NULL: it is of no single
  // one.
  void (*share_energy)(const void *data, const StPoint *at, double *energy);

  // Adds forces, N, into force[vertex_count][3] from owned elements. Returns false and fills
  // *trouble when the point is outside the force's domain (an inverted element): the line search
  // steps back.
  bool (*add)(const void *data, const StPoint *at, double *force, StTrouble *trouble);

  // The part (up to 1) of the straight way between two sets of positions [vertex_count][3] that
  // stays inside the domain, from owned elements: both ends may be inside where the way is not.
  // NULL: all of it.
  double (*limit)(const void *data, const double *from, const double *to);

  // Adds by_position·∂f/∂q + by_velocity·∂f/∂v into the rows of owned vertices (all elements of the
  // piece, so that rows are complete without talking to other ranks). Without what follows next.
  void (*add_blocks)(const void *data, const StPoint *at, double by_position, double by_velocity,
                     StBlockMatrix *matrix);

  // What couples all vertices of a volume or a rim to each other: ∂f/∂q has further terms
  // weight·u uᵀ, never stored as blocks. NULL: none. A term writes u[vertex_count][3] for all local
  // vertices and returns its weight.
  int (*coupling_count)(const void *data);
  double (*coupling)(const void *data, const StPoint *at, int index, double *u);

  // Like add_blocks, but cheap and only nearly right: for preconditioners. NULL: add_blocks serves.
  void (*add_near_blocks)(const void *data, const StPoint *at, double by_position,
                          double by_velocity, StBlockMatrix *matrix);
  bool (*has_near)(const void *data); // whether they differ from the blocks; NULL: they do not

  // Adds (by_position·∂f/∂q + by_velocity·∂f/∂v)·direction into result[vertex_count][3] from owned
  // elements, without a matrix, by forward differentiation; couplings included.
  void (*add_product)(const void *data, const StPoint *at, double by_position, double by_velocity,
                      const double *direction, double *result);

  // The same force as `add`, in complex numbers and without checks: derivatives along any direction
  // of positions and velocities, to the last digit. Slower; the second opinion on blocks and
  // products. at: the real parts.
  void (*add_complex)(const void *data, const StPoint *at, const StDual *position,
                      const StDual *velocity, StDual *force);

  // What single parts of it do, for reports; all NULL: nothing to tell. Each rank adds what its own
  // vertices get.
  int (*action_count)(const void *data);
  const char *(*action_name)(const void *data, int index);
  void (*add_actions)(const void *data, const StPoint *at, StAction *action); // [action_count]

  // What has to last from step to step, such as angles beyond a half turn; all NULL: nothing. The
  // force hears of every committed state. Its memory is memory_count numbers in the description's
  // numbering, the same on all ranks; `remember` adds those that this rank owns to zeros.
  void (*commit)(void *data, const StPoint *at);
  int (*memory_count)(const void *data);
  void (*remember)(const void *data, double *memory);
  void (*recall)(void *data, const double *memory);
};

extern const StForceType *const st_force_types[]; // NULL-terminated, in order of evaluation

const StForceType *st_force_type_find(const char *name); // NULL: no such force

// Whether this entry of the description's list of forces is for that type.
bool st_force_is_requested(const StForceType *type, const StForceDesc *desc);
// A parameter of such an entry at a time.
double st_force_value(const StForceDesc *desc, int index, double time);
bool st_force_is_present(const StForceSite *site); // whether one of them is for the site's own type

#endif
