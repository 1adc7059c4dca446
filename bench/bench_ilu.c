// Our incomplete factors in single precision beside PETSc's in double, blocked and not, on matrices
// from scenes: a soft block, a shell that bends, two balls that rub. Times are of this process'
// processor: new values into the factors, one solve with them, and a whole solve by GMRES.
// Not a test: no verdict. Usage: bench_ilu
#include "solve/ilu.h"
#include "solve/runtime.h"
#include "step/stage.h"
#include "support/balls.h"
#include "support/surface_probe.h"

#include <petscksp.h>
#include <time.h>

enum { REPEATS = 5, SOLVES = 2, MOST_ITERATIONS = 500 };

typedef enum Kind { OWN, BLOCKED, PLAIN, SHIFTED, KINDS } Kind; // shifted: plain, pivots raised
static const char *const NAME[] = {"own, float", "PETSc BAIJ", "PETSc AIJ", "AIJ, shift"};

typedef struct Bench {
  const StProblem *problem;
  Kind kind;
  StIlu *ilu;
  Mat product, copy;
  KSP krylov;
  Vec b, x;
} Bench;

static void check(PetscErrorCode code) {
  world_must(code == 0, "PETSc failed");
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double best_of(int repeats, void (*work)(Bench *), Bench *bench) {
  double best = INFINITY;
  for (int i = 0; i < repeats; i++) {
    double start = seconds();
    work(bench);
    best = fmin(best, seconds() - start);
  }
  return best;
}

static PetscErrorCode multiply(Mat shell, Vec x, Vec y) {
  Bench *bench;
  const double *from;
  double *to;
  PetscCall(MatShellGetContext(shell, &bench));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArrayWrite(y, &to));
  bench->problem->product(bench->problem->context, from, to);
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCall(VecRestoreArrayWrite(y, &to));
  return 0;
}

static PetscErrorCode apply_own(PC pc, Vec x, Vec y) {
  Bench *bench;
  const double *from;
  double *to;
  PetscCall(PCShellGetContext(pc, &bench));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArrayWrite(y, &to));
  st_ilu_solve(bench->ilu, from, to);
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCall(VecRestoreArrayWrite(y, &to));
  return 0;
}

// The square part's pattern as PETSc's, blocked or not.
static void create_copy(Bench *bench) {
  const StBlockMatrix *matrix = bench->problem->matrix;
  int rows = matrix->row_count, width = bench->kind >= PLAIN ? 3 : 1;
  PetscInt *count = ST_NEW(PetscInt, (size_t)(width * rows)), n = 3 * rows;
  world_must(count != NULL, "no memory");
  for (int i = 0; i < width * rows; i++)
    count[i] = width * (matrix->row_start[i / width + 1] - matrix->row_start[i / width]);
  if (bench->kind >= PLAIN)
    check(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 0, count, &bench->copy));
  else
    check(MatCreateSeqBAIJ(PETSC_COMM_SELF, 3, n, n, 0, count, &bench->copy));
  check(MatSetBlockSize(bench->copy, 3));
  free(count);
}

static void fill_by_rows(Bench *bench) {
  const StBlockMatrix *matrix = bench->problem->matrix;
  for (PetscInt row = 0; row < matrix->row_count; row++)
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      check(MatSetValuesBlocked(bench->copy, 1, &row, 1, &matrix->column[k],
                                matrix->value + 9 * (size_t)k, INSERT_VALUES));
  check(MatAssemblyBegin(bench->copy, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(bench->copy, MAT_FINAL_ASSEMBLY));
}

// Straight into PETSc's array, whose order is ours: its blocks by columns, its rows whole.
static void fill_directly(Bench *bench) {
  const StBlockMatrix *matrix = bench->problem->matrix;
  double *to;
  bool blocked = bench->kind == BLOCKED;
  check(blocked ? MatSeqBAIJGetArray(bench->copy, &to) : MatSeqAIJGetArray(bench->copy, &to));
  for (int row = 0; row < matrix->row_count; row++) {
    int first = matrix->row_start[row], n = matrix->row_start[row + 1] - first;
    double *strip = to + 9 * (size_t)first;
    for (int k = 0; k < n; k++) {
      const double *from = matrix->value + 9 * (size_t)(first + k);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          strip[blocked ? 9 * k + 3 * j + i : 3 * (n * i + k) + j] = from[3 * i + j];
    }
  }
  check(blocked ? MatSeqBAIJRestoreArray(bench->copy, &to)
                : MatSeqAIJRestoreArray(bench->copy, &to));
  check(MatAssemblyBegin(bench->copy, MAT_FINAL_ASSEMBLY)); // the values are new
  check(MatAssemblyEnd(bench->copy, MAT_FINAL_ASSEMBLY));
}

static void set_up(Bench *bench) {
  if (bench->kind == OWN) {
    world_must(st_ilu_factor(bench->ilu, bench->problem->matrix), "singular");
    return;
  }
  fill_directly(bench);
  check(KSPSetOperators(bench->krylov, bench->product, bench->copy));
  check(KSPSetUp(bench->krylov));
}

static void apply(Bench *bench) {
  PC pc;
  check(KSPGetPC(bench->krylov, &pc));
  check(PCApply(pc, bench->b, bench->x));
}

static void solve(Bench *bench) {
  check(KSPSolve(bench->krylov, bench->b, bench->x));
}

static void create(Bench *bench) {
  PC pc;
  PetscInt n = bench->problem->size;
  StError error = {0};
  check(MatCreateShell(PETSC_COMM_SELF, n, n, n, n, bench, &bench->product));
  check(MatShellSetOperation(bench->product, MATOP_MULT, (void (*)(void))multiply));
  check(KSPCreate(PETSC_COMM_SELF, &bench->krylov));
  check(KSPSetType(bench->krylov, bench->kind == OWN ? KSPFGMRES : KSPGMRES));
  check(KSPSetPCSide(bench->krylov, PC_RIGHT));
  check(KSPGetPC(bench->krylov, &pc));
  if (bench->kind == OWN) {
    world_must(st_ilu_create(bench->problem->matrix, &bench->ilu, &error) == ST_OK, "no memory");
    check(PCSetType(pc, PCSHELL));
    check(PCShellSetContext(pc, bench));
    check(PCShellSetApply(pc, apply_own));
    check(KSPSetOperators(bench->krylov, bench->product, bench->product));
  } else {
    create_copy(bench);
    fill_by_rows(bench);
    check(PCSetType(pc, PCILU));
    if (bench->kind == SHIFTED)
      check(PCFactorSetShiftType(pc, MAT_SHIFT_POSITIVE_DEFINITE));
    check(KSPSetOperators(bench->krylov, bench->product, bench->copy));
  }
  set_up(bench);
}

static void destroy(Bench *bench) {
  KSPDestroy(&bench->krylov);
  MatDestroy(&bench->product);
  MatDestroy(&bench->copy);
  st_ilu_destroy(bench->ilu);
}

// Of factors and what they need beside our matrix: PETSc's a copy of it.
static double memory_of(const Bench *bench) {
  const StBlockMatrix *matrix = bench->problem->matrix;
  double blocks = matrix->row_start[matrix->row_count], rows = matrix->row_count;
  if (bench->kind == OWN)
    return blocks * (9 * sizeof(float) + 2 * sizeof(int)) +
           rows * (4 * sizeof(float) + 3 * sizeof(int));
  double indices = bench->kind >= PLAIN ? 9 : 1;
  return 2 * blocks * (9 * sizeof(double) + indices * sizeof(PetscInt));
}

static void run_kind(const StProblem *problem, Kind kind, Vec b, Vec x) {
  Bench bench = {.problem = problem, .kind = kind, .b = b, .x = x};
  static const double tolerance[] = {1e-2, 1e-6};
  create(&bench);
  printf("  %-12s %9.1f %9.2f", NAME[kind], 1e3 * best_of(REPEATS, set_up, &bench),
         1e3 * best_of(REPEATS, apply, &bench));
  for (int i = 0; i < 2; i++) {
    PetscInt count;
    KSPConvergedReason reason;
    check(KSPSetTolerances(bench.krylov, tolerance[i], 0, 1e10, MOST_ITERATIONS));
    double took = best_of(SOLVES, solve, &bench);
    check(KSPGetIterationNumber(bench.krylov, &count));
    check(KSPGetConvergedReason(bench.krylov, &reason));
    printf(reason > 0 ? " %6d %9.1f" : " %5d! %9.1f", (int)count, 1e3 * took);
  }
  printf(" %8.1f\n", 1e-6 * memory_of(&bench));
  destroy(&bench);
}

// The Jacobian of the next step from a state, in our block matrix.
typedef struct Scene {
  StDescription *description;
  StSystem *system;
  StBoundary *boundary;
  StStageProblem *stage;
  double *y, *r;
} Scene;

static void take_state(Scene *scene, const StSnapshot *from) {
  const StPiece *piece = scene->system->piece;
  double *velocity = ST_NEW(double, 3 * (size_t)piece->owned_count);
  world_must(velocity != NULL, "no memory");
  for (int i = 0; i < piece->owned_count; i++)
    for (int c = 0; c < 3; c++) {
      scene->stage->start[3 * i + c] = from->position[3 * piece->vertex_id[i] + c];
      velocity[3 * i + c] = scene->stage->goal[3 * i + c] =
          from->velocity[3 * piece->vertex_id[i] + c];
    }
  double h = scene->description->time.step;
  st_stage_prepare(scene->stage, scene->boundary, scene->stage->system->piece->rest,
                   &(StStageTimes){0, h, h, h, h});
  st_stage_unknown(scene->stage, velocity, scene->y);
  free(velocity);
}

static Scene scene_at(StDescription *d, int steps) {
  Scene scene = {.description = d};
  StError error = {0};
  StSimulation *simulation = world_start(d);
  for (int i = 0; i < steps; i++)
    world_step(simulation);
  StSnapshot snapshot = world_snapshot(simulation);
  world_must(st_system_create(d, &scene.system, &error) == ST_OK, error.text);
  world_must(st_boundary_create(d, scene.system->piece, &scene.boundary, &error) == ST_OK,
             error.text);
  world_must(st_stage_create(scene.system, &scene.stage, &error) == ST_OK, error.text);
  scene.y = ST_NEW(double, scene.stage->problem.size);
  scene.r = ST_NEW(double, scene.stage->problem.size);
  take_state(&scene, &snapshot);
  st_snapshot_free(&snapshot);
  st_simulation_destroy(simulation);
  return scene;
}

static void scene_free(Scene *scene) {
  free(scene->y);
  free(scene->r);
  st_stage_destroy(scene->stage);
  st_boundary_destroy(scene->boundary);
  st_system_destroy(scene->system);
  st_description_destroy(scene->description);
}

static void run_scene(const char *name, StDescription *d, int steps) {
  Scene scene = scene_at(d, steps);
  const StProblem *problem = &scene.stage->problem;
  StError error = {0};
  Vec b, x;
  world_must(problem->residual(problem->context, scene.y, 1, scene.r) == ST_OK, "inadmissible");
  world_must(problem->linearise(problem->context, scene.y, 1, NULL) == ST_OK, "no slope");
  world_must(problem->assemble(problem->context, ST_ASSEMBLE_WHOLE, &error) == ST_OK, error.text);
  check(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, problem->size, scene.r, &b));
  check(VecDuplicate(b, &x));
  const StBlockMatrix *matrix = problem->matrix;
  printf("%s: %d vertices, %.1f blocks per row\n", name, matrix->row_count,
         (double)matrix->row_start[matrix->row_count] / matrix->row_count);
  for (Kind kind = OWN; kind < KINDS; kind++)
    run_kind(problem, kind, b, x);
  VecDestroy(&b);
  VecDestroy(&x);
  scene_free(&scene);
}

static StDescription *block(void) {
  World world = {.grid = {.cells = {24, 24, 24}, .high = {1, 1, 1}, .jitter = 0.1},
                 .young = 1e6,
                 .poisson = 0.45,
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

// Of rubber, one millimetre thick, falling and spinning a little, so that it is not at rest.
static StDescription *shell(void) {
  const ShapeSetting setting[] = {{"radius", 0.1}, {"edge", 2.5e-3}};
  StDescription *d = st_description_create();
  world_must(d && (d->material = ST_NEW(StMaterialDesc, 1)) && (d->body = ST_NEW(StBodyDesc, 1)),
             "no memory");
  d->material_count = d->body_count = 1;
  d->material[0] = (StMaterialDesc){.name = st_copy_string("rubber"),
                                    .shell = true,
                                    .law = {.name = "shell", .value = {1e-3, 1e6, 0.45, INFINITY}},
                                    .density = 1.1,
                                    .stiffness_damping = 1e-3};
  d->body[0] = (StBodyDesc){.name = st_copy_string("ball"),
                            .mesh = probe_shape("sphere", setting, ST_LENGTH(setting)),
                            .angular_velocity = {0, 0, 20}};
  d->time = (StTimeDesc){.duration = 1, .step = 5e-3, .frame_rate = 1, .smallest_step = 1e-6};
  return d;
}

static StDescription *balls(void) {
  Balls balls = {.radius = 0.1,
                 .edge = 0.017,
                 .young = 1e5,
                 .friction = 0.5,
                 .speed = 1,
                 .offset = 0.5,
                 .gap = 0.1,
                 .integrator = "be",
                 .step = 2e-3,
                 .duration = 1,
                 .solver = ST_SOLVER_ITERATIVE};
  return balls_create(&balls);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  printf("Incomplete factors: ours in single precision, PETSc's in double (ms; !: not solved)\n");
  printf("  %-12s %9s %9s %6s %9s %6s %9s %8s\n", "", "set-up", "apply", "iter", "to 1e-2", "iter",
         "to 1e-6", "MB");
  run_scene("soft block", block(), 1);
  run_scene("shell", shell(), 2);
  run_scene("balls that rub", balls(), 8);
  st_runtime_stop();
  return 0;
}
