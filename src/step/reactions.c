// Sums of boundaries over their vertices and of obstacles over their contact pairs.
// Tested by tests/parallel/test_reaction_ranks.c.
#include "step/reactions.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "solve/runtime.h"

#include <string.h>

static void name_all(StReactions *reactions) {
  const StDescription *description = reactions->system->description;
  StReactionReport *report = reactions->report;
  for (int b = 0; b < description->boundary_count; b++)
    *report++ = (StReactionReport){.name = description->boundary[b].name};
  for (int o = 0; o < description->obstacle_count; o++)
    *report++ = (StReactionReport){.name = description->obstacle[o].name, .obstacle = true};
}

StStatus st_reactions_create(const StSystem *system, const StBoundary *boundary,
                             StReactions **result, StError *error) {
  const StDescription *description = system->description;
  StReactions *reactions = ST_OWNER(StReactions);
  ST_TRY_MEMORY(reactions, error);
  *reactions =
      (StReactions){.system = system,
                    .boundary = boundary,
                    .count = description->boundary_count + description->obstacle_count,
                    .report = ST_OWN(reactions, StReactionReport,
                                     description->boundary_count + description->obstacle_count),
                    .sum = ST_OWN(reactions, double, 6 * (size_t)description->boundary_count),
                    .force = ST_OWN(reactions, double, 3 * (size_t)system->piece->vertex_count),
                    .taken = ST_OWN(reactions, bool, 3 * (size_t)system->piece->owned_count)};
  ST_TRY(st_owner_give(reactions, result, error));
  name_all(reactions);
  return ST_OK;
}

void st_reactions_destroy(StReactions *reactions) {
  st_owner_free(reactions);
}

// A coordinate that several boundaries hold still counts for the first.
static void add_vertex(StReactions *reactions, const StHeld *held, const StState *state,
                       const StPoint *at) {
  const StBoundaryDesc *desc = &reactions->system->description->boundary[held->boundary];
  double h = state->h_before, force[3] = {0}, torque[3], *sum = reactions->sum + 6 * held->boundary;
  for (int c = 0; c < 3; c++) {
    int i = 3 * held->vertex + c;
    if (!desc->axis[c] || reactions->taken[i])
      continue;
    double speed_up = state->velocity[i] - state->velocity_before[i];
    double rate = h > 0 && !reactions->system->still
                      ? reactions->system->piece->mass[held->vertex] * speed_up / h
                      : 0;
    reactions->taken[i] = true;
    force[c] = rate - reactions->force[i];
  }
  vec3_cross(at->position + 3 * held->vertex, force, torque);
  vec3_add_scaled(1, force, sum);
  vec3_add_scaled(1, torque, sum + 3);
}

static StStatus read_boundaries(StReactions *reactions, const StState *state, const StPoint *at,
                                StError *error) {
  const StSystem *system = reactions->system;
  int count = system->description->boundary_count;
  StTrouble trouble;
  if (count == 0)
    return ST_OK;
  if (st_system_total_force(system, at, 1, reactions->force, &trouble) != ST_OK)
    return st_fail(error, ST_BUG, "forces of the committed state are not defined");
  memset(reactions->sum, 0, 6 * (size_t)count * sizeof(double));
  memset(reactions->taken, 0, 3 * (size_t)system->piece->owned_count * sizeof(bool));
  for (int i = 0; i < reactions->boundary->held_count; i++) {
    const StHeld *held = &reactions->boundary->held[i];
    if (state->time - state->h_before < system->description->boundary[held->boundary].release)
      add_vertex(reactions, held, state, at);
  }
  st_runtime_sum_all(reactions->sum, 6 * count);
  for (int b = 0; b < count; b++) {
    vec3_copy(reactions->sum + 6 * b, reactions->report[b].force);
    vec3_copy(reactions->sum + 6 * b + 3, reactions->report[b].torque);
  }
  return ST_OK;
}

static void read_obstacles(StReactions *reactions, const StReport *report) {
  const StDescription *description = reactions->system->description;
  StReactionReport *obstacle = reactions->report + description->boundary_count;
  for (int o = 0; o < description->obstacle_count; o++) {
    vec3_set(0, 0, 0, obstacle[o].force);
    vec3_set(0, 0, 0, obstacle[o].torque);
  }
  for (int i = 0; i < report->touching_count; i++) {
    const StPairReport *pair = &report->pair[report->touching[i]];
    StContactDesc desc = st_pair_law(description, pair->pair);
    if (desc.body >= 0)
      continue;
    vec3_add_scaled(1, pair->force, obstacle[desc.obstacle].force);
    vec3_add_scaled(1, pair->torque, obstacle[desc.obstacle].torque);
  }
}

StStatus st_reactions_read(StReactions *reactions, const StState *state, const StPoint *at,
                           StReport *report, StError *error) {
  ST_TRY(read_boundaries(reactions, state, at, error));
  read_obstacles(reactions, report);
  st_reactions_report(reactions, report);
  return ST_OK;
}

void st_reactions_report(const StReactions *reactions, StReport *report) {
  report->reaction_count = reactions->count;
  report->reaction = reactions->report;
}

enum { NUMBERS = 6 }; // a force and a torque

size_t st_reactions_size(const StReactions *reactions) {
  return NUMBERS * (size_t)reactions->count * sizeof(double);
}

void st_reactions_pack(const StReactions *reactions, char *to) {
  for (int i = 0; i < reactions->count; i++, to += NUMBERS * sizeof(double)) {
    memcpy(to, reactions->report[i].force, 3 * sizeof(double));
    memcpy(to + 3 * sizeof(double), reactions->report[i].torque, 3 * sizeof(double));
  }
}

void st_reactions_unpack(StReactions *reactions, const char *from) {
  for (int i = 0; i < reactions->count; i++, from += NUMBERS * sizeof(double)) {
    memcpy(reactions->report[i].force, from, 3 * sizeof(double));
    memcpy(reactions->report[i].torque, from + 3 * sizeof(double), 3 * sizeof(double));
  }
}
