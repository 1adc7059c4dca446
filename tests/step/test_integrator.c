// The table of integrators against the theory: order, damping of stiff modes, variable steps.
#include "step/integrator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <complex.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

typedef double complex Number;

// Position and velocity of one particle of mass 1.
typedef struct Motion {
  Number q, v;
} Motion;

// f = k q + d v
typedef struct Law {
  Number k, d;
} Law;

static Number force(Law law, Motion at) {
  return law.k * at.q + law.d * at.v;
}

// One stage as the header says it: M (v+ - v*) - a h f(q* + a h v+, v+) - h G = 0.
static Motion stage(const StStage *row, Law law, double h, Motion now, Motion before,
                    Motion first) {
  double ah = row->shift * h;
  Number q = row->now * now.q + row->before * before.q + row->stage * first.q +
             h * (row->drift_now * now.v + row->drift_stage * first.v);
  Number v = row->now * now.v + row->before * before.v + row->stage * first.v;
  Number history = row->force_now * force(law, now) + row->force_stage * force(law, first);
  Number next = (v + ah * law.k * q + h * history) / (1 - ah * ah * law.k - ah * law.d);
  return (Motion){q + ah * next, next};
}

static Motion step(const StIntegrator *method, Law law, double h, double ratio, Motion now,
                   Motion before) {
  Motion result = now;
  for (int k = 0; k < method->stage_count; k++) {
    StStage row = st_integrator_stage(method, k, ratio);
    result = stage(&row, law, h, now, before, result);
  }
  return result;
}

// A vibration over one period or so, from the exact start, with the exact state before it.
static double error_of(const StIntegrator *method, int steps, bool uneven) {
  const double end = 2;
  const Law law = {-4, -0.3}; // damped a little
  const Number w = -0.15 + csqrt(0.15 * 0.15 - 4);
  Motion now = {1, w};
  double time = 0, last = uneven ? end / steps / 1.5 : end / steps;
  Motion before = {cexp(-w * last), w * cexp(-w * last)};
  for (int i = 0; i < steps; i++) {
    double h = end / steps * (uneven ? (i % 2 ? 1.2 : 0.8) : 1);
    Motion next = step(method, law, h, h / last, now, before);
    before = now;
    now = next;
    last = h;
    time += h;
  }
  return cabs(now.q - cexp(w * time)) + cabs(now.v - w * cexp(w * time));
}

// Halving steps divides the error by 2^order, with equal steps and with uneven ones.
static void orders_are_as_told(void **state) {
  (void)state;
  for (const StIntegrator *method = st_integrators; method->name; method++)
    for (int uneven = 0; uneven < 2; uneven++) {
      if (method->decoupled)
        continue; // of order 1 only where something touches
      double order = log2(error_of(method, 200, uneven) / error_of(method, 400, uneven));
      print_message("%s: order %.3f\n", method->name, order);
      assert_true(fabs(order - method->order) < 0.05);
    }
}

// Of v' = z v with h = 1: the factor from step to step, for two-step methods the larger root.
static Number growth(const StIntegrator *method, Number z) {
  const Law law = {0, z};
  if (!method->two_step)
    return step(method, law, 1, 1, (Motion){0, 1}, (Motion){0, 0}).v;
  Number now = step(method, law, 1, 1, (Motion){0, 1}, (Motion){0, 0}).v;
  Number before = step(method, law, 1, 1, (Motion){0, 0}, (Motion){0, 1}).v;
  Number root = csqrt(now * now / 4 + before), a = now / 2 + root, b = now / 2 - root;
  return cabs(a) > cabs(b) ? a : b;
}

// Nothing in the left half-plane grows.
static void decay_never_grows(void **state) {
  (void)state;
  for (const StIntegrator *method = st_integrators; method->name; method++)
    for (double size = 1e-3; size < 1e6; size *= 1.7)
      for (int k = 0; k <= 40; k++) {
        double angle = M_PI / 2 + M_PI * k / 40; // from +i by -1 to -i
        Number z = size * (cos(angle) + I * sin(angle));
        if (k == 0 || k == 40)
          z = I * cimag(z); // no rounding to the right of the axis
        assert_true(cabs(growth(method, z)) <= 1 + 1e-12);
      }
}

// What is infinitely stiff is gone after a step, or else the table says that it rings.
static void stiff_decay_is_as_told(void **state) {
  (void)state;
  for (const StIntegrator *method = st_integrators; method->name; method++) {
    double left = cabs(growth(method, -1e12));
    assert_true(method->rings ? fabs(left - 1) < 1e-9 : left < 2e-6);
  }
}

static double power(double base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

// Two-step rows differentiate parabolas exactly, whatever the ratio of steps …
static void two_step_rows_are_exact_for_parabolas(void **state) {
  (void)state;
  const StIntegrator *method = st_integrator_find("bdf2");
  const double ratio[] = {0.01, 0.3, 0.5, 1, 1.7, 2};
  for (int i = 0; i < 6; i++) {
    StStage row = st_integrator_stage(method, 0, ratio[i]);
    for (int degree = 0; degree <= 2; degree++) { // now at 0, before at -1/ratio, the end at 1
      double slope = degree == 0 ? 0 : degree;
      double end = row.now * power(0, degree) + row.before * power(-1 / ratio[i], degree) +
                   row.shift * slope;
      assert_true(fabs(end - 1) < 1e-13);
    }
  }
}

// … and errors of the past fade as long as a step is at most twice the last, which the step loop
// sees to: the second root of ζ² = now ζ + before is -before.
static void two_step_rows_are_stable_up_to_doubling(void **state) {
  (void)state;
  const StIntegrator *method = st_integrator_find("bdf2");
  for (double ratio = 1e-3; ratio <= 2; ratio *= 1.1) {
    StStage row = st_integrator_stage(method, 0, ratio);
    assert_true(fabs(row.now + row.before - 1) < 1e-14);
    assert_true(fabs(row.before) <= 0.8 + 1e-12);
  }
}

static void equal_steps_are_the_table_itself(void **state) {
  (void)state;
  for (const StIntegrator *method = st_integrators; method->name; method++)
    for (int k = 0; k < method->stage_count; k++) {
      StStage row = st_integrator_stage(method, k, 1);
      const double *a = &row.instant, *b = &method->stage[k].instant;
      for (size_t i = 0; i < sizeof row / sizeof(double); i++)
        assert_true(fabs(a[i] - b[i]) < 1e-15);
    }
}

// A body at constant velocity, and one at rest under no force, stay so; and the last stage ends the
// step.
static void uniform_motion_is_kept(void **state) {
  (void)state;
  for (const StIntegrator *method = st_integrators; method->name; method++) {
    Motion end = step(method, (Law){0, 0}, 0.1, 1, (Motion){2, 3}, (Motion){1.7, 3});
    assert_true(cabs(end.q - 2.3) < 1e-14);
    assert_true(cabs(end.v - 3) < 1e-14);
    assert_true(method->stage[method->stage_count - 1].instant == 1);
  }
}

// How far v+ - v is from what the shares say of the forces at the start and at the stages, in a
// step of a vibration after one with the exact result.
static double impulse_error(const StIntegrator *method, double h, double ratio) {
  const Law law = {-4, -0.3};
  const Number w = -0.15 + csqrt(0.15 * 0.15 - 4);
  double last = h / ratio;
  Motion now = {1, w}, before = {cexp(-w * last), w * cexp(-w * last)}, result = now;
  StImpulse impulse = st_integrator_impulse(method);
  Number told = impulse.start * force(law, now);
  for (int k = 0; k < method->stage_count; k++) {
    StStage row = st_integrator_stage(method, k, ratio);
    result = stage(&row, law, h, now, before, result);
    told += impulse.stage[k] * force(law, result);
  }
  assert_true(fabs(impulse.start + impulse.stage[0] + impulse.stage[1] - 1) < 1e-14);
  return cabs(result.v - now.v - h * told);
}

// Exactly, or of two-step methods by h³: an eighth in a step of half the size.
static void impulses_are_as_told(void **state) {
  (void)state;
  for (const StIntegrator *method = st_integrators; method->name; method++)
    for (double ratio = 0.5; ratio <= 2; ratio *= 2) {
      double coarse = impulse_error(method, 0.02, ratio), fine = impulse_error(method, 0.01, ratio);
      assert_true(method->two_step ? fine < coarse / 7 : coarse < 1e-13);
    }
}

static void names_are_found(void **state) {
  (void)state;
  for (const StIntegrator *method = st_integrators; method->name; method++) {
    assert_ptr_equal(st_integrator_find(method->name), method);
    assert_true(strlen(method->summary) > 20);
    if (method->two_step) {
      const StIntegrator *start = st_integrator_find(method->start);
      assert_non_null(start);
      assert_false(start->two_step);
      assert_true(start->order >= method->order); // or the first step would spoil the rest
    }
  }
  assert_null(st_integrator_find("euler"));
  assert_null(st_integrator_find(""));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_are_as_told),
      cmocka_unit_test(decay_never_grows),
      cmocka_unit_test(stiff_decay_is_as_told),
      cmocka_unit_test(two_step_rows_are_exact_for_parabolas),
      cmocka_unit_test(two_step_rows_are_stable_up_to_doubling),
      cmocka_unit_test(equal_steps_are_the_table_itself),
      cmocka_unit_test(uniform_motion_is_kept),
      cmocka_unit_test(impulses_are_as_told),
      cmocka_unit_test(names_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
