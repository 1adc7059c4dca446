// Compares the kinetic energy of an approach with what the barrier can take up.
#include "contact/impact.h"

#include "contact/barrier.h"
#include "math/vec3.h"

// Fractions of the thickness: what approaches is to stop above the first. Pairs that were farther
// apart than the second stored a hundredth of the energy at most: they hardly pressed.
static const double STOP_GAP = 0.1, LOOSE_GAP = 0.8;

// Mass of the rigid body that carries a place; infinite for obstacles; 0: something soft.
static double mass_at(const StTouchSet *set, int place) {
  const StPiece *piece = set->contacts->piece;
  double mass = 0;
  if (place >= piece->vertex_count)
    return INFINITY;
  int entry = st_piece_carried_entry(piece, place);
  if (entry < 0 || !set->contacts->description->body[piece->body[place]].rigid)
    return 0;
  const int *carrier = piece->carried.carrier + ST_CARRIERS * (size_t)entry;
  for (int c = 0; c < ST_CARRIERS; c++)
    mass += piece->mass[carrier[c]];
  return mass;
}

// Mass that a touch has to stop if both bodies only shift; 0: something is soft. A round obstacle
// has no places.
static double mass_of(const StTouchSet *set, const StTouch *touch) {
  const int *place = st_touch_list_places(&set->now, touch);
  double a = mass_at(set, place[0]);
  double b = touch->split < touch->count ? mass_at(set, place[touch->split]) : INFINITY;
  return a > 0 && b > 0 ? 1 / (1 / a + 1 / b) : 0;
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

static bool pressed_before(const StContactState *state, int pair) {
  const StTouchList *list = &state->before;
  int low = 0, high = list->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (list->touch[middle].pair < pair)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < list->count && list->touch[low].pair == pair; low++)
    if (list->touch[low].gap < LOOSE_GAP * list->touch[low].thickness)
      return true;
  return false;
}

double st_impact_growth(const StTouchSet *set, const StContactState *state, int first,
                        const double *velocity) {
  int pair = set->now.touch[first].pair;
  double stiffness = state->pair[pair].stiffness, motion = 0, stored = 0, room = 0;
  if (!set->contacts->skins || pressed_before(state, pair))
    return 1;
  for (int t = first; t < set->now.count && set->now.touch[t].pair == pair; t++) {
    const StTouch *touch = &set->now.touch[t];
    double mass = touch->count <= ST_TOUCH_SMALL ? mass_of(set, touch) : 0;
    double speed = mass > 0 ? approach(set, touch, velocity) : 0;
    if (!(mass > 0))
      return 1;
    if (!(speed > 0) || !(touch->weight > 0))
      continue;
    double scale = touch->weight * touch->fade * stiffness * touch->thickness;
    motion = fmax(motion, 0.5 * mass * speed * speed); // all touches stop the same body
    stored += scale * st_barrier_curve(touch->gap / touch->thickness).value;
    room += scale * st_barrier_curve(STOP_GAP).value;
  }
  return room > 0 ? fmax((motion + stored) / room, 1) : 1;
}
