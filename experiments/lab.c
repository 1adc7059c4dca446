// Running an experiment and its cases.
#include "lab.h"

#include "peak_memory.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

double lab_value(const Lab *lab, const char *param) {
  int index = experiment_param(lab->settings->experiment, param);
  if (index < 0) {
    fprintf(stderr, "stiction: %s has no parameter %s\n", lab->settings->experiment->name, param);
    abort();
  }
  return lab->settings->value[index];
}

void lab_expect(Lab *lab, int cases) {
  lab->cases = cases;
}

StictionStatus lab_fail(Lab *lab, StictionStatus status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(lab->error, sizeof lab->error, format, arguments);
  va_end(arguments);
  return status;
}

StictionStatus lab_check(Lab *lab, StictionStatus status) {
  return status == STICTION_OK ? status : lab_fail(lab, status, "%s", stiction_error(lab->session));
}

// All folders on the way.
static StictionStatus make_folder(Lab *lab, const char *folder) {
  char *path = copy_text(folder);
  bool made = true;
  for (char *cut = path; cut && made;) {
    cut = strchr(cut + 1, '/');
    if (cut)
      *cut = 0;
    made = mkdir(path, 0777) == 0 || errno == EEXIST;
    if (cut)
      *cut = '/';
  }
  free(path);
  return made ? STICTION_OK
              : lab_fail(lab, STICTION_SYSTEM_FAULT, "%s: cannot be made: %s", folder,
                         strerror(errno));
}

static bool wants_stop(const Lab *lab) {
  return lab->settings->stop && *lab->settings->stop;
}

static void report(const Lab *lab, const StictionProgress *run) {
  const LabSettings *settings = lab->settings;
  const Moment moment = {lab->running, lab->cases, lab->cases_done, run};
  if (settings->progress && stiction_rank(lab->session) == 0)
    settings->progress(settings->context, &moment);
}

static bool pass_on(void *context, const StictionProgress *run) {
  report(context, run);
  return !wants_stop(context);
}

// Whether the folder has a run of exactly this scene, or a part of one.
static bool has_run(const char *folder, const char *scene) {
  char *facts = join_path(folder, "run.json"), *own = join_path(folder, "scene.json");
  FILE *file = access(facts, F_OK) == 0 ? fopen(own, "rb") : NULL;
  bool same = file != NULL;
  for (const char *c = scene; same && *c; c++)
    same = fgetc(file) == (unsigned char)*c;
  same = same && fgetc(file) == EOF;
  if (file)
    fclose(file);
  free(own);
  free(facts);
  return same;
}

static void tell(void *context, int level, const char *text) {
  const LabSettings *settings = context;
  if (settings->message)
    settings->message(settings->context, level, text);
}

// Warnings about a scene that has been run before are not told again.
static StictionStatus make_scene(Lab *lab, const char *folder, StictionBuild *build, bool known,
                                 StictionScene **scene) {
  TRY(lab_check(lab, stiction_build_set_folder(build, folder)));
  stiction_listen(lab->session, known ? NULL : tell, (void *)lab->settings);
  StictionStatus status = stiction_scene_build(lab->session, build, scene);
  stiction_listen(lab->session, tell, (void *)lab->settings);
  if (status == STICTION_OK && lab->settings->threads > 0)
    status = stiction_scene_set_threads(*scene, lab->settings->threads);
  return lab_check(lab, status);
}

// A failure of the numbers is what the case shows.
static StictionStatus run_scene(Lab *lab, const char *folder, StictionScene *scene) {
  const StictionRunOptions options = {.folder = folder,
                                      .overwrite = lab->settings->fresh,
                                      .reuse = !lab->settings->fresh,
                                      .progress = pass_on,
                                      .context = lab};
  peak_memory_reset();
  StictionStatus status = stiction_scene_run(lab->session, scene, &options);
  return status == STICTION_NOT_SOLVED ? STICTION_OK : lab_check(lab, status);
}

static StictionStatus run_in(Lab *lab, const char *folder, StictionBuild *build,
                             Recording *recording) {
  StictionScene *scene = NULL;
  const char *text = stiction_build_text(build);
  if (!text)
    return lab_check(lab, STICTION_BAD_INPUT);
  TRY(make_folder(lab, folder));
  TRY(make_scene(lab, folder, build, has_run(folder, text), &scene));
  StictionStatus status = run_scene(lab, folder, scene);
  if (status == STICTION_OK)
    return lab_check(lab, recording_open(lab->session, folder, scene, recording));
  stiction_scene_free(scene);
  return status;
}

static StictionStatus check_name(Lab *lab, const char *name) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  if (!*name || *name == '.' || strspn(name, allowed) != strlen(name))
    return lab_fail(lab, STICTION_BUG, "'%s' cannot be the name of a case", name);
  return STICTION_OK;
}

static void note_failure(Lab *lab, const char *name, const Recording *recording) {
  if (recording->state == STICTION_RUN_FAILED) {
    const char *reason = stiction_recording_reason(recording->run);
    result_add_note(lab->result, "Case %s could not be solved to its end: %s.", name,
                    *reason ? reason : "no reason was recorded");
  }
}

static StictionStatus prepare(Lab *lab, const char *name, StictionBuild *build,
                              Recording *recording) {
  TRY(check_name(lab, name));
  if (wants_stop(lab))
    return STICTION_INTERRUPTED;
  char *folder = join_path(lab->settings->folder, name);
  StictionStatus status = run_in(lab, folder, build, recording);
  free(folder);
  if (status == STICTION_OK || status == STICTION_INTERRUPTED)
    return status;
  char *reason = copy_text(lab->error);
  lab_fail(lab, status, "case %s: %s", name, reason);
  free(reason);
  return status;
}

StictionStatus lab_prepare(Lab *lab, const char *name, StictionBuild *build, Recording *recording) {
  *recording = (Recording){0};
  lab->running = name;
  StictionStatus status = prepare(lab, name, build, recording);
  stiction_build_free(build);
  lab->cases_done += status == STICTION_OK;
  report(lab, NULL);
  note_failure(lab, name, recording);
  return status;
}

bool lab_requested(const Lab *lab, const char *name) {
  const char *only = lab->settings->only;
  return !only || fnmatch(only, name, 0) == 0;
}

// What an earlier call has run of a case, be it a part; nothing when there is nothing.
static StictionStatus look_up(Lab *lab, const char *name, StictionBuild *build,
                              Recording *recording) {
  char *folder = join_path(lab->settings->folder, name);
  const char *text = stiction_build_text(build);
  StictionScene *scene = NULL;
  StictionStatus status = text ? STICTION_OK : lab_check(lab, STICTION_BAD_INPUT);
  if (text && !lab->settings->fresh && has_run(folder, text)) {
    status = make_scene(lab, folder, build, true, &scene);
    if (status == STICTION_OK)
      status = lab_check(lab, recording_open(lab->session, folder, scene, recording));
  }
  stiction_build_free(build);
  free(folder);
  return status;
}

// Cases that were not asked for may lack, or be there in part, and tables may leave them out.
static void note_state(Lab *lab, const char *name, const Recording *recording) {
  const char *lack = case_lack(recording->state);
  if (recording->state == RUN_MISSING) {
    size_t used = strlen(lab->missing_names), room = sizeof lab->missing_names - used;
    lab->missing++;
    if (used > 300 || strlen(name) + 3 > room)
      return;
    lab->named++;
    snprintf(lab->missing_names + used, room, "%s%s", lab->named > 1 ? ", " : "", name);
  } else if (lack && recording->state != STICTION_RUN_FAILED) {
    result_add_note(lab->result, "Case %s is %s: it has %.4g of %.4g s.", name, lack,
                    recording_last(recording, "time"), stiction_scene_duration(recording->scene));
  }
}

static void note_missing(Lab *lab) {
  int more = lab->missing - lab->named;
  if (more > 0)
    result_add_note(lab->result, "Not run: %s and %d more.", lab->missing_names, more);
  else if (lab->missing > 0)
    result_add_note(lab->result, "Not run: %s.", lab->missing_names);
}

static void remember_other(Lab *lab, const char *name) {
  size_t used = strlen(lab->others), room = sizeof lab->others - used;
  lab->some_left_out = used >= 120 || strlen(name) + 3 > room;
  if (!lab->some_left_out)
    snprintf(lab->others + used, room, "%s%s", used ? ", " : "", name);
}

StictionStatus lab_simulate(Lab *lab, const char *name, StictionBuild *build,
                            Recording *recording) {
  if (lab_requested(lab, name)) {
    lab->fitting++;
    return lab_prepare(lab, name, build, recording);
  }
  *recording = (Recording){0};
  lab->cases_done++;
  remember_other(lab, name);
  TRY(look_up(lab, name, build, recording));
  note_failure(lab, name, recording);
  note_state(lab, name, recording);
  return STICTION_OK;
}

StictionStatus lab_plot(Lab *lab, const char *file, const StictionPlot *plot, int plot_count,
                        int columns) {
  result_add_plot(lab->result, file);
  if (stiction_rank(lab->session) != 0)
    return STICTION_OK;
  char *path = join_path(lab->settings->folder, file);
  StictionPlot *sized = NEW(StictionPlot, plot_count);
  for (int i = 0; i < plot_count; i++) {
    sized[i] = plot[i];
    sized[i].size = sizeof *sized;
  }
  StictionStatus status = stiction_plot_write(path, sized, plot_count, columns);
  if (status != STICTION_OK)
    lab_fail(lab, status, "%s", stiction_plot_error());
  free(sized);
  free(path);
  return status;
}

static void open_result(const LabSettings *settings, Result *result) {
  const Experiment *experiment = settings->experiment;
  *result = (Result){.experiment = copy_text(experiment->name),
                     .summary = copy_text(experiment->summary),
                     .paper = copy_text(experiment->paper),
                     .size = copy_text(size_names[settings->size]),
                     .version = copy_text(stiction_version())};
  for (int i = 0; i < experiment->param_count; i++) {
    char *value = NULL;
    size_t size;
    FILE *out = open_memstream(&value, &size);
    if (out) {
      param_show(&experiment->param[i], settings->value[i], 15, out);
      fclose(out);
    }
    result_add_entry(result, experiment->param[i].name, value);
    free(value);
  }
}

// Nobody finds half a file.
static StictionStatus save(Lab *lab, const char *name, void (*write)(const Result *, FILE *)) {
  char *path = join_path(lab->settings->folder, name), *staged = print_text("%s.new", path);
  FILE *file = fopen(staged, "w");
  bool good = file != NULL;
  if (file) {
    write(lab->result, file);
    good = !ferror(file);
    good = fclose(file) == 0 && good && rename(staged, path) == 0;
  }
  StictionStatus status = good ? STICTION_OK
                               : lab_fail(lab, STICTION_SYSTEM_FAULT, "%s: cannot be written: %s",
                                          path, strerror(errno));
  free(staged);
  free(path);
  return status;
}

// A pattern that fits nothing is a slip of the pen, but an empty one is meant.
static StictionStatus check_pattern(Lab *lab) {
  const char *only = lab->settings->only;
  if (!only || !*only || lab->fitting > 0 || !*lab->others)
    return STICTION_OK;
  return lab_fail(lab, STICTION_BAD_INPUT, "no case of %s fits \"%s\"; there are %s%s",
                  lab->settings->experiment->name, only, lab->others,
                  lab->some_left_out ? " …" : "");
}

static StictionStatus run_and_save(Lab *lab) {
  TRY(make_folder(lab, lab->settings->folder));
  TRY(lab->settings->experiment->run(lab));
  TRY(check_pattern(lab));
  note_missing(lab);
  if (stiction_rank(lab->session) != 0)
    return STICTION_OK;
  TRY(save(lab, "summary.json", result_write_json));
  return save(lab, "summary.md", result_write_markdown);
}

StictionStatus lab_run(const LabSettings *settings, Stiction *session, Result *result,
                       char error[1024]) {
  Lab lab = {.settings = settings, .session = session, .result = result};
  open_result(settings, result);
  stiction_listen(session, tell, (void *)settings);
  StictionStatus status = run_and_save(&lab);
  stiction_listen(session, NULL, NULL);
  snprintf(error, 1024, "%s", *lab.error ? lab.error : stiction_error(session));
  return status;
}
