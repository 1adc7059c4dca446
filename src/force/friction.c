// Friction at every touch: implicit with all derivatives, implicit with a fixed basis, or lagged
// (normal force and basis from the start of the step). It sticks by velocity or by anchors.
#include "force/list.h"
#include "force/touching.h"
#include "math/vec3.h"

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
  *data = NULL; // touches come with the point
  *present = !slippery(site->description);
  return ST_OK;
}

// Velocities of a touch's stencil as one part of friction sees them.
static void friction_velocities(const StContactSet *set, const StContactArray *list,
                                const StContact *touch, StFrictionPart part, const StPoint *at,
                                double *velocity) {
  st_contact_set_friction_velocities(set, touch->count, st_contact_array_places(list, touch), part,
                                     at->position, at->velocity, velocity);
}

// Sliding velocity of one part of friction. Returns the normal component.
static double friction_slip(const StContactSet *set, const StContactArray *list,
                            const StContact *touch, StFrictionPart part, const StPoint *at,
                            double slip[3]) {
  double wall[3], *velocity = set->work->real;
  friction_velocities(set, list, touch, part, at, velocity);
  st_contact_set_friction_wall(set, list, touch, part, wall);
  return st_contact_slip(touch->count, &touch->grip, st_contact_array_shares(list, touch), velocity,
                         wall, slip);
}

// Energy stored in anchors.
static double energy(const void *data, const StPoint *at) {
  (void)data;
  double sum = 0;
  if (!st_touching_known(at))
    return 0;
  const StContactSet *set = at->touching;
  for (int t = 0; t < set->slip->count; t++) {
    const StContact *touch = &set->slip->touch[t];
    const StFrictionLaw *law = &st_contact_set_pair_law(set, touch)->friction[ST_FRICTION_PART_DRY];
    double slip[3], z[3];
    if (!touch->owned || !law->anchored)
      continue;
    double along = friction_slip(set, set->slip, touch, ST_FRICTION_PART_DRY, at, slip);
    StContactLaw part = st_contact_set_law(set, touch, ST_FRICTION_PART_DRY);
    StFrictionLoad load = st_contact_load(&part, &touch->grip, along);
    st_contact_set_elastic(set, touch, &load, slip, z);
    sum += st_friction_stored(law, &load, vec3_length(z));
  }
  return sum;
}

static void fill_stencil(const StContactSet *set, const StContactArray *list,
                         const StContact *touch, const StPoint *at, double *room, double *stencil) {
  const double *share = st_contact_array_shares(list, touch);
  StFrictionPart part[2];
  int count = st_contact_set_friction_parts(set, touch, part);
  memset(stencil, 0, 3 * (size_t)touch->count * sizeof(double));
  for (int i = 0; i < count; i++) {
    double wall[3], friction[3];
    StContactLaw law = st_contact_set_law(set, touch, part[i]);
    friction_velocities(set, list, touch, part[i], at, room);
    st_contact_set_friction_wall(set, list, touch, part[i], wall);
    st_contact_friction(&law, touch->count, &touch->grip, share, room, wall, friction);
    st_contact_spread(touch->count, share, friction, stencil);
  }
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  (void)data;
  const StContactSet *set = at->touching;
  if (!set || !st_touching_check(at, st_force_friction.name, trouble))
    return !set;
  st_touching_forces(set->slip, at, fill_stencil, force);
  return true;
}

// Anchored friction depends on displacements: only derivatives by position exist.
static const StDual *friction_duals(const StContactSet *set, const StContactArray *list,
                                    const StContact *touch, StFrictionPart part,
                                    const StDual *position, const StDual *velocity) {
  const int *place = st_contact_array_places(list, touch);
  if (part != ST_FRICTION_PART_DRY)
    return velocity;
  StDual *moved = set->work->dual + 16 * touch->count;
  for (int k = 0; k < touch->count; k++)
    st_contact_set_friction_dual(set, place[k], position + 3 * k, moved + 3 * k);
  return moved;
}

static void touch_force(const StContactSet *set, const StContactArray *list, const StContact *touch,
                        const StDual *position, const StDual *velocity, StDual *force) {
  StFrictionPart part[2];
  int count = st_contact_set_friction_parts(set, touch, part);
  for (int i = 0; i < count; i++) {
    const StDual *by = friction_duals(set, list, touch, part[i], position, velocity);
    if (!st_contact_set_lagged(set)) {
      touch->provider->friction_dual(set, touch, part[i], position, by, force);
      continue;
    }
    double wall[3];
    StContactLaw law = st_contact_set_law(set, touch, part[i]);
    st_contact_set_friction_wall(set, list, touch, part[i], wall);
    st_contact_add_lagged_dual(&law, touch->count, &touch->grip,
                               st_contact_array_shares(list, touch), by, wall, force);
  }
}

// Anchored friction beside a film is left to complex numbers.
static bool touch_jacobian(const StContactSet *set, const StContact *touch, const double *position,
                           const double *velocity, double by_position, double by_velocity,
                           double *room, double *jacobian) {
  StFrictionPart part[2];
  int count = st_contact_set_friction_parts(set, touch, part);
  if (st_contact_set_lagged(set) || !touch->provider->friction_jacobian || count > 1)
    return false;
  if (part[0] == ST_FRICTION_PART_DRY) {
    st_contact_set_friction_moved(set, touch->count, st_contact_array_places(&set->now, touch),
                                  position, room);
    velocity = room;
  }
  return touch->provider->friction_jacobian(
      set, touch, part[0], position, velocity, by_position,
      st_contact_set_friction_factor(set, part[0], by_position, by_velocity), jacobian);
}

static void joint_force(const StContactSet *set, const StContactArray *list, const StContact *touch,
                        const StDual *position, const StDual *velocity, StDual *force) {
  touch->provider->normal_dual(set, touch, position, force);
  touch_force(set, list, touch, position, velocity, force);
}

// One part of friction, with contact if it is the first; added to the Jacobian if it is not.
static bool joint_part(const StContactSet *set, const StContact *touch, StFrictionPart part,
                       bool first, const double *position, const double *velocity,
                       double by_position, double by_velocity, double *jacobian) {
  const StContactProvider *provider = touch->provider;
  double more[9 * ST_TOUCH_SMALL * ST_TOUCH_SMALL];
  by_velocity = st_contact_set_friction_factor(set, part, by_position, by_velocity);
  if (first && provider->joint_jacobian)
    return provider->joint_jacobian(set, touch, part, position, velocity, by_position, by_velocity,
                                    jacobian);
  if (touch->count > ST_TOUCH_SMALL || !provider->normal_jacobian || !provider->friction_jacobian ||
      (first && !provider->normal_jacobian(set, touch, position, by_position, jacobian)) ||
      !provider->friction_jacobian(set, touch, part, position, velocity, by_position, by_velocity,
                                   more))
    return false;
  for (int i = 0; i < 9 * touch->count * touch->count; i++)
    jacobian[i] += more[i];
  return true;
}

static bool joint_jacobian(const StContactSet *set, const StContact *touch, const double *position,
                           const double *velocity, double by_position, double by_velocity,
                           double *room, double *jacobian) {
  StFrictionPart part[2];
  int count = st_contact_set_friction_parts(set, touch, part);
  st_contact_set_friction_moved(set, touch->count, st_contact_array_places(&set->now, touch),
                                position, room);
  for (int i = 0; i < count; i++)
    if (!joint_part(set, touch, part[i], i == 0, position,
                    part[i] == ST_FRICTION_PART_DRY ? room : velocity, by_position, by_velocity,
                    jacobian))
      return false;
  return true;
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)data;
  if (!st_touching_known(at))
    return;
  st_touching_blocks(at->touching->slip, at, by_position, by_velocity,
                     at->joined ? joint_force : touch_force,
                     at->joined ? joint_jacobian : touch_jacobian, matrix);
}

// Drag between the sides at fixed normal force, without its coupling to the normal force, which
// keeps the preconditioner's matrix symmetric.
static void add_near_blocks(const void *data, const StPoint *at, double by_position,
                            double by_velocity, StBlockMatrix *matrix) {
  (void)data;
  if (!st_touching_known(at))
    return;
  const StContactSet *set = at->touching;
  const StContactArray *list = set->slip;
  for (int t = 0; t < list->count; t++) {
    const StContact *touch = &list->touch[t];
    StFrictionPart part[2];
    int count = st_contact_set_friction_parts(set, touch, part);
    for (int k = 0; k < count; k++) {
      double slip[3], drag[9];
      double factor = st_contact_set_friction_factor(set, part[k], by_position, by_velocity);
      StContactLaw law = st_contact_set_law(set, touch, part[k]);
      double along = friction_slip(set, list, touch, part[k], at, slip);
      st_contact_drag(&law, &touch->grip, slip, along, drag);
      for (int i = 0; i < 9; i++)
        drag[i] *= factor;
      st_touching_spread_block(at, list, touch, st_contact_array_shares(list, touch), drag, matrix);
    }
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
    .summary =
        "Friction at contacts: Coulomb, Stribeck and viscous, implicit or lagged; its energy "
        "is what anchors store.",
    .has_energy = true,
    .dissipates = true,
    .by_velocity = true,
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
