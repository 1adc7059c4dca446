// Finding experiments and the values of their parameters.
#include "experiment/experiment.h"

#include <string.h>

const char *const st_experiment_size_names[ST_EXPERIMENT_SIZES + 1] = {"small", "paper", NULL};

const StExperiment *st_experiment_find(const char *name) {
  for (const StExperiment *const *one = st_experiments; *one; one++)
    if (strcmp((*one)->name, name) == 0)
      return *one;
  return NULL;
}

int st_experiment_param(const StExperiment *experiment, const char *name) {
  for (int i = 0; i < experiment->param_count; i++)
    if (strcmp(experiment->param[i].name, name) == 0)
      return i;
  return -1;
}

void st_experiment_defaults(const StExperiment *experiment, StExperimentSize size, double *value) {
  st_param_defaults(experiment->param, experiment->param_count, value);
  for (int i = 0; i < experiment->preset_count && size == ST_EXPERIMENT_PAPER; i++) {
    int at = st_experiment_param(experiment, experiment->preset[i].name);
    if (at >= 0)
      value[at] = experiment->preset[i].value;
  }
}
