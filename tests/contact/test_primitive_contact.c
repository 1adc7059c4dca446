// Forces of primitive contacts: derivatives three ways (written out, complex step, differences),
// momentum, and what negative weights turn around.
#include "contact/core/closest_features.h"
#include "contact/core/primitive_jacobian.h"
#include "contact/friction/anchor_stiffening.h"
#include "support/compare.h"
#include "support/primitive_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum { TRIES = 100 };
static const double ROUND = 0x1p-53;

// A sample with everything its forces depend on.
typedef struct Bench {
  Sample sample;
  int count, width;
  StContactLaw law; // without friction
  StFrictionLaw friction;
  double velocity[12], wall[3], speed; // of sliding
  double by_position, by_velocity;     // of the Jacobian that is asked for
  struct {
    double tangent_stiffness, held[3], wall[3];
  } loose; // of the anchor before it tightens; the wall without what is held
  StPrimitiveGap gap;
  StPrimitiveSlopes slopes;
} Bench;

typedef void (*Look)(Bench *bench);

// An anchor's stiffness follows the gap, and what it holds, which moves the wall.
static void bench_tighten(Bench *bench) {
  StAnchorStiffening stiffening = st_anchor_stiffening(bench->gap.gap, bench->law.thickness, 1);
  bench->law.tangent_stiffness = stiffening.factor * bench->loose.tangent_stiffness;
  bench->law.stiffening = stiffening.slope;
  for (int i = 0; i < 3; i++) {
    bench->law.held[i] = bench->loose.held[i] / stiffening.factor;
    bench->wall[i] = bench->loose.wall[i] - bench->law.held[i];
  }
}

static void bench_measure(Bench *bench) {
  memset(&bench->gap, 0xff, sizeof bench->gap);
  memset(&bench->slopes, 0xff, sizeof bench->slopes);
  assert_true(st_primitive_gap(&bench->sample.primitive, bench->sample.x, &bench->gap));
  st_primitive_slopes(&bench->sample.primitive, &bench->gap, &bench->slopes);
  if (bench->friction.anchored)
    bench_tighten(bench);
}

// Held by an anchor that damps: short of its yield, and beyond it on the Stribeck slope. Dampers
// have a part of the normal force, by which the yield moves, too, but never past where it is pulled
// to.
static void bench_anchor(uint64_t *state, int index, Bench *bench) {
  StNormalState normal_state = sample_normal_state(&bench->law, &bench->gap);
  bench->friction.anchored = true;
  bench->friction.viscous_coefficient = 0;
  bench->friction.span = 0.01;
  double yield = bench->speed * bench->friction.span * (index % 2 ? 1.7 : 0.6);
  double tangent_stiffness = 2 * 0.9 * normal_state.normal_force / (yield * bench->gap.mollifier);
  double factor = st_anchor_stiffening(bench->gap.gap, bench->law.thickness, 1).factor;
  bench->loose.tangent_stiffness = tangent_stiffness / factor;
  bench->law.damper_stiffness = 0.7 * tangent_stiffness;
  bench->friction.stribeck_speed = 3 * bench->speed;
  bench->friction.damping =
      0.2 * normal_state.normal_force / (bench->law.damper_stiffness * bench->gap.mollifier);
  random_fill(state, -0.3, 0.3, 3, bench->loose.held);
  for (int i = 0; i < 3; i++)
    bench->loose.wall[i] = bench->wall[i] + bench->loose.held[i] / factor;
  bench_tighten(bench);
}

// Speeds below the sticking speed, on the Stribeck slope and beyond it, away from the kinks.
static void bench_slide(uint64_t *state, int index, Bench *bench) {
  static const double speeds[] = {0.3, 4, 50};
  double slip[3] = {0};
  random_fill(state, -1, 1, 12, bench->velocity);
  random_fill(state, -1, 1, 3, bench->wall);
  for (int k = 0; k < bench->count; k++)
    vec3_add_scaled(bench->gap.share[k], bench->velocity + 3 * k, slip);
  for (int i = 0; i < 3; i++)
    slip[i] -= bench->wall[i];
  vec3_add_scaled(-vec3_dot(slip, bench->gap.normal), bench->gap.normal, slip);
  bench->speed = vec3_length(slip);
  bench->friction = (StFrictionLaw){.dynamic_coefficient = 0.4,
                                    .static_coefficient = 0.9,
                                    .viscous_coefficient = 0.7,
                                    .sticking_speed = bench->speed / speeds[index % 3],
                                    .stribeck_speed = 10 * bench->speed / speeds[index % 3]};
  if (index % 5 == 4)
    bench_anchor(state, index, bench);
  st_friction_prepare(&bench->friction);
}

static Bench bench_make(uint64_t *state, StPrimitiveKind kind, SampleWay way, int index) {
  Bench bench = {.sample = sample_make(state, kind, way), .by_position = 1, .by_velocity = 1};
  Sample *sample = &bench.sample;
  bench.count = st_primitive_count(kind), bench.width = 3 * bench.count;
  if (index % 4 == 1)
    sample->primitive.radius = 0.5 * sample->distance;
  double part = random_between(state, 0.05, 0.95);
  double gap = sample->distance - sample->primitive.radius;
  bench.law = (StContactLaw){.normal_law = ST_NORMAL_BARRIER,
                             .thickness = gap / part,
                             .stiffness = random_between(state, 1e3, 1e5),
                             .film = random_between(state, 0.1, 2)};
  bench.law.stiffness *= bench.law.film;
  sample->detail = fmin(sample->detail, 0.5 * fmin(gap, bench.law.thickness - gap));
  bench_measure(&bench);
  bench_slide(state, index, &bench);
  return bench;
}

static void over_benches(Look look) {
  uint64_t state = 4711;
  for (int kind = ST_POINT_POINT; kind <= ST_EDGE_EDGE; kind++)
    for (int way = 0; way < SAMPLE_WAYS; way++)
      for (int i = 0; i < TRIES; i++) {
        Bench bench = bench_make(&state, (StPrimitiveKind)kind, (SampleWay)way, i);
        look(&bench);
      }
}

// Round-off of a force relative to itself: its gap and direction are known to that of a length over
// the gap, the fade's parameters a hundred times worse.
static double blur(const Bench *bench) {
  const Sample *sample = &bench->sample;
  double strain = (1 + sample->strain) / fmin(1, bench->gap.gap) + sample->size / sample->distance;
  return 64 * ROUND * strain * (bench->gap.mollified ? 1000 : 1);
}

static double worst_complex, worst_difference;

static void keep_worst(double *kept, double error) {
  if (!(error <= *kept))
    *kept = error;
}

// Forces of a bench moved along one coordinate, in real and in complex numbers.
typedef void (*Force)(const Bench *bench, double *force);
typedef void (*ForceDual)(const Bench *bench, const StDual *x, const StDual *v, StDual *force);

static void complex_columns(const Bench *bench, ForceDual force, double *jacobian) {
  for (int c = 0; c < bench->width; c++) {
    StDual x[12], v[12], f[12] = {0};
    for (int i = 0; i < bench->width; i++) {
      x[i] = s_dual(bench->sample.x[i], i == c ? bench->by_position : 0);
      v[i] = s_dual(bench->velocity[i], i == c ? bench->by_velocity : 0);
    }
    force(bench, x, v, f);
    for (int r = 0; r < bench->width; r++)
      jacobian[r * bench->width + c] = s_derivative(f[r]);
  }
}

// Shares and normal mix velocities of about 1: where they nearly cancel, less of a move matters.
static double difference_step(const Bench *bench) {
  double step = 2e-3 * bench->sample.detail * fmin(1, bench->speed);
  step /= fmax(bench->by_position, 1e-300);
  double slow = bench->friction.anchored ? 0.1 * fmin(1, bench->speed) // where it yields; dampers
                                         : bench->friction.sticking_speed;
  return fmin(step, 1e-2 * slow / fmax(bench->by_velocity, 1e-300));
}

static void difference_columns(const Bench *bench, Force force, double *jacobian) {
  double h = difference_step(bench), still[12] = {0};
  int width = bench->width;
  force(bench, still);
  memset(jacobian, 0, (size_t)(width * width) * sizeof(double));
  for (int c = 0; c < width; c++)
    for (int p = 0; p < DIFFERENCE_POINTS; p++) {
      Bench moved = *bench;
      double f[12] = {0};
      moved.sample.x[c] += difference_at[p] * h * bench->by_position;
      moved.velocity[c] += difference_at[p] * h * bench->by_velocity;
      bench_measure(&moved);
      force(&moved, f);
      for (int r = 0; r < width; r++)
        jacobian[r * width + c] += difference_weight[p] * (f[r] - still[r]) / h;
    }
}

// Differences are known to the forces' round-off over the step.
static void three_ways(const Bench *bench, const double *jacobian, Force force,
                       ForceDual force_dual) {
  double other[144], around[144], f[12] = {0};
  int all = bench->width * bench->width;
  complex_columns(bench, force_dual, other);
  keep_worst(&worst_complex, relative_error(all, jacobian, other) / blur(bench));
  difference_columns(bench, force, around);
  force(bench, f);
  double most = largest(all, jacobian), noise = blur(bench) * largest(bench->width, f);
  noise /= difference_step(bench);
  for (int i = 0; i < all; i++)
    keep_worst(&worst_difference, fabs(around[i] - jacobian[i]) / (noise + 1e-9 * most));
}

static void compare_all(Look look) {
  worst_complex = worst_difference = 0;
  over_benches(look);
  print_message("over round-off: complex step %.2g, differences %.2g\n", worst_complex,
                worst_difference);
  assert_true(worst_complex < 1);
  assert_true(worst_difference < 1);
}

// Energy, whose slope is the force.
static void check_energy(Bench *bench) {
  double force[12] = {0}, slope[12];
  StGap view = st_primitive_view(&bench->gap);
  double real = st_contact_energy(&bench->law, &view);
  sample_add_normal(&bench->law, &bench->gap, force);
  for (int c = 0; c < bench->width; c++) {
    StDual x[12];
    StPrimitiveGapDual gap;
    for (int i = 0; i < bench->width; i++)
      x[i] = s_dual(bench->sample.x[i], i == c);
    assert_true(st_primitive_gap_dual(&bench->sample.primitive, x, &gap));
    StDual energy = bench->law.stiffness * bench->law.thickness * gap.mollifier *
                    st_barrier_curve_dual(gap.gap / bench->law.thickness).value;
    assert_true(fabs(creal(energy) - real) <= blur(bench) * real);
    slope[c] = -s_derivative(energy);
  }
  keep_worst(&worst_complex, relative_error(bench->width, force, slope) / blur(bench));
}

static void force_is_the_slope_of_energy(void **state) {
  (void)state;
  compare_all(check_energy);
}

static void normal(const Bench *bench, double *force) {
  sample_add_normal(&bench->law, &bench->gap, force);
}

static void normal_dual(const Bench *bench, const StDual *x, const StDual *v, StDual *force) {
  (void)v;
  StPrimitiveGapDual gap;
  assert_true(st_primitive_gap_dual(&bench->sample.primitive, x, &gap));
  StGapDual view = st_primitive_view_dual(&gap);
  st_contact_add_normal_dual(&bench->law, gap.count, &view, force);
}

static void check_normal(Bench *bench) {
  double jacobian[144];
  bench->by_position = 0.7, bench->by_velocity = 0;
  st_primitive_normal_jacobian(&bench->law, &bench->gap, &bench->slopes, 0.7, jacobian);
  three_ways(bench, jacobian, normal, normal_dual);
  for (int r = 0; r < bench->width; r++)
    for (int c = 0; c < r; c++)
      assert_true(jacobian[r * bench->width + c] == jacobian[c * bench->width + r]);
}

static void normal_jacobian(void **state) {
  (void)state;
  compare_all(check_normal);
}

static void friction(const Bench *bench, double *force) {
  StNormalState normal_state = sample_normal_state(&bench->law, &bench->gap);
  sample_add_friction(&bench->law, &bench->friction, bench->count, &normal_state, bench->gap.share,
                      bench->velocity, bench->wall, force);
}

static void friction_dual(const Bench *bench, const StDual *x, const StDual *v, StDual *force) {
  StPrimitiveGapDual gap;
  const StDual wall[3] = {bench->wall[0], bench->wall[1], bench->wall[2]};
  assert_true(st_primitive_gap_dual(&bench->sample.primitive, x, &gap));
  StContactLaw law = sample_law(&bench->law, &bench->friction);
  StGapDual view = st_primitive_view_dual(&gap);
  st_contact_add_friction_along_dual(&law, gap.count, &view, gap.normal, v, wall, force);
}

static void friction_jacobian_of(const Bench *bench, double *jacobian) {
  StPrimitiveSlide slide = {.velocity = bench->velocity};
  vec3_copy(bench->wall, slide.wall);
  memset(jacobian, 0xff, 144 * sizeof(double));
  StContactLaw law = sample_law(&bench->law, &bench->friction);
  st_primitive_friction_jacobian(&law, &bench->gap, &bench->slopes, &slide, false,
                                 bench->by_position, bench->by_velocity, jacobian);
}

// By position, by velocity, and both at once as an implicit step asks for it.
static void check_friction(Bench *bench) {
  static const double ways[][2] = {{1, 0}, {0, 1}, {0.7, 30}};
  for (int i = 0; i < 3; i++) {
    double jacobian[144];
    bench->by_position = ways[i][0], bench->by_velocity = ways[i][1];
    friction_jacobian_of(bench, jacobian);
    three_ways(bench, jacobian, friction, friction_dual);
  }
}

static void friction_jacobian(void **state) {
  (void)state;
  compare_all(check_friction);
}

static void joint(const Bench *bench, double *force) {
  normal(bench, force);
  friction(bench, force);
}

static void joint_dual(const Bench *bench, const StDual *x, const StDual *v, StDual *force) {
  normal_dual(bench, x, v, force);
  friction_dual(bench, x, v, force);
}

// Needs less of the slopes than the two alone.
static void check_joint(Bench *bench) {
  double jacobian[144];
  StPrimitiveSlide slide = {.velocity = bench->velocity};
  StPrimitiveSlopes slopes;
  vec3_copy(bench->wall, slide.wall);
  memset(jacobian, 0xff, sizeof jacobian);
  memset(&slopes, 0xff, sizeof slopes);
  st_primitive_turns(&bench->gap, &slopes);
  st_primitive_mollifier_slopes(&bench->sample.primitive, &bench->gap, &slopes);
  bench->by_position = 0.7, bench->by_velocity = 30;
  StContactLaw law = sample_law(&bench->law, &bench->friction);
  st_primitive_friction_jacobian(&law, &bench->gap, &slopes, &slide, true, 0.7, 30, jacobian);
  three_ways(bench, jacobian, joint, joint_dual);
}

static void joint_jacobian(void **state) {
  (void)state;
  compare_all(check_joint);
}

// At rest the slope of friction is finite and isotropic across the normal.
static void check_rest(Bench *bench) {
  double jacobian[144], other[144];
  memset(bench->velocity, 0, sizeof bench->velocity);
  memset(bench->wall, 0, sizeof bench->wall);
  bench->by_position = 0.7, bench->by_velocity = 30;
  friction_jacobian_of(bench, jacobian);
  complex_columns(bench, friction_dual, other);
  keep_worst(&worst_complex,
             relative_error(bench->width * bench->width, jacobian, other) / blur(bench));
}

static void friction_jacobian_at_rest(void **state) {
  (void)state;
  compare_all(check_rest);
}

// Total force and torque, relative to the largest force and its lever.
static double worst_momentum, worst_spin;

static void add_totals(const Bench *bench, const double *force, bool spin) {
  double total[3] = {0}, torque[3] = {0}, most = largest(bench->width, force), part[3], lever[3];
  for (int k = 0; k < bench->count; k++) {
    vec3_add_scaled(1, force + 3 * k, total);
    vec3_sub(bench->sample.x + 3 * k, bench->sample.x, lever);
    vec3_cross(lever, force + 3 * k, part);
    vec3_add_scaled(1, part, torque);
  }
  keep_worst(&worst_momentum, largest(3, total) / most);
  // The shape of slivers and of nearly parallel edges magnifies round-off of shares and normal.
  bool sharp = bench->count == 4 && bench->sample.strain > 100;
  if (spin)
    keep_worst(&worst_spin, largest(3, torque) / most / (sharp ? 4 : 1));
}

static void check_momentum(Bench *bench) {
  double force[12] = {0};
  normal(bench, force);
  add_totals(bench, force, true);
  memset(force, 0, sizeof force);
  friction(bench, force);
  add_totals(bench, force, false);
}

static void momentum_is_kept(void **state) {
  (void)state;
  worst_momentum = worst_spin = 0;
  over_benches(check_momentum);
  print_message("momentum %.1e, angular momentum %.1e\n", worst_momentum, worst_spin);
  assert_true(worst_momentum < 1e-14);
  assert_true(worst_spin < 1e-14);
}

// Friction takes energy and acts against the slip.
static void check_power(Bench *bench) {
  double force[12] = {0}, power = 0;
  memset(bench->wall, 0, sizeof bench->wall);
  friction(bench, force);
  for (int i = 0; i < bench->width; i++)
    power += force[i] * bench->velocity[i];
  assert_true(power <= 0);
}

static void friction_takes_energy(void **state) {
  (void)state;
  over_benches(check_power);
}

static void check_negative(Bench *bench) {
  double force[12] = {0}, other[12] = {0}, jacobian[144];
  double rubbing[144];
  normal(bench, force);
  friction_jacobian_of(bench, rubbing);
  StNormalState before = sample_normal_state(&bench->law, &bench->gap);
  bench->law.stiffness *= -1;
  bench->law.film *= -1;
  bench->law.tangent_stiffness *= -1;
  bench->law.damper_stiffness *= -1;
  normal(bench, other);
  for (int i = 0; i < bench->width; i++)
    assert_true(other[i] == -force[i]);
  StNormalState normal_state = sample_normal_state(&bench->law, &bench->gap);
  assert_true(normal_state.normal_force == -before.normal_force &&
              normal_state.engagement == -before.engagement);
  friction_jacobian_of(bench, jacobian);
  for (int i = 0; i < bench->width * bench->width; i++)
    assert_true(jacobian[i] == -rubbing[i]);
}

static void negative_weights_turn_all_around(void **state) {
  (void)state;
  over_benches(check_negative);
}

// Forces of a point and a triangle on their four vertices, by the closest feature.
static StFeature point_triangle_force(const StContactLaw *law, const StFrictionLaw *rough,
                                      const double x[4][3], const double *velocity, double *force) {
  static const StPrimitiveKind kinds[] = {ST_POINT_POINT, ST_POINT_EDGE, ST_POINT_TRIANGLE};
  StClosest closest;
  int entry[4] = {0}, count = 1;
  double near[12], moving[12], own[12] = {0}, wall[3] = {0};
  st_primitive_point_triangle(x, &closest);
  for (int k = 0; k < 3; k++)
    if (closest.share[k] > 0)
      entry[count++] = 1 + k;
  for (int k = 0; k < count; k++) {
    vec3_copy(x[entry[k]], near + 3 * k);
    vec3_copy(velocity + 3 * entry[k], moving + 3 * k);
  }
  const StPrimitive primitive = {.kind = kinds[count - 2]};
  StPrimitiveGap gap;
  assert_true(st_primitive_gap(&primitive, near, &gap));
  sample_add_normal(law, &gap, own);
  StNormalState normal_state = sample_normal_state(law, &gap);
  sample_add_friction(law, rough, count, &normal_state, gap.share, moving, wall, own);
  memset(force, 0, 12 * sizeof(double));
  for (int k = 0; k < count; k++)
    vec3_copy(own + 3 * k, force + 3 * entry[k]);
  return closest.feature;
}

// Neither pressing nor friction jumps where a point passes from one feature to the next: what is
// left is round-off over the smallest gaps here, about 1e-4.
static void forces_are_continuous(void **state) {
  (void)state;
  uint64_t seed = 31;
  int changes = 0;
  const StContactLaw law = {
      .normal_law = ST_NORMAL_BARRIER, .thickness = 3, .stiffness = 100, .film = 1};
  StFrictionLaw rough = {.dynamic_coefficient = 0.4,
                         .static_coefficient = 0.6,
                         .sticking_speed = 0.1,
                         .stribeck_speed = 1};
  st_friction_prepare(&rough);
  for (int i = 0; i < 5000; i++) {
    double x[4][3], ends[2][3], velocity[12], force[2][12], low = 0, high = 1;
    random_fill(&seed, -1, 1, 12, x[0]);
    random_fill(&seed, -1, 1, 12, velocity);
    random_fill(&seed, -1, 1, 6, ends[0]);
    StFeature first = ST_FACE, last = ST_FACE;
    for (int step = 0; step < 52; step++) {
      double at = step == 0 ? 0 : step == 1 ? 1 : 0.5 * (low + high), moved[12];
      for (int k = 0; k < 3; k++)
        x[0][k] = (1 - at) * ends[0][k] + at * ends[1][k];
      StFeature feature = point_triangle_force(&law, &rough, x, velocity, moved);
      first = step == 0 ? feature : first, last = step == 1 ? feature : last;
      if (step == 1 && first == last)
        break;
      bool same = step != 1 && feature == first;
      *(same ? &low : &high) = at;
      memcpy(force[same ? 0 : 1], moved, sizeof moved);
    }
    if (first == last)
      continue;
    changes++;
    double size = fmax(largest(12, force[0]), largest(12, force[1]));
    for (int k = 0; k < 12; k++)
      assert_true(fabs(force[0][k] - force[1][k]) < 1e-11 * size);
  }
  assert_true(changes > 1000);
}

// Side A is pressed along the normal by the derivative of the barrier, friction by its share.
static void known_contact(void **state) {
  (void)state;
  const StPrimitive face = {.kind = ST_POINT_TRIANGLE, .radius = 0.1};
  const StContactLaw law = {
      .normal_law = ST_NORMAL_BARRIER, .thickness = 0.5, .stiffness = 200, .film = 2};
  const double x[12] = {0.25, 0.25, 0.35, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const double velocity[12] = {1, 0, 5}, wall[3] = {0};
  const StFrictionLaw sliding = {.dynamic_coefficient = 0.3,
                                 .static_coefficient = 0.3,
                                 .sticking_speed = 1e-3,
                                 .stribeck_speed = 1e-2,
                                 .peak = 1};
  StPrimitiveGap gap;
  assert_true(st_primitive_gap(&face, x, &gap));
  // x = 1/2: φ = ln 2/4, φ' = −(ln 2 + 1/2).
  double press = 200 * (log(2) + 0.5), force[12] = {0}, part[12] = {0};
  StGap view = st_primitive_view(&gap);
  assert_true(fabs(st_contact_energy(&law, &view) - 25 * log(2)) < 1e-13);
  sample_add_normal(&law, &gap, force);
  const double expected[12] = {0, 0, press, 0, 0, -press / 2, 0, 0, -press / 4, 0, 0, -press / 4};
  assert_true(relative_error(12, force, expected) < 1e-15);
  StNormalState normal_state = sample_normal_state(&law, &gap);
  assert_true(fabs(normal_state.normal_force - press) < 1e-13 * press);
  assert_true(fabs(normal_state.engagement - 2 * (log(2) + 0.5) / (log(2) + 0.50001)) < 1e-14);
  double speed =
      sample_add_friction(&law, &sliding, 4, &normal_state, gap.share, velocity, wall, part);
  const double drag[12] = {-0.3 * press,  0, 0, 0.15 * press,  0, 0,
                           0.075 * press, 0, 0, 0.075 * press, 0, 0};
  assert_true(speed == 1 && relative_error(12, part, drag) < 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_contact),
      cmocka_unit_test(force_is_the_slope_of_energy),
      cmocka_unit_test(normal_jacobian),
      cmocka_unit_test(friction_jacobian),
      cmocka_unit_test(friction_jacobian_at_rest),
      cmocka_unit_test(joint_jacobian),
      cmocka_unit_test(momentum_is_kept),
      cmocka_unit_test(friction_takes_energy),
      cmocka_unit_test(negative_weights_turn_all_around),
      cmocka_unit_test(forces_are_continuous),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
