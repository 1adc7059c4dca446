// All contact pairs of this rank, each between the skin of a body and a surface, built once from
// the description. They never change. What persists from step to step is in
// contact/core/contact_state.h; the contacts at given positions are in a set
// (contact/core/contact_set.h).
#pragma once

#include "contact/core/contact_set.h"
#include "contact/core/contact_state.h"
#include "contact/core/obstacle.h"
#include "contact/core/skins.h"

typedef struct StPair {
  int number; // model/contact_pairs.h
  const StContactDesc *desc;
  const struct StContactProvider *provider;
  StFrictionLaw friction;
  // Points, unless the pair is handled by skins (contact/core/skins.h):
  int owned_count; // points whose forces this rank adds: the first ones
  int point_count; // then those of other ranks whose contacts have entries in our rows
  int *point;      // [point_count] local vertices
  double *area;    // [point_count] share of the skin's rest area, m²; 1 without area weights
  struct StSmoothSide *smooth; // of contact by smooth surfaces, for its own files
} StPair;

typedef struct StContacts {
  const struct StContactMethodType *method;
  const StDescription *description;
  const StPiece *piece;
  int vertex_total; // vertices of the description
  // Pairs that are stored, in order: all of a list; under a rule, only those of a body and an
  // obstacle in closed form. The other pairs have nothing but their law.
  int pair_count;
  StPair *pair;
  StContactDesc *desc; // [pair_count] laws of pairs under a rule
  int always_count;
  int *always; // [always_count] indices of the pairs that every evaluation visits, in order
  struct StSmoothContacts *smooth; // of contact by smooth surfaces, for its own files
  StSkins *skins;                  // everything in contact by primitives; NULL: nothing is
  double sticking_speed; // m/s, the largest of all friction laws with stick by velocity; 0: none
  bool still;            // no obstacle ever moves: contacts depend on positions alone
  struct StBulk *bulk;   // [bodies] contact/barrier/damping.h
} StContacts;

// Skin of a body: boundary faces of its tets, then its free-standing triangles; free() it.
StStatus st_contacts_skin(const StMesh *mesh, int **triangle, int *count, StError *error);

// Wall thickness of a body, m: twice its volume over its surface. For a plate or a wall this is its
// thickness, for a cube a third of its side; infinite if the skin encloses nothing.
StStatus st_contacts_wall(const StMesh *mesh, double *wall, StError *error);

// *contacts is NULL if the description has no contact.
StStatus st_contacts_create(const StDescription *description, const StPiece *piece,
                            StContacts **contacts, StError *error);
void st_contacts_destroy(StContacts *contacts);

// Updates the laws of the pairs after the description's friction has changed. Sets evaluated before
// must not be used again.
StStatus st_contacts_renew_friction(StContacts *contacts, StError *error);

// Finds the contacts at these positions, [vertex_count][3]. Returns the set's status.
StStatus st_contacts_evaluate(const StContacts *contacts, const StContactState *state,
                              StInstant instant, const double *position, StContactSet *set);

// Positions of everything that moves: local vertices, [vertex_count][3], and obstacles.
typedef struct StConfiguration {
  StInstant instant;
  const double *position;
} StConfiguration;

// With primitives: the largest fraction, up to 1, of the straight path between two such positions
// on which ccd finds that nothing meets. Every gap keeps the part that st_advance_keep demands. 0:
// a gap is closed at the start. For this rank only; uses the set as scratch.
StStatus st_contacts_limit(StContactSet *set, const StConfiguration *from,
                           const StConfiguration *to, double *part);

// With primitives: every pair that cannot follow that path to its end. *whole: false if the path
// has too many candidate pairs to check all of it.
struct StAdvanceHits;
StStatus st_contacts_hits(StContactSet *set, const StConfiguration *from, const StConfiguration *to,
                          struct StAdvanceHits *hits, bool *whole);

// With primitives: the candidate pairs that evaluations and paths use. *slack: how far beyond the
// requested positions the lists usually hold, m, for callers that cover further paths.
struct StCandidates *st_contacts_candidates(StContactSet *set, double *slack);

// With primitives: restricts contact to these vertices, [vertex_count], whose positions this rank
// knows. Unknown vertices are ignored, so every vertex that may come into contact with a vertex of
// this rank must be known.
void st_contacts_set_known(StContactSet *set, const bool *known);

// With primitives: marks skins, [skin_count], that are parked: they do not move for a while, and
// contacts between two of them are left out of the set. NULL: none is parked. The array belongs to
// the caller.
void st_contacts_park(StContactSet *set, const bool *parked);

// With primitives: from here on the set has the features that another one found last, of the same
// skins at nearly the same positions, so that both have derivatives of the same contacts.
// Half-spaces have no features to choose from.
void st_contacts_follow(StContactSet *set, const StContactSet *other);

// Whether the body of such a pair, with an obstacle in closed form, is parked.
static inline bool st_pair_is_parked(const StContacts *contacts, const StPair *pair,
                                     const bool *parked) {
  int point = pair->point_count > 0 ? contacts->skins->point[pair->point[0]] : -1;
  return point >= 0 && parked[contacts->skins->point_skin[point]];
}

// A continuation for stages that are hard to solve: friction that is easier from the first `ease`
// on (st_contact_state_ease), each solution the next first guess.
typedef enum StEasing {
  ST_EASE_PEAK, // of friction that falls with speed, friction that does not
  ST_EASE_JUMP, // of all friction, first with much larger sticking speeds
} StEasing;

// The one after `ease`, 0 at first; 0: friction as it is. contacts: may be NULL.
double st_contacts_next_ease(const StContacts *contacts, StEasing easing, double ease);

// Index of a pair, given its number, among the stored ones; -1: it is not stored.
int st_contacts_place(const StContacts *contacts, int pair);

// The stored pair with that number; NULL: it is not stored.
static inline const StPair *st_contacts_kept(const StContacts *contacts, int pair) {
  int place = st_contacts_place(contacts, pair);
  return place < 0 ? NULL : &contacts->pair[place];
}

// Whether gaps never close, so that positions may only change along paths free of contact. False
// without contact.
bool st_contacts_keep_apart(const StContacts *contacts);
