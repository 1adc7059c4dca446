// The table of answers: every rule, its limits, the budget, and what is reported of it.
#include "step/recovery.h"

#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static StRecovery begin(void) {
  StRecovery recovery = {.repeats = 3, .step_budget = 1000, .size_budget = 400};
  st_recovery_begin(&recovery);
  return recovery;
}

static const StChances ALL = {.halve = true, .damp = true}, NO_SMALLER = {.damp = true};

static void expect(StRecovery *recovery, StOutcome outcome, StAnswer answer) {
  assert_int_equal(st_recovery_answer(recovery, outcome, 1, ALL), answer);
}

static void what_cannot_be_solved_is_halved(void **state) {
  (void)state;
  const StOutcome outcome[] = {ST_OUTCOME_UNSOLVED, ST_OUTCOME_CROSSED};
  for (int k = 0; k < 2; k++) {
    StRecovery recovery = begin();
    for (int i = 0; i < 20; i++)
      expect(&recovery, outcome[k], ST_ANSWER_HALVE);
    assert_int_equal(recovery.rung, ST_RUNG_SMALLER);
    assert_int_equal(recovery.rejected[outcome[k]], 20);
    assert_int_equal(st_recovery_answer(&recovery, outcome[k], 1, NO_SMALLER), ST_ANSWER_GIVE_UP);
  }
}

static void stiffer_contact_has_its_tries_at_each_size(void **state) {
  (void)state;
  StRecovery recovery = begin();
  for (int size = 0; size < 3; size++) {
    for (int i = 0; i < 3; i++)
      expect(&recovery, ST_OUTCOME_INSIDE, ST_ANSWER_REPEAT);
    assert_int_equal(recovery.rung, size ? ST_RUNG_SMALLER : ST_RUNG_STIFFER);
    expect(&recovery, ST_OUTCOME_INSIDE, ST_ANSWER_HALVE);
  }
  assert_int_equal(recovery.rejected[ST_OUTCOME_INSIDE], 12);
}

static void two_step_methods_restart_once(void **state) {
  (void)state;
  StRecovery recovery = begin();
  expect(&recovery, ST_OUTCOME_MET, ST_ANSWER_RESTART);
  assert_int_equal(recovery.rung, ST_RUNG_RESTART);
  expect(&recovery, ST_OUTCOME_MET, ST_ANSWER_HALVE);
  expect(&recovery, ST_OUTCOME_MET, ST_ANSWER_RESTART);
}

// A gain is damped, then halved a few times; what is still there is kept, and no rejection.
static void gains_are_damped_first(void **state) {
  (void)state;
  StRecovery recovery = begin();
  expect(&recovery, ST_OUTCOME_GAINED, ST_ANSWER_DAMP);
  assert_int_equal(recovery.rung, ST_RUNG_DAMPED);
  for (int i = 0; i < 5; i++)
    expect(&recovery, ST_OUTCOME_GAINED, ST_ANSWER_HALVE);
  expect(&recovery, ST_OUTCOME_GAINED, ST_ANSWER_KEEP);
  assert_int_equal(recovery.rejected[ST_OUTCOME_GAINED], 6);
}

// Backward Euler has nothing to fall back on; and what stiffer contact stored no smaller step
// undoes. That contact was made stiffer says nothing by itself.
static void gains_that_nothing_cures_are_kept(void **state) {
  (void)state;
  StRecovery recovery = begin();
  const StChances smaller_only = {.halve = true};
  assert_int_equal(st_recovery_answer(&recovery, ST_OUTCOME_GAINED, 1, smaller_only),
                   ST_ANSWER_HALVE);
  recovery = begin();
  const StChances stored = {.halve = true, .damp = true, .stored = true};
  expect(&recovery, ST_OUTCOME_INSIDE, ST_ANSWER_REPEAT);
  expect(&recovery, ST_OUTCOME_GAINED, ST_ANSWER_DAMP);
  assert_int_equal(st_recovery_answer(&recovery, ST_OUTCOME_GAINED, 1, stored), ST_ANSWER_KEEP);
  recovery = begin();
  expect(&recovery, ST_OUTCOME_INSIDE, ST_ANSWER_REPEAT);
  expect(&recovery, ST_OUTCOME_GAINED, ST_ANSWER_DAMP);
  expect(&recovery, ST_OUTCOME_GAINED, ST_ANSWER_HALVE);
}

static void inversions_are_halved_then_kept(void **state) {
  (void)state;
  StRecovery recovery = begin();
  for (int i = 0; i < 5; i++)
    expect(&recovery, ST_OUTCOME_INVERTED, ST_ANSWER_HALVE);
  expect(&recovery, ST_OUTCOME_INVERTED, ST_ANSWER_KEEP);
  recovery = begin();
  assert_int_equal(st_recovery_answer(&recovery, ST_OUTCOME_INVERTED, 1, NO_SMALLER),
                   ST_ANSWER_KEEP);
}

static void one_size_has_a_share_of_the_budget(void **state) {
  (void)state;
  StRecovery recovery = begin();
  assert_int_equal(st_recovery_allowance(&recovery), 400);
  assert_int_equal(st_recovery_answer(&recovery, ST_OUTCOME_INSIDE, 400, ALL), ST_ANSWER_HALVE);
  assert_int_equal(st_recovery_allowance(&recovery), 400);
  assert_int_equal(st_recovery_answer(&recovery, ST_OUTCOME_UNSOLVED, 400, ALL), ST_ANSWER_HALVE);
  assert_int_equal(st_recovery_allowance(&recovery), 200);
  assert_int_equal(st_recovery_answer(&recovery, ST_OUTCOME_UNSOLVED, 200, ALL), ST_ANSWER_GIVE_UP);
}

static void a_spent_budget_keeps_what_may_stand(void **state) {
  (void)state;
  StRecovery recovery = begin();
  assert_int_equal(st_recovery_answer(&recovery, ST_OUTCOME_GAINED, 1000, ALL), ST_ANSWER_KEEP);
  recovery = begin();
  assert_int_equal(st_recovery_answer(&recovery, ST_OUTCOME_INVERTED, 1000, ALL), ST_ANSWER_KEEP);
  recovery = begin();
  assert_int_equal(st_recovery_answer(&recovery, ST_OUTCOME_MET, 1000, ALL), ST_ANSWER_KEEP);
}

// Whatever goes wrong in whatever order: a step ends, within its budget.
static void every_step_ends(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int trial = 0; trial < 2000; trial++) {
    StRecovery recovery = begin();
    int attempts = 0, sizes_left = 10, spent = 0;
    for (StAnswer answer = ST_ANSWER_REPEAT;
         answer != ST_ANSWER_KEEP && answer != ST_ANSWER_GIVE_UP;) {
      StOutcome outcome = (StOutcome)random_between(&seed, 1, ST_OUTCOME_COUNT);
      int allowed = st_recovery_allowance(&recovery);
      int iterations = (int)random_between(&seed, 1, allowed < 60 ? allowed + 1 : 60);
      assert_true(allowed > 0);
      answer = st_recovery_answer(&recovery, outcome, iterations,
                                  (StChances){.halve = sizes_left > 0, .damp = true});
      sizes_left -= answer == ST_ANSWER_HALVE;
      spent += iterations;
      attempts++;
    }
    assert_int_equal(recovery.spent, spent);
    assert_true(spent <= recovery.step_budget);
    assert_true(attempts <= 11 * (3 + 1 + 1) + 5 + 5 + 1 + 1); // each rule's share, and the end
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_cannot_be_solved_is_halved),
      cmocka_unit_test(stiffer_contact_has_its_tries_at_each_size),
      cmocka_unit_test(two_step_methods_restart_once),
      cmocka_unit_test(gains_are_damped_first),
      cmocka_unit_test(gains_that_nothing_cures_are_kept),
      cmocka_unit_test(inversions_are_halved_then_kept),
      cmocka_unit_test(one_size_has_a_share_of_the_budget),
      cmocka_unit_test(a_spent_budget_keeps_what_may_stand),
      cmocka_unit_test(every_step_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
