// Good scenes: values arrive in SI, regions choose the right vertices, transforms place meshes, and
// defaults come with their reasons.
#include "force/list.h"
#include "support/listed_scene.h"

#include "force/material.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define PI 3.14159265358979323846
#define MATERIALS "\"materials\": {\"rubber\": {\"young\": 1e5, \"poisson\": 0.25}}"
#define CUBE "\"bodies\": {\"cube\": {\"shape\": {\"type\": \"box\", \"edge\": 0.5}}}"
#define TIME "\"time\": {\"duration\": 1}"

static StDescription *read_scene(const char *text) {
  StDescription *description = NULL;
  StError error = {0};
  if (listed_scene_parse("scene.json", text, strlen(text), "", NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return description;
}

static void assert_close(double value, double wanted) {
  if (!(fabs(value - wanted) <= 1e-14 * fabs(wanted)))
    fail_msg("%.17g, not %.17g", value, wanted);
}

static void assert_vector(const double *value, double x, double y, double z) {
  if (!(fabs(value[0] - x) < 1e-12 && fabs(value[1] - y) < 1e-12 && fabs(value[2] - z) < 1e-12))
    fail_msg("(%g, %g, %g), not (%g, %g, %g)", value[0], value[1], value[2], x, y, z);
}

static StDescription *load(const char *path) {
  StDescription *description = NULL;
  StError error = {0};
  if (listed_scene_load(path, NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return description;
}

static void check_materials(const StDescription *scene) {
  const StMaterialDesc *rubber = &scene->material[0], *foam = &scene->material[1];
  assert_int_equal(scene->material_count, 2);
  assert_string_equal(rubber->name, "rubber");
  assert_ptr_equal(rubber->law.name, st_material_laws[0]->name);
  assert_close(rubber->density, 1100);
  assert_close(rubber->law.value[0], 3e5);
  assert_close(rubber->law.value[1], 0.45);
  assert_close(rubber->mass_damping, 2);
  assert_close(rubber->stiffness_damping, 3e-3);
  assert_string_equal(foam->law.name, "mooney_rivlin");
  assert_close(foam->density, 1000);
  assert_close(foam->law.value[0], 1000);
  assert_close(foam->law.value[1], 2);
  assert_close(foam->law.value[2], 1e5);
}

static void check_bodies(const StDescription *scene) {
  const StBodyDesc *bar = &scene->body[0];
  assert_int_equal(scene->body_count, 1);
  assert_string_equal(bar->name, "bar");
  assert_int_equal(bar->material, 1);
  assert_int_equal(bar->mesh->vertex_count, 5 * 3 * 3);
  assert_vector(bar->velocity, 10, 0, -1);
  assert_vector(bar->angular_velocity, 0, 0, 2 * PI);
  const StBoundaryDesc *wall = &scene->boundary[0];
  assert_int_equal(scene->boundary_count, 1);
  assert_string_equal(wall->name, "wall");
  assert_int_equal(wall->vertex_count, 9);
  assert_true(wall->axis[0] && !wall->axis[1] && wall->axis[2]);
  assert_close(wall->release, 0.5);
  assert_false(st_motion_moves(&wall->motion));
}

static void check_run(const StDescription *scene) {
  assert_vector(scene->gravity, 0, -1, 2);
  assert_int_equal(scene->acceleration_count, 2);
  assert_int_equal(scene->acceleration[0].body, 0);
  assert_close(scene->acceleration[0].start, 1);
  assert_close(scene->acceleration[0].end, 2);
  assert_int_equal(scene->acceleration[1].body, -1);
  assert_true(scene->acceleration[1].start == 0 && isinf(scene->acceleration[1].end));
  assert_close(scene->time.duration, 120);
  assert_close(scene->time.step, 5e-3);
  assert_close(scene->time.frame_rate, 100);
  assert_close(scene->time.smallest_step, 1e-6);
  assert_string_equal(scene->integrator, "tr_bdf2");
  assert_int_equal(scene->solver.kind, ST_SOLVER_ITERATIVE);
  assert_int_equal(scene->solver.preconditioner, ST_PC_GAMG);
  assert_close(scene->solver.velocity_tolerance, 1e-3);
  assert_close(scene->solver.change_tolerance, 0.5);
  assert_int_equal(scene->solver.max_iterations, 7);
  assert_int_equal(scene->solver.max_linear_iterations, 8);
  assert_false(scene->output.stress || scene->output.forces);
  assert_close(scene->output.checkpoint_interval, 1);
}

// In the order of the descriptor: density, coefficient, wind.
static void check_forces(const StDescription *scene) {
  assert_int_equal(scene->force_count, 2);
  const StForceDesc *all = &scene->force[0], *bar = &scene->force[1];
  assert_ptr_equal(all->choice.name, st_force_drag.name);
  assert_ptr_equal(bar->choice.name, st_force_drag.name);
  assert_int_equal(all->body, -1);
  assert_int_equal(bar->body, 0);
  assert_true(!all->type && !bar->type);
  const double in_all[] = {1000, 1.2, 0, 0, -10}, in_bar[] = {1.2, 0.5, 0, 0, 0};
  for (int i = 0; i < 5; i++) {
    assert_true(fabs(all->choice.value[i] - in_all[i]) < 1e-12 * 1000);
    assert_true(fabs(bar->choice.value[i] - in_bar[i]) < 1e-15);
  }
}

static void check_contact(const StDescription *scene) {
  assert_int_equal(scene->obstacle_count, 2);
  assert_string_equal(scene->obstacle[0].material, "ice");
  assert_vector(scene->obstacle[0].origin, 0, 0, -1);
  assert_int_equal(scene->obstacle[0].motion.translation[0].key_count, 2);
  assert_int_equal(scene->obstacle[1].mesh->tet_count, 2);
  assert_int_equal(scene->contact_count, 2);
  assert_close(scene->contact[0].thickness, 2e-3);
  assert_close(scene->contact[0].stiffness, 3000);
  assert_close(scene->contact[0].friction.dynamic_coefficient, 0.05);
  assert_close(scene->contact[0].friction.stribeck_speed, 2);
  assert_int_equal(scene->contact_settings.friction, ST_FRICTION_FIXED_BASIS);
  assert_int_equal(scene->contact_settings.max_repeats, 5);
}

static void test_everything_arrives(void **state) {
  (void)state;
  StDescription *scene = load(TEST_DATA "/scenes/everything.json");
  assert_string_equal(scene->title, "Swing");
  check_materials(scene);
  check_bodies(scene);
  check_run(scene);
  check_forces(scene);
  check_contact(scene);
  st_description_destroy(scene);
}

static const StNote *find_note(const StDescription *scene, const char *key) {
  for (int i = 0; i < scene->note_count; i++)
    if (strcmp(scene->note[i].key, key) == 0)
      return &scene->note[i];
  fail_msg("no note about %s", key);
  return NULL;
}

// A scene that says nothing has the defaults that a C program gets, and notes say which and why.
static void test_defaults(void **state) {
  (void)state;
  StDescription *scene = read_scene("{" MATERIALS ", " CUBE ", " TIME "}");
  StDescription *plain = st_description_create();
  assert_memory_equal(scene->gravity, plain->gravity, sizeof plain->gravity);
  assert_memory_equal(&scene->time, &plain->time, sizeof plain->time);
  assert_string_equal(scene->integrator, plain->integrator);
  assert_int_equal(scene->solver.kind, plain->solver.kind);
  assert_int_equal(scene->solver.preconditioner, plain->solver.preconditioner);
  assert_int_equal(scene->solver.max_iterations, plain->solver.max_iterations);
  assert_int_equal(scene->solver.max_linear_iterations, plain->solver.max_linear_iterations);
  assert_int_equal(scene->output.stress, plain->output.stress);
  assert_int_equal(scene->output.forces, plain->output.forces);
  assert_close(scene->output.checkpoint_interval, 0.05);
  assert_null(scene->title);
  assert_string_equal(find_note(scene, "time.step")->value, "0.01 s");
  assert_string_equal(find_note(scene, "time.frame_rate")->value, "50 1/s");
  assert_string_equal(find_note(scene, "gravity")->value, "[0, 0, -9.81] m/s^2");
  assert_string_equal(find_note(scene, "integrator")->value, "\"be\"");
  assert_string_equal(find_note(scene, "materials.rubber.density")->value, "1000 kg/m^3");
  assert_string_equal(find_note(scene, "solver.type")->value, "\"auto\"");
  assert_string_equal(find_note(scene, "time.smallest_step")->value, "9.766e-06 s");
  assert_string_equal(find_note(scene, "output.checkpoint_interval")->value, "0.05 s");
  assert_string_equal(find_note(scene, "bodies.cube.material")->value, "rubber");
  const StNote *note = find_note(scene, "solver.velocity_tolerance");
  assert_string_equal(note->value, "4.122e-06 m/s");
  assert_string_equal(note->reason,
                      "1e-06 of √(gL) = 4.122 m/s with g = 9.81 m/s^2 and the scene's "
                      "size L = 1.732 m");
  st_description_destroy(plain);
  st_description_destroy(scene);
}

static double tolerance_of(const char *text) {
  StDescription *scene = read_scene(text);
  double tolerance = scene->solver.velocity_tolerance;
  assert_close(scene->solver.change_tolerance, 10 * tolerance);
  st_description_destroy(scene);
  return tolerance;
}

// Lengths by s, speeds by √s: the chosen tolerance follows.
static void test_tolerance_scales(void **state) {
  (void)state;
  double large = tolerance_of("{" MATERIALS ", \"bodies\": {\"b\": {\"shape\": {\"type\": \"box\", "
                              "\"edge\": 0.5}}}, " TIME "}");
  double small = tolerance_of("{" MATERIALS ", \"bodies\": {\"b\": {\"shape\": {\"type\": \"box\", "
                              "\"edge\": 0.5}, \"scale\": 0.01}}, " TIME "}");
  assert_true(fabs(small / large - 0.1) < 1e-12);
}

// Rigid bodies have no speed of sound: what drives them gives the scale. The cube: m = 1000 kg.
static void test_tolerance_of_rigid(void **state) {
  (void)state;
  const char *driven[] = {
      "\"joints\": {\"s\": {\"type\": \"spring\", \"stiffness\": 50, \"length\": 0.5, \"from\": "
      "{\"body\": \"b\", \"point\": [0, 0, 0]}, \"to\": {\"point\": [0, 0, 2]}}}",
      "\"joints\": {\"t\": {\"type\": \"torsion\", \"axis\": \"z\", \"stiffness\": 10, \"angle\": "
      "[{\"time\": 0, \"value\": 0}, {\"time\": 1, \"value\": -3}], \"from\": {\"body\": \"b\", "
      "\"point\": [0, 0, 0]}}}",
      "\"forces\": [{\"type\": \"drag\", \"wind_x\": \"7*t\", \"wind_y\": -2}]",
      "\"loads\": {\"p\": {\"region\": {\"label\": \"z+\"}, \"pressure\": -40}}",
  };
  double size = sqrt(3), speed[] = {sqrt(1.5 * 50 * size / 1000), sqrt(3 * 10 / 1000.), 7,
                                    sqrt(40 * pow(size, 3) / 1000)};
  for (int i = 0; i < 4; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "{\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"gravity\": 0, \"bodies\": {\"b\": "
             "{\"shape\": {\"type\": \"box\", \"edge\": 1}}}, %s, \"time\": {\"duration\": 1}}",
             driven[i]);
    double tolerance = tolerance_of(text);
    assert_true(fabs(tolerance - 1e-6 * speed[i]) < 1e-12 * speed[i]);
  }
}

static void test_tolerance_sources(void **state) {
  (void)state;
  double diagonal = sqrt(3);
  assert_close(tolerance_of("{" MATERIALS ", " CUBE ", " TIME ", \"gravity\": 4}"),
               1e-6 * sqrt(4 * diagonal));
  assert_close(tolerance_of("{" MATERIALS ", " CUBE ", " TIME
                            ", \"gravity\": 0, \"accelerations\": "
                            "[{\"value\": [0, 9, 0]}]}"),
               1e-6 * sqrt(9 * diagonal));
  assert_close(tolerance_of("{" MATERIALS ", \"bodies\": {\"b\": {\"shape\": {\"type\": \"box\", "
                            "\"edge\": 0.5}, \"velocity\": [3, 0, 4]}}, " TIME ", \"gravity\": 0}"),
               5e-6);
  assert_close(
      tolerance_of("{" MATERIALS ", " CUBE ", " TIME ", \"gravity\": 0, \"boundaries\": "
                   "{\"a\": {\"region\": {\"label\": \"z+\"}, \"motion\": {\"velocity\": [0, 0, "
                   "2]}}}}"),
      2e-6);
  // A cubic metre of 1000 kg, pushed and turned.
  assert_close(tolerance_of("{" MATERIALS ", " CUBE ", " TIME
                            ", \"gravity\": 0, \"loads\": {\"a\": "
                            "{\"region\": {\"label\": \"z+\"}, \"force\": [24, 0, 32]}}}"),
               1e-6 * sqrt(40 * diagonal / 1000));
  assert_close(tolerance_of("{" MATERIALS ", " CUBE ", " TIME
                            ", \"gravity\": 0, \"loads\": {\"a\": "
                            "{\"region\": {\"label\": \"z+\"}, \"traction\": [0, 10, 0]}}}"),
               1e-6 * sqrt(10 * diagonal / 1000));
  assert_close(tolerance_of("{" MATERIALS ", " CUBE ", " TIME
                            ", \"gravity\": 0, \"loads\": {\"a\": "
                            "{\"region\": \"all\", \"torque\": \"90 N*m\", \"axis\": \"z\"}}}"),
               1e-6 * sqrt(90.0 / 1000));
  // λ + 2μ = 1.2 E at ν = ¼; 1000 kg/m³.
  assert_close(tolerance_of("{" MATERIALS ", " CUBE ", " TIME ", \"gravity\": 0}"),
               1e-6 * sqrt(1.2e5 / 1000));
}

static void test_gravity_as_number(void **state) {
  (void)state;
  StDescription *scene =
      read_scene("{" MATERIALS ", " CUBE ", " TIME ", \"gravity\": \"1.62 m/s^2\"}");
  assert_vector(scene->gravity, 0, 0, -1.62);
  st_description_destroy(scene);
}

// How many of the cube's 3 x 3 x 3 vertices (at -0.5, 0, 0.5) a region chooses.
static int selected(const char *region) {
  char text[1000];
  snprintf(text, sizeof text,
           "{" MATERIALS ", " CUBE ", " TIME ", \"boundaries\": {\"a\": {\"region\": %s}}}",
           region);
  StDescription *scene = read_scene(text);
  int count = scene->boundary[0].vertex_count;
  for (int i = 1; i < count; i++)
    assert_true(scene->boundary[0].vertex[i] > scene->boundary[0].vertex[i - 1]);
  st_description_destroy(scene);
  return count;
}

static void test_regions(void **state) {
  (void)state;
  assert_int_equal(selected("\"all\""), 27);
  assert_int_equal(selected("{\"box\": {\"min\": [-0.5, -0.5, -0.5], \"max\": [0, 0, 0]}}"), 8);
  assert_int_equal(selected("{\"box\": {\"min\": [-1, -1, \"50 cm\"], \"max\": [1, 1, 1]}}"), 9);
  assert_int_equal(selected("{\"sphere\": {\"centre\": [0, 0, 0], \"radius\": 0.5}}"), 7);
  assert_int_equal(selected("{\"sphere\": {\"centre\": [0, 0, 0], \"radius\": 0.8}}"), 19);
  assert_int_equal(selected("{\"plane\": {\"point\": [0, 0, 0.5], \"normal\": \"z\"}}"), 9);
  assert_int_equal(selected("{\"plane\": {\"point\": [0, 0, 0], \"normal\": \"-z\", \"side\": "
                            "\"behind\"}}"),
                   18);
  assert_int_equal(selected("{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 0, 7], \"side\": "
                            "\"in_front\"}}"),
                   18);
  assert_int_equal(
      selected("{\"plane\": {\"point\": [0, 0, 0.4], \"normal\": \"z\", \"tolerance\": "
               "\"11 cm\"}}"),
      9);
  assert_int_equal(selected("{\"plane\": {\"point\": [0.5, 0.5, 0], \"normal\": [1, 1, 0]}}"), 3);
  assert_int_equal(selected("{\"label\": \"y+\"}"), 9);
  assert_int_equal(selected("[{\"label\": \"y+\"}, {\"label\": \"y-\"}, {\"label\": \"x-\"}]"), 21);
}

// Vertex numbers count through all bodies; a boundary may be restricted to some of them.
static void test_bodies_of_boundaries(void **state) {
  (void)state;
  StDescription *scene = read_scene(
      "{" MATERIALS ", \"bodies\": {\"a\": {\"shape\": {\"type\": \"box\", \"edge\": 1}},"
      " \"b\": {\"shape\": {\"type\": \"box\", \"edge\": 1}, \"translate\": [\"200 cm\", 0, 0]},"
      " \"c\": {\"shape\": {\"type\": \"box\", \"edge\": 1}, \"translate\": [4, 0, 0]}}, " TIME ","
      " \"boundaries\": {\"all x\": {\"region\": {\"label\": \"z-\"}, \"hold\": \"x\"},"
      "   \"b y\": {\"body\": \"b\", \"region\": \"all\", \"hold\": [\"y\"]},"
      "   \"a and c z\": {\"body\": [\"a\", \"c\"], \"region\": \"all\", \"hold\": [\"z\"]}}}");
  assert_int_equal(scene->boundary[0].vertex_count, 12);
  assert_int_equal(scene->boundary[1].vertex_count, 8);
  for (int i = 0; i < 8; i++) {
    assert_int_equal(scene->boundary[1].vertex[i], 8 + i);
    assert_int_equal(scene->boundary[2].vertex[i], i);
    assert_int_equal(scene->boundary[2].vertex[8 + i], 16 + i);
  }
  assert_true(!scene->boundary[1].axis[0] && scene->boundary[1].axis[1]);
  st_description_destroy(scene);
}

static double volume_of(const StMesh *mesh) {
  double volume = 0;
  for (int i = 0; i < mesh->tet_count; i++) {
    double one = st_tet_volume(mesh->position, mesh->tet + 4 * i);
    assert_true(one > 0);
    volume += one;
  }
  return volume;
}

static StDescription *placed(const char *transform) {
  char text[1000];
  snprintf(text, sizeof text,
           "{" MATERIALS
           ", \"bodies\": {\"b\": {\"shape\": {\"type\": \"box\", \"edge\": 0.5}%s}}, " TIME "}",
           transform);
  return read_scene(text);
}

static void assert_bounds(const char *transform, const double low[3], const double high[3],
                          double volume) {
  StDescription *scene = placed(transform);
  double found_low[3], found_high[3];
  assert_true(st_description_bounds(scene, found_low, found_high));
  assert_vector(found_low, low[0], low[1], low[2]);
  assert_vector(found_high, high[0], high[1], high[2]);
  assert_true(fabs(volume_of(scene->body[0].mesh) - volume) < 1e-12);
  st_description_destroy(scene);
}

static void test_transforms(void **state) {
  (void)state;
  const double half[3] = {0.5, 0.5, 0.5}, less[3] = {-0.5, -0.5, -0.5};
  assert_bounds("", less, half, 1);
  assert_bounds(", \"scale\": 2, \"translate\": [0, 0, 1]", (double[]){-1, -1, 0},
                (double[]){1, 1, 2}, 8);
  assert_bounds(", \"scale\": [1, -2, 3]", (double[]){-0.5, -1, -1.5}, (double[]){0.5, 1, 1.5}, 6);
  assert_bounds(", \"scale\": -1", less, half, 1);
  assert_bounds(", \"translate\": [1, 0, 0], \"scale\": 4", (double[]){-1, -2, -2},
                (double[]){3, 2, 2}, 64); // the order in the file does not matter
  double r = sqrt(0.5);
  assert_bounds(", \"rotate\": {\"axis\": \"z\", \"angle\": \"45 deg\"}", (double[]){-r, -r, -0.5},
                (double[]){r, r, 0.5}, 1);
  assert_bounds(
      ", \"rotate\": {\"axis\": [0, 0, 2], \"angle\": \"0.5 turn\", \"centre\": [1, 0, 0]}",
      (double[]){1.5, -0.5, -0.5}, (double[]){2.5, 0.5, 0.5}, 1);
  assert_bounds(
      ", \"scale\": [2, 4, 6], \"rotate\": [{\"axis\": \"x\", \"angle\": \"90°\"}, {\"axis\": "
      "\"z\", \"angle\": \"90°\"}]",
      (double[]){-3, -1, -2}, (double[]){3, 1, 2}, 48); // x → z…: (2,4,6) → (2,6,4) → (6,2,4)
}

static StDescription *moved(const char *motion) {
  char text[1000];
  snprintf(text, sizeof text,
           "{" MATERIALS ", " CUBE ", " TIME
           ", \"boundaries\": {\"a\": {\"region\": {\"label\": \"x+\"}, \"motion\": %s}}}",
           motion);
  return read_scene(text);
}

static void test_motion_in_short(void **state) {
  (void)state;
  const double X[3] = {0.5, 0.5, 0};
  double x[3], v[3];
  StDescription *scene =
      moved("{\"velocity\": [0, 0, \"36 km/h\"], \"spin\": \"15 rpm\", \"axis\": "
            "\"x\", \"start\": 1}");
  st_motion_at(&scene->boundary[0].motion, 0.5, X, x, v);
  assert_vector(x, 0.5, 0.5, 0);
  assert_vector(v, 0, 0, 0);
  st_motion_at(&scene->boundary[0].motion, 2, X, x, v); // a quarter turn about the face's middle
  assert_vector(x, 0.5, 0, 0.5 + 10);
  assert_vector(v, 0, -0.25 * PI, 10);
  st_motion_at(&scene->boundary[0].motion, 9, X, x, v);
  assert_vector(x, 0.5, 0.5, 80);
  st_description_destroy(scene);
  scene = moved("{\"velocity\": [1, 0, 0], \"end\": 3}");
  st_motion_at(&scene->boundary[0].motion, 9, X, x, v);
  assert_vector(x, 3.5, 0.5, 0);
  assert_vector(v, 0, 0, 0);
  st_description_destroy(scene);
}

static void test_motion_by_keys(void **state) {
  (void)state;
  StDescription *scene = moved(
      "{\"keys\": [{\"time\": 0}, {\"time\": 1, \"translate\": [1, 2, 3]}, {\"time\": \"1500 ms\", "
      "\"angle\": \"180 deg\"}, {\"time\": 2, \"translate\": [0, 0, 0]}], \"axis\": \"-y\", "
      "\"centre\": "
      "[0, 0, \"1 cm\"], \"interpolation\": \"smooth\"}");
  const StMotion *motion = &scene->boundary[0].motion;
  const StCurve *shift = motion->translation;
  assert_int_equal(shift->key_count, 4);
  assert_close(shift->time[2], 1.5);
  const double wanted[] = {0, 1, 1, 0}; // not said: as before
  for (int i = 0; i < 4; i++)
    assert_vector((double[3]){shift[0].value[i], shift[1].value[i], shift[2].value[i]}, wanted[i],
                  2 * wanted[i], 3 * wanted[i]);
  assert_vector(motion->angle.value, 0, 0, PI);
  assert_close(motion->angle.value[3], PI);
  assert_vector(motion->axis, 0, -1, 0);
  assert_vector(motion->centre, 0, 0, 0.01);
  assert_true(shift->rate && shift->rate[0] == 0 && shift->rate[3] == 0);
  assert_false(shift->extend);
  st_description_destroy(scene);
}

// Of the face's middle, (0.5, 0, 0), where no turn shows.
static void assert_course(const char *motion, double t, double x, double v) {
  StDescription *scene = moved(motion);
  const StMotion *read = &scene->boundary[0].motion;
  double position[3], velocity[3];
  st_motion_at(read, t, read->centre, position, velocity);
  assert_close(position[0] - read->centre[0], x);
  assert_close(velocity[0], v);
  st_description_destroy(scene);
}

static void test_motion_over_time(void **state) {
  (void)state;
  const char *sine = "{\"translate\": {\"sine\": {\"amplitude\": \"5 mm\", \"frequency\": \"50 "
                     "Hz\", \"phase\": \"90 deg\", \"mean\": \"1 cm\"}}, \"direction\": \"-x\"}";
  double w = 100 * PI;
  assert_course(sine, 0.003, -0.01 - 0.005 * cos(0.003 * w), 0.005 * w * sin(0.003 * w));
  const char *formula = "{\"translate\": [\"5 mm*sin(2*pi*50 Hz*t)\", 0, 0], \"spin\": \"3 rpm\", "
                        "\"axis\": \"y\"}";
  assert_course(formula, 0.003, 0.005 * sin(0.003 * w), 0.005 * w * cos(0.003 * w));
  const char *keys = "{\"translate\": [[{\"time\": 0, \"value\": 0}, {\"time\": 2, \"value\": 1}], "
                     "0, {\"ramp\": {\"to\": 1, \"end\": 1}}]}";
  assert_course(keys, 0.5, 0.25, 0.5);
  const char *cubic =
      "{\"keys\": [{\"time\": 0}, {\"time\": 1, \"translate\": [1, 0, 0]}, "
      "{\"time\": 2, \"translate\": [8, 0, 0]}, {\"time\": 3, \"translate\": [27, 0, "
      "0]}], \"interpolation\": \"cubic\"}";
  assert_course(cubic, 2.5, 15.625, 18.75); // t³
  const char *ramp =
      "{\"translate\": {\"ramp\": {\"from\": \"1 m\", \"to\": \"3 m\", \"start\": 1, "
      "\"end\": 2, \"interpolation\": \"smooth\"}}, \"direction\": \"x\"}";
  assert_course(ramp, 1.5, 2, 3);
  assert_course(ramp, 0.5, 1, 0);
  assert_course("{\"angle\": \"0.3*t^2\", \"axis\": \"x\"}", 2, 0, 0);
}

static void test_label_materials(void **state) {
  (void)state;
  StDescription *scene = load(TEST_DATA "/scenes/two_parts.json");
  const StBodyDesc *tyre = &scene->body[0];
  assert_int_equal(tyre->mesh->tet_count, 2);
  assert_int_equal(tyre->material, 0);
  assert_int_equal(tyre->label_material_count, 1);
  assert_int_equal(tyre->label_material[0].material, 1);
  assert_string_equal(tyre->mesh->label_name[tyre->label_material[0].label], "tread");
  assert_int_equal(scene->boundary[0].vertex_count, 3); // a label of faces
  assert_int_equal(scene->boundary[1].vertex_count, 4); // a label of tets
  assert_vector(tyre->mesh->position + 3, 1e-3, 0, 0);
  st_description_destroy(scene);
}

static void keep(void *context, StLevel level, const char *text) {
  (void)level;
  snprintf(context, 300, "%s", text);
}

static void test_warning_about_frames(void **state) {
  (void)state;
  char said[300] = "";
  StLog log = {keep, said};
  StDescription *scene = NULL;
  const char *text =
      "{" MATERIALS ", " CUBE ", \"time\": {\"duration\": 1, \"step\": 0.1, \"frame_rate\": 20}}";
  assert_int_equal(listed_scene_parse("s.json", text, strlen(text), NULL, &log, &scene, NULL),
                   ST_OK);
  assert_string_equal(said,
                      "s.json: time.step is 0.1 s, but every frame ends a step: steps will be "
                      "0.05 s at most (time.frame_rate is 20 1/s)");
  st_description_destroy(scene);
}

// Only a frame rate that is asked for shortens steps.
static void test_frames_of_long_steps(void **state) {
  (void)state;
  char said[300] = "";
  StLog log = {keep, said};
  StDescription *scene = NULL;
  const char *text = "{" MATERIALS ", " CUBE ", \"time\": {\"duration\": 1, \"step\": 0.1}}";
  assert_int_equal(listed_scene_parse("s.json", text, strlen(text), NULL, &log, &scene, NULL),
                   ST_OK);
  assert_string_equal(said, "");
  assert_close(scene->time.frame_rate, 10);
  assert_string_equal(find_note(scene, "time.frame_rate")->value, "10 1/s");
  st_description_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_everything_arrives),   cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_tolerance_scales),     cmocka_unit_test(test_tolerance_sources),
      cmocka_unit_test(test_gravity_as_number),    cmocka_unit_test(test_regions),
      cmocka_unit_test(test_bodies_of_boundaries), cmocka_unit_test(test_transforms),
      cmocka_unit_test(test_motion_in_short),      cmocka_unit_test(test_motion_by_keys),
      cmocka_unit_test(test_motion_over_time),     cmocka_unit_test(test_label_materials),
      cmocka_unit_test(test_warning_about_frames), cmocka_unit_test(test_frames_of_long_steps),
      cmocka_unit_test(test_tolerance_of_rigid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
