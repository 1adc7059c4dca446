// One call at a time. PETSc and MPI support one thread, so calls of the public interface wait for
// their turn, in order of arrival. A call from within a callback would wait for itself, so it is
// rejected. Things freed meanwhile are freed when the running call ends, so freeing never waits;
// garbage collectors call it anywhere.
#pragma once

#include "stiction/stiction.h"

#include "base/status.h"

// Memory to be freed later; the first member of its struct.
typedef struct StReleased {
  struct StReleased *next;
  void (*destroy)(struct StReleased *thing);
} StReleased;

// ST_BAD_INPUT from within a callback, or if the session has been closed; sets the message.
StStatus st_call_enter(const Stiction *session, const char *function);
StictionStatus st_call_leave(Stiction *session, StStatus status);

// Whether the process was forked from one with MPI, or in the middle of another thread's call: it
// cannot use what its parent has. And the words for that.
bool st_call_was_forked(void);
StStatus st_call_refuse_forked(const char *function, StError *error);

// Brackets reading what calls change. Needs no turn within a callback.
bool st_call_look(void);
void st_call_look_end(bool looked); // gets what st_call_look returned

// For calls that open or close a session; false, with a message, from within a callback.
bool st_call_enter_any(const char *function);
void st_call_leave_any(void);

void st_call_release(StReleased *thing);

// "FUNCTION: WHAT is NULL".
StictionStatus st_call_missing(const char *function, const char *what);

const char *st_call_error(void); // of the last call of this thread that failed
void st_call_report(const StError *error);

#define ST_NEED(pointer)                                                                           \
  do {                                                                                             \
    if (!(pointer))                                                                                \
      return st_call_missing(__func__, #pointer);                                                  \
  } while (0)

#define ST_ENTER(session)                                                                          \
  do {                                                                                             \
    StStatus st_entered = st_call_enter((session), __func__);                                      \
    if (st_entered != ST_OK)                                                                       \
      return (StictionStatus)st_entered;                                                           \
  } while (0)
