// Contact: the energy of the pair's normal law on the gap of every contact.
#include "force/list.h"
#include "force/contact_loop.h"
#include "model/contact_pairs.h"

#include <math.h>
#include <string.h>

static bool present(const StForceSite *site) {
  return st_pairs_exist(site->description);
}

static double energy(const void *data, const StPoint *at) {
  (void)data;
  const StContactSet *set = at->contact_set;
  if (!set)
    return 0;
  if (set->status != ST_OK)
    return INFINITY;
  double sum = 0;
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    if (!contact->owned)
      continue;
    StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
    StGap gap = st_contact_array_gap(&set->now, contact);
    sum += st_contact_energy(&law, &gap);
  }
  return sum;
}

static void fill_stencil(const StContactSet *set, const StContactArray *list,
                         const StContact *contact, const StPoint *at, double *room,
                         double *stencil) {
  (void)at, (void)room;
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  StGap gap = st_contact_array_gap(list, contact);
  memset(stencil, 0, 3 * (size_t)contact->count * sizeof(double));
  st_contact_add_normal(&law, contact->count, &gap, stencil);
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  (void)data;
  const StContactSet *set = at->contact_set;
  if (!set || !st_contact_loop_check(at, st_force_contact.name, trouble))
    return !set;
  st_contact_loop_forces(&set->now, at, fill_stencil, force);
  return true;
}

static void contact_force(const StContactSet *set, const StContactArray *list,
                          const StContact *contact, const StDual *position, const StDual *velocity,
                          StDual *force) {
  (void)list, (void)velocity;
  contact->provider->normal_dual(set, contact, position, force);
}

static bool contact_jacobian(const StContactSet *set, const StContact *contact,
                             const double *position, const double *velocity, double by_position,
                             double by_velocity, double *room, double *jacobian) {
  (void)velocity, (void)by_velocity, (void)room;
  return contact->provider->normal_jacobian &&
         contact->provider->normal_jacobian(set, contact, position, by_position, jacobian);
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  (void)data;
  if (st_contact_loop_known(at) && !at->joined)
    st_contact_loop_blocks(&at->contact_set->now, at, by_position, by_velocity, contact_force,
                           contact_jacobian, matrix);
}

// The stiffness along ∂ψ, without the curvature of ψ.
static void add_near_blocks(const void *data, const StPoint *at, double by_position,
                            double by_velocity, StBlockMatrix *matrix) {
  (void)data, (void)by_velocity;
  if (!st_contact_loop_known(at))
    return;
  const StContactSet *set = at->contact_set;
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
    StGap gap = st_contact_array_gap(&set->now, contact);
    st_contact_loop_add_outer(at, &set->now, contact,
                              -by_position * st_contact_normal_stiffness(&law, &gap), gap.gradient,
                              matrix);
  }
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  (void)data;
  if (st_contact_loop_known(at))
    st_contact_loop_complex(&at->contact_set->now, at, position, velocity, contact_force, force);
}

const StForceType st_force_contact = {
    .name = "contact",
    .summary =
        "Contact of bodies with each other and with obstacles: a log barrier on the gap, with "
        "smooth surfaces a cubic penalty.",
    .has_energy = true,
    .of_contact = true,
    .present = present,
    .energy = energy,
    .add = add,
    .add_blocks = add_blocks,
    .add_near_blocks = add_near_blocks,
    .add_complex = add_complex,
};
