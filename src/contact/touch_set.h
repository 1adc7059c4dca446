// What touches at one point in state space: a list of touches, each a stencil of places with a gap,
// its gradients, and the shares by which velocities and forces are mixed. st_contacts_evaluate
// fills a set (contact/contacts.h); from then on it is const to everyone who reads it.
#ifndef ST_CONTACT_TOUCH_SET_H
#define ST_CONTACT_TOUCH_SET_H

#include "contact/touch.h"
#include "contact/touch_work.h"
#include "model/piece.h"

#include <stdint.h>

struct StContacts;
struct StTouchProvider;

// Places are numbered through: the local vertices of the piece first, then the vertices of rigid
// obstacles, which have no rows in a matrix and feel no forces.

// One touch. Side A is pressed along the normal, side B against it. Offsets go into the pools of
// its list.
typedef struct StTouch {
  const struct StTouchProvider *provider;
  size_t index;     // private to the provider
  uint64_t id;      // of the same features in another set: the same; grows within a pair
  int pair;         // index into the description's contacts
  int law;          // where the set that it was found for has that pair's
  int count;        // places of the stencil, …
  int split;        // … of them, side A's: the first ones
  size_t first;     // offset of the stencil's entries
  bool owned;       // forces and energy are ours to add
  double weight;    // factor of the pair's stiffness: an area, m², or 1
  double thickness; // m: the gap below which it presses
  double gap, fade;
  double wall[3];  // velocity of a closed-form obstacle's surface, which has no places; else 0
  double shift[3]; // how far that has moved since the step's start
  StGrip grip;
  // Of anchored friction (contact/anchors.h):
  double holding; // N/m at full fade, below 0 as the weight is
  bool anchored;  // it has an anchor
  double held[3]; // from the anchor to the point it holds, at the step's start; else 0
} StTouch;

// A part of friction, and what it goes by: a velocity; or, for what an anchor holds, displacements
// since the step's start over its span, with the surface moved by what was held then.
typedef enum StFrictionPart {
  ST_FRICTION_PART_ALL,   // friction that holds by velocity
  ST_FRICTION_PART_DRY,   // anchored friction, by displacement
  ST_FRICTION_PART_START, // the same at the step's start where no anchor is yet, by velocity times
                          // a step
  ST_FRICTION_PART_FILM,  // viscous friction beside it, by velocity
  ST_FRICTION_PART_COUNT
} StFrictionPart;

// In the order of pairs and, within a pair, of ids.
typedef struct StTouchList {
  int count;
  StTouch *touch;
  size_t touch_capacity;
  // Pools over stencil entries:
  size_t used, capacity;
  int *vertex;                      // places
  double *gradient, *fade_gradient; // [][3]
  double *share;                    // signed: Σ share·x is the way from side B to side A
} StTouchList;

// When a set is looked at. Obstacles have come this part (0 … 1) of their way from where they were
// at `start` to where they are at `time`.
typedef struct StInstant {
  double start, time, progress;
} StInstant;

// With everything where it is at that time.
static inline StInstant st_instant(double time) {
  return (StInstant){time, time, 1};
}

// A pair's laws as they stood at the evaluation.
typedef struct StPairLaw {
  int pair;
  StPressForm press;
  double thickness;                               // m
  double stiffness;                               // κ
  StFrictionLaw friction[ST_FRICTION_PART_COUNT]; // of each part, with nothing of the others
} StPairLaw;

typedef struct StTouchSet {
  const struct StContacts *contacts;
  StStatus status; // of the evaluation: not ST_OK when memory was short or a position no number
  StInstant instant;
  double time;         // the instant's
  uint64_t version;    // of the contact state it was evaluated with
  double ease;         // of friction, see st_contacts_evaluate
  const double *start; // [vertex_count][3] where the step began; NULL: at the set's own positions
  double start_time;   // when that was
  bool at_start;       // the set is of that very moment
  double span;         // s, since then; 1 where that is nothing
  StTouchList now;
  const StTouchList *before; // touches of the step's start
  const StTouchList *slip;   // what friction goes by: now, or lagged, before
  double *slip_wall; // [slip->count][6] velocity and shift of obstacles' surfaces under those
  size_t wall_capacity;
  // Laws of pairs that were looked at or that lagged friction goes by, in the order of pairs: there
  // are as many pairs as pairs of bodies, and few of them touch.
  int law_count;
  StPairLaw *law; // [law_count]
  size_t law_capacity;
  int rigid_count; // places of rigid obstacles, …
  // … [rigid_count][3] at the set's time, and how far they have come since the step's start.
  double *rigid_position, *rigid_velocity, *rigid_shift;
  void **own; // [providers] what each keeps of the set's touches
  StTouchWork *work;
} StTouchSet;

// Nothing touches yet. A set outlives neither the contacts nor the state it is evaluated with.
StStatus st_touch_set_create(const struct StContacts *contacts, StTouchSet **set, StError *error);
void st_touch_set_destroy(StTouchSet *set); // NULL is fine

// Views into a list: gap, gradients and shares of a touch, and its places.
StGap st_touch_list_gap(const StTouchList *list, const StTouch *touch);
const int *st_touch_list_places(const StTouchList *list, const StTouch *touch);
const double *st_touch_list_shares(const StTouchList *list, const StTouch *touch);
bool st_touch_list_copy(StTouchList *to, const StTouchList *from); // false: no memory
void st_touch_list_free(StTouchList *list);

// Room for the laws of one more pair, which becomes the last; NULL: no memory.
StPairLaw *st_touch_set_add_law(StTouchSet *set, int pair);

// NULL: the set has none of that pair.
const StPairLaw *st_touch_set_find_law(const StTouchSet *set, int pair);

// Of a touch of `now` or of `slip`.
static inline const StPairLaw *st_touch_set_pair_law(const StTouchSet *set, const StTouch *touch) {
  if (touch->law < set->law_count && set->law[touch->law].pair == touch->pair)
    return &set->law[touch->law];
  return st_touch_set_find_law(set, touch->pair);
}

// The touch's own law: κ with its weight, and a part of its friction.
StTouchLaw st_touch_set_law(const StTouchSet *set, const StTouch *touch, StFrictionPart part);

// The parts of a touch's friction; returns how many, 1 or 2.
int st_touch_set_friction_parts(const StTouchSet *set, const StTouch *touch,
                                StFrictionPart part[2]);

// Whether friction is lagged, and whether the derivatives of its basis are left out.
bool st_touch_set_lagged(const StTouchSet *set);
bool st_touch_set_fixed_basis(const StTouchSet *set); // of smooth surfaces only

// Velocity of an obstacle surface without places under a touch of `now` or of `slip`.
const double *st_touch_set_wall_velocity(const StTouchSet *set, const StTouchList *list,
                                         const StTouch *touch);

// How far it has moved since the step's start.
const double *st_touch_set_shift(const StTouchSet *set, const StTouchList *list,
                                 const StTouch *touch);

// The velocity as a part of friction takes it; and factor of a velocity's derivative in that.
void st_touch_set_friction_wall(const StTouchSet *set, const StTouchList *list,
                                const StTouch *touch, StFrictionPart part, double wall[3]);
double st_touch_set_friction_factor(const StTouchSet *set, StFrictionPart part, double by_position,
                                    double by_velocity);

// Anchored friction goes by z + τ dz/dt. Over the set's span and τ together, its reach (s), that is
// the displacement since the step's start over the span, and what was held then over the reach.
double st_touch_set_reach(const StTouchSet *set, const StTouch *touch);
void st_touch_set_held(const StTouchSet *set, const StTouch *touch, StFrictionPart part,
                       double held[3]);

// Elastic displacement at the set's instant, for what presses (st_touch_load) and a sliding
// velocity as ST_FRICTION_PART_DRY takes it; what has slid is taken back to the yield. Returns
// whether it sticks.
bool st_touch_set_elastic(const StTouchSet *set, const StTouch *touch, const StFrictionLoad *load,
                          const double slip[3], double z[3]);

// Elastic displacement where the step began.
void st_touch_held(const StTouch *touch, double held[3]);

// A place is a local vertex, or a rigid one.
bool st_touch_set_is_local(const StTouchSet *set, int place);

// Local number of the vertex that stands for a touch: the first of its places that is one.
int st_touch_set_vertex(const StTouchSet *set, const StTouchList *list, const StTouch *touch);

// Positions or velocities of a stencil, [count][3], from those of the local vertices.
void st_touch_set_positions(const StTouchSet *set, int count, const int *place,
                            const double *position, double *gathered);
void st_touch_set_velocities(const StTouchSet *set, int count, const int *place,
                             const double *velocity, double *gathered);

// Ways since the step's start over the set's span, of a stencil at these positions, [count][3]; and
// of one of its places.
void st_touch_set_friction_moved(const StTouchSet *set, int count, const int *place,
                                 const double *position, double *moved);
void st_touch_set_friction_dual(const StTouchSet *set, int place, const StDual position[3],
                                StDual moved[3]);

// What a part of friction takes for the velocities of a stencil.
void st_touch_set_friction_velocities(const StTouchSet *set, int count, const int *place,
                                      StFrictionPart part, const double *position,
                                      const double *velocity, double *gathered);

// For providers: room for one more touch of the pair whose laws are the last, whose pools are then
// to be filled; NULL when memory is short. It is taken into the list by `keep`, and given up by
// adding the next without that.
StTouch *st_touch_set_add(StTouchSet *set, const struct StTouchProvider *provider, int pair,
                          int count);
void st_touch_set_keep(StTouchSet *set, const StTouch *touch);

// What the provider keeps with the set, and more rigid places; *first: the first one's number.
void *st_touch_set_own(const StTouchSet *set, const struct StTouchProvider *provider);
StStatus st_touch_set_add_rigid(StTouchSet *set, int count, int *first, StError *error);

#endif
