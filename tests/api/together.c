// Everything that works on several processes at once, for examples.sh: a driven boundary and a
// driven floor, a changed state, the program's own forces (by differences, and a spring between the
// ends of the bar), arrays of forces, contact fields, a report. Prints what must not depend on the
// number of processes, and fails on rank 1 alone on request.
#include <stiction/stiction.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char SCENE[] =
    "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
    "  \"bodies\": { \"bar\": { \"material\": \"gum\", \"shape\": { \"type\": \"box\","
    "    \"size_x\": 0.4, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.05 } } },"
    "  \"boundaries\": { \"end\": { \"region\": { \"label\": \"x-\" }, \"hold\": [\"x\"] } },"
    "  \"friction\": [{ \"between\": \"any\", \"dynamic\": 0.3 }],"
    "  \"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" },"
    "    \"translate\": [0, 0, -0.051] } },"
    "  \"time\": { \"duration\": \"0.1 s\", \"step\": \"10 ms\" } }";

typedef struct Drive {
  Stiction *session;
  bool fails;
} Drive;

static bool rise(void *context, double time, StictionPose *pose) {
  const Drive *drive = context;
  pose->translation[2] = 0.2 * time;
  pose->velocity[2] = 0.2;
  return !(drive->fails && time > 0.045 && stiction_rank(drive->session) == 1);
}

static bool pull(void *context, double time, int count, double *position, double *velocity) {
  (void)context;
  for (int i = 0; i < count; i++) {
    position[3 * i] -= 0.1 * time * (1 + position[3 * i + 1]);
    velocity[3 * i] = -0.1 * (1 + position[3 * i + 1]);
  }
  return true;
}

// A wind that weakens to the right: N on a vertex, by its mass.
static bool blow(void *context, const StictionPoint *at, double *force) {
  (void)context;
  for (int i = 0; i < at->vertex_count; i++)
    force[3 * i + 1] += at->mass[i] * (4 - 2 * at->position[3 * i] - at->velocity[3 * i + 1]);
  return true;
}

// A spring between two corners, which no element joins.
typedef struct Spring {
  int end[2];
  double stiffness; // N/m
} Spring;

static bool pull_together(void *context, const StictionPoint *at, double *force) {
  const Spring *own = context;
  for (int c = 0; c < 3; c++) {
    double way = at->position[3 * own->end[1] + c] - at->position[3 * own->end[0] + c];
    force[3 * own->end[0] + c] += own->stiffness * way;
    force[3 * own->end[1] + c] -= own->stiffness * way;
  }
  return true;
}

static void slope(void *context, const StictionPoint *at, double by_position, double by_velocity,
                  StictionBlocks *blocks) {
  const Spring *own = context;
  (void)at, (void)by_velocity;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      double k = (a == b ? -1 : 1) * by_position * own->stiffness;
      stiction_blocks_add(blocks, 1, &own->end[a], &own->end[b],
                          (double[]){k, 0, 0, 0, k, 0, 0, 0, k});
    }
}

static double stored(void *context, const StictionPoint *at) {
  const Spring *own = context;
  double sum = 0;
  for (int c = 0; c < 3; c++) {
    double way = at->position[3 * own->end[1] + c] - at->position[3 * own->end[0] + c];
    sum += 0.5 * own->stiffness * way * way;
  }
  return sum;
}

static StictionStatus add_forces(StictionScene *scene, Spring *spring) {
  *spring = (Spring){{0, stiction_scene_vertex_count(scene) - 1}, 40};
  StictionForce wind = {.name = "wind_of_mine", .summary = "A wind.", .add = blow};
  StictionForce between = {.name = "spring_of_mine",
                           .summary = "A spring.",
                           .context = spring,
                           .pair_count = 1,
                           .pair = spring->end,
                           .add = pull_together,
                           .add_blocks = slope,
                           .energy = stored};
  StictionStatus status = stiction_scene_add_force(scene, &wind);
  return status == STICTION_OK ? stiction_scene_add_force(scene, &between) : status;
}

static void print(StictionSimulation *simulation, const double *force,
                  const StictionContactFields *fields) {
  const double *x = stiction_simulation_positions(simulation);
  const StictionReport *report = stiction_simulation_report(simulation);
  double sum[6] = {0};
  for (int i = 0; x && i < stiction_simulation_vertex_count(simulation); i++) {
    sum[0] += x[3 * i] * (i + 1);
    sum[1] += x[3 * i + 2] * (i + 1);
    sum[2] += fabs(force[3 * i + 2]);
    sum[3] += fields->normal_force[i];
    sum[4] += fields->state[i] != 0;
    sum[5] += x[3 * i + 1] * (i + 1);
  }
  if (x)
    printf("%.3f %.6f %.6f %.6f %.3f %.3f %g %.5f %d\n", report->time, sum[0], sum[5], sum[1],
           sum[2], sum[3], sum[4], report->total_energy, report->contact.touching);
}

static StictionStatus go(StictionSimulation *simulation) {
  const double *force;
  StictionContactFields fields;
  StictionStatus status = stiction_simulation_forces(simulation, "contact", &force);
  if (status == STICTION_OK)
    status = stiction_simulation_contact_fields(simulation, &fields);
  for (int k = 0; status == STICTION_OK && !stiction_simulation_finished(simulation); k++) {
    status = stiction_simulation_step(simulation);
    double *v = stiction_simulation_velocities(simulation);
    for (int i = 0; v && k == 3 && i < stiction_simulation_vertex_count(simulation); i++)
      v[3 * i + 1] += 0.5;
    if (status == STICTION_OK && k == 3)
      status = stiction_simulation_state_changed(simulation);
    if (status == STICTION_OK)
      print(simulation, force, &fields);
  }
  return status;
}

int main(int argc, char **argv) {
  Stiction *session = NULL;
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  Spring spring;
  StictionStatus status = stiction_open(&session);
  Drive drive = {session, argc > 1 && strcmp(argv[1], "fail") == 0};
  if (status == STICTION_OK)
    status = stiction_scene_parse(session, SCENE, NULL, &scene);
  if (status == STICTION_OK)
    status = stiction_scene_drive(scene, "floor", rise, &drive);
  if (status == STICTION_OK)
    status = stiction_scene_drive_vertices(scene, "end", pull, NULL);
  if (status == STICTION_OK)
    status = add_forces(scene, &spring);
  if (status == STICTION_OK)
    status = stiction_simulation_create(session, scene, &simulation);
  if (status == STICTION_OK)
    status = go(simulation);
  if (status != STICTION_OK)
    fprintf(stderr, "%d: %s\n", (int)status, stiction_error(session));
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
  stiction_close(session);
  return (int)status;
}
