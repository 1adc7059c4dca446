// Judging rows and running cases.
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const StVerifyCase *st_verify_find(const char *name) {
  for (const StVerifyCase *const *one = st_verify_cases; *one; one++)
    if (strcmp((*one)->name, name) == 0)
      return *one;
  return NULL;
}

StTouch st_verify_touch(const StVerifySettings *settings) {
  return (StTouch){settings->method, settings->stick, settings->friction,
                   settings->friction_iterations};
}

static void hand_in(StVerify *verify, StVerifyRow *row) {
  row->case_name = verify->case_name;
  row->method = verify->method;
  row->stick = verify->stick;
  verify->passed += row->verdict == ST_VERIFY_PASS;
  verify->failed += row->verdict == ST_VERIFY_FAIL;
  verify->reported += row->verdict == ST_VERIFY_REPORTED;
  if (verify->take)
    verify->take(verify->context, row);
}

// A NAN that was to be judged is a failure: it compares as neither more nor less.
static StVerifyVerdict judge(double error, double allowed) {
  if (isnan(allowed))
    return ST_VERIFY_REPORTED;
  return error <= allowed ? ST_VERIFY_PASS : ST_VERIFY_FAIL;
}

void st_verify_compare(StVerify *verify, const char *unit, double expected, double computed,
                       double allowed, const char *what, ...) {
  StVerifyRow row = {.unit = unit, .expected = expected, .computed = computed, .allowed = allowed};
  va_list arguments;
  va_start(arguments, what);
  vsnprintf(row.what, sizeof row.what, what, arguments);
  va_end(arguments);
  row.error = fabs(computed / expected - 1);
  row.verdict = judge(row.error, allowed);
  hand_in(verify, &row);
}

void st_verify_bound(StVerify *verify, const char *unit, double computed, double allowed,
                     const char *what, ...) {
  StVerifyRow row = {.unit = unit,
                     .expected = NAN,
                     .computed = computed,
                     .error = fabs(computed),
                     .allowed = allowed};
  va_list arguments;
  va_start(arguments, what);
  vsnprintf(row.what, sizeof row.what, what, arguments);
  va_end(arguments);
  row.verdict = judge(row.error, allowed);
  hand_in(verify, &row);
}

static void hand_in_unsolved(StVerify *verify, const char *text) {
  StVerifyRow row = {.unit = "",
                     .what = "a step could not be solved",
                     .expected = NAN,
                     .computed = NAN,
                     .error = NAN,
                     .allowed = NAN,
                     .verdict = ST_VERIFY_FAIL};
  snprintf(row.note, sizeof row.note, "%s", text);
  hand_in(verify, &row);
}

static StStatus run_once(StVerify *verify, const StVerifyCase *one, StError *error) {
  StStatus status = one->run(verify, error);
  if (status != ST_NOT_SOLVED)
    return status;
  hand_in_unsolved(verify, error->text);
  return ST_OK;
}

static StStatus run_by(StVerify *verify, const StVerifyCase *one, StContactMethod method,
                       const char *name, StError *error) {
  verify->settings.method = method;
  verify->settings.stick = ST_STICK_ANCHORED;
  verify->method = name;
  verify->stick = one->has_friction ? "anchored" : "";
  ST_TRY(run_once(verify, one, error));
  if (!one->has_friction)
    return ST_OK;
  verify->settings.stick = ST_STICK_VELOCITY;
  verify->stick = "velocity";
  return run_once(verify, one, error);
}

StStatus st_verify_run(StVerify *verify, const StVerifyCase *one, StError *error) {
  verify->case_name = one->name;
  if (!one->both)
    return run_by(verify, one, ST_CONTACT_SMOOTH, "", error);
  ST_TRY(run_by(verify, one, ST_CONTACT_PRIMITIVES, "primitives", error));
  return run_by(verify, one, ST_CONTACT_SMOOTH, "smooth", error);
}
