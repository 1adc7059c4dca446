// One simulation goes on from the state of another, of a scene with other bodies.
// Tested by tests/api/test_api_take_over.c.
#include "base/memory.h"
#include "solve/runtime.h"
#include "step/simulation_parts.h"

#include <string.h>

// Vertices that are in both scenes, on rank 0.
static void copy_matched(const StMatch *match, const double *from, double *to) {
  int count = st_description_vertex_count(match->from);
  for (int i = 0; from && to && i < count; i++)
    if (match->vertex[i] >= 0)
      memcpy(to + 3 * (size_t)match->vertex[i], from + 3 * (size_t)i, 3 * sizeof(double));
}

// All ranks get what the first has.
static StStatus share_anchors(StHandover *handover, StError *error) {
  size_t *size = &handover->anchors_size;
  st_runtime_share(0, size, sizeof *size);
  if (st_runtime_rank() > 0) {
    free(handover->anchors);
    handover->anchors = ST_NEW(char, *size);
  }
  ST_TRY(st_runtime_agree(handover->anchors ? ST_OK : st_fail_memory(error), error));
  st_runtime_share(0, handover->anchors, *size);
  return ST_OK;
}

static StStatus hand_over(StSimulation *from, const StMatch *match, StHandover *handover,
                          StError *error) {
  ST_FREE char *anchors = NULL;
  size_t size = 0;
  if (!from->system->contacts)
    return ST_OK;
  ST_TRY(st_simulation_gather_anchors(from, &anchors, &size, error));
  ST_TRY(st_simulation_next_factors(from, &handover->factors, error));
  st_match_factors(match, &handover->factors);
  size = st_runtime_rank() == 0 ? size : 0;
  handover->anchors = st_match_anchors(match, anchors, &size);
  handover->anchors_size = size;
  bool good = handover->anchors && st_handover_pairs(match, from->system->contacts,
                                                     from->system->contact_state, handover);
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  return share_anchors(handover, error);
}

// What one array of the state becomes; free() it.
static StStatus mix(StSimulation *s, const double *own, StSimulation *from, const double *other,
                    const StMatch *match, double **mixed, StError *error) {
  ST_FREE double *theirs = NULL;
  ST_TRY(st_gather_vertices(s->gather, own, 3, mixed, error));
  ST_TRY(st_gather_vertices(from->gather, other, 3, &theirs, error));
  copy_matched(match, theirs, *mixed);
  return ST_OK;
}

static StStatus take_over(StSimulation *s, StSimulation *from, const StMatch *match,
                          StError *error) {
  ST_FINALLY(st_handover_free) StHandover handover = {0};
  ST_FREE double *position = NULL, *velocity = NULL;
  ST_TRY(hand_over(from, match, &handover, error));
  ST_TRY(mix(s, s->state->position, from, from->state->position, match, &position, error));
  ST_TRY(mix(s, s->state->velocity, from, from->state->velocity, match, &velocity, error));
  return st_simulation_go_on_from(s, from->state->time, position, velocity, &handover, error);
}

StStatus st_simulation_take_over(StSimulation *s, StSimulation *from, StError *error) {
  ST_FINALLY(st_match_free) StMatch match;
  StStatus status = st_match_create(from->description, from->system->contacts, s->description,
                                    s->system->contacts, &match, error);
  ST_TRY(st_runtime_agree(status, error));
  return take_over(s, from, &match, error);
}
