// Runs the independent check on committed states, on rank 0, and records its findings over a run.
#pragma once

#include "model/description.h"
#include "step/gather.h"
#include "step/record.h"

typedef struct StInspection {
  const StGather *gather;
  StJudgeMode mode;
  StJudge *judge; // on rank 0, unless it is off
  StJudgeRecord record;
} StInspection;

// Collective, as are the next two.
StStatus st_inspection_create(const StDescription *description, const StGather *gather,
                              StInspection **inspection, StError *error);
void st_inspection_destroy(StInspection *inspection);

// A state to be looked at, and the step that led to it; all [owned][3].
typedef struct StInspected {
  double time, start;
  const double *position;
  const double *before; // where the step began; NULL: an initial state
  bool on_frame;
} StInspected;

// Fills the check's part of the report, the same on every rank. Skips states between frames if only
// frames are checked.
StStatus st_inspection_look(StInspection *inspection, const StInspected *state, StReport *report,
                            StError *error);

// Adds the report of a state to the record; is_start: an initial state.
void st_inspection_count(StInspection *inspection, const StReport *report, bool is_start);

// Marks of the state that was looked at last, for whom the gathered rows are.
StStatus st_inspection_mark(const StInspection *inspection, const StReport *report,
                            const StGather *gather, StSnapshot *snapshot, StError *error);
