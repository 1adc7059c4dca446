// Candidate pairs of the broad phase: pairs of features that may come into contact. The lists are
// complete for all states between and around two given ones. A bounding volume hierarchy finds the
// pairs, and the lists hold while positions stay inside the boxes they were made for.
#pragma once

#include "contact/broad_phase/bvh.h"

typedef enum StCandidateKind {
  ST_CANDIDATE_POINT_TRIANGLE,
  ST_CANDIDATE_EDGE_EDGE,   // the lower edge first
  ST_CANDIDATE_POINT_EDGE,  // edges without triangles: a capsule's
  ST_CANDIDATE_POINT_POINT, // the second is a point without edges: a sphere's centre
  ST_CANDIDATE_KINDS
} StCandidateKind;

// Sorted by the first feature, then by the second; without duplicates.
typedef struct StCandidateList {
  int count;
  int *pair; // [count][2] numbers of features in StSkins
  size_t capacity;
} StCandidateList;

// Pairs found by one thread.
typedef struct StCandidateBasket {
  StCandidateList list[ST_CANDIDATE_KINDS];
  size_t found; // in its current task
  bool no_memory;
} StCandidateBasket;

typedef struct StCandidates {
  const StSkins *skins;
  StCandidateList list[ST_CANDIDATE_KINDS];
  size_t most; // `st_candidates_cover` gives up beyond this many pairs
  // Known features: places of points, skin by skin, and edges with both ends known.
  int *known_start, *known_place; // [skin_count + 1], [known]
  int known_edge_count, *known_edge;
  // The lists cover each known place anywhere in its own box, while all boxes move by s
  // times their shifts, with one s from 0 to 1 for all of them. Shifts are the smooth part of a
  // skin's motion.
  // A *stray* is a skin that has left its boxes since then: it got new boxes that do not move,
  // whatever s is, and only its own pairs were searched for again.
  bool covering;
  int stray_count;
  bool *stray, *left;                 // [skin_count] left: outside its boxes at the last check
  double *skin_started, *skin_square; // [skin_count] what a skin adds to `started` and `square`
  double *skin_along;                 // [skin_count] scratch
  int full_count;                     // number of pairs after the last search over all skins
  StBounds *bounds;                   // [place_count]
  StBounds *edge_bounds;              // [edge_count] around both ends'
  double *middle;                     // [place_count][3] of the boxes
  double *spread;                     // [place_count] half of a box's diagonal
  double started; // Σ shift · start over all points but those of strays, and …
  double square;  // … Σ shift²: measures how far along the shifts a state is
  StSkinTree tree;
  int *bucket; // scratch for sorting
  StCandidateList spare;
  StCandidateBasket *basket; // [threads]
} StCandidates;

StStatus st_candidates_create(const StSkins *skins, StCandidates **candidates, StError *error);
void st_candidates_destroy(StCandidates *candidates); // NULL is fine

// Sets the vertices whose positions are known from now on, [vertex_count]; NULL: all, which is the
// default. Features with other vertices are left out of the lists.
void st_candidates_set_known(StCandidates *candidates, const bool *known);

// Makes the lists complete for every configuration on the straight path from a to b, and within
// `slack` of it along each axis: they then contain every pair whose gap is below its activation
// distance anywhere there. Boxes move along with their skin's overall translation, rotation and
// stretch, so speed alone adds no pairs. Returns at once if a and b are covered already. Left out:
// skins without a law, features that share a place, pairs without a place of this rank, and
// neighbours in one skin that are too close at rest (contact/core/rest_distance.h). ST_NOT_SOLVED:
// there would be more than near->most pairs; the lists then cover nothing, and the caller should
// ask for a shorter path.
StStatus st_candidates_cover(StCandidates *candidates, const double *a, const double *b,
                             double slack, StError *error);

// Whether the lists are complete for the straight path from a to b.
bool st_candidates_covers(StCandidates *candidates, const double *a, const double *b);

// The places of a pair, the first feature's before the second's. first_count: places of the first
// feature; count: places of both. radii: sum of both radii; reach: activation distance; same: both
// features belong to one skin.
typedef struct StCandidatePair {
  int first_count, count;
  int place[4];
  double radii, reach;
  bool same;
  int skin[2];
} StCandidatePair;

// Fills the places only; the other members stay zero.
static inline StCandidatePair st_candidates_places(const StSkins *skins, StCandidateKind kind,
                                                   const int pair[2]) {
  size_t a = (size_t)pair[0], b = (size_t)pair[1];
  const int *p = skins->edge_place + 2 * a, *q = skins->edge_place + 2 * b;
  const int *t = skins->triangle_place + 3 * b;
  switch (kind) {
  case ST_CANDIDATE_POINT_TRIANGLE:
    return (StCandidatePair){1, 4, {skins->point_place[a], t[0], t[1], t[2]}, 0, 0, false, {0}};
  case ST_CANDIDATE_EDGE_EDGE:
    return (StCandidatePair){2, 4, {p[0], p[1], q[0], q[1]}, 0, 0, false, {0}};
  case ST_CANDIDATE_POINT_EDGE:
    return (StCandidatePair){1, 3, {skins->point_place[a], q[0], q[1]}, 0, 0, false, {0}};
  default:
    return (StCandidatePair){1,     2,  {skins->point_place[a], skins->point_place[b]}, 0, 0,
                             false, {0}};
  }
}

StCandidatePair st_candidates_pair(const StSkins *skins, StCandidateKind kind, const int pair[2]);

// Distance between the two features, without radii. position: of all places.
double st_candidates_distance(const StCandidatePair *pair, const double *position);

// The same at coordinates of the pair's own places.
double st_candidates_distance_at(const StCandidatePair *pair, const double x[4][3]);
