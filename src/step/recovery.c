// The table of answers.
#include "step/recovery.h"

#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

const char *const st_outcome_names[ST_OUTCOME_COUNT] = {[ST_OUTCOME_GOOD] = "good",
                                                        [ST_OUTCOME_UNSOLVED] = "not_solved",
                                                        [ST_OUTCOME_UNSTABLE] = "unstable",
                                                        [ST_OUTCOME_INSIDE] = "inside",
                                                        [ST_OUTCOME_CROSSED] = "passed_through",
                                                        [ST_OUTCOME_MET] = "met_or_parted",
                                                        [ST_OUTCOME_INVERTED] = "inverted",
                                                        [ST_OUTCOME_GAINED] = "energy_gain"};

const StRungText st_rungs[ST_RUNG_COUNT] = {
    [ST_RUNG_NEWTON] = {"newton", "by Newton's method at once"},
    [ST_RUNG_DESCENT] = {"descent", "by descent with a shifted Jacobian (buckling shells)"},
    [ST_RUNG_PATIENT] = {"patient", "by Newton's method with more iterations (shells)"},
    [ST_RUNG_STEADY] = {"steady", "from the solution with friction that does not fall with speed"},
    [ST_RUNG_EASED] = {"eased", "from solutions with wider sticking speeds"},
    [ST_RUNG_SLOWER] = {"slower", "from a first guess nearer to rest"},
    [ST_RUNG_STIFFER] = {"stiffer", "with stiffer contact"},
    [ST_RUNG_RESTART] = {"restart", "by the starting method of a two-step method"},
    [ST_RUNG_DAMPED] = {"damped", "by backward Euler instead of the scene's integrator"},
    [ST_RUNG_SMALLER] = {"smaller", "by a smaller step"},
};

typedef struct Rule {
  StOutcome outcome;
  StAnswer answer;
  int most;      // answers of this kind in one step
  bool per_size; // … or rather for each of its sizes
} Rule;

enum { ANY = INT_MAX, AS_THE_SCENE_SAYS = -1 };

// The first rule that fits and has answers left decides.
static const Rule RULES[ST_RECOVERY_RULES] = {
    {ST_OUTCOME_UNSOLVED, ST_ANSWER_HALVE, ANY, false},
    {ST_OUTCOME_UNSTABLE, ST_ANSWER_HALVE, ANY, false},
    {ST_OUTCOME_INSIDE, ST_ANSWER_REPEAT, AS_THE_SCENE_SAYS, true},
    {ST_OUTCOME_INSIDE, ST_ANSWER_HALVE, ANY, false},
    {ST_OUTCOME_CROSSED, ST_ANSWER_HALVE, ANY, false},
    {ST_OUTCOME_MET, ST_ANSWER_RESTART, 1, true},
    {ST_OUTCOME_MET, ST_ANSWER_HALVE, ANY, false},
    {ST_OUTCOME_MET, ST_ANSWER_KEEP, ANY, false},
    {ST_OUTCOME_INVERTED, ST_ANSWER_HALVE, 5, false},
    {ST_OUTCOME_INVERTED, ST_ANSWER_KEEP, ANY, false},
    {ST_OUTCOME_GAINED, ST_ANSWER_DAMP, 1, false},
    {ST_OUTCOME_GAINED, ST_ANSWER_HALVE, 5, false},
    {ST_OUTCOME_GAINED, ST_ANSWER_KEEP, ANY, false},
};

static const StRung RUNG_OF[] = {
    [ST_ANSWER_REPEAT] = ST_RUNG_STIFFER, [ST_ANSWER_RESTART] = ST_RUNG_RESTART,
    [ST_ANSWER_DAMP] = ST_RUNG_DAMPED,    [ST_ANSWER_HALVE] = ST_RUNG_SMALLER,
    [ST_ANSWER_KEEP] = ST_RUNG_NEWTON,    [ST_ANSWER_GIVE_UP] = ST_RUNG_NEWTON};

const char *st_answer_text(StAnswer answer) {
  switch (answer) {
  case ST_ANSWER_REPEAT: return "solving it again with stiffer contact";
  case ST_ANSWER_RESTART: return "solving it again with the starting method";
  case ST_ANSWER_DAMP: return "solving it again with backward Euler";
  case ST_ANSWER_HALVE: return "halving it";
  case ST_ANSWER_KEEP: return "accepting it anyway";
  case ST_ANSWER_GIVE_UP: return "giving up";
  }
  return "";
}

void st_recovery_count(StRecoveryRecord *record, const StReport *report) {
  record->solved[report->rung]++;
  for (int i = 0; i < ST_OUTCOME_COUNT; i++)
    record->rejected[i] += report->rejected[i];
  if (report->newton_iterations > record->most_iterations) {
    record->most_iterations = report->newton_iterations;
    record->most_time = report->time;
  }
}

void st_recovery_words(const StRecoveryRecord *record, char *text, size_t size) {
  long steps = 0;
  for (int i = 0; i < ST_RUNG_COUNT; i++)
    steps += record->solved[i];
  text[0] = 0;
  if (record->solved[ST_RUNG_NEWTON] == steps)
    return;
  StText words = {0};
  st_text_add(&words, "Of %ld steps %ld were solved %s", steps, record->solved[ST_RUNG_NEWTON],
              st_rungs[ST_RUNG_NEWTON].summary);
  for (int i = ST_RUNG_NEWTON + 1; i < ST_RUNG_COUNT; i++)
    if (record->solved[i] > 0)
      st_text_add(&words, ", %ld %s", record->solved[i], st_rungs[i].summary);
  st_text_add(&words, ".");
  if (!words.failed)
    snprintf(text, size, "%s", words.data);
  st_text_free(&words);
}

static int least(int a, int b) {
  return a < b ? a : b;
}

void st_recovery_begin(StRecovery *recovery) {
  recovery->spent = recovery->spent_at_size = 0;
  recovery->rung = ST_RUNG_NEWTON;
  memset(recovery->used, 0, sizeof recovery->used);
  memset(recovery->rejected, 0, sizeof recovery->rejected);
}

int st_recovery_allowance(const StRecovery *recovery) {
  return least(recovery->step_budget - recovery->spent,
               recovery->size_budget - recovery->spent_at_size);
}

// Rules that count per size start again with a smaller step. The budget of the step does not.
static void forget_size(StRecovery *recovery) {
  recovery->spent_at_size = 0;
  for (int i = 0; i < ST_RECOVERY_RULES; i++)
    if (RULES[i].per_size)
      recovery->used[i] = 0;
}

// Energy that contact stores since its stiffness changed is damped best by a long step.
static bool may_halve(const StRecovery *recovery, const Rule *rule, StChances chances) {
  bool in_vain = rule->outcome == ST_OUTCOME_GAINED && chances.stored;
  return chances.halve && !in_vain && recovery->spent < recovery->step_budget;
}

static bool is_possible(const StRecovery *recovery, const Rule *rule, StChances chances) {
  switch (rule->answer) {
  case ST_ANSWER_HALVE: return may_halve(recovery, rule, chances);
  case ST_ANSWER_DAMP: return chances.damp && st_recovery_allowance(recovery) > 0;
  case ST_ANSWER_REPEAT:
  case ST_ANSWER_RESTART: return st_recovery_allowance(recovery) > 0;
  case ST_ANSWER_KEEP:
  case ST_ANSWER_GIVE_UP: break;
  }
  return true;
}

static bool fits(const StRecovery *recovery, int index, StOutcome outcome, StChances chances) {
  const Rule *rule = &RULES[index];
  int most = rule->most == AS_THE_SCENE_SAYS ? recovery->repeats : rule->most;
  return rule->outcome == outcome && recovery->used[index] < most &&
         is_possible(recovery, rule, chances);
}

StAnswer st_recovery_answer(StRecovery *recovery, StOutcome outcome, int iterations,
                            StChances chances) {
  recovery->spent += iterations;
  recovery->spent_at_size += iterations;
  recovery->rejected[outcome]++;
  for (int i = 0; i < ST_RECOVERY_RULES; i++) {
    StAnswer answer = RULES[i].answer;
    if (!fits(recovery, i, outcome, chances))
      continue;
    recovery->used[i]++;
    if (answer == ST_ANSWER_KEEP)
      recovery->rejected[outcome]--;
    if (answer == ST_ANSWER_HALVE)
      forget_size(recovery);
    if (RUNG_OF[answer] > recovery->rung)
      recovery->rung = RUNG_OF[answer];
    return answer;
  }
  return ST_ANSWER_GIVE_UP;
}
