// The memory of anchored friction. A sticking contact has an anchor: the two material points that
// began to stick, as weighted vertices of bodies or as a point in an obstacle's own frame. The
// tangential vector between them is the elastic displacement, on which friction depends
// (contact/friction/friction.h). Anchors change only when a step is committed: the anchor of a
// sticking contact stays the same to the bit, that of a sliding contact is moved so that its
// displacement is at the yield, and a contact that opens loses its anchor.
#pragma once

#include "contact/core/contact_set.h"

// Identifies the features of an anchor, equally on every rank, by vertex numbers of the
// description, followed by those of rigid places. Point and surface: the point alone, whichever
// feature it is closest to. Two edges: all four ends. A round obstacle and a feature: the feature's
// places.
typedef struct StAnchorKey {
  int pair;
  uint64_t a, b;
} StAnchorKey;

StAnchorKey st_anchor_key(const StContactSet *set, const StContact *contact);
int st_anchor_key_compare(const StAnchorKey *a, const StAnchorKey *b);

typedef struct StAnchor {
  StAnchorKey key;
  bool owned;       // the contact was owned by this rank
  double normal[3]; // of the contact at the last commit: distinguishes the layers of a fold
  double stiffness; // Pa/m, κ over the thickness when the anchor was set, or more
  double point[3];  // on the obstacle, in its own frame, if there is one
  int sign;         // of that point: +1 on side A, -1 on side B; 0: no obstacle
  int count;        // places of bodies, …
  size_t first;     // … offset of the first
  uint64_t contact; // its id, of the contact that decided last about the anchor, and whether …
  bool kept;        // … it is that of the step before, to the bit
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

// The anchors of one pair. Contacts are sorted by pair, like anchors, so that all contacts of a
// pair but the first search only these.
typedef struct StAnchorSpan {
  bool known;
  int pair, begin, end;
} StAnchorSpan;

// The anchor of a contact; NULL: none. span: the span of the contact asked for before, or zero;
// becomes that of this contact.
const StAnchor *st_anchors_find(const StAnchors *anchors, const StContactSet *set,
                                const StContact *contact, StAnchorSpan *span);

// The anchors after a step that ended with this set at these positions. `to` must be empty; the
// caller frees it. False: out of memory.
bool st_anchors_renew(const StAnchors *from, const StContactSet *set, const double *position,
                      StAnchors *to);

// The same with the decisions of another list, of a state so near that it has the same contacts:
// which of them have anchors, and which of these are kept (src/gradient).
bool st_anchors_renew_like(const StAnchors *from, const StContactSet *set, const double *position,
                           const StAnchors *like, StAnchors *to);

// The anchors owned by this rank as bytes, for checkpoints. NULL: out of memory; the caller frees
// them.
char *st_anchors_pack(const StAnchors *anchors, const struct StContacts *contacts, size_t *size);

// Reads the sorted bytes of all ranks and skips anchors without vertices on this rank.
// ST_BAD_INPUT: the bytes are not valid. `to` must be empty.
StStatus st_anchors_unpack(const char *bytes, size_t size, const struct StContacts *contacts,
                           StAnchors *to);

// Translates what packed anchors refer to. key: false if the features no longer exist. vertex: -1
// if the vertex no longer exists.
typedef struct StAnchorNames {
  void *context;
  bool (*key)(void *context, StAnchorKey *key);
  int64_t (*vertex)(void *context, int64_t vertex);
} StAnchorNames;

// A copy of packed anchors, translated and in order, without those that refer to something that no
// longer exists. NULL: no memory; free() the copy.
char *st_anchors_rename(const char *bytes, size_t *size, const StAnchorNames *names);

// Sorts the bytes of all ranks into an order that does not depend on the number of ranks.
bool st_anchors_sort_packed(char *bytes, size_t size);
