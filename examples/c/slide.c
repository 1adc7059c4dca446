// Builds the scene of ../slide.json by calls, without a file: three blocks on a slope of 10
// degrees, of which one slides away, one comes to rest and one never moves. Prints how far each has
// come.
//   cc slide.c $(pkg-config --cflags --libs stiction) -o slide && ./slide
//   ./slide SCENE.json    writes the scene instead
#include <stiction/build.h>

#include <stdio.h>

static const double CM = 1e-2, MM = 1e-3;

static void add_material(StictionBuild *build, const char *name) {
  StictionPart *material = stiction_build_add_material(build, name, "stable_neo_hookean");
  stiction_part_set_text(material, "young", "1 GPa");
  stiction_part_set_number(material, "poisson", 0);
  stiction_part_set_number(material, "density", 600);
}

// About the y-axis through a point, in the frame of the mesh.
static void tilt(StictionPart *part, double x, double z) {
  StictionPart *turn = stiction_part_object(part, "rotate");
  stiction_part_set_text(turn, "axis", "y");
  stiction_part_set_text(turn, "angle", "10 deg");
  stiction_part_set_vector(turn, "centre", x, 0, z);
}

// A box that is tilted about the middle of its underside, which then lies 0.4 mm above the slope.
static StictionPart *add_block(StictionBuild *build, const char *name, const char *material,
                               double y) {
  StictionPart *block = stiction_build_add_body(build, name, material);
  StictionPart *box = stiction_part_set_shape(block, "box");
  stiction_part_set_number(box, "size_x", 30 * CM);
  stiction_part_set_number(box, "size_y", 20 * CM);
  stiction_part_set_number(box, "size_z", 15 * CM);
  stiction_part_set_number(box, "edge", 10 * CM);
  tilt(block, 0, -7.54 * CM);
  stiction_part_set_vector(block, "translate", 0, y, 7.54 * CM);
  return block;
}

static void add_slope(StictionBuild *build) {
  StictionPart *slope = stiction_build_add_obstacle(build, "slope", "plank");
  StictionPart *box = stiction_part_set_shape(slope, "box");
  stiction_part_set_number(box, "size_x", 2);
  stiction_part_set_number(box, "size_y", 1);
  stiction_part_set_number(box, "size_z", 5 * CM);
  tilt(slope, -70 * CM, 2.5 * CM);
  stiction_part_set_vector(slope, "translate", 70 * CM, 0, -2.5 * CM);
}

// No call has to be looked at: the first mistake is told when the scene is made.
static void describe(StictionBuild *build) {
  stiction_part_set_text(stiction_build_root(build), "title",
                         "Blocks on a slope: one slides, one stops, one holds");
  add_material(build, "waxed");
  add_material(build, "wood");
  add_block(build, "slides", "waxed", -30 * CM);
  StictionPart *stops = add_block(build, "stops", "wood", 0);
  stiction_part_set_vector(stops, "velocity", 98.4808 * MM, 0, -17.3648 * MM);
  add_block(build, "holds", "wood", 30 * CM);
  add_slope(build);
  stiction_build_add_friction(build, "waxed", "plank", 0.1755);
  stiction_build_add_friction(build, "wood", "plank", 0.177);

  StictionPart *pairs = stiction_part_object(stiction_build_settings(build, "contact"), "pairs");
  stiction_part_set_text(pairs, "collider", "all"); // they never meet each other
  stiction_part_set_text(pairs, "surface", "slope");
  StictionPart *time = stiction_build_settings(build, "time");
  stiction_part_set_number(time, "duration", 17);
  stiction_part_set_text(time, "step", "20 ms");
  stiction_part_set_text(time, "frame_rate", "25 Hz");
}

static StictionStatus slide(Stiction *session, StictionBuild *build) {
  StictionScene *scene = NULL;
  StictionSimulation *simulation = NULL;
  StictionStatus status = stiction_scene_build(session, build, &scene);
  if (status == STICTION_OK)
    status = stiction_simulation_create(session, scene, &simulation);
  double start[3] = {0};
  for (int i = 0; i < 3 && status == STICTION_OK; i++)
    start[i] = stiction_simulation_report(simulation)->body[i].centre[0];
  while (status == STICTION_OK && !stiction_simulation_finished(simulation))
    status = stiction_simulation_step(simulation);
  const double cosine = 0.98480775301220802; // of the slope, along which the way is longer
  for (int i = 0; i < 3 && status == STICTION_OK; i++) {
    const StictionBodyReport *block = &stiction_simulation_report(simulation)->body[i];
    printf("%-6s %9.5f m, now at %8.5f m/s\n", block->name, (block->centre[0] - start[i]) / cosine,
           block->velocity[0] / cosine);
  }
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
  return status;
}

int main(int argc, char **argv) {
  Stiction *session = NULL;
  StictionBuild *build = NULL;
  StictionStatus status = stiction_build_create(&build);
  if (status == STICTION_OK)
    describe(build);
  if (status == STICTION_OK && argc > 1) {
    status = stiction_build_write(build, argv[1]);
  } else if (status == STICTION_OK) {
    status = stiction_open(&session);
    if (status == STICTION_OK)
      status = slide(session, build);
  }
  if (status != STICTION_OK)
    fprintf(stderr, "slide: %s\n", stiction_error(session));
  stiction_build_free(build);
  stiction_close(session);
  return status == STICTION_OK ? 0 : 1;
}
