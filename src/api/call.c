// A lock that is granted in order of arrival: otherwise a thread that steps in a loop could starve
// all others.
#include "api/call.h"

#include "api/handles.h"
#include "solve/runtime.h"

#include <pthread.h>
#include <stdint.h>

// The state of the lock belongs to the process, like PETSc and MPI.
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t moved;
  uint64_t arrived, done; // calls; one is running if they differ
  bool torn;              // the process was forked while another thread's call was under way
  StReleased *first, *last;
} door = {.mutex = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};

static _Thread_local bool inside; // this thread's call is under way
static StThreads host_threads;    // what the program had before that call
static _Thread_local StError last_error;

// A forked process has this thread alone. Whoever waited is gone; whose call was under way left
// things half done.
static void begin_fork(void) {
  pthread_mutex_lock(&door.mutex);
}

static void end_fork(void) {
  pthread_mutex_unlock(&door.mutex);
}

static void go_on_forked(void) {
  door.torn = door.torn || (door.arrived != door.done && !inside);
  door.arrived = door.done + inside;
  pthread_cond_init(&door.moved, NULL);
  pthread_mutex_unlock(&door.mutex);
}

static void watch_forks(void) {
  pthread_atfork(begin_fork, end_fork, go_on_forked);
}

bool st_call_was_forked(void) {
  return door.torn || st_runtime_was_forked();
}

static void wait_for_turn(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&door.mutex);
  uint64_t mine = door.arrived++;
  while (door.done != mine)
    pthread_cond_wait(&door.moved, &door.mutex);
  pthread_mutex_unlock(&door.mutex);
  inside = true;
  host_threads = st_runtime_calm();
}

// The next thing to free; NULL: none, and the lock has been passed on.
static StReleased *next_released(void) {
  pthread_mutex_lock(&door.mutex);
  StReleased *released = door.first;
  if (released)
    door.first = released->next;
  else
    door.done++;
  if (!door.first)
    door.last = NULL;
  if (!released)
    pthread_cond_broadcast(&door.moved);
  pthread_mutex_unlock(&door.mutex);
  return released;
}

static void end_turn(void) {
  st_runtime_wake(host_threads);
  for (StReleased *released; (released = next_released());)
    released->destroy(released);
  inside = false;
}

void st_call_release(StReleased *released) {
  if (st_call_was_forked())
    return; // it belongs to the other process; this one must not touch it
  pthread_mutex_lock(&door.mutex);
  bool busy = door.arrived != door.done;
  released->next = NULL;
  *(door.last ? &door.last->next : &door.first) = released;
  door.last = released;
  door.arrived += !busy;
  pthread_mutex_unlock(&door.mutex);
  if (busy)
    return;
  inside = true;
  host_threads = st_runtime_calm();
  end_turn();
}

static StStatus fail_inside(const char *function) {
  return st_fail(&last_error, ST_BAD_INPUT,
                 "%s: called from within a callback, while the outer call is still running; call "
                 "it after that one has returned",
                 function);
}

StStatus st_call_refuse_forked(const char *function, StError *error) {
  return st_fail(error, ST_BAD_INPUT,
                 "%s: this process was forked from one %s; start the process afresh (in Python: "
                 "multiprocessing's method \"spawn\")",
                 function,
                 door.torn ? "in which another thread was using the library"
                           : "that had started MPI, which does not survive that");
}

StStatus st_call_enter(const Stiction *session, const char *function) {
  if (inside)
    return fail_inside(function);
  if (st_call_was_forked())
    return st_call_refuse_forked(function, &last_error);
  wait_for_turn();
  if (!session->closed)
    return ST_OK;
  end_turn();
  return st_fail(&last_error, ST_BAD_INPUT, "%s: the session has been closed", function);
}

StictionStatus st_call_leave(Stiction *session, StStatus status) {
  if (status != ST_OK)
    last_error = session->error;
  end_turn();
  return (StictionStatus)status;
}

bool st_call_look(void) {
  if (inside)
    return false;
  wait_for_turn();
  return true;
}

void st_call_look_end(bool looked) {
  if (looked)
    end_turn();
}

bool st_call_enter_any(const char *function) {
  if (inside)
    return fail_inside(function) == ST_OK;
  wait_for_turn();
  return true;
}

void st_call_leave_any(void) {
  end_turn();
}

void st_call_report(const StError *error) {
  last_error = *error;
}

StictionStatus st_call_missing(const char *function, const char *what) {
  return (StictionStatus)st_fail(&last_error, ST_BAD_INPUT, "%s: %s is NULL", function, what);
}

const char *st_call_error(void) {
  return last_error.text;
}
