// Contact: the energy of the pair's press law on the gap of every touch.
#include "force/list.h"
#include "force/touching.h"

#include <math.h>
#include <string.h>

static StStatus create(const StForceSite *site, void **data, bool *present, StError *error) {
  (void)error;
  *data = NULL; // touches come with the point
  *present = site->description->contact_count > 0;
  return ST_OK;
}

static double energy(const void *data, const StPoint *at) {
  (void)data;
  const StContactSet *set = at->touching;
  if (!set)
    return 0;
  if (set->status != ST_OK)
    return INFINITY;
  double sum = 0;
  for (int t = 0; t < set->now.count; t++) {
    const StContact *touch = &set->now.touch[t];
    if (!touch->owned)
      continue;
    StContactLaw law = st_contact_set_law(set, touch, ST_FRICTION_PART_ALL);
    StGap gap = st_contact_array_gap(&set->now, touch);
    sum += st_contact_energy(&law, &gap);
  }
  return sum;
}

static void fill_stencil(const StContactSet *set, const StContactArray *list,
                         const StContact *touch, const StPoint *at, double *room, double *stencil) {
  (void)at, (void)room;
  StContactLaw law = st_contact_set_law(set, touch, ST_FRICTION_PART_ALL);
  StGap gap = st_contact_array_gap(list, touch);
  memset(stencil, 0, 3 * (size_t)touch->count * sizeof(double));
  st_contact_add_normal(&law, touch->count, &gap, stencil);
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  (void)data;
  const StContactSet *set = at->touching;
  if (!set || !st_touching_check(at, st_force_contact.name, trouble))
    return !set;
  st_touching_forces(&set->now, at, fill_stencil, force);
  return true;
}

static void touch_force(const StContactSet *set, const StContactArray *list, const StContact *touch,
                        const StDual *position, const StDual *velocity, StDual *force) {
  (void)list, (void)velocity;
  touch->provider->normal_dual(set, touch, position, force);
}

static bool touch_jacobian(const StContactSet *set, const StContact *touch, const double *position,
                           const double *velocity, double by_position, double by_velocity,
                           double *room, double *jacobian) {
  (void)velocity, (void)by_velocity, (void)room;
  return touch->provider->normal_jacobian &&
         touch->provider->normal_jacobian(set, touch, position, by_position, jacobian);
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)data;
  if (st_touching_known(at) && !at->joined)
    st_touching_blocks(&at->touching->now, at, by_position, by_velocity, touch_force,
                       touch_jacobian, matrix);
}

// The stiffness along ∂ψ, without the curvature of ψ.
static void add_near_blocks(const void *data, const StPoint *at, double by_position,
                            double by_velocity, StBlockMatrix *matrix) {
  (void)data, (void)by_velocity;
  if (!st_touching_known(at))
    return;
  const StContactSet *set = at->touching;
  for (int t = 0; t < set->now.count; t++) {
    const StContact *touch = &set->now.touch[t];
    StContactLaw law = st_contact_set_law(set, touch, ST_FRICTION_PART_ALL);
    StGap gap = st_contact_array_gap(&set->now, touch);
    st_touching_add_outer(at, &set->now, touch,
                          -by_position * st_contact_normal_stiffness(&law, &gap), gap.gradient,
                          matrix);
  }
}

static void add_product(const void *data, const StPoint *at, double by_position, double by_velocity,
                        const double *direction, double *result) {
  (void)data;
  if (st_touching_known(at))
    st_touching_product(&at->touching->now, at, by_position, by_velocity, direction, touch_force,
                        result);
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)data;
  if (st_touching_known(at))
    st_touching_complex(&at->touching->now, at, position, velocity, touch_force, force);
}

const StForceType st_force_contact = {
    .name = "contact",
    .summary =
        "Contact of bodies with each other and with obstacles: a log barrier on the gap, with "
        "smooth surfaces a cubic penalty.",
    .has_energy = true,
    .of_contact = true,
    .create = create,
    .destroy = st_touching_destroy,
    .bind = st_touching_bind,
    .energy = energy,
    .add = add,
    .add_blocks = add_blocks,
    .add_near_blocks = add_near_blocks,
    .add_product = add_product,
    .add_complex = add_complex,
};
