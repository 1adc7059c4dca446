// A small web server for this machine only: it listens on loopback, accepts GET requests and calls
// a function to answer them, one at a time. Slow requests and replies are cut off, and at once if
// all slots are taken, so slow clients cannot keep others out.
#pragma once

#include "base/status.h"
#include "base/text.h"

#include <signal.h>

typedef struct StReply {
  int status; // 200, 404 …
  const char *type;
  StText body;
} StReply;

typedef void StAnswer(void *context, const char *path, StReply *reply);

// port 0: any free one. *port gets the actual one.
StStatus st_serve_open(int *port, int *listener, StError *error);

// Runs until *stop. Closes the listener.
StStatus st_serve(int listener, StAnswer *answer, void *context, const volatile sig_atomic_t *stop,
                  StError *error);
