// The contacts at one point in state space: a list of contacts, each a stencil of places with a
// gap, its gradients, and the shares that distribute velocities and forces. st_contacts_evaluate
// fills a set (contact/core/contacts.h); from then on it is const for all readers.
#pragma once

#include "contact/core/contact_force.h"
#include "contact/core/contact_scratch.h"
#include "model/piece.h"

#include <stdint.h>

struct StContacts;
struct StContactProvider;

// A *place* is a local vertex of the piece or a vertex of a rigid obstacle. Local vertices are
// numbered first. Vertices of obstacles have no rows in a matrix, and no forces act on them.

enum { ST_CONTACT_SMALL = 4 }; // most places of a contact between points, edges and triangles

// One contact. The normal force pushes side A along the normal and side B against it. Offsets refer
// to the pools of its list.
typedef struct StContact {
  const struct StContactProvider *provider;
  size_t index;  // private to the provider
  uint64_t id;   // equal in all sets for the same features; ascending within a pair
  int pair;      // index into the description's contacts
  int law;       // index of the pair's laws in the set that found the contact
  int count;     // places of the stencil, …
  int split;     // … the first of them belong to side A
  size_t first;  // offset of the stencil's entries
  bool owned;    // this rank adds its forces and energy
  double weight; // factor of the pair's stiffness: an area, m², or 1
  double factor; // another factor, from adaptive stiffness (contact/barrier/adaptive_stiffness.h)
  double thickness; // m, the activation distance: the normal force acts at smaller gaps
  double gap, mollifier;
  double wall[3];  // velocity of a closed-form obstacle's surface, which has no places; otherwise 0
  double shift[3]; // displacement of that surface since the start of the step
  StNormalState normal_state;
  // For anchored friction (contact/friction/anchors.h):
  double tangent_stiffness; // N/m, without the mollifier; has the sign of the weight
  double damper_stiffness;  // N/m, the same before the anchor stiffens
  double anchor_scale;      // how much stiffer the anchor was set, see
                            // contact/friction/anchor_stiffening.h; 1 without one
  bool anchored;            // the contact has an anchor
  double held[3]; // vector between the anchor's points at the start of the step; otherwise 0
} StContact;

// A part of friction and the quantity it depends on: a velocity, or for anchored friction the
// displacements since the start of the step over its span. The surface is then moved by the elastic
// displacement at the start of the step.
typedef enum StFrictionPart {
  ST_FRICTION_PART_ALL,   // all of friction, with stick by velocity
  ST_FRICTION_PART_DRY,   // anchored friction, by displacement
  ST_FRICTION_PART_START, // the same for a set at the start of a step, where the contact has no
                          // anchor yet: by velocity times a step
  ST_FRICTION_PART_FILM,  // viscous friction beside anchored friction, by velocity
  ST_FRICTION_PART_COUNT
} StFrictionPart;

// Sorted by pair, then by id.
typedef struct StContactArray {
  int count;
  StContact *contact;
  size_t contact_capacity;
  // Pools over stencil entries:
  size_t used, capacity;
  int *vertex;                           // places
  double *gradient, *mollifier_gradient; // [][3]
  double *share;                         // signed: Σ share·x is the vector from side B to side A
} StContactArray;

// When a set is evaluated. Obstacles are at this fraction (0 … 1) of the path from where they were
// at `start` to where they are at `time`.
typedef struct StInstant {
  double start, time, progress;
} StInstant;

// The instant at which all obstacles are where they are at `time`.
static inline StInstant st_instant(double time) {
  return (StInstant){time, time, 1};
}

// A pair's laws at the evaluation.
typedef struct StPairLaw {
  int pair;
  StNormalLawForm normal_law;
  double thickness;                               // m
  double stiffness;                               // κ
  StFrictionLaw friction[ST_FRICTION_PART_COUNT]; // of each part, without the others
} StPairLaw;

// How stiff a contact is, Pa/m.
static inline double st_contact_area_stiffness(const StContact *contact, const StPairLaw *law) {
  return contact->factor * law->stiffness / law->thickness;
}

enum { ST_PROVIDERS = 2 }; // of a method, at most

typedef struct StContactSet {
  const struct StContacts *contacts;
  StStatus status; // of the evaluation; not ST_OK: out of memory, or a position is NaN
  StInstant instant;
  double time;         // the instant's
  uint64_t version;    // of the contact state it was evaluated with
  const double *start; // [vertex_count][3] where the step began; NULL: the set's own positions
  double start_time;   // time at the start of the step
  bool at_start;       // the set is for the start of the step
  double span;         // s, time since the start of the step; 1 if that is zero
  StContactArray now;
  const StContactArray *before; // contacts at the start of the step
  const StContactArray *slip;   // the contacts friction uses: now, or with lagged friction, before
  double *slip_wall; // [slip->count][6] velocity and displacement of obstacles' surfaces there
  size_t wall_capacity;
  // Laws of pairs that were evaluated or have lagged friction, sorted by pair. The description has
  // a pair for every two bodies, and few of them have contacts.
  int law_count;
  StPairLaw *law; // [law_count]
  size_t law_capacity;
  int law_known;   // how many of them the evaluation before has left that are still valid
  int rigid_count; // places of rigid obstacles, …
  // … [rigid_count][3] at the set's time, and their displacement since the start of the step.
  double *rigid_position, *rigid_velocity, *rigid_shift;
  const bool *parked;                  // [skins] see st_contacts_park; NULL: none
  const struct StContactSet *followed; // see st_contacts_follow; NULL: none
  void *own[ST_PROVIDERS];             // private data of each provider for the set's contacts
  StContactScratch *work;
} StContactSet;

// Creates an empty set. It must not outlive the contacts or the state it is evaluated with.
StStatus st_contact_set_create(const struct StContacts *contacts, StContactSet **set,
                               StError *error);
void st_contact_set_destroy(StContactSet *set); // NULL is fine

// Views into a list: the gap, gradients and shares of a contact, and its places.
StGap st_contact_array_gap(const StContactArray *list, const StContact *contact);
const int *st_contact_array_places(const StContactArray *list, const StContact *contact);
const double *st_contact_array_shares(const StContactArray *list, const StContact *contact);
bool st_contact_array_copy(StContactArray *to, const StContactArray *from); // false: out of memory
void st_contact_array_free(StContactArray *list);

// Adds room for the laws of one more pair; NULL: out of memory.
StPairLaw *st_contact_set_add_law(StContactSet *set, int pair);

// NULL: the set has no laws of that pair.
const StPairLaw *st_contact_set_find_law(const StContactSet *set, int pair);

// For a contact of `now` or of `slip`.
static inline const StPairLaw *st_contact_set_pair_law(const StContactSet *set,
                                                       const StContact *contact) {
  if (contact->law < set->law_count && set->law[contact->law].pair == contact->pair)
    return &set->law[contact->law];
  return st_contact_set_find_law(set, contact->pair);
}

// The contact's own law: κ times its weight, and one part of its friction.
StContactLaw st_contact_set_law(const StContactSet *set, const StContact *contact,
                                StFrictionPart part);

// The parts of a contact's friction; returns how many, 1 or 2.
int st_contact_set_friction_parts(const StContactSet *set, const StContact *contact,
                                  StFrictionPart part[2]);

// Whether friction is lagged, and whether derivatives of its basis are left out.
bool st_contact_set_lagged(const StContactSet *set);
bool st_contact_set_fixed_basis(const StContactSet *set); // of smooth surfaces only

// Velocity of an obstacle surface without places under a contact of `now` or of `slip`.
const double *st_contact_set_wall_velocity(const StContactSet *set, const StContactArray *list,
                                           const StContact *contact);

// Displacement of that surface since the start of the step.
const double *st_contact_set_shift(const StContactSet *set, const StContactArray *list,
                                   const StContact *contact);

// The surface's velocity on which one part of friction depends, and the factor with which
// derivatives of a velocity enter it.
void st_contact_set_friction_wall(const StContactSet *set, const StContactArray *list,
                                  const StContact *contact, StFrictionPart part, double wall[3]);
double st_contact_set_friction_factor(const StContactSet *set, StFrictionPart part,
                                      double by_position, double by_velocity);

// Anchored friction depends on z + τ dz/dt. With the elastic time = the set's span + τ, s, this is
// the displacement since the start of the step over the span, plus the elastic displacement at the
// start of the step over the elastic time.
double st_contact_set_elastic_time(const StContactSet *set, const StContact *contact);
void st_contact_set_held(const StContactSet *set, const StContact *contact, StFrictionPart part,
                         double held[3]);

// Elastic displacement at the set's instant, for a load (st_contact_load) and a sliding velocity as
// in ST_FRICTION_PART_DRY; a displacement beyond the yield is cut back to it. Returns the fraction
// that remains; 1: the contact sticks.
double st_contact_set_elastic(const StContactSet *set, const StContact *contact,
                              const StFrictionLoad *load, const double slip[3], double z[3]);

// Elastic displacement at the start of the step.
void st_contact_held(const StContact *contact, double held[3]);

// Whether a place is a local vertex, not a rigid one.
bool st_contact_set_is_local(const StContactSet *set, int place);

// Positions of places at the start of the step, [count][3]. False: the set belongs to no step.
bool st_contact_set_first_positions(const StContactSet *set, int count, const int *place,
                                    double *gathered);

// Local number of the vertex that represents a contact: its first place that is a local vertex.
int st_contact_set_vertex(const StContactSet *set, const StContactArray *list,
                          const StContact *contact);

// Positions or velocities of a stencil, [count][3], from those of the local vertices.
void st_contact_set_positions(const StContactSet *set, int count, const int *place,
                              const double *position, double *gathered);
void st_contact_set_velocities(const StContactSet *set, int count, const int *place,
                               const double *velocity, double *gathered);

// Displacements since the start of the step over the set's span: of a stencil at these positions,
// [count][3], and of one of its places.
void st_contact_set_friction_moved(const StContactSet *set, int count, const int *place,
                                   const double *position, double *moved);
void st_contact_set_friction_dual(const StContactSet *set, int place, const StDual position[3],
                                  StDual moved[3]);

// The velocities of a stencil on which one part of friction depends.
void st_contact_set_friction_velocities(const StContactSet *set, int count, const int *place,
                                        StFrictionPart part, const double *position,
                                        const double *velocity, double *gathered);

// For providers: room for one more contact of the last pair, whose pools the caller fills; NULL:
// out of memory. `keep` adds it to the list; adding the next one without `keep` discards it.
StContact *st_contact_set_add(StContactSet *set, const struct StContactProvider *provider, int pair,
                              int count);
void st_contact_set_keep(StContactSet *set, const StContact *contact);

// The provider's data in the set, and more rigid places; *first: number of the first one.
void *st_contact_set_own(const StContactSet *set, const struct StContactProvider *provider);
StStatus st_contact_set_add_rigid(StContactSet *set, int count, int *first, StError *error);
