// The cases of `stiction verify` about what fills shells and hollow bodies.
#include "solve/runtime.h"
#include "support/verify_case.h"

static void pressure_of_a_balloon(void **state) {
  (void)state;
  verify_case("balloon", 17);
}

static void energies_of_a_volume(void **state) {
  (void)state;
  verify_case("volume_energy", 6);
}

static void squeezed_balls(void **state) {
  (void)state;
  verify_case("gas", 19);
}

static void solvers_agree(void **state) {
  (void)state;
  verify_case("coupling", 10);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pressure_of_a_balloon),
      cmocka_unit_test(energies_of_a_volume),
      cmocka_unit_test(squeezed_balls),
      cmocka_unit_test(solvers_agree),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
