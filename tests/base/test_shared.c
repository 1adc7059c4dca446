// Memory that two processes see together.
#include "base/shared.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { SIZE = 100000 };

// In another process: 0 if it sees the first half and has written the second.
static int take_part(const StSharedHandle *handle) {
  StShared *shared = NULL;
  if (st_shared_join(SIZE, handle, &shared, NULL) != ST_OK)
    return 1;
  for (int i = 0; i < SIZE / 2; i++)
    if (shared->bytes[i] != (char)i)
      return 2;
  for (int i = SIZE / 2; i < SIZE; i++)
    shared->bytes[i] = (char)(i + 1);
  st_shared_seal(shared);
  st_shared_destroy(shared);
  return 0;
}

static int run_child(const StSharedHandle *handle, int (*part)(const StSharedHandle *)) {
  int code;
  pid_t child = fork();
  if (child == 0)
    _exit(part(handle));
  assert_int_equal(waitpid(child, &code, 0), child);
  return WIFEXITED(code) ? WEXITSTATUS(code) : 1000 + WTERMSIG(code);
}

static void is_seen_by_both(void **state) {
  (void)state;
  StShared *shared = NULL;
  StSharedHandle handle;
  assert_int_equal(st_shared_create(SIZE, &shared, &handle, NULL), ST_OK);
  assert_int_equal((uintptr_t)shared->bytes % 64, 0);
  for (int i = 0; i < SIZE / 2; i++)
    shared->bytes[i] = (char)i;
  assert_int_equal(run_child(&handle, take_part), 0);
  for (int i = 0; i < SIZE; i++)
    assert_int_equal(shared->bytes[i], (char)(i < SIZE / 2 ? i : i + 1));
  st_shared_seal(shared);
  assert_int_equal(shared->bytes[SIZE - 1], (char)SIZE);
  st_shared_destroy(shared);
}

// Other memory under the same number, another size, no such process, nothing to be joined any more.
static void only_the_right_one_is_joined(void **state) {
  (void)state;
  StShared *shared = NULL, *joined = NULL;
  StSharedHandle handle, other;
  StError error;
  assert_int_equal(st_shared_create(SIZE, &shared, &handle, NULL), ST_OK);
  other = handle;
  other.moment++;
  assert_int_equal(st_shared_join(SIZE, &other, &joined, &error), ST_SYSTEM_FAULT);
  assert_non_null(strstr(error.text, "memory of another process cannot be read"));
  assert_int_equal(st_shared_join(SIZE + 1, &handle, &joined, NULL), ST_SYSTEM_FAULT);
  other = handle;
  other.process = 1 << 30;
  assert_int_equal(st_shared_join(SIZE, &other, &joined, NULL), ST_SYSTEM_FAULT);
  st_shared_seal(shared);
  assert_int_equal(st_shared_join(SIZE, &handle, &joined, NULL), ST_SYSTEM_FAULT);
  assert_null(joined);
  st_shared_destroy(shared);
  st_shared_destroy(NULL);
}

static int write_sealed(const StSharedHandle *handle) {
  StShared *shared = NULL;
  if (st_shared_join(SIZE, handle, &shared, NULL) != ST_OK)
    return 1;
  st_shared_seal(shared);
  signal(SIGSEGV, SIG_DFL);
  shared->bytes[0] = 1;
  return 2;
}

static void sealed_is_read_only(void **state) {
  (void)state;
  StShared *shared = NULL;
  StSharedHandle handle;
  assert_int_equal(st_shared_create(SIZE, &shared, &handle, NULL), ST_OK);
  assert_int_equal(run_child(&handle, write_sealed), 1000 + SIGSEGV);
  assert_int_equal(shared->bytes[0], 0);
  st_shared_destroy(shared);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_seen_by_both),
      cmocka_unit_test(only_the_right_one_is_joined),
      cmocka_unit_test(sealed_is_read_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
