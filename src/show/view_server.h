// Answers requests of the served viewer page: the current state of the run, and any of its frames.
// Waits for a run that has not started, and switches to the new one when it is replaced.
#pragma once

#include "show/serve.h"
#include "show/view_page.h"

#include <sys/types.h>
#include <time.h>

enum { ST_VIEW_TOKEN_SIZE = 33 };

// One folder, and the run in it.
typedef struct StViewSlot {
  const char *folder;
  bool open; // there is a run
  int generation;
  StViewRun run;
  char waiting[512]; // why there is none
  struct {           // run.json, which every new run rewrites
    ino_t number;
    struct timespec time;
  } mark;
} StViewSlot;

typedef struct StViewServer {
  const StLog *log;
  int every;
  bool hollow;
  char token[ST_VIEW_TOKEN_SIZE]; // required in every request: the machine may be shared
  int count;
  StViewSlot slot[ST_VIEW_RUNS];
} StViewServer;

// Folders need not exist yet. They and the log must outlive the server.
StStatus st_view_server_create(const char *const *folder, int count, int every, bool hollow,
                               const StLog *log, StViewServer *server, StError *error);
void st_view_server_close(StViewServer *server);

// A StAnswer; context: the StViewServer. All paths begin with its token:
// /TOKEN/                the page
// /TOKEN/runs            {"count":…}, how many are to be shown side by side
//
// /TOKEN/0/run           the JSON object about the run as it is now; {"state":"waiting"} if there
//                        is none
//
// /TOKEN/0/block/NAME    numbers, see view_run.h
//
// /TOKEN/0/frame/NUMBER/GROUP
//                        Uint32 length of a header, the header (JSON), then positions or one field
//                        of the frame as a pack of one
void st_view_server_answer(void *context, const char *path, StReply *reply);
