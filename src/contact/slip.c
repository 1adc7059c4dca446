// Velocities at a touch.
#include "contact/slip.h"

#include "math/vec3.h"

#include <string.h>

bool st_slip_lagged(const StContacts *contacts) {
  return contacts->description->contact_settings.friction == ST_FRICTION_LAGGED;
}

const StTouchList *st_slip_list(const StContacts *contacts) {
  return st_slip_lagged(contacts) ? &contacts->lag : &contacts->now;
}

static void lagged_matter(const StContacts *contacts, const StTouchList *list, const StTouch *touch,
                          double matter[3]) {
  const StPair *pair = &contacts->pair[touch->pair];
  vec3_set(0, 0, 0, matter);
  if (pair->desc->body >= 0)
    return;
  if (!pair->surface) {
    const double *x = contacts->position + 3 * st_contacts_vertex(contacts, touch);
    st_obstacle_velocity(&contacts->obstacle[pair->desc->obstacle], x, matter);
    return;
  }
  for (int k = 1; k < touch->count; k++) {
    int vertex = list->vertex[touch->first + (size_t)k];
    vec3_add_scaled(list->share[touch->first + (size_t)k], pair->rigid_speed + 3 * vertex, matter);
  }
}

void st_slip_matter(const StContacts *contacts, const StTouchList *list, const StTouch *touch,
                    double matter[3]) {
  if (list == &contacts->now)
    vec3_copy(touch->matter, matter);
  else
    lagged_matter(contacts, list, touch, matter);
}

void st_slip_gather(const StTouch *touch, const int *vertex, const double *velocity,
                    double *gathered) {
  memset(gathered, 0, 3 * (size_t)touch->count * sizeof(double));
  for (int k = 0; k < touch->dof_count; k++)
    vec3_copy(velocity + 3 * vertex[k], gathered + 3 * k);
}
