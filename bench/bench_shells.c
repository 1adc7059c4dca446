// Cost of shells and what fills them on one core: kernels of an inflated sphere per triangle and
// per hinge, and whole steps of it, direct with the volume's dense term and without, and iterative.
// Usage: bench_shells [triangles of the kernels' sphere, default 300000]
#include "mesh/closed.h"
#include "solve/runtime.h"
#include "step/system.h"
#include "support/random.h"
#include "support/surface_probe.h"
#include "support/world.h"

#include <time.h>

enum { REPEATS = 9, STEPS = 5 };

static double kept; // results end here, so that no measured work is left out

// Of this process, so that others on the machine do not count.
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A sphere of rubber, 10 cm and 1 mm thick, with an ideal gas inside, 2 % denser than outside.
static StMesh *sphere(double edge) {
  const ShapeSetting setting[] = {{"radius", 0.1}, {"edge", edge}};
  return probe_shape("sphere", setting, ST_LENGTH(setting));
}

static double edge_for(int triangles) {
  return sqrt(4 * M_PI * 0.01 / triangles * 4 / sqrt(3));
}

static void add_shell(StDescription *d, StMesh *mesh) {
  d->material = ST_NEW(StMaterialDesc, 1);
  d->body = ST_NEW(StBodyDesc, 1);
  world_must(d->material && d->body, "no memory");
  d->material_count = d->body_count = 1;
  d->material[0] = (StMaterialDesc){.name = st_copy_string("rubber"),
                                    .shell = true,
                                    .law = {.name = "shell", .value = {1e-3, 1e6, 0.45, INFINITY}},
                                    .density = 1.1,
                                    .stiffness_damping = 1e-3};
  d->body[0] = (StBodyDesc){.name = st_copy_string("ball"), .mesh = mesh};
}

static void add_air(StDescription *d, const StMesh *mesh) {
  size_t corners = 3 * (size_t)mesh->triangle_count;
  d->volume = ST_NEW(StVolumeDesc, 1);
  int *triangle = ST_NEW(int, corners);
  double *time = ST_NEW(double, 1), *pressure = ST_NEW(double, 1);
  world_must(d->volume && triangle && time && pressure, "no memory");
  memcpy(triangle, mesh->triangle, corners * sizeof(int));
  *pressure = 1.02 * 101325;
  d->volume_count = 1;
  d->volume[0] = (StVolumeDesc){
      .name = st_copy_string("air"),
      .triangle_count = mesh->triangle_count,
      .triangle = triangle,
      .model = {.name = "ideal_gas"},
      .rest_volume = st_surface_volume(mesh->position, triangle, mesh->triangle_count, NULL),
      .outside_pressure = 101325,
      .pressure = {.key_count = 1, .time = time, .value = pressure}};
}

static StDescription *ball(double edge) {
  StDescription *d = st_description_create();
  world_must(d, "no memory");
  add_shell(d, sphere(edge));
  add_air(d, d->body[0].mesh);
  d->time = (StTimeDesc){.duration = STEPS * 2e-3, .step = 2e-3, .frame_rate = 1};
  d->time.smallest_step = d->time.step / 1024;
  return d;
}

// One force at one point.
typedef struct Bench {
  StSystem *system;
  const StForce *force;
  StPoint at;
  double *position, *velocity, *result;
} Bench;

static void residual(Bench *bench) {
  StTrouble trouble;
  world_must(bench->force->type->add(bench->force->data, &bench->at, bench->result, &trouble),
             "force failed");
  kept += bench->result[0];
}

static void energy(Bench *bench) {
  kept += bench->force->type->energy(bench->force->data, &bench->at);
}

static void blocks(Bench *bench) {
  bench->force->type->add_blocks(bench->force->data, &bench->at, 1, 0.01, bench->system->matrix);
}

static void coupling(Bench *bench) {
  kept += bench->force->type->coupling(bench->force->data, &bench->at, 0, bench->result);
}

// Shortest of some repeats: what the machine can do when nothing else disturbs it.
static double best_time(void (*work)(Bench *), Bench *bench) {
  double best = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    double start = seconds();
    work(bench);
    best = fmin(best, seconds() - start);
  }
  return best;
}

static void print_rate(Bench *bench, bool there, void (*work)(Bench *), double millions) {
  if (there)
    printf("  %9.2f", millions / best_time(work, bench));
  else
    printf("  %9s", "-");
}

static void print_force(Bench *bench) {
  const StForceType *type = bench->force->type;
  const StPiece *piece = bench->system->piece;
  bool of_hinges = strcmp(type->name, "bending") == 0;
  double millions = 1e-6 * (of_hinges ? piece->hinge_count : piece->triangle_count);
  printf("  %-9s  %-9s", type->name, of_hinges ? "hinges" : "triangles");
  print_rate(bench, true, residual, millions);
  print_rate(bench, type->has_energy, energy, millions);
  print_rate(bench, true, blocks, millions);
  print_rate(bench, st_system_coupling_count(bench->force) > 0, coupling, millions);
  printf("\n");
}

static void shake(Bench *bench, double by) {
  int numbers = 3 * bench->system->piece->vertex_count;
  uint64_t state = 7;
  bench->position = ST_NEW(double, numbers);
  bench->velocity = ST_NEW(double, numbers);
  bench->result = ST_NEW(double, numbers);
  world_must(bench->position && bench->velocity && bench->result, "no memory");
  for (int i = 0; i < numbers; i++)
    bench->position[i] = 1.1 * bench->system->piece->rest[i] + random_between(&state, -by, by);
  random_fill(&state, -1, 1, numbers, bench->velocity);
  bench->at = (StPoint){.position = bench->position, .velocity = bench->velocity};
}

static void print_kernels(int triangles) {
  double edge = edge_for(triangles);
  StDescription *d = ball(edge);
  StError error = {0};
  Bench bench = {0};
  if (st_system_create(d, &bench.system, &error) != ST_OK)
    world_must(false, error.text);
  shake(&bench, 0.05 * edge);
  const StPiece *piece = bench.system->piece;
  printf("Sphere of %d triangles and %d hinges, one core; millions of them per second.\n"
         "coupling: the gradient of volume, for the dense term of the Jacobian.\n\n"
         "  %-9s  %-9s  %9s  %9s  %9s  %9s\n",
         piece->triangle_count, piece->hinge_count, "force", "of", "residual", "energy", "blocks",
         "coupling");
  for (int f = 0; f < bench.system->force_count; f++) {
    bench.force = &bench.system->force[f];
    if (strcmp(bench.force->type->name, "gravity") != 0)
      print_force(&bench);
  }
  fflush(stdout);
  free(bench.position);
  free(bench.velocity);
  free(bench.result);
  st_system_destroy(bench.system);
  st_description_destroy(d);
}

static const struct {
  const char *name;
  StSolverKind kind;
  bool inexact;
} solvers[] = {{"direct, exact", ST_SOLVER_DIRECT, false},
               {"direct, inexact", ST_SOLVER_DIRECT, true},
               {"iterative", ST_SOLVER_ITERATIVE, false}};

static void run_steps(int triangles, int solver) {
  StDescription *d = ball(edge_for(triangles));
  d->gravity[2] = 0;
  d->solver.kind = solvers[solver].kind;
  d->solver.inexact_coupling = solvers[solver].inexact;
  StSimulation *simulation = world_start(d);
  int steps = 0, newton = 0, linear = 0, retries = 0;
  double start = seconds();
  for (; !st_simulation_finished(simulation); steps++) {
    world_step(simulation);
    const StReport *report = st_simulation_report(simulation);
    newton += report->newton_iterations;
    linear += report->linear_iterations;
    retries += report->retries;
  }
  double taken = seconds() - start;
  const StReport *report = st_simulation_report(simulation);
  const StVolumeReport *air = &report->zone[0];
  printf("  %9d  %-15s  %8.1f  %8.1f  %9.2f  %8.1f  %8d  %11.8f\n", d->body[0].mesh->triangle_count,
         solvers[solver].name, 1e3 * taken / steps, (double)newton / steps, 1e3 * taken / newton,
         (double)linear / newton, retries, air->volume / d->volume[0].rest_volume);
  fflush(stdout);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
}

static void print_steps(void) {
  printf("\nThe same sphere blows up: %d steps of 2 ms, be; per step, and per Newton iteration.\n"
         "The last column must not depend on the solver.\n\n"
         "  %9s  %-15s  %8s  %8s  %9s  %8s  %8s  %11s\n",
         STEPS, "triangles", "solver", "ms/step", "newton", "ms/newton", "linear", "retries",
         "V/V0");
  const int sizes[] = {2000, 8000, 32000};
  for (int i = 0; i < ST_LENGTH(sizes); i++)
    for (int s = 0; s < ST_LENGTH(solvers); s++)
      run_steps(sizes[i], s);
}

int main(int argc, char **argv) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  print_kernels(argc > 1 ? atoi(argv[1]) : 300000);
  print_steps();
  st_runtime_stop();
  return kept == 0.123456789; // never; keeps the sums alive
}
