// The cases of `stiction verify` about cloth and shells.
#include "solve/runtime.h"
#include "support/verify_case.h"

static void energy_of_a_roll(void **state) {
  (void)state;
  verify_case("roll", 18);
}

static void sag_of_a_strip(void **state) {
  (void)state;
  verify_case("plate", 10);
}

static void torque_on_a_rim(void **state) {
  (void)state;
  verify_case("bearing", 9);
}

static void cloth_by_two_corners(void **state) {
  (void)state;
  verify_case("hang", 4);
}

static void cloth_over_a_ball(void **state) {
  (void)state;
  verify_case("drape", 16);
}

static void arm_in_a_sleeve(void **state) {
  (void)state;
  verify_case("dress", 8);
}

static void sheet_in_air(void **state) {
  (void)state;
  verify_case("drag", 5);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_of_a_roll),  cmocka_unit_test(sag_of_a_strip),
      cmocka_unit_test(torque_on_a_rim),   cmocka_unit_test(cloth_by_two_corners),
      cmocka_unit_test(cloth_over_a_ball), cmocka_unit_test(arm_in_a_sleeve),
      cmocka_unit_test(sheet_in_air),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
