// Routes of the served page.
#include "show/view_server.h"

#include "show/view_page.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char BINARY[] = "application/octet-stream";

static StStatus give_run(StViewRun *run, StReply *reply, StError *error) {
  ST_TRY(st_recording_refresh(&run->recording, error));
  reply->type = "application/json";
  return st_view_run_describe(run, NULL, &reply->body, error);
}

static StStatus pack_frame(const StViewRun *run, int frame, StText *header, StText *bytes,
                           StError *error) {
  StViewPack pack;
  ST_TRY(st_view_pack_create(&run->surface, &run->planes, 1, &pack, error));
  StStatus status =
      st_view_pack_add(&pack, &run->recording, st_view_run_frame(run, frame), &run->surface, error);
  if (status == ST_OK)
    status = st_view_pack_finish(&pack, frame, header, bytes, error);
  st_view_pack_free(&pack);
  return status;
}

static StStatus give_frame(const StViewRun *run, const char *number, StReply *reply,
                           StError *error) {
  int frame = -1, length = 0;
  if (sscanf(number, "%9d%n", &frame, &length) != 1 || number[length] || frame < 0 ||
      frame >= st_view_run_frames(run))
    return st_fail(error, ST_BAD_INPUT, "there is no frame '%s'", number);
  StText header = {0}, bytes = {0};
  StStatus status = pack_frame(run, frame, &header, &bytes, error);
  if (status == ST_OK) {
    uint32_t size = (uint32_t)header.length;
    reply->type = BINARY;
    st_text_add_bytes(&reply->body, &size, sizeof size);
    st_text_add_bytes(&reply->body, header.data, header.length);
    st_text_add_bytes(&reply->body, bytes.data, bytes.length);
  }
  st_text_free(&header);
  st_text_free(&bytes);
  return status;
}

static StStatus give_block(const StViewRun *run, const char *name, StReply *reply, StError *error) {
  ST_TRY(st_view_run_block(run, name, &reply->body, error));
  reply->type = BINARY;
  return ST_OK;
}

static const char *after(const char *path, const char *start) {
  size_t length = strlen(start);
  return strncmp(path, start, length) == 0 ? path + length : NULL;
}

static StStatus give(StViewRun *run, const char *path, StReply *reply, StError *error) {
  const char *block = after(path, "/block/"), *frame = after(path, "/frame/");
  if (strcmp(path, "/run") == 0)
    return give_run(run, reply, error);
  if (block)
    return give_block(run, block, reply, error);
  if (frame)
    return give_frame(run, frame, reply, error);
  if (strcmp(path, "/") != 0)
    return st_fail(error, ST_BAD_INPUT, "there is nothing at %s", path);
  reply->type = "text/html; charset=utf-8";
  st_view_page_plain(&reply->body);
  return ST_OK;
}

void st_view_server_answer(void *context, const char *path, StReply *reply) {
  StError error;
  if (give(context, path, reply, &error) == ST_OK)
    return;
  st_text_free(&reply->body);
  reply->type = "text/plain; charset=utf-8";
  reply->status = error.status == ST_BAD_INPUT ? 404 : 500;
  st_text_add(&reply->body, "%s\n", error.text);
}
