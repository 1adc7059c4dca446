// Every linear method against a dense solution, on matrices good and bad, with dense terms, and the
// ladder from one method to the next.
#include "solve/tunables.h"
#include "support/random.h"
#include "support/sparse_problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { SIZE = 3 * 3 * 3 * 3 }; // unknowns of a cube of vertices
static const double TOLERANCE = 1e-10;

typedef double (*Entry)(const Sparse *, int, int, int, int);

static Sparse cube(Entry entry) {
  return (Sparse){.side = {3, 3, 3}, .reach = 1, .entry = entry};
}

static void fill(double b[SIZE]) {
  uint64_t state = 17;
  random_fill(&state, -1, 1, SIZE, b);
}

static StLinear *linear_of(const Sparse *sparse, StLinearOptions options) {
  StLinear *linear = NULL;
  if (options.max_iterations == 0)
    options.max_iterations = 300;
  assert_int_equal(st_linear_create(&sparse->problem, &options, &linear, NULL), ST_OK);
  st_linear_begin_step(linear);
  return linear;
}

// Solves once with one method; x and the answer.
static StStatus solve(Sparse *sparse, StLinearOptions options, const double *b, double *x,
                      StError *error) {
  StLinear *linear = linear_of(sparse, options);
  int iterations = 0;
  StStatus status =
      st_linear_solve(linear, b, (StLinearGoal){.tolerance = TOLERANCE}, x, &iterations, error);
  if (status == ST_OK)
    assert_true(options.method == ST_LINEAR_LU ? iterations == 1 : iterations > 0);
  st_linear_destroy(linear);
  return status;
}

// The residual is as small as asked for but for GMRES' own round-off, LU's as small as numbers
// allow, and x is the dense solution to within what the residual leaves open (the matrices'
// condition is far below 1e3).
static void check_solution(Sparse *sparse, StLinearMethod method, const double *b, const double *x,
                           bool couplings) {
  double *dense = sparse_dense(sparse, couplings), expected[SIZE];
  double left = sparse_remainder(sparse, b, x);
  assert_true(left <= (method == ST_LINEAR_LU ? 1e-13 : 2 * TOLERANCE));
  assert_true(dense_solve(SIZE, dense, b, expected));
  assert_true(dense_distance(SIZE, x, expected) <= 1e3 * TOLERANCE * dense_norm(SIZE, expected));
  free(dense);
}

static void every_method_solves(void **state) {
  (void)state;
  const Entry entry[] = {sparse_springs, sparse_turning};
  for (int i = 0; i < 2; i++)
    for (StLinearMethod method = ST_LINEAR_NONE; method <= ST_LINEAR_LU; method++) {
      Sparse sparse = cube(entry[i]);
      double b[SIZE], x[SIZE];
      StError error = {0};
      sparse_start(&sparse);
      fill(b);
      assert_int_equal(solve(&sparse, (StLinearOptions){.method = method}, b, x, &error), ST_OK);
      check_solution(&sparse, method, b, x, false);
      sparse_stop(&sparse);
    }
}

// GMRES keeps as many vectors as there are unknowns, LU needs no sign: both must get there. The
// others may give up, in words, but not be wrong.
static void indefinite_is_solved_or_refused(void **state) {
  (void)state;
  for (StLinearMethod method = ST_LINEAR_NONE; method <= ST_LINEAR_LU; method++) {
    Sparse sparse = cube(sparse_indefinite);
    double b[SIZE], x[SIZE];
    StError error = {0};
    sparse_start(&sparse);
    fill(b);
    StStatus status = solve(&sparse, (StLinearOptions){.method = method}, b, x, &error);
    if (method == ST_LINEAR_ILU || method == ST_LINEAR_LU)
      assert_int_equal(status, ST_OK);
    if (status == ST_OK && method == ST_LINEAR_GAMG)
      assert_true(sparse_remainder(&sparse, b, x) <= 1e-8); // corrections far too large cancel
    else if (status == ST_OK)
      check_solution(&sparse, method, b, x, false);
    else
      assert_true(status == ST_NOT_SOLVED && strstr(error.text, "did not reach"));
    sparse_stop(&sparse);
  }
}

// No method may call a matrix with an empty row solved, nor fall over it; and all go on once the
// matrix is sound again.
static void singular_is_refused_and_forgotten(void **state) {
  (void)state;
  for (StLinearMethod method = ST_LINEAR_NONE; method <= ST_LINEAR_LU; method++) {
    Sparse sparse = cube(sparse_singular);
    double b[SIZE], x[SIZE];
    StError error = {0};
    int iterations;
    sparse_start(&sparse);
    fill(b);
    StLinear *linear = linear_of(&sparse, (StLinearOptions){.method = method});
    StLinearGoal goal = {.tolerance = TOLERANCE};
    assert_int_equal(st_linear_solve(linear, b, goal, x, &iterations, &error), ST_NOT_SOLVED);
    assert_true(strlen(error.text) > 0);
    sparse.entry = sparse_springs;
    st_linear_begin_step(linear);
    assert_int_equal(st_linear_solve(linear, b, goal, x, &iterations, &error), ST_OK);
    check_solution(&sparse, method, b, x, false);
    st_linear_destroy(linear);
    sparse_stop(&sparse);
  }
}

// Incomplete factors stay for the next system of a step where they fit it, and give way where not.
static void kept_factors_give_way(void **state) {
  (void)state;
  const Entry entry[] = {sparse_springs, sparse_springs, sparse_badly_scaled, sparse_turning,
                         sparse_springs};
  Sparse sparse = cube(entry[0]);
  double b[SIZE], x[SIZE];
  int first = 0;
  sparse_start(&sparse);
  fill(b);
  StLinear *linear = linear_of(&sparse, (StLinearOptions){.method = ST_LINEAR_ILU});
  for (int i = 0; i < (int)(sizeof entry / sizeof *entry); i++) {
    int iterations = 0;
    StLinearGoal goal = {.tolerance = TOLERANCE};
    sparse.entry = entry[i];
    assert_int_equal(st_linear_solve(linear, b, goal, x, &iterations, NULL), ST_OK);
    assert_true(sparse_remainder(&sparse, b, x) <= 2 * TOLERANCE);
    if (i == 0)
      first = iterations;
    if (i == 1)
      assert_int_equal(iterations, first);
  }
  st_linear_destroy(linear);
  sparse_stop(&sparse);
}

// Twelve orders between the largest entry and the smallest: within reach of factors, of any kind.
static void bad_scales_are_borne(void **state) {
  (void)state;
  const StLinearMethod method[] = {ST_LINEAR_ILU, ST_LINEAR_LU};
  for (int i = 0; i < 2; i++) {
    Sparse sparse = cube(sparse_badly_scaled);
    double b[SIZE], x[SIZE];
    StError error = {0};
    sparse_start(&sparse);
    fill(b);
    StStatus status = solve(&sparse, (StLinearOptions){.method = method[i]}, b, x, &error);
    assert_int_equal(status, ST_OK);
    assert_true(sparse_remainder(&sparse, b, x) <= 2 * TOLERANCE);
    sparse_stop(&sparse);
  }
}

// The factors are in single precision, which ends at 1e38; right-hand sides do not.
static void right_hand_sides_of_any_size(void **state) {
  (void)state;
  const int power[] = {-200, 200, 600};
  for (StLinearMethod method = ST_LINEAR_NONE; method <= ST_LINEAR_LU; method++) {
    Sparse sparse = cube(sparse_turning);
    double b[SIZE], scaled[SIZE], x[SIZE], y[SIZE];
    StError error = {0};
    sparse_start(&sparse);
    fill(b);
    assert_int_equal(solve(&sparse, (StLinearOptions){.method = method}, b, x, &error), ST_OK);
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < SIZE; i++)
        scaled[i] = ldexp(b[i], power[k]);
      assert_int_equal(solve(&sparse, (StLinearOptions){.method = method}, scaled, y, &error),
                       ST_OK);
      for (int i = 0; i < SIZE; i++)
        assert_true(fabs(ldexp(y[i], -power[k]) - x[i]) <= 1e-14);
    }
    sparse_stop(&sparse);
  }
}

static double broken_entry(const Sparse *s, int i, int j, int a, int b) {
  return i == 4 && j == 4 && a == 1 && b == 1 ? NAN : sparse_springs(s, i, j, a, b);
}

static void what_is_no_number_is_refused(void **state) {
  (void)state;
  for (StLinearMethod method = ST_LINEAR_NONE; method <= ST_LINEAR_LU; method++)
    for (int in_matrix = 0; in_matrix < 2; in_matrix++) {
      Sparse sparse = cube(in_matrix ? broken_entry : sparse_springs);
      double b[SIZE], x[SIZE];
      StError error = {0};
      sparse_start(&sparse);
      fill(b);
      b[7] = in_matrix ? b[7] : NAN;
      StStatus status = solve(&sparse, (StLinearOptions){.method = method}, b, x, &error);
      assert_int_equal(status, ST_NOT_SOLVED);
      sparse_stop(&sparse);
    }
}

// Two dense terms, one stiff as a liquid's volume. Multigrid alone knows nothing of them, and is
// asked for as much as its iterations can find.
static Sparse coupled(StLinearMethod method) {
  Sparse sparse = cube(sparse_turning);
  sparse.coupling_count = 2;
  sparse.coupling_weight[0] = method == ST_LINEAR_GAMG ? 0.02 : 100;
  sparse.coupling_weight[1] = method == ST_LINEAR_GAMG ? 0.01 : 0.5;
  return sparse;
}

static void every_method_solves_with_dense_terms(void **state) {
  (void)state;
  for (StLinearMethod method = ST_LINEAR_NONE; method <= ST_LINEAR_LU; method++) {
    Sparse sparse = coupled(method);
    double b[SIZE], x[SIZE];
    StError error = {0};
    sparse_start(&sparse);
    fill(b);
    assert_int_equal(solve(&sparse, (StLinearOptions){.method = method}, b, x, &error), ST_OK);
    check_solution(&sparse, method, b, x, true);
    sparse_stop(&sparse);
  }
}

static void lu_leaves_dense_terms_out_when_told(void **state) {
  (void)state;
  Sparse sparse = coupled(ST_LINEAR_LU);
  double b[SIZE], x[SIZE];
  StError error = {0};
  sparse_start(&sparse);
  fill(b);
  StLinearOptions options = {.method = ST_LINEAR_LU, .inexact_coupling = true};
  assert_int_equal(solve(&sparse, options, b, x, &error), ST_OK);
  sparse.coupling_count = 0;
  check_solution(&sparse, ST_LINEAR_LU, b, x, false);
  sparse_stop(&sparse);
}

// 1 + w uᵀA⁻¹u = 0: LU says so, the factors of ILU do without the term.
static void a_singular_dense_term_is_refused(void **state) {
  (void)state;
  Sparse sparse = cube(sparse_springs);
  sparse.coupling_count = 1;
  double *dense = NULL, u[SIZE], solved[SIZE], x[SIZE], along = 0;
  StError error = {0};
  sparse_start(&sparse);
  dense = sparse_dense(&sparse, false);
  for (int i = 0; i < SIZE; i++)
    u[i] = sparse_coupling(0, i);
  assert_true(dense_solve(SIZE, dense, u, solved));
  for (int i = 0; i < SIZE; i++)
    along += u[i] * solved[i];
  sparse.coupling_weight[0] = -1 / along;
  StStatus status = solve(&sparse, (StLinearOptions){.method = ST_LINEAR_LU}, u, x, &error);
  assert_int_equal(status, ST_NOT_SOLVED);
  assert_non_null(strstr(error.text, "volume"));
  status = solve(&sparse, (StLinearOptions){.method = ST_LINEAR_ILU}, u, x, &error);
  assert_true(status == ST_NOT_SOLVED || sparse_remainder(&sparse, u, x) <= 1.01 * TOLERANCE);
  free(dense);
  sparse_stop(&sparse);
}

// Two iterations are enough for no Krylov method here.
static const StLinearOptions HURRIED = {
    .method = ST_LINEAR_ILU, .may_change = true, .max_iterations = 2};

static StStatus hurry(StLinear *linear, bool stay, double *x, StError *error) {
  double b[SIZE];
  int iterations;
  fill(b);
  StLinearGoal goal = {.tolerance = TOLERANCE, .stay = stay};
  return st_linear_solve(linear, b, goal, x, &iterations, error);
}

// LU solves what GMRES cannot, and the next try comes after twice as many steps each time.
static void the_ladder_goes_up_and_comes_back(void **state) {
  (void)state;
  Sparse sparse = cube(sparse_turning);
  double x[SIZE], b[SIZE];
  StError error = {0};
  fill(b);
  sparse_start(&sparse);
  StLinear *linear = linear_of(&sparse, HURRIED);
  for (int rest = 1; rest <= 128; rest *= 2) {
    assert_int_equal(st_linear_memory(linear).iterating.left, 0);
    assert_int_equal(hurry(linear, false, x, &error), ST_OK);
    check_solution(&sparse, ST_LINEAR_LU, b, x, false);
    int left = rest < 64 ? rest : 64;
    for (; left > 0; left--) {
      assert_int_equal(st_linear_memory(linear).iterating.left, left);
      st_linear_begin_step(linear);
    }
  }
  st_linear_destroy(linear);
  sparse_stop(&sparse);
}

// One system of a grid so large that factors are in single precision; what the solver remembers.
static StLinearMemory solve_large(Entry entry, double *left) {
  Sparse sparse = {.side = {14, 14, 14}, .reach = 1, .entry = entry};
  sparse_start(&sparse);
  StLinear *linear = linear_of(&sparse, (StLinearOptions){.method = ST_LINEAR_LU});
  int size = sparse.problem.size, iterations;
  double *b = malloc((size_t)size * sizeof(double)), *x = malloc((size_t)size * sizeof(double));
  uint64_t state = 23;
  StError error = {0};
  random_fill(&state, -1, 1, size, b);
  assert_int_equal(st_linear_solve(linear, b, (StLinearGoal){0}, x, &iterations, &error), ST_OK);
  *left = sparse_remainder(&sparse, b, x);
  StLinearMemory memory = st_linear_memory(linear);
  free(b);
  free(x);
  st_linear_destroy(linear);
  sparse_stop(&sparse);
  return memory;
}

static double stiff_springs(const Sparse *s, int i, int j, int a, int b) {
  return sparse_spring(s, i, j, a, b, 1e8);
}

// Single precision is refined to what double has, and gives way to it where refining stalls: of a
// condition of 1e9 it knows nothing.
static void single_precision_gives_way(void **state) {
  (void)state;
  double left;
  assert_int_equal(solve_large(sparse_springs, &left).rough.left, 0);
  assert_true(left <= 1e-11);
  assert_int_equal(solve_large(stiff_springs, &left).rough.left, 1);
  assert_true(left <= 1e-7);
}

// Who has a better idea asks to stay with the method chosen, unless LU is cheap.
static void the_ladder_stops_where_asked(void **state) {
  (void)state;
  Sparse sparse = cube(sparse_turning);
  double x[SIZE];
  StError error = {0};
  sparse_start(&sparse);
  for (int dear = 0; dear < 2; dear++) {
    StLinear *linear = linear_of(&sparse, HURRIED);
    if (dear)
      st_linear_restore(linear, (StLinearMemory){.price = 1e9});
    assert_int_equal(hurry(linear, true, x, &error), dear ? ST_NOT_SOLVED : ST_OK);
    assert_int_equal(st_linear_memory(linear).iterating.left, dear ? 0 : 1);
    st_linear_destroy(linear);
  }
  StLinearOptions fixed = HURRIED;
  fixed.may_change = false;
  StLinear *linear = linear_of(&sparse, fixed);
  assert_int_equal(hurry(linear, false, x, &error), ST_NOT_SOLVED);
  assert_int_equal(st_linear_memory(linear).iterating.left, 0);
  st_linear_destroy(linear);
  sparse_stop(&sparse);
}

// A defeat is forgotten when the next try succeeds.
static void single_defeats_are_forgiven(void **state) {
  (void)state;
  Sparse sparse = cube(sparse_turning);
  double x[SIZE], b[SIZE];
  StError error = {0};
  int iterations;
  const StLinearGoal easy = {.tolerance = 0.9};
  fill(b);
  sparse_start(&sparse);
  StLinear *linear = linear_of(&sparse, HURRIED);
  for (int step = 0; step < 5; step++) {
    st_linear_begin_step(linear);
    assert_int_equal(st_linear_solve(linear, b, easy, x, &iterations, &error), ST_OK);
    assert_int_equal(hurry(linear, false, x, &error), ST_OK);
    assert_int_equal(st_linear_memory(linear).iterating.left, 1);
  }
  st_linear_destroy(linear);
  sparse_stop(&sparse);
}

// Who asks for a method by name gets it as long as it has iterations left; else one that LU outruns
// is left before that.
static void named_methods_are_not_left_early(void **state) {
  (void)state;
  Sparse sparse = cube(sparse_turning);
  double x[SIZE], b[SIZE];
  StError error = {0};
  int iterations;
  fill(b);
  sparse_start(&sparse);
  for (int named = 0; named < 2; named++) {
    StLinearOptions options = {
        .method = ST_LINEAR_NONE, .may_change = true, .named = named, .max_iterations = 1000};
    StLinear *linear = linear_of(&sparse, options);
    StLinearGoal goal = {.tolerance = 1e-13};
    assert_int_equal(st_linear_solve(linear, b, goal, x, &iterations, &error), ST_OK);
    assert_int_equal(st_linear_memory(linear).iterating.left, !named);
    st_linear_destroy(linear);
  }
  sparse_stop(&sparse);
}

// A checkpoint taken while a method rests goes on with that; one that makes no sense starts afresh.
static void the_ladder_is_remembered(void **state) {
  (void)state;
  Sparse sparse = cube(sparse_turning);
  sparse_start(&sparse);
  StLinear *linear = linear_of(&sparse, HURRIED);
  st_linear_restore(linear, (StLinearMemory){.price = 5, .iterating = {2, 4}});
  st_linear_begin_step(linear);
  assert_int_equal(st_linear_memory(linear).iterating.left, 1);
  assert_int_equal(st_linear_memory(linear).iterating.last, 4);
  assert_true(st_linear_memory(linear).price == 5);
  const StLinearMemory senseless[] = {
      {.iterating = {-1, 4}}, {.reuse = {3, 1 << 20}}, {.rough = {2, 1}}, {.price = NAN}};
  for (int i = 0; i < 4; i++) {
    st_linear_restore(linear, senseless[i]);
    assert_int_equal(st_linear_memory(linear).iterating.last, 0);
    assert_int_equal(st_linear_memory(linear).reuse.last, 0);
    assert_true(st_linear_memory(linear).price == 5);
  }
  st_linear_destroy(linear);
  sparse_stop(&sparse);
}

// Multigrid takes over where LU would be too dear; a strip is easy for it at any length.
static void multigrid_is_for_what_lu_cannot_have(void **state) {
  (void)state;
  for (int dear = 0; dear < 2; dear++) {
    Sparse sparse = {.side = {2, 2, 5001}, .reach = 1, .entry = sparse_springs};
    sparse_start(&sparse);
    int size = sparse.problem.size, iterations;
    double *b = calloc((size_t)size, sizeof(double)), *x = calloc((size_t)size, sizeof(double));
    StError error = {0};
    uint64_t random = 3;
    random_fill(&random, -1, 1, size, b);
    StLinear *linear = linear_of(&sparse, HURRIED);
    if (dear)
      st_linear_restore(linear, (StLinearMemory){.price = 1e9, .iterating = {2, 2}});
    StLinearGoal goal = {.tolerance = TOLERANCE};
    StStatus status = st_linear_solve(linear, b, goal, x, &iterations, &error);
    assert_int_equal(status, dear ? ST_NOT_SOLVED : ST_OK); // two iterations are too few
    if (dear)
      assert_non_null(strstr(error.text, "gamg"));
    else
      assert_true(sparse_remainder(&sparse, b, x) < 1e-12);
    st_linear_destroy(linear);
    free(b);
    free(x);
    sparse_stop(&sparse);
  }
}

// Contacts widen the matrix between two solves; what was built for the old one is built anew.
static void a_wider_pattern_is_followed(void **state) {
  (void)state;
  for (StLinearMethod method = ST_LINEAR_NONE; method <= ST_LINEAR_LU; method++) {
    Sparse sparse = cube(sparse_springs);
    double b[SIZE], x[SIZE];
    const int far[] = {0, 26};
    const size_t start[] = {0, 2};
    StError error = {0};
    int iterations;
    bool changed = false;
    sparse_start(&sparse);
    fill(b);
    StLinear *linear = linear_of(&sparse, (StLinearOptions){.method = method});
    StLinearGoal goal = {.tolerance = TOLERANCE};
    assert_int_equal(st_linear_solve(linear, b, goal, x, &iterations, &error), ST_OK);
    StCliques cliques = {start, NULL, far, 1};
    assert_int_equal(st_block_matrix_fit(sparse.matrix, &cliques, true, &changed, NULL, &error),
                     ST_OK);
    assert_true(changed);
    sparse.problem.pattern++;
    assert_int_equal(st_linear_solve(linear, b, goal, x, &iterations, &error), ST_OK);
    double *dense = dense_of(sparse.matrix), expected[SIZE];
    assert_true(fabs(dense[78]) > 0); // the new block counts
    assert_true(dense_solve(SIZE, dense, b, expected));
    assert_true(dense_distance(SIZE, x, expected) <= 1e3 * TOLERANCE * dense_norm(SIZE, expected));
    free(dense);
    st_linear_destroy(linear);
    sparse_stop(&sparse);
  }
}

static double shaken(const Sparse *sparse, int i, int j, int a, int b) {
  return sparse_springs(sparse, i, j, a, b) * (1 + 1e-3 * sin(i + 2 * j));
}

static double pressed(const Sparse *sparse, int i, int j, int a, int b) {
  double pressure = i == j && a == b ? 1e3 * (1 + i % 9 + a) : 0;
  return sparse_springs(sparse, i, j, a, b) + pressure;
}

static int count_iterations(StLinear *linear, Sparse *sparse, Entry entry, const double *b) {
  double x[SIZE];
  int iterations = 0;
  StError error = {0};
  sparse->entry = entry;
  assert_int_equal(
      st_linear_solve(linear, b, (StLinearGoal){.tolerance = TOLERANCE}, x, &iterations, &error),
      ST_OK);
  check_solution(sparse, ST_LINEAR_ILU, b, x, sparse->coupling_count > 0);
  return iterations;
}

// Within a step factors serve for a matrix that has changed a little, with dense terms or without.
// One that has changed much is factorised, and the attempt is not repeated in this step.
static void factors_are_used_again(void **state) {
  (void)state;
  for (int dense = 0; dense < 2; dense++) {
    Sparse sparse = cube(sparse_springs);
    double b[SIZE];
    sparse.coupling_count = dense;
    sparse.coupling_weight[0] = 2;
    sparse_start(&sparse);
    fill(b);
    StLinear *linear = linear_of(&sparse, (StLinearOptions){.method = ST_LINEAR_LU});
    assert_int_equal(count_iterations(linear, &sparse, sparse_springs, b), 1);
    int again = count_iterations(linear, &sparse, shaken, b);
    assert_in_range(again, 2, (int)st_solve_tunables.lu_reuse_iterations);
    assert_int_equal(count_iterations(linear, &sparse, pressed, b),
                     (int)st_solve_tunables.lu_reuse_iterations + 1);
    assert_int_equal(count_iterations(linear, &sparse, sparse_springs, b), 1);
    assert_int_equal(count_iterations(linear, &sparse, shaken, b), 1);
    st_linear_begin_step(linear);
    assert_int_equal(count_iterations(linear, &sparse, sparse_springs, b), 1);
    assert_int_equal(count_iterations(linear, &sparse, shaken, b), again);
    st_linear_destroy(linear);
    sparse_stop(&sparse);
  }
}

// Multigrid keeps its interpolation within a step and makes it anew in the next.
static void multigrid_is_used_again(void **state) {
  (void)state;
  Sparse sparse = {.side = {6, 6, 6}, .reach = 1, .entry = sparse_springs};
  sparse_start(&sparse);
  int size = sparse.problem.size, first = 0, again = 0, next = 0;
  double *b = calloc((size_t)size, sizeof(double)), *x = calloc((size_t)size, sizeof(double));
  StError error = {0};
  uint64_t random = 3;
  random_fill(&random, -1, 1, size, b);
  StLinear *linear = linear_of(&sparse, (StLinearOptions){.method = ST_LINEAR_GAMG});
  StLinearGoal goal = {.tolerance = TOLERANCE};
  assert_int_equal(st_linear_solve(linear, b, goal, x, &first, &error), ST_OK);
  assert_int_equal(st_linear_solve(linear, b, goal, x, &again, &error), ST_OK);
  st_linear_begin_step(linear);
  assert_int_equal(st_linear_solve(linear, b, goal, x, &next, &error), ST_OK);
  assert_true(sparse_remainder(&sparse, b, x) <= 1.01 * TOLERANCE);
  assert_int_equal(first, again); // the same matrix takes as long
  assert_int_equal(first, next);
  st_linear_destroy(linear);
  free(b);
  free(x);
  sparse_stop(&sparse);
}

static void faults_are_passed_on(void **state) {
  (void)state;
  for (StLinearMethod method = ST_LINEAR_NONE; method <= ST_LINEAR_LU; method++) {
    Sparse sparse = cube(sparse_springs);
    double b[SIZE], x[SIZE];
    StError error = {0};
    sparse.assembly = ST_SYSTEM_FAULT;
    sparse_start(&sparse);
    fill(b);
    StLinearOptions options = {.method = method, .may_change = true};
    assert_int_equal(solve(&sparse, options, b, x, &error), ST_SYSTEM_FAULT);
    assert_string_equal(error.text, "no matrix today");
    sparse_stop(&sparse);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_solves),
      cmocka_unit_test(indefinite_is_solved_or_refused),
      cmocka_unit_test(singular_is_refused_and_forgotten),
      cmocka_unit_test(kept_factors_give_way),
      cmocka_unit_test(bad_scales_are_borne),
      cmocka_unit_test(right_hand_sides_of_any_size),
      cmocka_unit_test(what_is_no_number_is_refused),
      cmocka_unit_test(every_method_solves_with_dense_terms),
      cmocka_unit_test(lu_leaves_dense_terms_out_when_told),
      cmocka_unit_test(a_singular_dense_term_is_refused),
      cmocka_unit_test(the_ladder_goes_up_and_comes_back),
      cmocka_unit_test(single_precision_gives_way),
      cmocka_unit_test(the_ladder_stops_where_asked),
      cmocka_unit_test(single_defeats_are_forgiven),
      cmocka_unit_test(named_methods_are_not_left_early),
      cmocka_unit_test(the_ladder_is_remembered),
      cmocka_unit_test(multigrid_is_for_what_lu_cannot_have),
      cmocka_unit_test(a_wider_pattern_is_followed),
      cmocka_unit_test(factors_are_used_again),
      cmocka_unit_test(multigrid_is_used_again),
      cmocka_unit_test(faults_are_passed_on),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
