// Waiting calls form one queue in order of arrival. Without it a thread that steps in a loop could
// starve the others, and two calls could deadlock on each other's second lock.
#include "api/call.h"

#include "api/handles.h"
#include "solve/runtime.h"

#include <pthread.h>

// The state of the lock belongs to the process, like PETSc and MPI.
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t moved;
  StCall *first;  // of the queue
  StTurn process; // shared, except where all calls take turns
  StTurn opening; // sessions begin and end one at a time
  int running;    // those that have their turn
  int calm, blas; // calls that have one thread for BLAS; how many it had before them
  bool torn;      // the process was forked while another thread's call was under way
} door = {.mutex = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};

static _Thread_local struct {
  bool active; // this thread's call is under way
  StCall call;
  int openmp;    // threads that the program had before it
  StError error; // of that call
  StError last;  // of the last call that failed
} own;

static void append(StCall *call) {
  StCall **end = &door.first;
  while (*end)
    end = &(*end)->next;
  call->next = NULL;
  *end = call;
}

static void step_out(StCall *call) {
  StCall **at = &door.first;
  while (*at != call)
    at = &(*at)->next;
  *at = call->next;
}

static bool is_free(StNeed need) {
  return !need.turn || (!need.turn->alone && !(need.alone && need.turn->shared > 0));
}

static bool excludes(StNeed one, StNeed other) {
  return one.turn && one.turn == other.turn && (one.alone || other.alone);
}

static bool waits_for(const StCall *call, const StCall *earlier) {
  for (int i = 0; i < ST_NEEDS; i++)
    for (int k = 0; k < ST_NEEDS; k++)
      if (excludes(call->need[i], earlier->need[k]))
        return true;
  return false;
}

// A call starts when its locks are free and no call that arrived earlier waits for one of them. A
// call outside the queue counts as the last one.
static bool can_start(const StCall *call) {
  for (int i = 0; i < ST_NEEDS; i++)
    if (!is_free(call->need[i]))
      return false;
  for (const StCall *earlier = door.first; earlier && earlier != call; earlier = earlier->next)
    if (waits_for(call, earlier))
      return false;
  return true;
}

static void take(const StCall *call) {
  for (int i = 0; i < ST_NEEDS; i++)
    if (call->need[i].turn && call->need[i].alone)
      call->need[i].turn->alone = true;
    else if (call->need[i].turn)
      call->need[i].turn->shared++;
  door.running++;
}

static void give(const StCall *call) {
  for (int i = 0; i < ST_NEEDS; i++)
    if (call->need[i].turn && call->need[i].alone)
      call->need[i].turn->alone = false;
    else if (call->need[i].turn)
      call->need[i].turn->shared--;
  door.running--;
  pthread_cond_broadcast(&door.moved);
}

// A forked process has only this thread. Calls of other threads that waited are dropped; a call
// that was running left its objects inconsistent.
static void begin_fork(void) {
  pthread_mutex_lock(&door.mutex);
}

static void end_fork(void) {
  pthread_mutex_unlock(&door.mutex);
}

static void go_on_forked(void) {
  door.torn = door.torn || door.running > own.active;
  for (StCall **at = &door.first; *at;)
    if ((*at)->released)
      at = &(*at)->next;
    else
      *at = (*at)->next;
  pthread_cond_init(&door.moved, NULL);
  pthread_mutex_unlock(&door.mutex);
}

static void watch_forks(void) {
  pthread_atfork(begin_fork, end_fork, go_on_forked);
}

bool st_call_was_forked(void) {
  return door.torn || st_runtime_was_forked();
}

// MPI supports one thread, and its processes the same order of calls; some BLAS support one thread,
// too.
static StNeed need_process(void) {
  return (StNeed){&door.process, st_runtime_size() > 1 || !st_runtime_blas_is_shared()};
}

static void wait_for_turn(StCall *call) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&door.mutex);
  append(call);
  while (!can_start(call))
    pthread_cond_wait(&door.moved, &door.mutex);
  step_out(call);
  take(call);
  pthread_mutex_unlock(&door.mutex);
}

// The first released object in the queue that no call uses. *call: the locks taken to free it.
static StReleased *next_released(StCall *call) {
  StCall *at = door.first;
  while (at && !(at->released && can_start(at)))
    at = at->next;
  if (!at)
    return NULL;
  step_out(at);
  take(at);
  *call = *at;
  return at->released;
}

static void free_released(void) {
  StCall call;
  pthread_mutex_lock(&door.mutex);
  for (StReleased *thing; (thing = next_released(&call));) {
    pthread_mutex_unlock(&door.mutex);
    Stiction *session = thing->session;
    if (session)
      st_session_hold(session);
    thing->destroy(thing);
    call.need[0].turn = NULL; // was the thing's own
    pthread_mutex_lock(&door.mutex);
    give(&call);
    pthread_mutex_unlock(&door.mutex);
    if (session)
      st_session_drop(session);
    pthread_mutex_lock(&door.mutex);
  }
  pthread_mutex_unlock(&door.mutex);
}

void st_call_release(StReleased *thing) {
  if (st_call_was_forked())
    return; // it belongs to the other process; this one must not touch it
  StNeed session = {thing->session ? st_session_turn(thing->session) : NULL, false};
  thing->freeing =
      (StCall){.need = {{&thing->turn, true}, need_process(), session}, .released = thing};
  pthread_mutex_lock(&door.mutex);
  append(&thing->freeing);
  pthread_mutex_unlock(&door.mutex);
  if (!own.active)
    free_released();
}

// BLAS has one number of threads for the process: the first call sets it, the last puts it back.
static void begin(const StCall *call) {
  own.call = *call;
  wait_for_turn(&own.call);
  own.active = true;
  own.error = (StError){0};
  pthread_mutex_lock(&door.mutex);
  if (door.calm++ == 0)
    door.blas = st_runtime_calm_blas();
  pthread_mutex_unlock(&door.mutex);
  own.openmp = st_runtime_calm_openmp();
}

static void end(void) {
  st_runtime_wake_openmp(own.openmp);
  pthread_mutex_lock(&door.mutex);
  if (--door.calm == 0)
    st_runtime_wake_blas(door.blas);
  give(&own.call);
  own.active = false;
  pthread_mutex_unlock(&door.mutex);
  free_released();
}

bool st_call_refuse_inside(const char *function) {
  if (own.active)
    st_fail(&own.last, ST_BAD_INPUT,
            "%s: called from within a callback, while the outer call is still running; call it "
            "after that one has returned",
            function);
  return own.active;
}

StStatus st_call_refuse_forked(const char *function, StError *error) {
  return st_fail(error, ST_BAD_INPUT,
                 "%s: this process was forked from one %s; start the process afresh (in Python: "
                 "multiprocessing's method \"spawn\")",
                 function,
                 door.torn ? "in which another thread was using the library"
                           : "that had started MPI, which does not survive that");
}

StStatus st_call_enter(const char *function, Stiction *session, const StNeed need[2]) {
  if (st_call_refuse_inside(function))
    return ST_BAD_INPUT;
  if (st_call_was_forked())
    return st_call_refuse_forked(function, &own.last);
  begin(&(StCall){.need = {need_process(), {st_session_turn(session), false}, need[0], need[1]}});
  if (!st_session_is_closed(session))
    return ST_OK;
  end();
  return st_fail(&own.last, ST_BAD_INPUT, "%s: the session has been closed", function);
}

StictionStatus st_call_leave(StStatus status) {
  if (status != ST_OK)
    own.last = own.error;
  end();
  return (StictionStatus)status;
}

bool st_call_enter_opening(const char *function, Stiction *session) {
  if (st_call_refuse_inside(function))
    return false;
  StNeed closing = {session ? st_session_turn(session) : NULL, true};
  begin(&(StCall){.need = {need_process(), {&door.opening, true}, closing}});
  return true;
}

void st_call_leave_opening(void) {
  end();
}

StError *st_call_error(void) {
  return &own.error;
}

bool st_call_is_using(const StReleased *thing) {
  for (int i = 0; i < ST_NEEDS && own.active; i++)
    if (own.call.need[i].turn == &thing->turn)
      return true;
  return false;
}

bool st_call_look(StReleased *thing, StLook *look) {
  StNeed session = {st_session_turn(thing->session), false};
  *look = (StLook){.call = {.need = {{&thing->turn, true}, session}}};
  if (st_call_is_using(thing))
    return true;
  if (!own.active) {
    wait_for_turn(&look->call);
    return look->taken = true;
  }
  pthread_mutex_lock(&door.mutex);
  look->taken = can_start(&look->call);
  if (look->taken)
    take(&look->call);
  pthread_mutex_unlock(&door.mutex);
  return look->taken;
}

void st_call_look_end(StLook *look) {
  if (!look->taken)
    return;
  pthread_mutex_lock(&door.mutex);
  give(&look->call);
  pthread_mutex_unlock(&door.mutex);
  if (!own.active)
    free_released();
}

void st_call_report(const StError *error) {
  own.last = *error;
}

StictionStatus st_call_missing(const char *function, const char *what) {
  return (StictionStatus)st_fail(&own.last, ST_BAD_INPUT, "%s: %s is NULL", function, what);
}

const char *st_call_text(void) {
  return own.last.text;
}
