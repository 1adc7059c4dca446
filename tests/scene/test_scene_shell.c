// Good scenes of shells: materials for triangles, bodies of both kinds, what fills them, rims that
// turn, and defaults that scale with the scene.
#include "support/listed_scene.h"

#include "force/shell_material.h"
#include "force/volume_model.h"
#include "mesh/closed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define PI 3.14159265358979323846
#define ATM 101325.0

// Of two_hollows.msh, whose cavities of radius 0.4 m have few faces, m³.
#define CAVITY (0.512 / sqrt(6))

static StDescription *read_scene(const char *text) {
  StDescription *description = NULL;
  StError error = {0};
  if (listed_scene_parse("scene.json", text, strlen(text), "", NULL, &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return description;
}

static StDescription *load(const char *path) {
  StDescription *description = NULL;
  StError error = {0};
  if (listed_scene_load(path, NULL, &description, &error) != ST_OK)
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

static const StNote *find_note(const StDescription *scene, const char *key) {
  for (int i = 0; i < scene->note_count; i++)
    if (strcmp(scene->note[i].key, key) == 0)
      return &scene->note[i];
  return NULL;
}

static void assert_note(const StDescription *scene, const char *key, const char *value,
                        const char *reason) {
  const StNote *note = find_note(scene, key);
  if (!note)
    fail_msg("no note on %s", key);
  assert_string_equal(note->value, value);
  assert_string_equal(note->reason, reason);
}

static void check_materials(const StDescription *scene) {
  const StMaterialDesc *rubber = &scene->material[0], *cloth = &scene->material[1];
  const StMaterialDesc *foil = &scene->material[2], *leather = &scene->material[3];
  assert_false(rubber->shell);
  assert_close(rubber->density, 1000);
  assert_true(cloth->shell && foil->shell && leather->shell);
  assert_ptr_equal(cloth->law.name, st_shell_laws[0]->name);
  assert_close(cloth->law.value[0], 3000);
  assert_close(cloth->law.value[1], 0.3);
  assert_close(cloth->law.value[2], 0.15);
  assert_close(cloth->law.value[3], 2e-3);
  assert_close(cloth->density, 0.15);
  assert_close(cloth->mass_damping, 1);
  assert_close(cloth->stiffness_damping, 1e-3);
  assert_close(foil->law.value[0], 2e-3);
  assert_true(isinf(foil->law.value[3])); // of its own
  assert_close(foil->density, 3);
  assert_close(leather->law.value[3], 1);
  assert_close(leather->density, 1);
  assert_null(find_note(scene, "materials.cloth.density"));
  assert_null(find_note(scene, "materials.foil.density"));
  assert_note(scene, "materials.leather.density", "1000 kg/m^3",
              "as water; most soft materials are close to it");
}

static void check_bodies(const StDescription *scene) {
  const StBodyDesc *mixed = &scene->body[0], *bag = &scene->body[1];
  assert_int_equal(mixed->mesh->tet_count, 2);
  assert_int_equal(mixed->mesh->triangle_count, 2);
  assert_int_equal(mixed->material, 0);
  assert_int_equal(mixed->shell, 2);
  assert_int_equal(mixed->label_material_count, 2);
  assert_string_equal(mixed->mesh->label_name[mixed->label_material[0].label], "fin");
  assert_int_equal(mixed->label_material[0].material, 1);
  assert_int_equal(mixed->label_material[1].material, 0);
  assert_int_equal(bag->shell, 3);
  assert_note(scene, "bodies.mixed.material", "rubber", "the only material for tetrahedra");
}

// Triangles of one body, closed, with this volume inside.
static void check_surface(const StDescription *scene, const StVolumeDesc *volume, int body,
                          double wanted) {
  int first = 0;
  for (int b = 0; b < body; b++)
    first += scene->body[b].mesh->vertex_count;
  const StMesh *mesh = scene->body[body].mesh;
  int *own = malloc(3 * (size_t)volume->triangle_count * sizeof *own);
  assert_non_null(own);
  for (int i = 0; i < 3 * volume->triangle_count; i++) {
    own[i] = volume->triangle[i] - first;
    assert_in_range(own[i], 0, mesh->vertex_count - 1);
  }
  assert_int_equal(st_surface_check_closed(mesh->position, mesh->vertex_count, own,
                                           volume->triangle_count, NULL),
                   ST_OK);
  double inside = st_surface_volume(mesh->position, own, volume->triangle_count, NULL);
  if (!(fabs(inside - wanted) <= 1e-6))
    fail_msg("%s: %.17g m^3, not %g", volume->name, inside, wanted);
  free(own);
}

static void check_gas(const StDescription *scene) {
  const StVolumeDesc *air = &scene->volume[0], *first = &scene->volume[1];
  assert_string_equal(air->name, "air");
  assert_int_equal(air->triangle_count, 4);
  check_surface(scene, air, 1, 1.0 / 6);
  assert_ptr_equal(air->model.name, st_volume_models[0]->name);
  assert_close(air->model.value[0], 1 / ATM);
  assert_close(air->rest_volume, 1.0 / 6);
  assert_close(air->outside_pressure, 2 * ATM);
  assert_int_equal(air->pressure.key_count, 1);
  assert_close(air->pressure.value[0], 2 * ATM + 1000);
  check_surface(scene, first, 2, CAVITY);
  assert_string_equal(first->model.name, "ideal_gas");
  assert_int_equal(first->pressure.key_count, 2);
  assert_close(first->pressure.time[1], 1);
  assert_close(first->pressure.value[0], ATM);
  assert_close(first->pressure.value[1], 2e5);
  assert_close(first->outside_pressure, ATM);
}

static double walls(const StMesh *mesh) {
  double volume = 0;
  for (int t = 0; t < mesh->tet_count; t++)
    volume += st_tet_volume(mesh->position, mesh->tet + 4 * t);
  return volume;
}

static void check_others(const StDescription *scene) {
  const StVolumeDesc *second = &scene->volume[2], *all = &scene->volume[3];
  const StVolumeDesc *flat = &scene->volume[4];
  check_surface(scene, second, 2, CAVITY);
  assert_close(second->model.value[0], 4.6e-5 / ATM);
  assert_int_equal(second->pressure.key_count, 0);
  // The second ball lies 2 m further on, its cavity 0.4 m around it.
  double x = scene->body[2].mesh->position[3 * (second->triangle[0] - 7 - 5)];
  assert_true(fabs(x - 22) <= 0.4 + 1e-6);
  assert_int_equal(all->triangle_count, 2 * 48);
  check_surface(scene, all, 2, 2 * CAVITY + walls(scene->body[2].mesh));
  assert_close(all->rest_volume, 3e-3);
  assert_int_equal(flat->triangle_count, 32);
  assert_true(flat->rest_volume == 0);
  assert_close(flat->pressure.value[0], ATM + 10);
  assert_note(scene, "volumes.second.of", "cavity", "the body is hollow");
  assert_note(scene, "volumes.second.pressure", "as outside", "it is not inflated");
  assert_null(find_note(scene, "volumes.all.rest_volume"));
}

static void check_bearings(const StDescription *scene) {
  const StBearingDesc *hub = &scene->bearing[0], *free_rim = &scene->bearing[1];
  assert_int_equal(scene->bearing_count, 2);
  assert_string_equal(hub->name, "hub");
  assert_int_equal(hub->vertex_count, 4);
  assert_int_equal(hub->vertex[0], 7);
  assert_vector(hub->axis, 0, 0, 1);
  assert_vector(hub->centre, 10, 0, 0);
  assert_close(hub->stiffness, 2000);
  assert_int_equal(hub->torque.key_count, 2);
  assert_close(hub->torque.value[1], 3);
  assert_int_equal(free_rim->vertex_count, 16);
  assert_vector(free_rim->axis, 0, -1, 0);
  assert_true(fabs(free_rim->centre[0] - 22) < 1e-6 && fabs(free_rim->centre[2]) < 1e-6);
  assert_int_equal(free_rim->torque.key_count, 0);
  // 10 × Young's modulus × the rim's radius
  assert_true(fabs(free_rim->stiffness - 10 * 1e6 * 0.5) < 1);
}

static void check_spin(const StMotion *motion) {
  const double times[] = {0, 1, 2}, turns[] = {0, 1, 1}, spins[] = {1, 1, -1};
  const StCurve *angle = &motion->angle;
  assert_int_equal(angle->key_count, 3);
  assert_true(angle->extend);
  for (int i = 0; i < 3; i++) {
    double x[3], v[3];
    assert_close(angle->time[i], times[i]);
    assert_close(angle->value[i], 2 * PI * turns[i]);
    assert_close(angle->rate[i], 2 * PI * spins[i]);
    st_motion_at(motion, times[i], motion->centre, x, v);
    assert_close(x[2] - motion->centre[2], times[i]);
  }
}

static void test_everything_arrives(void **state) {
  (void)state;
  StDescription *scene = load("shells.json");
  check_materials(scene);
  check_bodies(scene);
  assert_int_equal(scene->volume_count, 5);
  check_gas(scene);
  check_others(scene);
  check_bearings(scene);
  check_spin(&scene->boundary[0].motion);
  assert_true(scene->solver.inexact_coupling);
  st_description_destroy(scene);
}

#define CLOTH                                                                                      \
  "\"cloth\": {\"law\": \"membrane\", \"young\": 100, \"poisson\": 0.3, \"area_density\": 0.1}"
#define TIME "\"time\": {\"duration\": 1}"

static void test_defaults(void **state) {
  (void)state;
  StDescription *scene = read_scene(
      "{\"materials\": {" CLOTH "}, \"bodies\": {\"ball\": {\"shape\": {\"type\": \"sphere\","
      "\"fill\": \"surface\", \"cells\": 8}}}, \"volumes\": {\"air\": {\"body\": \"ball\"}},"
      "\"bearings\": {\"rim\": {\"region\": {\"plane\": {\"point\": [0, 0, 0], \"normal\": \"z\"}},"
      "\"axis\": \"z\"}}, " TIME "}");
  const StVolumeDesc *air = &scene->volume[0];
  assert_int_equal(scene->body[0].material, 0);
  assert_int_equal(scene->body[0].shell, 0);
  assert_false(scene->solver.inexact_coupling);
  assert_note(scene, "bodies.ball.material", "cloth", "the only material");
  assert_note(scene, "volumes.air.of", "surface", "the body is a shell");
  assert_note(scene, "volumes.air.outside_pressure", "101325 Pa", "1 atm, the air around us");
  assert_int_equal(air->triangle_count, scene->body[0].mesh->triangle_count);
  assert_int_equal(air->pressure.key_count, 0);
  assert_true(fabs(air->rest_volume / (PI / 6) - 1) < 0.05);
  assert_vector(scene->bearing[0].centre, 0, 0, 0);
  assert_note(scene, "bearings.rim.stiffness", "1000 N/m",
              "10 × the body's own 100 N/m: the rim yields a tenth of what the body does");
  st_description_destroy(scene);
}

// A full body's own volume is what its boundary encloses.
static void test_boundary_of_full_body(void **state) {
  (void)state;
  StDescription *scene =
      read_scene("{\"materials\": {\"jelly\": {\"young\": 1e4, \"poisson\": 0}}, \"bodies\": "
                 "{\"cube\": {\"shape\": {\"type\": \"box\", \"edge\": 0.5}, \"translate\": [1, 2, "
                 "3]}}, \"volumes\": {\"jelly\": {\"body\": \"cube\", \"model\": "
                 "\"nearly_incompressible\"}}, " TIME "}");
  assert_note(scene, "volumes.jelly.of", "boundary", "the body is full");
  assert_int_equal(scene->volume[0].triangle_count, 48);
  check_surface(scene, &scene->volume[0], 0, 1);
  assert_true(fabs(scene->volume[0].rest_volume - 1) < 1e-13);
  st_description_destroy(scene);
}

// From flat: where the rest volume is given, or nothing depends on it.
static void test_flat_starts(void **state) {
  (void)state;
  const char *const filling[] = {"\"rest_volume\": \"2 l\"", "\"model\": \"prescribed\""};
  const double wanted[] = {2e-3, 0};
  for (int i = 0; i < 2; i++) {
    char text[600];
    snprintf(
        text, sizeof text,
        "{\"materials\": {" CLOTH "}, \"bodies\": {\"bag\": {\"shape\": {\"type\": \"pillow\","
        "\"cells_x\": 4, \"cells_y\": 6, \"relative_gap\": 0}, \"rotate\": {\"axis\": [1, 2, 3], "
        "\"angle\": 1}}},"
        "\"volumes\": {\"air\": {\"body\": \"bag\", %s}}, " TIME "}",
        filling[i]);
    StDescription *scene = read_scene(text);
    assert_close(scene->volume[0].rest_volume, wanted[i]);
    st_description_destroy(scene);
  }
}

// Lengths × s, moduli × s in Pa and × s² in N/m, hinges × s⁴, kg/m³ × 1 and kg/m² × s, pressures
// × s; with times × √s the same motion.
static StDescription *scaled(double s, bool gravity, const char *contact, bool pumped) {
  static char text[3000];
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"silk\": {\"law\": \"membrane\", \"young\": %.17g, \"poisson\": 0.3, "
      "\"area_density\": %.17g, \"bending\": %.17g}, \"tin\": {\"law\": \"shell\", "
      "\"thickness\": %.17g, \"young\": %.17g, \"poisson\": 0.2, \"density\": 2000}},"
      "\"bodies\": {\"sheet\": {\"shape\": {\"type\": \"sheet\", \"width\": %.17g, "
      "\"length\": %.17g, \"edge\": %.17g}, \"material\": \"silk\", \"velocity\": [%.17g, 0, "
      "0]},"
      "\"can\": {\"shape\": {\"type\": \"cylinder\", \"fill\": \"surface\", \"radius\": %.17g, "
      "\"height\": %.17g, \"edge\": %.17g}, \"material\": \"tin\"}},"
      "\"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}, \"translate\": [0, "
      "0, %.17g]}}, \"bearings\": {\"rim\": {\"body\": \"can\", \"region\": {\"label\": "
      "\"top\"}, \"axis\": \"z\"}},"
      "\"volumes\": {\"air\": {\"body\": \"can\", \"outside_pressure\": %.17g, "
      "\"overpressure\": %.17g}},"
      "\"friction\": [{\"between\": \"any\", \"dynamic\": 0.3}], \"gravity\": %d,"
      "\"contact\": {%s}, \"time\": {\"duration\": %.17g, \"step\": %.17g}}",
      400 * s * s, 0.2 * s, 1e-4 * s * s * s * s, 1e-3 * s, 1e9 * s, 2 * s, s, 0.25 * s,
      3 * sqrt(s), 0.3 * s, 0.8 * s, 0.2 * s, -2 * s, 1e5 * s, pumped ? 2e6 * s : 0,
      gravity ? 10 : 0, contact, sqrt(s), 0.01 * sqrt(s));
  return read_scene(text);
}

static void assert_ratio(double value, double base, double ratio) {
  if (!(fabs(value / base / ratio - 1) < 1e-12))
    fail_msg("%.17g is %.17g times %.17g, not %.17g times", value, value / base, base, ratio);
}

typedef struct Way {
  const char *contact; // keys
  int count;           // pairs, both ways
  double power;        // of s, with which κδ grows; κ alone where it is a pressure
  bool pressure;
} Way;

// By primitives κ is a pressure, × s. By smooth surfaces 3κ(δ/2)²/δ is one; without weights a
// force, × s³.
static const Way WAYS[] = {
    {"", 5, 1, true},
    {"\"method\": \"smooth\"", 4, 1, false},
    {"\"method\": \"smooth\", \"area_weighted\": false", 4, 3, false},
};

static void check_similar(double s, bool gravity, const Way *way, bool pumped) {
  StDescription *base = scaled(1, gravity, way->contact, pumped);
  StDescription *scene = scaled(s, gravity, way->contact, pumped);
  assert_int_equal(base->contact_count, way->count);
  for (int i = 0; i < way->count; i++) {
    const StContactDesc *from = &base->contact[i], *to = &scene->contact[i];
    assert_ratio(to->thickness, from->thickness, s);
    assert_ratio(to->stiffness, from->stiffness,
                 pow(s, way->pressure ? way->power : way->power - 1));
    assert_ratio(to->friction.sticking_speed, from->friction.sticking_speed, sqrt(s));
  }
  assert_ratio(scene->bearing[0].stiffness, base->bearing[0].stiffness, s * s);
  assert_ratio(scene->volume[0].rest_volume, base->volume[0].rest_volume, s * s * s);
  assert_ratio(scene->material[0].density, base->material[0].density, s);
  assert_ratio(scene->material[1].density, base->material[1].density, s);
  assert_ratio(scene->solver.velocity_tolerance, base->solver.velocity_tolerance, sqrt(s));
  st_description_destroy(base);
  st_description_destroy(scene);
}

static void test_similarity(void **state) {
  (void)state;
  const double sizes[] = {10, 0.1, 0.01};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++)
      for (int w = 0; w < 3; w++)
        check_similar(sizes[i], k & 1, &WAYS[w], k & 2);
}

// κ of smooth surfaces carries a pressure at half the thickness: which one, by what presses most.
static double carried(const StDescription *scene) {
  return 0.75 * scene->contact[0].stiffness * scene->contact[0].thickness;
}

static StDescription *on_floor(const char *material, const char *volume) {
  char text[900];
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"skin\": {\"law\": \"membrane\", \"poisson\": 0.3, "
      "\"area_density\": 0.5, \"young\": %s}}, \"bodies\": {\"ball\": {\"shape\": {\"type\": "
      "\"sphere\", \"fill\": \"surface\", \"cells\": 4, \"radius\": 0.5}, \"translate\": [0, "
      "0, 1]}}, \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, "
      "\"volumes\": {\"air\": {\"body\": \"ball\"%s}}, \"gravity\": 10, \"contact\": {\"method\": "
      "\"smooth\"}, " TIME "}",
      material, volume);
  return read_scene(text);
}

static void test_what_contact_carries(void **state) {
  (void)state;
  const double diagonal = sqrt(3);
  const struct {
    const char *young, *volume;
    double pressure;
    const char *reason;
  } cases[] = {
      {"100", "", 10 * 0.5 * 10, "10 times the weight per area"},
      {"1e7", "", 1e-4 * 1e7 / diagonal, "0.0001 of Young's modulus in N/m, over L"},
      {"1e7", ", \"overpressure\": 2000", 2000, "overpressure"},
      {"100", ", \"overpressure\": 2000", 4 * 100 / diagonal, "what the skin can hold"},
      {"100", ", \"overpressure\": -2000", 10 * 0.5 * 10, "10 times the weight per area"},
  };
  for (int i = 0; i < 5; i++) {
    StDescription *scene = on_floor(cases[i].young, cases[i].volume);
    if (!(fabs(carried(scene) / cases[i].pressure - 1) < 1e-12))
      fail_msg("case %d: %.17g Pa, not %.17g", i, carried(scene), cases[i].pressure);
    const StNote *note = find_note(scene, "contact of skin on no material");
    assert_non_null(strstr(note->reason, cases[i].reason));
    st_description_destroy(scene);
  }
}

int main(void) {
  if (chdir(TEST_DATA "/scenes") != 0)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_everything_arrives),
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_boundary_of_full_body),
      cmocka_unit_test(test_flat_starts),
      cmocka_unit_test(test_similarity),
      cmocka_unit_test(test_what_contact_carries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
