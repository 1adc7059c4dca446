// A run to be fuzzed: the small one of the other tests, made once, in a folder that goes when the
// program ends.
#ifndef TESTS_FUZZ_RUN_H
#define TESTS_FUZZ_RUN_H

#include "support/small_run.h"

#include <sanitizer/lsan_interface.h>
#include <stdint.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_run_end(void) {
  scratch_end(NULL);
}

// What MPI never frees is no leak of ours.
static void fuzz_run_begin(void) {
  __lsan_disable();
  if (small_run_begin(NULL) != 0)
    abort();
  __lsan_enable();
  atexit(fuzz_run_end);
}

// An error has a text, and is none of our own making.
static inline void fuzz_check(StStatus status, const StError *error) {
  if (status == ST_BUG || (status != ST_OK && !error->text[0]))
    abort();
}

#endif
