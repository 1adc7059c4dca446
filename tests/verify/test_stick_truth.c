// Cases that `stiction verify` runs about where sticking ends and sliding begins.
#include "support/verify_case.h"

static void slope_threshold(void **state) {
  (void)state;
  verify_case("slope", 80);
}

static void stopping_distance(void **state) {
  (void)state;
  verify_case("stopping", 24);
}

static void friction_curve(void **state) {
  (void)state;
  verify_case("curve", 12);
}

static void stick_slip_cycle(void **state) {
  (void)state;
  verify_case("stick_slip", 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slope_threshold),
      cmocka_unit_test(stopping_distance),
      cmocka_unit_test(friction_curve),
      cmocka_unit_test(stick_slip_cycle),
  };
  return cmocka_run_group_tests(tests, verify_start, verify_stop);
}
