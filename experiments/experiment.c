// Finding experiments and the values of their parameters.
#include "experiment.h"

#include <string.h>

const char *const size_names[SIZES + 1] = {"small", "paper", NULL};

const Experiment *experiment_find(const char *name) {
  for (const Experiment *const *one = experiments; *one; one++)
    if (strcmp((*one)->name, name) == 0)
      return *one;
  return NULL;
}

int experiment_param(const Experiment *experiment, const char *name) {
  for (int i = 0; i < experiment->param_count; i++)
    if (strcmp(experiment->param[i].name, name) == 0)
      return i;
  return -1;
}

void experiment_defaults(const Experiment *experiment, ExperimentSize size, double *value) {
  for (int i = 0; i < experiment->param_count; i++)
    value[i] = experiment->param[i].fallback;
  for (int i = 0; i < experiment->preset_count && size == SIZE_PAPER; i++) {
    int at = experiment_param(experiment, experiment->preset[i].name);
    if (at >= 0)
      value[at] = experiment->preset[i].value;
  }
}
