// Any bytes as a request to the viewer's server: answered or turned away.
#include "show/serve_request.h"
#include "show/view_server.h"

#include "fuzz/fuzz_run.h"

static StViewServer viewer;
static char folder[512];

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  StError error;
  fuzz_run_begin();
  snprintf(folder, sizeof folder, "%s", scratch("run"));
  if (st_view_server_create((const char *const[]){folder}, 1, 1, false, NULL, &viewer, &error) !=
          ST_OK ||
      !viewer.slot[0].open)
    abort();
  return 0;
}

static void check_path(const char *path) {
  if (path[0] != '/' || strlen(path) >= ST_PATH_SIZE || strstr(path, ".."))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  char path[ST_PATH_SIZE];
  int status = st_request_parse(text, size, path);
  if (!st_request_complete(text, size) || status != 200) {
    if (!*st_status_phrase(status))
      abort();
    return 0;
  }
  check_path(path);
  StReply reply = {.status = 200, .type = "text/plain"};
  char whole[ST_PATH_SIZE + ST_VIEW_TOKEN_SIZE + 1];
  snprintf(whole, sizeof whole, "/%s%s", viewer.token, path);
  st_view_server_answer(&viewer, whole, &reply);
  if (reply.status != 200 && reply.status != 404)
    abort();
  st_text_free(&reply.body);
  return 0;
}
