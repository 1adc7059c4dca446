// Linear systems of real steps that an iterative method once failed on (tests/data/systems, written
// by --dump-systems): whoever must solve them does, to a residual computed in double precision.
#include "solve/linear.h"
#include "solve/runtime.h"
#include "solve/sparse_lu.h"
#include "solve/system_file.h"
#include "support/system_file.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

enum { SLEEVE = 3 };

// Names; what GMRES with incomplete LU need not solve, LU must.
static const struct {
  const char *name;
  bool stiff; // bodies in contact
} KEPT[] = {
    {"arch", true},               // 25 stones
    {"stack", true},              // six stiff cubes
    {"pile", true},               // sixteen stiff bodies
    [SLEEVE] = {"sleeve", false}, // stiff cloth round an arm that bends
};

static void open_system(int index, KeptSystem *kept) {
  char path[500];
  snprintf(path, sizeof path, "%s/systems/%s.system", TEST_DATA, KEPT[index].name);
  assert_true(kept_read(path, kept));
}

// ‖b - A x‖ / ‖b‖ of the system as it is in the file.
static double residual_of(KeptSystem *kept, const double *x) {
  int size = kept->problem.size;
  double *y = malloc((size_t)size * sizeof(double)), left = 0, whole = 0;
  kept_assemble(kept, ST_ASSEMBLE_WHOLE, NULL);
  kept_product(kept, x, y);
  for (int i = 0; i < size; i++) {
    left += (kept->b[i] - y[i]) * (kept->b[i] - y[i]);
    whole += kept->b[i] * kept->b[i];
  }
  free(y);
  return sqrt(left / whole);
}

static StStatus solve(KeptSystem *kept, StLinearOptions options, double tolerance, double *x) {
  StLinear *linear = NULL;
  StError error = {0};
  int iterations = 0;
  assert_int_equal(st_linear_create(&kept->problem, &options, &linear, &error), ST_OK);
  st_linear_begin_step(linear);
  StStatus status = st_linear_solve(linear, kept->b, (StLinearGoal){.tolerance = tolerance}, x,
                                    &iterations, &error);
  st_linear_destroy(linear);
  return status;
}

// The tolerance, and as much again at most where products are in single precision: more doubt than
// that makes the solver compute them in double.
static void check(KeptSystem *kept, StLinearOptions options, double tolerance, const char *what) {
  double *x = calloc((size_t)kept->problem.size, sizeof(double));
  assert_int_equal(solve(kept, options, tolerance, x), ST_OK);
  double left = residual_of(kept, x);
  print_message("%-10s %-14s residual %.1e of %.1e\n", what, st_linear_method_name(options.method),
                left, tolerance);
  assert_true(left <= 2 * tolerance);
  free(x);
}

static void methods_solve_what_they_must(void **unused) {
  (void)unused;
  for (int i = 0; i < (int)(sizeof KEPT / sizeof *KEPT); i++) {
    KeptSystem kept;
    open_system(i, &kept);
    if (!KEPT[i].stiff)
      check(&kept, (StLinearOptions){.method = ST_LINEAR_ILU, .max_iterations = 2000},
            kept.tolerance, KEPT[i].name);
    check(&kept, (StLinearOptions){.method = ST_LINEAR_LU, .max_iterations = 1}, 1e-7,
          KEPT[i].name);
    kept_free(&kept);
  }
}

// So close to what single precision can tell that the solver goes on in double.
static void close_tolerances_are_kept(void **unused) {
  (void)unused;
  KeptSystem kept;
  open_system(SLEEVE, &kept);
  for (double tolerance = 1e-4; tolerance > 3e-7; tolerance /= 10)
    check(&kept, (StLinearOptions){.method = ST_LINEAR_ILU, .max_iterations = 2000}, tolerance,
          KEPT[SLEEVE].name);
  kept_free(&kept);
}

// From the first choice of a run on, whatever it takes.
static void the_ladder_ends_with_a_solution(void **unused) {
  (void)unused;
  for (int i = 0; i < (int)(sizeof KEPT / sizeof *KEPT); i++)
    for (int named = 0; named < 2; named++) {
      KeptSystem kept;
      open_system(i, &kept);
      check(&kept,
            (StLinearOptions){.method = ST_LINEAR_ILU,
                              .may_change = true,
                              .named = named == 1,
                              .max_iterations = 200},
            kept.tolerance, KEPT[i].name);
      kept_free(&kept);
    }
}

// Refined factors in single precision either come down like those in double or are seen not to.
static void single_precision_is_refined_or_refused(void **unused) {
  (void)unused;
  for (int i = 0; i < (int)(sizeof KEPT / sizeof *KEPT); i++) {
    KeptSystem kept;
    StSparseLu *lu = NULL;
    open_system(i, &kept);
    int size = kept.problem.size;
    double *x = calloc((size_t)size, sizeof(double)), *y = calloc((size_t)size, sizeof(double));
    kept_assemble(&kept, ST_ASSEMBLE_WHOLE, NULL);
    assert_int_equal(st_sparse_lu_create(kept.matrix, &lu, NULL), ST_OK);
    for (int single = 1; single >= 0; single--) {
      assert_int_equal(st_sparse_lu_factor(lu, kept.matrix, single, NULL, NULL), ST_OK);
      memset(x, 0, (size_t)size * sizeof(double));
      double left = 1;
      for (int round = 0; round < 6 && left > 1e-11; round++) {
        st_block_matrix_multiply(kept.matrix, x, y);
        for (int k = 0; k < size; k++)
          y[k] = kept.b[k] - y[k];
        st_sparse_lu_solve(lu, y, y);
        for (int k = 0; k < size; k++)
          x[k] += y[k];
        left = kept.problem.coupling_count == 0 ? residual_of(&kept, x) : 0;
      }
      print_message("%-10s %s precision: residual %.1e\n", KEPT[i].name,
                    single ? "single" : "double", left);
      assert_true(single || left <= 1e-9);
    }
    st_sparse_lu_destroy(lu);
    free(x);
    free(y);
    kept_free(&kept);
  }
}

// What is written is read back as it was.
static void files_hold_the_system(void **unused) {
  (void)unused;
  KeptSystem kept, again;
  StSystemNote note = {"fgmres + ilu", "a test", 1e-3};
  open_system(0, &kept);
  kept_assemble(&kept, ST_ASSEMBLE_WHOLE, NULL);
  unlink("kept/0001.system");
  assert_int_equal(st_system_file_write("kept", &kept.problem, kept.b, &note, NULL), ST_OK);
  assert_true(kept_read("kept/0001.system", &again));
  assert_string_equal(again.method, note.method);
  assert_true(again.tolerance == note.tolerance);
  size_t blocks = (size_t)kept.matrix->row_start[kept.matrix->row_count];
  size_t size = (size_t)kept.problem.size * sizeof(double);
  assert_int_equal(again.matrix->row_count, kept.matrix->row_count);
  assert_memory_equal(again.matrix->column, kept.matrix->column, blocks * sizeof(int));
  assert_memory_equal(again.value, kept.value, 9 * blocks * sizeof(double));
  assert_memory_equal(again.b, kept.b, size);
  assert_memory_equal(again.problem.coordinates, kept.problem.coordinates, size);
  assert_memory_equal(again.problem.scale, kept.problem.scale, size);
  unlink("kept/0001.system");
  kept_free(&kept);
  kept_free(&again);
}

// A solver that gives up on a system writes it, and the next one solves it.
static void failures_are_kept(void **unused) {
  (void)unused;
  KeptSystem kept, again;
  StLinear *linear = NULL;
  StError error = {0};
  int iterations = 0;
  open_system(0, &kept);
  unlink("failed/0001.system");
  unlink("failed/0002.system");
  double *x = calloc((size_t)kept.problem.size, sizeof(double));
  StLinearOptions options = {.method = ST_LINEAR_NONE, .max_iterations = 2};
  assert_int_equal(st_linear_create(&kept.problem, &options, &linear, &error), ST_OK);
  assert_int_equal(st_linear_keep_failed(linear, "failed", &error), ST_OK);
  st_linear_begin_step(linear);
  for (int k = 0; k < 2; k++)
    assert_int_equal(
        st_linear_solve(linear, kept.b, (StLinearGoal){.tolerance = 1e-6}, x, &iterations, &error),
        ST_NOT_SOLVED);
  assert_true(kept_read("failed/0002.system", &again));
  assert_string_equal(again.method, "fgmres");
  assert_true(again.tolerance == 1e-6);
  assert_memory_equal(again.b, kept.b, (size_t)kept.problem.size * sizeof(double));
  unlink("failed/0001.system");
  unlink("failed/0002.system");
  st_linear_destroy(linear);
  free(x);
  kept_free(&kept);
  kept_free(&again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(methods_solve_what_they_must),
      cmocka_unit_test(close_tolerances_are_kept),
      cmocka_unit_test(the_ladder_ends_with_a_solution),
      cmocka_unit_test(single_precision_is_refined_or_refused),
      cmocka_unit_test(files_hold_the_system),
      cmocka_unit_test(failures_are_kept),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
