// A crossing of two features is a passage unless the features slide. The paths followed are chords,
// which cut corners: a vertex that slides around a sphere or an edge is in contact at both ends,
// and its straight path leads through the body, at every step size: the depth of the cut falls with
// the square of the step, but gaps may be arbitrarily small. Features that slide are pressed
// against each other meanwhile; features that pass through each other are not. So the features
// slide if
// - they have contacts at both ends, and the direction of a contact turns by less than 120°: they
// went around an edge, not to the other side; and they move into the surface of the contact at the
// start, or out of the one at the end, by less than their own size: the path cuts no more than a
// corner;
// - they have contacts at one end only, and move into the surface, or out of it, by less than their
// own size and less than 30° from its plane: no force acts at the other end; and the direction
// between the features at the other end differs by less than 150° from that of the contact: it is
// not the other side.
// Without contacts at either end, a crossing is a passage. Contacts are those of the same two
// skins, of the features or of others that share a vertex with them; in a corner or between layers
// there are several.
#include "contact/ccd/sweep.h"

#include "base/memory.h"
#include "contact/core/closest_features.h"
#include "contact/core/rest_distance.h"
#include "math/vec3.h"
#include "contact/tunables.h"

#include <string.h>

enum { MOST_PARTS = 4096 };

// -cos 150°: an edge that goes around another one has no contact at the other end and is seen from
// nearly opposite directions.
static const double TURNED = 0.866;

// Fraction of a path below which paths with too many candidate pairs are not shortened any more.
static const double LEAST_WAY = 1e-6;

// Contact normals at one end of the step that differ by 25° or more. Six are as many as a corner
// between three layers has.
enum { MOST_NORMALS = 6 };

typedef struct EndContacts {
  int count;
  double normal[MOST_NORMALS][3]; // from the second feature to the first
} EndContacts;

typedef struct Event {
  StCandidatePair pair;
  EndContacts at[2]; // start and end
} Event;

struct StCcdSweep {
  const StContacts *contacts;
  StContactSet *set;
  StCrossingList crossings;
  double *from, *to, *next; // [place_count][3]
  int event_count;
  Event *event; // [event_count]
  size_t event_capacity;
  int *first,
      *entry; // events at each place, two entries per crossing of a place: [place_count + 1]
  size_t entry_capacity;
};

StStatus st_ccd_create(const StContacts *contacts, StContactSet *set, StCcdSweep **result,
                       StError *error) {
  StCcdSweep *sweep = ST_OWNER(StCcdSweep);
  ST_TRY_MEMORY(sweep, error);
  size_t places = (size_t)contacts->skins->place_count;
  sweep->contacts = contacts;
  sweep->set = set;
  sweep->from = ST_OWN(sweep, double, 3 * places);
  sweep->to = ST_OWN(sweep, double, 3 * places);
  sweep->next = ST_OWN(sweep, double, 3 * places);
  sweep->first = ST_OWN(sweep, int, places + 1);
  return st_owner_give(sweep, result, error);
}

void st_ccd_destroy(StCcdSweep *sweep) {
  if (!sweep)
    return;
  free(sweep->crossings.crossing);
  free(sweep->event);
  free(sweep->entry);
  st_owner_free(sweep);
}

static double obstacle_angle(const StObstacleDesc *obstacle, const StCcdMotion *motion) {
  const double time[2] = {motion->start, motion->end};
  double most = 0;
  if (!st_motion_moves(&obstacle->motion))
    return 0;
  for (int i = 0; i < 2; i++) {
    StRigidPose pose;
    st_motion_pose(&obstacle->motion, time[i], &pose);
    most = fmax(most, vec3_length(pose.spin) * (motion->end - motion->start));
  }
  return most;
}

int st_ccd_parts(const StCcdSweep *sweep, const StCcdMotion *motion) {
  const StDescription *description = sweep->contacts->description;
  double angle = 0;
  for (int b = 0; b < description->body_count && motion->turn; b++)
    angle = fmax(angle, fabs(motion->turn[b].angle));
  for (int o = 0; o < description->obstacle_count; o++)
    angle = fmax(angle, obstacle_angle(&description->obstacle[o], motion));
  return (int)fmax(fmin(ceil(angle / st_contact_tunables.sweep_angle), MOST_PARTS), 1);
}

// A body's frame at a fraction of the motion, and the rotation back from its frame at the end.
typedef struct Frame {
  const StTurn *turn;
  double share, rotation[9], back[9];
} Frame;

static void make_frame(const StTurn *turn, double share, Frame *frame) {
  frame->turn = turn;
  frame->share = share;
  mat3_rotation(turn->axis, share * turn->angle, frame->rotation);
  mat3_rotation(turn->axis, -turn->angle, frame->back);
}

// c(s) + R(s) ((1 - s) X₀ + s X₁), X: in the body's frame.
static void place_in_frame(const Frame *frame, const double a[3], const double b[3],
                           double out[3]) {
  double arm[3], last[3], own[3];
  vec3_sub(b, frame->turn->centre, arm);
  vec3_add_scaled(-1, frame->turn->shift, arm);
  mat3_apply(frame->back, arm, last);
  vec3_sub(a, frame->turn->centre, arm);
  for (int c = 0; c < 3; c++)
    own[c] = arm[c] + frame->share * (last[c] - arm[c]);
  mat3_apply(frame->rotation, own, out);
  vec3_add_scaled(1, frame->turn->centre, out);
  vec3_add_scaled(frame->share, frame->turn->shift, out);
}

void st_ccd_place(const StCcdSweep *sweep, const StCcdMotion *motion, double share, int first,
                  int end, double *position) {
  const int *body = sweep->contacts->piece->body;
  Frame frame = {0};
  for (int v = first; v < end; v++) {
    size_t at = 3 * (size_t)v;
    const double *a = motion->before + at, *b = motion->after + at;
    const StTurn *turn = motion->turn ? &motion->turn[body[v]] : NULL;
    if (share == 0 || share == 1) {
      vec3_copy(share == 0 ? a : b, position + at);
    } else if (!turn || turn->angle == 0) {
      for (int c = 0; c < 3; c++)
        position[at + (size_t)c] = a[c] + share * (b[c] - a[c]);
    } else {
      if (frame.turn != turn)
        make_frame(turn, share, &frame);
      place_in_frame(&frame, a, b, position + at);
    }
  }
}

static void place_all(const StCcdSweep *sweep, const StCcdMotion *motion, double share,
                      double *position) {
  const StSkins *skins = sweep->contacts->skins;
  double time = motion->start + share * (motion->end - motion->start);
  st_ccd_place(sweep, motion, share, 0, skins->vertex_count, position);
  st_skins_place_rigid(skins, share == 1 ? motion->end : time, position, NULL);
}

void st_ccd_begin(StCcdSweep *sweep) {
  sweep->crossings.count = 0;
}

// If the path has too many candidate pairs, covers a shorter one: from → next instead of from → to.
static StStatus cover(StCcdSweep *sweep, StCandidates *candidates, double slack, double way,
                      double *part) {
  size_t size = 3 * (size_t)sweep->contacts->skins->place_count;
  StStatus status = st_candidates_cover(candidates, sweep->from, sweep->to, slack, NULL);
  *part = 1;
  memcpy(sweep->next, sweep->to, size * sizeof(double));
  while (status == ST_NOT_SOLVED && *part * way > LEAST_WAY) {
    *part /= 2;
    for (size_t i = 0; i < size; i++)
      sweep->next[i] = sweep->from[i] + *part * (sweep->to[i] - sweep->from[i]);
    status = st_candidates_cover(candidates, sweep->from, sweep->next, slack, NULL);
  }
  return status;
}

StStatus st_ccd_follow(StCcdSweep *sweep, const StCcdMotion *motion, double from, double to) {
  double slack, way = to - from;
  StCandidates *candidates = st_contacts_candidates(sweep->set, &slack);
  place_all(sweep, motion, from, sweep->from);
  place_all(sweep, motion, to, sweep->to);
  while (way > 0) {
    double part;
    ST_TRY(cover(sweep, candidates, slack, way, &part));
    if (!st_advance_crossings(candidates, sweep->from, sweep->next, &sweep->crossings))
      return ST_SYSTEM_FAULT;
    double *reached = sweep->next;
    sweep->next = sweep->from;
    sweep->from = reached;
    way = part < 1 ? way * (1 - part) : 0;
  }
  return ST_OK;
}

// Makes one event of each crossing. A crossing may have been found in several parts.
static bool make_events(StCcdSweep *sweep) {
  const StSkins *skins = sweep->contacts->skins;
  size_t count = (size_t)sweep->crossings.count;
  sweep->event_count = 0;
  if (!ST_GROW(sweep->event, sweep->event_capacity, count) ||
      !ST_GROW(sweep->entry, sweep->entry_capacity, 4 * count))
    return false;
  for (size_t i = 0; i < count; i++) {
    const StCrossing *crossing = &sweep->crossings.crossing[i];
    Event *event = &sweep->event[sweep->event_count++];
    event->pair = st_candidates_pair(skins, crossing->kind, crossing->feature);
    event->at[0].count = event->at[1].count = 0;
  }
  return true;
}

// Lists the events at each place.
static void list_events(StCcdSweep *sweep) {
  int places = sweep->contacts->skins->place_count;
  memset(sweep->first, 0, (size_t)(places + 1) * sizeof(int));
  for (int e = 0; e < sweep->event_count; e++)
    for (int i = 0; i < sweep->event[e].pair.count; i++)
      sweep->first[sweep->event[e].pair.place[i] + 1]++;
  for (int p = 0; p < places; p++)
    sweep->first[p + 1] += sweep->first[p];
  for (int e = 0; e < sweep->event_count; e++)
    for (int i = 0; i < sweep->event[e].pair.count; i++)
      sweep->entry[sweep->first[sweep->event[e].pair.place[i]]++] = e;
  for (int p = places; p > 0; p--)
    sweep->first[p] = sweep->first[p - 1];
  sweep->first[0] = 0;
}

static int side_of(const StCandidatePair *pair, int place) {
  for (int i = 0; i < pair->count; i++)
    if (pair->place[i] == place)
      return i >= pair->first_count;
  return -1;
}

// Vector from the nearest point of the second feature to that of the first.
static void span(const StCandidatePair *pair, const double *position, double out[3]) {
  double x[4][3], weight[4] = {1, -1, 0, 0}, param[2], square;
  StClosest closest = {.share = {1, 0, 0}};
  for (int i = 0; i < pair->count; i++)
    vec3_copy(position + 3 * (size_t)pair->place[i], x[i]);
  if (pair->first_count == 2) {
    st_primitive_edge_edge(x, param, &square);
    const double edges[4] = {1 - param[0], param[0], param[1] - 1, -param[1]};
    memcpy(weight, edges, sizeof weight);
  } else {
    if (pair->count == 4)
      st_primitive_point_triangle(x, &closest);
    else if (pair->count == 3)
      st_primitive_point_edge(x, &closest);
    for (int i = 1; i < 4; i++)
      weight[i] = -closest.share[i - 1];
  }
  vec3_set(0, 0, 0, out);
  for (int i = 0; i < pair->count; i++)
    vec3_add_scaled(weight[i], x[i], out);
}

static void note_normal(EndContacts *contacts, double sign, const double normal[3]) {
  if (contacts->count == MOST_NORMALS)
    return;
  for (int i = 0; i < contacts->count; i++)
    if (sign * vec3_dot(contacts->normal[i], normal) > st_contact_tunables.same_direction)
      return;
  double *out = contacts->normal[contacts->count++];
  for (int c = 0; c < 3; c++)
    out[c] = sign * normal[c];
}

// Adds the normal of a contact at this place to every crossing there of the same two skins. The
// place of a round obstacle is not on its surface.
static void note_normal_at(StCcdSweep *sweep, const StCandidatePair *contact, int index, int end,
                           const double normal[3]) {
  int place = contact->place[index], side = index >= contact->first_count;
  if (sweep->contacts->skins->skin[contact->skin[side]].radius > 0)
    return;
  for (int i = sweep->first[place]; i < sweep->first[place + 1]; i++) {
    Event *event = &sweep->event[sweep->entry[i]];
    int own = side_of(&event->pair, place);
    if (event->pair.skin[own] == contact->skin[side] &&
        event->pair.skin[1 - own] == contact->skin[1 - side])
      note_normal(&event->at[end], own == side ? 1 : -1, normal);
  }
}

static void report_contact(StCcdSweep *sweep, StCandidatePair *contact, int end,
                           const double *position) {
  double normal[3];
  int count = 0;
  for (int i = 0; i < contact->count; i++)
    count += sweep->first[contact->place[i] + 1] - sweep->first[contact->place[i]];
  if (count == 0)
    return;
  span(contact, position, normal);
  double distance = vec3_length(normal), gap = distance - contact->radii;
  if (!(gap < contact->reach) || !(distance > 0))
    return;
  if (contact->same && !(gap < st_resting_reach(sweep->contacts->skins, contact, contact->reach)))
    return;
  for (int c = 0; c < 3; c++)
    normal[c] /= distance;
  for (int i = 0; i < contact->count; i++)
    note_normal_at(sweep, contact, i, end, normal);
}

// Finds the contacts at an end of the step.
static StStatus find_pairs_in_contact(StCcdSweep *sweep, int end, const double *position) {
  double slack;
  StCandidates *candidates = st_contacts_candidates(sweep->set, &slack);
  ST_TRY(st_candidates_cover(candidates, position, position, slack, NULL));
  for (int kind = 0; kind < ST_CANDIDATE_KINDS; kind++)
    for (int i = 0; i < candidates->list[kind].count; i++) {
      StCandidatePair pair = st_candidates_pair(candidates->skins, (StCandidateKind)kind,
                                                candidates->list[kind].pair + 2 * (size_t)i);
      report_contact(sweep, &pair, end, position);
    }
  return ST_OK;
}

// Motion of the first feature relative to the second over the step.
static void find_way(const StCcdSweep *sweep, const StCandidatePair *pair, double way[3]) {
  vec3_set(0, 0, 0, way);
  for (int i = 0; i < pair->count; i++) {
    bool second = i >= pair->first_count;
    double weight = second ? -1.0 / (pair->count - pair->first_count) : 1.0 / pair->first_count;
    vec3_add_scaled(weight, sweep->to + 3 * (size_t)pair->place[i], way);
    vec3_add_scaled(-weight, sweep->from + 3 * (size_t)pair->place[i], way);
  }
}

// Size of the smaller feature: the longest edge of one with several places, or a radius.
static double size_of(const StCcdSweep *sweep, const StCandidatePair *pair) {
  double size[2];
  for (int side = 0; side < 2; side++) {
    int first = side ? pair->first_count : 0, end = side ? pair->count : pair->first_count;
    double radius = sweep->contacts->skins->skin[pair->skin[side]].radius;
    size[side] = radius > 0 ? radius : end - first > 1 ? 0 : INFINITY;
    for (int i = first; i < end && radius == 0; i++)
      for (int k = first; k < i; k++) {
        double edge[3];
        vec3_sub(sweep->from + 3 * (size_t)pair->place[i], sweep->from + 3 * (size_t)pair->place[k],
                 edge);
        size[side] = fmax(size[side], vec3_length(edge));
      }
  }
  return fmin(size[0], size[1]);
}

// How far a motion leads into the surface of a contact at the start, or out of that of a contact at
// the end.
static double depth(const double way[3], const EndContacts *contacts, int index, int end) {
  double along = vec3_dot(way, contacts->normal[index]);
  return end ? along : -along;
}

static bool slides_on(const Event *event, const double way[3], double size) {
  const EndContacts *first = &event->at[0], *last = &event->at[1];
  for (int i = 0; i < first->count; i++)
    for (int k = 0; k < last->count; k++)
      if (vec3_dot(first->normal[i], last->normal[k]) > -st_contact_tunables.sweep_steep &&
          fmin(depth(way, first, i, 0), depth(way, last, k, 1)) < size)
        return true;
  return false;
}

// Whether the features are, at the other end of the step, on the far side of a contact at this end.
static bool is_beyond(const StCcdSweep *sweep, const Event *event, int end, int index) {
  double apart[3];
  span(&event->pair, end ? sweep->from : sweep->to, apart);
  return vec3_dot(apart, event->at[end].normal[index]) < -TURNED * vec3_length(apart);
}

static bool slides(const StCcdSweep *sweep, const Event *event) {
  double way[3], size = size_of(sweep, &event->pair);
  int end = event->at[0].count > 0 ? 0 : 1;
  find_way(sweep, &event->pair, way);
  if (event->at[0].count > 0 && event->at[1].count > 0)
    return slides_on(event, way, size);
  for (int i = 0; i < event->at[end].count; i++)
    if (depth(way, &event->at[end], i, end) <
            fmin(size, st_contact_tunables.sweep_steep * vec3_length(way)) &&
        !is_beyond(sweep, event, end, i))
      return true;
  return false;
}

static void describe(const StCcdSweep *sweep, const StCandidatePair *pair, StPassage *passage) {
  const StSkins *skins = sweep->contacts->skins;
  int own = pair->place[0] < skins->vertex_count ? 0 : 1;
  const StSkin *other = &skins->skin[pair->skin[1 - own]];
  *passage = (StPassage){.found = true,
                         .vertex = pair->place[own ? pair->first_count : 0],
                         .body = other->body,
                         .obstacle = other->obstacle};
}

StStatus st_ccd_decide(StCcdSweep *sweep, const StCcdMotion *motion, StPassage *passage) {
  *passage = (StPassage){.vertex = -1, .body = -1, .obstacle = -1};
  if (sweep->crossings.count == 0)
    return ST_OK;
  if (!make_events(sweep))
    return ST_SYSTEM_FAULT;
  list_events(sweep);
  place_all(sweep, motion, 0, sweep->from);
  place_all(sweep, motion, 1, sweep->to);
  ST_TRY(find_pairs_in_contact(sweep, 0, sweep->from));
  ST_TRY(find_pairs_in_contact(sweep, 1, sweep->to));
  for (int e = 0; e < sweep->event_count && !passage->found; e++)
    if (!slides(sweep, &sweep->event[e]))
      describe(sweep, &sweep->event[e].pair, passage);
  return ST_OK;
}
