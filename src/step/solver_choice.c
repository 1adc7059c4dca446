// Chooses the first linear method, and the accuracy of Newton's method.
// Tested by tests/parallel/test_ranks.c.
#include "step/simulation_parts.h"
#include "step/tunables.h"

static bool small_for_lu(const StSystem *system) {
  return (double)system->tet_count / st_step_tunables.lu_tets +
             (double)system->triangle_count / st_step_tunables.lu_triangles <
         1;
}

// A static analysis has no inertia that makes its systems easy for iterative methods, and what
// nothing holds would drift by the error of their solutions.
static bool wants_lu(const StSimulation *s) {
  return s->description->statics || small_for_lu(s->system);
}

// The scene's choice first; if it cannot solve a step, a more robust method takes over.
static StLinearMethod first_method(const StSimulation *s) {
  const StSolverDesc *solver = &s->description->solver;
  if (solver->kind == ST_SOLVER_DIRECT)
    return ST_LINEAR_LU;
  if (solver->kind == ST_SOLVER_AUTO)
    return wants_lu(s) ? ST_LINEAR_LU : ST_LINEAR_ILU;
  switch (solver->preconditioner) {
  case ST_PC_GAMG: return ST_LINEAR_GAMG;
  case ST_PC_NONE: return ST_LINEAR_NONE;
  case ST_PC_ILU:
  case ST_PC_AUTO: break;
  }
  return ST_LINEAR_ILU;
}

static StNewtonOptions newton_options(const StSimulation *s, StLinearMethod method) {
  const StSolverDesc *solver = &s->description->solver;
  bool lu = method == ST_LINEAR_LU;
  return (StNewtonOptions){.inexact = !lu,
                           .rough =
                               lu && solver->inexact_coupling && st_system_couplings(s->system) > 0,
                           .residual_tolerance = solver->velocity_tolerance,
                           .change_tolerance = solver->change_tolerance,
                           .max_iterations = solver->max_iterations};
}

StStatus st_simulation_keep_systems(StSimulation *s, const char *folder, StError *error) {
  return st_linear_keep_failed(s->linear, folder, error);
}

StStatus st_simulation_choose_solver(StSimulation *s, StError *error) {
  const StSolverDesc *solver = &s->description->solver;
  StLinearMethod method = first_method(s);
  ST_TRY(st_stage_create(s->system, &s->stage, error));
  ST_TRY(st_statics_measure(s->system, &s->statics, error));
  s->stage->reach = s->statics.reach;
  st_stage_use_contact_step(s->stage, s->contact_step);
  st_stage_fix(s->stage, s->boundary, 0);
  StLinearOptions linear = {.method = method,
                            .may_change = true,
                            .named = solver->kind == ST_SOLVER_ITERATIVE &&
                                     solver->preconditioner != ST_PC_AUTO,
                            .max_iterations = solver->max_linear_iterations,
                            .inexact_coupling = solver->inexact_coupling};
  ST_TRY(st_linear_create(&s->stage->problem, &linear, &s->linear, error));
  ST_TRY(st_attempt_create(s->stage, &s->attempt, error));
  s->attempt->boundary = s->boundary;
  s->attempt->solving.least_period = s->statics.least_period;
  s->attempt->solving.linear = s->linear;
  s->attempt->solving.options = newton_options(s, method);
  s->recovery.repeats = s->description->contact_settings.max_repeats;
  s->recovery.step_budget = solver->step_iterations;
  s->recovery.size_budget = (int)st_step_tunables.solves_per_size * solver->max_iterations;
  return ST_OK;
}
