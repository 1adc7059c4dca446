// Obstacles, friction and contact pairs: values arrive in SI, pairs resolve to the right list, and
// defaults follow the scene's scale exactly. By smooth surfaces; test_scene_primitives.c has the
// rest.
#include "support/listed_scene.h"

#include "base/text.h"
#include "contact/core/obstacle.h"
#include "contact/smooth/surface.h"
#include "mesh/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define PI 3.14159265358979323846
#define MATERIALS                                                                                  \
  "\"materials\": {\"rubber\": {\"young\": 1e5, \"poisson\": 0.25}, "                              \
  "\"foam\": {\"young\": 2e9, \"poisson\": 0.25, \"density\": 50}}"
#define CUBE "{\"shape\": {\"type\": \"box\", \"edge\": 0.5}, \"material\": \"rubber\"}"
#define SMALL                                                                                      \
  "{\"shape\": {\"type\": \"box\", \"edge\": 0.5}, \"material\": \"foam\", \"scale\": 0.1, "       \
  "\"translate\": [0, 0, 2]}"
#define TIME "\"time\": {\"duration\": 1}"

typedef struct Said {
  int count;
  char last[300];
} Said;

static void keep(void *context, StLevel level, const char *text) {
  Said *said = context;
  (void)level;
  said->count++;
  snprintf(said->last, sizeof said->last, "%s", text);
}

static StDescription *read_saying(const char *text, Said *said) {
  StDescription *description = NULL;
  StError error = {0};
  StLog log = {keep, said};
  if (listed_scene_parse("scene.json", text, strlen(text), TEST_DATA "/scenes", said ? &log : NULL,
                         &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return description;
}

static StDescription *read_scene(const char *text) {
  return read_saying(text, NULL);
}

#define SMOOTH ", \"contact\": {\"method\": \"smooth\"}"

// A scene of the given bodies and further keys.
static StDescription *scene_of(const char *bodies, const char *more) {
  StText text = {0};
  st_text_add(&text, "{" MATERIALS ", \"bodies\": {%s}, " TIME "%s%s}", bodies, more,
              strstr(more, "\"contact\"") ? "" : SMOOTH);
  StDescription *scene = read_scene(text.data);
  st_text_free(&text);
  return scene;
}

static void assert_close(double value, double wanted) {
  if (!(fabs(value - wanted) <= 1e-14 * fabs(wanted)))
    fail_msg("%.17g, not %.17g", value, wanted);
}

static void assert_vector(const double *value, double x, double y, double z) {
  if (!(fabs(value[0] - x) < 1e-14 && fabs(value[1] - y) < 1e-14 && fabs(value[2] - z) < 1e-14))
    fail_msg("(%g, %g, %g), not (%g, %g, %g)", value[0], value[1], value[2], x, y, z);
}

static const StNote *find_note(const StDescription *scene, const char *key) {
  for (int i = 0; i < scene->note_count; i++)
    if (strcmp(scene->note[i].key, key) == 0)
      return &scene->note[i];
  return NULL;
}

static double gap_at(const StObstacleDesc *desc, double time, double x, double y, double z) {
  StObstacleNow now;
  double gradient[3];
  st_obstacle_at(desc, time, &now);
  return st_obstacle_gap(&now, (double[3]){x, y, z}, gradient);
}

static void test_obstacles_arrive(void **state) {
  (void)state;
  StDescription *scene = scene_of(
      "\"a\": " CUBE,
      ", \"obstacles\": {"
      "\"floor\": {\"shape\": {\"type\": \"half_space\", \"point\": [0, 0, \"-50 cm\"]}},"
      "\"wall\": {\"shape\": {\"type\": \"half_space\", \"normal\": [-3, 0, 4], \"point\": [1, 0, "
      "0]}},"
      "\"ball\": {\"shape\": {\"type\": \"sphere\", \"radius\": \"20 cm\"}, \"translate\": [0, 0, "
      "3]},"
      "\"pin\": {\"shape\": {\"type\": \"cylinder\", \"radius\": 0.1, \"height\": 2}, \"rotate\": "
      "[{\"axis\": \"y\", \"angle\": \"90 deg\"}, {\"axis\": \"z\", \"angle\": \"90 deg\", "
      "\"centre\": [1, 0, 0]}], \"translate\": [0, 0, 1]},"
      "\"bar\": {\"shape\": {\"type\": \"capsule\", \"radius\": 0.1, \"length\": 1}},"
      "\"brick\": {\"shape\": {\"type\": \"box\", \"size_x\": 1, \"size_y\": 2, \"size_z\": 3}}}");
  const StObstacleDesc *o = scene->obstacle;
  assert_int_equal(scene->obstacle_count, 6);
  assert_string_equal(o[1].name, "wall");
  assert_null(o[1].material);
  assert_close(gap_at(&o[0], 0, 7, 8, 0.25), 0.75);
  assert_true(fabs(gap_at(&o[1], 0, 1, 5, 5) - 4) < 1e-14);
  assert_true(fabs(gap_at(&o[1], 0, 0, 5, 0) - 0.6) < 1e-14);
  assert_close(gap_at(&o[2], 0, 0, 0, 1), 1.8);
  assert_true(fabs(gap_at(&o[3], 0, 1, -1, 3) - 1.9) < 1e-14); // along y, about (1, -1, 1)
  assert_true(fabs(gap_at(&o[3], 0, 1, 2, 1) - 2) < 1e-14);
  assert_close(gap_at(&o[4], 0, 0, 0, 2), 1.4);
  assert_close(gap_at(&o[5], 0, 0, 0, 2), 0.5);
  st_description_destroy(scene);
}

// Obstacles move as boundaries do; their own origin is the default centre.
static void test_obstacle_motion(void **state) {
  (void)state;
  StDescription *scene = scene_of(
      "\"a\": " CUBE,
      ", \"gravity\": 0, \"obstacles\": {\"belt\": {\"shape\": {\"type\": \"half_space\"}, "
      "\"motion\": {\"velocity\": [\"36 km/h\", 0, 0]}}, \"wheel\": {\"shape\": {\"type\": "
      "\"sphere\", \"radius\": 1}, \"translate\": [0, 0, 5], \"motion\": {\"spin\": \"30 rpm\", "
      "\"axis\": \"x\"}}}");
  StObstacleNow now;
  double velocity[3];
  st_obstacle_at(&scene->obstacle[0], 3, &now);
  st_obstacle_velocity(&now, (double[3]){1, 2, 0}, velocity);
  assert_vector(velocity, 10, 0, 0);
  st_obstacle_at(&scene->obstacle[1], 3, &now);
  st_obstacle_velocity(&now, (double[3]){0, 0, 4}, velocity);
  assert_vector(velocity, 0, PI, 0);
  // Nothing pulls: the fastest motion is the belt's, 10 m/s.
  assert_close(scene->contact[0].friction.sticking_speed, 1e-3);
  st_description_destroy(scene);
}

static void test_mesh_obstacles(void **state) {
  (void)state;
  Said said = {0};
  StDescription *scene = read_saying(
      "{" MATERIALS ", \"bodies\": {\"a\": " CUBE "}, " TIME ", \"obstacles\": {"
      "\"tyre\": {\"mesh\": \"two_parts.msh\", \"scale\": \"0.1 %\", \"translate\": [0, 0, -2]},"
      "\"ring\": {\"shape\": {\"type\": \"torus\", \"cells\": 2, \"cells_around\": 8}},"
      "\"patch\": {\"mesh\": \"triangle.obj\"}}" SMOOTH "}",
      &said);
  const StObstacleDesc *o = scene->obstacle;
  assert_int_equal(scene->obstacle_count, 3);
  for (int i = 0; i < 3; i++)
    assert_string_equal(o[i].shape.name, "mesh");
  assert_int_equal(o[0].mesh->tet_count, 2);
  assert_vector(o[0].origin, 0, 0, -2);
  assert_vector(o[0].mesh->position + 3, 1e-3, 0, 0);
  StMeshReport report;
  assert_int_equal(st_mesh_report(o[1].mesh, &report, NULL), ST_OK);
  assert_true(o[1].mesh->tet_count == 0 && report.closed && report.enclosed_volume > 0);
  assert_int_equal(o[2].mesh->triangle_count, 1);
  assert_int_equal(scene->contact_count, 3);
  st_description_destroy(scene);
}

static void test_friction_arrives(void **state) {
  (void)state;
  StDescription *scene = scene_of(
      "\"a\": " CUBE ", \"b\": " SMALL,
      ", \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}, \"material\": "
      "\"ice\"}, \"wall\": {\"shape\": {\"type\": \"half_space\"}}, \"top\": {\"shape\": "
      "{\"type\": \"half_space\"}, \"material\": \"rubber\"}}, \"friction\": ["
      "{\"between\": \"any\", \"dynamic\": 0.25},"
      "{\"between\": [\"ice\", \"rubber\"], \"dynamic\": \"10 %\", \"static\": 0.2, \"viscous\": "
      "\"2 N*s/m\", \"sticking_speed\": \"1 mm/s\", \"stribeck_speed\": \"5 mm/s\"},"
      "{\"between\": [\"any\", \"foam\"], \"dynamic\": 0.5, \"sticking_speed\": 0.01}]");
  // a on b, floor, wall, top; b on a, floor, wall, top
  const double dynamic[] = {0.5, 0.1, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5};
  assert_int_equal(scene->contact_count, 8);
  for (int i = 0; i < 8; i++)
    assert_close(scene->contact[i].friction.dynamic_coefficient, dynamic[i]);
  const StFrictionDesc *ice = &scene->contact[1].friction, *foam = &scene->contact[4].friction;
  assert_close(ice->static_coefficient, 0.2);
  assert_close(ice->viscous_coefficient, 2);
  assert_close(ice->sticking_speed, 1e-3);
  assert_close(ice->stribeck_speed, 5e-3);
  assert_close(foam->static_coefficient, 0.5);
  assert_close(foam->stribeck_speed, 0.1);
  assert_true(foam->viscous_coefficient == 0);
  assert_string_equal(scene->obstacle[0].material, "ice");
  st_description_destroy(scene);
}

static void test_pairs_without_friction(void **state) {
  (void)state;
  Said said = {0};
  const char *floor = ", \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}";
  StDescription *scene = scene_of("\"a\": " CUBE, floor);
  assert_true(scene->contact[0].friction.dynamic_coefficient == 0);
  assert_true(scene->contact[0].friction.sticking_speed > 0);
  assert_string_equal(find_note(scene, "friction of rubber on no material")->reason,
                      "the scene has no friction table");
  st_description_destroy(scene);
  scene = read_saying("{" MATERIALS ", \"bodies\": {\"a\": " CUBE ", \"b\": " SMALL "}, " TIME
                      ", \"friction\": [{\"between\": [\"foam\", \"foam\"], \"dynamic\": 1}]" SMOOTH
                      "}",
                      &said);
  assert_int_equal(scene->contact_count, 2);
  assert_int_equal(said.count, 1); // once for both directions
  assert_string_equal(said.last, "scene.json: no row of the friction table fits rubber on foam; "
                                 "they slide freely");
  assert_non_null(find_note(scene, "friction of rubber on foam"));
  st_description_destroy(scene);
}

#define WALL_OF(material)                                                                          \
  ", \"obstacles\": {\"wall\": {\"shape\": {\"type\": \"half_space\"}, \"material\": \"" material  \
  "\"}}, \"friction\": "

// A row with "any" covers obstacles of materials that no row names.
static void test_any_covers_an_obstacle(void **state) {
  (void)state;
  static const char *const TABLES[] = {
      WALL_OF("ice") "[{\"between\": \"any\", \"dynamic\": 0.25}]",
      WALL_OF("ice") "[{\"between\": [\"foam\", \"any\"], \"dynamic\": 0.25}]",
      WALL_OF("ice") "[{\"between\": [\"foam\", \"foam\"], \"dynamic\": 1}, "
                     "{\"between\": [\"any\", \"any\"], \"dynamic\": 0.25}]",
  };
  for (int i = 0; i < 3; i++) {
    StDescription *scene = scene_of("\"a\": " SMALL, TABLES[i]);
    assert_int_equal(scene->contact_count, 1);
    assert_close(scene->contact[0].friction.dynamic_coefficient, 0.25);
    assert_string_equal(scene->obstacle[0].material, "ice");
    st_description_destroy(scene);
  }
  Said said = {0};
  StDescription *scene =
      read_saying("{" MATERIALS ", \"bodies\": {\"a\": " SMALL
                  "}, " TIME WALL_OF("foma") "[{\"between\": \"any\", \"dynamic\": 0.25}]}",
                  &said);
  assert_int_equal(said.count, 1);
  assert_string_equal(said.last, "scene.json: obstacles.wall.material: only friction rows with "
                                 "\"any\" fit \"foma\" (did you mean \"foam\"?)");
  st_description_destroy(scene);
}

// Writes "a>floor a>b b>a …".
static void assert_pairs(const char *contact, const char *wanted) {
  StText more = {0}, list = {0};
  st_text_add(&more,
              ", \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}, \"peg\": "
              "{\"shape\": {\"type\": \"sphere\", \"radius\": 1}}}%s",
              contact);
  StDescription *scene = scene_of("\"a\": " CUBE ", \"b\": " CUBE ", \"c\": " SMALL, more.data);
  st_text_add(&list, "%s", "");
  for (int i = 0; i < scene->contact_count; i++) {
    const StContactDesc *contact_desc = &scene->contact[i];
    assert_true((contact_desc->body < 0) != (contact_desc->obstacle < 0));
    st_text_add(&list, "%s%s>%s", i ? " " : "", scene->body[contact_desc->collider].name,
                contact_desc->body >= 0 ? scene->body[contact_desc->body].name
                                        : scene->obstacle[contact_desc->obstacle].name);
  }
  assert_string_equal(list.data ? list.data : "", wanted);
  st_text_free(&more);
  st_text_free(&list);
  st_description_destroy(scene);
}

static void test_pairs(void **state) {
  (void)state;
  const char *all = "a>b a>c a>floor a>peg b>a b>c b>floor b>peg c>a c>b c>floor c>peg";
  assert_pairs("", all);
  assert_pairs(", \"contact\": {\"method\": \"smooth\"}", all);
  assert_pairs(", \"contact\": {\"method\": \"smooth\", \"pairs\": \"all\"}", all);
  assert_pairs(", \"contact\": {\"method\": \"smooth\", \"pairs\": {\"collider\": \"all\", "
               "\"surface\": \"all\"}}",
               all);
  assert_pairs(", \"contact\": {\"method\": \"smooth\", \"pairs\": \"none\"}", "");
  assert_pairs(", \"contact\": {\"method\": \"smooth\", \"pairs\": [{\"collider\": \"b\", "
               "\"surface\": \"peg\"}]}",
               "b>peg");
  assert_pairs(", \"contact\": {\"method\": \"smooth\", \"pairs\": [{\"collider\": \"b\", "
               "\"surface\": \"a\"}]}",
               "a>b b>a");
  assert_pairs(", \"contact\": {\"method\": \"smooth\", \"pairs\": {\"collider\": \"b\", "
               "\"surface\": \"a\", \"both\": "
               "false}}",
               "b>a");
  assert_pairs(", \"contact\": {\"method\": \"smooth\", \"pairs\": {\"collider\": [\"a\", \"c\"], "
               "\"surface\": [\"a\", "
               "\"c\", \"floor\"], \"both\": false}}",
               "a>c a>floor c>a c>floor");
  assert_pairs(", \"contact\": {\"method\": \"smooth\", \"pairs\": [{\"collider\": \"all\", "
               "\"surface\": \"floor\"}, "
               "{\"collider\": \"a\", \"surface\": \"all\", \"both\": false}]}",
               "a>b a>c a>floor a>peg b>floor c>floor");
}

// A list that begins with an exclusion begins with all pairs.
static void test_pairs_apart(void **state) {
  (void)state;
  const char *out = "{\"collider\": \"b\", \"surface\": [\"a\", \"peg\"], \"touch\": false}";
  const char *in = "{\"collider\": \"a\", \"surface\": [\"b\", \"c\"]}";
  const struct {
    const char *first, *second, *pairs;
  } CASES[] = {
      {out, "", "a>c a>floor a>peg b>c b>floor c>a c>b c>floor c>peg"},
      {out, in, "a>b a>c a>floor a>peg b>a b>c b>floor c>a c>b c>floor c>peg"},
      {in, out, "a>c c>a"},
      {"{\"collider\": \"all\", \"surface\": \"all\", \"touch\": false}", in, "a>b a>c b>a c>a"},
      {"{\"collider\": \"all\", \"surface\": \"floor\", \"touch\": false}", "",
       "a>b a>c a>peg b>a b>c b>peg c>a c>b c>peg"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    StText text = {0};
    st_text_add(&text, ", \"contact\": {\"method\": \"smooth\", \"pairs\": [%s%s%s]}",
                CASES[i].first, *CASES[i].second ? ", " : "", CASES[i].second);
    assert_pairs(text.data, CASES[i].pairs);
    st_text_free(&text);
  }
}

static void test_nothing_to_touch(void **state) {
  (void)state;
  StDescription *scene = scene_of("\"a\": " CUBE, "");
  assert_int_equal(scene->contact_count, 0);
  assert_null(find_note(scene, "contact of rubber on no material"));
  assert_string_equal(find_note(scene, "solver.change_tolerance")->value, "4.122e-05 m/s");
  st_description_destroy(scene);
}

// 2000 · 2001 pairs are more than 4 000 000, 1999 · 2000 are not.
static void test_too_many_bodies(void **state) {
  (void)state;
  StText text = {0};
  StDescription *description = NULL;
  StError error = {0};
  st_text_add(&text, "{\"materials\": {\"m\": {\"law\": \"rigid\"}}, " TIME SMOOTH
                     ", \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, "
                     "\"bodies\": {");
  for (int i = 0; i < 2000; i++)
    st_text_add(&text, "%s\"%d\": {\"shape\": {\"type\": \"box\"}, \"translate\": [%d, 0, 9]}",
                i > 0 ? ", " : "", i, 2 * i);
  st_text_add(&text, "}}");
  assert_int_equal(listed_scene_parse("scene.json", text.data, strlen(text.data), NULL, NULL,
                                      &description, &error),
                   ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "2000 bodies with contact are too many: a scene with 1 "
                                     "obstacle has at most 1999 of them"));
  st_text_free(&text);
}

static void test_idle_obstacle(void **state) {
  (void)state;
  Said said = {0};
  StDescription *scene =
      read_saying("{" MATERIALS ", \"bodies\": {\"a\": " CUBE ", \"b\": " SMALL "}, " TIME
                  ", \"obstacles\": {\"peg\": {\"shape\": {\"type\": \"sphere\", \"radius\": 1}}}, "
                  "\"contact\": {\"method\": \"smooth\", \"pairs\": {\"collider\": \"a\", "
                  "\"surface\": \"b\"}}}",
                  &said);
  assert_string_equal(said.last, "scene.json: contact.pairs leaves out the obstacle \"peg\"");
  st_description_destroy(scene);
}

static void test_settings_arrive(void **state) {
  (void)state;
  StDescription *scene = scene_of(
      "\"a\": " CUBE ", \"b\": " SMALL,
      ", \"contact\": {\"method\": \"smooth\", \"pairs\": [{\"collider\": \"all\", \"surface\": "
      "\"all\"}, {\"collider\": "
      "\"b\", \"surface\": \"a\", \"both\": false, \"thickness\": \"3 mm\", \"stiffness\": \"1 "
      "kPa/mm\"}], \"thickness\": \"1 mm\", \"stiffness\": 5, \"friction\": \"lagged\", "
      "\"friction_iterations\": 4, \"max_repeats\": 3, \"kernel\": \"cubic\", "
      "\"radius_multiplier\": 3, \"smoothing\": 0.5}");
  const StContactSettings *settings = &scene->contact_settings;
  assert_close(scene->contact[0].thickness, 1e-3);
  assert_close(scene->contact[0].stiffness, 5);
  assert_close(scene->contact[1].thickness, 3e-3);
  assert_close(scene->contact[1].stiffness, 1e6);
  assert_int_equal(settings->friction, ST_FRICTION_LAGGED);
  assert_int_equal(settings->friction_iterations, 4);
  assert_int_equal(settings->max_repeats, 3);
  assert_true(settings->area_weighted);
  assert_int_equal(settings->kernel, ST_KERNEL_CUBIC);
  assert_close(settings->radius_multiplier, 3);
  assert_close(settings->smoothing, 0.5);
  assert_null(find_note(scene, "contact of rubber on rubber"));
  st_description_destroy(scene);
  scene = read_scene("{" MATERIALS ", \"bodies\": {\"a\": " CUBE "}, " TIME "}");
  StDescription *plain = st_description_create();
  assert_memory_equal(&scene->contact_settings, &plain->contact_settings, sizeof *settings);
  st_description_destroy(plain);
  st_description_destroy(scene);
}

#define FLOOR                                                                                      \
  ", \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, \"friction\": "          \
  "[{\"between\": \"any\", \"dynamic\": 0.5, \"static\": 0.6}]"

// One body on a floor: δ of its diagonal, κ of its weight, ε of √(gL).
static void test_defaults_of_weight(void **state) {
  (void)state;
  double diagonal = sqrt(3), pressure = 1000 * 9.81 * diagonal;
  StDescription *scene = scene_of("\"a\": " CUBE, FLOOR);
  const StContactDesc *contact = &scene->contact[0];
  assert_close(contact->thickness, 1e-3 * diagonal);
  assert_close(contact->stiffness, 4 * pressure / (3e-3 * diagonal));
  double half = contact->thickness / 2;
  assert_close(3 * contact->stiffness * half * half / contact->thickness, pressure);
  assert_close(contact->friction.sticking_speed, 1e-4 * sqrt(9.81 * diagonal));
  assert_close(contact->friction.stribeck_speed, 1e-3 * sqrt(9.81 * diagonal));
  assert_close(scene->solver.velocity_tolerance, 1e-6 * sqrt(9.81 * diagonal));
  assert_close(scene->solver.change_tolerance, 1e-5 * sqrt(9.81 * diagonal));
  assert_int_equal(contact->friction.stick, ST_STICK_ANCHORED);
  const StNote *note = find_note(scene, "contact of rubber on no material");
  assert_string_equal(note->value, "0.001732 m, 1.308e+07 Pa/m");
  assert_string_equal(note->reason,
                      "thickness 0.001 of the diagonal of \"a\"; stiffness carries 1.699e+04 Pa "
                      "(ρgL of \"a\") at 0.5 of the thickness");
  assert_string_equal(find_note(scene, "friction.stribeck_speed")->value, "0.004122 m/s");
  st_description_destroy(scene);
}

// Friction that holds by velocity has a sticking speed, and tolerances that are small against it.
static void test_defaults_of_velocity(void **state) {
  (void)state;
  double diagonal = sqrt(3);
  StDescription *scene = scene_of(
      "\"a\": " CUBE, ", \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, "
                      "\"friction\": [{\"between\": \"any\", \"dynamic\": 0.5, \"stick\": "
                      "\"velocity\"}]");
  assert_close(scene->solver.change_tolerance, 1e-6 * sqrt(9.81 * diagonal));
  assert_string_equal(find_note(scene, "friction.sticking_speed")->reason,
                      "0.0001 of √(gL) = 4.122 m/s with g = 9.81 m/s^2 and the scene's diagonal L "
                      "= 1.732 m: held contacts creep more slowly than this");
  assert_string_equal(find_note(scene, "solver.change_tolerance")->reason,
                      "0.01 of the sticking speed 0.0004122 m/s, so that friction is accurate");
  st_description_destroy(scene);
}

// Whatever the integrator, friction holds by anchors.
static void test_default_of_integrators(void **state) {
  (void)state;
  StDescription *scene = scene_of("\"a\": " CUBE, FLOOR ", \"integrator\": \"tr\"");
  assert_int_equal(scene->contact[0].friction.stick, ST_STICK_ANCHORED);
  st_description_destroy(scene);
}

// The smaller body sets the thickness, the one that presses more the stiffness.
static void test_defaults_of_pairs(void **state) {
  (void)state;
  StDescription *scene = scene_of("\"a\": " CUBE ", \"b\": " SMALL, FLOOR);
  double large = 1e-3 * sqrt(3), small = 1e-4 * sqrt(3);
  double soft = 1000 * 9.81 * sqrt(3), hard = 1e-4 * 2e9;
  const double thickness[] = {small, large, small, small}; // a on b, floor; b on a, floor
  const double pressure[] = {hard, soft, hard, hard};
  for (int i = 0; i < 4; i++) {
    const StContactDesc *contact = &scene->contact[i];
    assert_true(fabs(contact->thickness / thickness[i] - 1) < 1e-12);
    assert_true(fabs(contact->stiffness * 3 * thickness[i] / (4 * pressure[i]) - 1) < 1e-12);
  }
  const StNote *note = find_note(scene, "contact of foam on no material");
  assert_non_null(strstr(note->reason, "carries 2e+05 Pa (0.0001 of Young's modulus of \"b\") at "
                                       "0.5 of the thickness"));
  st_description_destroy(scene);
}

// Without gravity the initial speed takes its place, and without that the speed of sound.
static void test_defaults_without_gravity(void **state) {
  (void)state;
  const char *thrown = "\"a\": {\"shape\": {\"type\": \"box\", \"edge\": 0.5}, \"material\": "
                       "\"rubber\", \"velocity\": [0, 3, 4]}";
  StDescription *scene = scene_of(thrown, FLOOR ", \"gravity\": 0");
  double thickness = 1e-3 * sqrt(3);
  assert_close(scene->contact[0].friction.sticking_speed, 5e-4);
  assert_close(scene->contact[0].stiffness, 4 * (1000 * 25.0) / (3 * thickness));
  st_description_destroy(scene);
  scene = scene_of("\"a\": " CUBE, FLOOR ", \"gravity\": 0");
  assert_close(scene->contact[0].friction.sticking_speed, 1e-4 * sqrt(1.2e5 / 1000));
  assert_true(fabs(scene->contact[0].stiffness * 3 * thickness / (4 * 10) - 1) < 1e-12);
  st_description_destroy(scene);
}

// Rigid bodies at rest, which only a program may move: they have a size and a duration.
static void test_defaults_at_rest(void **state) {
  (void)state;
  static const char *const friction[] = {
      "", ", \"friction\": [{\"between\": \"any\", \"dynamic\": 0.5}]"};
  for (int i = 0; i < 2; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "{\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"gravity\": 0, \"bodies\": "
             "{\"a\": {\"shape\": {\"type\": \"box\"}}, \"b\": {\"shape\": {\"type\": "
             "\"box\"}, \"translate\": [0, 0, 1.001]}}%s, \"contact\": {\"method\": "
             "\"smooth\"}, \"time\": {\"duration\": 2}}",
             friction[i]);
    StDescription *scene = read_scene(text);
    double speed = sqrt(2 + 2.001 * 2.001) / 2;
    assert_close(scene->contact[0].friction.sticking_speed, 1e-4 * speed);
    assert_close(scene->solver.velocity_tolerance, 1e-6 * speed);
    assert_non_null(strstr(find_note(scene, "solver.velocity_tolerance")->reason,
                           "L/T with the scene's size L and its duration T"));
    st_description_destroy(scene);
  }
}

// All vertices alike: the mean share of area goes into the stiffness, given or not.
static void test_without_area_weights(void **state) {
  (void)state;
  double mean = 6.0 / 26, thickness = 1e-3 * sqrt(3);
  StDescription *scene = scene_of(
      "\"a\": " CUBE, FLOOR ", \"contact\": {\"method\": \"smooth\", \"area_weighted\": false}");
  double weighted = 4 * (1000 * 9.81 * sqrt(3)) / (3 * thickness);
  assert_true(fabs(scene->contact[0].stiffness / (mean * weighted) - 1) < 1e-12);
  assert_non_null(strstr(find_note(scene, "contact of rubber on no material")->value, " N/m"));
  st_description_destroy(scene);
  scene = scene_of(
      "\"a\": " CUBE,
      FLOOR ", \"contact\": {\"method\": \"smooth\", \"area_weighted\": false, \"stiffness\": 7}");
  assert_true(fabs(scene->contact[0].stiffness / (mean * 7) - 1) < 1e-12);
  st_description_destroy(scene);
}

// Tolerances follow a sticking speed that was given, and a loose one is told of.
static void test_tolerances(void **state) {
  (void)state;
  Said said = {0};
  const char *floor = ", \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, "
                      "\"friction\": [{\"between\": \"any\", \"dynamic\": 0.5, \"stick\": "
                      "\"velocity\", \"sticking_speed\": 1e-5}]";
  StDescription *scene = scene_of("\"a\": " CUBE, floor);
  assert_close(scene->solver.velocity_tolerance, 1e-7);
  assert_close(scene->solver.change_tolerance, 1e-7);
  st_description_destroy(scene);
  StText text = {0};
  st_text_add(&text, "{" MATERIALS ", \"bodies\": {\"a\": " CUBE "}, " TIME "%s, %s" SMOOTH "}",
              floor, "\"solver\": {\"velocity_tolerance\": 1e-5}");
  scene = read_saying(text.data, &said);
  assert_close(scene->solver.velocity_tolerance, 1e-5);
  assert_int_equal(said.count, 1);
  assert_string_equal(
      said.last, "scene.json: solver.velocity_tolerance is 1e-05 m/s; friction sticks below "
                 "1e-05 m/s, and is accurate only if the tolerance is much smaller: 1e-07 m/s or "
                 "less");
  st_description_destroy(scene);
  st_text_free(&text);
}

// Lengths and moduli × s, the same density and gravity: times go with √s.
static StDescription *scaled(double s, bool gravity, bool weighted) {
  StText text = {0};
  st_text_add(&text,
              "{\"materials\": {\"m\": {\"young\": %.17g, \"poisson\": 0.3}, \"n\": {\"law\": "
              "\"mooney_rivlin\", \"c10\": %.17g, \"c01\": %.17g, \"bulk\": %.17g}}, \"bodies\": "
              "{\"a\": {\"shape\": {\"type\": \"sphere\", \"radius\": %.17g, \"cells\": 3}, "
              "\"material\": \"m\", \"velocity\": [%.17g, 0, 0]}, \"b\": {\"shape\": {\"type\": "
              "\"torus\", \"cells\": 2, \"cells_around\": 8}, \"scale\": %.17g, \"translate\": "
              "[0, 0, %.17g], \"material\": \"n\"}},",
              1e6 * s, 2e6 * s, 3e5 * s, 8e7 * s, 0.3 * s, 2 * sqrt(s), s, 1.7 * s);
  st_text_add(&text,
              "\"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, \"friction\": "
              "[{\"between\": \"any\", \"dynamic\": 0.5}], \"contact\": {\"method\": \"smooth\", "
              "\"area_weighted\": %s}, "
              "\"gravity\": %s, \"time\": {\"duration\": %.17g}}",
              weighted ? "true" : "false", gravity ? "9.81" : "0", sqrt(s));
  StDescription *scene = read_scene(text.data);
  st_text_free(&text);
  return scene;
}

static void assert_ratio(double value, double base, double wanted) {
  if (!(fabs(value / base / wanted - 1) < 1e-12))
    fail_msg("%.17g is %.17g of %.17g, not %.17g", value, value / base, base, wanted);
}

static void check_similar(double s, bool gravity, bool weighted) {
  StDescription *base = scaled(1, gravity, weighted), *scene = scaled(s, gravity, weighted);
  assert_int_equal(base->contact_count, 4);
  for (int i = 0; i < 4; i++) {
    const StContactDesc *from = &base->contact[i], *to = &scene->contact[i];
    assert_ratio(to->thickness, from->thickness, s);
    // 3κ(δ/2)²/δ is a pressure, × s; without weights a force, × s³.
    assert_ratio(to->stiffness * to->thickness, from->stiffness * from->thickness,
                 weighted ? s : s * s * s);
    assert_ratio(to->friction.sticking_speed, from->friction.sticking_speed, sqrt(s));
    assert_ratio(to->friction.stribeck_speed, from->friction.stribeck_speed, sqrt(s));
  }
  assert_ratio(scene->solver.velocity_tolerance, base->solver.velocity_tolerance, sqrt(s));
  assert_ratio(scene->solver.change_tolerance, base->solver.change_tolerance, sqrt(s));
  st_description_destroy(base);
  st_description_destroy(scene);
}

static void test_similarity(void **state) {
  (void)state;
  const double sizes[] = {10, 1, 0.1, 0.01};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      check_similar(sizes[i], k & 1, k & 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_obstacles_arrive),
      cmocka_unit_test(test_obstacle_motion),
      cmocka_unit_test(test_mesh_obstacles),
      cmocka_unit_test(test_friction_arrives),
      cmocka_unit_test(test_any_covers_an_obstacle),
      cmocka_unit_test(test_pairs_without_friction),
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_pairs_apart),
      cmocka_unit_test(test_nothing_to_touch),
      cmocka_unit_test(test_too_many_bodies),
      cmocka_unit_test(test_idle_obstacle),
      cmocka_unit_test(test_settings_arrive),
      cmocka_unit_test(test_defaults_of_weight),
      cmocka_unit_test(test_defaults_of_velocity),
      cmocka_unit_test(test_default_of_integrators),
      cmocka_unit_test(test_defaults_of_pairs),
      cmocka_unit_test(test_defaults_without_gravity),
      cmocka_unit_test(test_defaults_at_rest),
      cmocka_unit_test(test_without_area_weights),
      cmocka_unit_test(test_tolerances),
      cmocka_unit_test(test_similarity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
