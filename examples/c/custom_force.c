// Adds a force of its own: a ball on a spring, every vertex pulled towards a point by -k m_i (x -
// p), with its exact derivative and its energy. The centre then swings as p + (x0 - p) cos(√k t).
//   cc custom_force.c $(pkg-config --cflags --libs stiction) -lm -o custom_force
//   ./custom_force custom_force.json
#include <stiction/stiction.h>

#include <math.h>
#include <stdio.h>

typedef struct Pull {
  double point[3]; // m
  double rate;     // k, N/(m kg)
} Pull;

static bool add(void *context, const StictionPoint *at, double *force) {
  const Pull *pull = context;
  for (int i = 0; i < 3 * at->vertex_count; i++)
    force[i] -= pull->rate * at->mass[i / 3] * (at->position[i] - pull->point[i % 3]);
  return true;
}

// ∂f_i/∂x_i = -k m_i; nothing depends on other vertices or on velocities.
static void add_blocks(void *context, const StictionPoint *at, double by_position,
                       double by_velocity, StictionBlocks *blocks) {
  const Pull *pull = context;
  (void)by_velocity;
  for (int i = 0; i < at->vertex_count; i++) {
    double d = -by_position * pull->rate * at->mass[i];
    const double block[9] = {d, 0, 0, 0, d, 0, 0, 0, d};
    stiction_blocks_add(blocks, 1, &i, &i, block);
  }
}

static double energy(void *context, const StictionPoint *at) {
  const Pull *pull = context;
  double sum = 0;
  for (int i = 0; i < 3 * at->vertex_count; i++) {
    double way = at->position[i] - pull->point[i % 3];
    sum += pull->rate * at->mass[i / 3] * way * way / 2;
  }
  return sum;
}

static StictionStatus swing(StictionSimulation *simulation, const Pull *pull) {
  double block_error, energy_error, worst = 0;
  StictionStatus status =
      stiction_simulation_check_force(simulation, "pull", 1e-3, &block_error, &energy_error);
  if (status == STICTION_OK)
    printf("derivative off by %.1e, energy by %.1e\n", block_error, energy_error);
  double start = stiction_simulation_report(simulation)->centre_of_mass[2];
  while (status == STICTION_OK && !stiction_simulation_finished(simulation)) {
    status = stiction_simulation_step(simulation);
    const StictionReport *report = stiction_simulation_report(simulation);
    double wanted =
        pull->point[2] + (start - pull->point[2]) * cos(sqrt(pull->rate) * report->time);
    worst = fmax(worst, fabs(report->centre_of_mass[2] - wanted));
    if (status == STICTION_OK && stiction_simulation_on_frame(simulation))
      printf("%5.2f s  height %8.5f m, exactly %8.5f m, energy %.6f J\n", report->time,
             report->centre_of_mass[2], wanted, report->total_energy);
  }
  printf("off by at most %.1e m\n", worst);
  return status;
}

static StictionStatus run(Stiction *session, const char *path) {
  Pull pull = {.point = {0, 0, 0.2}, .rate = 40};
  StictionForce force = {.name = "pull",
                         .summary = "Pulls every vertex towards a point.",
                         .context = &pull,
                         .add = add,
                         .add_blocks = add_blocks,
                         .energy = energy};
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  StictionStatus status = stiction_scene_load(session, path, &scene);
  if (status == STICTION_OK)
    status = stiction_scene_add_force(scene, &force);
  if (status == STICTION_OK)
    status = stiction_simulation_create(session, scene, &simulation);
  if (status == STICTION_OK)
    status = swing(simulation, &pull);
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: custom_force SCENE.json\n");
    return 2;
  }
  Stiction *session = NULL;
  StictionStatus status = stiction_open(&session);
  if (status == STICTION_OK)
    status = run(session, argv[1]);
  if (status != STICTION_OK)
    fprintf(stderr, "custom_force: %s\n", stiction_error(session));
  stiction_close(session);
  return status == STICTION_OK ? 0 : 1;
}
