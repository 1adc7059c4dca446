// Sessions of the public interface.
#include "api/handles.h"
#include "base/memory.h"
#include "solve/runtime.h"
#include "stiction/build.h"

#include <string.h>

_Static_assert((int)STICTION_BAD_INPUT == ST_BAD_INPUT && (int)STICTION_BUG == ST_BUG &&
                   (int)STICTION_SYSTEM_FAULT == ST_SYSTEM_FAULT &&
                   (int)STICTION_NOT_SOLVED == ST_NOT_SOLVED &&
                   (int)STICTION_INTERRUPTED == ST_INTERRUPTED,
               "public and internal status codes are the same numbers");
_Static_assert((int)STICTION_DETAIL == ST_DETAIL && (int)STICTION_WARNING == ST_WARNING,
               "public and internal levels are the same numbers");

const char *stiction_version(void) {
  return STICTION_VERSION;
}

static void pass_on(void *context, StLevel level, const char *text) {
  Stiction *session = context;
  pthread_mutex_lock(&session->listening);
  if (session->write)
    session->write(session->context, (int)level, text);
  pthread_mutex_unlock(&session->listening);
}

// Sessions that are open. The last to be closed stops PETSc and MPI.
static int open_count;

#define SIZE(type) {#type, sizeof(type)},
static const struct {
  const char *name;
  size_t size;
} structs[] = {STICTION_STRUCTS(SIZE)};

// An older program may know fewer structs, a newer one more; those that both know must agree. One
// that gives none has not been compared, although it asked for that.
static StStatus check_sizes(const size_t *sizes, int count, StError *error) {
  if (sizes && count <= 0)
    return st_fail(error, ST_BAD_INPUT,
                   "stiction_open_checked: %d sizes are given; stiction_open and "
                   "stiction_open_with give those of the header",
                   count);
  for (int i = 0; i < count && i < ST_LENGTH(structs); i++)
    if (sizes[i] != structs[i].size)
      return st_fail(error, ST_BAD_INPUT,
                     "%s has %zu bytes in this program and %zu in the library (version %s): the "
                     "program was compiled with the header of another version; compile it again",
                     structs[i].name, sizes[i], structs[i].size, STICTION_VERSION);
  return ST_OK;
}

// A program that knows a longer struct wants what this library cannot give.
static StStatus check_options(const StictionOptions *options, StError *error) {
  if (!options || options->size == sizeof *options)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "the size of StictionOptions is %zu, not %zu: set it to sizeof(StictionOptions), "
                 "with the header of this library",
                 options->size, sizeof *options);
}

// sizes: of the program's structs; NULL: they are not compared.
static StictionStatus open_session(const StictionOptions *options, const size_t *sizes, int count,
                                   Stiction **session) {
  *session = NULL;
  if (!st_call_enter_opening("stiction_open", NULL))
    return STICTION_BAD_INPUT;
  Stiction *made = ST_NEW(Stiction, 1);
  StError error = {0};
  StStatus status = made ? check_sizes(sizes, count, &error) : st_fail_memory(&error);
  if (status == ST_OK)
    status = check_options(options, &error);
  if (status == ST_OK && st_call_was_forked())
    status = st_call_refuse_forked("stiction_open", &error);
  if (status == ST_OK)
    status = st_runtime_start_on(options ? options->communicator : NULL, &error);
  if (made && status == ST_OK) {
    *made = (Stiction){.references = 1, .log = {pass_on, made}};
    pthread_mutex_init(&made->listing, NULL);
    pthread_mutex_init(&made->listening, NULL);
    open_count++;
    *session = made;
  } else {
    free(made);
  }
  if (status != ST_OK)
    st_call_report(&error);
  st_call_leave_opening();
  return (StictionStatus)status;
}

StictionStatus stiction_open(Stiction **session) {
  ST_NEED(session);
  return open_session(NULL, NULL, 0, session);
}

StictionStatus stiction_open_with(const StictionOptions *options, Stiction **session) {
  ST_NEED(session);
  return open_session(options, NULL, 0, session);
}

StictionStatus stiction_open_checked(const StictionOptions *options, const size_t *sizes, int count,
                                     Stiction **session) {
  ST_NEED(session);
  *session = NULL;
  ST_NEED(sizes);
  return open_session(options, sizes, count, session);
}

StTurn *st_session_turn(Stiction *session) {
  return &session->turn;
}

bool st_session_is_closed(const Stiction *session) {
  return session->closed;
}

void st_session_hold(Stiction *session) {
  session->references++;
}

void st_session_drop(Stiction *session) {
  if (--session->references > 0)
    return;
  pthread_mutex_destroy(&session->listing);
  pthread_mutex_destroy(&session->listening);
  free(session);
}

void stiction_close(Stiction *session) {
  if (!session || st_call_was_forked() || !st_call_enter_opening(__func__, session))
    return;
  bool open = !session->closed;
  if (open) {
    session->closed = true;
    while (session->first)
      st_simulation_end(session->first);
    if (--open_count == 0)
      st_runtime_stop();
  }
  st_call_leave_opening();
  if (open)
    st_session_drop(session);
}

const char *stiction_error(const Stiction *session) {
  (void)session;
  return st_call_text();
}

void stiction_listen(Stiction *session, StictionListener write, void *context) {
  if (!session || st_call_refuse_inside(__func__))
    return;
  pthread_mutex_lock(&session->listening);
  session->write = write;
  session->context = context;
  pthread_mutex_unlock(&session->listening);
}

int stiction_rank(const Stiction *session) {
  return session && !session->closed ? st_runtime_rank() : 0;
}

static StStatus read_quantity(const char *text, const char *unit, double *value, StError *error) {
  StDimension dimension;
  if (!st_unit_dimension(unit, &dimension))
    return st_fail(error, ST_BAD_INPUT, "'%s' is no unit", unit);
  return st_quantity_parse(text, dimension, value, error);
}

StictionStatus stiction_quantity(const char *text, const char *unit, double *value) {
  ST_NEED(text);
  ST_NEED(unit);
  ST_NEED(value);
  StError error = {0};
  StStatus status = read_quantity(text, unit, value, &error);
  if (status != ST_OK)
    st_call_report(&error);
  return (StictionStatus)status;
}

size_t stiction_size(const char *type) {
  for (int i = 0; type && i < ST_LENGTH(structs); i++)
    if (strcmp(structs[i].name, type) == 0)
      return structs[i].size;
  return 0;
}
