// Results of a sweep: one row per run, as text, as CSV and as a plot.
#pragma once

#include "app/batch_run.h"

// show: columns of the history, "kinetic_energy:max", "centre_of_mass_z" (the last value),
// comma-separated; NULL: a few that most runs have. Prints the table unless the sweep is quiet, and
// writes OUT/sweep.csv and OUT/sweep.svg.
StStatus st_batch_print(const StBatch *sweep, const char *show, StError *error);
