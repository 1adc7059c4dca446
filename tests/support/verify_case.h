// Runs a case of `stiction verify` as a test: every claim must hold, and none may be missing.
#ifndef TESTS_SUPPORT_VERIFY_CASE_H
#define TESTS_SUPPORT_VERIFY_CASE_H

#include "solve/runtime.h"
#include "stiction/stiction.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

static inline void verify_complain(void *context, const StVerifyRow *row) {
  (void)context;
  if (row->verdict == ST_VERIFY_FAIL)
    fprintf(stderr, "%s, %s, %s, %s: %.9g instead of %.9g (%g allowed) %s\n", row->case_name,
            row->method, row->stick, row->what, row->computed, row->expected, row->allowed,
            row->note);
}

static inline void verify_case(const char *name, int rows) {
  StVerify verify = {.settings = {.friction_iterations = 1}, .take = verify_complain};
  StError error = {0};
  assert_int_equal(stiction_open(&verify.session), STICTION_OK);
  if (st_verify_run(&verify, st_verify_find(name), &error) != ST_OK)
    fail_msg("%s", error.text);
  stiction_close(verify.session);
  assert_int_equal(verify.failed, 0);
  assert_int_equal(verify.passed, rows);
}

// Around a group of tests.
static inline int verify_start(void **state) {
  (void)state;
  StError error;
  return st_runtime_start(&error);
}

static inline int verify_stop(void **state) {
  (void)state;
  st_runtime_stop();
  return 0;
}

#endif
