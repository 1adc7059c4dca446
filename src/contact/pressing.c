// Normal forces and stiffnesses of touches, summed over bodies.
#include "contact/pressing.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>

// The body on one side of a touch; -1: an obstacle.
static int body_of(const StTouchSet *set, const StTouch *touch, int first, int end) {
  const int *place = st_touch_list_places(&set->now, touch);
  bool local = first < end && st_touch_set_is_local(set, place[first]);
  return local ? set->contacts->piece->body[place[first]] : -1;
}

static void sum_gradient(const StGap *gap, int first, int end, double sum[3]) {
  vec3_set(0, 0, 0, sum);
  for (int k = first; k < end; k++)
    vec3_add_scaled(1, gap->gradient + 3 * k, sum);
}

// gradient: sum of the gap's gradients over the body's side of the touch.
typedef void (*Visit)(void *context, const StTouchSet *set, const StTouch *touch, int body,
                      const double gradient[3]);

static void visit_all(const StTouchSet *set, Visit visit, void *context) {
  for (int t = 0; t < set->now.count; t++) {
    const StTouch *touch = &set->now.touch[t];
    if (!touch->owned)
      continue;
    StGap gap = st_touch_list_gap(&set->now, touch);
    const int bound[3] = {0, touch->split, touch->count};
    for (int side = 0; side < 2; side++) {
      double gradient[3];
      int body = body_of(set, touch, bound[side], bound[side + 1]);
      sum_gradient(&gap, bound[side], bound[side + 1], gradient);
      if (body >= 0)
        visit(context, set, touch, body, gradient);
    }
  }
}

static void add_force(void *context, const StTouchSet *set, const StTouch *touch, int body,
                      const double gradient[3]) {
  StTouchLaw law = st_touch_set_law(set, touch, ST_FRICTION_PART_ALL);
  double pressing = touch->fade * st_press_force(&law, touch->gap);
  vec3_add_scaled(pressing, gradient, (double *)context + 3 * body);
}

void st_pressing_forces(const StTouchSet *set, double *force) {
  visit_all(set, add_force, force);
}

static bool add_spring(const StTouchSet *set, const StTouch *touch, StSpringList *list) {
  StGap gap = st_touch_list_gap(&set->now, touch);
  StTouchLaw law = st_touch_set_law(set, touch, ST_FRICTION_PART_ALL);
  int body[2] = {body_of(set, touch, 0, touch->split),
                 body_of(set, touch, touch->split, touch->count)};
  double normal[3], stiffness = st_touch_normal_stiffness(&law, &gap);
  if (body[0] == body[1])
    return true;
  const StSpring *last = list->count > 0 ? &list->spring[list->count - 1] : NULL;
  if (!last || last->body[0] != body[0] || last->body[1] != body[1]) {
    if (!st_grow((void **)&list->spring, &list->capacity, list->count + 1, sizeof(StSpring)))
      return false;
    list->spring[list->count++] = (StSpring){.body = {body[0], body[1]}};
  }
  bool first = body[0] >= 0;
  sum_gradient(&gap, first ? 0 : touch->split, first ? touch->split : touch->count, normal);
  for (int i = 0; i < 9; i++)
    list->spring[list->count - 1].stiffness[i] += stiffness * normal[i / 3] * normal[i % 3];
  return true;
}

bool st_pressing_springs(const StTouchSet *set, StSpringList *list) {
  bool good = true;
  list->count = 0;
  for (int t = 0; t < set->now.count && good; t++)
    if (set->now.touch[t].owned)
      good = add_spring(set, &set->now.touch[t], list);
  return good;
}

typedef struct States {
  const double *weight;
  StPressing *state;
} States;

static void take_state(void *context, const StTouchSet *set, const StTouch *touch, int body,
                       const double gradient[3]) {
  const States *states = context;
  StPressing *state = &states->state[body];
  StTouchLaw law = st_touch_set_law(set, touch, ST_FRICTION_PART_ALL);
  StGap gap = st_touch_list_gap(&set->now, touch);
  const double *weight = states->weight + 3 * body;
  double heavy = vec3_length(weight), along = heavy > 0 ? vec3_dot(gradient, weight) / heavy : 0;
  state->least = fmin(state->least, touch->gap / law.thickness);
  state->thickness = fmax(state->thickness, law.thickness);
  state->energy += st_touch_energy(&law, &gap);
  state->force += touch->grip.normal_force;
  state->carrying += fmax(-along, 0) * touch->grip.normal_force;
}

void st_pressing_states(const StTouchSet *set, const double *weight, StPressing *state) {
  States context = {weight, state};
  visit_all(set, take_state, &context);
}
