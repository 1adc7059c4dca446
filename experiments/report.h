// One page from the summaries of many experiments: docs/results.md.
#ifndef EXPERIMENTS_REPORT_H
#define EXPERIMENTS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

// folder: of experiments that have run, in the order they shall appear. plots: whether to show
// their plots, by the paths of the folders. False: *missing is a file that cannot be read, free()
// it.
bool report_write(const char *const *folder, int count, bool plots, FILE *out, char **missing);

#endif
