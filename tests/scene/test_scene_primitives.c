// Contact by primitives in a scene: one entry for two bodies, one for a body with itself, keys that
// have a meaning there, and defaults that a turn of the world does not change.
#include "support/listed_scene.h"

#include "base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MATERIALS                                                                                  \
  "\"materials\": {\"rubber\": {\"young\": 1e9, \"poisson\": 0.25}, \"cloth\": {\"law\": "         \
  "\"membrane\", \"young\": 100, \"poisson\": 0.3, \"area_density\": 0.2}}"
#define FLOOR "\"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}"
#define CUBE "{\"shape\": {\"type\": \"box\", \"edge\": 0.5}, \"material\": \"rubber\"}"
#define CUBE_THAT                                                                                  \
  "{\"shape\": {\"type\": \"box\", \"edge\": 0.5}, \"material\": \"rubber\", \"self_contact\": "
#define CLOTH                                                                                      \
  "{\"shape\": {\"type\": \"sheet\", \"width\": 3, \"length\": 4, \"fill\": \"surface\", "         \
  "\"cells_x\": 10, \"cells_y\": 10}, \"material\": \"cloth\"}"
#define FINE_CLOTH                                                                                 \
  "{\"shape\": {\"type\": \"sheet\", \"width\": 3, \"length\": 4, \"fill\": \"surface\", "         \
  "\"cells_x\": 500, \"cells_y\": 500}, \"material\": \"cloth\"}"
#define TIME "\"time\": {\"duration\": 1}"

// −φ′ of the barrier φ = −(x − 1)² ln x.
static double pressure_at(double x) {
  return (1 - x) * (1 - x) / x - 2 * (1 - x) * log(x);
}

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

static StDescription *read_scene(const char *bodies, const char *contact, Said *said) {
  StText text = {0};
  StDescription *description = NULL;
  StError error = {0};
  StLog log = {keep, said};
  st_text_add(&text,
              "{" MATERIALS ", \"bodies\": {%s}, " FLOOR ", " TIME
              ", \"contact\": {\"method\": \"primitives\"%s}}",
              bodies, contact);
  if (listed_scene_parse("scene.json", text.data, strlen(text.data), NULL, said ? &log : NULL,
                         &description, &error) != ST_OK)
    fail_msg("%s", error.text);
  st_text_free(&text);
  return description;
}

static void assert_close(double value, double wanted) {
  if (!(fabs(value - wanted) <= 1e-12 * fabs(wanted)))
    fail_msg("%.17g, not %.17g", value, wanted);
}

static const StNote *find_note(const StDescription *scene, const char *key) {
  for (int i = 0; i < scene->note_count; i++)
    if (strcmp(scene->note[i].key, key) == 0)
      return &scene->note[i];
  fail_msg("there is no note on %s", key);
  return NULL;
}

// Three cubes, of which "b" does not touch itself, and a floor. Writes "a>a a>b a>floor …".
static void assert_pairs(const char *contact, const char *wanted) {
  StText list = {0};
  StDescription *scene = read_scene("\"a\": " CUBE ", \"b\": " CUBE_THAT "false}"
                                    ", \"c\": " CUBE_THAT "true}",
                                    contact, NULL);
  assert_int_equal(scene->contact_settings.method, ST_CONTACT_PRIMITIVES);
  st_text_add(&list, "%s", "");
  for (int i = 0; i < scene->contact_count; i++) {
    const StContactDesc *entry = &scene->contact[i];
    assert_true((entry->body < 0) != (entry->obstacle < 0));
    assert_true(entry->body < 0 || entry->collider <= entry->body);
    st_text_add(&list, "%s%s>%s", i ? " " : "", scene->body[entry->collider].name,
                entry->body >= 0 ? scene->body[entry->body].name
                                 : scene->obstacle[entry->obstacle].name);
  }
  assert_string_equal(list.data ? list.data : "", wanted);
  st_text_free(&list);
  st_description_destroy(scene);
}

static void test_pairs(void **state) {
  (void)state;
  const char *all = "a>a a>b a>c a>floor b>c b>floor c>c c>floor";
  assert_pairs("", all);
  assert_pairs(", \"pairs\": \"all\"", all);
  assert_pairs(", \"pairs\": {\"collider\": \"all\", \"surface\": \"all\"}", all);
  assert_pairs(", \"pairs\": \"none\"", "");
  // However they are named, the lower comes first; bodies touch themselves all the same.
  assert_pairs(", \"pairs\": {\"collider\": \"c\", \"surface\": \"a\"}", "a>a a>c c>c");
  assert_pairs(", \"pairs\": [{\"collider\": \"c\", \"surface\": [\"a\", \"floor\"]}, "
               "{\"collider\": \"a\", \"surface\": \"c\"}]",
               "a>a a>c c>c c>floor");
  assert_pairs(", \"pairs\": {\"collider\": \"c\", \"surface\": \"c\"}", "a>a c>c");
}

// One body alone touches itself; smooth surfaces leave it alone.
static void test_one_body(void **state) {
  (void)state;
  const char *text =
      "{" MATERIALS ", \"bodies\": {\"a\": " CUBE "}, " TIME ", \"contact\": {\"method\": \"%s\"}}";
  for (int i = 0; i < 2; i++) {
    char scene_text[1000];
    StDescription *scene = NULL;
    snprintf(scene_text, sizeof scene_text, text, i ? "primitives" : "smooth");
    assert_int_equal(
        listed_scene_parse("-", scene_text, strlen(scene_text), NULL, NULL, &scene, NULL), ST_OK);
    assert_int_equal(scene->contact_count, i);
    assert_true(scene->body[0].self_contact);
    st_description_destroy(scene);
  }
}

// Viscous friction is per area by primitives, per vertex by smooth surfaces, and has either's unit.
static void test_viscous_friction(void **state) {
  (void)state;
  const char *text = "{" MATERIALS ", \"bodies\": {\"a\": " CUBE "}, " FLOOR ", " TIME
                     ", \"friction\": [{\"between\": \"any\", \"dynamic\": 0.1, \"viscous\": "
                     "\"%s\"}], \"contact\": {\"method\": \"%s\"}}";
  const char *unit[] = {"3 kg/s", "3 Pa*s/m"}, *method[] = {"smooth", "primitives"};
  for (int i = 0; i < 4; i++) {
    char scene_text[1000];
    StDescription *scene = NULL;
    StError error = {0};
    snprintf(scene_text, sizeof scene_text, text, unit[i % 2], method[i / 2]);
    StStatus status =
        listed_scene_parse("-", scene_text, strlen(scene_text), NULL, NULL, &scene, &error);
    assert_int_equal(status, i % 2 == i / 2 ? ST_OK : ST_BAD_INPUT);
    if (scene)
      assert_close(scene->contact[0].friction.viscous_coefficient, 3);
    else
      assert_non_null(strstr(error.text, "viscous"));
    st_description_destroy(scene);
  }
}

static void test_values_arrive(void **state) {
  (void)state;
  StDescription *scene =
      read_scene("\"a\": " CUBE ", \"b\": " CUBE,
                 ", \"thickness\": \"1 mm\", \"stiffness\": \"2 kPa\", \"pairs\": [{\"collider\": "
                 "\"all\", \"surface\": \"all\"}, {\"collider\": \"b\", \"surface\": \"a\", "
                 "\"thickness\": \"2 mm\", \"stiffness\": 7}, {\"collider\": \"b\", \"surface\": "
                 "\"b\", \"thickness\": \"3 mm\"}]",
                 NULL);
  // a on itself, b, floor; b on itself, floor
  const double thickness[] = {1e-3, 2e-3, 1e-3, 3e-3, 1e-3};
  const double stiffness[] = {2e3, 7, 2e3, 2e3, 2e3};
  assert_int_equal(scene->contact_count, 5);
  for (int i = 0; i < 5; i++) {
    assert_close(scene->contact[i].thickness, thickness[i]);
    assert_close(scene->contact[i].stiffness, stiffness[i]);
  }
  st_description_destroy(scene);
}

// Weight alone, of a stiff body at 0.8 of the thickness; on a floor, all of it on three vertices of
// mean area. The cube has six of them amid faces, twelve amid edges, and eight corners.
static void test_defaults(void **state) {
  (void)state;
  StDescription *scene = read_scene("\"a\": " CUBE, "", NULL);
  double size = sqrt(3), area = (6 * 0.25 + 12 * 0.125 + 8 / 12.0) / 26;
  assert_int_equal(scene->contact_count, 2);
  for (int i = 0; i < 2; i++) {
    double pressure = 1000 * 9.81 * (scene->contact[i].obstacle < 0 ? size : 1 / (3 * area));
    assert_close(scene->contact[i].thickness, 1e-3 * size);
    assert_close(scene->contact[i].stiffness, pressure / pressure_at(0.8));
    assert_close(scene->contact[i].friction.sticking_speed, 1e-4 * sqrt(9.81 * size));
  }
  const StNote *note = find_note(scene, "contact of rubber on no material");
  assert_string_equal(note->value, "0.001732 m, 1.665e+05 Pa");
  assert_string_equal(note->reason,
                      "thickness 0.001 of the size of \"a\"; stiffness carries 2.319e+04 Pa (\"a\" "
                      "on a few of its vertices) at 0.8 of the thickness");
  note = find_note(scene, "contact of rubber on rubber");
  assert_string_equal(note->value, "0.001732 m, 1.22e+05 Pa");
  find_note(scene, "friction of rubber on itself");
  st_description_destroy(scene);
}

static StContactDesc cube_contact(double young) {
  char text[400];
  StDescription *scene = NULL;
  snprintf(text, sizeof text,
           "{\"materials\": {\"m\": {\"young\": %g, \"poisson\": 0.25}}, \"bodies\": {\"a\": "
           "{\"shape\": {\"type\": \"box\", \"edge\": 0.5}, \"material\": \"m\"}}, " FLOOR ", " TIME
           ", \"contact\": {\"method\": \"primitives\"}}",
           young);
  assert_int_equal(listed_scene_parse("-", text, strlen(text), NULL, NULL, &scene, NULL), ST_OK);
  StContactDesc contact = scene->contact[0];
  st_description_destroy(scene);
  return contact;
}

static double cube_stiffness(double young) {
  return cube_contact(young).stiffness;
}

// A third of ρgL²/E, between 1e-3 of the size, and 2 % of how thick the cube is: a third of 1 m.
static void test_thickness_of_soft_bodies(void **state) {
  (void)state;
  double size = sqrt(3), weight = 1000 * 9.81 * size;
  assert_close(cube_contact(1e9).thickness, 1e-3 * size);
  assert_close(cube_contact(1e4).thickness, 0.02 / 3);
  double young = 3e6;
  assert_close(cube_contact(young).thickness, weight * size / young / 3);
}

// Contact need not be stiffer than a soft body; of one that its weight shortens by 0.3 of the
// thickness, contact gives as much.
static void test_defaults_of_soft_bodies(void **state) {
  (void)state;
  double size = sqrt(3), pressure = 1000 * 9.81 * size;
  double shortened = 0.3 * 1e-3 * size;
  assert_close(cube_stiffness(1e4), pressure / pressure_at(0.5));
  assert_true(fabs(cube_stiffness(size * pressure / shortened) * pressure_at(0.7) / pressure - 1) <
              1e-4); // the modulus has six digits
}

// Where no load is known, inertia: what moves a column of the body by the thickness in a step.
static void test_defaults_at_rest(void **state) {
  (void)state;
  StDescription *scene = NULL;
  const char *text = "{" MATERIALS ", \"bodies\": {\"a\": " CUBE "}, \"gravity\": 0, " TIME
                     ", \"contact\": {\"method\": \"primitives\"}}";
  assert_int_equal(listed_scene_parse("-", text, strlen(text), NULL, NULL, &scene, NULL), ST_OK);
  double size = sqrt(3), pressure = 1000 * size * 1e-3 * size / (0.01 * 0.01);
  assert_close(scene->contact[0].stiffness, pressure / pressure_at(0.8));
  st_description_destroy(scene);
}

// Cloth of 3 m × 4 m: 5 mm by its size, and less where its edges ask for it. Cells with 500 to a
// side have edges of 6, 8 and 10 mm, of which the median is 8 mm.
static void test_fine_meshes(void **state) {
  (void)state;
  StDescription *coarse = read_scene("\"a\": " CLOTH, "", NULL);
  assert_close(coarse->contact[0].thickness, 5e-3);
  assert_close(coarse->contact[0].stiffness, 10 * 0.2 * 9.81 / pressure_at(0.5));
  st_description_destroy(coarse);
  StDescription *fine = read_scene("\"a\": " FINE_CLOTH, "", NULL);
  for (int i = 0; i < 2; i++)
    assert_true(fabs(fine->contact[i].thickness / 2e-3 - 1) < 1e-9);
  st_description_destroy(fine);
}

// What was given holds, but on itself cloth must not touch its own neighbours.
static void test_thick_on_itself(void **state) {
  (void)state;
  Said said = {0};
  StDescription *scene = read_scene("\"a\": " CLOTH, ", \"thickness\": \"20 cm\"", &said);
  assert_close(scene->contact[0].thickness, 0.1);
  assert_close(scene->contact[1].thickness, 0.2);
  assert_int_equal(said.count, 1);
  assert_string_equal(said.last, "scene.json: contact.thickness is 0.2 m; \"a\" on itself takes "
                                 "0.1 m, 0.25 of its median edge");
  st_description_destroy(scene);
}

// The rows of the friction table count for a body on itself, too; that none does is no warning.
static void test_friction_on_itself(void **state) {
  (void)state;
  Said said = {0};
  StLog log = {keep, &said};
  StDescription *scene = NULL;
  const char *text = "{" MATERIALS ", \"bodies\": {\"a\": " CUBE ", \"b\": " CLOTH "}, " TIME
                     ", \"friction\": [{\"between\": [\"cloth\", \"cloth\"], \"dynamic\": 0.3}, "
                     "{\"between\": "
                     "[\"rubber\", \"cloth\"], \"dynamic\": 0.5}], \"contact\": {\"method\": "
                     "\"primitives\"}}";
  assert_int_equal(listed_scene_parse("-", text, strlen(text), NULL, &log, &scene, NULL), ST_OK);
  const double dynamic[] = {0, 0.5, 0.3}; // a on itself, b; b on itself
  assert_int_equal(scene->contact_count, 3);
  for (int i = 0; i < 3; i++)
    assert_true(scene->contact[i].friction.dynamic_coefficient == dynamic[i]);
  assert_int_equal(said.count, 0);
  st_description_destroy(scene);
}

// Bodies, their places, their motion and gravity turned about an axis.
static StDescription *turned(double degrees) {
  StText text = {0};
  double angle = degrees * 3.14159265358979323846 / 180, c = cos(angle), s = sin(angle);
  st_text_add(&text,
              "{" MATERIALS
              ", \"bodies\": {\"a\": {\"shape\": {\"type\": \"box\", \"size_x\": 2, \"size_y\": "
              "0.3, \"size_z\": 1, \"edge\": 0.2}, \"material\": \"rubber\", \"rotate\": "
              "{\"axis\": \"y\", \"angle\": %.17g}, \"velocity\": [%.17g, 0, %.17g]}, \"b\": "
              "{\"shape\": {\"type\": \"sheet\", \"width\": 3, \"length\": 0.4, \"fill\": "
              "\"surface\", \"cells_x\": 60, \"cells_y\": 8}, \"material\": \"cloth\", \"rotate\": "
              "{\"axis\": \"y\", \"angle\": %.17g}, \"translate\": [%.17g, 0, %.17g]}},",
              angle, 2 * c, -2 * s, angle, 1.5 * s, 1.5 * c);
  st_text_add(&text,
              "\"gravity\": [%.17g, 0, %.17g], \"friction\": [{\"between\": \"any\", \"dynamic\": "
              "0.5}], " TIME ", \"contact\": {\"method\": \"primitives\"}}",
              -9.81 * s, -9.81 * c);
  StDescription *scene = NULL;
  StError error = {0};
  if (listed_scene_parse("-", text.data, strlen(text.data), NULL, NULL, &scene, &error) != ST_OK)
    fail_msg("%s", error.text);
  st_text_free(&text);
  return scene;
}

static void test_turned_world(void **state) {
  (void)state;
  StDescription *level = turned(0);
  for (double degrees = 15; degrees < 180; degrees += 15) {
    StDescription *scene = turned(degrees);
    assert_int_equal(scene->contact_count, 3);
    for (int i = 0; i < 3; i++) {
      const StContactDesc *from = &level->contact[i], *to = &scene->contact[i];
      assert_close(to->thickness, from->thickness);
      assert_close(to->stiffness, from->stiffness);
      assert_close(to->friction.sticking_speed, from->friction.sticking_speed);
    }
    assert_close(scene->solver.velocity_tolerance, level->solver.velocity_tolerance);
    assert_close(scene->solver.change_tolerance, level->solver.change_tolerance);
    st_description_destroy(scene);
  }
  st_description_destroy(level);
}

// κ of a rigid cube of 1 m, 1000 kg, in free fall.
static double rigid_stiffness(const char *velocity, double step, double duration,
                              const char *more) {
  char text[1000];
  StDescription *scene = NULL;
  StError error = {0};
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {\"law\": \"rigid\", \"density\": 1000}}, \"gravity\": 0, " FLOOR
      ", \"bodies\": {\"a\": {\"shape\": {\"type\": \"box\", \"edge\": 0.5}, \"translate\": [0, "
      "0, 1], \"velocity\": %s}}, \"time\": {\"duration\": %g, \"step\": %g}%s}",
      velocity, duration, step, more);
  if (listed_scene_parse("scene.json", text, strlen(text), NULL, NULL, &scene, &error) != ST_OK)
    fail_msg("%s", error.text);
  double stiffness = scene->contact[0].stiffness;
  st_description_destroy(scene);
  return stiffness;
}

#define PUSH(newtons)                                                                              \
  ", \"loads\": {\"push\": {\"body\": \"a\", \"region\": \"all\", \"force\": [0, 0, " newtons "]}" \
  "}"
#define GUIDE                                                                                      \
  ", \"boundaries\": {\"guide\": {\"body\": \"a\", \"region\": \"all\", \"hold\": [\"x\", "        \
  "\"y\"]}}"
#define STICKING                                                                                   \
  ", \"friction\": [{\"between\": \"any\", \"dynamic\": 1, \"stick\": \"velocity\", "              \
  "\"sticking_speed\": 1e-3}], \"solver\": {\"velocity_tolerance\": 1e-6, \"change_tolerance\": "  \
  "1e-6}"

// Without weight rigid bodies press as they are pushed, on three of their 26 vertices, which have
// between 1/26 of a face and all of it. Neither step nor duration matter.
static void test_rigid_in_free_fall(void **state) {
  (void)state;
  const double size = sqrt(3);
  double pushed = rigid_stiffness("[0, 0, 0]", 0.01, 1, PUSH("-10"));
  assert_true(pressure_at(0.8) * pushed > 10 / 3.0 && pressure_at(0.8) * pushed < 10 / (3 / 26.0));
  assert_true(rigid_stiffness("[0, 0, 0]", 0.001, 1, PUSH("-10")) == pushed);
  assert_true(rigid_stiffness("[0, 0, 0]", 0.01, 100, PUSH("-10")) == pushed);
  assert_true(fabs(rigid_stiffness("[0, 0, 0]", 0.01, 1, PUSH("-30")) / pushed - 3) < 1e-12);
  // Held along two axes, it is pushed all the same.
  assert_true(rigid_stiffness("[0, 0, 0]", 0.01, 1, PUSH("-10") GUIDE) == pushed);
  // Nothing is known: inertia.
  double idle = rigid_stiffness("[0, 0, 0]", 0.01, 2, STICKING);
  double pressure = 1000 * size * 1e-3 * size / (0.01 * 0.01);
  assert_true(fabs(pressure_at(0.8) * idle / pressure - 1) < 1e-9);
  assert_true(rigid_stiffness("[0, 0, 0]", 0.01, 50, STICKING) == idle);
  // With a given motion: that goes 2 cm in a step, instead of the thickness.
  double moving = rigid_stiffness("[0, 0, -2]", 0.01, 2, STICKING);
  assert_true(fabs(moving / idle * 1e-3 * size / 0.02 - 1) < 1e-9);
}

// The pressure that κ of a cube of 1 m and 1 MPa on the floor is made for, at half the thickness.
// Its top is held and moves as given, over a duration.
static double driven_pressure(const char *path, double duration) {
  char text[1500], keys[600];
  StDescription *scene = NULL;
  StError error = {0};
  snprintf(keys, sizeof keys, path, 0.2 * duration, duration);
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {\"young\": 1e6, \"poisson\": 0.3}}, \"gravity\": 0, " FLOOR
      ", \"bodies\": {\"a\": {\"shape\": {\"type\": \"box\", \"edge\": 0.5}, \"translate\": [0, "
      "0, 0.51]}}, \"boundaries\": {\"top\": {\"body\": \"a\", \"region\": {\"label\": \"z+\"}, "
      "\"motion\": {\"keys\": [{\"time\": 0}, %s]}}}, \"time\": {\"duration\": %g, \"step\": %g}}",
      keys, duration, duration / 20);
  if (listed_scene_parse("scene.json", text, strlen(text), NULL, NULL, &scene, &error) != ST_OK)
    fail_msg("%s", error.text);
  double pressure = 0;
  for (int i = 0; i < scene->contact_count; i++)
    if (scene->contact[i].obstacle >= 0)
      pressure = scene->contact[i].stiffness * pressure_at(0.5);
  st_description_destroy(scene);
  return pressure;
}

// A press by 30 mm through a gap of 10 mm strains the cube by 0.02, in any time, and a drag along
// the floor adds nothing.
static void test_squeeze(void **state) {
  (void)state;
  static const char press[] = "{\"time\": %g, \"translate\": [0, 0, -0.03]}, {\"time\": %g, "
                              "\"translate\": [0, 0, -0.03]}";
  static const char drag[] = "{\"time\": %g, \"translate\": [0, 0, -0.03]}, {\"time\": %g, "
                             "\"translate\": [5, 0, -0.03]}";
  const double duration[] = {0.2, 2, 200};
  for (int i = 0; i < 3; i++) {
    assert_true(fabs(driven_pressure(press, duration[i]) / (1e6 * 0.02) - 1) < 1e-9);
    assert_true(fabs(driven_pressure(drag, duration[i]) / (1e6 * 0.02) - 1) < 1e-9);
  }
}

// A free ball of 10 cm between the floor and a plate that comes down to 9 cm: each dents it by 5
// mm, and Hertz's largest pressure is 2/π E/(1 − ν²) √(w/R). Its faces are flat and four times as
// long as the dent is deep.
static void test_squeeze_between(void **state) {
  (void)state;
  StDescription *scene = NULL;
  StError error = {0};
  const char *text =
      "{\"materials\": {\"m\": {\"young\": 1e6, \"poisson\": 0.3}}, \"gravity\": 0, \"bodies\": "
      "{\"a\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.05, \"edge\": 0.02}, "
      "\"translate\": [0, "
      "0, 0.051]}}, \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}, \"plate\": "
      "{\"shape\": {\"type\": \"box\", \"size_x\": 1, \"size_y\": 1, \"size_z\": 0.1}, "
      "\"translate\": "
      "[0, 0, 0.16], \"motion\": {\"keys\": [{\"time\": 0}, {\"time\": 3, \"translate\": [0, 0, "
      "-0.02]}]}}}, \"time\": {\"duration\": 3, \"step\": 1}}";
  if (listed_scene_parse("scene.json", text, strlen(text), NULL, NULL, &scene, &error) != ST_OK)
    fail_msg("%s", error.text);
  for (int i = 0; i < scene->contact_count; i++)
    if (scene->contact[i].obstacle >= 0)
      assert_true(fabs(scene->contact[i].stiffness * pressure_at(0.5) / 0.221e6 - 1) < 0.5);
  st_description_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_thickness_of_soft_bodies),
      cmocka_unit_test(test_squeeze),
      cmocka_unit_test(test_squeeze_between),
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_one_body),
      cmocka_unit_test(test_viscous_friction),
      cmocka_unit_test(test_values_arrive),
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_defaults_of_soft_bodies),
      cmocka_unit_test(test_defaults_at_rest),
      cmocka_unit_test(test_fine_meshes),
      cmocka_unit_test(test_thick_on_itself),
      cmocka_unit_test(test_friction_on_itself),
      cmocka_unit_test(test_turned_world),
      cmocka_unit_test(test_rigid_in_free_fall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
