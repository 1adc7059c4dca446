// Routes of the served page.
#include "show/view_server.h"

#include "output/json_text.h"
#include "output/run_folder.h"
#include "show/view_page.h"

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

static bool look_at_mark(const StViewServer *server, struct stat *about) {
  char *path = st_run_folder_file(server->folder, "run.json");
  bool found = path && stat(path, about) == 0;
  free(path);
  return found;
}

static bool is_same(const StViewServer *server, const struct stat *about) {
  return about->st_ino == server->mark.number &&
         about->st_mtim.tv_sec == server->mark.time.tv_sec &&
         about->st_mtim.tv_nsec == server->mark.time.tv_nsec;
}

static void let_go(StViewServer *server, const char *reason) {
  if (server->open)
    st_view_run_close(&server->run);
  server->open = false;
  snprintf(server->waiting, sizeof server->waiting, "%.500s", reason);
}

// Opens the run that is in the folder now. Whatever keeps it from being opened may pass: a run
// makes its folder and its first frame within moments.
static void turn_to_run(StViewServer *server) {
  struct stat about;
  StError error;
  if (!look_at_mark(server, &about)) {
    char text[400];
    snprintf(text, sizeof text, "%.300s: there is no run in it yet", server->folder);
    let_go(server, text);
    return;
  }
  if (server->open && is_same(server, &about))
    return;
  let_go(server, "");
  if (st_view_run_open(server->folder, server->log, &server->run, &error) != ST_OK) {
    let_go(server, error.text);
    return;
  }
  server->open = true;
  server->mark.number = about.st_ino;
  server->mark.time = about.st_mtim;
  server->run.every = server->every;
  server->run.generation = server->generation++;
}

StStatus st_view_server_create(const char *folder, int every, const StLog *log,
                               StViewServer *server, StError *error) {
  *server = (StViewServer){.folder = folder, .every = every, .log = log};
  ST_TRY(make_token(server->token, error));
  turn_to_run(server);
  return ST_OK;
}

void st_view_server_close(StViewServer *server) {
  let_go(server, "");
}

static StStatus give_waiting(const StViewServer *server, StReply *reply) {
  st_text_add(&reply->body, "{\"state\":\"waiting\",\"reason\":");
  st_json_text_add_string(&reply->body, server->waiting);
  st_text_add(&reply->body, "}");
  return ST_OK;
}

static StStatus give_run(StViewServer *server, StReply *reply, StError *error) {
  reply->type = "application/json";
  turn_to_run(server);
  if (!server->open)
    return give_waiting(server, reply);
  ST_TRY(st_recording_refresh(&server->run.recording, error));
  return st_view_run_describe(&server->run, NULL, &reply->body, error);
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

// What comes after the token; NULL: it is not there. Takes as long for a good start as for a bad
// one.
static const char *after_token(const StViewServer *server, const char *path) {
  size_t length = ST_VIEW_TOKEN_SIZE - 1;
  if (path[0] != '/' || strlen(path) < length + 2 || path[length + 1] != '/')
    return NULL;
  int wrong = 0;
  for (size_t i = 0; i < length; i++)
    wrong |= path[i + 1] ^ server->token[i];
  return wrong ? NULL : path + length + 1;
}

static StStatus give(StViewServer *server, const char *path, StReply *reply, StError *error) {
  const char *block = after(path, "/block/"), *frame = after(path, "/frame/");
  if (strcmp(path, "/run") == 0)
    return give_run(server, reply, error);
  if ((block || frame) && !server->open)
    return st_fail(error, ST_BAD_INPUT, "%s", server->waiting);
  if (block)
    return give_block(&server->run, block, reply, error);
  if (frame)
    return give_frame(&server->run, frame, reply, error);
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
