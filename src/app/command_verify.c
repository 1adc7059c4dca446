// `stiction verify`: runs the cases with a known answer and prints the results.
#include "app/command.h"
#include "app/options.h"
#include "base/clock.h"
#include "base/memory.h"
#include "solve/runtime.h"
#include "verify/table.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CASES = 64 };

typedef struct Request {
  bool full, json, list;
  const char *friction, *iterations, *plots;
  int name_count;
  const char *name[MOST_CASES];
  StVerifySettings settings;
} Request;

static StStatus parse_friction(Request *request, StError *error) {
  static const char *const names[] = {"implicit", "implicit_fixed_basis",
                                      "lagged"}; // as StFrictionMode
  StVerifySettings *settings = &request->settings;
  *settings =
      (StVerifySettings){.friction_iterations = 1, .full = request->full, .plots = request->plots};
  int mode = 0;
  while (request->friction && mode < ST_LENGTH(names) && strcmp(names[mode], request->friction))
    mode++;
  if (mode == ST_LENGTH(names))
    return st_fail(error, ST_BAD_INPUT,
                   "--friction is implicit, implicit_fixed_basis or lagged, not '%s'",
                   request->friction);
  settings->friction = (StFrictionMode)mode;
  if (!request->iterations)
    return ST_OK;
  ST_TRY(st_option_whole("friction-iterations", request->iterations, 1, 1000,
                         &settings->friction_iterations, error));
  return settings->friction == ST_FRICTION_LAGGED
             ? ST_OK
             : st_fail(error, ST_BAD_INPUT, "--friction-iterations needs --friction lagged");
}

static StStatus check_names(const Request *request, StError *error) {
  for (int i = 0; i < request->name_count; i++) {
    if (st_verify_find(request->name[i]))
      continue;
    const char *names[MOST_CASES];
    int count = 0;
    for (; st_verify_cases[count] && count < MOST_CASES; count++)
      names[count] = st_verify_cases[count]->name;
    return st_fail_name("case", request->name[i], names, count, error);
  }
  return ST_OK;
}

static StStatus parse(int argc, char **argv, Request *request, StError *error) {
  const StArgument option[] = {
      {.name = "case", .value = request->name, .count = &request->name_count, .most = MOST_CASES},
      {.name = "full", .flag = &request->full},
      {.name = "json", .flag = &request->json},
      {.name = "list", .flag = &request->list},
      {.name = "friction", .value = &request->friction},
      {.name = "friction-iterations", .value = &request->iterations},
      {.name = "plots", .value = &request->plots},
  };
  int operands;
  ST_TRY(st_options_parse(argc, argv, option, ST_LENGTH(option), NULL, 0, &operands, error));
  ST_TRY(parse_friction(request, error));
  return check_names(request, error);
}

// A case requested by name runs even if it is a long one.
static bool wanted(const Request *request, const StVerifyCase *one) {
  for (int i = 0; i < request->name_count; i++)
    if (strcmp(request->name[i], one->name) == 0)
      return true;
  return request->name_count == 0 && (request->full || !one->full_only);
}

static void print(StText *text) {
  if (!text->failed)
    fputs(text->data, stdout);
  fflush(stdout);
  st_text_free(text);
}

static void print_line(void *context, const StVerifyRow *row) {
  (void)context;
  StText text = {0};
  st_verify_add_line(&text, row);
  print(&text);
}

static void print_json(void *context, const StVerifyRow *row) {
  int *rows = context;
  StText text = {0};
  st_text_add(&text, "%s    ", (*rows)++ ? ",\n" : "");
  st_verify_add_json(&text, row);
  print(&text);
}

static StStatus run_cases(const Request *request, StVerify *verify, StError *error) {
  if (st_runtime_size() > 1)
    return st_fail(error, ST_BAD_INPUT, "verify runs on one process");
  for (const StVerifyCase *const *one = st_verify_cases; *one; one++)
    if (wanted(request, *one))
      ST_TRY(st_verify_run(verify, *one, error));
  return ST_OK;
}

static void print_opening(const Request *request) {
  StText text = {0};
  if (request->json)
    st_text_add(&text, "{\"version\": \"%s\",\n \"rows\": [\n", STICTION_VERSION);
  else
    st_verify_add_head(&text);
  print(&text);
}

static void print_result(const Request *request, const StVerify *verify, double seconds) {
  const char *format = request->json
                           ? "\n  ],\n \"passed\": %d, \"failed\": %d, \"reported\": %d, "
                             "\"seconds\": %.1f}\n"
                           : "\n%d passed, %d failed, %d reported without a claim; %.1f s\n";
  printf(format, verify->passed, verify->failed, verify->reported, seconds);
}

static int run_request(const Request *request) {
  StError error = {0};
  int rows = 0;
  StVerify verify = {.settings = request->settings,
                     .take = request->json ? print_json : print_line,
                     .context = &rows};
  double start = st_clock_seconds();
  StStatus status = (StStatus)stiction_open(&verify.session);
  st_runtime_calm_blas(); // cases that do not go through the public interface need it, too
  st_runtime_calm_openmp();
  if (status != ST_OK)
    st_fail(&error, status, "%s", stiction_error(NULL));
  else {
    print_opening(request);
    status = run_cases(request, &verify, &error);
    print_result(request, &verify, st_clock_seconds() - start);
    stiction_close(verify.session);
  }
  if (status != ST_OK)
    return st_command_fail(&error);
  return verify.failed > 0 ? ST_EXIT_NOT_SOLVED : ST_EXIT_GOOD;
}

static int print_list(void) {
  for (const StVerifyCase *const *one = st_verify_cases; *one; one++)
    printf("%s%s\n    %s\n", (*one)->name, (*one)->full_only ? " (with --full)" : "",
           (*one)->summary);
  return ST_EXIT_GOOD;
}

static int run_verify(int argc, char **argv) {
  Request request = {0};
  StError error;
  if (parse(argc, argv, &request, &error) != ST_OK)
    return st_command_misused("verify", "%s", error.text);
  if (request.list)
    return st_command_prints() ? print_list() : ST_EXIT_GOOD;
  return run_request(&request);
}

const StCommand st_command_verify = {
    .name = "verify",
    .summary = "run cases with a known answer and print how close each comes",
    .usage =
        "Usage: stiction verify [--case NAME]… [--full] [--json] [--plots DIR]\n"
        "                       [--friction implicit|implicit_fixed_basis|lagged]\n"
        "                       [--friction-iterations N]\n"
        "       stiction verify --list\n"
        "\n"
        "Runs small scenes whose outcome is known in closed form and prints a table: case,\n"
        "expected, computed, error, allowed, verdict. Takes under two minutes without --full.\n"
        "Exit code 4 if any row fails. Rows marked `reported` make no claim.\n"
        "\n"
        "A body has stopped when its speed stays below the sticking speed of its friction for\n"
        "half a second.\n"
        "\n"
        "Options:\n"
        "  --case NAME              only this case; may be given several times\n"
        "  --full                   also the cases with fine meshes, which take minutes\n"
        "  --friction WORD          how friction is solved (default: implicit); lagged uses the\n"
        "                           normal force from the start of the step\n"
        "  --friction-iterations N  fixed-point iterations of lagged friction (1)\n"
        "  --plots DIR              an SVG plot of the friction curve\n"
        "  --json                   as JSON, for programs\n"
        "  --list                   print the cases and run none\n"
        "\n"
        "Examples:\n"
        "  stiction verify\n"
        "  stiction verify --case curve --plots out/plots\n"
        "  stiction verify --case slope --case stopping --friction lagged\n",
    .run = run_verify,
};
