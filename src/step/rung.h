// How a step was solved, from plain Newton to increasingly drastic measures. Used in reports,
// histories and summaries.
#pragma once

// The numbers are written to history.csv.
typedef enum StRung {
  ST_RUNG_NEWTON,  // at once
  ST_RUNG_DESCENT, // other strategies for the same equations:
  ST_RUNG_PATIENT,
  ST_RUNG_STEADY,
  ST_RUNG_EASED,
  ST_RUNG_SLOWER,
  ST_RUNG_STIFFER, // changed equations:
  ST_RUNG_RESTART,
  ST_RUNG_DAMPED,
  ST_RUNG_SMALLER,
  ST_RUNG_COUNT
} StRung;

typedef struct StRungText {
  const char *name;    // key in summaries
  const char *summary; // completes "solved …"
} StRungText;

extern const StRungText st_rungs[ST_RUNG_COUNT];
