// The law of stiffness for contact by primitives. A contact's stiffness is its pair's κ times a
// factor f ≥ 1 of its vertices. One principle: f rises only where the barrier stores no energy yet,
// or at rest; stiffening a compressed barrier would create energy. A force needs the factor with
// which it is carried at stiffness_gap of the thickness, and f follows the need by four rules:
//   release   where a step ends without load, f falls back; elsewhere f is at most a step above
//             what the load needs, or what the step began with
//   meeting   bodies that meet within a step are stopped by their momentum or kinetic energy
//   rescue    a new contact that comes very close within a solve gets what it needs
//   sheets    contact of cloth at rest follows its load, so that nothing presses through the cloth
// The constants are in contact/tunables.h, stiffness_…. This file knows nothing of ranks: it
// proposes rows, and the caller gathers those of all ranks before it applies them.
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

// Vertices are numbered as in the description, then come vertices of obstacles. All ranks know all
// factors.
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

bool st_stiffness_create(const struct StContacts *contacts, StStiffness *stiffness);
void st_stiffness_free(StStiffness *stiffness);
void st_stiffness_reset(StStiffness *stiffness); // all factors are 1

StContactKind st_stiffness_kind(const struct StContacts *contacts, int pair, bool edges);

// Factor of a contact with these places: that of its point, or the largest one of two edges.
double st_stiffness_factor(const StStiffness *stiffness, const struct StContacts *contacts,
                           StContactKind kind, const int *place, int count);

// Rules "release" and "sheets": the factors that the next step begins with, from a set at the end
// of a committed step and the contacts at its start. Lists the owned vertices, and all of
// obstacles, whose factor is or becomes larger than 1. False: out of memory.
bool st_stiffness_release(const StContactSet *set, const struct StContactState *state,
                          StFactors *next);

// Sorts a list and keeps the largest factor of each vertex, if it is more than 1.
void st_factors_merge(StFactors *factors);

// A step begins with these factors, and 1 elsewhere; and those it began with, as a list.
void st_stiffness_begin(StStiffness *stiffness, const StFactors *factors);
bool st_stiffness_list(const StStiffness *stiffness, StFactors *factors);

// Another attempt at the step begins with the same factors.
void st_stiffness_restart(StStiffness *stiffness);

// A pair of bodies that touch in an iterate.
typedef struct StMeeting {
  int pair;
  int loaded;     // nonzero: the pair carried a load when the step began
  double closing; // m/s, the largest speed at which a gap closes
  double hold;    // N, force of the closing contacts at stiffness_gap
  double most;    // their largest factor
} StMeeting;

typedef struct StMeetings {
  int count;
  StMeeting *item;
  size_t capacity;
} StMeetings;

void st_meetings_free(StMeetings *meetings);

// Pairs that touch in the set, with the velocities the step begins with, [vertex_count][3].
bool st_stiffness_meet(const StContactSet *set, const struct StContactState *state,
                       const double *velocity, StMeetings *meetings);
void st_meetings_merge(StMeetings *meetings); // entries of the same pair, from several ranks

// Rules "meeting" and "rescue": factors to be raised for an iterate of a stage of this span, s.
bool st_stiffness_raise(const StContactSet *set, const struct StContactState *state,
                        const StMeetings *meetings, double span, StFactors *raised);

// Raises factors to those listed.
void st_stiffness_lift(StStiffness *stiffness, const StFactors *raised);
