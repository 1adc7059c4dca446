// Leads a variant through a step.
#include "gradient/variant.h"

#include "base/memory.h"
#include "model/rigid.h"

#include <string.h>

const double st_family_place[ST_FAMILY] = {-2, -1, 1, 2};
const double st_family_weight[ST_FAMILY] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

void st_family_free(StFamily *family) {
  for (int m = 0; m < ST_FAMILY; m++) {
    st_simulation_destroy(family->member[m]);
    st_description_destroy(family->scene[m]);
  }
  *family = (StFamily){0};
}

bool st_variant_align(StDescription *scene, const StDescription *like) {
  int first = 0;
  if (scene->body_count != like->body_count || !scene->start != !like->start)
    return false;
  for (int b = 0; b < scene->body_count; b++) {
    StBodyDesc *body = &scene->body[b];
    int count = body->mesh->vertex_count;
    if (count != like->body[b].mesh->vertex_count || body->rigid != like->body[b].rigid)
      return false;
    double *start = scene->start ? scene->start + 3 * (size_t)(first + count - ST_CARRIERS) : NULL;
    if (body->rigid)
      st_rigid_align(body, &like->body[b], start);
    first += count;
  }
  return true;
}

// Forces remember branches of angles, which have no derivative.
static StStatus copy_forces(const StSimulation *from, StSimulation *to, StError *error) {
  for (int i = 0; i < from->system->force_count; i++) {
    const StForce *force = &from->system->force[i];
    int count = force->type->memory_count ? force->type->memory_count(force->data) : 0;
    if (count == 0)
      continue;
    ST_FREE double *memory = ST_NEW(double, count);
    ST_TRY_MEMORY(memory, error);
    force->type->remember(force->data, memory);
    force->type->recall(to->system->force[i].data, memory);
  }
  return ST_OK;
}

static void copy_factors(const StStiffness *from, StStiffness *to) {
  size_t bytes = (size_t)from->count * sizeof(double);
  for (int k = 0; k < ST_CONTACT_KINDS && bytes > 0; k++)
    memcpy(to->factor[k], from->factor[k], bytes);
}

static StStatus place_contact(StSimulation *variant, const StSimulation *like,
                              const StTangent *tangent, double amount, StError *error) {
  StSystem *system = variant->system;
  const StContactState *from = like->system->contact_state;
  StContactState *to = system->contact_state;
  StPoint at = st_simulation_place(variant);
  st_contact_cache_moved(system->contact_cache, at.position);
  if (!system->contacts)
    return ST_OK;
  copy_factors(&from->stiffness, &to->stiffness);
  if (!st_tangent_move_anchors(tangent, amount, &from->anchors, &to->anchors))
    return st_fail_memory(error);
  to->committed = false;
  st_contact_state_begin(system->contacts, to, at.time, at.position);
  return ST_OK;
}

StStatus st_variant_place(StSimulation *variant, const StSimulation *like, const StTangent *tangent,
                          double amount, StError *error) {
  st_tangent_move(tangent, amount, like->state, variant->state);
  st_stage_begin_step(variant->stage);
  ST_TRY(copy_forces(like, variant, error));
  return place_contact(variant, like, tangent, amount, error);
}

StStatus st_variant_residual(StSimulation *variant, const double *velocity, double *residual,
                             StError *error) {
  StStageProblem *stage = variant->stage;
  StSolving *solving = &variant->attempt->solving;
  st_stage_unknown(stage, velocity, solving->unknown);
  if (stage->problem.residual(stage, solving->unknown, 1, solving->residual) != ST_OK)
    return st_fail(error, ST_NOT_SOLVED, "a state next to that of the run is not admissible");
  for (int i = 0; i < stage->problem.size; i++)
    residual[i] = stage->scale[i] > 0 ? solving->residual[i] / stage->scale[i] : 0;
  return ST_OK;
}

const StContactSet *st_variant_contacts(StSimulation *variant, const StPlan *plan,
                                        const double *position) {
  StContactCache *cache = variant->system->contact_cache;
  memcpy(variant->candidate, position, (size_t)variant->state->size * sizeof(double));
  st_contact_cache_moved(cache, variant->candidate);
  return st_contact_cache_at(cache, st_simulation_just_after(variant, plan->end),
                             variant->candidate);
}

StStatus st_variant_commit(StSimulation *variant, const StPlan *plan, const StAnchors *like,
                           StError *error) {
  const StContactSet *set = st_variant_contacts(variant, plan, variant->attempt->position);
  st_simulation_take_result(variant, plan);
  if (!set)
    return ST_OK;
  bool good = set->status == ST_OK && st_contact_state_anchor(variant->system->contact_state, set,
                                                              variant->candidate, like);
  return good ? ST_OK : st_fail_memory(error);
}
