// Defaults of contact, from the scene's own size, loads and stiffness, so that the same scene at
// another size (lengths × s, moduli × s, times × √s) behaves the same to round-off.
#pragma once

#include "scene/parts.h"
#include "scene/squeeze.h"

typedef struct StBodyScale {
  double size;     // m; the diagonal of its bounding box for smooth surfaces
  double edge;     // the median edge of its skin, m
  double wall;     // how thick it is, m; infinite for sheets
  double pressure; // that its contacts should carry, Pa; 0: nothing is known of it
  double weight;   // the part of it due to weight, Pa
  int load_of;     // the body that this pressure is the load of: itself, or one on a sheet
  double pointed;  // the same for a body that rests on a few vertices, if it does not give; or 0
  double hardness; // Pa/m, to press in a vertex; infinite for rigid bodies, 0 for sheets
  double softness; // how far a pressure shortens it, m/Pa; infinite for sheets
  double column;   // kg/m², of a column through it
  double share;    // factor of κ per area: 1, or a vertex's mean area
  bool sheet;      // cloth or a shell
  bool guessed;    // no load is known: that pressure is the inertia within a step
  char source[80]; // where that pressure comes from
} StBodyScale;

// Takes a pressure if it is larger. format: of its source, with this factor.
void st_contact_scale_take(StBodyScale *scale, double pressure, const char *format, double factor);

// The pressure of what fills a body.
void st_contact_scale_filling(const StDescription *description, const StBodyDesc *body,
                              const StBodyMakeup *makeup, StBodyScale *scale);

// Why a contact got its thickness and its stiffness.
typedef enum StThicknessReason {
  ST_THICKNESS_GIVEN,
  ST_THICKNESS_SIZE, // part of the size of a body
  ST_THICKNESS_GIVE, // part of how far the softer body gives under its weight
  ST_THICKNESS_EDGE, // part of its median edge
  ST_THICKNESS_WALL, // part of how thick it is
  ST_THICKNESS_PLAY, // part of how far a body can move between walls
  ST_THICKNESS_WAY,  // part of how far prescribed motion squeezes bodies
  ST_THICKNESS_ROOM, // what a third body between two keeps apart
} StThicknessReason;

typedef enum StStiffnessReason {
  ST_STIFFNESS_GIVEN,
  ST_STIFFNESS_LOAD,    // what is known of a body
  ST_STIFFNESS_MEAN,    // of smooth surfaces: the geometric mean of a sheet's load and a body's
  ST_STIFFNESS_SQUEEZE, // what prescribed motion forces on a body
  ST_STIFFNESS_POINTS,  // all its weight on a few vertices
  ST_STIFFNESS_DENT,    // the same, where these dent the surface or are dented
} StStiffnessReason;

typedef struct StThicknessChoice {
  StThicknessReason reason;
  int by;      // body
  double part; // of its measure
} StThicknessChoice;

typedef struct StContactChoice {
  StThicknessChoice thin;
  StStiffnessReason stiff;
  int stiff_by;    // body
  double pressure; // Pa, carried at …
  double rest;     // … this part of the thickness
} StContactChoice;

// Of smooth surfaces: fills what is 0 in contacts. body: [bodies], choice: [contacts].
StStatus st_contact_scale_smooth(StReader *reader, StBodyScale *body, StContactChoice *choice);

// The function called for each pair. Ends with the first failure.
typedef struct StContactVisit {
  StStatus (*see)(void *context, StReader *reader, StContactDesc *contact,
                  const StContactChoice *choice);
  void *context;
} StContactVisit;

// The pairs of a scene with their choices: those of a rule, or the description's list.
typedef struct StContactPairs {
  const struct StSceneRule *rule;
  const StContactChoice *choice; // [contacts] of the list
} StContactPairs;

StStatus st_contact_pairs_visit(StReader *reader, const StContactPairs *pairs,
                                const StContactVisit *visit);

// Rejects a value that is not positive and finite.
StStatus st_contact_expect_good(const StReader *reader, const char *what, double value);

// One note for each two materials that touch.
StStatus st_contact_scale_notes(StReader *reader, const StBodyScale *body,
                                const StContactPairs *pairs);

// The material of the surface that a contact touches; NULL: an obstacle without one.
const char *st_contact_surface_material(const StDescription *description,
                                        const StContactDesc *contact);

// Finds the friction of pairs, with notes; take: gets it.
StStatus st_contact_find_friction(StReader *reader, const StFrictionTable *table,
                                  const StSceneScale *scene, const StContactPairs *pairs,
                                  bool (*take)(void *context, StContactDesc *contact),
                                  void *context);
