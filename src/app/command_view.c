// `stiction view`: a run in the browser, as a file to keep or while it goes on.
#include "app/browser.h"
#include "app/command.h"
#include "app/film.h"
#include "app/options.h"
#include "app/signals.h"
#include "base/memory.h"
#include "output/run_folder.h"
#include "show/view_page.h"
#include "show/view_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct Request {
  const char *folder, *out, *video;
  int every, port;
  bool serve, no_open;
} Request;

static void say_written(const StViewRun *run, const char *path, bool open) {
  struct stat about;
  double megabytes = stat(path, &about) == 0 ? (double)about.st_size / 1e6 : 0;
  printf("%d frames, %.1f MB: %s\n", st_view_run_frames(run), megabytes, path);
  fflush(stdout);
  if (open && !st_browser_open(path))
    printf("Open it in any browser; it needs no network.\n");
}

static StStatus write_page(StViewRun *run, const Request *request, StError *error) {
  char *path = request->out ? NULL : st_run_folder_file(request->folder, "view.html");
  if (!request->out && !path)
    return st_fail_memory(error);
  const char *out = request->out ? request->out : path;
  StStatus status = st_view_page_write(run, out, ST_VIEW_PAGE_BYTES, &st_command_log, error);
  if (status == ST_OK)
    say_written(run, out, !request->no_open);
  free(path);
  return status;
}

static StStatus listen_at(StViewServer *server, const Request *request, StError *error) {
  int port = request->port, listener = -1;
  char address[128];
  ST_TRY(st_serve_open(&port, &listener, error));
  snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", port, server->token);
  printf("%s shows %s live; press Ctrl-C to stop\n", address, request->folder);
  if (!server->open)
    printf("Waiting for the run: %s\n", server->waiting);
  fflush(stdout);
  if (!request->no_open)
    st_browser_open(address);
  return st_serve(listener, st_view_server_answer, server, st_signals_listen(), error);
}

static StStatus serve(const Request *request, StError *error) {
  StViewServer server;
  ST_TRY(st_view_server_create(request->folder, request->every, &st_command_log, &server, error));
  StStatus status = listen_at(&server, request, error);
  st_view_server_close(&server);
  return status;
}

static StStatus film_in(StViewRun *run, const char *program, const char *folder, const char *out,
                        StError *error) {
  char page[128];
  snprintf(page, sizeof page, "%s/view.html", folder);
  ST_TRY(st_view_page_write(run, page, ST_VIEW_PAGE_BYTES, &st_command_log, error));
  printf("recording %d frames with %s\n", st_view_run_frames(run), program);
  fflush(stdout);
  ST_TRY(st_film_record(program, folder, page, out, error));
  printf("%s is written\n", out);
  return ST_OK;
}

static StStatus film(StViewRun *run, const Request *request, StError *error) {
  const char *program;
  char folder[64];
  ST_TRY(st_film_find_browser(&program, error));
  ST_TRY(st_film_enter(folder, error));
  StStatus status = film_in(run, program, folder, request->video, error);
  st_film_leave(folder);
  return status;
}

static StStatus keep(const Request *request, StError *error) {
  StViewRun run;
  ST_TRY(st_view_run_open(request->folder, &st_command_log, &run, error));
  run.every = request->every;
  StStatus status = request->video ? film(&run, request, error) : write_page(&run, request, error);
  st_view_run_close(&run);
  return status;
}

static StStatus show(const Request *request, StError *error) {
  ST_TRY(st_view_page_check(error));
  return request->serve ? serve(request, error) : keep(request, error);
}

static StStatus parse(int argc, char **argv, Request *request, StError *error) {
  const char *every = NULL, *port = NULL;
  const StArgument option[] = {{.name = "out", .value = &request->out},
                               {.name = "serve", .value = &port},
                               {.name = "video", .value = &request->video},
                               {.name = "every", .value = &every},
                               {.name = "no-open", .flag = &request->no_open}};
  int operands;
  ST_TRY(st_options_parse(argc, argv, option, ST_LENGTH(option), &request->folder, 1, &operands,
                          error));
  if (operands == 0)
    return st_fail(error, ST_BAD_INPUT, "the folder of a run is needed");
  if (request->out && !*request->out)
    return st_fail(error, ST_BAD_INPUT, "--out needs the name of a file");
  if (request->out && port)
    return st_fail(error, ST_BAD_INPUT, "--out and --serve exclude each other");
  if (request->video && (request->out || port))
    return st_fail(error, ST_BAD_INPUT, "--video goes with neither --out nor --serve");
  if (request->video && !st_film_has_type(request->video))
    return st_fail(error, ST_BAD_INPUT,
                   "--video needs the name of a file that ends in .webm or .mp4");
  request->serve = port != NULL;
  if (port)
    ST_TRY(st_option_whole("serve", port, 0, 65535, &request->port, error));
  return every ? st_option_whole("every", every, 1, 1000000, &request->every, error) : ST_OK;
}

static int run_view(int argc, char **argv) {
  Request request = {.every = 1};
  StError error;
  if (parse(argc, argv, &request, &error) != ST_OK)
    return st_command_misused("view", "%s", error.text);
  return show(&request, &error) == ST_OK ? ST_EXIT_GOOD : st_command_fail(&error);
}

const StCommand st_command_view = {
    .name = "view",
    .summary = "show a run in the browser",
    .usage =
        "Usage: stiction view DIR [--out FILE] [--every N] [--no-open]\n"
        "       stiction view DIR --serve PORT [--every N] [--no-open]\n"
        "       stiction view DIR --video FILE [--every N]\n"
        "\n"
        "Writes one HTML file that holds the whole run and opens it in the browser: bodies and\n"
        "obstacles in motion, coloured by speed, forces, stick and slip or stress, with energy,\n"
        "iterations and gaps along the time line. The file needs no network and no server and\n"
        "can be passed on as it is.\n"
        "\n"
        "With --serve nothing is written: the program answers a browser on this machine, and\n"
        "on it alone, until Ctrl-C, and shows frames of a run that is under way as they come.\n"
        "It waits for a folder that is not there yet, and turns to a new run that replaces the\n"
        "old one. The address it prints is secret: without it, nobody else here can look.\n"
        "\n"
        "With --video the page is played once in a browser without a window (chromium, Chrome or\n"
        "Edge must be installed), and what it shows is saved.\n"
        "\n"
        "Options:\n"
        "  --out FILE    where to write (default: view.html in the run's folder)\n"
        "  --serve PORT  serve at 127.0.0.1:PORT (0: any port that is free)\n"
        "  --video FILE  save a film, as .webm or, where the browser can, .mp4\n"
        "  --every N     show only every Nth frame, and the last\n"
        "  --no-open     do not open the browser\n"
        "\n"
        "Examples:\n"
        "  stiction view out/swing\n"
        "  stiction view out/swing --out swing.html --no-open\n"
        "  stiction view out/swing --serve 8000\n"
        "  stiction view out/swing --video swing.webm\n",
    .run = run_view,
};
