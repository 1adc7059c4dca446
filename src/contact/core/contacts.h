// All contact pairs on this rank, each a body's skin and a surface, built once from the
// description. They never change; what persists from step to step is in
// contact/core/contact_state.h, and the contacts at given positions are a set
// (contact/core/contact_set.h).
#pragma once

#include "contact/core/contact_set.h"
#include "contact/core/contact_state.h"
#include "contact/core/obstacle.h"
#include "contact/core/skins.h"
#include "contact/smooth/surface.h"

typedef struct StPair {
  int number; // model/contact_pairs.h
  const StContactDesc *desc;
  const struct StContactProvider *provider;
  StFrictionLaw friction;
  // Points, unless the pair is handled by skins (contact/core/skins.h):
  int owned_count;    // points whose forces this rank adds: the first ones
  int point_count;    // then those of other ranks whose contacts reach our rows
  int *point;         // [point_count] local vertices
  double *area;       // [point_count] share of the skin's rest area, m²; 1 without area weights
  int surface;        // index of the contacts' surface; -1 for a closed-form obstacle
  bool two_sided;     // surface of a shell: points may touch either side, and stay on it
  int rigid_count;    // vertices of a mesh obstacle, …
  int rigid_first;    // … the first one's place, …
  double *rigid_rest; // … [rigid_count][3] in the world at rest
} StPair;

// A smooth surface and its users: pairs with the same body and thickness share one.
typedef struct StSharedSurface {
  int body; // -1: a mesh obstacle
  StSurfaceOptions options;
  int triangle_count;
  int *triangle;      // [triangle_count][3] vertices of the piece or of the obstacle
  const double *rest; // their positions at rest
} StSharedSurface;

typedef struct StContacts {
  const struct StContactMethodType *method;
  const StDescription *description;
  const StPiece *piece;
  int vertex_total; // vertices of the description
  // Pairs that are kept, in order: all of a list, and under a rule those of points and obstacles in
  // closed form. The others have nothing but their law.
  int pair_count;
  StPair *pair;
  StContactDesc *desc; // [pair_count] laws of pairs under a rule
  int always_count;
  int *always; // [always_count] places of pairs that are always evaluated, in order
  int surface_count;
  StSharedSurface *surface; // [surface_count]
  int rigid_count;          // vertices of mesh obstacles in all pairs
  StSkins *skins;           // everything in contact by primitives; NULL: nothing is
  double sticking_speed;    // m/s, the largest of all friction laws with stick by velocity; 0: none
  bool still;               // no obstacle ever moves: contacts depend on positions alone
  struct StBulk *bulk;      // [bodies] contact/barrier/damping.h
} StContacts;

// Skin of a body: boundary faces of its tets, then its free-standing triangles; free() it.
StStatus st_contacts_skin(const StMesh *mesh, int **triangle, int *count, StError *error);

// How thick a body is, m: twice its volume over its surface. Of a plate or a wall what they are, of
// a cube a third of its side; infinite if the skin encloses nothing.
StStatus st_contacts_wall(const StMesh *mesh, double *wall, StError *error);

// *contacts is NULL if the description has no contact.
StStatus st_contacts_create(const StDescription *description, const StPiece *piece,
                            StContacts **contacts, StError *error);
void st_contacts_destroy(StContacts *contacts);

// Updates the laws of the pairs after the description's friction has changed. Sets evaluated before
// must not be used again.
StStatus st_contacts_renew_friction(StContacts *contacts, StError *error);

// Finds the contacts at these positions, [vertex_count][3]. ease: 0 for friction as it is; above 0,
// easier friction for first guesses, which does not fall with speed and has sticking speeds at
// least `ease` times as large. Returns the set's status.
StStatus st_contacts_evaluate(const StContacts *contacts, const StContactState *state,
                              StInstant instant, const double *position, double ease,
                              StContactSet *set);

// Positions of everything that moves: local vertices, [vertex_count][3], and obstacles.
typedef struct StConfiguration {
  StInstant instant;
  const double *position;
} StConfiguration;

// With primitives: the largest fraction, up to 1, of the straight path between two such positions
// on which nothing meets. Leaves at least a tenth of every gap. 0: something meets at the start.
// For this rank only; uses the set as scratch.
StStatus st_contacts_limit(StContactSet *set, const StConfiguration *from,
                           const StConfiguration *to, double *part);

// With primitives: everything that would meet on that path. *whole: false if the path has too many
// near pairs to check all of it.
struct StAdvanceHits;
StStatus st_contacts_hits(StContactSet *set, const StConfiguration *from, const StConfiguration *to,
                          struct StAdvanceHits *hits, bool *whole);

// With primitives: the lists of near pairs that evaluations and paths use, and how far beyond what
// is asked for (m) they usually hold. For who covers more with them.
struct StCandidates *st_contacts_near(StContactSet *set, double *slack);

// With primitives: restricts contact to these vertices, [vertex_count], whose positions this rank
// knows. Unknown vertices are ignored, so everything that may touch a vertex of this rank must be
// known.
void st_contacts_set_known(StContactSet *set, const bool *known);

// With primitives: these skins, [skin_count], stay where they are for a while, and contacts between
// them are left out of the set. They are free to stay there, too. NULL: there are none. The array
// is the caller's.
void st_contacts_park(StContactSet *set, const bool *parked);

// Whether a pair of points and an obstacle in closed form belongs to one of them.
static inline bool st_pair_is_parked(const StContacts *contacts, const StPair *pair,
                                     const bool *parked) {
  int point = pair->point_count > 0 ? contacts->skins->point[pair->point[0]] : -1;
  return point >= 0 && parked[contacts->skins->point_skin[point]];
}

// Friction that falls with speed may have several solutions, and Newton may get stuck between them;
// friction that does not fall has one. True if the friction of some pair falls.
bool st_contacts_friction_falls(const StContacts *contacts);
bool st_contacts_have_friction(const StContacts *contacts);

// The place of a pair, by its number, among those that are kept; -1: it is not.
int st_contacts_place(const StContacts *contacts, int pair);

// The same as a pair; NULL: it is not kept.
static inline const StPair *st_contacts_kept(const StContacts *contacts, int pair) {
  int place = st_contacts_place(contacts, pair);
  return place < 0 ? NULL : &contacts->pair[place];
}

// Whether gaps never close, so that positions may change along free paths only. Not without
// contact.
bool st_contacts_keep_apart(const StContacts *contacts);
