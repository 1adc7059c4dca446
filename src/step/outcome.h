// What can be wrong with an attempt at a step.
#ifndef ST_STEP_OUTCOME_H
#define ST_STEP_OUTCOME_H

typedef enum StOutcome {
  ST_OUTCOME_GOOD,
  ST_OUTCOME_UNSOLVED, // Newton's method found no solution
  ST_OUTCOME_INSIDE,   // something ended inside something
  ST_OUTCOME_CROSSED,  // something passed through something
  ST_OUTCOME_MET,      // bodies met or parted under a method that remembers the step before
  ST_OUTCOME_INVERTED, // elements were turned inside out
  ST_OUTCOME_GAINED,   // energy came from nowhere
  ST_OUTCOME_COUNT
} StOutcome;

// Names as keys of a summary.
extern const char *const st_outcome_names[ST_OUTCOME_COUNT];

#endif
