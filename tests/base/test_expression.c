// Formulas in t: values and exact rates, units, and what is refused and how.
#include "base/expression.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define PI 3.14159265358979323846

static const struct {
  const char *text;
  StDimension dimension;
  double at, value, rate;
} GOOD[] = {
    {"t", {0, 0, 0, 0}, 3, 3, 1}, // no unit: numbers
    {"2*t^2 - 3*t + 1", {1, 0, 0, 0}, 2, 3, 5},
    {"-t^2", {1, 0, 0, 0}, 3, -9, -6},
    {"tanh(2*t)", {0, 0, 0, 0}, 0.5, 0.76159415595576485, 0.83994868322805227},
    {"2^-t", {0, 0, 0, 0}, 1, 0.5, -0.34657359027997264},
    {"2^3^2 + 0*t", {0, 0, 0, 0}, 1, 512, 0}, // from the right
    {"8 / 2 / 2 * t", {0, 0, 0, 0}, 1, 2, 2},
    {"3 m/s * t", {1, 0, 0, 0}, 2, 6, 3},
    {"5 mm * sin(2*pi*50 Hz*t)", {1, 0, 0, 0}, 0.01, 0, -0.5 * PI},
    {"5 mm*cos(90 deg + 3 rad/s*t)", {1, 0, 0, 0}, 0, 0, -0.015},
    {"0.5 * 9.81 m/s^2 * t^2", {1, 0, 0, 0}, 2, 19.62, 19.62},
    {"1/(2 s) * t", {0, 0, 0, 0}, 4, 2, 0.5},
    {"1/2 s * t", {0, 0, 0, 0}, 4, 2, 0.5}, // a number and its unit belong together
    {"30 rpm*t", {0, 0, 0, 1}, 1, PI, PI},
    {"0.1*sin(2 Hz*t)", {0, 0, 0, 1}, 0, 0, 0.2}, // a plain number is an angle
    {"max(0, 3 N - 1 N/s*t)", {1, 1, -2, 0}, 2, 1, -1},
    {"max(0, 3 N - 1 N/s*t)", {1, 1, -2, 0}, 4, 0, 0},
    {"min(t, 2 min)", {0, 0, 1, 0}, 200, 120, 0}, // a function, and a minute
    {"abs(t - 2)", {0, 0, 0, 0}, 1, 1, -1},
    {"sqrt(t^2 + 3 s^2)", {0, 0, 1, 0}, 1, 2, 0.5},
    {"exp(-t / 2 s) * 3 kPa", {-1, 1, -2, 0}, 2, 3000 / M_E, -1500 / M_E},
    {"log(t)", {0, 0, 0, 0}, M_E, 1, 1 / M_E},
    {"tan(t)", {0, 0, 0, 0}, PI / 4, 1, 2},
    {"(1 kg) * (2 m)^2 / s^2 * t / s", {2, 1, -2, 0}, 1, 4, 4},
    {"+ t + - t + 1", {0, 0, 0, 0}, 9, 1, 0},
    {"t^0.5", {0, 0, 0, 0}, 4, 2, 0.25},
    {"0 + t*3 m/s", {1, 0, 0, 0}, 1, 3, 3},
};

static void values_and_rates(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
    StExpression *expression = NULL;
    StError error = {0};
    if (st_expression_parse(GOOD[i].text, GOOD[i].dimension, &expression, &error) != ST_OK)
      fail_msg("%s: %s", GOOD[i].text, error.text);
    double rate, value = st_expression_at(expression, GOOD[i].at, &rate);
    if (fabs(value - GOOD[i].value) > 1e-12 * fmax(1, fabs(value)) ||
        fabs(rate - GOOD[i].rate) > 1e-12 * fmax(1, fabs(rate)))
      fail_msg("%s: %.17g and %.17g", GOOD[i].text, value, rate);
    assert_true(st_expression_at(expression, GOOD[i].at, NULL) == value);
    assert_true(st_expression_is_formula(GOOD[i].text));
    st_expression_destroy(expression);
  }
}

static const struct {
  const char *text;
  StDimension dimension;
  const char *told;
} BAD[] = {
    {"5 mm * sin(50*t)", {1, 0, 0, 0}, "sin takes a plain number or an angle and gets a time"},
    {"3 m * t", {1, 0, 0, 0}, "a length times a time; a rate belongs before t, such as 1 m/s*t"},
    {"3 m * t^2", {1, 0, 0, 0}, "a length is needed"},
    {"3 m + t", {1, 0, 0, 0}, "a length and a time cannot be added"},
    {"2 t", {0, 0, 0, 0}, "an operator (+ - * / ^) or the end is needed; instead there is \"t\""},
    {"sin(t", {0, 0, 0, 0}, "\")\" is needed to end sin(; instead it ends"},
    {"(t + 1", {0, 0, 0, 0}, "\")\" is needed; instead it ends"},
    {"min(t)", {0, 0, 0, 0}, "min takes two values with a comma between; instead there is \")\""},
    {"foo(t)", {0, 0, 0, 0}, "a number, a unit, t, pi or one of sin cos"},
    {"3 * ", {0, 0, 0, 0}, "is needed; instead it ends"},
    {"", {0, 0, 0, 0}, "is needed; instead it ends"},
    {"t ** 2", {0, 0, 0, 0}, "instead there is \"*\""},
    {"exp(t * 1 m)", {0, 0, 0, 0}, "exp takes a plain number"},
    {"sqrt(3 m * t/s)", {1, 0, 0, 0}, "sqrt of a length has no unit"},
    {"(3 m)^t", {1, 0, 0, 0}, "a power is a plain number, not a time"},
    {"(3 m)^0.5 + 0*t", {1, 0, 0, 0}, "can be raised to whole numbers only"},
    {"max(1 m, t)", {1, 0, 0, 0}, "max compares a length with a time"},
    {"1e999*t", {0, 0, 0, 0}, "too large"},
    {"t*3 m^22", {0, 0, 0, 0}, "single digit"},
};

static void what_is_wrong_is_said(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    StExpression *expression = NULL;
    StError error = {0};
    assert_int_equal(st_expression_parse(BAD[i].text, BAD[i].dimension, &expression, &error),
                     ST_BAD_INPUT);
    if (!strstr(error.text, BAD[i].told))
      fail_msg("%s: %s", BAD[i].text, error.text);
  }
}

// Brackets and signs without end are refused before the stack is full.
static void depth_is_bounded(void **state) {
  (void)state;
  const char *parts[] = {"(", "-", "sin(", "1+(", "2^"};
  for (int p = 0; p < 5; p++) {
    char text[900] = "";
    for (int i = 0; i < 150; i++)
      strcat(text, parts[p]);
    strcat(text, "t");
    StExpression *expression = NULL;
    StStatus status = st_expression_parse(text, ST_PURE, &expression, NULL);
    if (p < 4)
      assert_int_equal(status, ST_BAD_INPUT);
    else if (status == ST_OK)
      st_expression_destroy(expression);
  }
}

static void quantities_are_no_formulas(void **state) {
  (void)state;
  const char *plain[] = {"3 kPa", "1/atm", "5", "9.81 m/s^2", "4 min", "3 turn", "2 ft", "exp"};
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
    assert_false(st_expression_is_formula(plain[i]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_and_rates),
      cmocka_unit_test(what_is_wrong_is_said),
      cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(quantities_are_no_formulas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
