// The report of a step as the public header has it.
#pragma once

#include "stiction/stiction.h"

#include "step/record.h"

typedef struct StPublicReport {
  StictionReport report;
  StictionForceReport force[ST_RECORD_FORCES];
  StictionVolumeReport *volume;
  StictionBearingReport *bearing;
  StictionActionReport *action;
  StictionReactionReport *reaction;
  StictionPairReport *pair; // grows as pairs touch for the first time
  size_t pair_capacity;
  StictionBodyReport *body;
  StictionProbeReport *probe;
} StPublicReport;

// Allocates reports with the sizes of this one; all of a simulation have the same, pairs excepted.
StStatus st_public_report_create(const StReport *like, StPublicReport *report, StError *error);
void st_public_report_free(StPublicReport *report);

// Without memory for all pairs it has the first ones.
void st_public_report_fill(const StReport *from, StPublicReport *report);
