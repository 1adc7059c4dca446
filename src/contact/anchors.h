// The memory of anchored friction. Where a touch sticks, an anchor marks the two material points
// that began to stick: weighted vertices of bodies, or a point in an obstacle's own frame. The
// tangential vector between them is the elastic displacement that friction depends on
// (contact/friction.h). Anchors persist from step to step and change only when a step is committed:
// a sticking touch keeps its anchor to the bit, a sliding one drags it along at the yield, one that
// opens loses it.
#ifndef ST_CONTACT_ANCHORS_H
#define ST_CONTACT_ANCHORS_H

#include "contact/touch_set.h"

// The features it belongs to, the same on every rank: numbers of the description's vertices, then
// of rigid places. A point and a surface: the point, whatever it is closest to; two edges: all four
// ends; something round and a feature: the feature's places.
typedef struct StAnchorKey {
  int pair;
  uint64_t a, b;
} StAnchorKey;

StAnchorKey st_anchor_key(const StTouchSet *set, const StTouch *touch); // of the present touches
int st_anchor_key_compare(const StAnchorKey *a, const StAnchorKey *b);

typedef struct StAnchor {
  StAnchorKey key;
  bool owned;       // the touch was
  double normal[3]; // of the touch, when the last step was committed: separates a fold's layers
  double stiffness; // κ when it was set: an anchor does not stiffen
  double point[3];  // of the obstacle, in its own frame, if there is one
  int sign;         // of that point: +1 on side A, -1 on side B; 0: no obstacle
  int count;        // places of bodies, …
  size_t first;     // … offset of the first
  double held[3];   // from side B's point to side A's where the step began; see st_anchors_hold
} StAnchor;

// Sorted by keys.
typedef struct StAnchors {
  int count;
  StAnchor *item;
  size_t capacity;
  size_t used, place_capacity, weight_capacity;
  int *place;     // local vertices
  double *weight; // signed, as shares are
} StAnchors;

void st_anchors_free(StAnchors *anchors);

// Fills `held` for a step that begins at these positions, [vertex_count][3].
void st_anchors_hold(StAnchors *anchors, const struct StContacts *contacts, double time,
                     const double *position);

// The touch's anchor; NULL: none.
const StAnchor *st_anchors_find(const StAnchors *anchors, const StTouchSet *set,
                                const StTouch *touch);

// The anchors that a step leaves behind, which ends with this set at these positions. `to` is
// empty; it is to be freed. False: no memory.
bool st_anchors_renew(const StAnchors *from, const StTouchSet *set, const double *position,
                      StAnchors *to);

// As bytes for checkpoints, those that this rank owns. NULL: no memory; free() them.
char *st_anchors_pack(const StAnchors *anchors, const struct StContacts *contacts, size_t *size);

// Of all ranks' bytes, in their one order; what this rank has no vertices of is passed over.
// ST_BAD_INPUT: they have no meaning. `to` is empty.
StStatus st_anchors_unpack(const char *bytes, size_t size, const struct StContacts *contacts,
                           StAnchors *to);

// Puts the bytes of all ranks into the one order that they have for any number of ranks.
bool st_anchors_sort_packed(char *bytes, size_t size);

#endif
