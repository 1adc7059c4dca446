// A force is a const descriptor with the functions below, working on a rank's local piece.
// The scene checker, the manual, `stiction list` and the derivative tests enumerate st_force_types.
#pragma once

#include "base/param.h"
#include "contact/core/contact_set.h"
#include "force/action.h"
#include "math/block_matrix.h"
#include "math/scalar.h"
#include "model/piece.h"

// The state at which forces are evaluated: one instant, all local vertices. Slots are the places of
// contacts' blocks in a matrix: count × count numbers for each contact, -1 if a block is not ours.
// Contacts of rigid bodies go to the blocks of their carriers, and those between the same two in a
// row have the same slots. The set's current contacts come first, then those of the start of the
// step.
typedef struct StContactSlots {
  const int *slot;
  const size_t *start;  // [contacts]
  const bool *carried;  // [contacts]
  int now_count, count; // contacts
} StContactSlots;

typedef struct StPoint {
  double time;
  const double *position; // [vertex_count][3]
  const double *velocity; // [vertex_count][3]
  // Contacts there, evaluated by the creator of the point; NULL: nothing can touch, or contact
  // forces are not needed.
  const StContactSet *contact_set;
  const StContactSlots *slots; // places of their blocks; NULL: look them up one by one
  bool joined;                 // friction adds contact's blocks along with its own
} StPoint;

// A failed evaluation: which vertex, and why.
typedef struct StTrouble {
  int vertex;         // description's vertex number; -1: no failure
  const char *force;  // name of the force
  const char *reason; // "element inverted", "not a number" …
  int element;        // description's element number, -1 when it is no element
} StTrouble;

// The data that forces are built on; outlives them.
typedef struct StForceSite {
  const StDescription *description;
  const StPiece *piece;
  const struct StForceType *type; // the force itself; set by st_force_create
} StForceSite;

typedef struct StForceType StForceType;

typedef struct StForce {
  const StForceType *type;
  void *data; // private to the force
} StForce;

struct StForceType {
  const char *name;    // used for columns in the CSV and fields in the frames
  const char *summary; // one sentence
  // Acts only if the scene's list `forces` names it, with values for `param`. Other forces follow
  // from bodies, materials and the like and have no parameters.
  bool optional;
  const StParam *param;
  int param_count;
  bool has_energy;
  bool dissipates;  // its energy is what it stores; the force is not its gradient
  bool by_velocity; // depends on velocity
  bool of_contact;  // acts between bodies, or bodies and obstacles, that touch
  bool joins;       // its actions are those of joints
  bool of_outside;  // an external agent acts through it: if it has no energy, its work is counted
  bool of_load;     // a load
  bool rises;       // in the first step of a static analysis all of it rises from nothing
  bool of_time;     // its energy may change while nothing moves, by external work

  // Whether the description has a use for this force, the same on all ranks; otherwise it is left
  // out and costs nothing. NULL: always. Entries of an optional force are in the description's list
  // of forces, possibly several.
  bool (*present)(const StForceSite *site);

  // Its private data: so many bytes of zeros (0: NULL), which `build` fills (NULL: nothing to do).
  // `destroy` gets them if they are not NULL, and what a failed build leaves.
  size_t size;
  StStatus (*build)(const StForceSite *site, void **data, StError *error);
  void (*destroy)(void *data);

  // Called once with the matrix whose blocks it will fill, so that it can look up its slots. NULL:
  // it has none.
  StStatus (*bind)(void *data, const StBlockMatrix *matrix, StError *error);

  // Energy of the elements owned here, J. INFINITY beyond a barrier. NULL without has_energy.
  double (*energy)(const void *data, const StPoint *at);

  // Adds the same energy to those of the bodies it belongs to, [bodies]. NULL: it belongs to no
  // single body.
  void (*share_energy)(const void *data, const StPoint *at, double *energy);

  // Adds forces, N, into force[vertex_count][3] from owned elements. Returns false and fills
  // *trouble if the point is outside the force's domain (an inverted element): the line search then
  // shortens the step.
  bool (*add)(const void *data, const StPoint *at, double *force, StTrouble *trouble);

  // The fraction (up to 1) of the straight path between two sets of positions [vertex_count][3]
  // that stays inside the domain, from owned elements: the path may leave the domain even if both
  // ends are inside. NULL: all of it.
  double (*limit)(const void *data, const double *from, const double *to);

  // Adds by_position·∂f/∂q + by_velocity·∂f/∂v to the rows of owned vertices (from all elements of
  // the piece, so that rows are complete without communication). Excludes couplings (next).
  void (*add_blocks)(const void *data, const StPoint *at, double by_position, double by_velocity,
                     StBlockMatrix *matrix);

  // Dense coupling of all vertices of a volume or a rim: ∂f/∂q has further terms weight·u uᵀ, never
  // stored as blocks. NULL: none. A term fills u[vertex_count][3] for all local vertices and
  // returns its weight.
  int (*coupling_count)(const void *data);
  double (*coupling)(const void *data, const StPoint *at, int index, double *u);

  // Like add_blocks, but cheaper and approximate: for preconditioners. NULL: use add_blocks.
  void (*add_near_blocks)(const void *data, const StPoint *at, double by_position,
                          double by_velocity, StBlockMatrix *matrix);

  // The same force as `add`, in complex numbers and without checks: exact derivatives along any
  // direction of positions and velocities. Slower; verifies blocks. at: the real
  // parts.
  void (*add_complex)(const void *data, const StPoint *at, const StDual *position,
                      const StDual *velocity, StDual *force);

  // Forces of its single parts, for reports; all NULL: nothing to report. Each rank adds the part
  // of its own vertices.
  int (*action_count)(const void *data);
  const char *(*action_name)(const void *data, int index);
  void (*add_actions)(const void *data, const StPoint *at, StAction *action); // [action_count]

  // State that lasts from step to step, such as angles beyond half a turn; all NULL: none. `commit`
  // is called for every committed state. The memory is memory_count numbers in the description's
  // numbering, the same on all ranks; `remember` adds those that this rank owns to zeros.
  void (*commit)(void *data, const StPoint *at);
  int (*memory_count)(const void *data);
  void (*remember)(const void *data, double *memory);
  void (*recall)(void *data, const double *memory);
};

extern const StForceType *const st_force_types[]; // NULL-terminated, in order of evaluation

const StForceType *st_force_type_find(const char *name); // NULL: no such force

// Builds the private data of a force, NULL if it is not present.
StStatus st_force_create(const StForceType *type, const StForceSite *site, void **data,
                         bool *present, StError *error);

// Whether this entry of the description's list of forces has that type.
bool st_force_is_requested(const StForceType *type, const StForceDesc *desc);
// A parameter of such an entry at a time.
double st_force_value(const StForceDesc *desc, int index, double time);
bool st_force_is_present(const StForceSite *site); // whether one of them is for the site's own type
