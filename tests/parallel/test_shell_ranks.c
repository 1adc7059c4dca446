// A ball of shell with gas inside falls on a floor beside a wheel that a torque drives on its
// bearing and that rubs against it: on several ranks as on one process.
#include "math/vec3.h"
#include "support/ranks.h"

static const StFrictionDesc friction = {.dynamic_coefficient = 0.4,
                                        .static_coefficient = 0.4,
                                        .sticking_speed = 1e-2,
                                        .stribeck_speed = 1e-1};

static bool in_bore(const double X[3], const void *context) {
  (void)context;
  return hypot(X[0], X[1]) < 0.06;
}

static void add_bodies(StWorld *world) {
  const StCloth rubber = {.young = 5000,
                          .poisson = 0.3,
                          .area_density = 1,
                          .bending = 0.05,
                          .mass_damping = 1,
                          .stiffness_damping = 1e-4};
  int material = st_world_add_cloth(world, &rubber);
  const double wheel[] = {0.1, 0.05, 0.12, 0, 1, 16, 3}, ball[] = {0.1, 0, 4};
  StMesh *mesh = st_world_surface(world, "tube", wheel, 7, (double[3]){0, 0, 0});
  st_world_add_body(world, "wheel", mesh, material);
  mesh = st_world_surface(world, "sphere", ball, 3, (double[3]){0.202, 0, 0.01});
  int index = st_world_add_body(world, "ball", mesh, material);
  if (index >= 0)
    vec3_set(-0.6, 0, -0.3, world->description->body[index].velocity);
}

static void fill_and_drive(StWorld *world) {
  StVolumeDesc *gas = st_world_fill(world, 1, "ideal_gas");
  if (gas)
    st_world_set_curve(world, &gas->pressure, 2, (double[2]){0, 0.02},
                       (double[2]){ST_ATMOSPHERE, 1.05 * ST_ATMOSPHERE});
  StBearingDesc *bearing = st_world_add_bearing(world, 0, in_bore, NULL, 1e5);
  if (bearing)
    st_world_set_curve(world, &bearing->torque, 1, (double[1]){0}, (double[1]){0.5});
}

static void let_touch(StWorld *world) {
  int floor = st_world_add_floor(world, -0.092);
  StContactDesc contact = {
      .collider = 1, .body = -1, .obstacle = floor, .thickness = 1e-2, .stiffness = 5e4, friction};
  st_world_add_contact(world, &contact);
  contact.obstacle = -1;
  for (int b = 0; b < 2; b++) {
    contact.collider = 1 - b;
    contact.body = b;
    st_world_add_contact(world, &contact);
  }
}

static StDescription *ball_and_wheel(StSolverKind solver) {
  StWorld world = st_world_begin();
  add_bodies(&world);
  fill_and_drive(&world);
  let_touch(&world);
  st_world_set_time(&world, "be", 2e-3, 0.04);
  st_world_set_tolerance(&world, 1e-12);
  StDescription *d = world_finish(&world);
  d->gravity[2] = -9.81;
  d->solver.kind = solver;
  return d;
}

static StSnapshot simulate(StSolverKind solver) {
  StDescription *d = ball_and_wheel(solver);
  StSimulation *simulation = world_start(d);
  const StReport *report = st_simulation_report(simulation);
  int most[3] = {0};
  while (!st_simulation_finished(simulation)) {
    world_step(simulation);
    for (int p = 0; p < 3; p++)
      most[p] = most[p] > report->pair[p].touching ? most[p] : report->pair[p].touching;
  }
  for (int p = 0; p < 3; p++)
    world_must(most[p] > 0, "a pair never touched");
  StSnapshot snapshot = world_snapshot(simulation);
  if (snapshot.position)
    print_message("touching %d, %d, %d; P %.6g Pa, angle %.6g\n", most[0], most[1], most[2],
                  report->zone[0].pressure, report->bearing[0].angle);
  st_simulation_destroy(simulation);
  st_description_destroy(d);
  return snapshot;
}

static bool reference(FILE *file) {
  StSnapshot snapshot = simulate(ST_SOLVER_DIRECT);
  return ranks_write(&snapshot, file);
}

static void direct_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = simulate(ST_SOLVER_DIRECT);
  ranks_compare(&snapshot, 1e-10);
}

static void iterative_agrees(void **state) {
  (void)state;
  StSnapshot snapshot = simulate(ST_SOLVER_ITERATIVE);
  ranks_compare(&snapshot, 1e-10);
}

int main(int count, char **argument) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_agrees),
      cmocka_unit_test(iterative_agrees),
  };
  return ALONE_MAIN(count, argument, reference, tests);
}
