// Objects that own arrays: zero-filled arrays, and one answer to whether all requests were met.
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct Pair {
  double *number;
  int *index;
} Pair;

static void arrays_end_with_their_owner(void **state) {
  (void)state;
  Pair *pair = ST_OWNER(Pair), *given = NULL;
  assert_true(pair && !pair->number);
  pair->number = ST_OWN(pair, double, 1000);
  pair->index = ST_OWN(pair, int, 0);
  for (int i = 0; i < 1000; i++)
    assert_true(pair->number[i] == 0);
  assert_non_null(pair->index);
  assert_true(st_owner_is_whole(pair));
  assert_int_equal(st_owner_give(pair, &given, NULL), ST_OK);
  assert_ptr_equal(given, pair);
  st_owner_free(given); // the sanitizers see whether anything is left
}

static void a_failed_request_is_remembered(void **state) {
  (void)state;
  Pair *pair = ST_OWNER(Pair), *given = NULL;
  pair->number = ST_OWN(pair, double, SIZE_MAX / 4);
  pair->index = ST_OWN(pair, int, 3);
  assert_true(!pair->number && pair->index);
  assert_false(st_owner_is_whole(pair));
  assert_int_equal(st_owner_give(pair, &given, NULL), ST_SYSTEM_FAULT);
  assert_null(given);
  assert_false(st_owner_is_whole(NULL));
  st_owner_free(NULL);
}

static void an_array_grows_to_what_is_needed(void **state) {
  (void)state;
  int *list = NULL;
  size_t capacity = 0;
  assert_true(ST_GROW(list, capacity, 5) && capacity >= 5);
  for (int i = 0; i < 5; i++)
    list[i] = i;
  assert_true(ST_GROW(list, capacity, 1000) && capacity >= 1000);
  for (int i = 0; i < 5; i++)
    assert_int_equal(list[i], i);
  assert_false(ST_GROW(list, capacity, SIZE_MAX / 2));
  assert_int_equal(list[4], 4);
  free(list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_end_with_their_owner),
      cmocka_unit_test(a_failed_request_is_remembered),
      cmocka_unit_test(an_array_grows_to_what_is_needed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
