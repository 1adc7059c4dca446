// Normal forces and stiffnesses of touches, summed over bodies.
#include "contact/pressing.h"

#include "math/vec3.h"

#include <math.h>

// The bodies of a touch: whose point it is, and whose surface; -1: an obstacle's.
static void bodies_of(const StContacts *contacts, const StTouch *touch, int body[2]) {
  const StContactDesc *desc = contacts->pair[touch->pair].desc;
  body[0] = desc->collider;
  body[1] = desc->body;
}

// What the gap's gradient adds up to over each of the two bodies: the point, and the rest.
static void sum_gradient(const StTouch *touch, const StGap *gap, double sum[2][3]) {
  vec3_copy(gap->gradient, sum[0]);
  vec3_set(0, 0, 0, sum[1]);
  for (int k = 1; k < touch->count; k++)
    vec3_add_scaled(1, gap->gradient + 3 * k, sum[1]);
}

typedef void (*Visit)(void *context, const StContacts *contacts, const StTouch *touch, int body,
                      const double gradient[3]);

static void visit_all(const StContacts *contacts, Visit visit, void *context) {
  for (int t = 0; t < contacts->now.count; t++) {
    const StTouch *touch = &contacts->now.touch[t];
    if (!st_contacts_owned(contacts, touch))
      continue;
    StGap gap = st_contacts_gap(&contacts->now, touch);
    int body[2];
    double gradient[2][3];
    bodies_of(contacts, touch, body);
    sum_gradient(touch, &gap, gradient);
    for (int side = 0; side < 2; side++)
      if (body[side] >= 0)
        visit(context, contacts, touch, body[side], gradient[side]);
  }
}

static void add_force(void *context, const StContacts *contacts, const StTouch *touch, int body,
                      const double gradient[3]) {
  StGap gap = st_contacts_gap(&contacts->now, touch);
  double length = vec3_length(gap.gradient);
  vec3_add_scaled(touch->grip.normal_force / length, gradient, (double *)context + 3 * body);
}

void st_pressing_forces(const StContacts *contacts, double *force) {
  visit_all(contacts, add_force, force);
}

typedef struct Stiffness {
  const double *direction;
  double *sum;
} Stiffness;

static void add_stiffness(void *context, const StContacts *contacts, const StTouch *touch, int body,
                          const double gradient[3]) {
  Stiffness *stiffness = context;
  StTouchLaw law = st_contacts_law(contacts, touch);
  StGap gap = st_contacts_gap(&contacts->now, touch);
  double along = vec3_dot(gradient, stiffness->direction + 3 * body);
  stiffness->sum[body] += st_touch_normal_stiffness(&law, &gap) * along * along;
}

void st_pressing_stiffness(const StContacts *contacts, const double *direction, double *stiffness) {
  Stiffness context = {direction, stiffness};
  visit_all(contacts, add_stiffness, &context);
}

static void take_state(void *context, const StContacts *contacts, const StTouch *touch, int body,
                       const double gradient[3]) {
  (void)gradient;
  StPressing *state = (StPressing *)context + body;
  StTouchLaw law = st_contacts_law(contacts, touch);
  StGap gap = st_contacts_gap(&contacts->now, touch);
  state->least = fmin(state->least, touch->gap / law.thickness);
  state->thickness = fmax(state->thickness, law.thickness);
  state->energy += st_touch_energy(&law, &gap);
  state->force += touch->grip.normal_force;
}

void st_pressing_states(const StContacts *contacts, StPressing *state) {
  visit_all(contacts, take_state, state);
}
