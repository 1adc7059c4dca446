// Where an experiment runs: its parameters, its folder, the runner of its cases, and its results. A
// case that simulates is a scene, run into FOLDER/CASE as `stiction run` would. One that has ended,
// well or not, is not run again as long as its scene is the same; one that was interrupted goes on.
// What is measured is read from the recording each time.
#ifndef EXPERIMENTS_LAB_H
#define EXPERIMENTS_LAB_H

#include "experiment.h"
#include "recording.h"
#include "result.h"

#include <stiction/build.h>
#include <stiction/plot.h>

#include <signal.h>

// Where an experiment stands.
typedef struct Moment {
  const char *name;            // of the case
  int cases, cases_done;       // cases: 0 when the experiment has not said
  const StictionProgress *run; // of the case that runs; NULL: it has ended
} Moment;

typedef struct LabSettings {
  const Experiment *experiment;
  ExperimentSize size;
  double value[MOST_PARAMS]; // from experiment_defaults, then as the user wants
  const char *folder;        // made when missing
  bool fresh;                // run everything again
  int threads;               // 0: as the scene says, all processors
  const char *only; // shell pattern of the cases to run; others are looked up. NULL: all, "": none
  volatile sig_atomic_t *stop; // NULL: never
  // Called on rank 0 only; NULL is fine.
  void (*progress)(void *context, const Moment *moment);
  void (*message)(void *context, int level, const char *text);
  void *context;
} LabSettings;

struct Lab {
  const LabSettings *settings;
  Stiction *session;
  int cases, cases_done;
  const char *running; // name of the case
  int fitting;         // cases that were asked for
  char others[200];    // names of some that were not
  bool some_left_out;  // not all of them are named
  int missing, named;  // cases of which there is nothing, and how many of them have their name …
  char missing_names[400]; // … here
  Result *result;
  char error[1024]; // of the call that failed
};

// Runs the experiment and writes FOLDER/summary.json and summary.md. *result is filled also when it
// fails half-way: result_free it. error: [1024] gets the reason. STICTION_INTERRUPTED: the same
// call goes on. Collective; files by rank 0.
StictionStatus lab_run(const LabSettings *settings, Stiction *session, Result *result,
                       char error[1024]);

// For experiments.

double lab_value(const Lab *lab, const char *param); // the program ends for one that is not listed

// How many cases there will be, for the progress bar.
void lab_expect(Lab *lab, int cases);

bool lab_requested(const Lab *lab, const char *name); // whether that case was asked for

// Runs one case, or finds it done, and frees the build. `name` is its folder: letters, digits and -
// _ . only. A step that cannot be solved is a recording that failed, with a note in the result, and
// no failure here. Missing: not asked for. recording_close it.
StictionStatus lab_simulate(Lab *lab, const char *name, StictionBuild *build, Recording *recording);

// The same for a case that others begin with (the scene's key `start`): it runs also when it was
// not asked for.
StictionStatus lab_prepare(Lab *lab, const char *name, StictionBuild *build, Recording *recording);

// Panels into FOLDER/file. Their sizes need not be set.
StictionStatus lab_plot(Lab *lab, const char *file, const StictionPlot *plot, int plot_count,
                        int columns);

// Tells why the experiment ends, and returns the status. What the library says of its own failures
// is told anyway; lab_check keeps it where other calls follow.
StictionStatus lab_fail(Lab *lab, StictionStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
StictionStatus lab_check(Lab *lab, StictionStatus status);

#endif
