// The memory of anchored friction. A sticking contact has an anchor: the two material points that
// began to stick, as weighted vertices of bodies or a point in an obstacle's own frame. Friction
// depends on the tangential vector between them, the elastic displacement
// (contact/friction/friction.h). Anchors change only when a step is committed: a sticking contact
// keeps its anchor to the bit, a sliding one drags it along at the yield, one that opens loses it.
#pragma once

#include "contact/core/contact_set.h"

// The features an anchor belongs to, the same on every rank: vertex numbers of the description,
// then of rigid places. Point and surface: the point alone, whichever feature it is closest to. Two
// edges: all four ends. A round obstacle and a feature: the feature's places.
typedef struct StAnchorKey {
  int pair;
  uint64_t a, b;
} StAnchorKey;

StAnchorKey st_anchor_key(const StContactSet *set, const StContact *contact);
int st_anchor_key_compare(const StAnchorKey *a, const StAnchorKey *b);

typedef struct StAnchor {
  StAnchorKey key;
  bool owned;       // the contact was owned by this rank
  double normal[3]; // of the contact at the last commit: tells the layers of a fold apart
  double stiffness; // Pa/m, how stiff it is: κ over the thickness when it was set, or more
  double point[3];  // on the obstacle, in its own frame, if there is one
  int sign;         // of that point: +1 on side A, -1 on side B; 0: no obstacle
  int count;        // places of bodies, …
  size_t first;     // … offset of the first
  double held[3];   // vector from side B's point to side A's at the start of the step; see
                    // st_anchors_hold
} StAnchor;

// Sorted by key.
typedef struct StAnchors {
  int count;
  StAnchor *item;
  size_t capacity;
  size_t used, place_capacity, weight_capacity;
  int *place;     // local vertices
  double *weight; // signed, as shares are
} StAnchors;

void st_anchors_free(StAnchors *anchors);

// Adds an anchor at the end, with room for this many places; NULL: out of memory.
StAnchor *st_anchors_add(StAnchors *anchors, int places);

// Fills `held` for a step that starts at these positions, [vertex_count][3].
void st_anchors_hold(StAnchors *anchors, const struct StContacts *contacts, double time,
                     const double *position);

// The anchors of one pair. Contacts are sorted by pair, too: those after the first find theirs
// among a few.
typedef struct StAnchorSpan {
  bool known;
  int pair, begin, end;
} StAnchorSpan;

// The anchor of a contact; NULL: none. span: of the last contact asked for, or zero; of this one
// afterwards.
const StAnchor *st_anchors_find(const StAnchors *anchors, const StContactSet *set,
                                const StContact *contact, StAnchorSpan *span);

// The anchors after a step that ended with this set at these positions. `to` must be empty; the
// caller frees it. False: out of memory.
bool st_anchors_renew(const StAnchors *from, const StContactSet *set, const double *position,
                      StAnchors *to);

// The anchors owned by this rank as bytes, for checkpoints. NULL: out of memory; the caller frees
// them.
char *st_anchors_pack(const StAnchors *anchors, const struct StContacts *contacts, size_t *size);

// Reads the sorted bytes of all ranks and skips anchors without vertices on this rank.
// ST_BAD_INPUT: the bytes are not valid. `to` must be empty.
StStatus st_anchors_unpack(const char *bytes, size_t size, const struct StContacts *contacts,
                           StAnchors *to);

// New names for what packed anchors belong to. key: false: it belongs to nothing any more. vertex:
// -1: it is gone.
typedef struct StAnchorNames {
  void *context;
  bool (*key)(void *context, StAnchorKey *key);
  int64_t (*vertex)(void *context, int64_t vertex);
} StAnchorNames;

// A copy of packed anchors with these names, without those that have lost something, in order.
// NULL: no memory; free() it.
char *st_anchors_rename(const char *bytes, size_t *size, const StAnchorNames *names);

// Sorts the bytes of all ranks into an order that does not depend on the number of ranks.
bool st_anchors_sort_packed(char *bytes, size_t size);
