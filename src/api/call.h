// Locking of the public interface. A call locks all objects that it works on at once: exclusively
// where it changes the object, shared where it only reads. Calls on the same object run in order of
// arrival; calls on different simulations run at the same time. With several processes all calls
// run one after the other, since MPI is used from one thread at a time. A call from within a
// callback could wait for itself, so it is rejected. Things freed while in use are freed when the
// calls that use them have ended, so freeing never waits; garbage collectors call it anywhere.
#pragma once

#include "stiction/stiction.h"

#include "base/status.h"

// Changed by api/call.c only.
typedef struct StTurn {
  int shared; // calls that share it
  bool alone; // a call has it for itself
} StTurn;

typedef struct StNeed {
  StTurn *turn; // NULL: nothing
  bool alone;
} StNeed;

enum { ST_NEEDS = 4 };

typedef struct StCall {
  struct StCall *next; // of those that wait, the one that arrived after this
  StNeed need[ST_NEEDS];
  struct StReleased *released; // to be freed; NULL: a thread waits
} StCall;

// First member of every object of the interface: its lock, and how to free it.
typedef struct StReleased {
  StTurn turn;
  void (*destroy)(struct StReleased *thing);
  Stiction *session; // of the object; NULL: none
  StCall freeing;
} StReleased;

#define ST_ALONE(thing)                                                                            \
  { (StTurn *)&(thing)->released.turn, true } // the turn of a const thing is not
#define ST_SHARED(thing)                                                                           \
  { (StTurn *)&(thing)->released.turn, false }
#define ST_NOTHING                                                                                 \
  { NULL, false }

// ST_BAD_INPUT from within a callback, or if the session has been closed; sets the message. Two
// needs besides the session.
StStatus st_call_enter(const char *function, Stiction *session, const StNeed need[2]);
StictionStatus st_call_leave(StStatus status);

// The same for those that open or close a session (NULL: a new one); false, with a message, from
// within a callback.
bool st_call_enter_opening(const char *function, Stiction *session);
void st_call_leave_opening(void);

StError *st_call_error(void); // of this thread's call, while it is under way

// Brackets reading what calls change. False: within a callback, when another thread's call is using
// the thing: waiting for that could be for ever.
typedef struct StLook {
  StCall call;
  bool taken;
} StLook;

bool st_call_look(StReleased *thing, StLook *look);
void st_call_look_end(StLook *look);

bool st_call_is_using(const StReleased *thing);   // this thread's call is, which has called back
bool st_call_refuse_inside(const char *function); // within a callback: sets the message

// Whether the process was forked from one with MPI, or in the middle of another thread's call: it
// cannot use what its parent has. And the words for that.
bool st_call_was_forked(void);
StStatus st_call_refuse_forked(const char *function, StError *error);

void st_call_release(StReleased *thing);

// "FUNCTION: WHAT is NULL".
StictionStatus st_call_missing(const char *function, const char *what);

const char *st_call_text(void); // why the last call of this thread that failed did so
void st_call_report(const StError *error);

#define ST_NEED(pointer)                                                                           \
  do {                                                                                             \
    if (!(pointer))                                                                                \
      return st_call_missing(__func__, #pointer);                                                  \
  } while (0)

#define ST_ENTER(session, ...)                                                                     \
  do {                                                                                             \
    StStatus st_entered = st_call_enter(__func__, (session), (const StNeed[2]){__VA_ARGS__});      \
    if (st_entered != ST_OK)                                                                       \
      return (StictionStatus)st_entered;                                                           \
  } while (0)
