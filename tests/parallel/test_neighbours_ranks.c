// Cubes that fly at each other at 20 m/s from far apart and collide across ranks: the result is
// that of one process, and no rank receives a skin before it can touch its own, nor ever one that
// cannot.
#include "contact/tunables.h"
#include "solve/exchange.h"
#include "step/neighbours.h"
#include "support/ranks.h"

#include <mpi.h>

enum { TARGET, BULLETS = 4, FAR = TARGET + 1 + BULLETS, BODIES = FAR + 2 };
static const double SIZE = 0.04, STEP = 1e-3, THICKNESS = 1e-3;

typedef struct Flight {
  double from[3], velocity[3];
} Flight;

// Corners meet faces, edges meet edges; the bullets arrive within a few steps of each other. A step
// takes the fastest half its size, several times what a plan allows for.
static const Flight FLIGHT[BODIES] = {
    {{0, 0, 0}, {0, 0, 0}},
    {{0.3, 0.013, 0.011}, {-20, 0, 0}},
    {{-0.25, -0.012, 0.009}, {15, 1, 0}},
    {{0.01, 0.31, -0.014}, {0, -20, 1}},
    {{-0.013, -0.19, 0.012}, {0, 10, 0}},
    {{1, 0, 0}, {0, 0, 0}},
    {{0, 0, -1}, {0, 0, 5}},
};

// Factors of stiffness (contact/barrier/adaptive_stiffness.h) and halved steps follow iterates,
// which differ by round-off between solvers and numbers of ranks. So factors stay as they are here,
// and the stiffness stops all bodies without them; every step is solved at once from 6e6 to 1e7 Pa.
static const double STIFFNESS = 8e6, NEVER = 1e6;

static void add_contacts(StWorld *world, double friction) {
  for (int a = 0; a < BODIES; a++)
    for (int b = a; b < BODIES; b++)
      st_world_add_contact(world, &(StContactDesc){.collider = a,
                                                   .body = b,
                                                   .obstacle = -1,
                                                   .thickness = THICKNESS,
                                                   .stiffness = STIFFNESS,
                                                   .friction = {.dynamic_coefficient = friction,
                                                                .static_coefficient = friction,
                                                                .sticking_speed = 1e-2,
                                                                .stribeck_speed = 1e-1,
                                                                .stick = ST_STICK_ANCHORED}});
}

static StDescription *scene(StSolverKind solver, double friction, int steps) {
  const StWorldMaterial rubber = {.young = 1e8, .poisson = 0.4, .density = 1000};
  const double cube[] = {SIZE, SIZE, SIZE, 0, 3, 3, 3};
  StWorld world = st_world_begin();
  int material = st_world_add_material(&world, &rubber);
  for (int b = 0; b < BODIES; b++) {
    char name[16];
    snprintf(name, sizeof name, "%d", b);
    st_world_add_body(&world, name, st_world_shape(&world, "box", cube, 7, FLIGHT[b].from),
                      material);
  }
  add_contacts(&world, friction);
  st_world_set_time(&world, "be", STEP, steps * STEP);
  st_world_set_tolerance(&world, 1e-9);
  StDescription *d = world_finish(&world);
  for (int b = 0; b < BODIES; b++)
    memcpy(d->body[b].velocity, FLIGHT[b].velocity, sizeof FLIGHT[b].velocity);
  d->contact_settings.method = ST_CONTACT_PRIMITIVES;
  d->solver.kind = solver;
  d->solver.velocity_tolerance = 1e-9;
  d->solver.change_tolerance = 1e-7;
  return d;
}

// Bodies of which this rank has vertices, and those it hears of for the sake of contact.
typedef struct Hearing {
  bool owns[BODIES], hears[BODIES];
} Hearing;

static Hearing listen(const StSystem *system) {
  const StPiece *piece = system->piece;
  const StNeighbours *neighbours = system->neighbours;
  Hearing hearing = {0};
  for (int v = 0; v < piece->vertex_count; v++)
    if (v < piece->owned_count)
      hearing.owns[piece->body[v]] = true;
    else if (neighbours && neighbours->known[v] && !neighbours->always[v])
      hearing.hears[piece->body[v]] = true;
  return hearing;
}

static void check_hearing(const Hearing *hearing, bool flying) {
  bool among = false; // the bodies that meet
  for (int b = 0; b < FAR; b++)
    among = among || hearing->owns[b];
  for (int b = 0; b < BODIES; b++) {
    bool may = hearing->owns[b] || (!flying && among && b < FAR);
    world_must(!hearing->hears[b] || may, "a rank hears of what it cannot touch");
  }
}

static bool hears_others(const Hearing *hearing) {
  for (int b = 0; b < BODIES; b++)
    if (hearing->hears[b] && !hearing->owns[b])
      return true;
  return false;
}

// Until 0.2 m are left between any two, the longest way of a step away.
static const double FLYING = 4e-3;

// What is looked at in every step.
typedef struct Watch {
  bool met;      // this rank heard of a body that it has nothing of
  bool hit[FAR]; // the target felt this bullet
} Watch;

static void look(const StDescription *d, StSimulation *simulation, Watch *watch) {
  const StReport *report = st_simulation_report(simulation);
  const StSystem *system = st_simulation_system(simulation);
  Hearing hearing = listen(system);
  check_hearing(&hearing, st_simulation_time(simulation) < FLYING);
  watch->met = watch->met || hears_others(&hearing);
  for (int p = 0; p < report->pair_count; p++)
    if (d->contact[p].collider == TARGET && d->contact[p].body < FAR)
      watch->hit[d->contact[p].body] |= report->pair[p].normal_force > 0;
  world_must(report->retries == 0, "a step was not solved at once");
  world_must(report->judge.checked && st_judgement_is_clean(&report->judge.found), "crossing");
}

static void check_watch(const StSystem *system, Watch *watch) {
  for (int b = 1; b < FAR; b++)
    world_must(watch->hit[b], "a bullet missed");
  if (st_runtime_size() == 1)
    return;
  int spared = system->piece->vertex_count - system->piece->owned_count -
               st_exchange_taken(system->exchange);
  MPI_Allreduce(MPI_IN_PLACE, &spared, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &watch->met, 1, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD);
  world_must(watch->met, "nothing met across ranks");
  world_must(spared > 0, "everything is sent");
  world_must(system->neighbours->made > 20, "plans were hardly ever renewed");
}

static StSnapshot run(StSolverKind solver, double friction, int steps) {
  st_contact_tunables.stiffness_step = NEVER;
  StDescription *d = scene(solver, friction, steps);
  StSimulation *simulation = world_start(d);
  Watch watch = {0};
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    look(d, simulation, &watch);
  }
  check_watch(st_simulation_system(simulation), &watch);
  StSnapshot snapshot = world_snapshot(simulation);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return snapshot;
}

static const double FRICTION = 0.3;
enum { STEPS = 25, FEW = 16 };

static bool reference(FILE *file) {
  StSnapshot snapshot = run(ST_SOLVER_DIRECT, FRICTION, STEPS);
  return ranks_write(&snapshot, file);
}

static void direct_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = run(ST_SOLVER_DIRECT, FRICTION, STEPS);
  ranks_compare(&snapshot, 1e-9);
}

// Products exchange what matrices couple. Without friction and for the impact alone, since after it
// there are several solutions, of which another solver may find another one.
static void iterative_agrees(void **state) {
  (void)state;
  StSnapshot direct = run(ST_SOLVER_DIRECT, 0, FEW), iterative = run(ST_SOLVER_ITERATIVE, 0, FEW);
  if (st_runtime_rank() == 0) {
    size_t count = 3 * (size_t)direct.vertex_count;
    double scale = 0, off = ranks_difference(iterative.velocity, direct.velocity, count, &scale);
    print_message("iterative: velocity off by %.1e\n", off / scale);
    assert_true(off < 1e-8 * scale);
  }
  st_snapshot_free(&direct);
  st_snapshot_free(&iterative);
}

int main(int count, char **argument) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_agrees),
      cmocka_unit_test(iterative_agrees),
  };
  return ALONE_MAIN(count, argument, reference, tests);
}
