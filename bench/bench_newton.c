// What one Newton iteration costs: residual, Jacobian blocks, preconditioner, Krylov iterations.
// Run alone for one core, or under mpiexec; prints one table from rank 0. Not a test: no verdict.
#include "solve/ilu.h"
#include "solve/linear.h"
#include "solve/runtime.h"
#include "step/boundary.h"
#include "step/stage.h"
#include "support/world.h"

#include <mpi.h>
#include <sys/resource.h>

enum { REPEATS = 5 };

typedef struct Timing {
  double residual, linearise, factor, solve, whole;
  int iterations;
} Timing;

// A block of 162 000 tets, one metre, held at one face, falling against it.
static StDescription *block(double poisson) {
  World world = {.grid = {.cells = {30, 30, 30}, .high = {1, 1, 1}, .jitter = 0.1},
                 .young = 1e6,
                 .poisson = poisson,
                 .density = 1000,
                 .integrator = "be",
                 .step = 0.01,
                 .duration = 1,
                 .solver = ST_SOLVER_ITERATIVE};
  StDescription *d = world_create(&world);
  d->gravity[2] = -9.81;
  world_hold(d, 0, 0);
  return d;
}

static double smallest(double a, double b) {
  return a == 0 || b < a ? b : a;
}

static double lap(double *clock) {
  MPI_Barrier(MPI_COMM_WORLD);
  double now = MPI_Wtime(), took = now - *clock;
  *clock = now;
  return took;
}

// Best of several, since the machine is not ours alone.
static Timing measure(StStageProblem *stage, StLinear *linear, double *y, double *r, double *p) {
  Timing best = {0};
  StError error = {0};
  const StProblem *problem = &stage->problem;
  StIlu *ilu = NULL;
  world_must(st_ilu_create(problem->matrix, &ilu, &error) == ST_OK, "no memory");
  for (int k = 0; k < REPEATS; k++) {
    double clock = MPI_Wtime();
    lap(&clock);
    world_must(problem->residual(problem->context, y, 1, r) == ST_OK, "inadmissible");
    double residual = lap(&clock);
    problem->linearise(problem->context, y, 1, NULL);
    problem->assemble(problem->context, ST_ASSEMBLE_WHOLE, &error);
    double linearise = lap(&clock);
    world_must(st_linear_solve(linear, r, (StLinearGoal){.tolerance = 1e-2, .stay = true}, p,
                               &best.iterations, &error) == ST_OK,
               error.text);
    double solve = lap(&clock);
    st_ilu_factor(ilu, problem->matrix);
    double factor = lap(&clock);
    best.residual = smallest(best.residual, residual);
    best.linearise = smallest(best.linearise, linearise);
    best.factor = smallest(best.factor, factor);
    best.solve = smallest(best.solve, solve - linearise - factor);
    best.whole = smallest(best.whole, residual + solve);
  }
  st_ilu_destroy(ilu);
  return best;
}

static double peak_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double bytes = 1024.0 * (double)usage.ru_maxrss;
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return bytes;
}

static void run_case(double poisson) {
  StError error = {0};
  StDescription *d = block(poisson);
  StSystem *system = NULL;
  StBoundary *boundary = NULL;
  StStageProblem *stage = NULL;
  StLinear *linear = NULL;
  double before = peak_memory();
  world_must(st_system_create(d, &system, &error) == ST_OK, error.text);
  world_must(st_boundary_create(d, system->piece, &boundary, &error) == ST_OK, error.text);
  world_must(st_stage_create(system, &stage, &error) == ST_OK, error.text);
  memcpy(stage->start, system->piece->rest, (size_t)stage->problem.size * sizeof(double));
  st_stage_prepare(stage, boundary, stage->system->piece->rest,
                   &(StStageTimes){0, 0.01, 0.01, 0.01, 0.01});
  StLinearOptions options = {.method = ST_LINEAR_ILU, .max_iterations = 500};
  world_must(st_linear_create(&stage->problem, &options, &linear, &error) == ST_OK, error.text);
  double *scratch = ST_NEW(double, 3 * (size_t)stage->problem.size);
  Timing t = measure(stage, linear, scratch, scratch + stage->problem.size,
                     scratch + 2 * stage->problem.size);
  double bytes = peak_memory(), tets = system->tet_count;
  if (st_runtime_rank() == 0)
    printf("%8.2f %6d %9.1f %9.1f %9.1f %9.1f %6d %9.1f %9.0f %9.0f\n", poisson, st_runtime_size(),
           1e3 * t.residual, 1e3 * t.linearise, 1e3 * t.factor, 1e3 * t.solve, t.iterations,
           1e3 * t.whole, bytes / tets, (bytes - before) / tets);
  free(scratch);
  st_linear_destroy(linear);
  st_stage_destroy(stage);
  st_boundary_destroy(boundary);
  st_system_destroy(system);
  st_description_destroy(d);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  if (st_runtime_rank() == 0) {
    printf("One Newton iteration, 162 000 tets, E 1e6 Pa, h 0.01 s, linear tolerance 1e-2\n");
    printf("%8s %6s %9s %9s %9s %9s %6s %9s %9s %9s\n", "poisson", "ranks", "residual", "blocks",
           "ilu", "gmres", "iter", "whole ms", "byte/tet", "solver's");
  }
  run_case(0.3);
  run_case(0.45);
  run_case(0.49);
  st_runtime_stop();
  return 0;
}
