// Normal forces and stiffnesses of contacts, summed over bodies. Tested by
// tests/verify/test_touching_start.c.
#include "contact/start/body_forces.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "contact/tunables.h"

#include <math.h>

// The places of one side of a contact: a range of its stencil.
typedef struct Side {
  int first, end;
} Side;

static Side side_of(const StContact *contact, int side) {
  return side == 0 ? (Side){0, contact->split} : (Side){contact->split, contact->count};
}

static void sum_gradient(const StGap *gap, Side side, double sum[3]) {
  vec3_set(0, 0, 0, sum);
  for (int k = side.first; k < side.end; k++)
    vec3_add_scaled(1, gap->gradient + 3 * k, sum);
}

// The gap's gradient by displacements of a body and by its rotation about a point.
static void find_pull(const StContactSet *set, const StContact *contact, Side side,
                      const double *position, const double point[3], double pull[6]) {
  StGap gap = st_contact_array_gap(&set->now, contact);
  const int *place = st_contact_array_places(&set->now, contact);
  sum_gradient(&gap, side, pull);
  vec3_set(0, 0, 0, pull + 3);
  for (int k = side.first; k < side.end; k++) {
    double arm[3], moment[3];
    vec3_sub(position + 3 * place[k], point, arm);
    vec3_cross(arm, gap.gradient + 3 * k, moment);
    vec3_add_scaled(1, moment, pull + 3);
  }
}

// The body on one side of a contact; -1: an obstacle.
static int side_body(const StContactSet *set, const StContact *contact, int side) {
  Side of = side_of(contact, side);
  const int *place = st_contact_array_places(&set->now, contact) + of.first;
  bool local = of.first < of.end && st_contact_set_is_local(set, *place);
  return local ? set->contacts->piece->body[*place] : -1;
}

typedef void (*Visit)(void *context, const StContactSet *set, const StContact *contact, int body,
                      Side side);

static void visit_all(const StContactSet *set, Visit visit, void *context) {
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    for (int side = 0; side < 2 && contact->owned; side++) {
      int body = side_body(set, contact, side);
      if (body >= 0)
        visit(context, set, contact, body, side_of(contact, side));
    }
  }
}

typedef struct Forces {
  StPlacing placing;
  double *force;
} Forces;

static void add_force(void *context, const StContactSet *set, const StContact *contact, int body,
                      Side side) {
  const Forces *forces = context;
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  double pressing = contact->mollifier * st_normal_law_force(&law, contact->gap), pull[6];
  find_pull(set, contact, side, forces->placing.position, forces->placing.centre + 3 * body, pull);
  for (int i = 0; i < 6; i++)
    forces->force[6 * body + i] += pressing * pull[i];
}

void st_pressing_forces(const StContactSet *set, StPlacing placing, double *force) {
  Forces context = {placing, force};
  visit_all(set, add_force, &context);
}

// Two bodies are connected at the centre of the first; a body and an obstacle at the body's centre.
static StSpring connect(const int body[2], const double *centre) {
  StSpring spring = {.body = {body[0], body[1]}};
  const double *point = centre + 3 * (body[0] >= 0 ? body[0] : body[1]);
  for (int side = 0; side < 2; side++)
    if (body[side] >= 0)
      vec3_sub(point, centre + 3 * body[side], spring.arm[side]);
  return spring;
}

static void add_square(double factor, const double pull[6], double stiffness[36]) {
  for (int i = 0; i < 36; i++)
    stiffness[i] += factor * pull[i / 6] * pull[i % 6];
}

// The contact's point on one of its sides, and the direction of the gap.
static void find_spot(const StContactSet *set, const StContact *contact, Side side,
                      const double *position, double spot[3], double normal[3]) {
  StGap gap = st_contact_array_gap(&set->now, contact);
  const int *place = st_contact_array_places(&set->now, contact);
  sum_gradient(&gap, side, normal);
  double length = vec3_length(normal);
  vec3_set(0, 0, 0, spot);
  for (int k = side.first; k < side.end; k++)
    vec3_add_scaled(vec3_dot(gap.gradient + 3 * k, normal) / (length * length),
                    position + 3 * place[k], spot);
  for (int c = 0; c < 3; c++)
    normal[c] /= length;
}

static void add_sideways(const StContactSet *set, const StContact *contact, Side side,
                         StPlacing placing, const double centre[3], double stiffness,
                         StSpring *spring) {
  double spot[3], normal[3], arm[3];
  find_spot(set, contact, side, placing.position, spot, normal);
  vec3_sub(spot, centre, arm);
  for (int c = 0; c < 3; c++) { // each axis without its normal component
    double pull[6] = {0};
    pull[c] = 1;
    vec3_add_scaled(-normal[c], normal, pull);
    vec3_cross(arm, pull, pull + 3);
    add_square(st_contact_tunables.start_sideways * stiffness, pull, spring->sideways);
    add_square(st_contact_tunables.start_sideways * stiffness, pull, spring->stiffness);
  }
}

static bool add_spring(const StContactSet *set, const StContact *contact, StPlacing placing,
                       StSpringList *list) {
  StGap gap = st_contact_array_gap(&set->now, contact);
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  int body[2] = {side_body(set, contact, 0), side_body(set, contact, 1)};
  double pull[6], stiffness = st_contact_normal_stiffness(&law, &gap);
  if (body[0] == body[1])
    return true;
  const StSpring *last = list->count > 0 ? &list->spring[list->count - 1] : NULL;
  if (!last || last->body[0] != body[0] || last->body[1] != body[1]) {
    if (!ST_GROW(list->spring, list->capacity, list->count + 1))
      return false;
    list->spring[list->count++] = connect(body, placing.centre);
  }
  int side = body[0] >= 0 ? 0 : 1;
  const double *centre = placing.centre + 3 * body[side];
  StSpring *spring = &list->spring[list->count - 1];
  find_pull(set, contact, side_of(contact, side), placing.position, centre, pull);
  add_square(stiffness, pull, spring->stiffness);
  add_sideways(set, contact, side_of(contact, side), placing, centre, stiffness, spring);
  return true;
}

bool st_pressing_springs(const StContactSet *set, StPlacing placing, StSpringList *list) {
  bool good = true;
  list->count = 0;
  for (int t = 0; t < set->now.count && good; t++)
    if (set->now.contact[t].owned)
      good = add_spring(set, &set->now.contact[t], placing, list);
  return good;
}

typedef struct States {
  const double *weight;
  StBodyForces *state;
} States;

static void take_state(void *context, const StContactSet *set, const StContact *contact, int body,
                       Side side) {
  const States *states = context;
  StBodyForces *state = &states->state[body];
  StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
  StGap gap = st_contact_array_gap(&set->now, contact);
  const double *weight = states->weight + 3 * body;
  double heavy = vec3_length(weight), gradient[3];
  sum_gradient(&gap, side, gradient);
  double along = heavy > 0 ? vec3_dot(gradient, weight) / heavy : 0;
  state->least = fmin(state->least, contact->gap / law.thickness);
  state->thickness = fmax(state->thickness, law.thickness);
  state->energy += st_contact_energy(&law, &gap);
  state->force += contact->normal_state.normal_force;
  state->carrying += fmax(-along, 0) * contact->normal_state.normal_force;
}

void st_pressing_states(const StContactSet *set, const double *weight, StBodyForces *state) {
  States context = {weight, state};
  visit_all(set, take_state, &context);
}
