// Friction at every contact: implicit with all derivatives, implicit with a fixed basis, or lagged
// (normal force and basis from the start of the step). It sticks by velocity or by anchors.
#include "force/list.h"
#include "force/contact_loop.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"

#include <string.h>

static bool slippery(const StDescription *description) {
  const StFrictionDesc *friction;
  for (int i = 0; (friction = st_pairs_friction(description, i)); i++)
    if (friction->dynamic_coefficient > 0 || friction->static_coefficient > 0 ||
        friction->viscous_coefficient > 0)
      return false;
  return true;
}

static bool present(const StForceSite *site) {
  return !slippery(site->description);
}

// Velocities of a contact's stencil as one part of friction sees them.
static void friction_velocities(const StContactSet *set, const StContactArray *list,
                                const StContact *contact, StFrictionPart part, const StPoint *at,
                                double *velocity) {
  st_contact_set_friction_velocities(set, contact->count, st_contact_array_places(list, contact),
                                     part, at->position, at->velocity, velocity);
}

// Sliding velocity of one part of friction. Returns the normal component.
static double friction_slip(const StContactSet *set, const StContactArray *list,
                            const StContact *contact, StFrictionPart part, const StPoint *at,
                            double slip[3]) {
  double wall[3], *velocity = set->work->real;
  friction_velocities(set, list, contact, part, at, velocity);
  st_contact_set_friction_wall(set, list, contact, part, wall);
  return st_contact_slip(contact->count, &contact->normal_state,
                         st_contact_array_shares(list, contact), velocity, wall, slip);
}

// Energy stored in anchors.
static double energy(const void *data, const StPoint *at) {
  (void)data;
  double sum = 0;
  if (!st_contact_loop_known(at))
    return 0;
  const StContactSet *set = at->contact_set;
  for (int t = 0; t < set->slip->count; t++) {
    const StContact *contact = &set->slip->contact[t];
    const StFrictionLaw *law =
        &st_contact_set_pair_law(set, contact)->friction[ST_FRICTION_PART_DRY];
    double slip[3], z[3];
    if (!contact->owned || !law->anchored)
      continue;
    double along = friction_slip(set, set->slip, contact, ST_FRICTION_PART_DRY, at, slip);
    StContactLaw part = st_contact_set_law(set, contact, ST_FRICTION_PART_DRY);
    StFrictionLoad load = st_contact_load(&part, &contact->normal_state, along);
    st_contact_set_elastic(set, contact, &load, slip, z);
    sum += st_friction_stored(law, &load, vec3_length(z));
  }
  return sum;
}

static void fill_stencil(const StContactSet *set, const StContactArray *list,
                         const StContact *contact, const StPoint *at, double *room,
                         double *stencil) {
  const double *share = st_contact_array_shares(list, contact);
  StFrictionPart part[2];
  int count = st_contact_set_friction_parts(set, contact, part);
  memset(stencil, 0, 3 * (size_t)contact->count * sizeof(double));
  for (int i = 0; i < count; i++) {
    double wall[3], friction[3];
    StContactLaw law = st_contact_set_law(set, contact, part[i]);
    friction_velocities(set, list, contact, part[i], at, room);
    st_contact_set_friction_wall(set, list, contact, part[i], wall);
    st_contact_friction(&law, contact->count, &contact->normal_state, share, room, wall, friction);
    st_contact_spread(contact->count, share, friction, stencil);
  }
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  (void)data;
  const StContactSet *set = at->contact_set;
  if (!set || !st_contact_loop_check(at, st_force_friction.name, trouble))
    return !set;
  st_contact_loop_forces(set->slip, at, fill_stencil, force);
  return true;
}

// Anchored friction depends on displacements: only derivatives by position exist.
static const StDual *friction_duals(const StContactSet *set, const StContactArray *list,
                                    const StContact *contact, StFrictionPart part,
                                    const StDual *position, const StDual *velocity) {
  const int *place = st_contact_array_places(list, contact);
  if (part != ST_FRICTION_PART_DRY)
    return velocity;
  StDual *moved = set->work->dual + 9 * contact->count;
  for (int k = 0; k < contact->count; k++)
    st_contact_set_friction_dual(set, place[k], position + 3 * k, moved + 3 * k);
  return moved;
}

static void contact_force(const StContactSet *set, const StContactArray *list,
                          const StContact *contact, const StDual *position, const StDual *velocity,
                          StDual *force) {
  StFrictionPart part[2];
  int count = st_contact_set_friction_parts(set, contact, part);
  for (int i = 0; i < count; i++) {
    const StDual *by = friction_duals(set, list, contact, part[i], position, velocity);
    if (!st_contact_set_lagged(set)) {
      contact->provider->friction_dual(set, contact, part[i], position, by, force);
      continue;
    }
    double wall[3];
    StContactLaw law = st_contact_set_law(set, contact, part[i]);
    st_contact_set_friction_wall(set, list, contact, part[i], wall);
    st_contact_add_lagged_dual(&law, contact->count, &contact->normal_state,
                               st_contact_array_shares(list, contact), by, wall, force);
  }
}

static void joint_force(const StContactSet *set, const StContactArray *list,
                        const StContact *contact, const StDual *position, const StDual *velocity,
                        StDual *force) {
  contact->provider->normal_dual(set, contact, position, force);
  contact_force(set, list, contact, position, velocity, force);
}

// Both parts of friction; joined: with contact, in the Jacobian of the first.
static bool fill_jacobian(const StContactSet *set, const StContact *contact, bool joined,
                          const double *position, const double *velocity, double by_position,
                          double by_velocity, double *room, double *jacobian) {
  const StContactProvider *provider = contact->provider;
  double more[9 * ST_CONTACT_SMALL * ST_CONTACT_SMALL];
  StFrictionPart part[2];
  int count = st_contact_set_friction_parts(set, contact, part), numbers = 3 * contact->count;
  if (st_contact_set_lagged(set) || !provider->friction_jacobian ||
      contact->count > ST_CONTACT_SMALL)
    return false;
  st_contact_set_friction_moved(set, contact->count, st_contact_array_places(&set->now, contact),
                                position, room);
  for (int i = 0; i < count; i++) {
    double factor = st_contact_set_friction_factor(set, part[i], by_position, by_velocity);
    if (!provider->friction_jacobian(set, contact, part[i], joined && i == 0, position,
                                     part[i] == ST_FRICTION_PART_DRY ? room : velocity, by_position,
                                     factor, i == 0 ? jacobian : more))
      return false;
    for (int k = 0; k < numbers * numbers && i > 0; k++)
      jacobian[k] += more[k];
  }
  return true;
}

static bool contact_jacobian(const StContactSet *set, const StContact *contact,
                             const double *position, const double *velocity, double by_position,
                             double by_velocity, double *room, double *jacobian) {
  return fill_jacobian(set, contact, false, position, velocity, by_position, by_velocity, room,
                       jacobian);
}

static bool joint_jacobian(const StContactSet *set, const StContact *contact,
                           const double *position, const double *velocity, double by_position,
                           double by_velocity, double *room, double *jacobian) {
  return fill_jacobian(set, contact, true, position, velocity, by_position, by_velocity, room,
                       jacobian);
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)data;
  if (!st_contact_loop_known(at))
    return;
  st_contact_loop_blocks(at->contact_set->slip, at, by_position, by_velocity,
                         at->joined ? joint_force : contact_force,
                         at->joined ? joint_jacobian : contact_jacobian, matrix);
}

// Drag between the sides at fixed normal force, without its coupling to the normal force, which
// keeps the preconditioner's matrix symmetric.
static void add_near_blocks(const void *data, const StPoint *at, double by_position,
                            double by_velocity, StBlockMatrix *matrix) {
  (void)data;
  if (!st_contact_loop_known(at))
    return;
  const StContactSet *set = at->contact_set;
  const StContactArray *list = set->slip;
  for (int t = 0; t < list->count; t++) {
    const StContact *contact = &list->contact[t];
    StFrictionPart part[2];
    int count = st_contact_set_friction_parts(set, contact, part);
    for (int k = 0; k < count; k++) {
      double slip[3], drag[9];
      double factor = st_contact_set_friction_factor(set, part[k], by_position, by_velocity);
      StContactLaw law = st_contact_set_law(set, contact, part[k]);
      double along = friction_slip(set, list, contact, part[k], at, slip);
      st_contact_drag(&law, &contact->normal_state, slip, along, drag);
      for (int i = 0; i < 9; i++)
        drag[i] *= factor;
      st_contact_loop_spread_block(at, list, contact, st_contact_array_shares(list, contact), drag,
                                   matrix);
    }
  }
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)data;
  if (st_contact_loop_known(at))
    st_contact_loop_complex(at->contact_set->slip, at, position, velocity, contact_force, force);
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
    .present = present,
    .energy = energy,
    .add = add,
    .add_blocks = add_blocks,
    .add_near_blocks = add_near_blocks,
    .add_complex = add_complex,
};
