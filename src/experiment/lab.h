// Where an experiment runs: its parameters, its folder, the runner of its cases, and its results. A
// case that simulates is a scene, written to FOLDER/CASE/scene.json and run as `stiction run`
// would. One that has ended, well or not, is not run again as long as its scene is the same; one
// that was interrupted goes on. What is measured is read from the recording each time.
#ifndef ST_EXPERIMENT_LAB_H
#define ST_EXPERIMENT_LAB_H

#include "base/log.h"
#include "experiment/experiment.h"
#include "replay/recording.h"
#include "experiment/result.h"
#include "plot/plot.h"
#include "output/run.h"

#include <signal.h>

// Where an experiment stands.
typedef struct StLabMoment {
  const char *name;         // of the case
  int cases, cases_done;    // cases: 0 when the experiment has not said
  const StRunProgress *run; // of the case that runs; NULL: it is about to begin, or has ended
} StLabMoment;

typedef struct StLabSettings {
  const StExperiment *experiment;
  StExperimentSize size;
  double value[ST_EXPERIMENT_PARAMS]; // from st_experiment_defaults, then as the user wants
  const char *folder;                 // made when missing
  bool fresh;                         // run everything again
  int threads;                        // 0: as the scene says, all processors
  const char *only; // shell pattern of the cases to run; others are looked up. NULL: all, "": none
  const StLog *log;
  volatile sig_atomic_t *stop;
  // Called on rank 0 only.
  void (*progress)(void *context, const StLabMoment *moment);
  void *context;
} StLabSettings;

struct StLab {
  const StLabSettings *settings;
  int cases, cases_done;
  const char *running;  // name of the case
  int fitting;          // cases that were asked for
  StText others;        // names of some that were not
  int missing, named;   // cases of which there is nothing, and how many of them have their name …
  StText missing_names; // … here
  StResult *result;
};

// Runs the experiment and writes FOLDER/summary.json. *result is filled also when it fails
// half-way: st_result_free it. ST_INTERRUPTED: the same call goes on. Collective; files by rank 0.
StStatus st_lab_run(const StLabSettings *settings, StResult *result, StError *error);

// For experiments.

double st_lab_value(const StLab *lab, const char *param); // NAN (a bug) for one that is not listed

// How many cases there will be, for the progress bar.
void st_lab_expect(StLab *lab, int cases);

bool st_lab_requested(const StLab *lab, const char *name); // whether that case was asked for

// Runs one case, or finds it done. `name` is its folder: letters, digits and - _ . only. A step
// that cannot be solved is a recording that failed, with a note in the result, and no failure here.
// Missing: not asked for. st_recording_close it.
StStatus st_lab_simulate(StLab *lab, const char *name, const StText *scene, StRecording *recording,
                         StError *error);

// The same for a case that others begin with (the scene's key `start`): it runs also when it was
// not asked for.
StStatus st_lab_prepare(StLab *lab, const char *name, const StText *scene, StRecording *recording,
                        StError *error);

// Panels into FOLDER/file; see plot/plot.h.
StStatus st_lab_plot(StLab *lab, const char *file, const StPlot *plot, int plot_count, int columns,
                     StError *error);

// Why a case has no figure that its end would give: "not run", "unfinished" (it was stopped, or
// still runs) or "failed" (a step could not be solved); NULL when it has come to its end.
const char *st_case_lack(StRecordingState state);

// A figure, or where it is NAN the lack; – when the case has ended and there can be none.
void st_case_cell(StResultTable *table, StRecordingState state, double value);
void st_case_cell_beside(StResultTable *table, StRecordingState state, double value, double paper);

// The columns by which the paper's tables count cost, for tables that have them last.
enum { ST_COST_COLUMNS = 5 };
extern const StColumn st_cost_columns[ST_COST_COLUMNS];
void st_cost_cells(StResultTable *table, const StRecording *recording, double paper_seconds,
                   double paper_memory); // per frame; GB; NAN: the paper has none

#endif
