// Checks the end of a step.
#include "contact/contact_check.h"

#include "base/memory.h"
#include "contact/barrier.h"
#include "contact/sides.h"
#include "contact/touch_smooth.h"
#include "math/vec3.h"
#include "model/body.h"

// Positions at both ends of the step: of points, and of the surface's vertices.
typedef struct Paths {
  const double *before, *after;
  const double *surface_before, *surface_after;
  bool sorted; // the surface is sorted for `after`
} Paths;

static int vertex_id(const StContacts *contacts, const StPair *pair, int point) {
  return contacts->piece->vertex_id[pair->point[point]];
}

// Smallest distance along a straight path, which is convex in the path's parameter for a convex
// shape.
static double smallest_gap(const StObstacleDesc *desc, const double times[2], const double a[3],
                           const double b[3]) {
  double low = 0, high = 1, least = INFINITY;
  for (int i = 0; i < 40; i++) {
    double s[2] = {low + (high - low) / 3, high - (high - low) / 3}, gap[2];
    for (int k = 0; k < 2; k++) {
      StObstacleNow now;
      double x[3], gradient[3];
      for (int c = 0; c < 3; c++)
        x[c] = a[c] + s[k] * (b[c] - a[c]);
      st_obstacle_at(desc, times[0] + s[k] * (times[1] - times[0]), &now);
      gap[k] = st_obstacle_gap(&now, x, gradient);
      least = fmin(least, gap[k]);
    }
    *(gap[0] < gap[1] ? &high : &low) = gap[0] < gap[1] ? s[1] : s[0];
  }
  return least;
}

// A point cannot have been inside in between if the sum of the gaps at both ends exceeds its path
// length.
static bool crossed_obstacle(const StContacts *contacts, const StPair *pair,
                             const StObstacleNow now[2], const double times[2], const double a[3],
                             const double b[3]) {
  double gradient[3], way[3], moved[3];
  double first = st_obstacle_gap(&now[0], a, gradient),
         last = st_obstacle_gap(&now[1], b, gradient);
  vec3_sub(b, a, way);
  st_obstacle_velocity(&now[1], b, moved);
  double reach = vec3_length(way) + 2 * vec3_length(moved) * (times[1] - times[0]);
  if (first < 0 || last < 0 || first + last > reach)
    return false;
  return smallest_gap(&contacts->description->obstacle[pair->desc->obstacle], times, a, b) < 0;
}

static bool is_half_space(const StObstacleDesc *desc) {
  return desc->shape.name == st_obstacle_types[0]->name;
}

static void check_obstacle_paths(const StContacts *contacts, const StPair *pair,
                                 const double times[2], const double *before, const double *after,
                                 StPairEnd *end) {
  const StObstacleDesc *desc = &contacts->description->obstacle[pair->desc->obstacle];
  if (is_half_space(desc) && !st_motion_moves(&desc->motion))
    return; // a straight path between two points of one side stays on it
  StObstacleNow now[2];
  for (int k = 0; k < 2; k++)
    st_obstacle_at(desc, times[k], &now[k]);
  for (int i = 0; i < pair->owned_count && !end->crossed; i++) {
    const double *a = before + 3 * pair->point[i], *b = after + 3 * pair->point[i];
    if (crossed_obstacle(contacts, pair, now, times, a, b)) {
      end->crossed = true;
      end->vertex = vertex_id(contacts, pair, i);
    }
  }
}

// A touching point that is not inside is on the side it faces, regardless of round-off in ψ.
static bool crossed_sheet(const StTouchSet *set, const StContactState *state, int index,
                          const Paths *paths, int point, const StTouch *touch) {
  const StContacts *contacts = set->contacts;
  const size_t at = 3 * (size_t)contacts->pair[index].point[point];
  double place[3];
  int triangle;
  StSurfacePast before = st_sides_past(contacts, state, index, point, paths->after, place);
  before.point = paths->before + at;
  StSurfacePast after = {paths->after + at, paths->after, touch ? st_smooth_side(set, touch) : 0};
  return !(touch && touch->gap < 0) &&
         st_surface_crossed_sides(st_contacts_surface(contacts, index), contacts->scratch, &before,
                                  &after, &triangle);
}

// The direction in which the surface would push a point that does not touch it; false if it is out
// of reach or the point is inside.
static bool look_outward(const StTouchSet *set, const StContactState *state, int index,
                         Paths *paths, int point, double outward[3]) {
  double gap;
  if (!paths->sorted && st_smooth_sort(set, index, paths->after) != ST_OK)
    return false;
  paths->sorted = true;
  return st_smooth_gap(set, state, index, point, paths->after, &gap, outward) && !(gap < 0);
}

// A point that went through a triangle but is outside of the smooth surface has only passed between
// the two. One that ends inside, within reach, is detected by its depth, and stiffer contact pushes
// it out.
static bool crossed_surface(const StTouchSet *set, const StContactState *state, int index,
                            Paths *paths, int point, const StTouch *touch) {
  const StPair *pair = &set->contacts->pair[index];
  const StSurface *surface = st_contacts_surface(set->contacts, index);
  if (pair->two_sided)
    return crossed_sheet(set, state, index, paths, point, touch);
  const double *a = paths->before + 3 * pair->point[point];
  const double *b = paths->after + 3 * pair->point[point];
  double outward[3];
  int triangle;
  if (!st_surface_crossed(surface, a, b, paths->surface_before, paths->surface_after, &triangle))
    return false;
  if (touch && touch->gap < 0)
    return false;
  if (touch)
    vec3_copy(set->now.gradient + 3 * touch->first, outward);
  else if (!look_outward(set, state, index, paths, point, outward))
    return true;
  return st_surface_crossed_against(surface, a, b, paths->surface_before, paths->surface_after,
                                    outward, &triangle);
}

// rigid_before: scratch for a mesh obstacle's vertices.
static StStatus sweep_surface(const StTouchSet *set, int index, double start, double *rigid_before,
                              Paths *paths) {
  const StContacts *contacts = set->contacts;
  const StPair *pair = &contacts->pair[index];
  paths->surface_before = paths->before;
  paths->surface_after = st_smooth_positions(set, index, paths->after);
  if (pair->rigid_count > 0) {
    const StMotion *motion = &contacts->description->obstacle[pair->desc->obstacle].motion;
    double velocity[3];
    for (int v = 0; v < pair->rigid_count; v++)
      st_motion_at(motion, start, pair->rigid_rest + 3 * v, rigid_before + 3 * v, velocity);
    paths->surface_before = rigid_before;
  }
  return st_surface_sweep(st_contacts_surface(contacts, index), paths->surface_before,
                          paths->surface_after, NULL);
}

// Touches of a pair are in the order of its points, so one pass over both suffices.
static StStatus walk_points(const StTouchSet *set, const StContactState *state, int index,
                            Paths *paths, StPairEnd *end) {
  const StPair *pair = &set->contacts->pair[index];
  const StTouch *touch = set->now.touch;
  for (int i = 0, k = 0; i < pair->owned_count && !end->crossed; i++) {
    while (k < set->now.count &&
           (touch[k].pair < index || (touch[k].pair == index && touch[k].id < (uint64_t)i)))
      k++;
    bool touches = k < set->now.count && touch[k].pair == index && touch[k].id == (uint64_t)i;
    if (crossed_surface(set, state, index, paths, i, touches ? &touch[k] : NULL)) {
      end->crossed = true;
      end->vertex = vertex_id(set->contacts, pair, i);
    }
  }
  return ST_OK;
}

static StStatus check_surface_paths(const StTouchSet *set, const StContactState *state, int index,
                                    double start, Paths paths, StPairEnd *end) {
  double *rigid = ST_NEW(double, 3 * (size_t)set->contacts->pair[index].rigid_count);
  if (!rigid)
    return ST_SYSTEM_FAULT;
  StStatus status = sweep_surface(set, index, start, rigid, &paths);
  if (status == ST_OK)
    status = walk_points(set, state, index, &paths, end);
  free(rigid);
  return status;
}

void st_pair_ends_free(StPairEnds *ends) {
  free(ends->end);
}

StPairEnd st_pair_ends_of(const StPairEnds *ends, int pair) {
  int low = 0, high = ends->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (ends->end[middle].pair < pair)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < ends->count && ends->end[low].pair == pair)
    return ends->end[low];
  return (StPairEnd){.pair = pair, .deepest = INFINITY, .vertex = -1, .before = {INFINITY, 0}};
}

// The last entry if it belongs to the pair, otherwise a new one.
static StPairEnd *end_of(StPairEnds *ends, int pair) {
  if (ends->count > 0 && ends->end[ends->count - 1].pair == pair)
    return &ends->end[ends->count - 1];
  if (!st_grow((void **)&ends->end, &ends->capacity, (size_t)ends->count + 1, sizeof(StPairEnd)))
    return NULL;
  StPairEnd *end = &ends->end[ends->count++];
  *end = (StPairEnd){.pair = pair, .deepest = INFINITY, .vertex = -1, .before = {INFINITY, 0}};
  return end;
}

// Each touching pair, its deepest touch, and how it closes; for smooth surfaces all pairs, because
// they may have been crossed.
static StStatus find_ends(const StTouchSet *set, const double *velocity, StPairEnds *ends) {
  const StContacts *contacts = set->contacts;
  int next = 0, all = contacts->skins ? 0 : contacts->pair_count;
  ends->count = 0;
  for (int t = 0; t < set->now.count; t++) {
    const StTouch *touch = &set->now.touch[t];
    for (; next < all && next < touch->pair; next++)
      if (!end_of(ends, next))
        return ST_SYSTEM_FAULT;
    StPairEnd *of = end_of(ends, touch->pair);
    if (!of)
      return ST_SYSTEM_FAULT;
    if (touch->owned && touch->gap < of->deepest) {
      of->deepest = touch->gap;
      of->vertex = contacts->piece->vertex_id[st_touch_set_vertex(set, &set->now, touch)];
    }
    if (touch->owned && contacts->skins)
      st_impact_carry(&of->carrying, touch);
    if (touch->owned && contacts->skins && velocity)
      st_impact_add(&of->impact, set, touch, velocity);
  }
  for (; next < all; next++)
    if (!end_of(ends, next))
      return ST_SYSTEM_FAULT;
  return ST_OK;
}

// With primitives no path crosses anything.
static StStatus check_paths(const StTouchSet *set, const StContactState *state, double start,
                            const double *before, const double *after, StPairEnds *ends) {
  const StContacts *contacts = set->contacts;
  const double times[2] = {start, set->time};
  for (int p = 0; p < contacts->pair_count && !contacts->skins; p++) {
    const StPair *pair = &contacts->pair[p];
    Paths paths = {.before = before, .after = after};
    if (state->pair[p].overlapping)
      continue;
    if (pair->surface >= 0)
      ST_TRY(check_surface_paths(set, state, p, start, paths, &ends->end[p]));
    else
      check_obstacle_paths(contacts, pair, times, before, after, &ends->end[p]);
  }
  return ST_OK;
}

StStatus st_contact_check_measure(const StTouchSet *set, const StContactState *state, double start,
                                  const double *before, const double *after, const double *velocity,
                                  StPairEnds *ends) {
  ends->count = 0;
  ST_TRY(set->status);
  ends->span = set->span;
  ST_TRY(find_ends(set, velocity, ends));
  for (int i = 0; i < ends->count && set->contacts->skins; i++)
    ends->end[i].before = st_impact_before(state, ends->end[i].pair);
  return before ? check_paths(set, state, start, before, after, ends) : ST_OK;
}

// A barrier never lets anything inside, but under more load than expected gaps get so small that
// Newton's method suffers. Below the first of these fractions of the thickness the barrier is
// stiffened, so that the same force acts at the second.
static const double LEAST_GAP = 0.02, GOOD_GAP = 0.4;
// κ is that of the whole pair. If most of the load is carried at gaps above the first fraction, the
// few points that are closer may come down to the second.
static const double COMMON_GAP = 0.1, LEAST_GAP_OF_FEW = 0.002;

// The smallest gap allowed: 0, or the initial depth if the pair started inside.
static double allowed(const StContacts *contacts, const StContactState *state, int pair) {
  double thickness = st_contact_state_thickness(contacts, state, pair);
  if (contacts->skins)
    return LEAST_GAP * thickness;
  return state->pair[pair].overlapping ? state->pair[pair].depth - 1e-9 * thickness : 0;
}

// Factor for κ so that the force at this gap acts at half the thickness instead.
static double growth(const StContacts *contacts, const StContactState *state, int pair,
                     double gap) {
  double thickness = st_contact_state_thickness(contacts, state, pair);
  double half = thickness / 2, depth = thickness - gap;
  if (contacts->skins)
    return st_barrier_curve(gap / thickness).slope / st_barrier_curve(GOOD_GAP).slope;
  return depth * depth / (half * half);
}

static bool is_too_close(const StContacts *contacts, const StContactState *state, int pair,
                         double gap, const StCarrying *carrying) {
  if (!(gap < allowed(contacts, state, pair)))
    return false;
  bool few = contacts->skins && carrying->moment > COMMON_GAP * carrying->force;
  return !few || gap < LEAST_GAP_OF_FEW * st_contact_state_thickness(contacts, state, pair);
}

// Where things are driven together or pinched, a gap stays small however stiff contact is.
static bool is_in_vain(const StContacts *contacts, double gap, double tried) {
  return contacts->skins && gap < 1.1 * tried && !isinf(tried);
}

double st_contact_check_closest(const StTouchSet *set, const StContactState *state,
                                const double *tried) {
  const StContacts *contacts = set->contacts;
  const StTouch *touch = set->now.touch;
  double closest = INFINITY;
  for (int t = 0; t < set->now.count;) {
    int p = touch[t].pair;
    double gap = INFINITY;
    StCarrying carrying = {0};
    for (; t < set->now.count && touch[t].pair == p; t++)
      if (touch[t].owned) {
        gap = fmin(gap, touch[t].gap);
        st_impact_carry(&carrying, &touch[t]);
      }
    if (!is_too_close(contacts, state, p, gap, &carrying) || is_in_vain(contacts, gap, tried[p]))
      continue;
    StPressedBefore before = st_impact_before(state, p);
    if (!st_impact_pressed(&before))
      closest = fmin(closest, gap / st_contact_state_thickness(contacts, state, p));
  }
  return closest;
}

// Of the thickness: a barrier that begins at a smaller gap would be too thin.
static const double THINNEST = 1e-3;
// Of the energy of motion and strain of all bodies: what stiffer contact may store.
static const double SLIGHT = 2e-2;

// How contact of a pair is stiffened.
typedef struct Stiffening {
  double by;   // factor of κ
  double part; // of the thickness, where the stiffer barrier begins
} Stiffening;

static bool may_shrink(const StContacts *contacts, const StContactState *state,
                       const StPairEnd *end) {
  const StContactDesc *desc = contacts->pair[end->pair].desc;
  return contacts->skins && desc->body != desc->collider && st_impact_pressed(&end->before) &&
         end->before.gap > LEAST_GAP && state->pair[end->pair].reach * end->before.gap > THINNEST;
}

// deep: what it takes because the pair is too close, or 1.
static Stiffening choose(const StContacts *contacts, const StContactState *state,
                         const StPairEnd *end, double span, double energy, double deep) {
  const StImpact *impact = &end->impact;
  if (!st_impact_pressed(&end->before))
    return (Stiffening){fmax(st_impact_growth(impact, contacts, state, end->pair, span, 1), deep),
                        1};
  if (!may_shrink(contacts, state, end))
    return (Stiffening){deep, 1};
  double part = end->before.gap;
  double by = fmax(st_impact_growth(impact, contacts, state, end->pair, span, part), deep);
  double stored = (by - 1) * state->pair[end->pair].stiffness * end->before.stored;
  return stored > SLIGHT * energy ? (Stiffening){by, part} : (Stiffening){deep, 1};
}

static void raise_stiffness(StContactState *state, int pair, double by) {
  state->pair[pair].stiffness *= by;
  st_contact_state_mark(state, pair);
  state->version++;
}

int st_contact_check_stiffen(const StContacts *contacts, StContactState *state,
                             const StPairEnds *ends, double energy, double *tried) {
  int count = 0;
  for (int i = 0; i < ends->count; i++) {
    const StPairEnd *end = &ends->end[i];
    int p = end->pair;
    double deep = 1;
    if (is_too_close(contacts, state, p, end->deepest, &end->carrying) &&
        !is_in_vain(contacts, end->deepest, tried[p])) {
      tried[p] = end->deepest;
      deep = growth(contacts, state, p, end->deepest);
    }
    Stiffening stiffening = choose(contacts, state, end, ends->span, energy, deep);
    if (!(stiffening.by > 1))
      continue;
    state->pair[p].reach *= stiffening.part;
    raise_stiffness(state, p, stiffening.by);
    count++;
  }
  return count;
}

StStatus st_contact_check_meet(const StTouchSet *set, const StContactState *state,
                               const double *velocity, bool all, StPairEnds *ends) {
  const StTouch *touch = set->now.touch;
  ends->count = 0;
  for (int t = 0, next; t < set->now.count; t = next) {
    StPressedBefore before = st_impact_before(state, touch[t].pair);
    for (next = t + 1; next < set->now.count && touch[next].pair == touch[t].pair;)
      next++;
    if (st_impact_pressed(&before) && !all)
      continue;
    StPairEnd *end = end_of(ends, touch[t].pair);
    if (!end)
      return ST_SYSTEM_FAULT;
    end->before = before;
    for (int k = t; k < next; k++)
      if (touch[k].owned)
        st_impact_add(&end->impact, set, &touch[k], velocity);
  }
  return ST_OK;
}

int st_contact_check_brace(const StContacts *contacts, StContactState *state,
                           const StPairEnds *ends, double span) {
  int count = 0;
  for (int i = 0; i < ends->count; i++) {
    const StPairEnd *end = &ends->end[i];
    double by = st_impact_pressed(&end->before)
                    ? 1
                    : st_impact_brace(&end->impact, contacts, state, end->pair, span);
    if (!(by > 1))
      continue;
    raise_stiffness(state, end->pair, by);
    count++;
  }
  return count;
}

// Cloth keeps what lies on both of its sides apart by its gaps alone: if they get small under a
// load, the two press on each other through it, by more than the first of these fractions of what
// the cloth carries. Contact is then stiffened for the next step, if it carries its load at less
// than the second fraction of the thickness, so that the same force acts at the third, by no more
// than the fourth at once.
static const double PAST = 5e-3, FIRM_BELOW = 0.65, FIRM_GAP = 0.7, MOST_FIRMER = 2;
// Of the gap at the start of the step. What opens is being lifted already, and would be thrown; in
// an impact stiffer contact would give back more than it took.
static const double CLOSING = 0.8, OPENING = 1.02;

// The two of a pair: bodies, and then obstacles.
static void find_sides(const StContacts *contacts, int pair, int side[2]) {
  const StContactDesc *desc = contacts->pair[pair].desc;
  side[0] = desc->collider;
  side[1] = desc->body >= 0 ? desc->body : contacts->description->body_count + desc->obstacle;
}

static bool is_sheet(const StContacts *contacts, int side) {
  const StDescription *description = contacts->description;
  return side < description->body_count && !st_body_is_solid(&description->body[side]);
}

// The other one, if one of a pair is `side`; otherwise -1.
static int beside(const StContacts *contacts, int pair, int side) {
  int both[2];
  find_sides(contacts, pair, both);
  return both[0] == side ? both[1] : both[1] == side ? both[0] : -1;
}

// N
static double force_of(const StContactState *state, const StPairEnd *end) {
  return end->carrying.force * state->pair[end->pair].stiffness;
}

static bool are_touching(const StContacts *contacts, const StPairEnds *ends, int a, int b) {
  for (int i = 0; i < ends->count; i++)
    if (beside(contacts, ends->end[i].pair, a) == b && ends->end[i].carrying.force > 0)
      return true;
  return false;
}

// Whether `side` presses on something through the sheet.
static bool presses_through(const StContacts *contacts, const StContactState *state,
                            const StPairEnds *ends, int sheet, int side, double force) {
  for (int i = 0; i < ends->count; i++) {
    int other = beside(contacts, ends->end[i].pair, side);
    if (other >= 0 && other != sheet && other != side && force_of(state, &ends->end[i]) > force &&
        are_touching(contacts, ends, sheet, other))
      return true;
  }
  return false;
}

static bool is_pressed_through(const StContacts *contacts, const StContactState *state,
                               const StPairEnds *ends, const StPairEnd *end) {
  int side[2];
  double force = PAST * force_of(state, end);
  find_sides(contacts, end->pair, side);
  for (int i = 0; i < 2; i++)
    if (is_sheet(contacts, side[i]) && side[0] != side[1] &&
        presses_through(contacts, state, ends, side[i], side[1 - i], force))
      return true;
  return false;
}

static bool is_at_rest(const StContacts *contacts, const StContactState *state,
                       const StPairEnd *end) {
  double gap = end->deepest / st_contact_state_thickness(contacts, state, end->pair);
  return gap >= CLOSING * end->before.gap && gap <= OPENING * end->before.gap;
}

// What was stiffened for a hit or a load that is gone throws off whatever grazes it. While a
// stiffened pair is apart, or comes no closer than the first of these fractions of the thickness,
// where its barrier stores hardly anything, and closes by no more than the second within a step,
// its κ falls back by the third. Not at once: what was hit is often hit again.
static const double GRAZING = 0.9, QUIET = 0.1, EASED = 0.7;

static bool is_quiet(const StContacts *contacts, const StContactState *state,
                     const StPairEnds *ends, const StPairEnd *end) {
  double thickness = st_contact_state_thickness(contacts, state, end->pair);
  return end->deepest > GRAZING * thickness && end->impact.fastest * ends->span < QUIET * thickness;
}

void st_contact_check_ease(const StContacts *contacts, StContactState *state,
                           const StPairEnds *ends) {
  for (int i = 0; i < state->marked_count && contacts->skins; i++) {
    StPairEnd end = st_pair_ends_of(ends, state->marked[i]);
    if (is_quiet(contacts, state, ends, &end))
      state->pair[end.pair].change = EASED;
  }
}

void st_contact_check_firm(const StContacts *contacts, StContactState *state,
                           const StPairEnds *ends) {
  for (int i = 0; i < ends->count && contacts->skins; i++) {
    const StPairEnd *end = &ends->end[i];
    double mean = end->carrying.moment / end->carrying.force;
    if (!(mean < FIRM_BELOW) || !is_at_rest(contacts, state, end) ||
        !is_pressed_through(contacts, state, ends, end))
      continue;
    double by = st_barrier_curve(mean).slope / st_barrier_curve(FIRM_GAP).slope;
    state->pair[end->pair].change = fmin(by, MOST_FIRMER);
    st_contact_state_mark(state, end->pair);
  }
}

// Updates a marked pair; false: it no longer needs the mark. Of a pair that is apart after all,
// attempts that failed may have raised κ beyond measure: that is forgotten.
static bool commit_pair(const StContacts *contacts, const StPairEnd *end, StContactState *state) {
  StPairState *pair = &state->pair[end->pair];
  double stiffness = contacts->pair[end->pair].desc->stiffness;
  if (pair->overlapping && end->deepest >= 0)
    pair->overlapping = false;
  if (pair->overlapping)
    pair->depth = fmax(pair->depth, end->deepest);
  if (isinf(end->deepest) && pair->stiffness != stiffness) {
    pair->stiffness = contacts->skins ? fmin(pair->stiffness, pair->accepted) : stiffness;
    state->version++;
  }
  return pair->overlapping || pair->depth != 0 || pair->stiffness != stiffness || pair->reach < 1 ||
         contacts->pair[end->pair].surface >= 0;
}

void st_contact_check_commit(const StTouchSet *set, const StPairEnds *ends, StContactState *state) {
  int count = 0;
  st_sides_commit(set, state);
  for (int i = 0; i < state->marked_count; i++) {
    int pair = state->marked[i];
    StPairEnd end = st_pair_ends_of(ends, pair);
    state->pair[pair].marked = commit_pair(set->contacts, &end, state);
    if (state->pair[pair].marked)
      state->marked[count++] = pair;
  }
  state->marked_count = count;
}

bool st_contact_check_widen(const StPairEnds *ends, StContactState *state, double *thin) {
  bool any = false;
  for (int i = 0; i < state->marked_count; i++) {
    int p = state->marked[i];
    StPairState *pair = &state->pair[p];
    if (!(pair->reach < 1) || !isinf(st_pair_ends_of(ends, p).deepest))
      continue;
    thin[p] = pair->reach;
    pair->reach = 1;
    any = true;
  }
  state->version += any;
  return any;
}

void st_contact_check_find_touching(const StTouchSet *set, double *thin) {
  for (int t = 0; t < set->now.count; t++) {
    double *of = &thin[set->now.touch[t].pair];
    *of = -fabs(*of);
  }
}

void st_contact_check_narrow(const StContacts *contacts, StContactState *state, double *thin) {
  for (int i = 0; i < state->marked_count; i++) {
    int p = state->marked[i];
    if (thin[p] < 0)
      state->pair[p].reach = -thin[p];
    else if (thin[p] > 0)
      state->pair[p].stiffness = contacts->pair[p].desc->stiffness;
    thin[p] = 0;
  }
  state->version++;
}

void st_contact_check_begin(const StTouchSet *set, const StPairEnds *ends, StContactState *state) {
  for (int i = 0; i < state->marked_count; i++) {
    StPairState *pair = &state->pair[state->marked[i]];
    pair->overlapping = false;
    pair->depth = 0;
  }
  for (int i = 0; i < ends->count; i++) {
    const StPairEnd *end = &ends->end[i];
    if (!(end->deepest < 0))
      continue;
    state->pair[end->pair].overlapping = !set->contacts->pair[end->pair].two_sided;
    state->pair[end->pair].depth = end->deepest;
    st_contact_state_mark(state, end->pair);
  }
  st_sides_commit(set, state);
}
