// A kind of contact that finds touches and knows their derivatives. Forces, read-outs and the
// step's verdict loop over the touches of a set and ask the touch's own provider, never one by its
// name. A new kind is a table like this one in st_touch_providers (contact/contacts.c).
#ifndef ST_CONTACT_TOUCH_PROVIDER_H
#define ST_CONTACT_TOUCH_PROVIDER_H

#include "contact/contacts.h"
#include "contact/touch_set.h"

// Stencil arrays are in the order of the touch's places: positions, velocities and forces
// [count][3] with those of rigid places, Jacobians [3 count][3 count].
typedef struct StTouchProvider {
  const char *name;

  // Whether a pair is its own. Asked in the order of the list; the first that takes it has it.
  bool (*takes)(const StContacts *contacts, int pair);

  // Of one pair: appends its touches to the set (st_touch_set_add, st_touch_set_keep), in order of
  // their ids, with everything of StTouch and the pools filled. `begin` comes once before the
  // pairs; NULL: nothing to begin.
  StStatus (*begin)(StTouchSet *set, const StContactState *state, const double *position);
  StStatus (*evaluate)(StTouchSet *set, const StContactState *state, int pair,
                       const double *position);

  // After `begin`: the first of its pairs from one on that has touches, INT_MAX: none. NULL: nobody
  // knows before, and all its pairs are evaluated. Of many bodies most pairs are far apart.
  int (*next)(const StTouchSet *set, int pair);

  // What it keeps with a set (st_touch_set_own), such as what derivatives need to know of the
  // touches, or a search that is cheaper for having been made before. It may add rigid places
  // (st_touch_set_add_rigid), whose positions and velocities `begin` then has to fill. NULL:
  // nothing.
  StStatus (*open)(StTouchSet *set, void **own, StError *error);
  void (*close)(void *own);

  // by_position·∂(normal force)/∂x; by_position·∂(friction)/∂x + by_velocity·∂(friction)/∂v, of one
  // part of friction by the velocities that it goes by (st_touch_set_friction_velocities). False
  // where there is none written out: complex numbers serve then, column by column.
  bool (*normal_jacobian)(const StTouchSet *set, const StTouch *touch, const double *position,
                          double by_position, double *jacobian);
  bool (*friction_jacobian)(const StTouchSet *set, const StTouch *touch, StFrictionPart part,
                            const double *position, const double *velocity, double by_position,
                            double by_velocity, double *jacobian);

  // Whether those two need no room of the set's, so that threads may ask for several at once.
  bool shares_jacobians;

  // The forces in complex numbers, added: for products without a matrix and for tests.
  void (*normal_dual)(const StTouchSet *set, const StTouch *touch, const StDual *position,
                      StDual *force);
  void (*friction_dual)(const StTouchSet *set, const StTouch *touch, StFrictionPart part,
                        const StDual *position, const StDual *velocity, StDual *force);

  // Velocity of an obstacle surface without places under a touch of the past, at present positions,
  // and how far it has come since the step's start; NULL: none.
  void (*wall)(const StTouchSet *set, const StTouch *touch, const double *position,
               double velocity[3], double shift[3]);

  // Places and signed weights of the same two material points on a point and a triangle, [4],
  // where the touch's own places do not span a surface. False, or NULL: they do.
  bool (*stencil)(const StTouchSet *set, const StTouch *touch, int *place, double *weight);
} StTouchProvider;

extern const StTouchProvider *const st_touch_providers[]; // NULL-terminated
enum { ST_TOUCH_PROVIDERS = 3 };

extern const StTouchProvider st_touch_primitives, st_touch_smooth, st_touch_obstacle;

#endif
