// Random pairs of primitives: plain ones, close ones, slivers, edges that are nearly parallel or
// closest at their ends, far from the origin.
#ifndef TESTS_SUPPORT_PRIMITIVE_SAMPLE_H
#define TESTS_SUPPORT_PRIMITIVE_SAMPLE_H

#include "contact/core/primitive_jacobian.h"
#include "contact/core/primitive_gap.h"
#include "math/vec3.h"
#include "support/random.h"

#include <stddef.h>

typedef enum SampleWay {
  SAMPLE_PLAIN,    // gaps of 0.02 to 0.3 edges
  SAMPLE_CLOSE,    // a gap of 1e-6 edges
  SAMPLE_SLIVER,   // triangles of height 1e-3, short edges of length 1e-3, gaps to suit
  SAMPLE_PARALLEL, // edges inside the mollifier; triangles and the rest: as plain
  SAMPLE_END,      // the nearest point is an end of one edge, or of both
  SAMPLE_BOTH,     // parallel and closest at an end
  SAMPLE_FAR,      // plain, 1000 edges from the origin
  SAMPLE_WAYS
} SampleWay;

typedef struct Sample {
  StPrimitive primitive;
  double x[12];
  double distance; // that the pair was made with
  double detail;   // the shortest length that derivatives notice
  double strain;   // how many times over the pair's shape magnifies round-off
  double size;     // of coordinates
} Sample;

static inline void sample_unit(uint64_t *state, double out[3]) {
  double length;
  do {
    random_fill(state, -1, 1, 3, out);
    length = vec3_length(out);
  } while (length > 1 || length < 0.1);
  for (int i = 0; i < 3; i++)
    out[i] /= length;
}

// A random unit vector and two across it.
static inline void sample_frame(uint64_t *state, double a[3], double b[3], double n[3]) {
  double other[3], length;
  sample_unit(state, a);
  do {
    sample_unit(state, other);
    vec3_cross(a, other, n);
    length = vec3_length(n);
  } while (length < 0.3);
  for (int i = 0; i < 3; i++)
    n[i] /= length;
  vec3_cross(n, a, b);
}

static inline double sample_gap(uint64_t *state, SampleWay way) {
  double gap = random_between(state, 0.02, 0.3);
  return way == SAMPLE_CLOSE ? 1e-6 : way == SAMPLE_SLIVER ? 1e-3 * gap : gap;
}

static inline void sample_point(uint64_t *state, SampleWay way, Sample *sample) {
  double n[3];
  sample_unit(state, n);
  sample->distance = sample_gap(state, way);
  sample->detail = sample->distance, sample->strain = 1 / sample->distance;
  random_fill(state, -1, 1, 3, sample->x + 3);
  for (int i = 0; i < 3; i++)
    sample->x[i] = sample->x[3 + i] + sample->distance * n[i];
}

static inline void sample_edge(uint64_t *state, SampleWay way, Sample *sample) {
  double u[3], v[3], n[3], t = random_between(state, 0.05, 0.95);
  double length = way == SAMPLE_SLIVER ? 1e-3 : random_between(state, 0.3, 1.5), *x = sample->x;
  sample_frame(state, u, v, n);
  sample->distance = sample_gap(state, way);
  sample->detail = fmin(sample->distance, length), sample->strain = 1 / sample->detail;
  random_fill(state, -1, 1, 3, x + 3);
  for (int i = 0; i < 3; i++) {
    x[6 + i] = x[3 + i] + length * u[i];
    x[i] = x[3 + i] + t * length * u[i] + sample->distance * n[i];
  }
}

static inline void sample_triangle(uint64_t *state, SampleWay way, Sample *sample) {
  double u[3], v[3], n[3], share[3], sum = 0, *x = sample->x;
  double length = random_between(state, 0.5, 1.5), foot = random_between(state, -0.3, 1.3);
  double height = way == SAMPLE_SLIVER ? 1e-3 : random_between(state, 0.3, 1.2);
  sample_frame(state, u, v, n);
  for (int k = 0; k < 3; k++)
    sum += share[k] = random_between(state, 0.05, 1);
  sample->distance = sample_gap(state, way);
  sample->detail = fmin(sample->distance, height), sample->strain = 4 / height;
  random_fill(state, -1, 1, 3, x + 3);
  int turn = (int)random_between(state, 0, 3); // which corner is opposite the base
  double corner[3][3];
  for (int i = 0; i < 3; i++) {
    corner[turn][i] = x[3 + i];
    corner[(turn + 1) % 3][i] = x[3 + i] + length * u[i];
    corner[(turn + 2) % 3][i] = x[3 + i] + foot * length * u[i] + height * v[i];
  }
  for (int i = 0; i < 3; i++) {
    x[i] = sample->distance * n[i];
    for (int k = 0; k < 3; k++) {
      x[3 + 3 * k + i] = corner[k][i];
      x[i] += share[k] / sum * corner[k][i];
    }
  }
}

static inline void sample_edges(uint64_t *state, SampleWay way, Sample *sample) {
  double u[3], v[3], n[3], other[3], *x = sample->x;
  double a = random_between(state, 0.5, 1.5), s = random_between(state, 0.02, 0.98);
  double b = way == SAMPLE_SLIVER ? 1e-3 : random_between(state, 0.5, 1.5);
  double t = random_between(state, 0.02, 0.98), sine = random_between(state, 0.2, 1);
  if (way == SAMPLE_PARALLEL)
    sine = sqrt(1e-3 * random_between(state, 0.05, 0.9));
  sample_frame(state, u, v, n);
  sample->distance = sample_gap(state, way);
  sample->detail = fmin(sample->distance, 0.1 * sine * sine * b); // the fade's end is near
  sample->strain = 4 / (sine * b);
  sample->primitive.rest_square = a * a * b * b;
  random_fill(state, -1, 1, 3, x);
  for (int i = 0; i < 3; i++) {
    other[i] = sqrt(1 - sine * sine) * u[i] + sine * v[i];
    x[3 + i] = x[i] + a * u[i];
    x[6 + i] = x[i] + s * a * u[i] - t * b * other[i] - sample->distance * n[i];
    x[9 + i] = x[6 + i] + b * other[i];
  }
}

// An edge x_6 x_9 along u, and one that leaves the nearest point's end at a distance along m,
// sideways from the first edge or beyond its end, in a direction that leads away from it.
static inline void sample_ends(uint64_t *state, SampleWay way, Sample *sample) {
  double u[3], side[3], m[3], away[3], *x = sample->x;
  double a = random_between(state, 0.5, 1.5), b = random_between(state, 0.5, 1.5);
  double sine = random_between(state, 0.3, 1), turn = random_between(state, -1.2, 1.2);
  if (way == SAMPLE_BOTH)
    sine = sqrt(1e-3 * random_between(state, 0.05, 0.9));
  bool far_end = random_between(state, 0, 1) < 0.5, both = random_between(state, 0, 1) < 0.3;
  double t = both ? 1 : random_between(state, 0.05, 0.95), lean = both ? sqrt(0.5) : 0;
  sample_frame(state, u, side, m);
  sample->distance = sample_gap(state, way);
  sample->detail = fmin(sample->distance, 0.1 * sine * sine * b);
  sample->strain = 4 / (sine * b);
  sample->primitive.rest_square = a * a * b * b;
  int near = far_end ? 3 : 0;
  random_fill(state, -1, 1, 3, x + 6);
  for (int i = 0; i < 3; i++) {
    double across = cos(turn) * m[i] + sin(turn) * side[i];
    away[i] = sqrt(1 - sine * sine) * u[i] + sine * across;
    x[9 + i] = x[6 + i] + b * u[i];
    x[near + i] =
        x[6 + i] + t * b * u[i] + sample->distance * (sqrt(1 - lean * lean) * m[i] + lean * u[i]);
    x[3 - near + i] = x[near + i] + a * away[i];
  }
  sample->primitive.stop[0] = far_end ? ST_EDGE_SECOND : ST_EDGE_FIRST;
  sample->primitive.stop[1] = both ? ST_EDGE_SECOND : ST_EDGE_INSIDE;
  if (random_between(state, 0, 1) < 0.5)
    return;
  StEdgeStop stop = sample->primitive.stop[0];
  sample->primitive.stop[0] = sample->primitive.stop[1], sample->primitive.stop[1] = stop;
  for (int i = 0; i < 6; i++) {
    double swap = x[i];
    x[i] = x[6 + i], x[6 + i] = swap;
  }
}

static inline Sample sample_make(uint64_t *state, StPrimitiveKind kind, SampleWay way) {
  static void (*const make[])(uint64_t *, SampleWay, Sample *) = {sample_point, sample_edge,
                                                                  sample_triangle, sample_edges};
  Sample sample = {.primitive = {.kind = kind}, .size = 1};
  if (kind == ST_EDGE_EDGE && (way == SAMPLE_END || way == SAMPLE_BOTH))
    sample_ends(state, way, &sample);
  else
    make[kind](state, way, &sample);
  if (way != SAMPLE_FAR)
    return sample;
  double far[3];
  sample_unit(state, far);
  for (int i = 0; i < 12; i++)
    sample.x[i] += 1000 * far[i % 3];
  sample.size = 1000;
  return sample;
}

static inline StContactLaw sample_law(const StContactLaw *law, const StFrictionLaw *friction) {
  StContactLaw rough = *law;
  rough.friction = friction;
  return rough;
}

static inline StNormalState sample_normal_state(const StContactLaw *law,
                                                const StPrimitiveGap *gap) {
  return st_contact_normal_state_along(law, gap->gap, gap->mollifier, gap->normal);
}

static inline void sample_add_normal(const StContactLaw *law, const StPrimitiveGap *gap,
                                     double *force) {
  StPrimitiveGap own = *gap;
  StGap view = st_primitive_view(&own);
  st_contact_add_normal(law, gap->count, &view, force);
}

// Returns the sliding speed.
static inline double sample_add_friction(const StContactLaw *law, const StFrictionLaw *friction,
                                         int count, const StNormalState *normal_state,
                                         const double *share, const double *velocity,
                                         const double wall[3], double *force) {
  StContactLaw contact = sample_law(law, friction);
  double f[3];
  double speed = st_contact_friction(&contact, count, normal_state, share, velocity, wall, f);
  st_contact_spread(count, share, f, force);
  return speed;
}

#endif
