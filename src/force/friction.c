// Friction at every touch: implicit with all derivatives, implicit with a fixed basis, or
// lagged (normal force and basis from the start of the step).
#include "force/list.h"
#include "force/touching.h"

#include <string.h>

static bool slippery(const StDescription *description) {
  for (int i = 0; i < description->contact_count; i++) {
    const StFrictionDesc *friction = &description->contact[i].friction;
    if (friction->dynamic_coefficient > 0 || friction->static_coefficient > 0 ||
        friction->viscous_coefficient > 0)
      return false;
  }
  return true;
}

static StStatus create(const StForceSite *site, void **data, bool *present, StError *error) {
  (void)error;
  *data = NULL; // what touches comes with the point
  *present = !slippery(site->description);
  return ST_OK;
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  (void)data;
  const StTouchSet *set = at->touching;
  if (!set || !st_touching_check(at, st_force_friction.name, trouble))
    return !set;
  const StTouchList *list = set->slip;
  for (int t = 0; t < list->count; t++) {
    const StTouch *touch = &list->touch[t];
    if (!touch->owned)
      continue;
    double *velocity = set->work->real, *stencil = velocity + 3 * touch->count, friction[3];
    const double *share = st_touch_list_shares(list, touch);
    StTouchLaw law = st_touch_set_law(set, touch);
    st_touch_set_velocities(set, touch->count, st_touch_list_places(list, touch), at->velocity,
                            velocity);
    memset(stencil, 0, 3 * (size_t)touch->count * sizeof(double));
    st_touch_friction(&law, touch->count, &touch->grip, share, velocity,
                      st_touch_set_matter(set, list, touch), friction);
    st_touch_spread(touch->count, share, friction, stencil);
    st_touching_scatter(set, list, touch, stencil, force);
  }
  return true;
}

static void touch_force(const StTouchSet *set, const StTouchList *list, const StTouch *touch,
                        const StDual *position, const StDual *velocity, StDual *force) {
  if (!st_touch_set_lagged(set)) {
    touch->provider->friction_dual(set, touch, position, velocity, force);
    return;
  }
  StTouchLaw law = st_touch_set_law(set, touch);
  st_touch_add_lagged_dual(&law, touch->count, &touch->grip, st_touch_list_shares(list, touch),
                           velocity, st_touch_set_matter(set, list, touch), force);
}

static bool touch_jacobian(const StTouchSet *set, const StTouch *touch, const double *position,
                           const double *velocity, double by_position, double by_velocity,
                           double *jacobian) {
  return !st_touch_set_lagged(set) && touch->provider->friction_jacobian &&
         touch->provider->friction_jacobian(set, touch, position, velocity, by_position,
                                            by_velocity, jacobian);
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)data;
  if (st_touching_known(at))
    st_touching_blocks(at->touching->slip, at, by_position, by_velocity, touch_force,
                       touch_jacobian, matrix);
}

// Drag between the sides at fixed normal force; the coupling of friction to the normal force is
// left out, which keeps the preconditioner's matrix symmetric.
static void add_near_blocks(const void *data, const StPoint *at, double by_position,
                            double by_velocity, StBlockMatrix *matrix) {
  (void)data, (void)by_position;
  if (!st_touching_known(at))
    return;
  const StTouchSet *set = at->touching;
  const StTouchList *list = set->slip;
  for (int t = 0; t < list->count; t++) {
    const StTouch *touch = &list->touch[t];
    const double *share = st_touch_list_shares(list, touch);
    double *velocity = set->work->real, slip[3], drag[9];
    StTouchLaw law = st_touch_set_law(set, touch);
    st_touch_set_velocities(set, touch->count, st_touch_list_places(list, touch), at->velocity,
                            velocity);
    st_touch_slip(touch->count, &touch->grip, share, velocity,
                  st_touch_set_matter(set, list, touch), slip);
    st_touch_drag(&law, &touch->grip, slip, drag);
    for (int i = 0; i < 9; i++)
      drag[i] *= by_velocity;
    st_touching_spread_block(set, list, touch, share, drag, matrix);
  }
}

static void add_product(const void *data, const StPoint *at, double by_position, double by_velocity,
                        const double *direction, double *result) {
  (void)data;
  if (st_touching_known(at))
    st_touching_product(at->touching->slip, at, by_position, by_velocity, direction, touch_force,
                        result);
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)data;
  if (st_touching_known(at))
    st_touching_complex(at->touching->slip, at, position, velocity, touch_force, force);
}

const StForceType st_force_friction = {
    .name = "friction",
    .summary = "Friction at contacts: smoothed Coulomb, Stribeck and viscous, implicit or lagged.",
    .has_energy = false,
    .by_velocity = true,
    .of_contact = true,
    .create = create,
    .destroy = st_touching_destroy,
    .bind = st_touching_bind,
    .add = add,
    .add_blocks = add_blocks,
    .add_near_blocks = add_near_blocks,
    .add_product = add_product,
    .add_complex = add_complex,
};
