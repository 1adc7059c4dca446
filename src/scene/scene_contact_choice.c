// Chooses the laws of contacts: by primitives as a rule, by smooth surfaces as a list.
#include "scene/contact_rule.h"

#include "base/memory.h"
#include "model/contact_pairs.h"
#include "scene/contact_method.h"

StStatus st_contact_expect_good(const StReader *reader, const char *what, double value) {
  if (value > 0 && isfinite(value))
    return ST_OK;
  return st_reader_fail(reader, st_json_root(reader->document),
                        "%s comes out as %g from the scene's scale; please set it", what, value);
}

StStatus st_contact_pairs_visit(StReader *reader, const StContactPairs *pairs,
                                const StContactVisit *visit) {
  StDescription *description = reader->description;
  if (pairs->rule)
    return st_scene_rule_visit(reader, pairs->rule, visit);
  for (int i = 0; i < description->contact_count; i++)
    ST_TRY(visit->see(visit->context, reader, &description->contact[i], &pairs->choice[i]));
  return ST_OK;
}

static bool touches(const StPairPlan *plan) {
  bool any = plan->all || plan->listed_count > 0;
  for (int b = 0; b < plan->body_count && !any; b++)
    any = plan->self[b];
  return any && (plan->surface_count > 1 || plan->self[0]);
}

static StStatus choose_primitives(StReader *reader, StPairPlan *plan,
                                  const StFrictionTable *table) {
  if (!touches(plan))
    return ST_OK;
  StSceneRule *rule = NULL;
  StSceneScale scene = {0};
  ST_TRY(st_scene_rule_create(reader, plan, &rule));
  const StContactPairs pairs = {.rule = rule};
  ST_TRY(st_contact_scale_notes(reader, rule->body, &pairs));
  st_scene_scale(reader->description, &scene);
  return st_contact_find_friction(reader, table, &scene, &pairs, st_scene_rule_take_friction, rule);
}

static bool list_pairs(const StPairPlan *plan, StDescription *description) {
  StPairValues given;
  size_t cells = (size_t)plan->body_count * (size_t)plan->surface_count, count = 0;
  int all = plan->surface_count;
  for (size_t i = 0; i < cells; i++)
    count += st_pair_plan_find(plan, (int)(i / (size_t)all), (int)(i % (size_t)all), &given);
  description->contact = ST_NEW(StContactDesc, count);
  for (size_t i = 0; i < cells && description->contact; i++) {
    int collider = (int)(i / (size_t)all), surface = (int)(i % (size_t)all);
    int obstacle = surface - plan->body_count;
    if (st_pair_plan_find(plan, collider, surface, &given))
      description->contact[description->contact_count++] =
          (StContactDesc){.collider = collider,
                          .body = obstacle < 0 ? surface : -1,
                          .obstacle = obstacle < 0 ? -1 : obstacle,
                          .thickness = given.thickness,
                          .stiffness = given.stiffness};
  }
  return description->contact;
}

static bool keep(void *context, StContactDesc *contact) {
  return (void)context, (void)contact, true;
}

static StStatus choose_listed(StReader *reader, StBodyScale *body, StContactChoice *choice,
                              const StFrictionTable *table) {
  const StContactPairs pairs = {.choice = choice};
  StSceneScale scene = {0};
  ST_TRY(st_contact_scale_smooth(reader, body, choice));
  ST_TRY(st_contact_scale_notes(reader, body, &pairs));
  st_scene_scale(reader->description, &scene);
  return st_contact_find_friction(reader, table, &scene, &pairs, keep, NULL);
}

static StStatus choose_smooth(StReader *reader, StPairPlan *plan, const StFrictionTable *table) {
  StDescription *description = reader->description;
  bool listed = list_pairs(plan, description);
  StBodyScale *body = ST_NEW(StBodyScale, description->body_count);
  StContactChoice *choice = ST_NEW(StContactChoice, description->contact_count);
  StStatus status = listed && body && choice ? ST_OK : st_fail_memory(reader->error);
  if (status == ST_OK && description->contact_count > 0)
    status = choose_listed(reader, body, choice, table);
  free(body);
  free(choice);
  return status;
}

const StSceneMethod *st_scene_method(const StDescription *description) {
  static const StSceneMethod methods[] = {
      [ST_CONTACT_SMOOTH] = {.most_pairs = ST_MOST_LISTED_PAIRS,
                             .size = st_description_diagonal,
                             .size_name = "diagonal",
                             .choose = choose_smooth},
      [ST_CONTACT_PRIMITIVES] = {
          .foreign = {"area_weighted", "both", "kernel", "radius_multiplier", "smoothing"},
          .rebounds = true,
          .most_pairs = ST_NO_PAIR - 1,
          .size = st_scene_size,
          .size_name = "size",
          .choose = choose_primitives}};
  return &methods[description->contact_settings.method];
}
