// Contact: the cubic penalty b(ψ) = κ (δ - ψ)³/δ on the gap ψ of every touching point.
#include "base/memory.h"
#include "contact/touch_jacobian.h"
#include "force/list.h"
#include "force/touching.h"

#include <string.h>

static StStatus create(const StForceSite *site, void **data, bool *present, StError *error) {
  (void)error;
  *data = site->contacts;
  *present = site->contacts != NULL;
  return ST_OK;
}

static double energy(const void *data, const StPoint *at) {
  StContacts *contacts = (StContacts *)data;
  if (st_contacts_update(contacts, at->time, at->position) != ST_OK)
    return INFINITY;
  double sum = 0;
  for (int t = 0; t < contacts->now.count; t++) {
    const StTouch *touch = &contacts->now.touch[t];
    if (!st_contacts_owned(contacts, touch))
      continue;
    StTouchLaw law = st_contacts_law(contacts, touch);
    StGap gap = st_contacts_gap(&contacts->now, touch);
    sum += st_touch_energy(&law, &gap);
  }
  return sum;
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  StContacts *contacts = (StContacts *)data;
  if (!st_touching_update(contacts, at, st_force_contact.name, trouble))
    return false;
  double *stencil = (double *)contacts->dual;
  for (int t = 0; t < contacts->now.count; t++) {
    const StTouch *touch = &contacts->now.touch[t];
    if (!st_contacts_owned(contacts, touch))
      continue;
    StTouchLaw law = st_contacts_law(contacts, touch);
    StGap gap = st_contacts_gap(&contacts->now, touch);
    memset(stencil, 0, 3 * (size_t)touch->count * sizeof(double));
    st_touch_add_normal(&law, touch->count, &gap, stencil);
    st_touching_scatter(touch, contacts->now.vertex + touch->first, stencil, force);
  }
  return true;
}

static void touch_force(StContacts *contacts, const StTouch *touch, const int *vertex,
                        const StDual *position, const StDual *velocity, StDual *force) {
  (void)vertex, (void)velocity;
  StTouchLaw law = st_contacts_law(contacts, touch);
  StGapDual gap = st_touching_gap(contacts, touch->count);
  StDual matter[3];
  st_contacts_gap_dual(contacts, touch, position, &gap, matter);
  st_touch_add_normal_dual(&law, touch->count, &gap, force);
}

static bool touch_jacobian(StContacts *contacts, const StTouch *touch, double by_position,
                           double by_velocity, StTouchSlopes *slopes) {
  (void)by_velocity;
  StTouchLaw law = st_contacts_law(contacts, touch);
  if (!st_surface_gap_hessian(slopes->surface, contacts->scratch, slopes->position, &slopes->gap,
                              slopes->jacobian, slopes->work))
    return false;
  st_touch_normal_jacobian(&law, touch->count, &slopes->gap, by_position, slopes->jacobian);
  return true;
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  StContacts *contacts = (StContacts *)data;
  if (st_contacts_update(contacts, at->time, at->position) == ST_OK)
    st_touching_blocks(contacts, &contacts->now, at, by_position, by_velocity, touch_force,
                       touch_jacobian, matrix);
}

static void add_near(const StContacts *contacts, const StTouch *touch, const int *vertex,
                     const StGap *gap, double stiffness, StBlockMatrix *matrix) {
  for (int r = 0; r < touch->dof_count; r++) {
    if (!st_touching_open_row(contacts, matrix, vertex[r]))
      continue;
    for (int c = 0; c < touch->dof_count; c++) {
      double *to = st_touching_block(contacts, matrix, vertex[r], vertex[c]);
      for (int i = 0; to && i < 9; i++)
        to[i] -= stiffness * gap->gradient[3 * r + i / 3] * gap->gradient[3 * c + i % 3];
    }
  }
}

// The penalty's stiffness along ∂ψ; what ψ's own curvature adds is left out.
static void add_near_blocks(const void *data, const StPoint *at, double by_position,
                            double by_velocity, StBlockMatrix *matrix) {
  (void)by_velocity;
  StContacts *contacts = (StContacts *)data;
  if (st_contacts_update(contacts, at->time, at->position) != ST_OK)
    return;
  const StTouchList *list = &contacts->now;
  for (int t = 0; t < list->count; t++) {
    const StTouch *touch = &list->touch[t];
    const int *vertex = list->vertex + touch->first;
    StTouchLaw law = st_contacts_law(contacts, touch);
    StGap gap = st_contacts_gap(list, touch);
    add_near(contacts, touch, vertex, &gap, by_position * st_touch_normal_stiffness(&law, &gap),
             matrix);
  }
}

static void add_product(const void *data, const StPoint *at, double by_position, double by_velocity,
                        const double *direction, double *result) {
  StContacts *contacts = (StContacts *)data;
  if (st_contacts_update(contacts, at->time, at->position) == ST_OK)
    st_touching_product(contacts, &contacts->now, at, by_position, by_velocity, direction,
                        touch_force, result);
}

static void add_complex(const void *data, double time, const StDual *position,
                        const StDual *velocity, StDual *force) {
  StContacts *contacts = (StContacts *)data;
  if (st_touching_update_complex(contacts, time, position) == ST_OK)
    st_touching_complex(contacts, &contacts->now, position, velocity, touch_force, force);
}

const StForceType st_force_contact = {
    .name = "contact",
    .summary = "Contact of bodies with each other and with obstacles: a cubic penalty on the gap.",
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
