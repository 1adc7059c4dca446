// A small run for the tests of what reads runs back: a soft block that is thrown at a floor, a
// cloth beside it, a ball that moves and turns. Made once per test program, by the real engine.
#ifndef TESTS_SUPPORT_SMALL_RUN_H
#define TESTS_SUPPORT_SMALL_RUN_H

#include "output/run.h"
#include "output/scratch.h"
#include "scene/scene.h"
#include "solve/runtime.h"

#include <stdlib.h>

enum { SMALL_RUN_FRAMES = 5, SMALL_RUN_STEPS = 8 };

static const char small_run_scene[] =
    "{ \"materials\": { \"gum\": { \"young\": \"50 kPa\", \"poisson\": 0.4, \"density\": 1000 },\n"
    "    \"silk\": { \"law\": \"membrane\", \"young\": \"100 N/m\", \"poisson\": 0.3,\n"
    "      \"area_density\": \"60 g/m^2\" } },\n"
    "  \"bodies\": {\n"
    "    \"block\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.2, \"size_y\": 0.1,\n"
    "      \"size_z\": 0.1, \"edge\": 0.05 }, \"material\": \"gum\", \"translate\": [0, 0, 0.06],\n"
    "      \"velocity\": [0, 0, -0.5] },\n"
    "    \"sheet\": { \"shape\": { \"type\": \"sheet\", \"width\": 0.2, \"length\": 0.2,\n"
    "      \"edge\": 0.1 }, \"material\": \"silk\", \"translate\": [0, 1, 0.5] } },\n"
    "  \"obstacles\": {\n"
    "    \"floor\": { \"shape\": { \"type\": \"half_space\" } },\n"
    "    \"ball\": { \"shape\": { \"type\": \"sphere\", \"radius\": 0.1 },\n"
    "      \"translate\": [-1, 0, 0.2], \"motion\": { \"axis\": \"z\", \"keys\": [\n"
    "      { \"time\": 0 }, { \"time\": 0.04, \"translate\": [0, 0.2, 0], \"angle\": \"90 deg\" }] "
    "} } },\n"
    "  \"time\": { \"duration\": 0.04, \"step\": 0.005, \"frame_rate\": 100 } }\n";

// Leaves the run in scratch("run"); for cmocka's group set-up.
static int small_run_begin(void **state) {
  StError error = {0};
  StDescription *description = NULL;
  if (scratch_begin(state) != 0 || st_runtime_start(&error) != ST_OK)
    return -1;
  StStatus status =
      st_file_write(scratch("small.json"), small_run_scene, sizeof small_run_scene - 1, &error);
  if (status == ST_OK)
    status = st_scene_load(scratch("small.json"), NULL, &description, &error);
  StRunOptions options = {.folder = scratch("run"),
                          .scene_path = scratch("small.json"),
                          .scene_text = small_run_scene,
                          .scene_size = sizeof small_run_scene - 1};
  if (status == ST_OK)
    status = st_run(description, &options, &error);
  st_description_destroy(description);
  if (status != ST_OK)
    fprintf(stderr, "%s\n", error.text);
  return status == ST_OK ? 0 : -1;
}

static inline int small_run_end(void **state) {
  st_runtime_stop();
  return scratch_end(state);
}

#endif
