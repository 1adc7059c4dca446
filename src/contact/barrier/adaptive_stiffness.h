// Adaptive stiffness of contact by primitives. The stiffness of a contact is its pair's κ times a
// factor f ≥ 1 that belongs to its vertices. One principle governs f: it rises only where the
// barrier stores no energy yet, or at rest, because stiffening a compressed barrier would create
// energy. The factor that a force needs is the one at which the barrier carries it at a gap of
// stiffness_gap times the thickness. Four rules move f towards the need:
//   release   where a step ends without load, f falls back; elsewhere f is at most stiffness_step
//             times what the load needs, or what the step began with
//   meeting   two bodies that meet within a step get the factor that stops their momentum or
//             their kinetic energy
//   rescue    a new contact whose gap gets very small within a solve gets the factor it needs
//   sheets    contact of cloth at rest follows its load, so that nothing presses through the cloth
// The constants are in contact/tunables.h, stiffness_…. This file knows nothing of ranks: it lists
// factors, and the caller gathers the lists of all ranks before it applies them.
#pragma once

#include "contact/core/contact_set.h"
#include "model/description.h"

struct StContacts;
struct StContactState;

// A vertex has a factor for each kind of contact: as a point or as an end of an edge, with cloth on
// one side or between solids. Cloth between two solids must not stiffen their contact with each
// other through it.
typedef enum StContactKind {
  ST_POINT_CONTACT,
  ST_EDGE_CONTACT,
  ST_SHEET_POINT_CONTACT,
  ST_SHEET_EDGE_CONTACT,
  ST_CONTACT_KINDS
} StContactKind;

// Vertices are numbered as in the description, followed by the vertices of obstacles. Every rank
// knows all factors.
typedef struct StStiffness {
  int count;                        // 0: contact by smooth surfaces, without factors
  double *factor[ST_CONTACT_KINDS]; // [count] ≥ 1
  double *began[ST_CONTACT_KINDS];  // [count] the same at the start of the step
  struct StVertexUse *use;          // [count] scratch
} StStiffness;

// A factor of one vertex.
typedef struct StFactor {
  int vertex, kind;
  double factor;
} StFactor;

typedef struct StFactors {
  int count;
  StFactor *item;
  size_t capacity;
} StFactors;

void st_factors_free(StFactors *factors);

void st_stiffness_create(const struct StContacts *contacts, struct StContactState *state);
void st_stiffness_reset(StStiffness *stiffness); // all factors are 1

StContactKind st_stiffness_kind(const struct StContacts *contacts, int pair, bool edges);

// Factor of a contact with these places: that of its point, or the largest one of its two edges.
double st_stiffness_factor(const StStiffness *stiffness, const struct StContacts *contacts,
                           StContactKind kind, const int *place, int count);

// Rules "release" and "sheets": fills `next` with the factors for the next step, from the set at
// the end of a committed step and the contacts at its start. The list has the owned vertices, and
// all vertices of obstacles, whose factor is or becomes larger than 1. False: out of memory.
bool st_stiffness_release(const StContactSet *set, const struct StContactState *state,
                          StFactors *next);

// Sorts a list and keeps the largest factor of each vertex and kind, if it is more than 1.
void st_factors_merge(StFactors *factors);

// `begin` sets the factors for a step: those of the list, and 1 elsewhere. `list` returns the
// factors that the step began with.
void st_stiffness_begin(StStiffness *stiffness, const StFactors *factors);
bool st_stiffness_list(const StStiffness *stiffness, StFactors *factors);

// Resets the factors to those the step began with, for another attempt at it.
void st_stiffness_restart(StStiffness *stiffness);

// A pair of bodies with contacts in an iterate.
typedef struct StMeeting {
  int pair;
  int loaded;     // nonzero: the pair carried a load when the step began
  double closing; // m/s, the largest speed at which one of its gaps closes
  double hold;    // N, force of the closing contacts at stiffness_gap
  double most;    // the largest factor of those contacts
} StMeeting;

typedef struct StMeetings {
  int count;
  StMeeting *item;
  size_t capacity;
} StMeetings;

void st_meetings_free(StMeetings *meetings);

// Lists the pairs that have contacts in the set. velocity: at the start of the step,
// [vertex_count][3].
bool st_stiffness_meet(const StContactSet *set, const struct StContactState *state,
                       const double *velocity, StMeetings *meetings);
void st_meetings_merge(StMeetings *meetings); // entries of the same pair, from several ranks

// Rules "meeting" and "rescue": lists the factors to raise for an iterate of a stage of length
// `span`, s.
bool st_stiffness_raise(const StContactSet *set, const struct StContactState *state,
                        const StMeetings *meetings, double span, StFactors *raised);

// Raises factors to those listed.
void st_stiffness_lift(StStiffness *stiffness, const StFactors *raised);
