// Each thread starts with its own contiguous parts, the same for the same count, so data stays in
// one processor's cache from job to job. Threads that finish, and the caller, take over parts that
// others have not started, so the caller waits only for parts in progress, never for a thread that
// is not scheduled. Threads spin briefly before they sleep, because jobs follow each other within
// microseconds.
#include "base/crew.h"

#include "base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

enum { LOOKS = 4000 }; // about 50 µs
enum { PART_BITS = 32, NO_PART = 0x7fffffff };

struct StCrew {
  int size;
  int started; // threads besides the caller
  pid_t process;
  // Written before the tickets, and read before a part is taken from one: whoever gets a part has
  // read the values of its job.
  _Atomic(StCrewWork) work;
  _Atomic(void *) context;
  atomic_int count;
  atomic_int done;   // parts
  atomic_uint job;   // incremented with every job
  atomic_bool leave; // shut down
  pthread_mutex_t lock;
  pthread_cond_t wake;
  atomic_int asleep;
  struct Worker {
    _Alignas(64) _Atomic uint64_t ticket; // number of the job, then the next of the thread's parts
    StCrew *crew;
    pthread_t thread;
    int number;
  } worker[]; // the first is the caller
};

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  sched_yield();
#endif
}

// End of a thread's own parts.
static int end_of(int count, int worker, int size) {
  return (int)((int64_t)count * (worker + 1) / size);
}

// Processes the remaining parts of one thread.
static void take_from(StCrew *crew, int owner, int worker) {
  _Atomic uint64_t *own = &crew->worker[owner].ticket;
  for (;;) {
    uint64_t ticket = atomic_load(own);
    StCrewWork work = atomic_load(&crew->work);
    void *context = atomic_load(&crew->context);
    int part = (int)(uint32_t)ticket;
    if (part >= end_of(atomic_load(&crew->count), owner, crew->size))
      return;
    if (!atomic_compare_exchange_weak(own, &ticket, ticket + 1))
      continue;
    work(context, part, worker);
    atomic_fetch_add(&crew->done, 1);
  }
}

static void take_parts(StCrew *crew, int worker) {
  for (int i = 0; i < crew->size; i++)
    take_from(crew, (worker + i) % crew->size, worker);
}

static bool is_over(StCrew *crew, unsigned seen) {
  return atomic_load(&crew->job) == seen && !atomic_load(&crew->leave);
}

static void sleep_until_called(StCrew *crew, unsigned seen) {
  for (int i = 0; i < LOOKS; i++) {
    if (!is_over(crew, seen))
      return;
    pause_briefly();
  }
  pthread_mutex_lock(&crew->lock);
  atomic_fetch_add(&crew->asleep, 1);
  while (is_over(crew, seen))
    pthread_cond_wait(&crew->wake, &crew->lock);
  atomic_fetch_sub(&crew->asleep, 1);
  pthread_mutex_unlock(&crew->lock);
}

static void *serve(void *context) {
  struct Worker *worker = context;
  StCrew *crew = worker->crew;
  for (unsigned seen = 0;;) {
    sleep_until_called(crew, seen);
    if (atomic_load(&crew->leave))
      return NULL;
    seen = atomic_load(&crew->job);
    take_parts(crew, worker->number);
  }
}

static void call_up(StCrew *crew) {
  if (atomic_load(&crew->asleep) == 0)
    return;
  pthread_mutex_lock(&crew->lock);
  pthread_cond_broadcast(&crew->wake);
  pthread_mutex_unlock(&crew->lock);
}

StStatus st_crew_create(int threads, StCrew **result, StError *error) {
  *result = NULL;
  if (threads <= 1)
    return ST_OK;
  StCrew *crew = st_new_array(1, sizeof(StCrew) + (size_t)threads * sizeof(struct Worker));
  ST_TRY_MEMORY(crew, error);
  crew->size = threads;
  crew->process = getpid();
  pthread_mutex_init(&crew->lock, NULL);
  pthread_cond_init(&crew->wake, NULL);
  for (int i = 0; i < threads; i++)
    atomic_store(&crew->worker[i].ticket, NO_PART);
  for (int i = 1; i < threads; i++) {
    struct Worker *worker = &crew->worker[i];
    worker->crew = crew;
    worker->number = i;
    if (pthread_create(&worker->thread, NULL, serve, worker) != 0) {
      st_crew_destroy(crew);
      return st_fail(error, ST_SYSTEM_FAULT, "the system has no room for %d threads", threads);
    }
    crew->started++;
  }
  *result = crew;
  return ST_OK;
}

// Threads do not survive a fork.
static bool has_threads(const StCrew *crew) {
  return crew && crew->process == getpid();
}

void st_crew_destroy(StCrew *crew) {
  if (!crew)
    return;
  if (has_threads(crew)) {
    atomic_store(&crew->leave, true);
    call_up(crew);
    for (int i = 1; i <= crew->started; i++)
      pthread_join(crew->worker[i].thread, NULL);
    pthread_cond_destroy(&crew->wake);
    pthread_mutex_destroy(&crew->lock);
  }
  free(crew);
}

int st_crew_size(const StCrew *crew) {
  return crew ? crew->size : 1;
}

static int within_most(long count) {
  return count < 1 ? 1 : count < ST_CREW_MOST ? (int)count : ST_CREW_MOST;
}

int st_crew_processors(void) {
  cpu_set_t set;
  return within_most(sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                                 : sysconf(_SC_NPROCESSORS_ONLN));
}

int st_crew_default_size(void) {
  const char *asked = getenv("OMP_NUM_THREADS");
  char *end = NULL;
  long count = asked ? strtol(asked, &end, 10) : 0;
  bool given = asked && end != asked && (*end == 0 || *end == ',') && count >= 1;
  return given ? within_most(count) : st_crew_processors();
}

void st_crew_do(StCrew *crew, int count, StCrewWork work, void *context) {
  if (count <= 1 || !has_threads(crew)) {
    for (int part = 0; part < count; part++)
      work(context, part, 0);
    return;
  }
  uint64_t job = atomic_load(&crew->job) + 1;
  for (int i = 0; i < crew->size; i++) // while the job is published
    atomic_store(&crew->worker[i].ticket, (job << PART_BITS) | NO_PART);
  atomic_store(&crew->work, work);
  atomic_store(&crew->context, context);
  atomic_store(&crew->count, count);
  atomic_store(&crew->done, 0);
  for (int i = 0; i < crew->size; i++)
    atomic_store(&crew->worker[i].ticket,
                 (job << PART_BITS) | (uint64_t)end_of(count, i - 1, crew->size));
  atomic_store(&crew->job, (unsigned)job);
  call_up(crew);
  take_parts(crew, 0);
  for (int looks = 0; atomic_load(&crew->done) < count; looks++)
    if (looks < LOOKS)
      pause_briefly();
    else
      sched_yield();
}

typedef struct Sweep {
  int begin, end, grain;
  StCrewSweep work;
  void *context;
} Sweep;

static void do_span(void *context, int part, int worker) {
  (void)worker;
  const Sweep *sweep = context;
  StSpan span = st_span_part(sweep->end - sweep->begin, sweep->grain, part);
  sweep->work(sweep->context, sweep->begin + span.begin, sweep->begin + span.end);
}

void st_crew_sweep(StCrew *crew, int begin, int end, int grain, StCrewSweep work, void *context) {
  Sweep sweep = {begin, end, grain, work, context};
  st_crew_do(crew, st_span_count(end - begin, grain), do_span, &sweep);
}
