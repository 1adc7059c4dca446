// Paths of points against surfaces and obstacles. Tested by tests/contact/test_smooth_state.c.
#include "contact/smooth/smooth_paths.h"

#include "base/memory.h"
#include "contact/smooth/smooth_provider.h"
#include "contact/smooth/smooth_state.h"
#include "math/vec3.h"

// Positions at both ends of the step: of points, and of the surface's vertices.
typedef struct Paths {
  const double *before, *after;
  const double *surface_before, *surface_after;
  bool sorted; // the surface is sorted for `after`
} Paths;

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
      end->vertex = contacts->piece->vertex_id[pair->point[i]];
    }
  }
}

// A point in contact that is not inside is on the side it faces, regardless of round-off in ψ.
static bool crossed_sheet(const StContactSet *set, const StContactState *state, int index,
                          const Paths *paths, int point, const StContact *contact) {
  const StContacts *contacts = set->contacts;
  const size_t at = 3 * (size_t)contacts->pair[index].point[point];
  double place[3];
  int triangle;
  StSurfacePast before = st_smooth_state_past(contacts, state, index, point, paths->after, place);
  before.point = paths->before + at;
  StSurfacePast after = {paths->after + at, paths->after,
                         contact ? st_smooth_side(set, contact) : 0};
  return !(contact && contact->gap < 0) &&
         st_surface_crossed_sides(st_smooth_surface(set, index), st_smooth_scratch(set), &before,
                                  &after, &triangle);
}

// Direction in which the surface would push a point without contact. False: the point is out of
// reach, or inside.
static bool look_outward(const StContactSet *set, const StContactState *state, int index,
                         Paths *paths, int point, double outward[3]) {
  double gap;
  if (!paths->sorted && st_smooth_sort(set, index, paths->after) != ST_OK)
    return false;
  paths->sorted = true;
  return st_smooth_gap(set, state, index, point, paths->after, &gap, outward) && !(gap < 0);
}

// A point that went through a triangle but ends outside the smooth surface has only passed between
// the triangles and the surface. A point that ends inside, within reach, is detected by its depth,
// and stiffer contact pushes it out.
static bool crossed_surface(const StContactSet *set, const StContactState *state, int index,
                            Paths *paths, int point, const StContact *contact) {
  const StPair *pair = &set->contacts->pair[index];
  const StSurface *surface = st_smooth_surface(set, index);
  if (pair->smooth->two_sided)
    return crossed_sheet(set, state, index, paths, point, contact);
  const double *a = paths->before + 3 * pair->point[point];
  const double *b = paths->after + 3 * pair->point[point];
  double outward[3];
  int triangle;
  if (!st_surface_crossed(surface, a, b, paths->surface_before, paths->surface_after, &triangle))
    return false;
  if (contact && contact->gap < 0)
    return false;
  if (contact)
    vec3_copy(set->now.gradient + 3 * contact->first, outward);
  else if (!look_outward(set, state, index, paths, point, outward))
    return true;
  return st_surface_crossed_against(surface, a, b, paths->surface_before, paths->surface_after,
                                    outward, &triangle);
}

// rigid_before: scratch for a mesh obstacle's vertices.
static StStatus sweep_surface(const StContactSet *set, int index, double start,
                              double *rigid_before, Paths *paths) {
  const StContacts *contacts = set->contacts;
  const StPair *pair = &contacts->pair[index];
  paths->surface_before = paths->before;
  paths->surface_after = st_smooth_positions(set, index, paths->after);
  if (pair->smooth->rigid_count > 0) {
    const StMotion *motion = &contacts->description->obstacle[pair->desc->obstacle].motion;
    double velocity[3];
    for (int v = 0; v < pair->smooth->rigid_count; v++)
      st_motion_at(motion, start, pair->smooth->rigid_rest + 3 * v, rigid_before + 3 * v, velocity);
    paths->surface_before = rigid_before;
  }
  return st_surface_sweep(st_smooth_surface(set, index), paths->surface_before,
                          paths->surface_after, NULL);
}

// Contacts of a pair are in the order of its points, so one pass over both suffices.
static StStatus walk_points(const StContactSet *set, const StContactState *state, int index,
                            Paths *paths, StPairEnd *end) {
  const StPair *pair = &set->contacts->pair[index];
  const StContact *contact = set->now.contact;
  for (int i = 0, k = 0; i < pair->owned_count && !end->crossed; i++) {
    while (k < set->now.count &&
           (contact[k].pair < index || (contact[k].pair == index && contact[k].id < (uint64_t)i)))
      k++;
    bool touches = k < set->now.count && contact[k].pair == index && contact[k].id == (uint64_t)i;
    if (crossed_surface(set, state, index, paths, i, touches ? &contact[k] : NULL)) {
      end->crossed = true;
      end->vertex = set->contacts->piece->vertex_id[pair->point[i]];
    }
  }
  return ST_OK;
}

static StStatus check_surface_paths(const StContactSet *set, const StContactState *state, int index,
                                    double start, Paths paths, StPairEnd *end) {
  ST_FREE double *rigid =
      ST_NEW(double, 3 * (size_t)set->contacts->pair[index].smooth->rigid_count);
  if (!rigid)
    return ST_SYSTEM_FAULT;
  ST_TRY(sweep_surface(set, index, start, rigid, &paths));
  return walk_points(set, state, index, &paths, end);
}

StStatus st_smooth_check_pair(const StContactSet *set, const StContactState *state, int index,
                              double start, const double *before, const double *after,
                              StPairEnd *end) {
  const StPair *pair = &set->contacts->pair[index];
  if (state->smooth->pair[index].overlapping)
    return ST_OK;
  if (pair->smooth->surface >= 0)
    return check_surface_paths(set, state, index, start, (Paths){.before = before, .after = after},
                               end);
  check_obstacle_paths(set->contacts, pair, (double[]){start, set->time}, before, after, end);
  return ST_OK;
}
