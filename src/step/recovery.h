// What to do about an attempt that cannot be accepted: one table of answers to everything that can
// be wrong with it, and one budget of Newton iterations for all attempts at a step.
#pragma once

#include "step/outcome.h"
#include "step/record.h"

typedef enum StAnswer {
  ST_ANSWER_REPEAT,  // solve again: contact is stiffer now
  ST_ANSWER_RESTART, // by the method that a two-step method starts with
  ST_ANSWER_DAMP,    // by backward Euler
  ST_ANSWER_HALVE,   // with half the size
  ST_ANSWER_KEEP,    // the step is accepted, and its problem is reported
  ST_ANSWER_GIVE_UP,
} StAnswer;

enum { ST_RECOVERY_RULES = 13 };

typedef struct StRecovery {
  int repeats;     // of a step with stiffer contact, at one size
  int step_budget; // Newton iterations of a step, in all attempts
  int size_budget; // of those, at one size
  // Of the present step:
  int spent, spent_at_size;
  int used[ST_RECOVERY_RULES]; // how often each rule has answered
  int rejected[ST_OUTCOME_COUNT];
  StRung rung; // of the answers so far
} StRecovery;

const char *st_answer_text(StAnswer answer);

// Takes the report of a committed step into the record.
void st_recovery_count(StRecoveryRecord *record, const StReport *report);

// "Of 240 steps 228 were solved by Newton's method at once, 12 by a smaller step." Empty when all
// were solved at once.
void st_recovery_words(const StRecoveryRecord *record, char *text, size_t size);

void st_recovery_begin(StRecovery *recovery); // a new step

int st_recovery_allowance(
    const StRecovery *recovery); // Newton iterations the next attempt may take

// What is left to try after an attempt.
typedef struct StChances {
  bool halve;  // the step is not the smallest yet
  bool damp;   // the method is not backward Euler already
  bool stored; // the energy gained is stored in contact since its stiffness changed: a smaller step
               // gains it too
} StChances;

// After an attempt that took so many iterations.
StAnswer st_recovery_answer(StRecovery *recovery, StOutcome outcome, int iterations,
                            StChances chances);
