// Forty short scenes that are hard on contact and friction: every one ends without failure,
// penetration or NaN. One that cannot be solved must say so and keep its last good state.
#include "base/memory.h"
#include "solve/runtime.h"
#include "support/torture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <time.h>

#define DIRECT ST_SOLVER_DIRECT
#define ITERATIVE ST_SOLVER_ITERATIVE
#define IMPLICIT ST_FRICTION_IMPLICIT
#define FIXED ST_FRICTION_FIXED_BASIS
#define LAGGED ST_FRICTION_LAGGED

// kind, E, h, steps, μ, integrator, solver, friction, speed, μ_s/μ_d
static const Torture cases[] = {
    {TORTURE_DROP, 1e3, 0.05, 20, 0, "be", DIRECT, IMPLICIT, 1, 1},
    {TORTURE_DROP, 1e4, 1e-3, 100, 0.5, "tr", DIRECT, IMPLICIT, 2, 1.2},
    {TORTURE_DROP, 1e5, 0.01, 60, 2, "tr_bdf2", ITERATIVE, IMPLICIT, 3, 1.2},
    {TORTURE_DROP, 1e6, 1e-4, 150, 0.3, "bdf2", DIRECT, LAGGED, 3, 1},
    {TORTURE_DROP, 1e7, 0.02, 40, 1, "sdirk2", DIRECT, IMPLICIT, 5, 1.2},
    {TORTURE_DROP, 1e9, 0.05, 20, 2, "be", ITERATIVE, IMPLICIT, 5, 1},
    {TORTURE_DROP, 1e9, 1e-3, 100, 0.7, "tr_bdf2", DIRECT, FIXED, 2, 1},

    {TORTURE_THROW, 1e3, 0.01, 50, 1, "sdirk2", DIRECT, LAGGED, 1, 1.2},
    {TORTURE_THROW, 1e5, 0.05, 20, 0.5, "bdf2", DIRECT, IMPLICIT, 3, 1},
    {TORTURE_THROW, 1e5, 1e-4, 150, 2, "tr", ITERATIVE, IMPLICIT, 3, 1},
    {TORTURE_THROW, 1e6, 0.01, 60, 0, "tr_bdf2", DIRECT, IMPLICIT, 5, 1},
    {TORTURE_THROW, 1e7, 1e-3, 150, 1.5, "be", ITERATIVE, LAGGED, 5, 1},
    {TORTURE_THROW, 1e8, 0.01, 60, 2, "sdirk2", DIRECT, IMPLICIT, 10, 1.2},
    {TORTURE_THROW, 1e9, 0.02, 40, 0.2, "bdf2", DIRECT, IMPLICIT, 10, 1},

    {TORTURE_SQUEEZE, 1e3, 0.05, 20, 0.5, "be", DIRECT, IMPLICIT, 0, 1},
    {TORTURE_SQUEEZE, 1e5, 0.01, 50, 2, "tr_bdf2", DIRECT, IMPLICIT, 0, 1.2},
    {TORTURE_SQUEEZE, 1e6, 1e-3, 100, 0, "sdirk2", DIRECT, IMPLICIT, 0, 1},
    {TORTURE_SQUEEZE, 1e7, 1e-4, 150, 1, "bdf2", DIRECT, LAGGED, 0, 1},
    {TORTURE_SQUEEZE, 1e9, 0.02, 50, 0.3, "be", ITERATIVE, IMPLICIT, 0, 1},
    {TORTURE_SQUEEZE, 1e9, 0.05, 20, 2, "be", DIRECT, IMPLICIT, 0, 1.2},

    {TORTURE_SHEAR, 1e3, 0.02, 50, 2, "be", DIRECT, IMPLICIT, 0, 1.2},
    {TORTURE_SHEAR, 1e5, 0.05, 20, 0.5, "be", ITERATIVE, IMPLICIT, 0, 1},
    {TORTURE_SHEAR, 1e6, 0.01, 60, 1, "tr_bdf2", DIRECT, LAGGED, 0, 1},
    {TORTURE_SHEAR, 1e7, 1e-3, 100, 0.1, "sdirk2", DIRECT, IMPLICIT, 0, 1},
    {TORTURE_SHEAR, 1e9, 0.01, 60, 2, "bdf2", DIRECT, IMPLICIT, 0, 1.2},

    {TORTURE_STACK, 1e4, 0.02, 6, 0.5, "be", DIRECT, IMPLICIT, 0, 1},
    {TORTURE_STACK, 1e6, 0.01, 3, 1, "tr_bdf2", ITERATIVE, IMPLICIT, 1, 1},
    {TORTURE_STACK, 1e7, 1e-3, 30, 0, "bdf2", ITERATIVE, IMPLICIT, 2, 1},
    {TORTURE_STACK, 1e9, 0.05, 2, 2, "be", DIRECT, LAGGED, 0, 1},

    {TORTURE_BALLS, 1e3, 1e-3, 20, 0.5, "tr_bdf2", DIRECT, IMPLICIT, 1, 1},
    {TORTURE_BALLS, 1e5, 0.05, 4, 2, "be", DIRECT, IMPLICIT, 1, 1},
    {TORTURE_BALLS, 1e6, 0.01, 4, 1, "tr_bdf2", ITERATIVE, IMPLICIT, 3, 1},
    {TORTURE_BALLS, 1e7, 1e-4, 25, 0.3, "sdirk2", DIRECT, FIXED, 5, 1},
    {TORTURE_BALLS, 1e9, 0.01, 20, 0, "bdf2", DIRECT, LAGGED, 5, 1},

    {TORTURE_MESH, 1e4, 0.02, 15, 0.5, "be", DIRECT, IMPLICIT, 1, 1.2},
    {TORTURE_MESH, 1e6, 1e-3, 60, 2, "tr_bdf2", ITERATIVE, IMPLICIT, 3, 1},
    {TORTURE_MESH, 1e9, 0.01, 20, 1, "bdf2", DIRECT, LAGGED, 5, 1},

    {TORTURE_OVERLAP, 1e3, 0.02, 30, 0.5, "be", DIRECT, IMPLICIT, 0, 1},
    {TORTURE_OVERLAP, 1e6, 1e-3, 100, 2, "tr_bdf2", DIRECT, IMPLICIT, 0, 1},
    {TORTURE_OVERLAP, 1e9, 0.05, 20, 1, "sdirk2", ITERATIVE, LAGGED, 0, 1},
};

// What the judge saw over a whole run.
typedef struct Verdict {
  StStatus status;
  bool finite;
  double beyond, inside, deepest; // worst of the plates', the tetrahedra's and the engine's account
  long newton, found;             // found: states in which the program's judge saw anything
  int most_newton, retries;
} Verdict;

static void judge(const Torture *t, StTrial *trial, bool overlap, Verdict *verdict) {
  StSnapshot state;
  StError error = {0};
  const StReport *report = st_simulation_report(trial->simulation);
  assert_int_equal(st_trial_state(trial, &state, &error), ST_OK);
  verdict->finite = verdict->finite && torture_finite(&state, report);
  if (!overlap)
    verdict->beyond = fmax(verdict->beyond, torture_beyond_plates(t, &state));
  if (report->contact.touching > 0)
    verdict->deepest = fmin(verdict->deepest, report->contact.deepest_gap);
  verdict->inside = fmax(verdict->inside, torture_depth_in_bodies(trial->description, &state));
  st_snapshot_free(&state);
}

static Verdict torture(const Torture *t, StContactMethod method, StError *error) {
  Verdict verdict = {.finite = true, .beyond = -INFINITY, .inside = -INFINITY, .deepest = INFINITY};
  StWorld world = torture_world(t, method);
  StTrial trial;
  verdict.status = st_trial_start(&world, &trial, error);
  while (verdict.status == ST_OK && !st_simulation_finished(trial.simulation)) {
    verdict.status = st_trial_step(&trial, error);
    if (verdict.status != ST_OK)
      break;
    const StReport *report = st_simulation_report(trial.simulation);
    verdict.newton += report->newton_iterations;
    if (report->newton_iterations > verdict.most_newton)
      verdict.most_newton = report->newton_iterations;
    verdict.found = report->judged->found;
    verdict.retries += report->retries;
    judge(t, &trial, report->record->overlapping, &verdict);
  }
  st_trial_end(&trial);
  return verdict;
}

// The smooth surface runs up to a tenth of a triangle's size below the triangles; bodies here have
// triangles of a quarter of their size. Primitives keep all of a body out.
static bool passes(const Torture *t, StContactMethod method, const Verdict *verdict) {
  bool primitives = method == ST_CONTACT_PRIMITIVES;
  bool apart = (t->kind == TORTURE_OVERLAP && !primitives) || verdict->deepest >= 0;
  bool clean = !primitives || (verdict->found == 0 && verdict->inside <= 0);
  return verdict->status == ST_OK && verdict->finite && verdict->beyond <= 0 && apart && clean &&
         verdict->inside < 0.1 * TORTURE_SIZE / 4;
}

static bool run_case(int number, StContactMethod method) {
  const Torture *t = &cases[number];
  StError error = {0};
  clock_t began = clock();
  Verdict verdict = torture(t, method, &error);
  bool good = passes(t, method, &verdict);
  print_message("%2d %-10s E %.0e h %-6g mu %-3g %-7s %-9s: %s, newton %.1f per step, most %d, "
                "retries %d, deepest %.1e m, beyond plates %.1e m, inside tets %.1e m, found %ld, "
                "%.2f s%s%s\n",
                number + 1, method == ST_CONTACT_SMOOTH ? "smooth" : "primitives", t->young,
                t->step, t->friction, t->integrator, t->solver == DIRECT ? "direct" : "iterative",
                good ? "good" : "FAILED", (double)verdict.newton / t->steps, verdict.most_newton,
                verdict.retries, verdict.deepest, verdict.beyond, verdict.inside, verdict.found,
                (double)(clock() - began) / CLOCKS_PER_SEC, error.text[0] ? ": " : "", error.text);
  return good;
}

static void run_kind(TortureKind kind) {
  int failed = 0, ran = 0;
  for (int i = 0; i < ST_LENGTH(cases); i++)
    if (cases[i].kind == kind) {
      failed += !run_case(i, ST_CONTACT_SMOOTH);
      failed += !run_case(i, ST_CONTACT_PRIMITIVES);
      ran++;
    }
  assert_true(ran > 0);
  assert_int_equal(failed, 0);
}

static void test_drop(void **state) {
  (void)state;
  run_kind(TORTURE_DROP);
}

static void test_throw(void **state) {
  (void)state;
  run_kind(TORTURE_THROW);
}

static void test_squeeze(void **state) {
  (void)state;
  run_kind(TORTURE_SQUEEZE);
}

static void test_shear(void **state) {
  (void)state;
  run_kind(TORTURE_SHEAR);
}

static void test_stack_of_ten(void **state) {
  (void)state;
  run_kind(TORTURE_STACK);
}

static void test_ball_against_ball(void **state) {
  (void)state;
  run_kind(TORTURE_BALLS);
}

static void test_ball_on_mesh_obstacle(void **state) {
  (void)state;
  run_kind(TORTURE_MESH);
}

static void test_start_with_overlap(void **state) {
  (void)state;
  run_kind(TORTURE_OVERLAP);
}

typedef struct Warnings {
  int count;
  char last[1000];
} Warnings;

static void keep_warning(void *context, StLevel level, const char *text) {
  Warnings *warnings = context;
  if (level != ST_WARNING)
    return;
  warnings->count++;
  snprintf(warnings->last, sizeof warnings->last, "%s", text);
}

static StSnapshot state_of(StTrial *trial) {
  StSnapshot state;
  StError error = {0};
  assert_int_equal(st_trial_state(trial, &state, &error), ST_OK);
  return state;
}

static double lowest(StTrial *trial) {
  StSnapshot state = state_of(trial);
  double least = INFINITY;
  for (int v = 0; v < state.vertex_count; v++)
    least = fmin(least, state.position[3 * v + 2]);
  st_snapshot_free(&state);
  return least;
}

// It never gets deeper, comes free, and stays so.
static void rise_free(StTrial *trial, double depth) {
  StError error = {0};
  const StReport *report = st_simulation_report(trial->simulation);
  double before = lowest(trial);
  assert_true(fabs(before + depth) < 1e-12);
  while (!st_simulation_finished(trial->simulation)) {
    if (st_trial_step(trial, &error) != ST_OK)
      fail_msg("%s", error.text);
    double now = lowest(trial);
    assert_true(now >= fmin(before, 0));
    assert_true(report->record->overlapping == (now < 0));
    before = now;
  }
  print_message("free after %.3g s, %ld steps inside\n", report->record->overlap_time,
                report->record->overlapping_steps);
  assert_true(before > 0);
  assert_true(report->record->overlapping_steps > 0);
}

static void test_overlap_is_told_and_resolved(void **state) {
  (void)state;
  const Torture t = {TORTURE_OVERLAP, 1e5, 1e-4, 200, 0.5, "be", DIRECT, IMPLICIT, 0, 1};
  Warnings warnings = {0};
  const StLog log = {keep_warning, &warnings};
  StError error = {0};
  StWorld world = torture_world(&t, ST_CONTACT_SMOOTH);
  StTrial trial = {.description = st_world_finish(&world, &error)};
  assert_non_null(trial.description);
  assert_int_equal(st_simulation_create(trial.description, &log, &trial.simulation, &error), ST_OK);
  print_message("%s\n", warnings.last);
  assert_int_equal(warnings.count, 1);
  assert_non_null(strstr(warnings.last, "the scene starts with an overlap"));
  assert_non_null(strstr(warnings.last, "vertex "));
  assert_non_null(strstr(warnings.last, "of body \"block\" is 0.000139 m inside"));
  assert_non_null(strstr(warnings.last, "inside obstacle \"floor\""));
  rise_free(&trial, 0.4 * torture_thickness(&t));
  st_trial_end(&trial);
}

// Steps until one cannot be solved; *good is the state before it.
static StStatus run_to_failure(StTrial *trial, StSnapshot *good, StError *error) {
  StStatus status = ST_OK;
  *good = state_of(trial);
  while (!st_simulation_finished(trial->simulation)) {
    status = st_trial_step(trial, error);
    if (status != ST_OK)
      break;
    st_snapshot_free(good);
    *good = state_of(trial);
  }
  return status;
}

static void test_crushing_fails_cleanly(void **state) {
  (void)state;
  const Torture t = {TORTURE_CRUSH, 1e7, 0.01, 50, 0.5, "be", DIRECT, IMPLICIT, 0, 1};
  StError error = {0};
  StWorld world = torture_world(&t, ST_CONTACT_SMOOTH);
  StTrial trial;
  StSnapshot good;
  assert_int_equal(st_trial_start(&world, &trial, &error), ST_OK);
  assert_int_equal(run_to_failure(&trial, &good, &error), ST_NOT_SOLVED);
  print_message("%s\n", error.text);
  assert_non_null(strstr(error.text, "time 0."));
  assert_non_null(strstr(error.text, "vertex "));
  assert_non_null(strstr(error.text, "of body \"block\""));
  assert_non_null(strstr(error.text, "force \""));
  const StReport *report = st_simulation_report(trial.simulation);
  StSnapshot left = state_of(&trial);
  size_t bytes = 3 * (size_t)good.vertex_count * sizeof(double);
  assert_true(left.time == good.time && left.time == report->time);
  assert_memory_equal(left.position, good.position, bytes);
  assert_memory_equal(left.velocity, good.velocity, bytes);
  assert_true(left.time > 0.5 * t.step * t.steps);
  assert_true(torture_finite(&left, report));
  assert_true(torture_beyond_plates(&t, &left) <= 0);
  st_snapshot_free(&good);
  st_snapshot_free(&left);
  st_trial_end(&trial);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_drop),
      cmocka_unit_test(test_throw),
      cmocka_unit_test(test_squeeze),
      cmocka_unit_test(test_shear),
      cmocka_unit_test(test_stack_of_ten),
      cmocka_unit_test(test_ball_against_ball),
      cmocka_unit_test(test_ball_on_mesh_obstacle),
      cmocka_unit_test(test_start_with_overlap),
      cmocka_unit_test(test_overlap_is_told_and_resolved),
      cmocka_unit_test(test_crushing_fails_cleanly),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
