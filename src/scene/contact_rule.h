// The rule of a scene's contacts by primitives: the law of a pair follows from what is known of its
// two bodies, and from what is particular to few pairs.
#pragma once

#include "scene/contact_scale.h"
#include "scene/pair_extras.h"
#include "scene/pair_plan.h"

// The bodies that keep others least apart when they lie between them, the least first. Two of a
// pair do not lie between themselves, so three are enough.
enum { ST_SLIGHTEST = 3 };
typedef struct StSlight {
  int count;
  int body[ST_SLIGHTEST];
  double room[ST_SLIGHTEST]; // m
} StSlight;

typedef struct StSceneRule {
  StContactRule rule; // as the description sees it
  StPairPlan plan;
  StBodyScale *body; // [bodies]
  StSlight slight;
  StPairExtras extras;
  // Friction by what things are made of: materials of bodies, then of obstacles, then none.
  int kind_count;
  int *kind;     // [bodies and obstacles]
  int *friction; // [kind_count][kind_count] index in rule.friction
  size_t friction_capacity;
  unsigned char *partners; // [bodies]
} StSceneRule;

// Takes the plan over, and gives the description its rule.
StStatus st_scene_rule_create(StReader *reader, StPairPlan *plan, StSceneRule **rule);

// Visits pairs in their order: all of a scene with few bodies. Of many bodies it visits those
// between some, which include all kinds and the extremes of each, and those that the scene lists.
StStatus st_scene_rule_visit(StReader *reader, const StSceneRule *rule,
                             const StContactVisit *visit);

// Enters the friction of a pair for all of its kind. False: no memory.
bool st_scene_rule_take_friction(void *rule, StContactDesc *contact);

// Of a pair: its thickness, and then its stiffness, where they are 0.
void st_contact_thickness(const StSceneRule *rule, StContactDesc *contact, const StPairExtra *extra,
                          StContactChoice *choice);
void st_contact_stiffness(const StSceneRule *rule, StContactDesc *contact, const StPairExtra *extra,
                          StContactChoice *choice);

// The data of bodies: their sizes and loads, [bodies]; what acts on pairs of them; and those
// that keep others least apart.
StStatus st_contact_measure_bodies(StReader *reader, const StSceneRule *rule);
StStatus st_contact_measure_squeeze(StReader *reader, StSceneRule *rule);
void st_contact_find_slight(StSceneRule *rule);

void st_contact_warn_of_selves(const StReader *reader, const StSceneRule *rule);

// No thickness of the scene is larger, m.
double st_contact_most_thickness(const StSceneRule *rule);
