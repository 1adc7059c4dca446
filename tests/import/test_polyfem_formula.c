// Formulas of PolyFEM: values at a place against the same functions written in C.
#include "import/polyfem_parts.h"

#include "base/expression.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double PLACE[3] = {0.3, -1.25, 2e-3};
static const double AT = 0.7;

static double smooth_abs(double x, double k) {
  return tanh(k * x) * x;
}

static double value_of(const char *text) {
  StText formula = {0};
  StExpression *expression;
  StError error;
  assert_true(st_polyfem_formula(text, PLACE, &formula));
  if (st_expression_parse(formula.data, (StDimension){0}, &expression, &error) != ST_OK)
    fail_msg("%s", error.text);
  double value = st_expression_at(expression, AT, NULL);
  st_expression_destroy(expression);
  st_text_free(&formula);
  return value;
}

static void assert_near(double is, double wanted) {
  if (!(fabs(is - wanted) <= 1e-15 * (1 + fabs(wanted)) * 8)) // some roundings
    fail_msg("%.17g instead of %.17g", is, wanted);
}

static void formulas_have_their_values(void **state) {
  (void)state;
  const double x = PLACE[0], y = PLACE[1], z = PLACE[2], t = AT;
  assert_near(value_of("x + 2*y - z/3"), x + 2 * y - z / 3);
  assert_near(value_of("1e-3*t + 2.5E+2*x"), 1e-3 * t + 2.5e2 * x);
  assert_near(value_of("rotate_2D_x(y + 1, z - 0.5, -t * pi / 2) - (y + 1)"),
              (y + 1) * cos(-t * M_PI / 2) - (z - 0.5) * sin(-t * M_PI / 2) - (y + 1));
  assert_near(value_of("rotate_2D_y(x, y, deg2rad(30))"), x * sin(M_PI / 6) + y * cos(M_PI / 6));
  assert_near(value_of("-smooth_abs(t - 0.95, 5) + 0.95"), -smooth_abs(t - 0.95, 5) + 0.95);
  assert_near(value_of("min(0.5*t, max(x, y))"), fmin(0.5 * t, fmax(x, y)));
  assert_near(value_of("log(100) + ln(exp(2)) + log10(1000)"), 7);
  assert_near(value_of("pow(2, 3) * abs (y)"), 8 * fabs(y));
}

static void what_is_unknown_is_refused(void **state) {
  (void)state;
  static const char *const BAD[] = {"if(t, 1, 2)",     "u + 1", "rotate_2D_x(x, y)",
                                    "smooth_abs(t, 5", "sin t", "e"};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    StText formula = {0};
    assert_false(st_polyfem_formula(BAD[i], PLACE, &formula));
    st_text_free(&formula);
  }
}

static void places_are_seen(void **state) {
  (void)state;
  StText formula = {0};
  assert_true(st_polyfem_depends_on_place("2*x"));
  assert_true(st_polyfem_depends_on_place("max(0, z)"));
  assert_false(st_polyfem_depends_on_place("max(0, 2e5) + exp(t)"));
  assert_false(st_polyfem_formula("2*x", NULL, &formula));
  st_text_free(&formula);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas_have_their_values),
      cmocka_unit_test(what_is_unknown_is_refused),
      cmocka_unit_test(places_are_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
