// Friction at every touching point: implicit with all derivatives, implicit with a fixed basis, or
// lagged (normal force and basis from the start of the step).
#include "contact/slip.h"
#include "contact/touch_jacobian.h"
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
  *data = site->contacts;
  *present = site->contacts != NULL && !slippery(site->description);
  return ST_OK;
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  StContacts *contacts = (StContacts *)data;
  if (!st_touching_update(contacts, at, st_force_friction.name, trouble))
    return false;
  const StTouchList *list = st_slip_list(contacts);
  for (int t = 0; t < list->count; t++) {
    const StTouch *touch = &list->touch[t];
    if (!st_contacts_owned(contacts, touch))
      continue;
    const int *vertex = list->vertex + touch->first;
    double *velocity = (double *)contacts->dual, *stencil = velocity + 3 * touch->count, matter[3];
    StTouchLaw law = st_contacts_law(contacts, touch);
    st_slip_gather(touch, vertex, at->velocity, velocity);
    memset(stencil, 0, 3 * (size_t)touch->count * sizeof(double));
    st_slip_matter(contacts, list, touch, matter);
    st_touch_add_friction(&law, touch->count, &touch->grip, list->share + touch->first, velocity,
                          matter, stencil);
    st_touching_scatter(touch, vertex, stencil, force);
  }
  return true;
}

static void touch_force(StContacts *contacts, const StTouch *touch, const int *vertex,
                        const StDual *position, const StDual *velocity, StDual *force) {
  (void)vertex;
  StTouchLaw law = st_contacts_law(contacts, touch);
  if (st_slip_lagged(contacts)) {
    double matter[3];
    st_slip_matter(contacts, &contacts->lag, touch, matter);
    st_touch_add_lagged_dual(&law, touch->count, &touch->grip, contacts->lag.share + touch->first,
                             velocity, matter, force);
    return;
  }
  StGapDual gap = st_touching_gap(contacts, touch->count);
  StDual matter[3];
  st_contacts_gap_dual(contacts, touch, position, &gap, matter);
  bool fixed = contacts->description->contact_settings.friction == ST_FRICTION_FIXED_BASIS;
  st_touch_add_friction_dual(&law, touch->count, &gap, fixed, velocity, matter, force);
}

static bool fixed_basis(const StContacts *contacts) {
  return contacts->description->contact_settings.friction == ST_FRICTION_FIXED_BASIS;
}

static bool touch_jacobian(StContacts *contacts, const StTouch *touch, double by_position,
                           double by_velocity, StTouchSlopes *slopes) {
  StTouchLaw law = st_contacts_law(contacts, touch);
  if (st_slip_lagged(contacts) ||
      !st_surface_gap_slopes(slopes->surface, contacts->scratch, slopes->position, &slopes->gap,
                             slopes->point_rows, slopes->share_slope, slopes->work))
    return false;
  StFrictionSite site = {.point_rows = slopes->point_rows,
                         .share_slope = slopes->share_slope,
                         .velocity = slopes->velocity,
                         .fixed_basis = fixed_basis(contacts)};
  st_touch_friction_jacobian(&law, touch->count, &slopes->gap, &site, by_position, by_velocity,
                             slopes->jacobian, slopes->work);
  return true;
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  StContacts *contacts = (StContacts *)data;
  if (st_contacts_update(contacts, at->time, at->position) == ST_OK)
    st_touching_blocks(contacts, st_slip_list(contacts), at, by_position, by_velocity, touch_force,
                       touch_jacobian, matrix);
}

// Drag between point and surface at fixed normal force; the coupling of friction to the normal
// force is left out, which keeps the preconditioner's matrix symmetric.
static void add_near_blocks(const void *data, const StPoint *at, double by_position,
                            double by_velocity, StBlockMatrix *matrix) {
  (void)by_position;
  StContacts *contacts = (StContacts *)data;
  if (st_contacts_update(contacts, at->time, at->position) != ST_OK)
    return;
  const StTouchList *list = st_slip_list(contacts);
  for (int t = 0; t < list->count; t++) {
    const StTouch *touch = &list->touch[t];
    const int *vertex = list->vertex + touch->first;
    const double *share = list->share + touch->first;
    StTouchLaw law = st_contacts_law(contacts, touch);
    double *velocity = (double *)contacts->dual, *weight = velocity + 3 * touch->count;
    double matter[3], slip[3], drag[9];
    st_slip_gather(touch, vertex, at->velocity, velocity);
    st_slip_matter(contacts, list, touch, matter);
    st_touch_slip(touch->count, &touch->grip, share, velocity, matter, slip);
    st_touch_drag(&law, &touch->grip, slip, drag);
    for (int i = 0; i < 9; i++)
      drag[i] *= by_velocity;
    for (int k = 0; k < touch->count; k++)
      weight[k] = k ? -share[k] : 1;
    st_touching_spread_block(contacts, touch, vertex, weight, drag, matrix);
  }
}

static void add_product(const void *data, const StPoint *at, double by_position, double by_velocity,
                        const double *direction, double *result) {
  StContacts *contacts = (StContacts *)data;
  if (st_contacts_update(contacts, at->time, at->position) == ST_OK)
    st_touching_product(contacts, st_slip_list(contacts), at, by_position, by_velocity, direction,
                        touch_force, result);
}

static void add_complex(const void *data, double time, const StDual *position,
                        const StDual *velocity, StDual *force) {
  StContacts *contacts = (StContacts *)data;
  if (st_touching_update_complex(contacts, time, position) == ST_OK)
    st_touching_complex(contacts, st_slip_list(contacts), position, velocity, touch_force, force);
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
