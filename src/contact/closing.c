// The verdict on a step's end.
#include "contact/closing.h"

#include "contact/sides.h"
#include "math/vec3.h"

// Positions at both ends of the step: of points, and of the surface's vertices.
typedef struct Paths {
  const double *before, *after;
  const double *surface_before, *surface_after;
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

// A point cannot have been inside in between when the gaps at both ends exceed its way there and
// back.
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

static void check_obstacle_paths(StContacts *contacts, const StPair *pair, const double times[2],
                                 const double *before, const double *after, StPairEnd *end) {
  const StObstacleDesc *desc = &contacts->description->obstacle[pair->desc->obstacle];
  if (is_half_space(desc) && !st_motion_moves(&desc->motion))
    return; // a straight path between two points of one side stays there
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

// A touching point that is not inside is on the side it faces, whatever the last digits of ψ say.
static bool crossed_sheet(StContacts *contacts, const StPair *pair, const Paths *paths, int point,
                          const StTouch *touch) {
  const size_t at = 3 * (size_t)pair->point[point];
  double place[3];
  int triangle;
  StSurfacePast before = st_sides_past(contacts, pair, point, place);
  before.point = paths->before + at;
  StSurfacePast after = {paths->after + at, paths->after, touch ? touch->side : 0};
  return !(touch && touch->gap < 0) &&
         st_surface_crossed_sides(pair->surface, contacts->scratch, &before, &after, &triangle);
}

// A point that has gone through a triangle but is outside of the smooth surface all the same has
// only passed between the two. One that ends inside, within reach, is known by its depth, and
// stiffer contact brings it out.
static bool crossed_surface(StContacts *contacts, int index, const Paths *paths, int point,
                            const StTouch *touch) {
  const StPair *pair = &contacts->pair[index];
  if (pair->two_sided)
    return crossed_sheet(contacts, pair, paths, point, touch);
  const double *a = paths->before + 3 * pair->point[point];
  const double *b = paths->after + 3 * pair->point[point];
  double gap, outward[3];
  int triangle;
  if (!st_surface_crossed(pair->surface, a, b, paths->surface_before, paths->surface_after,
                          &triangle))
    return false;
  if (touch && touch->gap < 0)
    return false;
  if (touch)
    vec3_copy(contacts->now.gradient + 3 * touch->first, outward);
  else if (!st_contacts_look(contacts, index, point, &gap, outward) || gap < 0)
    return true;
  return st_surface_crossed_against(pair->surface, a, b, paths->surface_before,
                                    paths->surface_after, outward, &triangle);
}

static StStatus sweep_surface(StContacts *contacts, StPair *pair, double start, Paths *paths) {
  paths->surface_before = paths->before;
  paths->surface_after = paths->after;
  if (pair->rigid) {
    const StMotion *motion = &contacts->description->obstacle[pair->desc->obstacle].motion;
    double velocity[3];
    for (int v = 0; v < pair->rigid_count; v++)
      st_motion_at(motion, start, pair->rigid_rest + 3 * v, pair->rigid_before + 3 * v, velocity);
    paths->surface_before = pair->rigid_before;
    paths->surface_after = pair->rigid;
  }
  return st_surface_sweep(pair->surface, paths->surface_before, paths->surface_after, NULL);
}

// Touches of a pair come in the order of its points, so one walk meets both.
static StStatus check_surface_paths(StContacts *contacts, int index, double start, Paths paths,
                                    StPairEnd *end) {
  StPair *pair = &contacts->pair[index];
  const StTouchList *list = &contacts->now;
  ST_TRY(sweep_surface(contacts, pair, start, &paths));
  int next = 0;
  for (int i = 0; i < pair->owned_count && !end->crossed; i++) {
    while (next < list->count && (list->touch[next].pair < index ||
                                  (list->touch[next].pair == index && list->touch[next].point < i)))
      next++;
    bool touches =
        next < list->count && list->touch[next].pair == index && list->touch[next].point == i;
    if (crossed_surface(contacts, index, &paths, i, touches ? &list->touch[next] : NULL)) {
      end->crossed = true;
      end->vertex = vertex_id(contacts, pair, i);
    }
  }
  return ST_OK;
}

StStatus st_closing_measure(StContacts *contacts, double start, double time, const double *before,
                            const double *after, StPairEnd *end) {
  for (int p = 0; p < contacts->pair_count; p++)
    end[p] = (StPairEnd){.deepest = INFINITY, .vertex = -1};
  if (!before)
    st_sides_forget(contacts);
  ST_TRY(st_contacts_update(contacts, time, after));
  for (int t = 0; t < contacts->now.count; t++) {
    const StTouch *touch = &contacts->now.touch[t];
    StPairEnd *of = &end[touch->pair];
    if (st_contacts_owned(contacts, touch) && touch->gap < of->deepest) {
      of->deepest = touch->gap;
      of->vertex = contacts->piece->vertex_id[st_contacts_vertex(contacts, touch)];
    }
  }
  const double times[2] = {start, time};
  for (int p = 0; p < contacts->pair_count && before; p++) {
    StPair *pair = &contacts->pair[p];
    if (pair->overlapping)
      continue;
    if (pair->surface)
      ST_TRY(check_surface_paths(contacts, p, start, (Paths){.before = before, .after = after},
                                 &end[p]));
    else
      check_obstacle_paths(contacts, pair, times, before, after, &end[p]);
  }
  return ST_OK;
}

// How deep a pair may be: not at all, or no deeper than it was when it began inside.
static double allowed(const StPair *pair) {
  return pair->overlapping ? pair->depth - 1e-9 * pair->desc->thickness : 0;
}

int st_closing_stiffen(StContacts *contacts, const StPairEnd *end) {
  int count = 0;
  for (int p = 0; p < contacts->pair_count; p++) {
    StPair *pair = &contacts->pair[p];
    if (end[p].deepest >= allowed(pair))
      continue;
    // b'(deepest)/b'(δ/2): the same force is then reached half the thickness outside.
    double half = pair->desc->thickness / 2, depth = pair->desc->thickness - end[p].deepest;
    pair->stiffness *= depth * depth / (half * half);
    contacts->time = NAN; // grips were taken with the softer κ
    count++;
  }
  return count;
}

void st_closing_commit(StContacts *contacts, const StPairEnd *end) {
  st_sides_commit(contacts);
  for (int p = 0; p < contacts->pair_count; p++) {
    StPair *pair = &contacts->pair[p];
    if (pair->overlapping && end[p].deepest >= 0)
      pair->overlapping = false;
    if (pair->overlapping)
      pair->depth = fmax(pair->depth, end[p].deepest);
    if (isinf(end[p].deepest) && pair->stiffness != pair->desc->stiffness) {
      pair->stiffness = pair->desc->stiffness;
      contacts->time = NAN;
    }
  }
}

void st_closing_begin(StContacts *contacts, const StPairEnd *end) {
  for (int p = 0; p < contacts->pair_count; p++) {
    StPair *pair = &contacts->pair[p];
    pair->overlapping = end[p].deepest < 0 && !pair->two_sided;
    pair->depth = fmin(end[p].deepest, 0);
  }
  st_sides_commit(contacts);
}
