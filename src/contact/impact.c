// Compares the kinetic energy of an approach with what the barrier can take up.
#include "contact/impact.h"

#include "contact/barrier.h"
#include "contact/damping.h"
#include "math/vec3.h"

// Fractions of the thickness: what approaches is to stop above the first. Pairs that were farther
// apart than the second stored a thousandth of the energy at most: they hardly pressed.
static const double STOP_GAP = 0.1, LOOSE_GAP = 0.9;

// Stiffening by less than this moves the gap at which things stop by little, and is not worth
// solving a step again.
static const double WORTH = 1.5;

// Of a solid, the whole: at worst it is stiff, and all of it comes after the point that touches. Of
// a shell, what is behind the area that does.
static double body_mass(const StContacts *contacts, int body, double area) {
  const StBulk *bulk = &contacts->bulk[body];
  bool shell = contacts->description->body[body].mesh->tet_count == 0 &&
               !contacts->description->body[body].rigid;
  return shell ? fmin(area * bulk->mass, bulk->whole) : bulk->whole;
}

// Mass that a pair has to stop.
static double pair_mass(const StContacts *contacts, int pair, double area) {
  const StContactDesc *desc = contacts->pair[pair].desc;
  double mass = body_mass(contacts, desc->collider, area);
  return desc->body >= 0 ? 1 / (1 / mass + 1 / body_mass(contacts, desc->body, area)) : mass;
}

// Speed at which a gap closes.
static double approach(const StTouchSet *set, const StTouch *touch, const double *velocity) {
  const int *place = st_touch_list_places(&set->now, touch);
  const double *gradient = set->now.gradient + 3 * touch->first;
  double of[3 * ST_TOUCH_SMALL], speed = vec3_dot(touch->grip.normal, touch->wall);
  st_touch_set_velocities(set, touch->count, place, velocity, of);
  for (int k = 0; k < touch->count; k++)
    speed -= vec3_dot(gradient + 3 * k, of + 3 * k);
  return speed;
}

static double energy_at(const StTouch *touch, double part) {
  return touch->weight * touch->fade * touch->thickness * st_barrier_curve(part).value;
}

static double force_at(const StTouch *touch, double part) {
  return -touch->weight * touch->fade * st_barrier_curve(part).slope;
}

void st_impact_carry(StCarrying *carrying, const StTouch *touch) {
  double part = touch->gap / touch->thickness, force = force_at(touch, part);
  carrying->force += force;
  carrying->moment += force * part;
}

StPressedBefore st_impact_before(const StContactState *state, int pair) {
  const StTouchList *list = &state->before;
  int low = 0, high = list->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (list->touch[middle].pair < pair)
      low = middle + 1;
    else
      high = middle;
  }
  StPressedBefore before = {INFINITY, 0};
  for (; low < list->count && list->touch[low].pair == pair; low++) {
    const StTouch *touch = &list->touch[low];
    double part = touch->gap / touch->thickness;
    before.gap = fmin(before.gap, part);
    before.stored += touch->owned ? energy_at(touch, part) : 0;
  }
  return before;
}

bool st_impact_pressed(const StPressedBefore *before) {
  return before->gap < LOOSE_GAP;
}

void st_impact_add(StImpact *impact, const StTouchSet *set, const StTouch *touch,
                   const double *velocity) {
  double speed = touch->count <= ST_TOUCH_SMALL ? approach(set, touch, velocity) : 0;
  if (!(speed > 0) || !(touch->weight > 0))
    return;
  impact->fastest = fmax(impact->fastest, speed);
  impact->area += touch->weight;
  impact->stored += energy_at(touch, touch->gap / touch->thickness);
  impact->room += energy_at(touch, STOP_GAP);
  impact->hold += force_at(touch, STOP_GAP);
}

void st_impact_join(StImpact *impact, const StImpact *other) {
  impact->fastest = fmax(impact->fastest, other->fastest);
  impact->area += other->area;
  impact->stored += other->stored;
  impact->room += other->room;
  impact->hold += other->hold;
}

double st_impact_growth(const StImpact *impact, const StContacts *contacts,
                        const StContactState *state, int pair, double span, double part) {
  const StContactDesc *desc = contacts->pair[pair].desc;
  double way = impact->fastest * span, stiffness = state->pair[pair].stiffness;
  if (!(impact->room > 0) || desc->body == desc->collider ||
      !(way < part * st_contact_state_thickness(contacts, state, pair)))
    return 1;
  double mass = pair_mass(contacts, pair, impact->area); // all touches stop the same bodies
  double motion = 0.5 * mass * impact->fastest * impact->fastest;
  double wanted = (motion / stiffness + impact->stored) / impact->room;
  if (!(wanted > WORTH))
    return 1;
  return part < 1 ? fmax(motion / (stiffness * part * impact->room), 1) : wanted;
}

// Soft bodies give way instead: what stops of them within a step is anybody's guess.
static bool is_rigid(const StContacts *contacts, const StContactDesc *desc) {
  const StBodyDesc *body = contacts->description->body;
  return body[desc->collider].rigid && (desc->body < 0 || body[desc->body].rigid);
}

double st_impact_brace(const StImpact *impact, const StContacts *contacts,
                       const StContactState *state, int pair, double span) {
  const StContactDesc *desc = contacts->pair[pair].desc;
  double way = impact->fastest * span;
  if (!(impact->hold > 0) || !is_rigid(contacts, desc) ||
      way < st_contact_state_thickness(contacts, state, pair))
    return 1;
  double force = pair_mass(contacts, pair, impact->area) * impact->fastest / span;
  double wanted = force / (state->pair[pair].stiffness * impact->hold);
  return wanted > WORTH ? wanted : 1;
}
