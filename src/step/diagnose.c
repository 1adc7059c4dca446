// Finds the worst vertex and its strongest force.
// Tested by tests/docs/messages.sh.
#include "step/diagnose.h"

#include "contact/core/primitive_gap.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "solve/runtime.h"

#include <stdio.h>

typedef struct Culprit {
  double speed; // residual, m/s
  int vertex;   // description's number
  int force;    // index
  double strength, position[3];
} Culprit;

static Culprit worst_here(const StAttempt *attempt, int *local) {
  const StStageProblem *stage = attempt->solving.stage;
  const StPiece *piece = stage->system->piece;
  Culprit worst = {.speed = -1, .vertex = -1};
  for (int i = 0; i < piece->independent_count; i++) {
    double v[3];
    for (int c = 0; c < 3; c++)
      v[c] = stage->scale[3 * i + c] * attempt->solving.residual[3 * i + c];
    double speed = vec3_length(v);
    if (speed <= worst.speed)
      continue;
    worst.speed = speed;
    worst.vertex = piece->vertex_id[i];
    vec3_copy(stage->position + 3 * i, worst.position);
    *local = i;
  }
  return worst;
}

// The largest force at the vertex; all ranks evaluate forces, the owner of the vertex reads them.
static void find_force(const StAttempt *attempt, int local, Culprit *culprit) {
  StStageProblem *stage = attempt->solving.stage;
  for (int f = 0; f < stage->system->force_count; f++) {
    const double *force = st_stage_single_force(stage, f);
    double strength = local >= 0 ? vec3_length(force + 3 * local) : 0;
    if (strength > culprit->strength) {
      culprit->strength = strength;
      culprit->force = f;
    }
  }
}

static Culprit find_culprit(const StAttempt *attempt) {
  int local = -1;
  Culprit mine = worst_here(attempt, &local);
  find_force(attempt, local, &mine);
  double worst = mine.speed;
  int rank = st_runtime_rank();
  st_runtime_largest(&worst, &rank);
  st_runtime_share(rank, &mine, sizeof mine);
  return mine;
}

const char *st_diagnose_reason(StNewtonReason reason) {
  return reason == ST_NEWTON_BLOCKED ? "the path is blocked: bodies are already in contact"
                                     : st_newton_reason_text(reason);
}

// Whether all vertices of a contact have a prescribed motion and cannot move away.
static bool is_driven(const StStageProblem *stage, const StContactSet *set,
                      const StContact *contact) {
  const int *place = st_contact_array_places(&set->now, contact);
  for (int i = 0; i < contact->count; i++)
    for (int c = 0; c < 3 && st_contact_set_is_local(set, place[i]); c++)
      if (stage->scale[3 * place[i] + c] > 0)
        return false;
  return true;
}

// How fast the gap changes, m/s.
static double gap_rate(const StStageProblem *stage, const StContactSet *set,
                       const StContact *contact) {
  const StContactArray *list = &set->now;
  const double *gradient = list->gradient + 3 * contact->first;
  double velocity[3 * ST_PRIMITIVE_MOST], rate = 0;
  st_contact_set_velocities(set, contact->count, st_contact_array_places(list, contact),
                            stage->velocity, velocity);
  for (int i = 0; i < 3 * contact->count; i++)
    rate += gradient[i] * velocity[i];
  return rate -
         vec3_dot(contact->normal_state.normal, st_contact_set_wall_velocity(set, list, contact));
}

// The contact of prescribed vertices that closes most in the failed step.
static const StContact *find_driven(const StStageProblem *stage, const StContactSet *set,
                                    double *gap) {
  static const double CLOSE = 1e-3; // of the thickness
  const StContact *first = NULL;
  *gap = INFINITY;
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    if (!contact->owned || !is_driven(stage, set, contact))
      continue;
    double rate = gap_rate(stage, set, contact), after = contact->gap + rate * stage->h;
    if (rate < 0 && after < CLOSE * contact->thickness && after < *gap) {
      first = contact;
      *gap = after;
    }
  }
  return first;
}

// "vertex 3 of body "a" into obstacle "b""; false: nothing is driven into anything. Collective.
static bool describe_driven(const StStageProblem *stage, char *text, size_t size) {
  double gap, closing;
  int rank = st_runtime_rank();
  const StSystem *system = stage->system;
  if (!st_contacts_keep_apart(system->contacts))
    return false;
  st_contact_cache_moved(system->contact_cache, stage->origin);
  const StContactSet *set =
      st_contact_cache_at(system->contact_cache, stage->step_start, stage->origin);
  const StContact *contact = find_driven(stage, set, &gap);
  if (contact) {
    int vertex = st_contact_set_vertex(set, &set->now, contact);
    const StDescription *description = system->description;
    char where[160], other[160];
    st_description_name_vertex(description, system->piece->vertex_id[vertex], where, sizeof where);
    const StPairSides pair = st_pair_sides(description, contact->pair);
    bool second = pair.body == system->piece->body[vertex];
    st_description_name_party(description, second ? pair.collider : pair.body, pair.obstacle, other,
                              sizeof other);
    snprintf(text, size, "%s into %s", where, other);
  }
  closing = -gap;
  st_runtime_largest(&closing, &rank);
  st_runtime_share(rank, text, size);
  return !isinf(closing);
}

StStatus st_diagnose(const StAttempt *attempt, const StState *state, double h, StError *error) {
  const StStageProblem *stage = attempt->solving.stage;
  const StNewtonResult *newton = &attempt->solving.newton;
  const StDescription *description = stage->system->description;
  char where[160], more[1024] = "";
  if (newton->reason == ST_NEWTON_BAD_START && stage->trouble.vertex >= 0) {
    st_description_name_vertex(description, stage->trouble.vertex, where, sizeof where);
    return st_fail(error, ST_NOT_SOLVED,
                   "time %.6g s: no step down to %.3g s could be solved: %s: %s, at %s (force "
                   "\"%s\", element %d)",
                   state->time, h, st_diagnose_reason(newton->reason), stage->trouble.reason, where,
                   stage->trouble.force, stage->trouble.element);
  }
  if (newton->reason == ST_NEWTON_BAD_START && stage->trouble.reason)
    return st_fail(error, ST_NOT_SOLVED,
                   "time %.6g s: no step down to %.3g s could be solved: %s: force \"%s\": %s",
                   state->time, h, st_diagnose_reason(newton->reason), stage->trouble.force,
                   stage->trouble.reason);
  if (describe_driven(stage, more, sizeof more))
    return st_fail(error, ST_NOT_SOLVED,
                   "time %.6g s: the scene drives %s: both move as prescribed, and no force can "
                   "keep them apart; change one of the motions, or leave one of them free",
                   state->time, more);
  more[0] = 0;
  Culprit culprit = find_culprit(attempt);
  st_description_name_vertex(description, culprit.vertex, where, sizeof where);
  if (newton->reason == ST_NEWTON_LINEAR_FAILED)
    snprintf(more, sizeof more, " (%.900s)", newton->detail.text);
  return st_fail(
      error, ST_NOT_SOLVED,
      "time %.6g s: no step down to %.3g s could be solved: %s%s after %d iterations; the "
      "residual is largest, %.3g m/s, at %s, position (%.6g, %.6g, %.6g), where force "
      "\"%s\" is strongest (%.3g N)",
      state->time, h, st_diagnose_reason(newton->reason), more, newton->iterations, culprit.speed,
      where, culprit.position[0], culprit.position[1], culprit.position[2],
      stage->system->force[culprit.force].type->name, culprit.strength);
}
