// Follows the steps of a simulation. gradient/coverage.c says which scenes are covered.
#include "gradient/sensitivity.h"

#include "base/memory.h"
#include "gradient/coverage.h"
#include "gradient/reach.h"
#include "gradient/variant.h"
#include "step/simulation_parts.h"
#include "step/start.h"

#include <math.h>
#include <string.h>

enum { STAGES = 2 };

// Parts of a number by which neighbouring variants may be apart: difference quotients then err by
// less than 1e-11 of what is analytic in the number, and rounding by less than 1e-6.
static const double MOST_APART = 1e-3, LEAST_APART = 1e-9;

// A check that finds less than this part of δv missing is passed. What rounding leaves is about as
// large.
static const double ENOUGH = 1e-9;

// Part of the velocities that is nothing when a number changes as a whole.
static const double NOTHING = 1e-6;

// More than this part of δv may not be missing.
static const double TOO_MUCH = 1e-2;

enum { MOST_CHECKS = 5, MOST_TRIES = 4 };

// One of the numbers.
typedef struct Number {
  double size;     // in its unit
  StFamily family; // of variants, …
  double amount;   // … and how far they are apart
  StTangent tangent;
  double missing, largest; // the most that a check found missing of velocities' derivatives, and …
                           // … the largest of these
  double *rate[STAGES]; // [size] δv of a step's stages
} Number;

struct StSensitivity {
  StSimulation *simulation;
  StSimulation *middle; // a variant that is not moved, which has the Jacobian
  StSceneMaker maker;
  int count;
  Number *number;
  int factored;       // the stage of the step whose Jacobian was factorised last; -1: none
  double length;      // m, by which moves are measured
  double *here;       // [size] positions that the tangents belong to, …
  double time;        // … and when
  double *velocity;   // [size] at which a residual is wanted
  double *residual;   // [size]
  double *change;     // [size] δr
  double *correction; // [size] of δv
  double *end;        // [size] δ of positions at the end of the step
  StFactors factors;  // of stiffness, of the last step
  double speed;       // m/s, the largest so far, or of an edge in a step
  StSensitivityReport report;
};

static StStatus make_arrays(StSensitivity *s, StError *error) {
  double **array[] = {&s->here, &s->velocity, &s->residual, &s->change, &s->correction, &s->end};
  for (int i = 0; i < ST_LENGTH(array); i++)
    ST_TRY_MEMORY(*array[i] = ST_NEW(double, s->simulation->state->size), error);
  return ST_OK;
}

// The state that a scene says it begins with, before bodies that overlap or press are moved apart:
// that ends at a tolerance, so that how far they go has no derivative.
static StStatus find_start(const StSimulation *of, StState **state, StError *error) {
  ST_TRY(st_state_create(of->system->piece->owned_count, state, error));
  st_start(of->description, of->system->piece, of->boundary, *state);
  return ST_OK;
}

static StStatus note_settled(StSensitivity *s, StError *error) {
  StState *start = NULL;
  const StState *state = s->middle->state;
  size_t bytes = (size_t)state->size * sizeof(double);
  StStatus status = find_start(s->middle, &start, error);
  if (status == ST_OK)
    s->report.settled = memcmp(start->position, state->position, bytes) != 0;
  st_state_destroy(start);
  return status;
}

static StStatus make_member(StSensitivity *s, int index, int m, StError *error) {
  Number *number = &s->number[index];
  StFamily *family = &number->family;
  double beside = st_family_place[m] * number->amount;
  ST_TRY(s->maker.describe(s->maker.context, index, beside, &family->scene[m], error));
  if (!st_variant_align(family->scene[m], s->simulation->description))
    return st_fail(
        error, ST_BAD_INPUT,
        "a small change of the number gives bodies other vertices: it has no derivative");
  ST_TRY(st_simulation_create(family->scene[m], NULL, &family->member[m], error));
  StContactCache *cache = family->member[m]->system->contact_cache;
  if (cache)
    st_contacts_follow(cache->set, s->middle->system->contact_cache->set);
  return ST_OK;
}

static StStatus make_family(StSensitivity *s, int index, double amount, StError *error) {
  Number *number = &s->number[index];
  st_family_free(&number->family);
  number->amount = amount;
  for (int m = 0; m < ST_FAMILY; m++)
    ST_TRY(make_member(s, index, m, error));
  return ST_OK;
}

static StStatus add_start(Number *number, int m, StError *error) {
  StState *start = NULL;
  StStatus status = find_start(number->family.member[m], &start, error);
  if (status == ST_OK)
    st_tangent_add(&number->tangent, st_family_weight[m] / number->amount, start);
  st_state_destroy(start);
  return status;
}

// The derivative of the state at the start.
static StStatus begin_number(StSensitivity *s, int index, double size, StError *error) {
  Number *number = &s->number[index];
  int numbers = s->simulation->state->size;
  number->size = size;
  for (int k = 0; k < STAGES; k++)
    ST_TRY_MEMORY(number->rate[k] = ST_NEW(double, numbers), error);
  ST_TRY(st_tangent_create(numbers, &number->tangent, error));
  ST_TRY(make_family(s, index, MOST_APART * size, error));
  for (int m = 0; m < ST_FAMILY; m++)
    ST_TRY(add_start(number, m, error));
  return ST_OK;
}

static void note_state(StSensitivity *s, const double *position, double time) {
  memcpy(s->here, position, (size_t)s->simulation->state->size * sizeof(double));
  s->time = time;
}

static StStatus build(StSensitivity *s, const double *size, StError *error) {
  s->length = st_reach_length(s->simulation->system->piece);
  ST_TRY(make_arrays(s, error));
  ST_TRY(st_simulation_create(s->simulation->description, NULL, &s->middle, error));
  ST_TRY_MEMORY(s->number = ST_NEW(Number, s->count), error);
  for (int i = 0; i < s->count; i++)
    ST_TRY(begin_number(s, i, size[i], error));
  note_state(s, s->middle->state->position, s->middle->state->time);
  return note_settled(s, error);
}

// Unscaled: r/S of free coordinates are in N s, and a solution of the scaled system times S is δv.
static StStatus solve(StSensitivity *s, const double *change, double *correction, StError *error) {
  StStageProblem *stage = s->middle->stage;
  double *right = s->residual;
  int iterations;
  for (int i = 0; i < stage->problem.size; i++)
    right[i] = -stage->scale[i] * change[i];
  memset(correction, 0, (size_t)s->middle->state->size * sizeof(double));
  StLinearGoal goal = {.tolerance = 1e-10, .coupled = true};
  ST_TRY(st_linear_solve(s->middle->linear, right, goal, correction, &iterations, error));
  for (int i = 0; i < stage->problem.size; i++)
    correction[i] *= stage->scale[i];
  return ST_OK;
}

// The velocities that solved a stage.
static const double *solution(const StSensitivity *s, const StPlan *plan, int k) {
  const StAttempt *attempt = s->simulation->attempt;
  return k == plan->method->stage_count - 1 ? attempt->solved : attempt->solved_first;
}

static StStatus run_middle(StSensitivity *s, const StPlan *plan, int k, StError *error) {
  StSimulation *middle = s->middle;
  st_attempt_begin_stage(middle->attempt, middle->state, plan, k);
  return st_variant_residual(middle, solution(s, plan, k), s->residual, error);
}

// The Jacobian of a stage. That of a method of one stage serves all numbers.
static StStatus factor(StSensitivity *s, const StPlan *plan, int k, StError *error) {
  StSimulation *middle = s->middle;
  StProblem *problem = &middle->stage->problem;
  if (s->factored == k && plan->method->stage_count == 1)
    return ST_OK;
  for (int before = 0; before < k; before++) {
    ST_TRY(run_middle(s, plan, before, error));
    ST_TRY(st_attempt_end_stage(middle->attempt, middle->state, plan, before, error));
  }
  ST_TRY(run_middle(s, plan, k, error));
  ST_TRY(problem->linearise(problem->context, middle->attempt->solving.unknown, 1, NULL));
  st_linear_begin_step(middle->linear);
  s->factored = k;
  return ST_OK;
}

// δr along the family and along a change of velocities.
static StStatus find_change(StSensitivity *s, const Number *number, const double *from,
                            const double *rate, StError *error) {
  int size = s->simulation->state->size, unknowns = s->middle->stage->problem.size;
  memset(s->change, 0, (size_t)size * sizeof(double));
  for (int m = 0; m < ST_FAMILY; m++) {
    double place = st_family_place[m] * number->amount;
    for (int i = 0; i < size; i++)
      s->velocity[i] = from[i] + place * rate[i];
    ST_TRY(st_variant_residual(number->family.member[m], s->velocity, s->residual, error));
    for (int i = 0; i < unknowns; i++)
      s->change[i] += st_family_weight[m] / number->amount * s->residual[i];
  }
  return ST_OK;
}

static double largest(const double *x, int size) {
  double most = 0;
  for (int i = 0; i < size; i++)
    most = fmax(most, fabs(x[i]));
  return most;
}

// If a number has no effect, its derivatives are rounding errors.
static double size_of_rate(const StSensitivity *s, const Number *number) {
  return fmax(number->largest, NOTHING * s->speed / number->size);
}

// δv of a stage. Each round checks it, and takes away what does not fit, until that is too little
// to matter or not less than before.
static StStatus find_rate(StSensitivity *s, const StPlan *plan, int k, Number *number,
                          StError *error) {
  const double *from = solution(s, plan, k);
  int size = s->simulation->state->size;
  double *rate = number->rate[k], last = INFINITY, missing = 0;
  ST_TRY(factor(s, plan, k, error));
  s->speed = fmax(fmax(s->speed, largest(from, size)), s->length / plan->h);
  for (int check = 0; check < MOST_CHECKS; check++) {
    ST_TRY(find_change(s, number, from, rate, error));
    ST_TRY(solve(s, s->change, s->correction, error));
    double whole = largest(rate, size);
    missing = largest(s->correction, size);
    number->largest = fmax(number->largest, whole);
    if (!(missing > ENOUGH * whole) || (check > 1 && missing > 0.5 * last))
      break;
    last = missing;
    for (int i = 0; i < size; i++)
      rate[i] += s->correction[i];
  }
  number->missing = fmax(number->missing, missing);
  if (missing > TOO_MUCH * size_of_rate(s, number))
    return st_fail(error, ST_NOT_SOLVED, "they do not fit the step");
  return ST_OK;
}

static StStatus run_stages(StSensitivity *s, const StPlan *plan, Number *number, StError *error) {
  StSimulation **member = number->family.member;
  for (int m = 0; m < ST_FAMILY; m++)
    ST_TRY(st_variant_place(member[m], s->simulation, &number->tangent,
                            st_family_place[m] * number->amount, error));
  for (int k = 0; k < plan->method->stage_count; k++) {
    for (int m = 0; m < ST_FAMILY; m++)
      st_attempt_begin_stage(member[m]->attempt, member[m]->state, plan, k);
    ST_TRY(find_rate(s, plan, k, number, error));
    for (int m = 0; m < ST_FAMILY; m++)
      ST_TRY(st_attempt_end_stage(member[m]->attempt, member[m]->state, plan, k, error));
  }
  return ST_OK;
}

// How far apart variants may be in this step.
static double reach_of(StSensitivity *s, const StPlan *plan, const Number *number) {
  const StAttempt *result = s->simulation->attempt;
  int size = s->simulation->state->size;
  memset(s->end, 0, (size_t)size * sizeof(double));
  for (int m = 0; m < ST_FAMILY; m++)
    for (int i = 0; i < size; i++)
      s->end[i] +=
          st_family_weight[m] / number->amount * number->family.member[m]->attempt->position[i];
  StReach reach = {.start = number->tangent.position,
                   .end = s->end,
                   .size = size,
                   .length = s->length,
                   .set = st_variant_contacts(s->middle, plan, result->position),
                   .position = s->middle->candidate,
                   .velocity = result->solved};
  return st_reach_amount(&reach);
}

// Variants must be near enough for their contacts to change little, and far enough to be told
// apart. How far that is shows at the end of the step; new ones then last for a while.
static StStatus follow(StSensitivity *s, const StPlan *plan, int index, StError *error) {
  Number *number = &s->number[index];
  double least = LEAST_APART * number->size, most = MOST_APART * number->size;
  for (int attempt = 0;; attempt++) {
    double missing = number->missing;
    StError why = {0};
    StStatus status = run_stages(s, plan, number, &why);
    double reach = status == ST_OK ? reach_of(s, plan, number) : number->amount / 16;
    bool far = number->amount > 3 * reach, near = number->amount < reach / 100;
    double amount = fmin(fmax(reach / 3, least), most);
    bool last = attempt == MOST_TRIES || amount == number->amount;
    if (status != ST_OK && (status != ST_NOT_SOLVED || last))
      return st_fail(error, status, "derivatives at time %g s: %s", s->simulation->state->time,
                     why.text);
    if (last || (status == ST_OK && !far && !near))
      return ST_OK;
    number->missing = missing;
    ST_TRY(make_family(s, index, amount, error));
  }
}

// The tangent of the state that the step ends with.
static StStatus renew(StSensitivity *s, const StPlan *plan, const StAnchors *anchors,
                      Number *number, StError *error) {
  const StAnchors *near[ST_FAMILY];
  double weight[ST_FAMILY];
  st_tangent_clear(&number->tangent);
  for (int m = 0; m < ST_FAMILY; m++) {
    StSimulation *member = number->family.member[m];
    ST_TRY(st_variant_commit(member, plan, anchors, error));
    weight[m] = st_family_weight[m] / number->amount;
    st_tangent_add(&number->tangent, weight[m], member->state);
    near[m] = member->system->contacts ? &member->system->contact_state->anchors : NULL;
  }
  if (!anchors)
    return ST_OK;
  StAnchorRates *rates = &number->tangent.anchors;
  ST_TRY(st_anchor_rates_begin(rates, anchors, error));
  s->report.anchors_lost += st_anchor_rates_add(rates, anchors, ST_FAMILY, near, weight);
  return ST_OK;
}

// The anchors that the step leaves behind.
static StStatus find_anchors(StSensitivity *s, const StPlan *plan, StAnchors *anchors,
                             StError *error) {
  StSimulation *middle = s->middle;
  for (int k = 0; k < plan->method->stage_count; k++) {
    ST_TRY(run_middle(s, plan, k, error));
    ST_TRY(st_attempt_end_stage(middle->attempt, middle->state, plan, k, error));
  }
  const StContactSet *set = st_variant_contacts(middle, plan, middle->attempt->position);
  if (!set)
    return ST_OK;
  bool good = set->status == ST_OK && st_anchors_renew(&middle->system->contact_state->anchors, set,
                                                       middle->candidate, anchors);
  return good ? ST_OK : st_fail_memory(error);
}

static void take_factors(StFactors *from, StFactors *to) {
  st_factors_free(to);
  *to = *from;
  *from = (StFactors){0};
}

// Both lists are sorted.
static long count_changes(const StFactors *a, const StFactors *b) {
  long changes = 0;
  for (int i = 0, j = 0; i < a->count || j < b->count;) {
    const StFactor *x = i < a->count ? &a->item[i] : NULL, *y = j < b->count ? &b->item[j] : NULL;
    int order = !x                       ? 1
                : !y                     ? -1
                : x->vertex != y->vertex ? x->vertex - y->vertex
                                         : x->kind - y->kind;
    changes += order != 0 || x->factor != y->factor;
    i += order <= 0;
    j += order >= 0;
  }
  return changes;
}

static StStatus count(StSensitivity *s, const StPlan *plan, StError *error) {
  const StContactState *state = s->simulation->system->contact_state;
  const StTimeDesc *time = &s->simulation->description->time;
  StFactors now = {0};
  s->report.steps++;
  s->report.cut += plan->h < time->step * (1 - 1e-6) && s->simulation->limit < time->step;
  if (!state)
    return ST_OK;
  if (!st_stiffness_list(&state->stiffness, &now))
    return st_fail_memory(error);
  st_factors_merge(&now);
  s->report.stiffness_changes += count_changes(&now, &s->factors);
  take_factors(&now, &s->factors);
  return ST_OK;
}

static StStatus follow_all(StSensitivity *s, const StPlan *plan, StAnchors *anchors,
                           StError *error) {
  bool touches = s->simulation->system->contacts != NULL;
  s->factored = -1;
  ST_TRY(st_variant_place(s->middle, s->simulation, NULL, 0, error));
  ST_TRY(find_anchors(s, plan, anchors, error));
  for (int i = 0; i < s->count; i++) {
    ST_TRY(follow(s, plan, i, error));
    ST_TRY(renew(s, plan, touches ? anchors : NULL, &s->number[i], error));
  }
  note_state(s, s->simulation->attempt->position, plan->end);
  return count(s, plan, error);
}

bool st_sensitivity_is_current(const StSensitivity *s) {
  const StState *state = s->simulation->state;
  return state->time == s->time &&
         memcmp(state->position, s->here, (size_t)state->size * sizeof(double)) == 0;
}

static StStatus accepted(void *context, const struct StPlan *plan, StError *error) {
  StSensitivity *s = context;
  StAnchors anchors = {0};
  if (!st_sensitivity_is_current(s))
    return st_fail(error, ST_BAD_INPUT,
                   "derivatives follow a simulation step by step, but its state was changed: start "
                   "again without them, or with new ones");
  StStatus status = follow_all(s, plan, &anchors, error);
  st_anchors_free(&anchors);
  return status;
}

StStatus st_sensitivity_create(StSimulation *simulation, StSceneMaker maker, const double *size,
                               int count, StSensitivity **sensitivity, StError *error) {
  ST_TRY(st_coverage_check(simulation, error));
  StSensitivity *s = ST_NEW(StSensitivity, 1);
  ST_TRY_MEMORY(s, error);
  s->simulation = simulation;
  s->maker = maker;
  s->count = count;
  StStatus status = build(s, size, error);
  if (status == ST_OK && !st_sensitivity_is_current(s))
    status =
        st_fail(error, ST_BAD_INPUT,
                "derivatives begin at the start of the scene, and the simulation is elsewhere");
  if (status != ST_OK) {
    st_sensitivity_destroy(s);
    return status;
  }
  st_simulation_observe(simulation, (StStepObserver){accepted, s});
  *sensitivity = s;
  return ST_OK;
}

static void free_arrays(StSensitivity *s) {
  double *array[] = {s->here, s->velocity, s->residual, s->change, s->correction, s->end};
  for (int i = 0; i < ST_LENGTH(array); i++)
    free(array[i]);
}

void st_sensitivity_destroy(StSensitivity *s) {
  if (!s)
    return;
  if (s->simulation->observer.context == s)
    st_simulation_observe(s->simulation, (StStepObserver){0});
  for (int i = 0; s->number && i < s->count; i++) {
    st_family_free(&s->number[i].family);
    st_tangent_free(&s->number[i].tangent);
    for (int k = 0; k < STAGES; k++)
      free(s->number[i].rate[k]);
  }
  st_simulation_destroy(s->middle);
  st_factors_free(&s->factors);
  free_arrays(s);
  free(s->number);
  free(s);
}

StStatus st_sensitivity_read(const StSensitivity *s, int index, double *position, double *velocity,
                             StError *error) {
  const StTangent *tangent = &s->number[index].tangent;
  const StPiece *piece = s->simulation->system->piece;
  if (!st_sensitivity_is_current(s))
    return st_fail(error, ST_BAD_INPUT,
                   "the simulation's state was changed since the last step that derivatives "
                   "followed");
  for (int v = 0; v < piece->owned_count; v++) {
    size_t to = 3 * (size_t)piece->vertex_id[v];
    memcpy(position + to, tangent->position + 3 * (size_t)v, 3 * sizeof(double));
    memcpy(velocity + to, tangent->velocity + 3 * (size_t)v, 3 * sizeof(double));
  }
  return ST_OK;
}

StSensitivityReport st_sensitivity_report(const StSensitivity *s) {
  StSensitivityReport report = s->report;
  for (int i = 0; i < s->count; i++) {
    const Number *number = &s->number[i];
    if (number->missing > 0)
      report.error = fmax(report.error, number->missing / size_of_rate(s, number));
  }
  return report;
}
