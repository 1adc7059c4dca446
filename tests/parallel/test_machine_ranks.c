// Every rank contributes bytes and sees those of all: in one memory on one machine, in copies where
// the memory of others cannot be reached.
#include "solve/machine.h"
#include "solve/runtime.h"

#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// Stands in front of it (cmake/tests.cmake): as on ranks that are on different machines.
StStatus __real_st_shared_join(size_t size, const StSharedHandle *handle, StShared **shared,
                               StError *error);
StStatus __wrap_st_shared_join(size_t size, const StSharedHandle *handle, StShared **shared,
                               StError *error);
static int unreachable = -1; // the rank that can join nobody
static int joined;

StStatus __wrap_st_shared_join(size_t size, const StSharedHandle *handle, StShared **shared,
                               StError *error) {
  if (st_runtime_rank() == unreachable)
    return st_fail(error, ST_SYSTEM_FAULT, "on another machine");
  joined++;
  return __real_st_shared_join(size, handle, shared, error);
}

// The third contributes nothing.
static size_t size_of(int rank) {
  return rank == 2 ? 0 : 1000 * (size_t)rank + 77;
}

static char byte_of(int rank, size_t i) {
  return (char)(31 * rank + (int)(i % 251));
}

static void fill(void *context, char *bytes) {
  int rank = st_runtime_rank();
  assert_ptr_equal(context, &joined);
  for (size_t i = 0; i < size_of(rank); i++)
    bytes[i] = byte_of(rank, i);
}

static void share_and_check(void) {
  StShared *shared = NULL;
  size_t *offset = NULL;
  StError error;
  assert_int_equal(
      st_machine_share(size_of(st_runtime_rank()), fill, &joined, &shared, &offset, &error), ST_OK);
  for (int r = 0; r < st_runtime_size(); r++) {
    assert_int_equal(offset[r] % 64, 0);
    for (size_t i = 0; i < size_of(r); i++)
      assert_int_equal(shared->bytes[offset[r] + i], byte_of(r, i));
  }
  free(offset);
  st_shared_destroy(shared);
}

static void one_memory_on_one_machine(void **state) {
  (void)state;
  joined = 0;
  unreachable = -1;
  share_and_check();
  assert_int_equal(joined, st_runtime_rank() > 0);
}

static void copies_elsewhere(void **state) {
  (void)state;
  unreachable = st_runtime_size() - 1;
  share_and_check();
  unreachable = -1;
}

static int begin(void **state) {
  StError error;
  (void)state;
  return st_runtime_start(&error) == ST_OK ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  st_runtime_stop();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_memory_on_one_machine),
      cmocka_unit_test(copies_elsewhere),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
