// An experiment of the paper as a const descriptor in a file of its own, named in list.c. What
// `stiction experiment` lists, checks, runs and documents comes from it alone. docs/experiments.md
// says how to add one; block_slide.c is the one to follow.
#ifndef EXPERIMENTS_EXPERIMENT_H
#define EXPERIMENTS_EXPERIMENT_H

#include "common.h"
#include "param.h"

enum { MOST_PARAMS = 24 };

typedef enum ExperimentSize {
  SIZE_SMALL, // about a minute on two cores
  SIZE_PAPER, // the paper's element counts
  SIZES
} ExperimentSize;

extern const char *const size_names[SIZES + 1]; // NULL-terminated

// What a parameter is at the paper's size, where that is not its fallback.
typedef struct Preset {
  const char *name;
  double value; // SI; of words their index
} Preset;

typedef struct Lab Lab; // where it runs: lab.h

typedef struct Experiment {
  const char *name;    // "block-slide"
  const char *summary; // one sentence: what is done and looked at
  const char *paper;   // one or two sentences: what the paper says comes out
  const Param *param;
  int param_count;      // at most MOST_PARAMS; fallbacks are those of the small size
  const Preset *preset; // of the paper's size; NULL: none
  int preset_count;
  StictionStatus (*run)(Lab *lab); // a failure is told by lab_fail or lab_check
} Experiment;

extern const Experiment *const experiments[];        // NULL-terminated
const Experiment *experiment_find(const char *name); // NULL: no such experiment

// value: [param_count]
void experiment_defaults(const Experiment *experiment, ExperimentSize size, double *value);

int experiment_param(const Experiment *experiment, const char *name); // -1: no such parameter

#endif
