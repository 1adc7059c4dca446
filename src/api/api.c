// Sessions of the public interface.
#include "api/handles.h"
#include "base/memory.h"
#include "solve/runtime.h"

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
  const Stiction *session = context;
  if (session->write)
    session->write(session->context, (int)level, text);
}

// Sessions that are open. The last to be closed stops PETSc and MPI.
static int open_count;

StictionStatus stiction_open(Stiction **session) {
  ST_NEED(session);
  *session = NULL;
  if (!st_call_enter_any(__func__))
    return STICTION_BAD_INPUT;
  Stiction *made = ST_NEW(Stiction, 1);
  StError error = {0};
  StStatus status = made ? st_runtime_start(&error) : st_fail_memory(&error);
  if (made && status == ST_OK) {
    *made = (Stiction){.references = 1, .log = {pass_on, made}};
    open_count++;
    *session = made;
  } else {
    free(made);
  }
  st_call_tell(&error);
  st_call_leave_any();
  return (StictionStatus)status;
}

void st_session_drop(Stiction *session) {
  if (--session->references == 0)
    free(session);
}

void stiction_close(Stiction *session) {
  if (!session || !st_call_enter_any(__func__))
    return;
  if (!session->closed) {
    session->closed = true;
    while (session->first)
      st_simulation_end(session->first);
    if (--open_count == 0)
      st_runtime_stop();
    st_session_drop(session);
  }
  st_call_leave_any();
}

const char *stiction_error(const Stiction *session) {
  (void)session;
  return st_call_error();
}

void stiction_listen(Stiction *session, StictionListener write, void *context) {
  if (!session || !st_call_enter_any(__func__))
    return;
  session->write = write;
  session->context = context;
  st_call_leave_any();
}

int stiction_rank(const Stiction *session) {
  bool looked = st_call_look();
  int rank = session && !session->closed ? st_runtime_rank() : 0;
  st_call_look_end(looked);
  return rank;
}
