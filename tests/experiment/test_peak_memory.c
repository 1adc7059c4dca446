// A case is charged with its own memory, not with that of a larger one before it.
#include "peak_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

static long peak(void) {
  struct rusage usage;
  assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
  return usage.ru_maxrss; // KiB
}

static void peaks_are_forgotten(void **state) {
  (void)state;
  if (access("/proc/self/clear_refs", W_OK) != 0)
    skip();
  const size_t size = (size_t)64 << 20;
  long before = peak();
  // Straight from the system: what malloc keeps for later is not ours to test.
  char *large = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(large, MAP_FAILED);
  memset(large, 1, size);
  munmap(large, size);
  assert_true(peak() - before > 60 << 10);
  peak_memory_reset();
  assert_true(peak() - before < 8 << 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(peaks_are_forgotten)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
