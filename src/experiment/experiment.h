// An experiment of the paper as a const descriptor in a file of its own, named in list.c. What
// `stiction experiment` lists, checks, runs and documents comes from it alone. docs/experiments.md
// says how to add one; block_slide.c is the one to follow.
#ifndef ST_EXPERIMENT_EXPERIMENT_H
#define ST_EXPERIMENT_EXPERIMENT_H

#include "base/param.h"

enum { ST_EXPERIMENT_PARAMS = 24 };

typedef enum StExperimentSize {
  ST_EXPERIMENT_SMALL, // about a minute on two cores
  ST_EXPERIMENT_PAPER, // the paper's element counts
  ST_EXPERIMENT_SIZES
} StExperimentSize;

extern const char *const st_experiment_size_names[ST_EXPERIMENT_SIZES + 1]; // NULL-terminated

// What a parameter is at the paper's size, where that is not its fallback.
typedef struct StPreset {
  const char *name;
  double value; // SI; of words their index
} StPreset;

typedef struct StLab StLab; // where it runs: experiment/lab.h

typedef struct StExperiment {
  const char *name;    // "block-slide"
  const char *summary; // one sentence: what is done and looked at
  const char *paper;   // one or two sentences: what the paper says comes out
  const StParam *param;
  int param_count;        // at most ST_EXPERIMENT_PARAMS; fallbacks are those of the small size
  const StPreset *preset; // of the paper's size; NULL: none
  int preset_count;
  StStatus (*run)(StLab *lab, StError *error);
} StExperiment;

extern const StExperiment *const st_experiments[];        // NULL-terminated
const StExperiment *st_experiment_find(const char *name); // NULL: no such experiment

// value: [param_count]
void st_experiment_defaults(const StExperiment *experiment, StExperimentSize size, double *value);

int st_experiment_param(const StExperiment *experiment, const char *name); // -1: no such parameter

#endif
