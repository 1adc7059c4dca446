// Cost of contact and friction on one core: search and forces for a sheet of points over a sheet of
// as many triangles, and whole steps of two balls that rub, with and without the sliding basis'
// derivatives, direct and iterative. Usage: bench_contact [largest number of points]
#include "contact/smooth/smooth_state.h"
#include "contact/core/contacts.h"
#include "force/list.h"
#include "model/partition.h"
#include "solve/runtime.h"
#include "support/balls.h"
#include "support/random.h"
#include "support/surface_probe.h"

#include <time.h>

enum { REPEATS = 7, MATRIX_REPEATS = 2, MATRIX_POINTS = 4000 };

// Everything at the level of forces: two sheets as bodies, one above the other.
typedef struct Bench {
  StMaterialDesc material;
  StBodyDesc body[2];
  StContactDesc contact;
  StDescription description;
  StPiece *piece;
  StContacts *contacts;
  StContactState *state;
  StContactSet *set;
  StBlockMatrix *matrix;
  double *position, *velocity, *force;
  double kept;
} Bench;

// Of this process, so that others on the machine do not count.
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Shortest of some repeats: what the machine can do when nothing else disturbs it.
static double best_of(int repeats, void (*work)(Bench *), Bench *bench) {
  double best = INFINITY;
  for (int i = 0; i < repeats; i++) {
    double start = seconds();
    work(bench);
    best = fmin(best, seconds() - start);
  }
  return best;
}

static double best_time(void (*work)(Bench *), Bench *bench) {
  return best_of(REPEATS, work, bench);
}

static StPoint point_of(const Bench *bench) {
  return (StPoint){
      .position = bench->position, .velocity = bench->velocity, .contact_set = bench->set};
}

static void add_force(Bench *bench, const StForceType *type) {
  StPoint at = point_of(bench);
  StTrouble trouble;
  world_must(type->add(NULL, &at, bench->force, &trouble), "force failed");
  bench->kept += bench->force[2];
}

// A residual at a new iterate: nothing is known of the last one's contacts.
static void search_and_contact(Bench *bench) {
  st_contacts_evaluate(bench->contacts, bench->state, st_instant(0), bench->position, bench->set);
  add_force(bench, &st_force_contact);
}

static void contact(Bench *bench) {
  add_force(bench, &st_force_contact);
}

static void friction(Bench *bench) {
  add_force(bench, &st_force_friction);
}

static void contact_blocks(Bench *bench) {
  StPoint at = point_of(bench);
  st_force_contact.add_blocks(NULL, &at, 1e-4, 1e-2, bench->matrix);
}

static void friction_blocks(Bench *bench) {
  StPoint at = point_of(bench);
  st_force_friction.add_blocks(NULL, &at, 1e-4, 1e-2, bench->matrix);
}

static void near_blocks(Bench *bench) {
  StPoint at = point_of(bench);
  st_force_contact.add_near_blocks(NULL, &at, 1e-4, 1e-2, bench->matrix);
  st_force_friction.add_near_blocks(NULL, &at, 1e-4, 1e-2, bench->matrix);
}

static StMesh *sheet(double size, int cells, double height, double shake) {
  const ShapeSetting setting[] = {
      {"width", size}, {"length", size}, {"cells_x", cells}, {"cells_y", cells}};
  StMesh *mesh = probe_shape("sheet", setting, ST_LENGTH(setting));
  uint64_t state = 5;
  for (int v = 0; v < mesh->vertex_count; v++)
    mesh->position[3 * v + 2] += height + random_between(&state, -shake, shake);
  return mesh;
}

static void create(Bench *bench, int points, double multiplier) {
  int across = (int)lround(sqrt(points)), cells = (int)lround(sqrt(points / 2.0));
  double thickness = 0.02 / cells;
  StError error = {0};
  *bench = (Bench){.material = {.shell = true, .density = 1},
                   .contact = {.collider = 1,
                               .body = 0,
                               .obstacle = -1,
                               .thickness = thickness,
                               .stiffness = 1e6,
                               .friction = {0.5, 0.6, 0, 0.1, 1}}};
  bench->body[0].mesh = sheet(1, cells, 0, 0.02 * thickness);
  bench->body[1].mesh = sheet(0.9, across - 1, 0.5 * thickness, 0.3 * thickness);
  bench->description = (StDescription){.material_count = 1,
                                       .material = &bench->material,
                                       .body_count = 2,
                                       .body = bench->body,
                                       .contact_count = 1,
                                       .contact = &bench->contact};
  bench->description.contact_settings = (StContactSettings){
      .area_weighted = true, .radius_multiplier = multiplier, .smoothing = 0.01};
  if (st_piece_create_whole(&bench->description, &bench->piece, &error) != ST_OK ||
      st_contacts_create(&bench->description, bench->piece, &bench->contacts, &error) != ST_OK ||
      st_contact_state_create(bench->contacts, &bench->state, &error) != ST_OK ||
      st_contact_set_create(bench->contacts, &bench->set, &error) != ST_OK)
    world_must(false, error.text);
  int numbers = 3 * bench->piece->vertex_count;
  uint64_t state = 7;
  bench->position = ST_NEW(double, numbers);
  bench->velocity = ST_NEW(double, numbers);
  bench->force = ST_NEW(double, numbers);
  world_must(bench->position && bench->velocity && bench->force, "no memory");
  memcpy(bench->position, bench->piece->rest, (size_t)numbers * sizeof(double));
  random_fill(&state, -1, 1, numbers, bench->velocity);
  st_contact_state_begin(bench->contacts, bench->state, 0, bench->position);
}

static void destroy(Bench *bench) {
  for (int b = 0; b < 2; b++)
    st_mesh_destroy(bench->body[b].mesh);
  st_block_matrix_destroy(bench->matrix);
  st_contact_set_destroy(bench->set);
  st_contact_state_destroy(bench->state);
  st_contacts_destroy(bench->contacts);
  st_piece_destroy(bench->piece);
  free(bench->position);
  free(bench->velocity);
  free(bench->force);
}

// A matrix with a place for every pair of a contact's vertices, as the direct solver has it.
static void make_matrix(Bench *bench) {
  const StContactArray *list = &bench->set->now;
  StError error = {0};
  size_t *start = ST_NEW(size_t, list->count + 1);
  bool changed;
  world_must(start, "no memory");
  for (int t = 0; t < list->count; t++)
    start[t + 1] = start[t] + (size_t)list->contact[t].count;
  int count = bench->piece->vertex_count;
  if (st_block_matrix_create(count, count, NULL, 0, 4, &bench->matrix, &error) != ST_OK ||
      st_block_matrix_fit(bench->matrix, &(StCliques){start, NULL, list->vertex, list->count}, true,
                          &changed, NULL, &error) != ST_OK)
    world_must(false, error.text);
  free(start);
}

static void print_blocks(Bench *bench, double each) {
  if (bench->contacts->pair[0].point_count > MATRIX_POINTS) {
    printf("  %8s  %8s  %8s\n", "", "", "");
    return;
  }
  make_matrix(bench);
  printf("  %8.2f  %8.2f  %8.3f\n", each * best_of(MATRIX_REPEATS, contact_blocks, bench),
         each * best_of(MATRIX_REPEATS, friction_blocks, bench),
         each * best_time(near_blocks, bench));
}

static void run_forces(int points, double multiplier) {
  Bench bench;
  create(&bench, points, multiplier);
  search_and_contact(&bench);
  double touching = bench.set->now.count, each = 1e6 / touching;
  double R = bench.state->smooth->radius[0];
  double samples = M_PI * R * R * bench.body[0].mesh->triangle_count;
  double whole = best_time(search_and_contact, &bench), again = best_time(contact, &bench);
  printf("  %8.0f  %8.1f  %8.1f  %8.2f  %8.3f  %8.3f  %8.3f", touching, multiplier, samples,
         1e3 * whole, each * whole, each * again, each * best_time(friction, &bench));
  print_blocks(&bench, each);
  destroy(&bench);
}

static void print_forces(int most) {
  printf("Points over as many triangles; microseconds per contact but for the whole residual.\n"
         "search: with the contact force, at a new iterate; contact, friction: forces again at\n"
         "the same one; blocks: into the matrix; near: both for preconditioners.\n\n"
         "  %8s  %8s  %8s  %8s  %8s  %8s  %8s  %8s  %8s  %8s\n",
         "contacts", "R factor", "samples", "all, ms", "search", "contact", "friction", "c.blocks",
         "f.blocks", "near");
  const double multipliers[] = {2, 3}; // the default; about 30 samples
  for (double points = 1000; points <= 1.1 * most; points *= sqrt(10))
    for (int i = 0; i < ST_LENGTH(multipliers); i++)
      run_forces((int)points, multipliers[i]);
  fflush(stdout);
}

static void run_steps(double edge, StSolverKind solver, StFrictionMode mode) {
  Balls balls = {.radius = 0.1,
                 .edge = edge,
                 .young = 1e5,
                 .friction = 0.5,
                 .speed = 0.5,
                 .offset = 0.8,
                 .gap = -0.06,
                 .integrator = "be",
                 .step = 2e-3,
                 .duration = 0.03,
                 .solver = solver};
  StDescription *d = balls_create(&balls);
  d->contact_settings.friction = mode;
  d->solver.velocity_tolerance = 1e-6;
  d->solver.change_tolerance = 1e-5;
  StSimulation *simulation = world_start(d);
  int steps = 0, newton = 0, linear = 0, touching = 0;
  double start = seconds();
  for (; !st_simulation_finished(simulation); steps++) {
    world_step(simulation);
    const StReport *report = st_simulation_report(simulation);
    newton += report->newton_iterations;
    linear += report->linear_iterations;
    touching += report->contact.touching;
  }
  double taken = seconds() - start;
  printf("  %8d  %8.1f  %10s  %12s  %8.1f  %8.1f  %8.2f  %8.1f\n", st_description_vertex_count(d),
         (double)touching / steps, solver == ST_SOLVER_DIRECT ? "direct" : "iterative",
         mode == ST_FRICTION_IMPLICIT      ? "implicit"
         : mode == ST_FRICTION_FIXED_BASIS ? "fixed basis"
                                           : "lagged",
         1e3 * taken / steps, (double)newton / steps, 1e3 * taken / newton,
         (double)linear / newton);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
}

static void print_steps(void) {
  printf("\nTwo soft balls rub past each other, both ways; per step, and per Newton iteration.\n\n"
         "  %8s  %8s  %10s  %12s  %8s  %8s  %8s  %8s\n",
         "vertices", "contacts", "solver", "friction", "ms/step", "newton", "ms/newt.", "linear");
  const double edges[] = {0.04, 0.02};
  const StSolverKind solvers[] = {ST_SOLVER_DIRECT, ST_SOLVER_ITERATIVE};
  const StFrictionMode modes[] = {ST_FRICTION_IMPLICIT, ST_FRICTION_FIXED_BASIS,
                                  ST_FRICTION_LAGGED};
  for (int e = 0; e < ST_LENGTH(edges); e++)
    for (int s = 0; s < ST_LENGTH(solvers); s++)
      for (int m = 0; m < ST_LENGTH(modes); m++)
        run_steps(edges[e], solvers[s], modes[m]);
}

int main(int argc, char **argv) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  print_forces(argc > 1 ? atoi(argv[1]) : 100000);
  print_steps();
  st_runtime_stop();
  return 0;
}
