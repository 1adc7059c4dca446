// docs/results.md from the summaries of experiments.
#ifndef ST_EXPERIMENT_REPORT_H
#define ST_EXPERIMENT_REPORT_H

#include "base/status.h"
#include "base/text.h"

// folder: of experiments that have run, in the order they shall appear. plots: whether to show
// their plots, by paths relative to the current folder.
StStatus st_report_write(const char *const *folder, int count, bool plots, StText *text,
                         StError *error);

#endif
