// Factors of motions of rigid bodies: as exact as those of all unknowns wherever bodies are much
// stiffer than what is between them, and left for the others where they are not.
#include "solve/factors.h"
#include "math/vec3.h"
#include "support/random.h"
#include "support/sparse_problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// Bodies and loose vertices by turns, 4, 1, 4, 1, …, all of them coupled: few bodies alone would be
// eliminated as they are.
enum { BODIES = 12, PERIOD = ST_GROUP_ROWS + 1, ROWS = PERIOD * BODIES, SIZE = 3 * ROWS };
enum { CORNERS = ST_GROUP_ROWS, OWN = 3 * CORNERS };

typedef struct Chain {
  Sparse sparse;
  int frame[CORNERS * BODIES];
  double position[SIZE];
  double stiffness[OWN][OWN]; // of a body: twelve unknowns without rigid motions, projected
  double firmness;            // of bodies, against 1 for what is between them
} Chain;

static double corner[CORNERS][3] = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0.1}, {0.1, 0, 1.1}};

// 1 - Σ m mᵀ over the orthonormalised motions m.
static void fill_stiffness(Chain *chain, const double *scale) {
  double motion[6][OWN] = {{0}};
  for (int i = 0; i < OWN; i++)
    for (int j = 0; j < OWN; j++)
      chain->stiffness[i][j] = i == j;
  for (int m = 0; m < 6; m++) {
    for (int k = 0; k < CORNERS; k++) {
      double axis[3] = {0}, v[3];
      axis[m % 3] = 1;
      vec3_cross(axis, corner[k], v);
      for (int c = 0; c < 3; c++)
        motion[m][3 * k + c] =
            scale[3 * k + c] > 0 ? (m < 3 ? axis[c] : v[c]) / scale[3 * k + c] : 0;
    }
    for (int n = 0; n < m; n++) {
      double along = 0;
      for (int i = 0; i < OWN; i++)
        along += motion[n][i] * motion[m][i];
      for (int i = 0; i < OWN; i++)
        motion[m][i] -= along * motion[n][i];
    }
    double square = 0;
    for (int i = 0; i < OWN; i++)
      square += motion[m][i] * motion[m][i];
    for (int i = 0; i < OWN && square > 1e-20; i++)
      motion[m][i] /= sqrt(square);
    for (int i = 0; i < OWN; i++)
      for (int j = 0; j < OWN; j++)
        chain->stiffness[i][j] -= motion[m][i] * motion[m][j];
  }
}

// Something between all, and the bodies' own stiffness.
static double chain_entry(const Sparse *s, int i, int j, int a, int b) {
  const Chain *chain = (const Chain *)s;
  double value =
      i == j ? (a == b ? 3 : 0.2 * (a - b)) : 0.03 * sin(1.7 * (3 * i + a + 1) * (3 * j + b + 1));
  if (s->scale[3 * i + a] == 0 || s->scale[3 * j + b] == 0)
    return i == j && a == b;
  bool together = i / PERIOD == j / PERIOD && i % PERIOD < CORNERS && j % PERIOD < CORNERS;
  if (together)
    value += chain->firmness * chain->stiffness[3 * (i % PERIOD) + a][3 * (j % PERIOD) + b];
  return value;
}

// held: a coordinate of all corners that does not move; -1: none. reach: how far rows are coupled.
static void chain_start(Chain *chain, double firmness, int held, int reach) {
  *chain = (Chain){.sparse = {.side = {ROWS, 1, 1}, .reach = reach, .entry = chain_entry},
                   .firmness = firmness};
  Sparse *s = &chain->sparse;
  sparse_start(s);
  for (int i = 0; i < SIZE; i++) {
    int vertex = i / 3 % PERIOD;
    bool loose = vertex == CORNERS;
    s->scale[i] = loose ? 1 : i % 3 == held ? 0 : 0.5 + 0.1 * vertex;
    chain->position[i] = (loose ? 0 : corner[vertex][i % 3]) + 10 * (i / 3 / PERIOD);
  }
  fill_stiffness(chain, s->scale);
  for (int i = 0; i < CORNERS * BODIES; i++)
    chain->frame[i] = PERIOD * (i / CORNERS) + i % CORNERS;
  s->problem.group_count = BODIES;
  s->problem.group = chain->frame;
  s->problem.position = chain->position;
  assert_int_equal(sparse_assemble(s, ST_ASSEMBLE_WHOLE, NULL), ST_OK);
}

// What one solve leaves is what bodies yield, relative to what is between them: at most some tens.
static void a_solve_leaves_what_bodies_yield(void **state) {
  (void)state;
  for (int held = -1; held < 3; held++)
    for (double firmness = 1e4; firmness <= 1e8; firmness *= 1e2) {
      Chain chain;
      StFactors *factors = NULL;
      double b[SIZE], x[SIZE];
      uint64_t random = 11;
      chain_start(&chain, firmness, held, ROWS);
      random_fill(&random, -1, 1, SIZE, b);
      assert_int_equal(st_factors_create(&chain.sparse.problem, false, &factors, NULL), ST_OK);
      assert_true(st_factors_are_reduced(factors) && st_factors_are_rough(factors));
      assert_int_equal(st_factors_plan(factors)->row_count, 3 * BODIES);
      assert_int_equal(st_factors_make(factors, false, NULL, NULL), ST_OK);
      st_factors_solve(factors, b, x);
      double left = sparse_remainder(&chain.sparse, b, x);
      print_message("held %2d, firmness %.0e: left %.1e\n", held, firmness, left);
      assert_true(left <= 30 / firmness);
      st_factors_solve(factors, b, b); // in place
      for (int i = 0; i < SIZE; i++)
        assert_true(b[i] == x[i]);
      st_factors_destroy(factors);
      sparse_stop(&chain.sparse);
    }
}

static void few_touches_need_no_reduction(void **state) {
  (void)state;
  Chain chain;
  StFactors *factors = NULL;
  chain_start(&chain, 1e6, -1, 1);
  assert_int_equal(st_factors_create(&chain.sparse.problem, false, &factors, NULL), ST_OK);
  assert_false(st_factors_are_reduced(factors) || st_factors_whole(factors));
  assert_int_equal(st_factors_plan(factors)->row_count, ROWS);
  st_factors_destroy(factors);
  sparse_stop(&chain.sparse);
}

// Bodies as soft as what is between them take iterations, and where those fail, all unknowns.
static void soft_bodies_are_solved_all_the_same(void **state) {
  (void)state;
  const struct {
    double firmness, left, estimate;
    int rest;
  } row[] = {{1e6, 1e-7, 1e-4, 0}, {0.1, 1e-7, 1, 0}, {-2.9, 1e-11, 1e-11, 1}};
  for (int i = 0; i < 3; i++) {
    Chain chain;
    StLinear *linear = NULL;
    double b[SIZE], x[SIZE];
    int iterations;
    uint64_t random = 12;
    StLinearOptions options = {.method = ST_LINEAR_LU, .max_iterations = 10};
    chain_start(&chain, row[i].firmness, -1, ROWS);
    random_fill(&random, -1, 1, SIZE, b);
    assert_int_equal(st_linear_create(&chain.sparse.problem, &options, &linear, NULL), ST_OK);
    st_linear_begin_step(linear);
    assert_false(st_linear_estimate(linear, b, x));
    assert_int_equal(st_linear_solve(linear, b, (StLinearGoal){0}, x, &iterations, NULL), ST_OK);
    double left = sparse_remainder(&chain.sparse, b, x);
    assert_true(st_linear_estimate(linear, b, x));
    double estimate = sparse_remainder(&chain.sparse, b, x);
    print_message("firmness %g: left %.1e, by one solve %.1e, rests for %d steps\n",
                  row[i].firmness, left, estimate, st_linear_memory(linear).rough.left);
    assert_true(left <= row[i].left);
    assert_true(estimate <= row[i].estimate);
    assert_int_equal(st_linear_memory(linear).rough.left, row[i].rest);
    st_linear_destroy(linear);
    sparse_stop(&chain.sparse);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_solve_leaves_what_bodies_yield),
                                     cmocka_unit_test(few_touches_need_no_reduction),
                                     cmocka_unit_test(soft_bodies_are_solved_all_the_same)};
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
