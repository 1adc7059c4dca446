// Contacts of points with the smooth surfaces of bodies and mesh obstacles. Tested by
// tests/contact/test_contact_set.c.
#include "contact/smooth/smooth_provider.h"

#include "base/memory.h"
#include "contact/core/provider.h"
#include "contact/smooth/smooth_state.h"
#include "math/vec3.h"

#include <string.h>

// The samples of a contact, so that its derivatives need no search.
typedef struct Kept {
  size_t first; // offset of the corners
  int samples;
  int side;
} Kept;

typedef struct Smooth {
  size_t count, capacity;
  Kept *kept; // in the order of the contacts; StContact.index
  size_t used, corner_capacity;
  int *corner;         // [][3][samples]
  StSurface **surface; // [surfaces] at the positions they were last sorted for
  int surface_count;
  bool *sorted; // [surfaces] for the present evaluation
  StSurfaceScratch *scratch;
} Smooth;

static StStatus open_surfaces(const StContacts *contacts, Smooth *smooth, StError *error) {
  smooth->surface = ST_OWN(smooth, StSurface *, contacts->smooth->surface_count);
  smooth->sorted = ST_OWN(smooth, bool, contacts->smooth->surface_count);
  ST_TRY_MEMORY(st_owner_is_whole(smooth), error);
  for (; smooth->surface_count < contacts->smooth->surface_count; smooth->surface_count++) {
    const StSharedSurface *shared = &contacts->smooth->surface[smooth->surface_count];
    ST_TRY(st_surface_create(shared->triangle, shared->triangle_count, shared->rest,
                             &shared->options, &smooth->surface[smooth->surface_count], error));
  }
  return st_surface_scratch_create(&smooth->scratch, error);
}

static void close_set(void *own) {
  Smooth *smooth = own;
  if (!smooth)
    return;
  for (int i = 0; i < smooth->surface_count; i++)
    st_surface_destroy(smooth->surface[i]);
  st_surface_scratch_destroy(smooth->scratch);
  free(smooth->kept);
  free(smooth->corner);
  st_owner_free(smooth);
}

static StStatus open_set(StContactSet *set, void **own, StError *error) {
  Smooth *smooth = *own = ST_OWNER(Smooth);
  int first, count = set->contacts->smooth->rigid_count;
  ST_TRY_MEMORY(smooth, error);
  ST_TRY(st_contact_set_add_rigid(set, count, &first, error));
  return open_surfaces(set->contacts, smooth, error);
}

static Smooth *smooth_of(const StContactSet *set) {
  return st_contact_set_own(set, &st_provider_smooth);
}

StSurface *st_smooth_surface(const StContactSet *set, int pair) {
  return smooth_of(set)->surface[set->contacts->pair[pair].smooth->surface];
}

StSurfaceScratch *st_smooth_scratch(const StContactSet *set) {
  return smooth_of(set)->scratch;
}

static bool takes(const StContacts *contacts, int pair) {
  return contacts->pair[pair].smooth->surface >= 0;
}

static bool is_rigid(const StPair *pair) {
  return pair->smooth->rigid_count > 0;
}

static size_t rigid_offset(const StContactSet *set, const StPair *pair) {
  return 3 * (size_t)(pair->smooth->rigid_first - set->contacts->piece->vertex_count);
}

// Vertices of a mesh obstacle and their velocities under its pose.
static void move_rigid(StContactSet *set, const StPair *pair) {
  StObstacleNow now, start;
  st_obstacle_at(&set->contacts->description->obstacle[pair->desc->obstacle], set->time, &now);
  st_obstacle_at(&set->contacts->description->obstacle[pair->desc->obstacle], set->start_time,
                 &start);
  const StRigidPose *pose = &now.pose, *then = &start.pose;
  double *x = set->rigid_position + rigid_offset(set, pair);
  double *velocity = set->rigid_velocity + rigid_offset(set, pair);
  double *shift = set->rigid_shift + rigid_offset(set, pair);
  for (int v = 0; v < 3 * pair->smooth->rigid_count; v += 3) {
    double arm[3], before[3];
    mat3_apply(pose->rotation, pair->smooth->rigid_rest + v, x + v);
    vec3_add_scaled(1, pose->shift, x + v);
    mat3_apply(then->rotation, pair->smooth->rigid_rest + v, before);
    vec3_add_scaled(1, then->shift, before);
    vec3_sub(x + v, before, shift + v);
    vec3_sub(x + v, pose->pivot, arm);
    vec3_cross(pose->spin, arm, velocity + v);
    vec3_add_scaled(1, pose->velocity, velocity + v);
  }
}

static StStatus begin(StContactSet *set, const StContactState *state, const double *position) {
  (void)position;
  const StContacts *contacts = set->contacts;
  Smooth *smooth = smooth_of(set);
  smooth->count = smooth->used = 0;
  for (int i = 0; i < contacts->smooth->surface_count; i++) {
    smooth->sorted[i] = false;
    st_surface_set_radius(smooth->surface[i], state->smooth->radius[i]);
  }
  for (int p = 0; p < contacts->pair_count && contacts->smooth->rigid_count > 0; p++)
    if (is_rigid(&contacts->pair[p]))
      move_rigid(set, &contacts->pair[p]);
  return ST_OK;
}

const double *st_smooth_positions(const StContactSet *set, int index, const double *position) {
  const StPair *pair = &set->contacts->pair[index];
  return is_rigid(pair) ? set->rigid_position + rigid_offset(set, pair) : position;
}

StStatus st_smooth_sort(const StContactSet *set, int pair, const double *position) {
  return st_surface_update(st_smooth_surface(set, pair), st_smooth_positions(set, pair, position),
                           NULL);
}

// The samples around a point, oriented towards it.
static bool find_samples(const StContactSet *set, const StContactState *state, int index, int point,
                         const double *position, StStencil *stencil, StError *error) {
  const StContacts *contacts = set->contacts;
  const StPair *pair = &contacts->pair[index];
  const StSurface *surface = st_smooth_surface(set, index);
  int vertex = pair->point[point];
  const double *x = position + 3 * vertex;
  if (!st_surface_find(surface, vertex, x, st_smooth_scratch(set), stencil, error))
    return false;
  if (!pair->smooth->two_sided)
    return true;
  double place[3];
  StSurfacePast past = st_smooth_state_past(contacts, state, index, point, position, place);
  return st_surface_face(surface, st_smooth_scratch(set), x, position, &past, error);
}

// Converts a mesh obstacle's own numbers to places.
static void copy_places(const StPair *pair, const StStencil *stencil, int *place) {
  int shift = is_rigid(pair) ? pair->smooth->rigid_first : 0;
  place[0] = stencil->vertex[0];
  for (int k = 1; k < stencil->count; k++)
    place[k] = shift + stencil->vertex[k];
}

static bool keep_samples(const StContactSet *set, StContact *contact, int side) {
  Smooth *smooth = smooth_of(set);
  int samples = st_surface_sample_count(st_smooth_scratch(set));
  size_t numbers = 3 * (size_t)samples;
  if (!ST_GROW(smooth->kept, smooth->capacity, smooth->count + 1) ||
      !ST_GROW(smooth->corner, smooth->corner_capacity, smooth->used + numbers))
    return false;
  st_surface_copy_samples(st_smooth_scratch(set), smooth->corner + smooth->used);
  smooth->kept[smooth->count] = (Kept){smooth->used, samples, side};
  smooth->used += numbers;
  contact->index = smooth->count++;
  return true;
}

// Adds a candidate to the set if it is within reach.
static bool keep_contact(StContactSet *set, StContact *contact, const StGap *gap,
                         const double *position) {
  const StPair *pair = &set->contacts->pair[contact->pair];
  if (!(gap->gap < pair->desc->thickness) || !(gap->mollifier > 0))
    return true;
  int side = 0;
  if (pair->smooth->two_sided)
    side = st_surface_side(st_smooth_surface(set, contact->pair), st_smooth_scratch(set),
                           position + 3 * pair->point[contact->id], position);
  contact->gap = gap->gap;
  contact->mollifier = gap->mollifier;
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  contact->normal_state = st_contact_normal_state(&law, gap);
  if (!keep_samples(set, contact, side))
    return false;
  st_contact_set_keep(set, contact);
  return true;
}

static StStatus try_point(StContactSet *set, const StContactState *state, int index, int point,
                          const double *position) {
  const StContacts *contacts = set->contacts;
  const StPair *pair = &contacts->pair[index];
  StStencil stencil;
  StError error = {0};
  if (!find_samples(set, state, index, point, position, &stencil, &error))
    return error.status;
  StContact *contact = st_contact_set_add(set, &st_provider_smooth, index, stencil.count);
  if (!contact)
    return ST_SYSTEM_FAULT;
  contact->id = (uint64_t)point;
  contact->owned = point < pair->owned_count;
  contact->weight = pair->area[point];
  int *place = set->now.vertex + contact->first;
  copy_places(pair, &stencil, place);
  st_contact_set_positions(set, stencil.count, place, position, set->work->real);
  StGap gap = st_contact_array_gap(&set->now, contact);
  st_surface_gap(st_smooth_surface(set, index), st_smooth_scratch(set), set->work->real, &gap);
  return keep_contact(set, contact, &gap, position) ? ST_OK : ST_SYSTEM_FAULT;
}

static StStatus evaluate(StContactSet *set, const StContactState *state, int index,
                         const double *position) {
  Smooth *smooth = smooth_of(set);
  const StPair *pair = &set->contacts->pair[index];
  if (!smooth->sorted[pair->smooth->surface])
    ST_TRY(st_smooth_sort(set, index, position));
  smooth->sorted[pair->smooth->surface] = true;
  for (int i = 0; i < pair->point_count; i++)
    ST_TRY(try_point(set, state, index, i, position));
  return ST_OK;
}

int st_smooth_side(const StContactSet *set, const StContact *contact) {
  const Smooth *smooth = smooth_of(set);
  return smooth->kept[contact->index].side;
}

bool st_smooth_gap(const StContactSet *set, const StContactState *state, int index, int point,
                   const double *position, double *gap, double outward[3]) {
  StStencil stencil;
  if (!find_samples(set, state, index, point, position, &stencil, NULL))
    return false;
  size_t n = (size_t)stencil.count;
  double *x = st_contact_scratch_dense(set->work, 10 * n);
  if (!x)
    return false;
  const double *surface = st_smooth_positions(set, index, position);
  for (int k = 0; k < stencil.count; k++)
    vec3_copy((k ? surface : position) + 3 * stencil.vertex[k], x + 3 * k);
  StGap all = {.gradient = x + 3 * n, .mollifier_gradient = x + 6 * n, .share = x + 9 * n};
  st_surface_gap(st_smooth_surface(set, index), st_smooth_scratch(set), x, &all);
  *gap = all.gap;
  vec3_copy(all.gradient, outward);
  return true;
}

static const StGapDual *gap_dual(const StContactSet *set, const StContact *contact,
                                 const StDual *position) {
  const Smooth *smooth = smooth_of(set);
  const Kept *kept = &smooth->kept[contact->index];
  st_surface_recall_samples(st_smooth_scratch(set), kept->samples, smooth->corner + kept->first,
                            contact->count);
  return st_surface_gap_dual(st_smooth_surface(set, contact->pair), st_smooth_scratch(set),
                             position);
}

static void normal_dual(const StContactSet *set, const StContact *contact, const StDual *position,
                        StDual *force) {
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  st_contact_add_normal_dual(&law, contact->count, gap_dual(set, contact, position), force);
}

static void friction_dual(const StContactSet *set, const StContact *contact, StFrictionPart part,
                          const StDual *position, const StDual *velocity, StDual *force) {
  StContactLaw law = st_contact_set_law(set, contact, part);
  double rest[3];
  st_contact_set_friction_wall(set, &set->now, contact, part, rest);
  const StDual wall[3] = {rest[0], rest[1], rest[2]};
  st_contact_add_friction_dual(&law, contact->count, gap_dual(set, contact, position),
                               st_contact_set_fixed_basis(set), velocity, wall, force);
}

const StContactProvider st_provider_smooth = {
    .name = "smooth",
    .takes = takes,
    .open = open_set,
    .close = close_set,
    .begin = begin,
    .evaluate = evaluate,
    .normal_dual = normal_dual,
    .friction_dual = friction_dual,
};
