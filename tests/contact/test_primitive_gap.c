// Gaps of primitive pairs: their meaning, accuracy of close ones, derivatives three ways (written
// out, complex step, differences), what rotation, translation and scaling leave alone.
#include "contact/core/closest_features.h"
#include "contact/core/primitive_gap.h"
#include "support/compare.h"
#include "support/primitive_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { TRIES = 300 };
static const double ROUND = 0x1p-53;

typedef void (*Look)(const Sample *sample);

static void over_samples(Look look) {
  uint64_t state = 20260;
  for (int kind = ST_POINT_POINT; kind <= ST_EDGE_EDGE; kind++)
    for (int way = 0; way < SAMPLE_WAYS; way++)
      for (int i = 0; i < TRIES; i++) {
        Sample sample = sample_make(&state, (StPrimitiveKind)kind, (SampleWay)way);
        look(&sample);
      }
}

static StPrimitiveGap gap_of(const Sample *sample) {
  StPrimitiveGap gap;
  memset(&gap, 0xff, sizeof gap);
  assert_true(st_primitive_gap(&sample->primitive, sample->x, &gap));
  return gap;
}

// Round-off of a length of about 1.
static double blur(const Sample *sample) {
  return 16 * ROUND * (sample->size + sample->strain);
}

static void meaning_of(const Sample *sample) {
  StPrimitiveGap gap = gap_of(sample);
  double sum = 0, way[3] = {0};
  assert_true(fabs(gap.distance - sample->distance) < blur(sample));
  assert_true(gap.gap == gap.distance);
  assert_true(fabs(vec3_length(gap.normal) - 1) < 4 * ROUND);
  for (int k = 0; k < gap.count; k++) {
    sum += gap.share[k];
    vec3_add_scaled(gap.share[k], sample->x + 3 * k, way);
  }
  assert_true(fabs(sum) < 4 * ROUND);
  for (int i = 0; i < 3; i++)
    assert_true(fabs(way[i] - gap.distance * gap.normal[i]) < blur(sample));
  assert_true(gap.mollifier > 0 && gap.mollifier <= 1);
  assert_int_equal(gap.mollified, gap.mollifier < 1);
}

static void means_what_it_says(void **state) {
  (void)state;
  over_samples(meaning_of);
}

// The radius is taken off the gap and changes nothing else.
static void radius_of(const Sample *sample) {
  Sample thick = *sample;
  thick.primitive.radius = 0.25 * sample->distance;
  StPrimitiveGap gap = gap_of(sample), less = gap_of(&thick);
  assert_true(less.gap == gap.distance - thick.primitive.radius);
  assert_memory_equal(less.gradient, gap.gradient, 3 * (size_t)gap.count * sizeof(double));
}

static void radius_is_taken_off(void **state) {
  (void)state;
  over_samples(radius_of);
}

// Largest differences from the derivatives that are written out, in units of round-off.
typedef struct Worst {
  double gradient, hessian, share, normal, mollifier, mollifier_hessian;
} Worst;
static Worst worst;

static void keep_worst(double *kept, double error) {
  if (!(error <= *kept))
    *kept = error;
}

// The fade magnifies more: its sines are down to 0.007.
static void compare_with(const StPrimitiveGap *gap, const StPrimitiveSlopes *slopes,
                         const double *gradient, const double *mollifier,
                         const StPrimitiveSlopes *other, double unit) {
  int n = gap->count, width = 3 * n, all = width * width;
  keep_worst(&worst.gradient, relative_error(width, gap->gradient, gradient) / unit);
  keep_worst(&worst.hessian, relative_error(all, slopes->hessian, other->hessian) / unit);
  keep_worst(&worst.normal,
             relative_error(3 * width, slopes->normal_slope, other->normal_slope) / unit);
  keep_worst(&worst.share,
             relative_error(n * width, slopes->share_slope, other->share_slope) / unit);
  keep_worst(&worst.mollifier,
             relative_error(width, gap->mollifier_gradient, mollifier) / (1000 * unit));
  if (gap->mollified)
    keep_worst(&worst.mollifier_hessian,
               relative_error(all, slopes->mollifier_hessian, other->mollifier_hessian) /
                   (1000 * unit));
}

static void derivatives_of(const Sample *sample, int numbers, const double *x,
                           StPrimitiveGapDual *dual, int c) {
  StDual seeded[12];
  for (int i = 0; i < numbers; i++)
    seeded[i] = s_dual(x[i], i == c);
  memset(dual, 0xff, sizeof *dual);
  assert_true(st_primitive_gap_dual(&sample->primitive, seeded, dual));
}

static void complex_of(const Sample *sample) {
  StPrimitiveGap gap = gap_of(sample);
  StPrimitiveSlopes slopes, exact;
  int n = gap.count, width = 3 * n;
  double gradient[12], mollifier[12];
  memset(&slopes, 0xff, sizeof slopes);
  st_primitive_slopes(&sample->primitive, &gap, &slopes);
  for (int c = 0; c < width; c++) {
    StPrimitiveGapDual dual;
    derivatives_of(sample, width, sample->x, &dual, c);
    gradient[c] = s_derivative(dual.gap);
    mollifier[c] = s_derivative(dual.mollifier);
    for (int r = 0; r < width; r++) {
      exact.hessian[r * width + c] = s_derivative(dual.gradient[r]);
      exact.mollifier_hessian[r * width + c] = s_derivative(dual.mollifier_gradient[r]);
    }
    for (int k = 0; k < n; k++)
      exact.share_slope[k * width + c] = s_derivative(dual.share[k]);
    for (int i = 0; i < 3; i++)
      exact.normal_slope[i * width + c] = s_derivative(dual.normal[i]);
  }
  compare_with(&gap, &slopes, gradient, mollifier, &exact, blur(sample));
}

static void compare_all(Look look) {
  worst = (Worst){0};
  over_samples(look);
  print_message("over round-off: gradient %.2g, hessian %.2g, shares %.2g, normal %.2g, "
                "fade %.2g and %.2g\n",
                worst.gradient, worst.hessian, worst.share, worst.normal, worst.mollifier,
                worst.mollifier_hessian);
  const double most[] = {worst.gradient, worst.hessian,   worst.share,
                         worst.normal,   worst.mollifier, worst.mollifier_hessian};
  for (int i = 0; i < 6; i++)
    assert_true(most[i] < 1);
}

static void agrees_with_the_complex_step(void **state) {
  (void)state;
  compare_all(complex_of);
}

// All numbers of a gap that have slopes, one after the other.
enum { NUMBERS = 1 + 12 + 4 + 3 + 1 + 12 };

static void numbers_of(const StPrimitiveGap *gap, double *out) {
  memset(out, 0, NUMBERS * sizeof(double));
  out[0] = gap->gap;
  memcpy(out + 1, gap->gradient, 3 * (size_t)gap->count * sizeof(double));
  memcpy(out + 13, gap->share, (size_t)gap->count * sizeof(double));
  memcpy(out + 17, gap->normal, 3 * sizeof(double));
  out[20] = gap->mollifier;
  memcpy(out + 21, gap->mollifier_gradient, 3 * (size_t)gap->count * sizeof(double));
}

static void difference_quotients(const Sample *sample, int c, double h, double out[NUMBERS]) {
  StPrimitiveGap base = gap_of(sample);
  double still[NUMBERS];
  numbers_of(&base, still);
  memset(out, 0, NUMBERS * sizeof(double));
  for (int p = 0; p < DIFFERENCE_POINTS; p++) {
    Sample moved = *sample;
    moved.x[c] += difference_at[p] * h;
    StPrimitiveGap gap = gap_of(&moved);
    double number[NUMBERS], step = (moved.x[c] - sample->x[c]) / difference_at[p];
    numbers_of(&gap, number);
    for (int i = 0; i < NUMBERS; i++)
      out[i] += difference_weight[p] * (number[i] - still[i]) / step;
  }
}

static void differences_of(const Sample *sample) {
  StPrimitiveGap gap = gap_of(sample);
  StPrimitiveSlopes slopes, around = {0};
  int n = gap.count, width = 3 * n;
  double h = 3e-3 * sample->detail, gradient[12], mollifier[12], number[NUMBERS];
  st_primitive_slopes(&sample->primitive, &gap, &slopes);
  for (int c = 0; c < width; c++) {
    difference_quotients(sample, c, h, number);
    gradient[c] = number[0], mollifier[c] = number[20];
    for (int r = 0; r < width; r++) {
      around.hessian[r * width + c] = number[1 + r];
      around.mollifier_hessian[r * width + c] = number[21 + r];
    }
    for (int k = 0; k < n; k++)
      around.share_slope[k * width + c] = number[13 + k];
    for (int i = 0; i < 3; i++)
      around.normal_slope[i * width + c] = number[17 + i];
  }
  // Round-off of the values over the way moved; the method's own error, of order h⁶, is smaller.
  compare_with(&gap, &slopes, gradient, mollifier, &around, blur(sample) / h);
}

static void agrees_with_differences(void **state) {
  (void)state;
  compare_all(differences_of);
}

// A moved, turned and resized pair has the same gap, moved, turned and resized.
static void moved_of(const Sample *sample) {
  const double axis[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7}, shift[3] = {0.3, -0.7, 0.2}, by = 3.7;
  double turn[9], normal[3];
  Sample moved = *sample;
  mat3_rotation(axis, 1.1, turn);
  for (int k = 0; k < st_primitive_count(sample->primitive.kind); k++) {
    mat3_apply(turn, sample->x + 3 * k, moved.x + 3 * k);
    for (int i = 0; i < 3; i++)
      moved.x[3 * k + i] = by * moved.x[3 * k + i] + shift[i];
  }
  moved.primitive.rest_square *= by * by * by * by;
  StPrimitiveGap gap = gap_of(sample), other = gap_of(&moved);
  double unit = 4 * blur(sample) * (1 + 1 / sample->distance);
  assert_true(fabs(other.gap - by * gap.gap) < unit);
  mat3_apply(turn, gap.normal, normal);
  for (int i = 0; i < 3; i++)
    assert_true(fabs(other.normal[i] - normal[i]) < sample->size * unit);
  for (int k = 0; k < gap.count; k++)
    assert_true(fabs(other.share[k] - gap.share[k]) < sample->strain * unit);
  assert_true(fabs(other.mollifier - gap.mollifier) < 100 * sample->strain * unit);
}

static void moves_with_the_pair(void **state) {
  (void)state;
  over_samples(moved_of);
}

// Normals of close pairs against numbers of twice the digits. A difference of the nearest points
// would be off by 1e-10.
static void close_normal_of(const Sample *sample) {
  if (sample->primitive.kind < ST_POINT_TRIANGLE || sample->distance > 1e-5)
    return;
  bool edges = sample->primitive.kind == ST_EDGE_EDGE;
  const double *x = sample->x;
  _Float128 u[3], v[3], n[3], square = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    u[i] = edges ? (_Float128)x[3 + i] - x[i] : (_Float128)x[6 + i] - x[3 + i];
    v[i] = edges ? (_Float128)x[9 + i] - x[6 + i] : (_Float128)x[9 + i] - x[3 + i];
  }
  for (int i = 0; i < 3; i++) {
    n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    square += n[i] * n[i];
  }
  StPrimitiveGap gap = gap_of(sample);
  for (int i = 0; i < 3; i++)
    sum += n[i] * gap.normal[i];
  double length = sqrt((double)square), sign = sum > 0 ? 1 : -1;
  for (int i = 0; i < 3; i++)
    assert_true(fabs((double)n[i] / length - sign * gap.normal[i]) < blur(sample));
}

// A point's normal from an edge is across it to the last digits.
static void across_of(const Sample *sample) {
  if (sample->primitive.kind != ST_POINT_EDGE)
    return;
  double edge[3];
  vec3_sub(sample->x + 6, sample->x + 3, edge);
  StPrimitiveGap gap = gap_of(sample);
  assert_true(fabs(vec3_dot(edge, gap.normal)) < 8 * ROUND * vec3_length(edge));
}

static void normals_of_close_pairs_are_exact(void **state) {
  (void)state;
  over_samples(close_normal_of);
  over_samples(across_of);
}

// The kernel and the search for the closest feature speak of the same distance.
static void closest_of(const Sample *sample) {
  double x[4][3], param[2], square = 0;
  memcpy(x, sample->x, sizeof x);
  StClosest closest = {0};
  StPrimitiveGap gap = gap_of(sample);
  if (sample->primitive.kind == ST_EDGE_EDGE) {
    const StEdgeStop *stop = sample->primitive.stop;
    bool inside = stop[0] == ST_EDGE_INSIDE && stop[1] == ST_EDGE_INSIDE;
    assert_int_equal(st_primitive_edge_edge(x, param, &square), inside);
    assert_true(fabs(param[0] - gap.share[1]) < blur(sample));
    assert_true(fabs(param[1] + gap.share[3]) < blur(sample));
  } else if (sample->primitive.kind == ST_POINT_TRIANGLE) {
    st_primitive_point_triangle(x, &closest);
    assert_int_equal(closest.feature, ST_FACE);
    square = closest.square;
  } else if (sample->primitive.kind == ST_POINT_EDGE) {
    st_primitive_point_edge(x, &closest);
    assert_int_equal(closest.feature, ST_EDGE_0);
    square = closest.square;
  } else
    return;
  for (int k = 1; k < gap.count && sample->primitive.kind != ST_EDGE_EDGE; k++)
    assert_true(fabs(closest.share[k - 1] + gap.share[k]) < blur(sample));
  assert_true(fabs(sqrt(square) - gap.distance) < blur(sample));
}

static void agrees_with_the_closest_feature(void **state) {
  (void)state;
  over_samples(closest_of);
}

static void has_no_normal_where_features_meet(void **state) {
  (void)state;
  StPrimitiveGap gap;
  const StPrimitive point = {.kind = ST_POINT_POINT}, edge = {.kind = ST_POINT_EDGE};
  const StPrimitive face = {.kind = ST_POINT_TRIANGLE};
  const StPrimitive edges = {.kind = ST_EDGE_EDGE, .rest_square = 1};
  const double same[12] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
  const double on_edge[9] = {0.5, 0, 0, 0, 0, 0, 1, 0, 0};
  const double on_face[12] = {0.25, 0.25, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const double flat[12] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 2, 0, 0};
  const double parallel[12] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1};
  assert_false(st_primitive_gap(&point, same, &gap));
  assert_false(st_primitive_gap(&edge, same, &gap));
  assert_false(st_primitive_gap(&edge, on_edge, &gap));
  assert_false(st_primitive_gap(&face, on_face, &gap));
  assert_false(st_primitive_gap(&face, flat, &gap));
  assert_false(st_primitive_gap(&edges, parallel, &gap));
  assert_false(st_primitive_gap(&face, (double[12]){NAN}, &gap));
}

// Two edges of length 1, 0.1 apart, that cross in the middle.
static void cross_at(double sine, double x[12]) {
  double cosine = sqrt(1 - sine * sine);
  const double ends[12] = {-0.5,          0,           0,   0.5,          0,          0,
                           -0.5 * cosine, -0.5 * sine, 0.1, 0.5 * cosine, 0.5 * sine, 0.1};
  memcpy(x, ends, sizeof ends);
}

// Edges within a thousandth of parallel do not press, and fade in from there without a kink; with
// no common normal at all an end still has its distance.
static void mollifier_ends_smoothly(void **state) {
  (void)state;
  StPrimitive edges = {.kind = ST_EDGE_EDGE, .rest_square = 1};
  static const double SINE[] = {0, 1e-7, 0.999e-3, 1.001e-3, 1e-2, 0.9 * 0.0316, 0.0317};
  double before = 0;
  for (size_t i = 0; i < sizeof SINE / sizeof *SINE; i++) {
    double x[12], steepest = 0;
    StPrimitiveGap gap;
    cross_at(SINE[i], x);
    edges.stop[0] = i == 0 ? ST_EDGE_FIRST : ST_EDGE_INSIDE;
    assert_true(st_primitive_gap(&edges, x, &gap));
    assert_true(fabs(gap.gap - 0.1) < 4 * ROUND);
    for (int k = 0; k < 12; k++)
      steepest = fmax(steepest, fabs(gap.mollifier_gradient[k]));
    bool parallel = SINE[i] < 1e-3;
    assert_true(st_primitive_parallel((const double(*)[3])x, 1) == parallel);
    assert_true(parallel ? gap.mollifier == 0 && steepest == 0 : gap.mollifier > before);
    if (SINE[i] == 1.001e-3) // the slope by c, in units of 6/ε, is (c - 10⁻⁶)/ε
      assert_true(gap.mollifier < 1e-10 && steepest < 1e-4);
    before = gap.mollifier;
  }
  assert_true(before == 1);
}

// Where the nearest point comes to an edge's end, gap, gradient and fade of the two edges are those
// of the end: energies are C¹ there.
static void inside_meets_the_end(void **state) {
  (void)state;
  uint64_t seed = 8128;
  for (int i = 0; i < TRIES; i++) {
    Sample sample = sample_make(&seed, ST_EDGE_EDGE, i % 2 ? SAMPLE_PARALLEL : SAMPLE_PLAIN);
    int side = i / 2 % 2, end = i / 4 % 2;
    StPrimitiveGap gap = gap_of(&sample);
    double *x = sample.x + 6 * side, *moved = x + 3 * end, foot[3];
    double along = side ? -gap.share[3] : gap.share[1];
    for (int c = 0; c < 3; c++)
      foot[c] = x[c] + along * (x[3 + c] - x[c]);
    vec3_copy(foot, moved); // the edge now ends where it is closest
    StPrimitiveGap inside = gap_of(&sample);
    sample.primitive.stop[side] = end ? ST_EDGE_SECOND : ST_EDGE_FIRST;
    StPrimitiveGap at_end = gap_of(&sample);
    double unit = 100 * blur(&sample) / (along * (1 - along) * sample.distance);
    assert_true(fabs(inside.gap - at_end.gap) < unit);
    assert_true(inside.mollifier == at_end.mollifier);
    for (int k = 0; k < 12; k++)
      assert_true(fabs(inside.gradient[k] - at_end.gradient[k]) < unit);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(means_what_it_says),
      cmocka_unit_test(radius_is_taken_off),
      cmocka_unit_test(agrees_with_the_complex_step),
      cmocka_unit_test(agrees_with_differences),
      cmocka_unit_test(moves_with_the_pair),
      cmocka_unit_test(normals_of_close_pairs_are_exact),
      cmocka_unit_test(agrees_with_the_closest_feature),
      cmocka_unit_test(has_no_normal_where_features_meet),
      cmocka_unit_test(mollifier_ends_smoothly),
      cmocka_unit_test(inside_meets_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
