// The gas in a ball couples all its vertices. Solvers deal with that in different ways and must
// agree on the motion: direct with the whole Jacobian, direct without the dense part, iterative.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/squeeze.h"

static const struct {
  const char *name;
  StSolverDesc desc;
} solver[] = {
    {"exact", {.kind = ST_SOLVER_DIRECT}},
    {"inexact", {.kind = ST_SOLVER_DIRECT, .inexact_coupling = true}},
    {"iterative", {.kind = ST_SOLVER_ITERATIVE}},
};

typedef struct Effort {
  double newton, linear; // iterations per step
  int retries;
} Effort;

static StStatus simulate(const StSqueeze *squeeze, StSnapshot *state, Effort *effort,
                         StError *error) {
  StWorld world = st_squeeze_world(squeeze);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  *effort = (Effort){0};
  while (!st_simulation_finished(trial.simulation)) {
    ST_TRY(st_trial_step(&trial, error));
    const StReport *report = st_simulation_report(trial.simulation);
    effort->newton += (double)report->newton_iterations / squeeze->step_count;
    effort->linear += (double)report->linear_iterations / squeeze->step_count;
    effort->retries += report->retries;
  }
  return st_trial_state(&trial, state, error);
}

// Largest difference of positions, and of ways gone in the last step, over the ball's size.
static double difference(const StSnapshot *one, const StSnapshot *other, double step) {
  double off = 0, size = 0;
  for (int i = 0; i < 3 * one->vertex_count; i++) {
    off = fmax(off, fabs(one->position[i] - other->position[i]));
    off = fmax(off, step * fabs(one->velocity[i] - other->velocity[i]));
    size = fmax(size, fabs(other->position[i]));
  }
  return off / size;
}

typedef struct Case {
  const char *name;
  StSqueeze squeeze;
  double compressibility, step;
  bool too_stiff; // for steps of this length without the dense part: shown with --full, no claim
} Case;

static StStatus compare(StVerify *verify, const Case *one, StError *error) {
  StSqueeze squeeze = one->squeeze;
  StSnapshot truth = {0}, state = {0};
  StStatus status = ST_OK;
  squeeze.cells = verify->settings.full ? 8 : 6;
  squeeze.compressibility = one->compressibility;
  squeeze.step = one->step;
  for (int i = 0; i < ST_LENGTH(solver) && status == ST_OK; i++) {
    Effort effort;
    squeeze.solver = solver[i].desc;
    bool strained = squeeze.solver.inexact_coupling && one->too_stiff;
    if (strained && !verify->settings.full)
      continue;
    status = simulate(&squeeze, i ? &state : &truth, &effort, error);
    if (status != ST_OK)
      break;
    st_verify_compare(verify, "", NAN, effort.newton, NAN, "%s, %s: Newton/step", one->name,
                      solver[i].name);
    st_verify_compare(verify, "", NAN, effort.linear, NAN, "%s, %s: linear/step", one->name,
                      solver[i].name);
    if (i > 0)
      st_verify_bound(verify, "", difference(&state, &truth, squeeze.step),
                      effort.retries || strained ? NAN : 1e-10, "%s, %s: off exact", one->name,
                      solver[i].name);
    st_snapshot_free(&state);
  }
  st_snapshot_free(&truth);
  return status;
}

// Soft: κ_v = 1/atm; stiff: 0.01/atm. Without its dense part the Jacobian of a stiff filling leads
// nowhere unless a step is so short that inertia rules.
static StStatus run(StVerify *verify, StError *error) {
  const double soft = 1 / ST_ATMOSPHERE, stiff = 0.01 / ST_ATMOSPHERE, brief = 1e-4, step = 5e-3;
  const StSqueeze shell = {
      .model = "nearly_incompressible", .inside = 1.1, .way = -1, .step_count = 5};
  const StSqueeze wall = {
      .hollow = true, .model = "nearly_incompressible", .inside = 1, .way = 0.2, .step_count = 5};
  StSqueeze tapped = wall; // by plates of about the same speed
  tapped.way = 0.004;
  const Case one[] = {
      {"inflated, soft", shell, soft, step, false},
      {"inflated, stiff", shell, stiff, step, true},
      {"inflated, brief", shell, stiff, brief, false},
      {"squeezed, soft", wall, soft, step, false},
      {"squeezed, stiff", wall, stiff, step, true},
      {"squeezed, brief", tapped, stiff, brief, false},
  };
  for (int i = 0; i < ST_LENGTH(one); i++)
    ST_TRY(compare(verify, &one[i], error));
  return ST_OK;
}

const StVerifyCase st_verify_coupling = {
    .name = "coupling",
    .summary = "An inflated shell and a squeezed hollow ball, soft and stiff fillings: direct "
               "solvers, exact or not, and iterative ones agree on the motion.",
    .run = run,
};
