// What the judge costs beside the steps it looks at, by processor time in one run on one core:
// blocks of tets on a floor, then the scenes of a folder. Usage: bench_judge [folder of scenes,
// "examples"]
#include "judge/judge.h"
#include "scene/scene.h"
#include "solve/runtime.h"
#include "support/slope.h"

#include <dirent.h>
#include <stdio.h>
#include <time.h>

static const double LONGEST = 6; // seconds per scene
enum { MOST_STEPS = 150 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Cost {
  int steps;
  double stepping, looking, slowest, creating;
  long findings;
} Cost;

static void look(StJudge *judge, StSimulation *simulation, Cost *cost) {
  StSnapshot snapshot = world_snapshot(simulation);
  StJudgement found;
  double start = seconds();
  (void)st_judge_check(judge, st_simulation_time(simulation), snapshot.position, &found, NULL);
  double taken = seconds() - start;
  cost->looking += taken;
  cost->slowest = fmax(cost->slowest, taken);
  for (int k = 0; k < ST_FOUND_KINDS; k++)
    cost->findings += found.kind[k].count;
  st_snapshot_free(&snapshot);
}

// The simulation's own judge is off, so that steps are steps alone.
static Cost measure(StDescription *d) {
  Cost cost = {0};
  StJudge *judge = NULL;
  StError error = {0};
  d->output.judge = ST_JUDGE_OFF;
  double start = seconds();
  if (st_judge_create(d, &judge, &error) != ST_OK)
    world_must(false, error.text);
  cost.creating = seconds() - start;
  StSimulation *simulation = world_start(d);
  while (!st_simulation_finished(simulation) && cost.stepping < LONGEST &&
         cost.steps < MOST_STEPS) {
    start = seconds();
    StStatus status = st_simulation_step(simulation, &error);
    cost.stepping += seconds() - start;
    if (status != ST_OK)
      break;
    cost.steps++;
    look(judge, simulation, &cost);
  }
  st_simulation_destroy(simulation);
  st_judge_destroy(judge);
  return cost;
}

static void print_row(const char *name, StDescription *d) {
  long tets = 0, triangles = 0;
  for (int b = 0; b < d->body_count; b++) {
    tets += d->body[b].mesh->tet_count;
    triangles += d->body[b].mesh->triangle_count;
  }
  Cost cost = measure(d);
  printf("  %-14s  %8ld  %8ld  %6d  %9.2f  %9.3f  %9.3f  %7.2f  %9.2f  %8ld\n", name, tets,
         triangles, cost.steps, 1e3 * cost.stepping / cost.steps, 1e3 * cost.looking / cost.steps,
         1e3 * cost.slowest, 100 * cost.looking / cost.stepping, 1e3 * cost.creating,
         cost.findings);
  fflush(stdout);
  st_description_destroy(d);
}

static void print_block(const char *name, int cells) {
  Slope slope = {.world = {.grid = {.cells = {cells, cells, cells},
                                    .low = {0, 0, 5e-4},
                                    .high = {0.4, 0.4, 0.4},
                                    .jitter = 0.1},
                           .young = 1e5,
                           .poisson = 0.4,
                           .density = 1000,
                           .integrator = "be",
                           .step = 0.01,
                           .duration = 0.1,
                           .solver = ST_SOLVER_AUTO},
                 .angle = 0.3,
                 .gravity = 9.81,
                 .mu = 0.2,
                 .epsilon = 1e-3,
                 .thickness = 1e-3,
                 .stiffness = 1e7};
  print_row(name, slope_create(&slope));
}

static int is_scene(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static void print_scenes(const char *folder) {
  struct dirent **entry = NULL;
  int count = scandir(folder, &entry, is_scene, alphasort);
  for (int i = 0; i < count; i++) {
    char path[1024];
    StDescription *d = NULL;
    StError error = {0};
    snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    if (st_scene_load(path, NULL, &d, &error) == ST_OK)
      print_row(entry[i]->d_name, d);
    else
      printf("  %s\n", error.text);
    free(entry[i]);
  }
  free(entry);
}

int main(int argc, char **argv) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  printf("The judge beside the steps it looks at: milliseconds of one core. share: of a step, %%;\n"
         "create: once per run; found: findings in all states together.\n\n"
         "  %-14s  %8s  %8s  %6s  %9s  %9s  %9s  %7s  %9s  %8s\n",
         "scene", "tets", "triangles", "steps", "ms/step", "ms/look", "slowest", "share", "create",
         "found");
  print_block("block, 5K", 9);
  print_block("block, 20K", 15);
  print_scenes(argc > 1 ? argv[1] : "examples");
  st_runtime_stop();
  return 0;
}
