// Rank 0 checks all skins together and broadcasts the result.
// Tested by tests/verify/test_touching_start.c.
#include "step/separate_bodies.h"

#include "base/memory.h"
#include "contact/start/separation.h"
#include "force/joint.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "model/partition.h"
#include "solve/runtime.h"

#include <stdio.h>
#include <string.h>

static void write_vector(const double x[3], char *text, size_t size) {
  snprintf(text, size, "(%.3g, %.3g, %.3g)", x[0] + 0.0, x[1] + 0.0, x[2] + 0.0);
}

typedef struct Words {
  const char *source, *name;
  char other[140], place[80], direction[80];
} Words;

// Directions as in the scene, without components due to rounding.
static void find_words(const StDescription *description, const StOverlapSpot *spot, Words *words) {
  const StBodyDesc *body = &description->body[spot->who.body];
  double direction[3];
  for (int c = 0; c < 3; c++)
    direction[c] = fabs(spot->normal[c]) < 1e-9 ? 0 : spot->normal[c];
  words->source = body->source ? body->source : "";
  words->name = body->name;
  st_description_name_party(description, spot->who.other, spot->who.obstacle, words->other,
                            sizeof words->other);
  write_vector(spot->at, words->place, sizeof words->place);
  write_vector(direction, words->direction, sizeof words->direction);
}

static StStatus refuse_deep(const Words *w, const StOverlapSpot *spot, StError *error) {
  if (!(spot->gap < 0))
    return st_fail(error, ST_BAD_INPUT,
                   "%sbody \"%.100s\" and %s pass through each other at the start, near %s m; move "
                   "one of them away, or take the pair out of contact.pairs",
                   w->source, w->name, w->other, w->place);
  return st_fail(
      error, ST_BAD_INPUT,
      "%sbody \"%.100s\" starts %.3g m inside %s, near %s m; up to %.3g m is resolved "
      "automatically. Move \"%.100s\" by %.3g m along %s, or take the pair out of contact.pairs",
      w->source, w->name, -spot->gap, w->other, w->place, spot->allowed, w->name,
      ST_SEPARATION_SHARE * spot->reach - spot->gap, w->direction);
}

static StStatus refuse(const StDescription *description, const StSeparation *separation,
                       StError *error) {
  const StOverlapSpot *spot = &separation->worst;
  Words w;
  find_words(description, spot, &w);
  double room = ST_SEPARATION_SHARE * spot->reach - spot->gap;
  switch (separation->verdict) {
  case ST_SEPARATION_DEEP: return refuse_deep(&w, spot, error);
  case ST_SEPARATION_COINCIDE:
    return st_fail(error, ST_BAD_INPUT,
                   "%sbody \"%.100s\" lies in %s at the start, near %s m, and it is not clear "
                   "which side it is on; move it by %.3g m along %s, or the other way",
                   w.source, w.name, w.other, w.place, room, w.direction);
  case ST_SEPARATION_ITSELF:
    return st_fail(error, ST_BAD_INPUT,
                   "%sbody \"%.100s\" touches itself or passes through itself at the start, near "
                   "%s m; start from a shape that does not, or give it \"self_contact\": false",
                   w.source, w.name, w.place);
  default:
    return st_fail(error, ST_BAD_INPUT,
                   "%sbody \"%.100s\" touches %s or passes through it at the start, near %s m, and "
                   "cannot be moved clear of it as a whole; leave a gap of %.3g m there, or take "
                   "the pair out of contact.pairs",
                   w.source, w.name, w.other, w.place, room);
  }
}

// A stack rises as a whole, so only motion relative to the neighbour counts.
static bool is_worth_reporting(const StSeparation *separation, int body) {
  double way[3];
  int other = separation->blocker[body].other;
  vec3_copy(separation->shift + 3 * (size_t)body, way);
  if (other >= 0)
    vec3_add_scaled(-1, separation->shift + 3 * (size_t)other, way);
  return separation->reach[body] > 0 && vec3_length(way) > separation->reach[body];
}

static void report(const StDescription *description, const StSeparation *separation,
                   const StLog *log) {
  for (int b = 0; b < description->body_count; b++) {
    char other[140];
    if (!is_worth_reporting(separation, b))
      continue;
    st_description_name_party(description, separation->blocker[b].other,
                              separation->blocker[b].obstacle, other, sizeof other);
    st_log(log, ST_WARNING,
           "body \"%s\" starts in contact with %s: it was moved by %.3g mm to open a gap",
           description->body[b].name, other, 1e3 * vec3_length(separation->shift + 3 * (size_t)b));
  }
}

typedef struct Start {
  double time;
  const double *position; // [vertices of all bodies][3]
  bool all_fixed;
} Start;

static bool *find_fixed(const StDescription *description, bool all) {
  bool *fixed = ST_NEW(bool, description->body_count);
  for (int b = 0; fixed && b < description->body_count; b++)
    fixed[b] = all;
  if (fixed) {
    st_description_mark_held(description, fixed);
    st_joints_mark_tied(description, fixed);
  }
  return fixed;
}

static StStatus part_skins(const StSkins *skins, const StPiece *piece, const Start *start,
                           StSeparation *separation, StError *error) {
  ST_FREE double *position = ST_NEW(double, 3 * (size_t)skins->place_count);
  ST_FREE bool *fixed = find_fixed(skins->description, start->all_fixed);
  ST_TRY_MEMORY(position && fixed, error);
  for (int v = 0; v < piece->vertex_count; v++)
    vec3_copy(start->position + 3 * (size_t)piece->vertex_id[v], position + 3 * (size_t)v);
  st_skins_place_rigid(skins, start->time, position, NULL);
  return st_separation_find(skins, start->time, fixed, position, separation, error);
}

// A single process has all skins already.
static StStatus part_whole(const StSystem *system, const Start *start, StSeparation *separation,
                           StError *error) {
  const StDescription *description = system->description;
  StPiece *piece = NULL;
  StSkins *skins = NULL;
  if (st_runtime_size() == 1 && system->contacts && system->contacts->skins)
    return part_skins(system->contacts->skins, system->piece, start, separation, error);
  ST_TRY(st_piece_create_whole(description, &piece, error));
  StStatus status = st_skins_create(description, piece, &skins, error);
  if (status == ST_OK)
    status = part_skins(skins, piece, start, separation, error);
  st_skins_destroy(skins);
  st_piece_destroy(piece);
  return status;
}

static StStatus share(const StDescription *description, StSeparation *separation, StError *error) {
  size_t bodies = (size_t)description->body_count;
  if (st_runtime_size() == 1)
    return ST_OK;
  StSeparation mine = *separation;
  if (st_runtime_rank() > 0)
    mine = (StSeparation){.shift = ST_NEW(double, 3 * bodies),
                          .blocker = ST_NEW(StParties, bodies),
                          .reach = ST_NEW(double, bodies)};
  *separation = mine;
  bool good = separation->shift && separation->blocker && separation->reach;
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  st_runtime_share(0, separation->shift, 3 * bodies * sizeof(double));
  st_runtime_share(0, separation->reach, bodies * sizeof(double));
  st_runtime_share(0, separation->blocker, bodies * sizeof(StParties));
  st_runtime_share(0, &separation->verdict, sizeof separation->verdict);
  st_runtime_share(0, &separation->worst, sizeof separation->worst);
  return ST_OK;
}

static StStatus part(const StSystem *system, const StGather *gather, const StState *state,
                     bool all_fixed, StSeparation *separation, StError *error) {
  ST_FREE double *whole = NULL;
  ST_TRY(st_gather_vertices(gather, state->position, 3, &whole, error));
  StStatus status = ST_OK;
  if (st_runtime_rank() == 0)
    status = part_whole(system, &(Start){state->time, whole, all_fixed}, separation, error);
  ST_TRY(st_runtime_agree(status, error));
  ST_TRY(share(system->description, separation, error));
  return separation->verdict == ST_SEPARATION_CLEAR
             ? ST_OK
             : refuse(system->description, separation, error);
}

static bool is_needed(const StDescription *description) {
  return st_contact_traits(description->contact_settings.method)->keeps_apart &&
         st_pairs_exist(description);
}

StStatus st_separate_bodies_check(const StSystem *system, const StGather *gather,
                                  const StState *state, StError *error) {
  StSeparation separation = {0};
  if (!is_needed(system->description))
    return ST_OK;
  StStatus status = part(system, gather, state, true, &separation, error);
  st_separation_free(&separation);
  return status;
}

StStatus st_separate_bodies(const StSystem *system, const StGather *gather, StState *state,
                            const StLog *log, StError *error) {
  const StDescription *description = system->description;
  StSeparation separation = {0};
  if (!is_needed(description))
    return ST_OK;
  StStatus status = part(system, gather, state, false, &separation, error);
  if (status == ST_OK) {
    for (int v = 0; v < system->piece->owned_count; v++)
      vec3_add_scaled(1, separation.shift + 3 * (size_t)system->piece->body[v],
                      state->position + 3 * (size_t)v);
    report(description, &separation, log);
  }
  st_separation_free(&separation);
  return status;
}
