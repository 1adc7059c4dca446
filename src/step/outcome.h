// Reasons to reject an attempt at a step.
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
