// Pairs of primitives that are close at given places: points and what of a skin they are over
// (contact/point_features.h), edges and edges, and what stands alone. Threads share the search.
#ifndef ST_CONTACT_PRIMITIVE_FIND_H
#define ST_CONTACT_PRIMITIVE_FIND_H

#include "contact/near.h"
#include "contact/primitive_gap.h"

#include <stdint.h>

// One close pair, before its gap is taken.
typedef struct StFound {
  uint64_t id; // of the same features the same in every search
  int pair;    // index into the description's contacts
  StPrimitive primitive;
  int place[ST_PRIMITIVE_MOST];
  double weight;
  int triangle; // that the other feature of a point belongs to; -1: none
  double reach; // part of the pair's thickness
} StFound;

typedef struct StFinder StFinder;

StStatus st_finder_create(const StSkins *skins, StFinder **finder, StError *error);
void st_finder_destroy(StFinder *finder); // NULL is fine

// Looks through the lists, which must cover these places, [place_count][3]. sharpness: [edges].
// False: no memory.
bool st_finder_search(StFinder *finder, const StNear *near, const double *place,
                      const double *sharpness);

// What was found last, in the order of pairs and, within a pair, of ids.
const StFound *st_finder_found(const StFinder *finder, size_t *count);

#endif
