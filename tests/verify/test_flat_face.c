// Nothing is pushed along a flat face. Without friction, cubes rest on floors of triangles,
// wherever the vertices of the floor are; cubes rest on each other; and equal blocks press on each
// other equally, up to their corners.
#include "contact/core/contact_force.h"
#include "contact/core/contact_set.h"
#include "support/listed_scene.h"
#include "solve/runtime.h"
#include "step/simulation_parts.h"
#include "support/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double GRAVITY = 9.81, SIZE = 0.1, DENSITY = 1000;
enum { CUBES = 5, LONGEST = 6000 };

typedef struct Trial {
  StDescription *description;
  StSimulation *simulation;
} Trial;

static Trial run_until(double time, const char *text) {
  Trial trial;
  StError error = {0};
  if (listed_scene_parse("scene", text, strlen(text), ".", NULL, &trial.description, &error) !=
      ST_OK)
    fail_msg("%s", error.text);
  trial.simulation = world_start(trial.description);
  while (st_simulation_time(trial.simulation) < time - 1e-9)
    world_step(trial.simulation);
  return trial;
}

static void end(Trial *trial) {
  st_simulation_destroy(trial->simulation);
  st_description_destroy(trial->description);
}

// m/s, along x and y, of the mean over the vertices of the body that has most.
static double drift(const Trial *trial) {
  StSnapshot snapshot = world_snapshot(trial->simulation);
  double most = 0;
  const double *velocity = snapshot.velocity;
  for (int b = 0; b < trial->description->body_count; b++) {
    int count = trial->description->body[b].mesh->vertex_count;
    double mean[2] = {0};
    for (int i = 0; i < 3 * count; i++)
      if (i % 3 < 2)
        mean[i % 3] += velocity[i] / count;
    velocity += 3 * (size_t)count;
    most = fmax(most, hypot(mean[0], mean[1]));
  }
  st_snapshot_free(&snapshot);
  return most;
}

static void assert_rests(const char *what, const Trial *trial, double speed) {
  double found = drift(trial);
  if (!(found <= speed))
    fail_msg("%s: drifts at %.3g m/s, at most %.3g", what, found, speed);
}

// A cube at (x, y), rotated by some angle in degrees, with its lower side at z.
typedef struct Cube {
  double x, y, angle, z, edge;
} Cube;

static void add_cube(char *text, int number, const Cube *cube) {
  size_t length = strlen(text);
  snprintf(text + length, LONGEST - length,
           "%s\"cube %d\": {\"shape\": {\"type\": \"box\", \"size_x\": %g, \"size_y\": %g, "
           "\"size_z\": %g, \"edge\": %g}, \"material\": \"cube\", \"rotate\": {\"axis\": \"z\", "
           "\"angle\": \"%g deg\"}, \"translate\": [%.9g, %.9g, %.9g]}",
           number > 0 ? ", " : "", number, SIZE, SIZE, SIZE, cube->edge, cube->angle, cube->x,
           cube->y, cube->z + SIZE / 2);
}

#define SOFT "\"young\": 1e6, \"poisson\": 0.3, \"stiffness_damping\": 1e-3"
#define STIFF "\"young\": 1e9, \"poisson\": 0.3, \"stiffness_damping\": 1e-3"
#define RIGID "\"law\": \"rigid\""
#define PLANE "\"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}"

static void begin_scene(char *text, const char *material) {
  snprintf(text, LONGEST,
           "{\"materials\": {\"cube\": {%s, \"density\": %g}, \"slab\": {%s, \"density\": 1000}}, "
           "\"bodies\": {",
           material, DENSITY, RIGID);
}

static void end_scene(char *text, const char *rest) {
  size_t length = strlen(text);
  snprintf(text + length, LONGEST - length,
           "}, %s, \"friction\": [{\"between\": \"any\", \"dynamic\": 0}], \"time\": "
           "{\"duration\": 3, \"step\": \"5 ms\"}, \"output\": {\"judge\": \"off\"}}",
           rest);
}

static const Cube PLACED[] = {{0, 0, 0, 1e-4, 0.05},           // over vertices of the floor
                              {0.0123, 0.0071, 0, 1e-4, 0.05}, // beside them
                              {0.0123, 0.0071, 23, 1e-4, 0.05},
                              {0.0123, 0.0071, 23, 1e-4, 0.1}};

static void write_floor(const char *path, int cells) {
  const double width = 0.5;
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  for (int i = 0; i < (cells + 1) * (cells + 1); i++)
    fprintf(file, "v %.9g %.9g 0\n", width * (i % (cells + 1)) / cells - width / 2,
            width * (i / (cells + 1)) / cells - width / 2);
  for (int i = 0; i < cells * cells; i++) {
    int a = i / cells * (cells + 1) + i % cells + 1;
    fprintf(file, "f %d %d %d\nf %d %d %d\n", a, a + 1, a + cells + 2, a, a + cells + 2,
            a + cells + 1);
  }
  fclose(file);
}

// Nothing but the floor's normal is there, so nothing but round-off is along it.
static void a_cube_rests_on_a_mesh(void **state) {
  (void)state;
  for (int fine = 0; fine < 2; fine++)
    for (int i = 0; i < 2 * ST_LENGTH(PLACED); i++) {
      char text[LONGEST];
      write_floor("floor.obj", fine ? 20 : 1);
      begin_scene(text, i < ST_LENGTH(PLACED) ? SOFT : RIGID);
      add_cube(text, 0, &PLACED[i % ST_LENGTH(PLACED)]);
      end_scene(text, "\"obstacles\": {\"floor\": {\"mesh\": \"floor.obj\"}}");
      Trial trial = run_until(2, text);
      assert_rests("a cube on a mesh", &trial, 1e-9);
      end(&trial);
    }
}

// The vertices of a rigid floor do not press where it is flat.
static void a_cube_rests_on_a_body(void **state) {
  (void)state;
  for (int i = 0; i < 2 * ST_LENGTH(PLACED); i++) {
    char text[LONGEST];
    begin_scene(text, i < ST_LENGTH(PLACED) ? SOFT : RIGID);
    add_cube(text, 0, &PLACED[i % ST_LENGTH(PLACED)]);
    size_t length = strlen(text);
    snprintf(text + length, LONGEST - length,
             ", \"slab\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.5, \"size_y\": 0.5, "
             "\"size_z\": 0.1, \"edge\": 0.1}, \"material\": \"slab\", \"translate\": [0, 0, "
             "-0.05]}");
    end_scene(text, "\"boundaries\": {\"fixed\": {\"body\": \"slab\", \"region\": \"all\"}}");
    Trial trial = run_until(2, text);
    assert_rests("a cube on a body", &trial, 1e-9);
    end(&trial);
  }
}

// offset: m, of each cube against the one below, in directions that differ.
static Trial stack(const char *material, int count, double offset, double edge) {
  char text[LONGEST];
  begin_scene(text, material);
  for (int i = 0; i < count; i++)
    add_cube(
        text, i,
        &(Cube){offset * cos(2.1 * i), offset * sin(2.1 * i), 0, i * (SIZE + 1e-4) + 1e-4, edge});
  end_scene(text, PLANE);
  return run_until(2, text);
}

// Where rims stand over by s, corners press from d - s²/2d on, with the thickness d. By that much
// heights differ, cubes tilt, and slide down; each upper one by the tilts of all below it.
static void stacked_cubes_stay(void **state) {
  (void)state;
  const double offset[] = {0, 1e-5, 0, 1e-5}, edge[] = {0.05, 0.05, 0.1, 0.1}, time = 2;
  for (int i = 0; i < ST_LENGTH(edge); i++) {
    Trial trial = stack(RIGID, CUBES, offset[i], edge[i]);
    double over = 2 * offset[i], tilt = over * over / (2 * trial.description->contact[0].thickness);
    assert_rests("a stack", &trial, 1e-9 + CUBES * GRAVITY * tilt / SIZE * time);
    end(&trial);
  }
}

// Forces up on the vertices of the lower of two cubes, N.
static void find_forces(const Trial *trial, double *up) {
  StPoint at = st_simulation_applied(trial->simulation);
  const StContactSet *set = at.contact_set;
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    if (st_pair_sides(trial->description, contact->pair).body < 0)
      continue;
    double force[30] = {0};
    StContactLaw law = st_contact_set_law(set, contact, ST_FRICTION_PART_ALL);
    StGap gap = st_contact_array_gap(&set->now, contact);
    st_contact_add_normal(&law, contact->count, &gap, force);
    for (int k = 0; k < contact->count; k++)
      up[st_contact_array_places(&set->now, contact)[k]] += force[3 * k + 2];
  }
}

// With 3 x 3 vertices in a pattern of squares cut towards the middle, the rim has a twelfth of the
// area at each vertex, and the middle the rest; with 2 x 2 statics give a quarter to each.
static void check_pressure(const char *material, double edge, double rim) {
  Trial trial = stack(material, 2, 0, edge);
  double up[60] = {0}, weight = DENSITY * SIZE * SIZE * SIZE * GRAVITY;
  find_forces(&trial, up);
  StSnapshot snapshot = world_snapshot(trial.simulation);
  const StPiece *piece = st_simulation_system(trial.simulation)->piece;
  int found = 0;
  for (int v = 0; v < piece->vertex_count; v++) {
    const double *x = snapshot.position + 3 * (size_t)piece->vertex_id[v];
    bool outer = fmax(fabs(x[0]), fabs(x[1])) > 0.9 * SIZE / 2;
    if (up[v] == 0 || !outer)
      continue;
    found++;
    if (!(fabs(fabs(up[v]) / (rim * weight) - 1) < 0.05))
      fail_msg("a vertex of the rim carries %.3g of its part", fabs(up[v]) / (rim * weight));
  }
  assert_int_equal(found, edge < SIZE ? 16 : 8);
  st_snapshot_free(&snapshot);
  end(&trial);
}

static void blocks_press_equally(void **state) {
  (void)state;
  check_pressure(SOFT, 0.05, 1.0 / 12);
  check_pressure(STIFF, 0.05, 1.0 / 12);
  check_pressure(STIFF, 0.1, 1.0 / 4);
}

int main(void) {
  StError error = {0};
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cube_rests_on_a_mesh),
      cmocka_unit_test(a_cube_rests_on_a_body),
      cmocka_unit_test(stacked_cubes_stay),
      cmocka_unit_test(blocks_press_equally),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
