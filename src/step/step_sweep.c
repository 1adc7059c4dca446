// Mean rotations of bodies, and the sweep on all ranks.
// Tested by tests/verify/test_passage_truth.c.
#include "step/step_sweep.h"

#include "base/memory.h"
#include "contact/ccd/sweep.h"
#include "math/eigen.h"
#include "math/vec3.h"
#include "solve/runtime.h"
#include "step/neighbours.h"

#include <string.h>

static const double QUARTER_TURN = 1.5707963267948966;

// Less of a turn is as good as straight.
static const double LEAST_ANGLE = 1e-6;

// Each iteration leaves less than a tenth of the angle that is missing.
enum { MOST_ITERATIONS = 60 };
static const double GOOD_ANGLE = 1e-9;

// Below this part of the largest, sums of masses times squares are none.
static const double ROUNDING = 1e-9;

// Sums over a body's vertices; all doubles, so that ranks add them up as one array.
typedef struct Mean {
  double mass, before[3], after[3]; // times the mass, and then without it
} Mean;

typedef struct Spread {
  double product[9];  // Σ mass · after · beforeᵀ about the centres
  double second[9];   // Σ mass · after · afterᵀ
  double momentum[3]; // angular, at the end
} Spread;

struct StStepSweep {
  const StSystem *system;
  StCcdSweep *sweep;
  Mean *mean;     // [bodies]
  Spread *spread; // [bodies]
  StTurn *turn;   // [bodies]
  double *way[2]; // [vertex_count][3] both ends of a part of the motion
};

StStatus st_step_sweep_create(const StSystem *system, StStepSweep **result, StError *error) {
  *result = NULL;
  if (!st_contacts_keep_apart(system->contacts))
    return ST_OK;
  StStepSweep *sweep = ST_OWNER(StStepSweep);
  ST_TRY_MEMORY(sweep, error);
  int bodies = system->description->body_count;
  size_t local = 3 * (size_t)system->piece->vertex_count;
  sweep->system = system;
  sweep->mean = ST_OWN(sweep, Mean, bodies);
  sweep->spread = ST_OWN(sweep, Spread, bodies);
  sweep->turn = ST_OWN(sweep, StTurn, bodies);
  sweep->way[0] = ST_OWN(sweep, double, local);
  sweep->way[1] = ST_OWN(sweep, double, local);
  ST_TRY(st_owner_give(sweep, result, error));
  return st_ccd_create(system->contacts, system->contact_cache->set, &sweep->sweep, error);
}

void st_step_sweep_destroy(StStepSweep *sweep) {
  if (!sweep)
    return;
  st_ccd_destroy(sweep->sweep);
  st_owner_free(sweep);
}

static void find_means(StStepSweep *sweep, const StStepEnds *ends) {
  const StPiece *piece = sweep->system->piece;
  int bodies = sweep->system->description->body_count;
  memset(sweep->mean, 0, (size_t)bodies * sizeof(Mean));
  for (int v = 0; v < piece->independent_count; v++) {
    Mean *mean = &sweep->mean[piece->body[v]];
    mean->mass += piece->mass[v];
    vec3_add_scaled(piece->mass[v], ends->before + 3 * v, mean->before);
    vec3_add_scaled(piece->mass[v], ends->after + 3 * v, mean->after);
  }
  st_runtime_sum_all(sweep->mean, bodies * (int)(sizeof(Mean) / sizeof(double)));
  for (int b = 0; b < bodies; b++)
    for (int c = 0; c < 3 && sweep->mean[b].mass > 0; c++) {
      sweep->mean[b].before[c] /= sweep->mean[b].mass;
      sweep->mean[b].after[c] /= sweep->mean[b].mass;
    }
}

static void find_spreads(StStepSweep *sweep, const StStepEnds *ends) {
  const StPiece *piece = sweep->system->piece;
  int bodies = sweep->system->description->body_count;
  memset(sweep->spread, 0, (size_t)bodies * sizeof(Spread));
  for (int v = 0; v < piece->independent_count; v++) {
    const Mean *mean = &sweep->mean[piece->body[v]];
    Spread *spread = &sweep->spread[piece->body[v]];
    double a[3], b[3];
    vec3_sub(ends->before + 3 * v, mean->before, a);
    vec3_sub(ends->after + 3 * v, mean->after, b);
    for (int i = 0; i < 9; i++) {
      spread->product[i] += piece->mass[v] * b[i / 3] * a[i % 3];
      spread->second[i] += piece->mass[v] * b[i / 3] * b[i % 3];
    }
    vec3_cross(b, ends->speed + 3 * v, a);
    vec3_add_scaled(piece->mass[v], a, spread->momentum);
  }
  st_runtime_sum_all(sweep->spread, bodies * (int)(sizeof(Spread) / sizeof(double)));
}

// A half turn about some axis leaves no torque either, but the worst fit. If one improves the fit
// of a rotation, applies it.
static void turn_over(const double product[9], const double rotation[9], double q[4]) {
  double fit[9] = {0}, value[3], vector[9], axis[3], cross[3];
  for (int i = 0; i < 9; i++)
    for (int k = 0; k < 3; k++)
      fit[i] += 0.5 * (product[3 * (i / 3) + k] * rotation[3 * (i % 3) + k] +
                       product[3 * (i % 3) + k] * rotation[3 * (i / 3) + k]);
  mat3_eigen(fit, value, vector);
  int best = value[1] > value[0] ? 1 : 0;
  best = value[2] > value[best] ? 2 : best;
  double size = fabs(value[0]) + fabs(value[1]) + fabs(value[2]);
  if (!(value[0] + value[1] + value[2] - value[best] < -ROUNDING * size))
    return;
  for (int c = 0; c < 3; c++)
    axis[c] = vector[3 * c + best];
  vec3_cross(axis, q, cross);
  double along = vec3_dot(axis, q);
  for (int c = 0; c < 3; c++)
    q[c] = q[3] * axis[c] + cross[c];
  q[3] = -along;
}

// The rotation that fits best: iterates to where the torque of the product's columns on its own
// vanishes (Müller, Bender, Chentanez and Macklin 2016). From no rotation, so that a thin body gets
// none about its own axis. q: vector part and scalar part.
static void find_rotation(const double product[9], double q[4]) {
  memcpy(q, (double[]){0, 0, 0, 1}, 4 * sizeof(double));
  for (int i = 0; i < MOST_ITERATIONS; i++) {
    double length = vec3_length(q), axis[3] = {1, 0, 0}, rotation[9], torque[3] = {0}, along = 0;
    for (int c = 0; c < 3 && length > 0; c++)
      axis[c] = q[c] / length;
    mat3_rotation(axis, 2 * atan2(length, q[3]), rotation);
    for (int k = 0; k < 3; k++) {
      double own[3] = {rotation[k], rotation[3 + k], rotation[6 + k]}, cross[3];
      double column[3] = {product[k], product[3 + k], product[6 + k]};
      vec3_cross(own, column, cross);
      vec3_add_scaled(1, cross, torque);
      along += vec3_dot(own, column);
    }
    double pull = vec3_length(torque), angle = pull / fabs(along);
    if (!(pull > 0) || !(angle > GOOD_ANGLE)) {
      turn_over(product, rotation, q);
      return;
    }
    double s = sin(fmin(angle, 1) / 2) / pull, w = cos(fmin(angle, 1) / 2), cross[3];
    double turn[3] = {s * torque[0], s * torque[1], s * torque[2]};
    vec3_cross(turn, q, cross);
    double fourth = w * q[3] - vec3_dot(turn, q);
    for (int c = 0; c < 3; c++)
      q[c] = w * q[c] + q[3] * turn[c] + cross[c];
    q[3] = fourth;
  }
}

static void find_turns(StStepSweep *sweep, const StStepEnds *ends) {
  find_means(sweep, ends);
  find_spreads(sweep, ends);
  for (int b = 0; b < sweep->system->description->body_count; b++) {
    StTurn *turn = &sweep->turn[b];
    double q[4];
    find_rotation(sweep->spread[b].product, q);
    double length = vec3_length(q), sign = q[3] < 0 ? -1 : 1; // the shorter sense
    double angle = 2 * atan2(length, fabs(q[3]));
    *turn = (StTurn){.angle = angle > LEAST_ANGLE ? angle : 0};
    for (int c = 0; c < 3 && turn->angle > 0; c++)
      turn->axis[c] = sign * q[c] / length;
    vec3_copy(sweep->mean[b].before, turn->centre);
    vec3_sub(sweep->mean[b].after, sweep->mean[b].before, turn->shift);
  }
}

// Straight ways between the ends of a step have no angular momentum where a body turns by half a
// turn, and the less, the more it turns by over a quarter. So a step has solutions in which a body
// at rest, or one that turns slowly, turns over and is as slow again. Returns such a body; -1:
// none. A body that turns so fast keeps at least half of the angular momentum that it needs for
// that.
static int find_turned_over(const StStepSweep *sweep, double span) {
  for (int b = 0; b < sweep->system->description->body_count; b++) {
    const StTurn *turn = &sweep->turn[b];
    const Spread *spread = &sweep->spread[b];
    double image[3], all = spread->second[0] + spread->second[4] + spread->second[8];
    if (!(turn->angle > QUARTER_TURN))
      continue;
    mat3_apply(spread->second, turn->axis, image);
    double inertia = all - vec3_dot(turn->axis, image);
    if (inertia > ROUNDING * all &&
        fabs(vec3_dot(turn->axis, spread->momentum)) * span < 0.5 * turn->angle * inertia)
      return b;
  }
  return -1;
}

// Bodies that turn leave the boxes around both ends of their motion. Ghosts that become known have
// had no positions so far.
static void know_part(StStepSweep *sweep, const StStepEnds *ends, const StCcdMotion *motion,
                      double from, double to) {
  const StSystem *system = sweep->system;
  int owned = system->piece->owned_count;
  st_ccd_place(sweep->sweep, motion, from, 0, owned, sweep->way[0]);
  st_ccd_place(sweep->sweep, motion, to, 0, owned, sweep->way[1]);
  if (!st_neighbours_cover(system, (const double *[]){sweep->way[0], sweep->way[1]}, 2))
    return;
  st_exchange_forward(system->exchange, ends->before);
  st_exchange_forward(system->exchange, ends->after);
  st_exchange_forward(system->exchange, ends->speed);
}

static StStatus follow(StStepSweep *sweep, const StStepEnds *ends, const StCcdMotion *motion,
                       StPassage *passage) {
  int parts = st_ccd_parts(sweep->sweep, motion);
  StStatus status = ST_OK;
  st_ccd_begin(sweep->sweep);
  for (int i = 0; i < parts; i++) {
    double from = (double)i / parts, to = (double)(i + 1) / parts;
    if (parts > 1 && sweep->system->neighbours)
      know_part(sweep, ends, motion, from, to);
    if (status == ST_OK)
      status = st_ccd_follow(sweep->sweep, motion, from, to);
  }
  return status == ST_OK ? st_ccd_decide(sweep->sweep, motion, passage) : status;
}

// The finding of the lowest rank that has one, with numbers of the description.
static void agree(const StPiece *piece, StPassage *passage) {
  int lowest = st_runtime_least(passage->found ? st_runtime_rank() : st_runtime_size());
  if (passage->found)
    passage->vertex = piece->vertex_id[passage->vertex];
  if (lowest < st_runtime_size())
    st_runtime_share(lowest, passage, sizeof *passage);
}

static void describe(const StDescription *description, const StPassage *passage, StError *why) {
  char vertex[160], other[140];
  st_description_name_vertex(description, passage->vertex, vertex, sizeof vertex);
  st_description_name_party(description, passage->body, passage->obstacle, other, sizeof other);
  st_fail(why, ST_NOT_SOLVED, "%s passed through %s", vertex, other);
}

StStatus st_step_sweep_look(StStepSweep *sweep, const StStepEnds *ends, bool rings, bool *passed,
                            StError *why, StError *error) {
  *passed = false;
  if (!sweep)
    return ST_OK;
  StPassage passage = {0};
  StCcdMotion motion = {.start = ends->start,
                        .end = ends->end,
                        .before = ends->before,
                        .after = ends->after,
                        .turn = sweep->turn};
  find_turns(sweep, ends);
  int over = rings ? -1 : find_turned_over(sweep, ends->end - ends->start);
  if (over >= 0) {
    *passed = true;
    st_fail(why, ST_NOT_SOLVED, "body \"%.60s\" turned over within a step",
            sweep->system->description->body[over].name);
    return ST_OK;
  }
  StStatus status = follow(sweep, ends, &motion, &passage);
  if (status == ST_SYSTEM_FAULT)
    st_fail_memory(error);
  else if (status == ST_NOT_SOLVED)
    st_fail(error, status, "too many features are near each other on the way of the step");
  ST_TRY(st_runtime_agree(status, error));
  agree(sweep->system->piece, &passage);
  *passed = passage.found;
  if (passage.found)
    describe(sweep->system->description, &passage, why);
  return ST_OK;
}
