// Angular momentum: sums over bodies, then over groups of bodies in contact or joined.
// Tested by tests/verify/test_angular_truth.c.
#include "step/angular.h"

#include "base/memory.h"
#include "contact/core/reading.h"
#include "force/joint.h"
#include "math/inertia.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "solve/runtime.h"
#include "step/tunables.h"

#include <string.h>

// Places are one, or on one line, to this part of their coordinates.
static const double SAME = 1e-9;

// Sums over a body's vertices; all doubles, so that ranks add them up as one array.
typedef struct Sums {
  double mass, held; // held: number of prescribed coordinates
  double after[3];   // centre; first times the mass
  // At the starts of this step and of the last one; centres, first times the mass, and momenta
  // times the weights that the method gives them:
  double centre[2][3], momentum[2][3];
} Sums;

typedef struct Turn {
  double missing[3], inertia[9]; // angular momentum lost, and inertia; both about the centre
  double couple[3];              // N m, of contact forces on both sides, which should be zero
} Turn;

// Velocity that is restored to a body: of its centre, and of its rotation about it.
typedef struct Motion {
  double velocity[3], spin[3];
} Motion;

// The axis about which the world lets bodies turn that joints connect.
typedef struct Pivot {
  int places;   // that the world holds
  bool blocked; // by places that are not on one line
  bool line;
  double at[3], along[3]; // along: of length 1, if there is a line
} Pivot;

// Bodies that act on each other by contact or joints.
typedef struct Group {
  bool held;          // something outside the group acts on it, too
  const Pivot *pivot; // about which alone the group may turn; NULL: none
  int bodies;
  double mass, after[3], centre[2][3];
  double missing[3], inertia[9]; // angular momentum lost, and inertia; about the group's centre
  double spin[3];
} Group;

struct StAngular {
  const StPiece *piece;
  const StStageProblem *stage;
  const StDescription *description;
  int body_count;
  bool *touches;  // [bodies] something
  Pivot *pivot;   // [bodies] at the numbers of bodies that lead groups by joints
  bool *turned;   // [bodies] its rotation is restored already
  int *leader;    // [bodies] of its group: the body with the smallest number
  int *joined;    // [bodies] the same for groups by joints alone
  Sums *sums;     // [bodies]
  Turn *turn;     // [bodies]
  Motion *motion; // [bodies]
  Group *group;   // [bodies] at the numbers of leaders
  StTouchingPairs touching;
  bool any_free; // some group has several bodies and is not held
};

static int find_leader(int *leader, int body) {
  while (leader[body] != body)
    body = leader[body] = leader[leader[body]];
  return body;
}

static void join(int *leader, int a, int b) {
  int first = find_leader(leader, a), second = find_leader(leader, b);
  leader[first > second ? first : second] = first < second ? first : second;
}

static int body_of_end(const StDescription *description, const StJointEnd *end) {
  return end->vertex_count > 0 ? st_description_body_of(description, end->vertex[0]) : -1;
}

// A place that stays where it is.
static void add_place(Pivot *pivot, const double place[3]) {
  double to[3], across[3], same = SAME * (vec3_length(place) + vec3_length(pivot->at));
  vec3_sub(place, pivot->at, to);
  if (pivot->places++ == 0)
    vec3_copy(place, pivot->at);
  else if (vec3_length(to) > same && !pivot->line) {
    pivot->line = true;
    vec3_add_scaled(1 / vec3_length(to), to, pivot->along);
  } else if (pivot->line) {
    vec3_cross(pivot->along, to, across);
    pivot->blocked = pivot->blocked || vec3_length(across) > same;
  }
}

static void add_tie(StAngular *angular, const StJointDesc *joint, int body) {
  const StJointType *type = st_joint_type_find(joint->type.name);
  for (int i = 0; type->ties && i < type->points; i++)
    add_place(&angular->pivot[find_leader(angular->joined, body)], joint->end[1].place[i]);
}

static void add_bearing(StAngular *angular, const StBearingDesc *bearing) {
  Pivot *pivot = &angular->pivot[find_leader(
      angular->joined, st_description_body_of(angular->description, bearing->vertex[0]))];
  double end[3];
  vec3_copy(bearing->centre, end);
  vec3_add_scaled(1, bearing->axis, end);
  add_place(pivot, bearing->centre);
  add_place(pivot, end);
}

static void list_joints(StAngular *angular) {
  const StDescription *description = angular->description;
  for (int b = 0; b < angular->body_count; b++)
    angular->joined[b] = b;
  for (int i = 0; i < description->joint_count; i++) {
    int a = body_of_end(description, &description->joint[i].end[0]);
    int b = body_of_end(description, &description->joint[i].end[1]);
    if (a >= 0 && b >= 0)
      join(angular->joined, a, b);
  }
  for (int i = 0; i < description->joint_count; i++) {
    int body = body_of_end(description, &description->joint[i].end[0]);
    if (body >= 0 && description->joint[i].end[1].vertex_count == 0)
      add_tie(angular, &description->joint[i], body);
  }
  for (int i = 0; i < description->bearing_count; i++)
    if (description->bearing[i].vertex_count > 0)
      add_bearing(angular, &description->bearing[i]);
}

StStatus st_angular_create(const StStageProblem *stage, StAngular **result, StError *error) {
  StAngular *angular = ST_OWNER(StAngular);
  ST_TRY_MEMORY(angular, error);
  int bodies = stage->system->description->body_count;
  angular->piece = stage->system->piece;
  angular->stage = stage;
  angular->description = stage->system->description;
  angular->body_count = bodies;
  angular->touches = ST_OWN(angular, bool, bodies);
  angular->pivot = ST_OWN(angular, Pivot, bodies);
  angular->turned = ST_OWN(angular, bool, bodies);
  angular->leader = ST_OWN(angular, int, bodies);
  angular->joined = ST_OWN(angular, int, bodies);
  angular->sums = ST_OWN(angular, Sums, bodies);
  angular->turn = ST_OWN(angular, Turn, bodies);
  angular->motion = ST_OWN(angular, Motion, bodies);
  angular->group = ST_OWN(angular, Group, bodies);
  ST_TRY(st_owner_give(angular, result, error));
  list_joints(angular);
  return ST_OK;
}

void st_angular_destroy(StAngular *angular) {
  if (!angular)
    return;
  st_touching_pairs_free(&angular->touching);
  st_owner_free(angular);
}

bool st_angular_has_groups(const StAngular *angular) {
  return angular->body_count > 1 && angular->stage->system->contacts;
}

// A start from which the method goes.
typedef struct Known {
  const double *position, *velocity; // [owned][3]
  double weight;
} Known;

static Known known_of(const StAngularStep *step, int k) {
  const StState *state = step->state;
  return k == 0 ? (Known){state->position, state->velocity, step->row->now}
                : (Known){state->position_before, state->velocity_before, step->row->before};
}

static void sum_bodies(StAngular *angular, const StAngularStep *step) {
  const StPiece *piece = angular->piece;
  Sums *sums = angular->sums;
  memset(sums, 0, (size_t)angular->body_count * sizeof *sums);
  for (int v = 0; v < piece->independent_count; v++) {
    Sums *of = &sums[piece->body[v]];
    size_t at = 3 * (size_t)v;
    of->mass += piece->mass[v];
    vec3_add_scaled(piece->mass[v], step->position + at, of->after);
    for (int k = 0; k < 2; k++) {
      Known known = known_of(step, k);
      vec3_add_scaled(piece->mass[v], known.position + at, of->centre[k]);
      vec3_add_scaled(known.weight * piece->mass[v], known.velocity + at, of->momentum[k]);
    }
    for (int c = 0; c < 3; c++)
      of->held += angular->stage->scale[at + (size_t)c] == 0;
  }
  st_runtime_sum_all(sums, angular->body_count * (int)(sizeof(Sums) / sizeof(double)));
  for (int b = 0; b < angular->body_count; b++)
    for (int c = 0; c < 3; c++) {
      sums[b].after[c] /= sums[b].mass;
      sums[b].centre[0][c] /= sums[b].mass;
      sums[b].centre[1][c] /= sums[b].mass;
    }
}

static bool is_free(const Group *group) {
  return !group->held && (group->bodies > 1 || group->pivot);
}

// The pivot of a group that touches nothing else. Backward Euler's chords leave velocities away
// from the axis, which are part of what is lost: with the rotation given back they would be a gain.
static void find_pivot(const StAngular *angular, bool chords, int body, Group *group) {
  const Pivot *pivot = &angular->pivot[find_leader(angular->joined, body)];
  if (pivot->places == 0)
    return;
  group->held = group->held || chords || !pivot->line || pivot->blocked || angular->touches[body];
  group->pivot = pivot;
}

static void join_touching(StAngular *angular) {
  memset(angular->touches, 0, (size_t)angular->body_count * sizeof *angular->touches);
  for (int i = 0; i < angular->touching.count; i++) {
    StPairSides sides = st_pair_sides(angular->description, angular->touching.pair[i]);
    angular->touches[sides.collider] = true;
    if (sides.body >= 0) {
      angular->touches[sides.body] = true;
      join(angular->leader, sides.collider, sides.body);
    }
  }
}

static StStatus find_groups(StAngular *angular, const StAngularStep *step, StError *error) {
  const StContactSet *contacts = step->at ? step->at->contact_set : NULL;
  int bodies = angular->body_count;
  memcpy(angular->leader, angular->joined, (size_t)bodies * sizeof *angular->leader);
  memset(angular->group, 0, (size_t)bodies * sizeof *angular->group);
  angular->touching.count = 0;
  if (contacts)
    ST_TRY(st_touching_pairs_list(&contacts->now, &angular->touching, error));
  join_touching(angular);
  for (int i = 0; i < angular->touching.count; i++) {
    StPairSides sides = st_pair_sides(angular->description, angular->touching.pair[i]);
    if (sides.body < 0)
      angular->group[find_leader(angular->leader, sides.collider)].held = true;
  }
  for (int b = 0; b < bodies; b++) {
    angular->leader[b] = find_leader(angular->leader, b);
    Group *group = &angular->group[angular->leader[b]];
    group->held = group->held || angular->sums[b].held > 0;
    group->bodies++;
    find_pivot(angular, step->row->before == 0, b, group);
  }
  angular->any_free = false;
  for (int g = 0; g < bodies; g++)
    angular->any_free = angular->any_free || is_free(&angular->group[g]);
  return ST_OK;
}

// Adds the angular momentum that a vertex loses: its arm changes in the step, while its momentum is
// that of the start: Σ w m (a − a⁺) × v, with the weights w that the method gives to known momenta.
static void add_missing(const StAngular *angular, const StAngularStep *step, int vertex,
                        const double arm[3], double missing[3]) {
  const Sums *of = &angular->sums[angular->piece->body[vertex]];
  size_t at = 3 * (size_t)vertex;
  for (int k = 0; k < 2; k++) {
    Known known = known_of(step, k);
    double change[3], cross[3];
    vec3_sub(known.position + at, of->centre[k], change);
    vec3_add_scaled(-1, arm, change);
    vec3_cross(change, known.velocity + at, cross);
    vec3_add_scaled(known.weight * angular->piece->mass[vertex], cross, missing);
  }
}

static void sum_turns(StAngular *angular, const StAngularStep *step) {
  const StPiece *piece = angular->piece;
  const StStageProblem *stage = angular->stage;
  for (int f = 0; f < stage->frame_count; f++)
    angular->turned[piece->body[stage->frame[ST_CARRIERS * (size_t)f]]] = step->turning->turned[f];
  for (int v = 0; v < piece->independent_count; v++) {
    int body = piece->body[v];
    Turn *turn = &angular->turn[body];
    double arm[3];
    vec3_sub(step->position + 3 * (size_t)v, angular->sums[body].after, arm);
    inertia_add(piece->mass[v], arm, turn->inertia);
    if (!angular->turned[body])
      add_missing(angular, step, v, arm, turn->missing);
  }
}

// Adds the couple of friction, whose two forces act on surfaces that are the gap apart.
static void add_couple(void *context, const StReading *reading) {
  const StAngular *angular = context;
  StPairSides sides = st_pair_sides(angular->description, reading->pair);
  if (sides.body < 0)
    return;
  for (int s = 0; s < 2; s++)
    vec3_add_scaled(1, reading->torque[s], angular->turn[sides.collider].couple);
}

static StStatus sum_all_turns(StAngular *angular, const StAngularStep *step, StError *error) {
  StStatus status = ST_OK;
  memset(angular->turn, 0, (size_t)angular->body_count * sizeof *angular->turn);
  sum_turns(angular, step);
  if (step->at && angular->any_free)
    status = st_readings_visit(step->at->contact_set, step->at->position, step->at->velocity,
                               add_couple, angular);
  ST_TRY(st_runtime_agree(status == ST_OK ? ST_OK : st_fail_memory(error), error));
  st_runtime_sum_all(angular->turn, angular->body_count * (int)(sizeof(Turn) / sizeof(double)));
  return ST_OK;
}

static void sum_group_centres(StAngular *angular) {
  for (int b = 0; b < angular->body_count; b++) {
    Group *group = &angular->group[angular->leader[b]];
    const Sums *sums = &angular->sums[b];
    group->mass += sums->mass;
    vec3_add_scaled(sums->mass, sums->after, group->after);
    for (int k = 0; k < 2; k++)
      vec3_add_scaled(sums->mass, sums->centre[k], group->centre[k]);
  }
  for (int g = 0; g < angular->body_count; g++) {
    Group *group = &angular->group[g];
    for (int c = 0; c < 3 && group->mass > 0; c++) {
      const double *at = group->pivot ? group->pivot->at : NULL;
      group->after[c] = at ? at[c] : group->after[c] / group->mass;
      group->centre[0][c] = at ? at[c] : group->centre[0][c] / group->mass;
      group->centre[1][c] = at ? at[c] : group->centre[1][c] / group->mass;
    }
  }
}

// Part of a group's rotation that its bodies take part in by turning themselves. On a pivot a group
// turns as a whole.
static double own_turn(const Group *group) {
  return group->pivot ? 1 : st_step_tunables.group_own_turn;
}

// About an axis only the component along it counts.
static void find_group_spin(Group *group) {
  const double *along = group->pivot ? group->pivot->along : NULL;
  double across[3], inertia;
  if (!group->pivot) {
    inertia_spin(group->inertia, group->missing, group->spin);
    return;
  }
  mat3_apply(group->inertia, along, across);
  inertia = vec3_dot(along, across);
  vec3_copy(along, group->spin);
  for (int c = 0; c < 3; c++)
    group->spin[c] *= inertia > 0 ? vec3_dot(along, group->missing) / inertia : 0;
}

static void sum_groups(StAngular *angular, double ah) {
  sum_group_centres(angular);
  for (int b = 0; b < angular->body_count; b++) {
    Group *group = &angular->group[angular->leader[b]];
    const Sums *sums = &angular->sums[b];
    double arm[3], change[3], cross[3];
    vec3_sub(sums->after, group->after, arm);
    for (int k = 0; k < 2; k++) {
      vec3_sub(sums->centre[k], group->centre[k], change);
      vec3_add_scaled(-1, arm, change);
      vec3_cross(change, sums->momentum[k], cross);
      vec3_add_scaled(1, cross, group->missing);
    }
    vec3_add_scaled(-ah, angular->turn[b].couple, group->missing);
    inertia_add(sums->mass, arm, group->inertia);
    for (int k = 0; k < 9; k++)
      group->inertia[k] += own_turn(group) * angular->turn[b].inertia[k];
    if (group->pivot)
      vec3_add_scaled(1, angular->turn[b].missing, group->missing);
  }
  for (int g = 0; g < angular->body_count; g++)
    find_group_spin(&angular->group[g]);
}

static Motion motion_of(const StAngular *angular, int body) {
  const Group *group = &angular->group[angular->leader[body]];
  const Sums *sums = &angular->sums[body];
  Motion motion = {0};
  double arm[3];
  if (sums->held == 0 && !(group->pivot && is_free(group)))
    inertia_spin(angular->turn[body].inertia, angular->turn[body].missing, motion.spin);
  if (is_free(group)) {
    vec3_sub(sums->after, group->after, arm);
    vec3_cross(group->spin, arm, motion.velocity);
    vec3_add_scaled(own_turn(group), group->spin, motion.spin);
  }
  return motion;
}

static void add_motions(const StAngular *angular, const double *position, double *velocity) {
  const StPiece *piece = angular->piece;
  for (int b = 0; b < angular->body_count; b++)
    angular->motion[b] = motion_of(angular, b);
  for (int v = 0; v < piece->independent_count; v++) {
    const Motion *motion = &angular->motion[piece->body[v]];
    double arm[3], cross[3], *of = velocity + 3 * (size_t)v;
    vec3_sub(position + 3 * (size_t)v, angular->sums[piece->body[v]].after, arm);
    vec3_cross(motion->spin, arm, cross);
    vec3_add_scaled(1, motion->velocity, of);
    vec3_add_scaled(1, cross, of);
  }
  st_piece_follow_owned(piece, velocity);
}

StStatus st_angular_restore(StAngular *angular, const StAngularStep *step, double *velocity,
                            StError *error) {
  sum_bodies(angular, step);
  ST_TRY(find_groups(angular, step, error));
  ST_TRY(sum_all_turns(angular, step, error));
  sum_groups(angular, step->row->shift * step->h);
  add_motions(angular, step->position, velocity);
  return ST_OK;
}
