// Throws on several ranks: bodies of different ranks, thrown by several diameters per step and
// turning, do not pass through each other or a peg. Ranks reject the same attempts, or they would
// wait for each other for ever.
#include "scene/scene.h"
#include "solve/runtime.h"
#include "support/world.h"

#include <stdio.h>
#include <string.h>

static const char *const SCENE =
    "{\"materials\": {\"soft\": {\"young\": 1e6, \"poisson\": 0.4, \"density\": 1000, "
    "\"stiffness_damping\": 1e-3}, \"rigid\": {\"law\": \"rigid\", \"density\": 1000}}, "
    "\"bodies\": {\"thrown\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.025, \"cells\": 2}, "
    "\"material\": \"%s\", \"translate\": [-0.3, 0.004, 0.003], \"velocity\": [5, 0, 0], "
    "\"angular_velocity\": [0, 0, %g]}, "
    "\"target\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.025, \"cells\": 2}, "
    "\"material\": \"soft\"}, "
    "\"other\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.02, \"cells\": 2}, \"material\": "
    "\"rigid\", \"translate\": [0.55, 0, 0.002], \"velocity\": [-4, 0, 0]}}, "
    "\"obstacles\": {\"peg\": {\"shape\": {\"type\": \"capsule\", \"radius\": 0.01, \"length\": "
    "0.3}, \"translate\": [0.4, 0, 0]}}, \"gravity\": 0, \"integrator\": \"be\", "
    "\"time\": {\"duration\": %.17g, \"step\": %.17g, \"frame_rate\": %.17g}}";

static void run(const char *material, double spin, double step) {
  char text[2000];
  StError error = {0};
  StDescription *description = NULL;
  snprintf(text, sizeof text, SCENE, material, spin, 3 * step, step, 1 / step);
  world_must(st_scene_parse("scene", text, strlen(text), NULL, NULL, &description, &error) == ST_OK,
             error.text);
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  long rejected = 0;
  while (report->time < 2.9 * step) {
    world_step(simulation);
    rejected += report->rejected[ST_OUTCOME_CROSSED];
    world_must(report->judge.checked, "the judge did not look");
    world_must(report->judge.found.kind[ST_FOUND_PASSAGE].count == 0, "something passed through");
  }
  if (st_runtime_rank() == 0)
    printf("%s, %g rad/s, %g s: %ld rejected, target at %g m/s, other at %g m\n", material, spin,
           step, rejected, report->body[1].velocity[0], report->body[2].centre[0]);
  world_must(report->body[1].velocity[0] > 0.25, "the target stays behind");
  world_must(report->body[2].velocity[0] > -3.9 || report->body[2].centre[0] > 0.4,
             "the peg stops nothing");
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

int main(void) {
  StError error = {0};
  world_must(st_runtime_start(&error) == ST_OK, error.text);
  run("soft", 0, 0.1);
  run("rigid", 20, 0.04);
  st_runtime_stop();
  return 0;
}
