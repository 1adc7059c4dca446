// Numbers of a scene from measured positions: simulations with derivatives (docs/gradients.md) in a
// least-squares search.
#pragma once

#include "stiction/stiction.h"

#include "base/unit.h"
#include "fit/least_squares.h"
#include "fit/measured.h"

#include <signal.h>

typedef struct StFitParameter {
  const char *path;   // "friction.0.dynamic"
  const char *bounds; // "LOW..HIGH", either with a unit or missing; NULL: none
  double low, high;   // what that says
  double start;
  StDimension dimension; // that its unit in the scene has
} StFitParameter;

typedef struct StFit {
  Stiction *session;
  const char *scene, *folder; // its text, and where its relative paths start
  int threads;                // 0: as the scene says
  int iterations;             // at most
  int parameter_count;
  StFitParameter parameter[ST_FIT_MOST];
  StMeasured measured;
  volatile sig_atomic_t *stop; // ends it with ST_INTERRUPTED
  void (*progress)(const struct StFit *fit, const StFitProgress *now); // may be NULL
  // Results:
  double value[ST_FIT_MOST];
  double *simulated; // [rows][columns] of measured
  StFitResult result;
  StictionDerivativeReport derivatives; // of the run with these values
  // While it runs:
  double *sensitivity; // [rows][columns][parameters]
  StictionDerivativeReport last;
} StFit;

// Reads the parameters' values from the scene's text, their bounds, and the measurements.
// description: of it.
StStatus st_fit_open(StFit *fit, const StDescription *description, const char *measured,
                     double sigma, StError *error);
StStatus st_fit_run(StFit *fit, StError *error);
void st_fit_close(StFit *fit);

// The scene's text with the values set, to free().
StStatus st_fit_scene(const StFit *fit, const double *value, char **text, StError *error);
