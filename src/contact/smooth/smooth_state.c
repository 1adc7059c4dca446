// The state of contact by smooth surfaces: stiffness, overlaps, radii and sides.
#include "contact/smooth/smooth_state.h"

#include "base/memory.h"
#include "base/search.h"
#include "contact/smooth/smooth_provider.h"
#include "math/vec3.h"

#include <string.h>

static void mark(StSmoothState *smooth, int pair) {
  if (smooth->pair[pair].marked)
    return;
  smooth->pair[pair].marked = true;
  smooth->marked[smooth->marked_count++] = pair;
}

void st_smooth_state_create(const StContacts *contacts, StContactState *state) {
  StSmoothState *smooth = state->smooth = ST_OWN(state, StSmoothState, 1);
  if (!smooth)
    return;
  smooth->pair = ST_OWN(state, StSmoothPair, contacts->pair_count);
  smooth->marked = ST_OWN(state, int, contacts->pair_count);
  smooth->radius = ST_OWN(state, double, contacts->smooth->surface_count);
  if (!st_owner_is_whole(state))
    return;
  smooth->pair_count = contacts->pair_count;
  for (int i = 0; i < contacts->smooth->surface_count; i++) {
    const StSharedSurface *surface = &contacts->smooth->surface[i];
    smooth->radius[i] = st_surface_rest_radius(surface->triangle, surface->triangle_count,
                                               surface->rest, &surface->options);
  }
  for (int p = 0; p < contacts->pair_count; p++) {
    const StPair *pair = &contacts->pair[p];
    smooth->pair[p].stiffness = pair->desc->stiffness;
    if (pair->smooth->surface >= 0)
      mark(smooth, p);
    if (pair->smooth->two_sided)
      smooth->pair[p].side = ST_OWN(state, int, pair->point_count);
  }
}

static void find_middle(const StPair *pair, const double *position, double middle[3]) {
  vec3_set(0, 0, 0, middle);
  for (int i = 0; i < pair->point_count; i++)
    vec3_add_scaled(1.0 / pair->point_count, position + 3 * pair->point[i], middle);
}

// Enlarges the radii of bodies' surfaces where needed, and stores the present sides of points as
// those to keep.
void st_smooth_state_begin(const StContacts *contacts, StContactState *state,
                           const double *position) {
  StSmoothState *smooth = state->smooth;
  for (int i = 0; i < contacts->smooth->surface_count; i++) {
    const StSharedSurface *surface = &contacts->smooth->surface[i];
    if (surface->body >= 0)
      smooth->radius[i] = st_surface_grown_radius(surface->triangle, surface->triangle_count,
                                                  position, &surface->options, smooth->radius[i]);
  }
  for (int p = 0; p < contacts->pair_count; p++)
    if (contacts->pair[p].smooth->two_sided)
      find_middle(&contacts->pair[p], position, smooth->pair[p].middle);
}

double st_smooth_state_radius(const StContacts *contacts, const StContactState *state, int pair) {
  int surface = contacts->pair[pair].smooth->surface;
  return surface < 0 ? 0 : state->smooth->radius[surface];
}

static void keep_sides(const StContactSet *set, StContactState *state) {
  st_smooth_state_forget_sides(set->contacts, state);
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    if (set->contacts->pair[contact->pair].smooth->two_sided)
      state->smooth->pair[contact->pair].side[contact->id] = st_smooth_side(set, contact);
  }
}

void st_smooth_state_start(const StContactSet *set, const StPairEnds *ends, StContactState *state) {
  StSmoothState *smooth = state->smooth;
  for (int i = 0; i < smooth->marked_count; i++) {
    StSmoothPair *pair = &smooth->pair[smooth->marked[i]];
    pair->overlapping = false;
    pair->depth = 0;
  }
  for (int i = 0; i < ends->count; i++) {
    const StPairEnd *end = &ends->end[i];
    if (!(end->deepest < 0))
      continue;
    smooth->pair[end->pair].overlapping = !set->contacts->pair[end->pair].smooth->two_sided;
    smooth->pair[end->pair].depth = end->deepest;
    mark(smooth, end->pair);
  }
  keep_sides(set, state);
}

// The smallest gap allowed: 0, or the initial depth if the pair started inside.
static double allowed(const StContacts *contacts, const StSmoothState *smooth, int pair) {
  const StSmoothPair *of = &smooth->pair[pair];
  return of->overlapping ? of->depth - 1e-9 * contacts->pair[pair].desc->thickness : 0;
}

// The paper's rule: κ grows so that the force at this gap acts at half the thickness instead.
static double growth(const StContacts *contacts, int pair, double gap) {
  double half = contacts->pair[pair].desc->thickness / 2, depth = 2 * half - gap;
  return depth * depth / (half * half);
}

int st_smooth_state_stiffen(const StContacts *contacts, StContactState *state,
                            const StPairEnds *ends) {
  StSmoothState *smooth = state->smooth;
  int count = 0;
  for (int i = 0; i < ends->count; i++) {
    const StPairEnd *end = &ends->end[i];
    if (!(end->deepest < allowed(contacts, smooth, end->pair)))
      continue;
    smooth->pair[end->pair].stiffness *= growth(contacts, end->pair, end->deepest);
    mark(smooth, end->pair);
    state->version++;
    count++;
  }
  return count;
}

// Updates a marked pair; false: it no longer needs the mark. A pair that has separated gets its
// first κ.
static bool commit_pair(const StContacts *contacts, const StPairEnd *end, StContactState *state) {
  StSmoothPair *pair = &state->smooth->pair[end->pair];
  double stiffness = contacts->pair[end->pair].desc->stiffness;
  if (pair->overlapping && end->deepest >= 0)
    pair->overlapping = false;
  if (pair->overlapping)
    pair->depth = fmax(pair->depth, end->deepest);
  if (isinf(end->deepest) && pair->stiffness != stiffness) {
    pair->stiffness = stiffness;
    state->version++;
  }
  return pair->overlapping || pair->depth != 0 || pair->stiffness != stiffness ||
         contacts->pair[end->pair].smooth->surface >= 0;
}

void st_smooth_state_commit(const StContactSet *set, const StPairEnds *ends,
                            StContactState *state) {
  StSmoothState *smooth = state->smooth;
  int count = 0;
  keep_sides(set, state);
  for (int i = 0; i < smooth->marked_count; i++) {
    int pair = smooth->marked[i];
    StPairEnd end = st_pair_ends_of(ends, pair);
    smooth->pair[pair].marked = commit_pair(set->contacts, &end, state);
    if (smooth->pair[pair].marked)
      smooth->marked[count++] = pair;
  }
  smooth->marked_count = count;
}

// Checkpoints.

void st_smooth_state_sort(StContactState *state) {
  if (state->smooth->marked_count > 1)
    qsort(state->smooth->marked, (size_t)state->smooth->marked_count, sizeof(int), st_compare_ints);
}

void st_smooth_state_forget(const StContacts *contacts, StContactState *state) {
  StSmoothState *smooth = state->smooth;
  for (int i = 0; i < smooth->marked_count; i++) {
    StSmoothPair *pair = &smooth->pair[smooth->marked[i]];
    pair->stiffness = contacts->pair[smooth->marked[i]].desc->stiffness;
    pair->depth = 0;
    pair->overlapping = pair->marked = false;
  }
  smooth->marked_count = 0;
  for (int p = 0; p < contacts->pair_count; p++)
    if (contacts->pair[p].smooth->surface >= 0)
      mark(smooth, p);
  state->version++;
}

void st_smooth_state_restore(const StContacts *contacts, StContactState *state, int pair,
                             const StSmoothPair *saved, double radius) {
  StSmoothState *smooth = state->smooth;
  StSmoothPair *to = &smooth->pair[pair];
  int surface = contacts->pair[pair].smooth->surface;
  to->stiffness = saved->stiffness;
  to->depth = saved->depth;
  to->overlapping = saved->overlapping;
  mark(smooth, pair);
  if (surface >= 0)
    smooth->radius[surface] = radius;
  state->version++;
}

// Sides.

void st_smooth_state_forget_sides(const StContacts *contacts, StContactState *state) {
  for (int p = 0; p < contacts->pair_count; p++) {
    const StPair *pair = &contacts->pair[p];
    if (pair->smooth->two_sided)
      memset(state->smooth->pair[p].side, 0, (size_t)pair->point_count * sizeof(int));
  }
}

// A body may be placed on a sheet without a gap; such a point is on the side of its body's centre.
static const double NUDGE = 1e-6; // of the thickness

StSurfacePast st_smooth_state_past(const StContacts *contacts, const StContactState *state,
                                   int index, int point, const double *now, double place[3]) {
  const StPair *pair = &contacts->pair[index];
  const StSmoothPair *past = &state->smooth->pair[index];
  const double *position = state->begun ? state->start : now;
  double way[3];
  vec3_copy(position + 3 * pair->point[point], place);
  if (state->begun) {
    vec3_sub(past->middle, place, way);
    double length = vec3_length(way);
    if (length > 0)
      vec3_add_scaled(NUDGE * pair->desc->thickness / length, way, place);
  }
  return (StSurfacePast){place, position, past->side[point]};
}
