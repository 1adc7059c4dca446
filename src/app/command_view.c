// `stiction view`: shows a run in the browser, as a file to keep or live.
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
  const char *folder[ST_VIEW_RUNS], *out, *video, *fields;
  int folder_count, every, port;
  bool serve, no_open, hollow;
} Request;

// The opened runs to show.
typedef struct Runs {
  int count;
  StViewRun run[ST_VIEW_RUNS];
} Runs;

static void add_frames(const Runs *runs) {
  for (int i = 0; i < runs->count; i++)
    printf("%s%d", i ? " and " : "", st_view_run_frames(&runs->run[i]));
  printf(" frames");
}

static void say_written(const Runs *runs, const char *path, bool open) {
  struct stat about;
  double megabytes = stat(path, &about) == 0 ? (double)about.st_size / 1e6 : 0;
  add_frames(runs);
  printf(", %.1f MB: %s\n", megabytes, path);
  fflush(stdout);
  if (open && !st_browser_open(path))
    printf("Open it in any browser; it needs no network.\n");
}

// view.html in the run's folder; for two runs, view-SECOND.html in the first one's.
static char *usual_path(const Runs *runs, const Request *request) {
  char name[256], file[300] = "view.html";
  if (runs->count > 1) {
    st_view_run_name(&runs->run[1], name, sizeof name);
    snprintf(file, sizeof file, "view-%s.html", name);
  }
  return st_run_folder_file(request->folder[0], file);
}

static StStatus write_page(Runs *runs, const Request *request, StError *error) {
  char *path = request->out ? NULL : usual_path(runs, request);
  if (!request->out && !path)
    return st_fail_memory(error);
  const char *out = request->out ? request->out : path;
  StStatus status =
      st_view_page_write(runs->run, runs->count, out, ST_VIEW_PAGE_BYTES, &st_command_log, error);
  if (status == ST_OK)
    say_written(runs, out, !request->no_open);
  free(path);
  return status;
}

static StStatus listen_at(StViewServer *server, const Request *request, StError *error) {
  int port = request->port, listener = -1;
  char address[128];
  ST_TRY(st_serve_open(&port, &listener, error));
  snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", port, server->token);
  printf("%s shows %s", address, request->folder[0]);
  if (request->folder_count > 1)
    printf(" beside %s", request->folder[1]);
  printf(" live; press Ctrl-C to stop\n");
  for (int i = 0; i < server->count; i++)
    if (!server->slot[i].open)
      printf("Waiting for the run: %s\n", server->slot[i].waiting);
  fflush(stdout);
  if (!request->no_open)
    st_browser_open(address);
  return st_serve(listener, st_view_server_answer, server, st_signals_listen(), error);
}

static StStatus serve(const Request *request, StError *error) {
  ST_FINALLY(st_view_server_close) StViewServer server = {0};
  ST_TRY(st_view_server_create(request->folder, request->folder_count, request->every,
                               request->hollow, &st_command_log, &server, error));
  return listen_at(&server, request, error);
}

static StStatus film_in(Runs *runs, const char *program, const char *folder, const char *out,
                        StError *error) {
  char page[128];
  snprintf(page, sizeof page, "%s/view.html", folder);
  ST_TRY(
      st_view_page_write(runs->run, runs->count, page, ST_VIEW_PAGE_BYTES, &st_command_log, error));
  printf("recording ");
  add_frames(runs);
  printf(" with %s\n", program);
  fflush(stdout);
  ST_TRY(st_film_record(program, folder, page, out, error));
  printf("%s is written\n", out);
  return ST_OK;
}

static StStatus film(Runs *runs, const Request *request, StError *error) {
  const char *program;
  char folder[64];
  ST_TRY(st_film_find_browser(&program, error));
  ST_TRY(st_film_enter(folder, error));
  StStatus status = film_in(runs, program, folder, request->video, error);
  st_film_leave(folder);
  return status;
}

static StStatus open_runs(const Request *request, Runs *runs, StError *error) {
  for (; runs->count < request->folder_count; runs->count++) {
    StViewRun *run = &runs->run[runs->count];
    ST_TRY(st_view_run_open(request->folder[runs->count], request->hollow || request->video,
                            &st_command_log, run, error));
    run->every = request->every;
    if (st_view_fields_keep(&run->fields, request->fields, error) != ST_OK) {
      st_view_run_close(run);
      return error->status;
    }
  }
  return ST_OK;
}

static StStatus keep(const Request *request, StError *error) {
  Runs runs = {0};
  StStatus status = open_runs(request, &runs, error);
  if (status == ST_OK)
    status = request->video ? film(&runs, request, error) : write_page(&runs, request, error);
  for (int i = 0; i < runs.count; i++)
    st_view_run_close(&runs.run[i]);
  return status;
}

static StStatus show(const Request *request, StError *error) {
  ST_TRY(st_view_page_check(error));
  return request->serve ? serve(request, error) : keep(request, error);
}

static StStatus parse(int argc, char **argv, Request *request, StError *error) {
  const char *every = NULL, *port = NULL;
  const StArgument option[] = {
      {.name = "out", .value = &request->out},      {.name = "serve", .value = &port},
      {.name = "video", .value = &request->video},  {.name = "every", .value = &every},
      {.name = "hollow", .flag = &request->hollow}, {.name = "no-open", .flag = &request->no_open},
      {.name = "fields", .value = &request->fields}};
  ST_TRY(st_options_parse(argc, argv, option, ST_LENGTH(option), request->folder, ST_VIEW_RUNS,
                          &request->folder_count, error));
  if (request->folder_count == 0)
    return st_fail(error, ST_BAD_INPUT, "the folder of a run is needed");
  if (request->out && !*request->out)
    return st_fail(error, ST_BAD_INPUT, "--out needs the name of a file");
  if (request->out && port)
    return st_fail(error, ST_BAD_INPUT, "--out and --serve cannot be combined");
  if (request->fields && port)
    return st_fail(
        error, ST_BAD_INPUT,
        "--fields and --serve cannot be combined: a server gives what the page asks for");
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
        "Usage: stiction view DIR [DIR] [--out FILE] [--every N] [--hollow] [--fields LIST]\n"
        "                     [--no-open]\n"
        "       stiction view DIR [DIR] --serve PORT [--every N] [--hollow] [--no-open]\n"
        "       stiction view DIR [DIR] --video FILE [--every N]\n"
        "\n"
        "Writes one HTML file that holds the whole run and opens it in the browser: bodies and\n"
        "obstacles in motion, coloured by speed, forces, stick and slip or stress, with energy,\n"
        "iterations and gaps along the time line. The file needs no network and no server and\n"
        "can be shared as it is.\n"
        "\n"
        "Two runs are shown side by side, at the same time, with the same camera and colours.\n"
        "\n"
        "With --serve nothing is written: the program serves the page to browsers on this machine\n"
        "only, until Ctrl-C, and shows new frames of a run in progress. It waits for a folder\n"
        "that does not exist yet, and switches to a new run that replaces the old one. The\n"
        "address it prints has a secret token, so other users of the machine cannot look.\n"
        "\n"
        "With --video a headless browser (chromium, Chrome or Edge must be installed) renders the\n"
        "video frame by frame.\n"
        "\n"
        "Options:\n"
        "  --out FILE    the file to write (default: view.html in the run's folder; for two runs,\n"
        "                view-SECOND.html in the first one's)\n"
        "  --serve PORT  serve at 127.0.0.1:PORT (0: any free port)\n"
        "  --video FILE  save a video, as .webm or .mp4 (H.264, if the browser supports it)\n"
        "  --every N     show only every Nth frame, and the last\n"
        "  --hollow      leave out the inside of bodies: a smaller page, but cut bodies look "
        "hollow\n"
        "  --fields LIST only these fields of the frames, separated by commas: a smaller page\n"
        "                (velocity,nodal_stress); all: also strain (default: all others)\n"
        "  --no-open     do not open the browser\n"
        "\n"
        "Examples:\n"
        "  stiction view out/swing\n"
        "  stiction view out/swing --out swing.html --no-open\n"
        "  stiction view out/swing --serve 8000\n"
        "  stiction view out/coarse out/fine\n"
        "  stiction view out/swing --video swing.webm\n",
    .run = run_view,
};
