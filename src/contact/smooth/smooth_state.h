// The memory of contact by smooth surfaces from step to step: κ of each pair, overlaps that the
// scene began with, radii of surfaces, and the side of a shell that each point is on. A point in
// reach keeps its side; one that comes into reach is on the side where it was when the step began.
#pragma once

#include "contact/core/contact_check.h"

typedef struct StSmoothPair {
  double stiffness; // current κ
  bool overlapping; // the pair overlapped at the start and has not separated since
  double depth;     // deepest gap allowed while overlapping (negative)
  bool marked;      // the pair is in the state's list
  int *side;        // two-sided pairs: [point_count] as in st_surface_side; 0: out of reach
  double middle[3]; // mean of the points at the step's start
} StSmoothPair;

struct StSmoothState {
  int pair_count;
  StSmoothPair *pair;
  // Pairs that may differ from their initial state: stiffened, overlapping, or with the surface of
  // a mesh. Usually few.
  int marked_count;
  int *marked;    // [pair_count] the first marked_count
  double *radius; // [surfaces] m, see st_surface_grown_radius
};

// Parts of the method (contact/core/method.h).
bool st_smooth_state_create(const StContacts *contacts, StContactState *state);
void st_smooth_state_destroy(StContactState *state);
void st_smooth_state_begin(const StContacts *contacts, StContactState *state,
                           const double *position);

// The initial state: pairs that overlap already are exempt until they separate. Shells have no
// inside and never overlap.
void st_smooth_state_start(const StContactSet *set, const StPairEnds *ends, StContactState *state);

// Raises κ of the pairs that penetrate; returns how many.
int st_smooth_state_stiffen(const StContacts *contacts, StContactState *state,
                            const StPairEnds *ends);

// Forgets overlaps and contacts that have ended, and keeps the sides of points at shells. Sides do
// not change how contacts are found, so the set stays valid.
void st_smooth_state_commit(const StContactSet *set, const StPairEnds *ends, StContactState *state);

// Positions of a point and its surface at the start of the step; before the first step, the present
// ones. place: scratch for the point's position.
StSurfacePast st_smooth_state_past(const StContacts *contacts, const StContactState *state,
                                   int pair, int point, const double *now, double place[3]);

// For all methods:
bool st_smooth_state_overlaps(const StContactState *state, int pair);

// The radius of a pair's surface; 0: it has none.
double st_smooth_state_radius(const StContacts *contacts, const StContactState *state, int pair);

// For an initial state: forgets all sides.
void st_smooth_state_forget_sides(const StContacts *contacts, StContactState *state);

// One pair, for checkpoints: of the marked ones, which are in order after this.
typedef struct StPairMemory {
  double stiffness, depth, radius;
  int pair, overlapping;
} StPairMemory;

int st_smooth_state_marked(const StContactState *state, const int **marked);
void st_smooth_state_sort(StContactState *state);
void st_smooth_state_remember(const StContacts *contacts, const StContactState *state, int pair,
                              StPairMemory *memory); // equal states give equal bytes

// Resets all pairs to their initial state; `recall` then restores the saved ones.
void st_smooth_state_forget(const StContacts *contacts, StContactState *state);
void st_smooth_state_recall(const StContacts *contacts, StContactState *state,
                            const StPairMemory *memory);

// For checkpoints, the same on all ranks: per two-sided pair one number for each vertex of the
// collider.
int st_smooth_state_side_count(const StContacts *contacts);
void st_smooth_state_remember_sides(const StContacts *contacts, const StContactState *state,
                                    int *side);
// False if a number is not a triangle of its surface; then nothing is restored.
bool st_smooth_state_recall_sides(const StContacts *contacts, StContactState *state,
                                  const int *side);
