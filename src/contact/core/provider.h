// A provider finds one kind of contact and computes its derivatives. Forces, reports and the
// contact check loop over the contacts of a set and call each contact's provider, never a specific
// one. A new kind is a table like this one, in the list of a method (contact/core/method.h).
#pragma once

#include "contact/core/contact_set.h"
#include "contact/core/contacts.h"

// Stencil arrays are in the order of the contact's places: positions, velocities and forces
// [count][3] including rigid places, Jacobians [3 count][3 count].
typedef struct StContactProvider {
  const char *name;

  // Whether the provider handles a pair. The first one in the method's list that does gets it; the
  // last one is not asked.
  bool (*takes)(const StContacts *contacts, int pair);

  // For one pair: appends its contacts to the set (st_contact_set_add, st_contact_set_keep), in
  // order of their ids, with everything in StContact and the pools filled, by itself or by
  // `complete`. `begin` is called once before the pairs; may be NULL.
  StStatus (*begin)(StContactSet *set, const StContactState *state, const double *position);
  StStatus (*evaluate)(StContactSet *set, const StContactState *state, int pair,
                       const double *position);

  // The part of `evaluate` that threads share: fills a contact except for the members that
  // `st_contact_set_add` sets, and its entries of the pools. NULL: `evaluate` fills everything.
  void (*complete)(const StContactSet *set, StContact *contact);

  // After `begin`: the first pair with contacts from `pair` on; INT_MAX: there is none. NULL: the
  // provider cannot tell, so all its pairs are evaluated. With many bodies, most pairs are far
  // apart.
  int (*next)(const StContactSet *set, int pair);

  // Data that the provider keeps with a set (st_contact_set_own), such as inputs of derivatives, or
  // a search that later evaluations can reuse. It may add rigid places (st_contact_set_add_rigid),
  // whose positions and velocities `begin` must fill. NULL: no data.
  StStatus (*open)(StContactSet *set, void **own, StError *error);
  void (*close)(void *own);

  // by_position·∂(normal force)/∂x; by_position·∂(friction)/∂x + by_velocity·∂(friction)/∂v, for
  // one part of friction and the velocities it depends on (st_contact_set_friction_velocities).
  // joined: with the normal force, for less than the sum of their costs. NULL, or false: there is
  // no analytic form; complex numbers are used then, column by column.
  bool (*normal_jacobian)(const StContactSet *set, const StContact *contact, const double *position,
                          double by_position, double *jacobian);
  bool (*friction_jacobian)(const StContactSet *set, const StContact *contact, StFrictionPart part,
                            bool joined, const double *position, const double *velocity,
                            double by_position, double by_velocity, double *jacobian);

  // Whether both Jacobians use no scratch of the set, so that several threads may call them at
  // once.
  bool shares_jacobians;

  // The forces in complex numbers, added: for matrix-free products and for tests.
  void (*normal_dual)(const StContactSet *set, const StContact *contact, const StDual *position,
                      StDual *force);
  void (*friction_dual)(const StContactSet *set, const StContact *contact, StFrictionPart part,
                        const StDual *position, const StDual *velocity, StDual *force);

  // Velocity of an obstacle surface without places under a contact of `slip`, at current positions,
  // and the surface's displacement since the start of the step. NULL: there is no such surface.
  void (*wall)(const StContactSet *set, const StContact *contact, const double *position,
               double velocity[3], double shift[3]);

  // Places and signed weights, [4], of the contact's two material points, on a point and a
  // triangle, if the contact's own places do not span a surface. False, or NULL: they do.
  bool (*stencil)(const StContactSet *set, const StContact *contact, int *place, double *weight);

  // The normal that the contact's features had at the start of the step. False, or NULL: unknown.
  bool (*first_normal)(const StContactSet *set, const StContact *contact, double normal[3]);
} StContactProvider;

extern const StContactProvider st_provider_primitives, st_provider_smooth, st_provider_obstacle;
