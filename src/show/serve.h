// A small web server for this machine alone: it listens on loopback, takes GET requests and lets a
// function answer them, one at a time. Who takes too long over a request or a reply is cut off, and
// at once when all places are taken: slow clients keep nobody out.
#ifndef ST_SHOW_SERVE_H
#define ST_SHOW_SERVE_H

#include "base/status.h"
#include "base/text.h"

#include <signal.h>

typedef struct StReply {
  int status; // 200, 404 …
  const char *type;
  StText body;
} StReply;

typedef void StAnswer(void *context, const char *path, StReply *reply);

// port 0: any that is free. *port gets the one it is.
StStatus st_serve_open(int *port, int *listener, StError *error);

// Until *stop. Closes the listener.
StStatus st_serve(int listener, StAnswer *answer, void *context, const volatile sig_atomic_t *stop,
                  StError *error);

#endif
