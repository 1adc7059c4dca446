// The program stiction-experiment, which `stiction experiment` runs: lists and runs the paper's
// experiments, and makes a page of their results. It stands on the public headers of Stiction
// alone.
#include "lab.h"
#include "progress.h"
#include "report.h"
#include "usage.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 64, MOST_NAMES = 64, MOST_THREADS = 256 };

enum { EXIT_GOOD = 0, EXIT_BAD_INPUT = 2, EXIT_SYSTEM_FAULT = 3 };

typedef struct Request {
  int fresh, quiet, help, plots;
  const char *size, *out, *only, *threads;
  int set_count;
  const char *set[MOST_SETTINGS];
  int word_count;
  char **word; // what is left of the command line
} Request;

// Only rank 0 prints; before MPI is up only the launcher's variable tells the ranks apart.
static bool prints(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  return !rank || strcmp(rank, "0") == 0;
}

// Frees the text.
static int misused(char *text) {
  if (prints())
    fprintf(stderr, "stiction experiment: %s\nSee `stiction help experiment`.\n", text);
  free(text);
  return EXIT_BAD_INPUT;
}

static const struct option options[] = {
    {"size", required_argument, NULL, 's'},    {"set", required_argument, NULL, 'k'},
    {"out", required_argument, NULL, 'o'},     {"only", required_argument, NULL, 'y'},
    {"threads", required_argument, NULL, 'j'}, {"fresh", no_argument, NULL, 'f'},
    {"quiet", no_argument, NULL, 'q'},         {"plots", no_argument, NULL, 'p'},
    {"help", no_argument, NULL, 'h'},          {0}};

static bool take_option(int letter, Request *request) {
  switch (letter) {
  case 's': request->size = optarg; return true;
  case 'o': request->out = optarg; return true;
  case 'y': request->only = optarg; return true;
  case 'j': request->threads = optarg; return true;
  case 'f': request->fresh = true; return true;
  case 'q': request->quiet = true; return true;
  case 'p': request->plots = true; return true;
  case 'h': request->help = true; return true;
  case 'k':
    if (request->set_count < MOST_SETTINGS)
      request->set[request->set_count++] = optarg;
    return true;
  }
  return false;
}

// Why getopt_long does not know the word before optind.
static char *explain_option(int letter, char *const *argv) {
  const char *word = argv[optind - 1], *name[LENGTH(options)];
  if (letter == ':')
    return print_text("%s needs a value", word);
  size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : 0;
  int count = 0;
  for (; options[count].name; count++) {
    name[count] = options[count].name;
    if (length > 2 && strlen(name[count]) == length - 2 &&
        strncmp(word + 2, name[count], length - 2) == 0)
      return print_text("--%s takes no value", name[count]);
  }
  return length > 2 ? explain_unknown("option", word + 2, name, count)
                    : print_text("there is no option %s", word);
}

static int parse(int argc, char **argv, Request *request) {
  opterr = 0;
  for (int letter; (letter = getopt_long(argc, argv, ":hj:", options, NULL)) != -1;)
    if (!take_option(letter, request))
      return misused(explain_option(letter, argv));
  request->word = argv + optind;
  request->word_count = argc - optind;
  return EXIT_GOOD;
}

static char *explain_experiment(const char *name) {
  const char *names[MOST_NAMES] = {"list", "report"};
  int count = 2;
  for (int i = 0; experiments[i] && count < MOST_NAMES; i++)
    names[count++] = experiments[i]->name;
  return explain_unknown("experiment", name, names, count);
}

// One "key=value"; NULL, or why not.
static char *take_setting(const char *setting, const Experiment *experiment, double *value) {
  const char *equals = strchr(setting, '=');
  if (!equals || equals == setting)
    return print_text("--set takes key=value, not '%s'", setting);
  char *name = print_text("%.*s", (int)(equals - setting), setting), *why = NULL;
  int index = experiment_param(experiment, name);
  if (index < 0) {
    const char *names[MOST_PARAMS];
    for (int i = 0; i < experiment->param_count; i++)
      names[i] = experiment->param[i].name;
    why = explain_unknown("parameter", name, names, experiment->param_count);
  } else {
    char *reason = NULL;
    if (!param_read(&experiment->param[index], equals + 1, &value[index], &reason))
      why = print_text("--set %s: %s", name, reason);
    free(reason);
  }
  free(name);
  return why;
}

static char *take_threads(const char *text, int *threads) {
  char *end;
  long number = text ? strtol(text, &end, 10) : 0;
  if (text && (end == text || *end || number < 1 || number > MOST_THREADS))
    return print_text("--threads needs a whole number from 1 to %d, not '%s'", MOST_THREADS, text);
  *threads = (int)number;
  return NULL;
}

// NULL, or why not.
static char *settle(const Request *request, LabSettings *settings) {
  settings->experiment = experiment_find(request->word[0]);
  if (!settings->experiment)
    return explain_experiment(request->word[0]);
  if (request->word_count > 1)
    return print_text("'%s' is an unexpected argument", request->word[1]);
  if (request->out && !*request->out)
    return print_text("--out needs the name of a folder");
  while (request->size && settings->size < SIZES &&
         strcmp(size_names[settings->size], request->size) != 0)
    settings->size++;
  if (settings->size == SIZES)
    return explain_unknown("size", request->size, size_names, SIZES);
  experiment_defaults(settings->experiment, settings->size, settings->value);
  char *why = NULL;
  for (int i = 0; i < request->set_count && !why; i++)
    why = take_setting(request->set[i], settings->experiment, settings->value);
  settings->fresh = request->fresh;
  settings->only = request->only;
  return why ? why : take_threads(request->threads, &settings->threads);
}

static void describe(const Experiment *experiment) {
  printf("%s\n", experiment->name);
  write_wrapped(experiment->summary, 2, stdout);
  printf("  The paper:\n");
  write_wrapped(experiment->paper, 4, stdout);
  printf("  Parameters (--set key=value):\n");
  for (int i = 0; i < experiment->param_count; i++)
    param_describe(&experiment->param[i], stdout);
  for (int i = 0; i < experiment->preset_count; i++)
    printf("%s%s = %g", i ? ", " : "  With --size paper: ", experiment->preset[i].name,
           experiment->preset[i].value);
  printf(experiment->preset_count ? "\n" : "");
}

static int print_list(const Request *request) {
  for (int i = 0; experiments[i] && request->word_count < 2 && prints(); i++) {
    printf("%s\n", experiments[i]->name);
    write_wrapped(experiments[i]->summary, 4, stdout);
  }
  for (int i = 1; i < request->word_count; i++)
    if (!experiment_find(request->word[i]))
      return misused(explain_experiment(request->word[i]));
  for (int i = 1; i < request->word_count && prints(); i++)
    describe(experiment_find(request->word[i]));
  return EXIT_GOOD;
}

static int fail_file(const char *path) {
  fprintf(stderr, "stiction: %s: %s\n", path, strerror(errno));
  return errno == ENOENT ? EXIT_BAD_INPUT : EXIT_SYSTEM_FAULT;
}

static int print_report(const Request *request) {
  if (request->word_count < 2)
    return misused(copy_text("the folders of experiments are needed"));
  char *page = NULL, *missing = NULL;
  size_t size;
  FILE *out = open_memstream(&page, &size);
  bool good = out && report_write((const char *const *)request->word + 1, request->word_count - 1,
                                  request->plots, out, &missing);
  int code = good ? EXIT_GOOD : fail_file(missing ? missing : "the page");
  if (out)
    fclose(out);
  FILE *file = good ? (request->out ? fopen(request->out, "w") : stdout) : NULL;
  if (good && (!file || fputs(page, file) < 0 || (request->out && fclose(file) != 0)))
    code = fail_file(request->out ? request->out : "the page");
  free(missing);
  free(page);
  return code;
}

static volatile sig_atomic_t stop_requested; // the only thing a signal handler can reach

static void request_stop(int number) {
  if (stop_requested) { // the second time: at once; what was saved stays
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  stop_requested = 1;
}

// mpiexec passes SIGUSR1 on and leaves time to save; after Ctrl-C it kills within seconds.
static void listen_for_stops(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
  struct sigaction action = {.sa_handler = request_stop, .sa_flags = SA_RESTART};
  for (int i = 0; i < LENGTH(signals); i++) {
    struct sigaction before;
    bool ignored = sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
    if (!ignored) // nohup
      sigaction(signals[i], &action, NULL);
  }
  // Both are then errors of a write, which are reported.
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
}

static int exit_code(StictionStatus status) {
  switch (status) {
  case STICTION_OK: return EXIT_GOOD;
  case STICTION_BAD_INPUT: return EXIT_BAD_INPUT;
  case STICTION_SYSTEM_FAULT: return EXIT_SYSTEM_FAULT;
  case STICTION_NOT_SOLVED: return 4;
  case STICTION_INTERRUPTED: return 130;
  case STICTION_BUG: break;
  }
  return 5;
}

static void print_result(const LabSettings *settings, const Result *result) {
  result_write_text(result, stdout);
  printf("Results are in %s: summary.json", settings->folder);
  for (size_t i = 0; i < result->plot_count; i++)
    printf(", %s", result->plot[i]);
  printf("\n");
}

static void show(void *context, const Moment *moment) {
  if (moment->run)
    progress_update(context, moment);
}

static void tell(void *context, int level, const char *text) {
  if (prints())
    progress_message(context, level, text);
}

static int run_lab(LabSettings *settings, bool quiet) {
  Progress progress = progress_begin(quiet);
  settings->stop = &stop_requested;
  settings->progress = show;
  settings->message = tell;
  settings->context = &progress;
  listen_for_stops();
  Stiction *session = NULL;
  Result result = {0};
  char error[1024] = "";
  StictionStatus status = stiction_open(&session);
  if (status != STICTION_OK)
    snprintf(error, sizeof error, "%s", stiction_error(NULL));
  else
    status = lab_run(settings, session, &result, error);
  progress_clear(&progress);
  if (status == STICTION_INTERRUPTED)
    snprintf(
        error, sizeof error,
        "stopped on request; everything is saved in %s; run the same command again to continue",
        settings->folder);
  if (status == STICTION_OK && prints())
    print_result(settings, &result);
  else if (prints()) {
    fflush(stdout);
    fprintf(stderr, "stiction: %s\n", error);
  }
  result_free(&result);
  stiction_close(session);
  return exit_code(status);
}

static int run_named(const Request *request) {
  LabSettings settings = {0};
  char *why = settle(request, &settings);
  if (why)
    return misused(why);
  if (request->help) {
    if (prints())
      describe(settings.experiment);
    return EXIT_GOOD;
  }
  char *folder =
      print_text("experiments/%s-%s", settings.experiment->name, size_names[settings.size]);
  settings.folder = request->out ? request->out : folder;
  int code = run_lab(&settings, request->quiet);
  free(folder);
  return code;
}

static int run_request(const Request *request) {
  const char *word = request->word_count ? request->word[0] : NULL;
  bool lists = word && strcmp(word, "list") == 0, reports = word && strcmp(word, "report") == 0;
  if (request->help && (!word || lists || reports)) {
    if (prints())
      fputs(EXPERIMENT_USAGE, stdout);
    return EXIT_GOOD;
  }
  if (!word)
    return misused(copy_text("the name of an experiment is needed, or list"));
  return lists ? print_list(request) : reports ? print_report(request) : run_named(request);
}

// A full disk or a closed pipe shows only when the last bytes leave.
static int finish(int code) {
  bool lost = fflush(stdout) != 0 || ferror(stdout);
  if (!lost || code != EXIT_GOOD)
    return code;
  fputs("stiction: the output could not be written\n", stderr);
  return EXIT_SYSTEM_FAULT;
}

int main(int argc, char **argv) {
  Request request = {0};
  int code = parse(argc, argv, &request);
  return finish(code == EXIT_GOOD ? run_request(&request) : code);
}
