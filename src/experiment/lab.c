// Running an experiment and its cases.
#include "experiment/lab.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "experiment/peak_memory.h"
#include "output/run_folder.h"
#include "scene/scene.h"
#include "solve/runtime.h"

#include <fnmatch.h>
#include <string.h>

double st_lab_value(const StLab *lab, const char *param) {
  int index = st_experiment_param(lab->settings->experiment, param);
  return index >= 0 ? lab->settings->value[index] : NAN;
}

void st_lab_expect(StLab *lab, int cases) {
  lab->cases = cases;
}

static void report(StLab *lab, const StRunProgress *run) {
  const StLabSettings *settings = lab->settings;
  StLabMoment moment = {lab->running, lab->cases, lab->cases_done, run};
  if (settings->progress && st_runtime_rank() == 0)
    settings->progress(settings->context, &moment);
}

static void pass_on(void *context, const StRunProgress *progress) {
  report(context, progress);
}

typedef enum Plan { FROM_START, GO_ON, KEEP } Plan;

// Whether the file holds exactly this text.
static bool holds_text(const char *path, const StText *text) {
  char *data = NULL;
  size_t size = 0;
  bool same = st_file_read(path, &data, &size, NULL) == ST_OK && size == text->length &&
              memcmp(data, text->data, size) == 0;
  free(data);
  return same;
}

static bool has_ended(const char *summary) {
  StJsonDocument *document;
  if (st_json_read_own(summary, &document, NULL) != ST_OK)
    return false;
  const char *word = st_json_get_text(st_json_root(document), "status");
  bool ended = word && (strcmp(word, "finished") == 0 || strcmp(word, "failed") == 0);
  st_json_destroy(document);
  return ended;
}

static Plan plan_of(const StLab *lab, const char *folder, const StText *scene) {
  char *own = st_run_folder_file(folder, "scene.json");
  char *facts = st_run_folder_file(folder, "run.json");
  char *summary = st_run_folder_file(folder, "summary.json");
  Plan plan = FROM_START;
  if (own && facts && summary && !lab->settings->fresh && st_file_exists(facts) &&
      holds_text(own, scene))
    plan = has_ended(summary) ? KEEP : GO_ON;
  free(own);
  free(facts);
  free(summary);
  return plan;
}

// A failure of the numbers is what the case shows.
static StStatus run_scene(StLab *lab, const char *folder, const char *path, const StText *scene,
                          Plan plan, const StDescription *description, StError *error) {
  StRunOptions options = {.folder = folder,
                          .scene_path = path,
                          .scene_text = scene->data,
                          .scene_size = scene->length,
                          .resume = plan == GO_ON,
                          .overwrite = plan == FROM_START,
                          .stop = lab->settings->stop,
                          .progress = pass_on,
                          .context = lab,
                          .log = lab->settings->log};
  st_peak_memory_reset();
  StStatus status = st_run(description, &options, error);
  return status == ST_NOT_SOLVED ? ST_OK : status;
}

static StStatus run_in(StLab *lab, const char *folder, const StText *scene, StRecording *recording,
                       StError *error) {
  char *path = st_run_folder_file(folder, "scene.json");
  if (!path)
    return st_fail_memory(error);
  // All ranks look before anyone writes.
  Plan plan = plan_of(lab, folder, scene);
  StStatus status = st_runtime_rank() == 0 ? st_folder_create(folder, error) : ST_OK;
  status = st_runtime_agree(status, error);
  StDescription *description = NULL;
  if (status == ST_OK)
    status = st_scene_parse(path, scene->data, scene->length, folder,
                            plan == KEEP ? NULL : lab->settings->log, &description, error);
  if (status == ST_OK && lab->settings->threads > 0)
    description->solver.threads = lab->settings->threads;
  if (status == ST_OK && plan != KEEP)
    status = run_scene(lab, folder, path, scene, plan, description, error);
  if (status == ST_OK)
    status = st_recording_open(folder, description, recording, error);
  if (status != ST_OK)
    st_description_destroy(description);
  free(path);
  return status;
}

static StStatus check_name(const char *name, StError *error) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  ST_CHECK(*name && *name != '.' && strspn(name, allowed) == strlen(name), error);
  return ST_OK;
}

static void note_failure(StLab *lab, const char *name, const StRecording *recording) {
  if (recording->state == ST_RECORDING_FAILED)
    st_result_add_note(lab->result, "Case %s could not be solved to its end: %s.", name,
                       recording->reason ? recording->reason : "no reason was recorded");
}

StStatus st_lab_prepare(StLab *lab, const char *name, const StText *scene, StRecording *recording,
                        StError *error) {
  *recording = (StRecording){0};
  ST_TRY(check_name(name, error));
  if (scene->failed)
    return st_fail_memory(error);
  lab->running = name;
  report(lab, NULL);
  char *folder = st_run_folder_file(lab->settings->folder, name);
  StStatus status = folder ? run_in(lab, folder, scene, recording, error) : st_fail_memory(error);
  free(folder);
  if (status != ST_OK && status != ST_INTERRUPTED)
    return st_error_prefix(error, status, "case %s: ", name);
  lab->cases_done += status == ST_OK;
  report(lab, NULL);
  note_failure(lab, name, recording);
  return status;
}

bool st_lab_requested(const StLab *lab, const char *name) {
  const char *only = lab->settings->only;
  return !only || fnmatch(only, name, 0) == 0;
}

// What an earlier call has run of a case, be it a part; nothing when there is nothing.
static StStatus look_up(StLab *lab, const char *name, const StText *scene, StRecording *recording,
                        StError *error) {
  char *folder = st_run_folder_file(lab->settings->folder, name);
  if (!folder)
    return st_fail_memory(error);
  StDescription *description = NULL;
  StStatus status = ST_OK;
  if (plan_of(lab, folder, scene) != FROM_START) {
    status =
        st_scene_parse("scene.json", scene->data, scene->length, folder, NULL, &description, error);
    if (status == ST_OK)
      status = st_recording_open(folder, description, recording, error);
    if (status != ST_OK)
      st_description_destroy(description);
  }
  free(folder);
  return status;
}

const char *st_case_lack(StRecordingState state) {
  switch (state) {
  case ST_RECORDING_MISSING: return "not run";
  case ST_RECORDING_FAILED: return "failed";
  case ST_RECORDING_INTERRUPTED:
  case ST_RECORDING_RUNNING: return "unfinished";
  case ST_RECORDING_FINISHED: break;
  }
  return NULL;
}

void st_case_cell_beside(StResultTable *table, StRecordingState state, double value, double paper) {
  const char *lack = isnan(value) ? st_case_lack(state) : NULL;
  if (lack)
    st_cell_lacks(table, lack, paper);
  else
    st_cell_beside(table, value, paper);
}

void st_case_cell(StResultTable *table, StRecordingState state, double value) {
  st_case_cell_beside(table, state, value, NAN);
}

// Cases that were not asked for may lack, or be there in part, and tables may leave them out.
static void note_state(StLab *lab, const char *name, const StRecording *recording) {
  const char *lack = st_case_lack(recording->state);
  if (recording->state == ST_RECORDING_MISSING) {
    lab->missing++;
    if (lab->missing_names.length > 300)
      return;
    lab->named++;
    st_text_add(&lab->missing_names, "%s%s", lab->named > 1 ? ", " : "", name);
  } else if (lack && recording->state != ST_RECORDING_FAILED) {
    st_result_add_note(lab->result, "Case %s is %s: it has %.4g of %.4g s.", name, lack,
                       st_recording_last(recording, "time"), recording->description->time.duration);
  }
}

static void note_missing(StLab *lab) {
  if (lab->missing == 0)
    return;
  int more = lab->missing - lab->named;
  StText rest = {0};
  if (more > 0)
    st_text_add(&rest, " and %d more", more);
  st_result_add_note(lab->result, "Not run: %s%s.", lab->missing_names.data,
                     more > 0 ? rest.data : "");
  lab->result->failed = lab->result->failed || lab->missing_names.failed || rest.failed;
  st_text_free(&rest);
}

StStatus st_lab_simulate(StLab *lab, const char *name, const StText *scene, StRecording *recording,
                         StError *error) {
  if (st_lab_requested(lab, name)) {
    lab->fitting++;
    return st_lab_prepare(lab, name, scene, recording, error);
  }
  *recording = (StRecording){0};
  lab->cases_done++;
  if (lab->others.length < 120)
    st_text_add(&lab->others, "%s%s", lab->others.length ? ", " : "", name);
  ST_TRY(look_up(lab, name, scene, recording, error));
  note_failure(lab, name, recording);
  note_state(lab, name, recording);
  return ST_OK;
}

StStatus st_lab_plot(StLab *lab, const char *file, const StPlot *plot, int plot_count, int columns,
                     StError *error) {
  st_result_add_plot(lab->result, file);
  if (st_runtime_rank() != 0)
    return ST_OK;
  char *path = st_run_folder_file(lab->settings->folder, file);
  StStatus status =
      path ? st_plot_write(path, plot, plot_count, columns, error) : st_fail_memory(error);
  free(path);
  return status;
}

const StColumn st_cost_columns[ST_COST_COLUMNS] = {{"processor time per frame", "s", 3},
                                                   {"memory", "GB", 3},
                                                   {"Newton per step", NULL, 3},
                                                   {"linear per step", NULL, 3},
                                                   {"frames", NULL, 6}};

void st_cost_cells(StResultTable *table, const StRecording *recording, double paper_seconds,
                   double paper_memory) {
  StRecordingState state = recording->state;
  bool missing = state == ST_RECORDING_MISSING;
  const StCost *cost = &recording->cost;
  st_case_cell_beside(table, state, missing ? NAN : cost->processor_per_frame, paper_seconds);
  st_case_cell_beside(table, state, missing ? NAN : cost->memory, paper_memory);
  st_case_cell(table, state, missing ? NAN : cost->newton_per_step);
  st_case_cell(table, state, missing ? NAN : cost->linear_per_step);
  st_case_cell(table, state, missing ? NAN : (double)cost->frames);
}

// A value as the user would write it.
static void add_value(StText *text, const StParam *param, double value) {
  const char *unit = st_dimension_unit(param->dimension);
  if (param->kind == ST_BOOLEAN)
    st_text_add(text, "%s", value != 0 ? "true" : "false");
  else if (param->kind == ST_WORD)
    st_text_add(text, "%s", param->word[(int)value]);
  else
    st_text_add(text, "%.15g%s%s", value, *unit ? " " : "", unit);
}

static void open_result(const StLabSettings *settings, StResult *result) {
  const StExperiment *experiment = settings->experiment;
  *result = (StResult){.experiment = st_copy_string(experiment->name),
                       .summary = st_copy_string(experiment->summary),
                       .paper = st_copy_string(experiment->paper),
                       .size = st_copy_string(st_experiment_size_names[settings->size]),
                       .version = st_copy_string(STICTION_VERSION)};
  for (int i = 0; i < experiment->param_count; i++) {
    StText value = {0};
    add_value(&value, &experiment->param[i], settings->value[i]);
    st_result_add_entry(result, experiment->param[i].name, value.failed ? "" : value.data);
    st_text_free(&value);
  }
}

static StStatus save_result(const StLabSettings *settings, const StResult *result, StError *error) {
  StText text = {0};
  st_result_write_json(result, &text);
  char *path = st_run_folder_file(settings->folder, "summary.json");
  StStatus status = path && !text.failed && !result->failed
                        ? st_file_write(path, text.data, text.length, error)
                        : st_fail_memory(error);
  free(path);
  st_text_free(&text);
  return status;
}

// A pattern that fits nothing is a slip of the pen, but an empty one is meant.
static StStatus check_pattern(const StLab *lab, StError *error) {
  const char *only = lab->settings->only;
  if (!only || !*only || lab->fitting > 0 || lab->others.length == 0)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT, "no case of %s fits \"%s\"; there are %s%s",
                 lab->settings->experiment->name, only, lab->others.data,
                 lab->others.length < 120 ? "" : " …");
}

StStatus st_lab_run(const StLabSettings *settings, StResult *result, StError *error) {
  bool writes = st_runtime_rank() == 0;
  open_result(settings, result);
  StLab lab = {.settings = settings, .result = result};
  StStatus status = writes ? st_folder_create(settings->folder, error) : ST_OK;
  ST_TRY(st_runtime_agree(status, error));
  status = settings->experiment->run(&lab, error);
  if (status == ST_OK)
    status = check_pattern(&lab, error);
  if (status == ST_OK)
    note_missing(&lab);
  st_text_free(&lab.others);
  st_text_free(&lab.missing_names);
  ST_TRY(status);
  status = writes ? save_result(settings, result, error) : ST_OK;
  return st_runtime_agree(status, error);
}
