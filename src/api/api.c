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

StictionStatus stiction_open(Stiction **session) {
  *session = ST_NEW(Stiction, 1);
  if (!*session)
    return STICTION_SYSTEM_FAULT;
  (*session)->log = (StLog){pass_on, *session};
  return (StictionStatus)st_runtime_start(&(*session)->error);
}

void stiction_close(Stiction *session) {
  if (session)
    st_runtime_stop();
  free(session);
}

const char *stiction_error(const Stiction *session) {
  return session->error.text;
}

void stiction_listen(Stiction *session, StictionListener write, void *context) {
  session->write = write;
  session->context = context;
}

int stiction_rank(const Stiction *session) {
  (void)session;
  return st_runtime_rank();
}
