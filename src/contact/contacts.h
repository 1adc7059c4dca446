// All contacts of a rank's piece: pairs of a body's skin and a surface, the points of each pair
// that touch at given positions, and what of them must last from step to step (stiffness, lagged
// grip, sides of shells).
#ifndef ST_CONTACT_CONTACTS_H
#define ST_CONTACT_CONTACTS_H

#include "contact/obstacle.h"
#include "contact/surface.h"
#include "contact/touch.h"
#include "model/piece.h"

typedef struct StPair {
  const StContactDesc *desc;
  StFrictionLaw friction;
  StFrictionLaw steady; // the same, never falling below its static coefficient: for first guesses
  double stiffness;     // κ at present
  bool overlapping;     // began so, and has not been free since
  double depth;         // deepest gap allowed while overlapping (negative)
  int owned_count;      // points whose forces are ours: the first ones
  int point_count;      // then other ranks', whose contacts reach our rows
  int *point;           // [point_count] local vertices
  double *area;         // [point_count] share of the skin's rest area, m²; 1 without area weights
  StSurface *surface;   // NULL for a closed-form obstacle
  bool two_sided;       // the surface of a shell: points may meet either side, and keep it; …
  int *side;            // … [point_count] as st_surface_side has it; 0: out of reach
  double middle[3];     // mean of the points at the step's start
  int rigid_count;      // vertices of a mesh obstacle …
  double *rigid_rest;   // [rigid_count][3] … in the world at rest, …
  double *rigid;        // … at the time of the last update, …
  double *rigid_speed;  // … and their velocities; …
  double *rigid_before; // … and where they were at a step's start
} StPair;

// A surface and who uses it: pairs with the same body and thickness share one.
typedef struct StSharedSurface {
  int body; // -1: a mesh obstacle's
  double thickness;
  StSurface *surface;
  bool sorted; // for the positions of the last update
} StSharedSurface;

// One touching point at the positions of an update. Offsets go into the pools of the list.
typedef struct StTouch {
  int pair, point; // point: index into the pair's points
  int count;       // vertices of the stencil
  int dof_count;   // of them, how many are vertices of ours: count, or 1 for an obstacle
  int side;        // of a two-sided surface, as st_surface_side has it
  size_t first;    // offset of the stencil's entries
  StGrip grip;
  double gap, fade;
  double matter[3]; // velocity of an obstacle's matter here
} StTouch;

// In the order of pairs and, within a pair, of its points.
typedef struct StTouchList {
  int count;
  StTouch *touch;
  size_t touch_capacity;
  // Pools over stencil entries:
  size_t used, capacity;
  int *vertex;
  double *gradient, *fade_gradient; // [][3]
  double *share;
} StTouchList;

// What the scratch holds.
typedef struct StFound {
  const StPair *pair; // NULL: nothing
  int point;
  StStencil stencil;
} StFound;

typedef struct StContacts {
  const StDescription *description;
  const StPiece *piece;
  int pair_count;
  StPair *pair;
  int surface_count;
  StSharedSurface *surface; // [surface_count]
  StObstacleNow *obstacle;  // [obstacles] at the time of the last update
  StTouchList now, lag;
  double time;
  double *position; // [vertex_count][3] of the last update; NAN before the first
  double *start;    // [vertex_count][3] where the present step began; …
  bool begun;       // … if one has begun
  StSurfaceScratch *scratch;
  StFound found;
  StStatus trouble; // of the last update: memory
  bool eased;       // friction goes by the steady laws
  bool still;       // no obstacle ever moves: what touches depends on positions alone
  // Work space for one stencil, grown as needed:
  int room;
  StDual *dual; // [room][16]
  size_t dense_capacity;
  double *dense; // numbers for the slopes of one touch
  int *place;    // [vertex_count] where the columns of one row of a matrix are
} StContacts;

// Skin of a body: boundary faces of its tets, then its free-standing triangles; free() it.
StStatus st_contacts_skin(const StMesh *mesh, int **triangle, int *count, StError *error);

// *contacts is NULL when the description has no contact.
StStatus st_contacts_create(const StDescription *description, const StPiece *piece,
                            StContacts **contacts, StError *error);
void st_contacts_destroy(StContacts *contacts);

// Finds what touches at these positions; nothing is done when they are those of the last call.
StStatus st_contacts_update(StContacts *contacts, double time, const double *position);

// Friction that falls with speed may have several solutions, and Newton get stuck between them;
// friction that does not fall has one. True when some pair's friction falls.
bool st_contacts_friction_falls(const StContacts *contacts);
bool st_contacts_have_friction(const StContacts *contacts);

// Easier friction, for first guesses: it does not fall with speed, and sticking speeds are `width`
// times as large. 0: friction as it is.
void st_contacts_ease_friction(StContacts *contacts, double width);

// Gap of a pair's point at the positions of the last update, and its gradient. False where the
// surface is out of reach: its samples are, or all see the point farther off than the thickness.
bool st_contacts_look(StContacts *contacts, int pair, int point, double *gap, double outward[3]);

// A step begins here: surfaces may need a larger radius, and the sides that points keep are those
// they are on now.
void st_contacts_begin_step(StContacts *contacts, const double *position);

// Remembers the present touches as those lagged friction goes by.
StStatus st_contacts_lag(StContacts *contacts, double time, const double *position, StError *error);

StGap st_contacts_gap(const StTouchList *list, const StTouch *touch); // views into the list
StTouchLaw st_contacts_law(const StContacts *contacts, const StTouch *touch);
int st_contacts_vertex(const StContacts *contacts,
                       const StTouch *touch); // the point's local vertex
bool st_contacts_owned(const StContacts *contacts, const StTouch *touch);

// Finds the samples of a touch between bodies again and gathers its positions, [count][3]. False
// when it is no touch any more, as one of the list `lag` may be.
bool st_contacts_revisit(StContacts *contacts, const StTouch *touch, double *position);

// Gap of a touch of the list `now` for complex positions of its stencil [count][3].
void st_contacts_gap_dual(StContacts *contacts, const StTouch *touch, const StDual *position,
                          StGapDual *gap, StDual matter[3]);

#endif
