// A run's folder in which one file holds any bytes. The first byte says which, and whether the rest
// is its content or a list of edits to what the run wrote. What can be read back is, fields, blocks
// and all, and the rest is refused.
#include "replay/frame_fields.h"
#include "show/view_server.h"

#include "fuzz/fuzz_run.h"

static const char *const files[] = {"run/run.json", "run/summary.json", "run/history.csv",
                                    "run/small.pvd", "run/frames/frame_00000.vtu"};
enum { FILES = sizeof files / sizeof files[0] };

static char *original[FILES];
static size_t original_size[FILES];

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  fuzz_run_begin();
  for (int i = 0; i < FILES; i++)
    original[i] = scratch_read(scratch(files[i]), &original_size[i]);
  return 0;
}

static void put(int index, const void *data, size_t size) {
  FILE *file = fopen(scratch(files[index]), "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
    abort();
}

// An edit: where (two bytes), and the byte that stands there from now on; a last single byte cuts
// the file there.
static void put_edited(int index, const uint8_t *data, size_t size) {
  size_t length = original_size[index];
  char *bytes = malloc(length + 1);
  if (!bytes)
    abort();
  memcpy(bytes, original[index], length);
  for (; size >= 3; data += 3, size -= 3)
    bytes[(size_t)(data[0] | data[1] << 8) % length] = (char)data[2];
  put(index, bytes, size == 1 ? length * data[0] / 256 : length);
  free(bytes);
}

static void read_fields(const StRecording *recording) {
  StFrameFields *fields = NULL;
  StError error = {0};
  StStatus status = st_frame_fields_open(recording, 0, &fields, &error);
  fuzz_check(status, &error);
  for (int i = 0; fields && i < st_frame_fields_count(fields); i++) {
    double *value = NULL;
    status = st_frame_fields_read(fields, st_frame_fields_at(fields, i), &value, &error);
    fuzz_check(status, &error);
    free(value);
  }
  st_frame_fields_close(fields);
}

static void ask(StViewServer *server, const char *path) {
  char whole[128];
  StReply reply = {.status = 200, .type = ""};
  snprintf(whole, sizeof whole, "/%s%s", server->token, path);
  st_view_server_answer(server, whole, &reply);
  st_text_free(&reply.body);
}

static void show(void) {
  static const char *const paths[] = {
      "/0/run",           "/0/frame/0/position", "/0/frame/0/stress", "/0/frame/1/speed",
      "/0/block/surface", "/0/block/inside",     "/0/block/history",  "/0/block/obstacle-0"};
  StViewServer server;
  StError error = {0};
  char folder[512];
  snprintf(folder, sizeof folder, "%s", scratch("run"));
  StStatus status =
      st_view_server_create((const char *const[]){folder}, 1, 1, false, NULL, &server, &error);
  fuzz_check(status, &error);
  if (status != ST_OK)
    return;
  if (server.slot[0].open)
    read_fields(&server.slot[0].run.recording);
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
    ask(&server, paths[i]);
  st_view_server_close(&server);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  int index = data[0] % 128 % FILES;
  if (data[0] < 128)
    put(index, data + 1, size - 1);
  else
    put_edited(index, data + 1, size - 1);
  show();
  put(index, original[index], original_size[index]);
  return 0;
}
