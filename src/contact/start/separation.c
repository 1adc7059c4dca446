// A spot with gap s and normal n between two bodies is open when s + n·(u_a - u_b) reaches the
// target: linear in the shifts u, so Gauss–Seidel over all spots finds them. The search is then
// repeated at the new positions.
#include "contact/start/separation.h"

#include "base/memory.h"
#include "contact/broad_phase/bvh_pairs.h"
#include "contact/broad_phase/candidates.h"
#include "math/vec3.h"
#include "contact/tunables.h"

#include <string.h>

// If there is no room for the desired gap, half of it is tried, and so on.
enum { ROUNDS = 12, SWEEPS = 60, HALVINGS = 10 };

// Gaps below this fraction of the reach are round-off.
static const double NO_GAP = 1e-6;

typedef struct Parting {
  const StSkins *skins;
  const bool *fixed;
  double *position;
  double *start; // [place_count][3] positions before any shift
  double time, share;
  double up[3];
  bool evenly;  // both bodies move, not only the upper one
  double *step; // [bodies][3] since the last search for spots
  StOverlaps *overlaps;
  StSeparation *separation;
} Parting;

static void move(Parting *p, int body, double by, const StOverlapSpot *spot, int other) {
  vec3_add_scaled(by, spot->normal, p->step + 3 * (size_t)body);
  p->separation->blocker[body] = (StParties){body, other, other < 0 ? spot->who.obstacle : -1};
  p->separation->reach[body] = spot->reach;
}

// Moves the upper body, or both by half. False: neither can move.
static bool open_spot(Parting *p, const StOverlapSpot *spot, double by) {
  int a = spot->who.body, b = spot->who.other;
  bool may_a = !p->fixed[a], may_b = b >= 0 && !p->fixed[b];
  double upward = p->evenly ? 0 : vec3_dot(spot->normal, p->up);
  if (!may_a && !may_b)
    return false;
  double part = !may_b                                           ? 1
                : !may_a                                         ? 0
                : upward > st_contact_tunables.separation_upper  ? 1
                : upward < -st_contact_tunables.separation_upper ? 0
                                                                 : 0.5;
  if (part > 0)
    move(p, a, part * by, spot, b);
  if (part < 1)
    move(p, b, (part - 1) * by, spot, a);
  return true;
}

static double shortfall(const Parting *p, const StOverlapSpot *spot) {
  double gap = spot->gap + vec3_dot(spot->normal, p->step + 3 * (size_t)spot->who.body);
  if (spot->who.other >= 0)
    gap -= vec3_dot(spot->normal, p->step + 3 * (size_t)spot->who.other);
  return p->share * spot->reach - gap;
}

// *moved: some spot was not open yet. False: a spot has two sides that cannot move.
static bool sweep_once(Parting *p, bool *moved) {
  *moved = false;
  for (size_t i = 0; i < p->overlaps->count; i++) {
    const StOverlapSpot *spot = &p->overlaps->spot[i];
    double by = shortfall(p, spot);
    if (!(by > st_contact_tunables.separation_enough * p->share * spot->reach))
      continue;
    if (!open_spot(p, spot, by))
      return false;
    *moved = true;
  }
  return true;
}

// False: the spots cannot all be opened, or not within this many sweeps.
static bool sweep(Parting *p, int sweeps) {
  bool moved = true;
  memset(p->step, 0, 3 * (size_t)p->skins->description->body_count * sizeof(double));
  for (int i = 0; i < sweeps && moved; i++)
    if (!sweep_once(p, &moved))
      return false;
  return !moved;
}

// Moving only the upper body can fail, as in an arch, whose stones must move outwards. Moving both
// by half always converges if a solution exists, but slowly.
static bool sweep_spots(Parting *p) {
  int bodies = p->skins->description->body_count;
  double most = st_contact_tunables.separation_work / (double)(p->overlaps->count + 1);
  p->evenly = false;
  if (sweep(p, SWEEPS + 4 * bodies))
    return true;
  p->evenly = true;
  return sweep(p, (int)fmin(SWEEPS + 4.0 * bodies * bodies, most));
}

static void apply(Parting *p) {
  const StSkins *skins = p->skins;
  for (int s = 0; s < skins->skin_count; s++) {
    const StSkin *skin = &skins->skin[s];
    for (int i = skin->first_point; skin->body >= 0 && i < skin->first_point + skin->point_count;
         i++)
      vec3_add_scaled(1, p->step + 3 * (size_t)skin->body,
                      p->position + 3 * (size_t)skins->point_place[i]);
  }
  for (int i = 0; i < 3 * skins->description->body_count; i++)
    p->separation->shift[i] += p->step[i];
}

// Whether `body` should move rather than `other`. upward: its direction, if so.
static bool gives_way(const Parting *p, int body, int other, double upward) {
  return p->fixed[body] != p->fixed[other] ? p->fixed[other]
                                           : upward > st_contact_tunables.separation_upper;
}

// The message names the body that should move.
static StStatus refuse(Parting *p, StSeparationVerdict verdict, const StOverlapSpot *spot) {
  StOverlapSpot *worst = &p->separation->worst;
  int a = spot->who.body, b = spot->who.other;
  p->separation->verdict = verdict;
  *worst = *spot;
  if (b < 0 || a == b || !gives_way(p, b, a, -vec3_dot(spot->normal, p->up)))
    return ST_OK;
  worst->who = (StParties){b, a, -1};
  for (int c = 0; c < 3; c++)
    worst->normal[c] = -spot->normal[c];
  return ST_OK;
}

// The spot with the largest overlap beyond what we correct.
static const StOverlapSpot *find_deepest(const StOverlaps *overlaps) {
  const StOverlapSpot *worst = NULL;
  for (size_t i = 0; i < overlaps->count; i++) {
    const StOverlapSpot *spot = &overlaps->spot[i];
    if (!worst || spot->gap + spot->allowed < worst->gap + worst->allowed)
      worst = spot;
  }
  return worst;
}

static const StOverlapSpot *find_coincident(const StOverlaps *overlaps) {
  for (size_t i = 0; i < overlaps->count; i++)
    if (overlaps->spot[i].coincide)
      return &overlaps->spot[i];
  return NULL;
}

static StStatus look(Parting *p, double deepest, StError *error) {
  return st_overlaps_find(p->overlaps, p->time, p->position, p->share, deepest, error);
}

// Checks the spots; the verdict is clear if nothing is wrong.
static StStatus judge_spots(Parting *p) {
  const StOverlapSpot *spot = find_coincident(p->overlaps);
  if (spot)
    return refuse(p, ST_SEPARATION_COINCIDE, spot);
  spot = find_deepest(p->overlaps);
  return spot && -spot->gap > spot->allowed ? refuse(p, ST_SEPARATION_DEEP, spot) : ST_OK;
}

typedef struct Crossing {
  bool found;
  int edge, triangle;
} Crossing;

static void note_crossing(void *context, int edge, int triangle) {
  Crossing *crossing = context;
  if (!crossing->found)
    *crossing = (Crossing){true, edge, triangle};
}

static void middle_of(const Parting *p, const int *place, int count, double middle[3]) {
  vec3_set(0, 0, 0, middle);
  for (int i = 0; i < count; i++)
    vec3_add_scaled(1.0 / count, p->position + 3 * (size_t)place[i], middle);
}

static bool is_between(const StOverlapSpot *spot, const StParties *who) {
  const StParties *is = &spot->who;
  return is->obstacle == who->obstacle && ((is->body == who->body && is->other == who->other) ||
                                           (is->body == who->other && is->other == who->body));
}

static StParties parties(const StSkins *skins, int a, int b) {
  const StSkin *first = &skins->skin[a], *second = &skins->skin[b];
  return first->body >= 0 ? (StParties){first->body, second->body, second->obstacle}
                          : (StParties){second->body, first->body, first->obstacle};
}

static void go_back(Parting *p) {
  size_t bodies = (size_t)p->skins->description->body_count;
  memcpy(p->position, p->start, 3 * (size_t)p->skins->place_count * sizeof(double));
  memset(p->separation->shift, 0, 3 * bodies * sizeof(double));
}

// Overlap depth of two bodies that pass through each other, searched without limit.
static StStatus refuse_pair(Parting *p, int a, int b, const double at[3], StError *error) {
  StOverlapSpot spot = {.who = parties(p->skins, a, b),
                        .reach = st_skins_reach(p->skins, a, b),
                        .allowed = st_overlaps_allowed(p->overlaps, a, b)};
  vec3_copy(at, spot.at);
  go_back(p);
  ST_TRY(look(p, 1e9, error));
  for (size_t i = 0; i < p->overlaps->count; i++)
    if (is_between(&p->overlaps->spot[i], &spot.who) && p->overlaps->spot[i].gap < spot.gap)
      spot = p->overlaps->spot[i];
  return refuse(p, ST_SEPARATION_DEEP, &spot);
}

static StStatus check_crossing(Parting *p, int a, int b, StError *error) {
  const StSkins *skins = p->skins;
  Crossing crossing = {0};
  StOverlapSpot spot = {.who = {skins->skin[a].body, skins->skin[a].body, -1}};
  if (st_skins_law(skins, a, b) < 0)
    return ST_OK;
  st_skin_crossings(&p->overlaps->tree, p->position, a, b, note_crossing, &crossing);
  if (!crossing.found)
    return ST_OK;
  middle_of(p, skins->triangle_place + 3 * (size_t)crossing.triangle, 3, spot.at);
  return a == b ? refuse(p, ST_SEPARATION_ITSELF, &spot) : refuse_pair(p, a, b, spot.at, error);
}

// Checks the pairs of skins that are near each other in the last search for spots, in order, for
// edges through triangles.
static StStatus check_crossings(Parting *p, StError *error) {
  const StBoxPairs *near = &p->overlaps->near;
  size_t next = 0;
  for (int a = 0; a < p->skins->skin_count; a++) {
    ST_TRY(check_crossing(p, a, a, error));
    for (; p->separation->verdict == ST_SEPARATION_CLEAR && next < near->count &&
           near->pair[next][0] == a;
         next++)
      ST_TRY(check_crossing(p, a, near->pair[next][1], error));
    if (p->separation->verdict != ST_SEPARATION_CLEAR)
      return ST_OK;
  }
  return ST_OK;
}

// Marks all places connected with this one.
static void flood(const StSkins *skins, int place, bool *seen, int *stack) {
  int height = 0;
  stack[height++] = place;
  seen[place] = true;
  while (height > 0) {
    int at = stack[--height];
    for (int k = skins->around[at]; k < skins->around[at + 1]; k++) {
      int next = skins->neighbour[k];
      if (!seen[next])
        stack[height++] = next;
      seen[next] = true;
    }
  }
}

// If no edge crosses, one point of each connected part decides for all of it.
static int find_swallowed(const Parting *p, int a, int b, bool *seen, int *stack) {
  const StSkins *skins = p->skins;
  const StSkin *skin = &skins->skin[a];
  if (!p->overlaps->solid[b] || !st_skins_near(&p->overlaps->tree, a, b, 0))
    return -1;
  for (int i = skin->first_point; i < skin->first_point + skin->point_count; i++)
    seen[skins->point_place[i]] = false;
  for (int i = skin->first_point; i < skin->first_point + skin->point_count; i++) {
    int place = skins->point_place[i];
    if (seen[place])
      continue;
    flood(skins, place, seen, stack);
    if (st_overlaps_inside(p->overlaps, b, p->position + 3 * (size_t)place))
      return place;
  }
  return -1;
}

static StStatus check_swallowed(Parting *p, StError *error) {
  const StSkins *skins = p->skins;
  const StBoxPairs *near = &p->overlaps->near;
  ST_FREE bool *seen = ST_NEW(bool, skins->place_count);
  ST_FREE int *stack = ST_NEW(int, skins->place_count);
  ST_TRY_MEMORY(seen && stack, error);
  for (size_t i = 0; i < 2 * near->count && p->separation->verdict == ST_SEPARATION_CLEAR; i++) {
    int a = near->pair[i / 2][i % 2], b = near->pair[i / 2][1 - i % 2];
    bool may_touch = st_skins_law(skins, a, b) >= 0;
    int place = may_touch ? find_swallowed(p, a, b, seen, stack) : -1;
    if (place >= 0)
      ST_TRY(refuse_pair(p, a, b, p->position + 3 * (size_t)place, error));
  }
  return ST_OK;
}

// Checks the gaps with the candidate lists of contact itself, so self-contact is included.
static StStatus check_gaps(Parting *p, StCandidates *near, StError *error) {
  const StSkins *skins = p->skins;
  ST_TRY(st_candidates_cover(near, p->position, p->position, 0, error));
  for (int kind = 0; kind < ST_CANDIDATE_KINDS; kind++)
    for (int i = 0; i < near->list[kind].count; i++) {
      const int *features = near->list[kind].pair + 2 * (size_t)i;
      StCandidatePair pair = st_candidates_pair(skins, (StCandidateKind)kind, features);
      if (st_candidates_distance(&pair, p->position) > pair.radii + NO_GAP * pair.reach)
        continue;
      int a = skins->point_skin[skins->point[pair.place[0]]];
      int b = skins->point_skin[skins->point[pair.place[pair.count - 1]]];
      StOverlapSpot spot = {.who = parties(skins, a, b), .reach = pair.reach};
      vec3_copy(p->position + 3 * (size_t)pair.place[0], spot.at);
      return refuse(p, a == b ? ST_SEPARATION_ITSELF : ST_SEPARATION_NO_ROOM, &spot);
    }
  return ST_OK;
}

static bool touches_itself(const StSkins *skins) {
  for (int s = 0; s < skins->skin_count; s++)
    if (st_skins_law(skins, s, s) >= 0)
      return true;
  return false;
}

static StStatus verify(Parting *p, StError *error) {
  ST_TRY(check_crossings(p, error));
  if (p->separation->verdict == ST_SEPARATION_CLEAR)
    ST_TRY(check_swallowed(p, error));
  if (p->separation->verdict != ST_SEPARATION_CLEAR)
    return ST_OK;
  if (p->overlaps->near.count == 0 && !touches_itself(p->skins))
    return ST_OK;
  StCandidates *near = NULL;
  st_overlaps_destroy(p->overlaps); // as large as the lists, and no longer needed
  p->overlaps = NULL;
  StStatus status = st_candidates_create(p->skins, &near, error);
  if (status == ST_OK)
    status = check_gaps(p, near, error);
  st_candidates_destroy(near);
  return status;
}

static double least_gap(const StOverlaps *overlaps) {
  double least = INFINITY;
  for (size_t i = 0; i < overlaps->count; i++)
    least = fmin(least, overlaps->spot[i].gap);
  return least;
}

// One attempt to open all gaps to the current share. *open: it succeeded.
static StStatus try_share(Parting *p, bool *open, StError *error) {
  *open = false;
  for (int round = 0; round < ROUNDS && !*open; round++) {
    ST_TRY(look(p, st_contact_tunables.separation_deepest, error));
    ST_TRY(judge_spots(p));
    if (p->separation->verdict != ST_SEPARATION_CLEAR || !sweep_spots(p))
      return ST_OK;
    double most = 0;
    for (int i = 0; i < 3 * p->skins->description->body_count; i++)
      most = fmax(most, fabs(p->step[i]));
    *open = most == 0;
    apply(p);
  }
  // slow convergence is good enough if every gap is open
  if (!*open) {
    ST_TRY(look(p, st_contact_tunables.separation_deepest, error));
    *open = least_gap(p->overlaps) > 0;
  }
  return ST_OK;
}

static StStatus part(Parting *p, StError *error) {
  bool open = false;
  for (int i = 0; i < HALVINGS && !open; i++, p->share /= 2) {
    go_back(p);
    ST_TRY(try_share(p, &open, error));
    if (p->separation->verdict != ST_SEPARATION_CLEAR)
      return ST_OK;
  }
  if (open)
    return verify(p, error);
  go_back(p);
  ST_TRY(look(p, st_contact_tunables.separation_deepest, error));
  if (least_gap(p->overlaps) > 0) // the start has no overlaps, only small gaps
    return verify(p, error);
  const StOverlapSpot *spot = find_deepest(p->overlaps);
  ST_CHECK(spot, error);
  return refuse(p, ST_SEPARATION_NO_ROOM, spot);
}

static void find_up(const StDescription *description, double up[3]) {
  double length = vec3_length(description->gravity);
  for (int c = 0; c < 3; c++)
    up[c] = length > 0 ? -description->gravity[c] / length : 0;
}

StStatus st_separation_find(const StSkins *skins, double time, const bool *fixed, double *position,
                            StSeparation *separation, StError *error) {
  size_t bodies = (size_t)skins->description->body_count, places = (size_t)skins->place_count;
  Parting p = {.skins = skins,
               .fixed = fixed,
               .position = position,
               .time = time,
               .share = ST_SEPARATION_SHARE,
               .separation = separation};
  *separation = (StSeparation){.shift = ST_NEW(double, 3 * bodies),
                               .blocker = ST_NEW(StParties, bodies),
                               .reach = ST_NEW(double, bodies)};
  p.start = ST_NEW(double, 3 * places);
  p.step = ST_NEW(double, 3 * bodies);
  bool good = separation->shift && separation->blocker && separation->reach && p.start && p.step;
  StStatus status = good ? st_overlaps_create(skins, &p.overlaps, error) : st_fail_memory(error);
  if (status == ST_OK) {
    find_up(skins->description, p.up);
    memcpy(p.start, position, 3 * places * sizeof(double));
    status = part(&p, error);
  }
  st_overlaps_destroy(p.overlaps);
  free(p.step);
  free(p.start);
  return status;
}

void st_separation_free(StSeparation *separation) {
  free(separation->shift);
  free(separation->blocker);
  free(separation->reach);
  *separation = (StSeparation){0};
}
