// Routes of the served page.
#include "show/view_server.h"

#include "base/json_text.h"
#include "base/memory.h"
#include "output/run_folder.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

static const char BINARY[] = "application/octet-stream";

static StStatus make_token(char token[ST_VIEW_TOKEN_SIZE], StError *error) {
  unsigned char bytes[(ST_VIEW_TOKEN_SIZE - 1) / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return st_fail(error, ST_SYSTEM_FAULT, "no random numbers for the address: %s",
                   strerror(errno));
  for (size_t i = 0; i < sizeof bytes; i++)
    snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  return ST_OK;
}

static bool look_at_mark(const StViewSlot *slot, struct stat *about) {
  ST_FREE char *path = st_run_folder_file(slot->folder, "run.json");
  return path && stat(path, about) == 0;
}

static bool is_same(const StViewSlot *slot, const struct stat *about) {
  return about->st_ino == slot->mark.number && about->st_mtim.tv_sec == slot->mark.time.tv_sec &&
         about->st_mtim.tv_nsec == slot->mark.time.tv_nsec;
}

static void let_go(StViewSlot *slot, const char *reason) {
  if (slot->open)
    st_view_run_close(&slot->run);
  slot->open = false;
  snprintf(slot->waiting, sizeof slot->waiting, "%.500s", reason);
}

// Opens the run that is in the folder now. Any failure may be temporary: a run creates its folder
// and its first frame within moments.
static void turn_to_run(const StViewServer *server, StViewSlot *slot) {
  struct stat about;
  StError error;
  if (!look_at_mark(slot, &about)) {
    char text[400];
    snprintf(text, sizeof text, "%.300s: there is no run in it yet", slot->folder);
    let_go(slot, text);
    return;
  }
  if (slot->open && is_same(slot, &about))
    return;
  let_go(slot, "");
  if (st_view_run_open(slot->folder, server->hollow, server->log, &slot->run, &error) != ST_OK) {
    let_go(slot, error.text);
    return;
  }
  slot->open = true;
  slot->mark.number = about.st_ino;
  slot->mark.time = about.st_mtim;
  slot->run.every = server->every;
  slot->run.generation = slot->generation++;
}

StStatus st_view_server_create(const char *const *folder, int count, int every, bool hollow,
                               const StLog *log, StViewServer *server, StError *error) {
  *server = (StViewServer){.count = count, .every = every, .hollow = hollow, .log = log};
  ST_TRY(make_token(server->token, error));
  for (int i = 0; i < count; i++) {
    server->slot[i].folder = folder[i];
    turn_to_run(server, &server->slot[i]);
  }
  return ST_OK;
}

void st_view_server_close(StViewServer *server) {
  for (int i = 0; i < server->count; i++)
    let_go(&server->slot[i], "");
}

static StStatus give_waiting(const StViewSlot *slot, StReply *reply) {
  st_text_add(&reply->body, "{\"state\":\"waiting\",\"reason\":");
  st_json_text_add_string(&reply->body, slot->waiting);
  st_text_add(&reply->body, "}");
  return ST_OK;
}

static StStatus give_run(const StViewServer *server, StViewSlot *slot, StReply *reply,
                         StError *error) {
  reply->type = "application/json";
  turn_to_run(server, slot);
  if (!slot->open)
    return give_waiting(slot, reply);
  ST_TRY(st_recording_refresh(&slot->run.recording, error));
  return st_view_run_describe(&slot->run, NULL, &reply->body, error);
}

// One group of one frame.
static StStatus pack_frame(const StViewRun *run, int frame, const char *group, StText *header,
                           StText *bytes, StError *error) {
  bool positions = strcmp(group, "position") == 0;
  StViewFields only = st_view_fields_only(&run->fields, group);
  if (!positions && only.count == 0)
    return st_fail(error, ST_BAD_INPUT, "frames have no field '%s'", group);
  ST_FINALLY(st_view_pack_free) StViewPack pack = {0};
  ST_TRY(st_view_pack_create(&run->surface, &only, 1, &pack, error));
  ST_TRY(st_view_pack_add(&pack, &run->recording, st_view_run_frame(run, frame), positions, error));
  st_text_add(header, "{\"first\":%d,\"count\":1,\"groups\":{", frame);
  ST_TRY(st_view_pack_group(&pack, positions ? 0 : 1, header, bytes, error));
  st_text_add(header, "}}");
  return ST_OK;
}

// path: "12/contact".
static StStatus give_frame(const StViewRun *run, const char *path, StReply *reply, StError *error) {
  int frame = -1, length = 0;
  if (sscanf(path, "%9d%n", &frame, &length) != 1 || path[length] != '/' || frame < 0 ||
      frame >= st_view_run_frames(run))
    return st_fail(error, ST_BAD_INPUT, "there is no frame '%s'", path);
  StText header = {0}, bytes = {0};
  StStatus status = pack_frame(run, frame, path + length + 1, &header, &bytes, error);
  if (status == ST_OK) {
    reply->type = BINARY;
    st_text_add_u32(&reply->body, (uint32_t)header.length, false);
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

// The path after the token; NULL: wrong token. Constant time, so that the token cannot be guessed
// piece by piece.
static const char *after_token(const StViewServer *server, const char *path) {
  size_t length = ST_VIEW_TOKEN_SIZE - 1;
  if (path[0] != '/' || strlen(path) < length + 2 || path[length + 1] != '/')
    return NULL;
  int wrong = 0;
  for (size_t i = 0; i < length; i++)
    wrong |= path[i + 1] ^ server->token[i];
  return wrong ? NULL : path + length + 1;
}

// path: the part after the number of the run.
static StStatus give_of_run(const StViewServer *server, StViewSlot *slot, const char *path,
                            StReply *reply, StError *error) {
  const char *block = after(path, "/block/"), *frame = after(path, "/frame/");
  if (strcmp(path, "/run") == 0)
    return give_run(server, slot, reply, error);
  if ((block || frame) && !slot->open)
    return st_fail(error, ST_BAD_INPUT, "%s", slot->waiting);
  if (block)
    return give_block(&slot->run, block, reply, error);
  if (frame)
    return give_frame(&slot->run, frame, reply, error);
  return st_fail(error, ST_BAD_INPUT, "there is nothing at %s", path);
}

static StStatus give(StViewServer *server, const char *path, StReply *reply, StError *error) {
  int number = path[1] - '0';
  if (path[1] && path[2] == '/' && number >= 0 && number < server->count)
    return give_of_run(server, &server->slot[number], path + 2, reply, error);
  if (strcmp(path, "/runs") == 0) {
    reply->type = "application/json";
    st_text_add(&reply->body, "{\"count\":%d}", server->count);
    return ST_OK;
  }
  if (strcmp(path, "/") != 0)
    return st_fail(error, ST_BAD_INPUT, "there is nothing at %s", path);
  reply->type = "text/html; charset=utf-8";
  st_view_page_plain(&reply->body);
  return ST_OK;
}

void st_view_server_answer(void *context, const char *path, StReply *reply) {
  StError error;
  const char *rest = after_token(context, path);
  StStatus status =
      rest ? give(context, rest, reply, &error)
           : st_fail(&error, ST_BAD_INPUT,
                     "there is nothing here; the address that stiction view printed is longer");
  if (status == ST_OK)
    return;
  st_text_free(&reply->body);
  reply->type = "text/plain; charset=utf-8";
  reply->status = error.status == ST_BAD_INPUT ? 404 : 500;
  st_text_add(&reply->body, "%s\n", error.text);
}
