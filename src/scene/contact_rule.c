// Measures all bodies once; a pair's law is then a few minima.
#include "scene/contact_rule.h"

#include "base/memory.h"
#include "scene/clearance.h"

#include <string.h>

// Of more bodies only these are looked at in pairs.
enum { FEW_BODIES = 500 };

static const StSceneRule *of(const StContactRule *rule) {
  return (const StSceneRule *)(const void *)rule;
}

// A pair with the values that the scene gives.
static bool begin(const StSceneRule *rule, int collider, int surface, StContactDesc *contact) {
  StPairValues given;
  int obstacle = surface - rule->plan.body_count;
  if (!st_pair_plan_find(&rule->plan, collider, surface, &given))
    return false;
  *contact = (StContactDesc){.collider = collider,
                             .body = obstacle < 0 ? surface : -1,
                             .obstacle = obstacle < 0 ? -1 : obstacle,
                             .thickness = given.thickness,
                             .stiffness = given.stiffness};
  return true;
}

static bool find(const StSceneRule *rule, int collider, int surface, StContactDesc *contact,
                 StContactChoice *choice) {
  *choice = (StContactChoice){0};
  if (!begin(rule, collider, surface, contact))
    return false;
  StPairExtra extra = st_pair_extras_find(&rule->extras, collider, surface);
  st_contact_thickness(rule, contact, &extra, choice);
  st_contact_stiffness(rule, contact, &extra, choice);
  return true;
}

static int *friction_of(const StSceneRule *rule, int a, int b) {
  return &rule->friction[(size_t)rule->kind[a] * (size_t)rule->kind_count + (size_t)rule->kind[b]];
}

static bool law(const StContactRule *own, int collider, int surface, StContactDesc *contact) {
  const StSceneRule *rule = of(own);
  StContactChoice choice;
  if (!find(rule, collider, surface, contact, &choice))
    return false;
  int friction = *friction_of(rule, collider, surface);
  if (friction >= 0)
    contact->friction = own->friction[friction];
  return true;
}

static double reach(const StContactRule *own, int collider, int surface) {
  const StSceneRule *rule = of(own);
  StContactDesc contact;
  StContactChoice choice = {0};
  if (!begin(rule, collider, surface, &contact))
    return -1;
  StPairExtra extra = st_pair_extras_find(&rule->extras, collider, surface);
  st_contact_thickness(rule, &contact, &extra, &choice);
  return contact.thickness;
}

static void destroy(StContactRule *own) {
  StSceneRule *rule = (StSceneRule *)(void *)own;
  st_pair_plan_free(&rule->plan);
  st_pair_extras_free(&rule->extras);
  free(own->friction);
  free(rule->body);
  free(rule->kind);
  free(rule->friction);
  free(rule->partners);
  free(rule);
}

static bool same(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

// The material that an obstacle is made of, as a kind: a body's, an earlier obstacle's, or a new
// one.
static int find_kind(const StDescription *description, int obstacle, const int *kind) {
  const char *name = description->obstacle[obstacle].material;
  for (int m = 0; m < description->material_count; m++)
    if (same(description->material[m].name, name))
      return m;
  for (int i = 0; i < obstacle; i++)
    if (same(description->obstacle[i].material, name))
      return kind[description->body_count + i];
  return -1;
}

static bool find_kinds(const StDescription *description, StSceneRule *rule) {
  int bodies = description->body_count;
  rule->kind = ST_NEW(int, rule->plan.surface_count);
  rule->kind_count = description->material_count;
  for (int b = 0; rule->kind && b < bodies; b++)
    rule->kind[b] = st_scene_body_material(&description->body[b]);
  for (int i = 0; rule->kind && i < description->obstacle_count; i++) {
    int kind = find_kind(description, i, rule->kind);
    rule->kind[bodies + i] = kind >= 0 ? kind : rule->kind_count++;
  }
  size_t cells = (size_t)rule->kind_count * (size_t)rule->kind_count;
  rule->friction = ST_NEW(int, cells);
  if (rule->friction)
    memset(rule->friction, 0xff, cells * sizeof(int));
  return rule->kind && rule->friction;
}

// Some thickness of two different things has to be chosen.
static bool chooses_thickness(const StPairPlan *plan) {
  bool chooses = plan->all && plan->surface_count > 1 && !(plan->of_all.thickness > 0);
  for (int i = 0; i < plan->listed_count; i++)
    chooses = chooses || (plan->listed[i].collider != plan->listed[i].surface &&
                          !plan->entry[plan->listed[i].entry].apart &&
                          !(plan->entry[plan->listed[i].entry].thickness > 0));
  return chooses;
}

// The largest thickness; of many bodies a bound.
static void find_most(StSceneRule *rule) {
  double most = 0;
  rule->rule.most = st_contact_most_thickness(rule);
  if (rule->plan.body_count > FEW_BODIES)
    return;
  for (int a = 0; a < rule->plan.body_count; a++)
    for (int s = a; s < rule->plan.surface_count; s++)
      most = fmax(most, reach(&rule->rule, a, s));
  rule->rule.most = most;
}

// The play depends on thicknesses without it.
static StStatus measure(StReader *reader, StSceneRule *rule) {
  ST_TRY(st_contact_measure_bodies(reader, rule));
  st_contact_find_slight(rule);
  ST_TRY(st_contact_measure_squeeze(reader, rule));
  st_contact_warn_of_selves(reader, rule);
  find_most(rule);
  if (!chooses_thickness(&rule->plan))
    return ST_OK;
  ST_TRY(st_clearance_measure(reader, &rule->extras));
  st_pair_extras_sort(&rule->extras);
  find_most(rule);
  return ST_OK;
}

StStatus st_scene_rule_create(StReader *reader, StPairPlan *plan, StSceneRule **result) {
  StDescription *description = reader->description;
  StSceneRule *rule = *result = ST_NEW(StSceneRule, 1);
  if (!rule)
    return st_fail_memory(reader->error);
  description->contact_rule = &rule->rule;
  rule->plan = *plan;
  *plan = (StPairPlan){0};
  rule->body = ST_NEW(StBodyScale, description->body_count);
  rule->partners = ST_NEW(unsigned char, description->body_count);
  rule->rule = (StContactRule){.pair_count = st_pair_plan_count(&rule->plan),
                               .all = rule->plan.all,
                               .partners = rule->partners,
                               .reach = reach,
                               .law = law,
                               .destroy = destroy};
  if (!rule->body || !rule->partners || !find_kinds(description, rule))
    return st_fail_memory(reader->error);
  st_pair_plan_partners(&rule->plan, rule->partners);
  return measure(reader, rule);
}

bool st_scene_rule_take_friction(void *context, StContactDesc *contact) {
  StSceneRule *rule = context;
  int surface = contact->body >= 0 ? contact->body : rule->plan.body_count + contact->obstacle;
  int *there = friction_of(rule, contact->collider, surface);
  int *back = friction_of(rule, surface, contact->collider);
  if (*there >= 0)
    return true;
  StContactRule *own = &rule->rule;
  if (!st_grow((void **)&own->friction, &rule->friction_capacity, (size_t)own->friction_count + 1,
               sizeof *own->friction))
    return false;
  own->friction[own->friction_count] = contact->friction;
  *there = *back = own->friction_count++;
  return true;
}

// The properties in which bodies differ.
enum { MEASURES = 7 };
static void measures_of(const StBodyScale *body, double value[MEASURES]) {
  const double values[MEASURES] = {body->size,    body->edge,     body->wall,    body->pressure,
                                   body->pointed, body->hardness, body->softness};
  memcpy(value, values, sizeof values);
}

// Of each kind the first two bodies, and those with the least and the largest of every measure.
static void mark_extremes(const StSceneRule *rule, int kind, bool *mark) {
  int least[MEASURES] = {0}, largest[MEASURES] = {0}, count = 0;
  double low[MEASURES] = {0}, high[MEASURES] = {0}, value[MEASURES];
  for (int b = 0; b < rule->plan.body_count; b++) {
    if (rule->kind[b] != kind)
      continue;
    measures_of(&rule->body[b], value);
    mark[b] = mark[b] || count < 2;
    for (int m = 0; m < MEASURES; m++) {
      if (count == 0 || value[m] < low[m]) {
        low[m] = value[m];
        least[m] = b;
      }
      if (count == 0 || value[m] > high[m]) {
        high[m] = value[m];
        largest[m] = b;
      }
    }
    count++;
  }
  for (int m = 0; m < MEASURES && count > 0; m++)
    mark[least[m]] = mark[largest[m]] = true;
}

// Bodies whose pairs stand for all; their number.
static int choose_bodies(const StDescription *description, const StSceneRule *rule, int *chosen) {
  int count = 0, bodies = rule->plan.body_count;
  bool *mark = ST_NEW(bool, bodies);
  if (!mark)
    return -1;
  for (int b = 0; b < bodies && bodies <= FEW_BODIES; b++)
    mark[b] = true;
  for (int m = 0; m < description->material_count && bodies > FEW_BODIES; m++)
    mark_extremes(rule, m, mark);
  for (int b = 0; b < bodies; b++)
    if (mark[b])
      chosen[count++] = b;
  free(mark);
  return count;
}

static StStatus see(StReader *reader, const StSceneRule *rule, int collider, int surface,
                    const StContactVisit *visit) {
  StContactDesc contact;
  StContactChoice choice;
  return find(rule, collider, surface, &contact, &choice)
             ? visit->see(visit->context, reader, &contact, &choice)
             : ST_OK;
}

static StStatus see_chosen(StReader *reader, const StSceneRule *rule, const int *chosen, int count,
                           const StContactVisit *visit) {
  const StPairPlan *plan = &rule->plan;
  for (int i = 0; i < count; i++) {
    for (int k = i; k < count; k++)
      ST_TRY(see(reader, rule, chosen[i], chosen[k], visit));
    for (int s = plan->body_count; s < plan->surface_count; s++)
      ST_TRY(see(reader, rule, chosen[i], s, visit));
  }
  for (int i = 0; i < plan->listed_count && count < plan->body_count; i++)
    ST_TRY(see(reader, rule, plan->listed[i].collider, plan->listed[i].surface, visit));
  return ST_OK;
}

StStatus st_scene_rule_visit(StReader *reader, const StSceneRule *rule,
                             const StContactVisit *visit) {
  int *chosen = ST_NEW(int, rule->plan.body_count);
  int count = chosen ? choose_bodies(reader->description, rule, chosen) : -1;
  StStatus status =
      count < 0 ? st_fail_memory(reader->error) : see_chosen(reader, rule, chosen, count, visit);
  free(chosen);
  return status;
}
