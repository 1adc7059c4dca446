// Speed of the kernels of primitive contact on one core, in nanoseconds per pair: distances, gaps,
// forces, and derivatives written out. Usage: bench_primitive
#include "base/memory.h"
#include "contact/core/closest_features.h"
#include "contact/core/primitive_jacobian.h"
#include "support/primitive_sample.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PAIRS = 1000, ROUNDS = 100, REPEATS = 7 };

typedef struct Bench {
  Sample sample[PAIRS];
  StPrimitiveGap gap[PAIRS];
  StPrimitiveSlopes slopes[PAIRS];
  StContactLaw law;
  StFrictionLaw friction;
  double velocity[12], matter[3], force[12], jacobian[144];
  double kept; // so that nothing is optimised away
} Bench;

typedef void (*Work)(Bench *bench, int pair);

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Shortest of some repeats: what the machine can do when nothing else disturbs it.
static double best_time(Work work, Bench *bench) {
  double best = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    double start = seconds();
    for (int round = 0; round < ROUNDS; round++)
      for (int pair = 0; pair < PAIRS; pair++)
        work(bench, pair);
    best = fmin(best, seconds() - start);
  }
  return 1e9 * best / (PAIRS * ROUNDS);
}

static void distance(Bench *bench, int i) {
  const double *x = bench->sample[i].x;
  double pair[3][3];
  StClosest closest = {0};
  if (bench->sample[i].primitive.kind == ST_EDGE_EDGE)
    bench->kept += st_primitive_edge_edge_distance(x, x + 3, x + 6, x + 9);
  else if (bench->sample[i].primitive.kind == ST_POINT_TRIANGLE)
    bench->kept += st_primitive_point_triangle_distance(x, x + 3, x + 6, x + 9);
  else {
    memcpy(pair, x, sizeof pair);
    st_primitive_point_edge(pair, &closest);
    bench->kept += closest.square;
  }
}

static void gap(Bench *bench, int i) {
  bench->kept += st_primitive_gap(&bench->sample[i].primitive, bench->sample[i].x, &bench->gap[i]);
}

static void slopes(Bench *bench, int i) {
  st_primitive_slopes(&bench->sample[i].primitive, &bench->gap[i], &bench->slopes[i]);
}

static void normal(Bench *bench, int i) {
  sample_add_normal(&bench->law, &bench->gap[i], bench->force);
}

static void normal_jacobian(Bench *bench, int i) {
  st_primitive_normal_jacobian(&bench->law, &bench->gap[i], &bench->slopes[i], 1, bench->jacobian);
  bench->kept += bench->jacobian[7];
}

static void friction(Bench *bench, int i) {
  StNormalState normal_state = sample_normal_state(&bench->law, &bench->gap[i]);
  sample_add_friction(&bench->law, &bench->friction, bench->gap[i].count, &normal_state,
                      bench->gap[i].share, bench->velocity, bench->matter, bench->force);
}

static void friction_jacobian(Bench *bench, int i) {
  const StPrimitiveSlide slide = {.velocity = bench->velocity};
  const StContactLaw law = sample_law(&bench->law, &bench->friction);
  st_primitive_friction_jacobian(&law, &bench->gap[i], &bench->slopes[i], &slide, false, 1, 1,
                                 bench->jacobian);
  bench->kept += bench->jacobian[7];
}

static const struct {
  const char *name;
  StPrimitiveKind kind;
  SampleWay way;
} rows[] = {{"point and point", ST_POINT_POINT, SAMPLE_PLAIN},
            {"point and edge", ST_POINT_EDGE, SAMPLE_PLAIN},
            {"point and triangle", ST_POINT_TRIANGLE, SAMPLE_PLAIN},
            {"edge and edge", ST_EDGE_EDGE, SAMPLE_PLAIN},
            {"edges, fading", ST_EDGE_EDGE, SAMPLE_BOTH}};

int main(void) {
  static const Work work[] = {distance,        gap,      slopes,           normal,
                              normal_jacobian, friction, friction_jacobian};
  static Bench bench = {
      .law = {.normal_law = ST_NORMAL_BARRIER, .thickness = 0.5, .stiffness = 1e4},
      .friction = {.dynamic_coefficient = 0.4,
                   .static_coefficient = 0.6,
                   .sticking_speed = 1e-3,
                   .stribeck_speed = 1e-2}};
  uint64_t state = 5;
  st_friction_prepare(&bench.friction);
  random_fill(&state, -1, 1, 12, bench.velocity);
  printf("Primitive pairs, ns each\n%-20s%9s%9s%9s%9s%9s%9s%9s\n", "", "distance", "gap", "slopes",
         "force", "matrix", "friction", "matrix");
  for (int row = 0; row < 5; row++) {
    for (int i = 0; i < PAIRS; i++)
      bench.sample[i] = sample_make(&state, rows[row].kind, rows[row].way);
    printf("%-20s", rows[row].name);
    for (int w = 0; w < ST_LENGTH(work); w++)
      if (w == 0 && rows[row].kind == ST_POINT_POINT)
        printf("%9s", "-");
      else
        printf("%9.0f", best_time(work[w], &bench));
    printf("\n");
  }
  return bench.kept == 0;
}
