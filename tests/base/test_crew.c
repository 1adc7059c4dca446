// Threads that share work: every part is done once, on any number of threads, under any load.
#include "base/crew.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { MOST = 1000 };

typedef struct Tally {
  atomic_int done[MOST];
  atomic_int strangers; // parts with a worker that there is not
  int size;
} Tally;

static void count_part(void *context, int part, int worker) {
  Tally *tally = context;
  atomic_fetch_add(&tally->done[part], 1);
  if (worker < 0 || worker >= tally->size)
    atomic_fetch_add(&tally->strangers, 1);
}

static void check_job(StCrew *crew, int count) {
  Tally *tally = calloc(1, sizeof *tally);
  tally->size = st_crew_size(crew);
  st_crew_do(crew, count, count_part, tally);
  for (int i = 0; i < MOST; i++)
    assert_int_equal(tally->done[i], i < count);
  assert_int_equal(tally->strangers, 0);
  free(tally);
}

static void every_part_is_done_once(void **unused) {
  (void)unused;
  for (int threads = 1; threads <= 7; threads++) {
    StCrew *crew = NULL;
    assert_int_equal(st_crew_create(threads, &crew, NULL), ST_OK);
    assert_int_equal(st_crew_size(crew), threads);
    for (int count = 0; count < MOST; count = 2 * count + 1)
      check_job(crew, count);
    st_crew_destroy(crew);
  }
}

static void add_part(void *context, int part, int worker) {
  (void)part, (void)worker;
  atomic_fetch_add((atomic_int *)context, 1);
}

// Jobs of all sizes in quick succession, so that threads come late, and with pauses, so that they
// sleep.
static void jobs_do_not_mix(void **unused) {
  (void)unused;
  StCrew *crew = NULL;
  assert_int_equal(st_crew_create(4, &crew, NULL), ST_OK);
  for (int job = 0; job < 20000; job++) {
    atomic_int count = 0;
    st_crew_do(crew, job % 9, add_part, &count);
    assert_int_equal(atomic_load(&count), job % 9);
    if (job % 4000 == 0)
      usleep(3000);
  }
  st_crew_destroy(crew);
}

// Threads do not survive a fork: the child works alone, and neither waits for the other.
static void forks_work_alone(void **unused) {
  (void)unused;
  StCrew *crew = NULL;
  assert_int_equal(st_crew_create(3, &crew, NULL), ST_OK);
  check_job(crew, 50);
  pid_t child = fork();
  if (child == 0) {
    atomic_int count = 0;
    st_crew_do(crew, 50, add_part, &count);
    st_crew_destroy(crew);
    _exit(atomic_load(&count) == 50 ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  check_job(crew, 50);
  st_crew_destroy(crew);
}

static void spans_cover_a_range(void **unused) {
  (void)unused;
  for (int size = 0; size < 400; size++)
    for (int grain = 1; grain < 40; grain += 3) {
      int end = 0;
      for (int part = 0; part < st_span_count(size, grain); part++) {
        StSpan span = st_span_part(size, grain, part);
        assert_int_equal(span.begin, end);
        assert_true(span.end > span.begin && span.end - span.begin <= grain);
        end = span.end;
      }
      assert_int_equal(end, size);
    }
}

static void the_environment_may_say_how_many(void **unused) {
  (void)unused;
  int all = st_crew_processors();
  assert_true(all >= 1);
  unsetenv("OMP_NUM_THREADS");
  assert_int_equal(st_crew_default_size(), all);
  setenv("OMP_NUM_THREADS", "3", 1);
  assert_int_equal(st_crew_default_size(), 3);
  setenv("OMP_NUM_THREADS", "5,2", 1); // levels of OpenMP
  assert_int_equal(st_crew_default_size(), 5);
  for (int i = 0; i < 4; i++) {
    setenv("OMP_NUM_THREADS", (const char *[]){"", "0", "-2", "many"}[i], 1);
    assert_int_equal(st_crew_default_size(), all);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_part_is_done_once),
      cmocka_unit_test(jobs_do_not_mix),
      cmocka_unit_test(forks_work_alone),
      cmocka_unit_test(spans_cover_a_range),
      cmocka_unit_test(the_environment_may_say_how_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
