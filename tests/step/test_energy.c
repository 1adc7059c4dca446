// The balance of a step: NaN or infinite energies never pass as "no gain".
#include "step/energy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// A step in which the kinetic energy goes from one value to the other, and one force has an energy.
static bool passes(double before, double after, double force_energy, double work) {
  StSystem system = {0};
  StReport a = {.kinetic_energy = before, .total_energy = before, .force_count = 1};
  StReport b = {.kinetic_energy = after,
                .total_energy = after + force_energy,
                .force_count = 1,
                .force_energy = {force_energy}};
  StEnergyEnds ends = {
      .before = &a, .after = &b, .done.work = work, .mass = 1, .velocity_tolerance = 1e-9};
  StEnergyBalance balance = st_energy_balance(&system, &ends);
  return balance.gain <= balance.allowed;
}

static void gains_are_found(void **state) {
  (void)state;
  assert_true(passes(1, 1, 0, 0));
  assert_true(passes(1, 0.5, 0, 0));
  assert_true(passes(1, 2, 0, 1));
  assert_false(passes(1, 1.1, 0, 0));
  assert_false(passes(1, 1, 0.1, 0));
}

// The mass of what is prescribed says nothing about what others may gain.
static void prescribed_energy_explains_nothing(void **state) {
  (void)state;
  StSystem system = {0};
  for (int heavy = 0; heavy < 2; heavy++) {
    double led = heavy ? 1e4 : 0, allowed[2];
    for (int gained = 0; gained < 2; gained++) {
      double before = led + 1, after = before + 0.1 * gained;
      StReport a = {.kinetic_energy = before, .total_energy = before};
      StReport b = {.kinetic_energy = after, .total_energy = after};
      StEnergyEnds ends = {
          .before = &a, .after = &b, .done.led = led, .mass = 1, .velocity_tolerance = 1e-9};
      StEnergyBalance balance = st_energy_balance(&system, &ends);
      assert_int_equal(balance.gain > balance.allowed, gained);
      allowed[gained] = balance.allowed;
    }
    assert_true(fabs(allowed[0] - 1e-3) < 1e-6);
    assert_true(fabs(allowed[1] - 1.1e-3) < 1e-6);
  }
}

// A spring of 10⁶ N/m whose length grows by 2 m/s, on a line; data: the position at which it
// exerts no force at t = 0.
static double spring_energy(const void *data, const StPoint *at) {
  double stretch = at->position[0] - *(const double *)data - 2 * at->time;
  return 0.5e6 * stretch * stretch;
}

// Uncertainty of the work that the growing length does on an end that moves like this in 0.1 s.
static double uncertainty(double rest, double from, double to, double *work) {
  static const StForceType SPRING = {
      .name = "spring", .has_energy = true, .of_time = true, .energy = spring_energy};
  StSystem system = {.force_count = 1, .force = {{.type = &SPRING, .data = &rest}}};
  StReport none = {0};
  StEnergyEnds ends = {
      .before = &none, .after = &none, .from = &from, .to = &to, .last = 0.1, .end = 0.1};
  StEnergyBalance balance = st_energy_balance(&system, &ends);
  *work = balance.work;
  return balance.allowed - 1e-3 * fabs(balance.work);
}

// What keeps up with a length that changes, or stays, does so at a known force. The first is a tie:
// half a millijoule of work must not be uncertain by 20 kJ.
static void work_of_a_changing_length_is_known(void **state) {
  (void)state;
  double work, slack = 1e-9 * 0.5e6 * 0.2 * 0.2;
  assert_true(uncertainty(0, 1e-9, 0.2 + 1e-9, &work) < slack);
  assert_true(fabs(work + 1e6 * 1e-9 * 0.2) < slack);
  assert_true(uncertainty(0, 0, 0, &work) < slack);
  assert_true(fabs(work - 0.5e6 * 0.2 * 0.2) < slack);
  double between = uncertainty(0, 0, 0.1, &work);
  assert_true(fabs(between - 0.5 * 1e6 * 0.2 * 0.1) < 1e-6 * between);
}

static void what_is_no_number_is_a_gain(void **state) {
  (void)state;
  assert_false(passes(1, NAN, 0, 0));
  assert_false(passes(1, INFINITY, 0, 0));
  assert_false(passes(1, 1, NAN, 0));
  assert_false(passes(1, 1, INFINITY, 0));
  assert_false(passes(1, 1, 0, NAN));
  assert_false(passes(INFINITY, INFINITY, 0, 0));
  assert_false(passes(NAN, 1, 0, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gains_are_found),
      cmocka_unit_test(prescribed_energy_explains_nothing),
      cmocka_unit_test(work_of_a_changing_length_is_known),
      cmocka_unit_test(what_is_no_number_is_a_gain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
