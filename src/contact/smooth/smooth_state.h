// The memory of contact by smooth surfaces from step to step: κ of each pair, overlaps that the
// scene began with, radii of surfaces, and the side of a shell that each point is on. A point in
// reach keeps its side; one that comes into reach is on the side where it was when the step began.
#pragma once

#include "contact/core/contact_check.h"
#include "contact/smooth/smooth_contacts.h"

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
void st_smooth_state_create(const StContacts *contacts, StContactState *state);
void st_smooth_state_begin(const StContacts *contacts, StContactState *state,
                           const double *position);

// The initial state: pairs that overlap already are exempt until they separate. Shells have no
// inside and never overlap. st_smooth_start also judges the overlaps.
void st_smooth_state_start(const StContactSet *set, const StPairEnds *ends, StContactState *state);
StStatus st_smooth_start(const StContactSet *set, const StPairEnds *ends, StContactState *state,
                         const StLog *log, StError *error);

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

// The radius of a pair's surface; 0: it has none.
double st_smooth_state_radius(const StContacts *contacts, const StContactState *state, int pair);

// For an initial state: forgets the sides of all points.
void st_smooth_state_forget_sides(const StContacts *contacts, StContactState *state);

// Checkpoints: puts the marked pairs in order; resets all pairs to their initial state; restores
// one of them.
void st_smooth_state_sort(StContactState *state);
void st_smooth_state_forget(const StContacts *contacts, StContactState *state);
void st_smooth_state_restore(const StContacts *contacts, StContactState *state, int pair,
                             const StSmoothPair *saved, double radius);
