// Reasons to reject an attempt at a step, and how a step was solved in the end.
#pragma once

typedef enum StOutcome {
  ST_OUTCOME_GOOD,
  ST_OUTCOME_UNSOLVED, // Newton's method found no solution
  ST_OUTCOME_UNSTABLE, // on the way to an equilibrium another one became unstable
  ST_OUTCOME_INSIDE,   // something ended inside something
  ST_OUTCOME_CROSSED,  // something passed through something
  ST_OUTCOME_MET,      // bodies met or separated under a method that uses the previous step
  ST_OUTCOME_INVERTED, // elements inverted
  ST_OUTCOME_GAINED,   // energy increased without a cause
  ST_OUTCOME_COUNT
} StOutcome;

// Keys in summaries.
extern const char *const st_outcome_names[ST_OUTCOME_COUNT];

// From plain Newton to increasingly drastic measures. The numbers are written to history.csv.
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
