// Which gaps at the start limit the default thickness: those of bodies that have play between
// walls, and no others.
#include "model/description.h"
#include "support/listed_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define BOX(x, y, z, sx, sy, sz)                                                                   \
  "{\"shape\": {\"type\": \"box\", \"edge\": 0.5, \"size_x\": " #sx ", \"size_y\": " #sy           \
  ", \"size_z\": " #sz "}, \"translate\": [" #x ", " #y ", " #z "]}"
// Of an obstacle, which has no mesh.
#define WALL(x, y, z, sx, sy, sz)                                                                  \
  "{\"shape\": {\"type\": \"box\", \"size_x\": " #sx ", \"size_y\": " #sy ", \"size_z\": " #sz     \
  "}, \"translate\": [" #x ", " #y ", " #z "]"
#define FLOOR "\"floor\": " WALL(0, 0, -0.5, 4, 4, 1) "}"
#define CUBE "\"a\": " BOX(0, 0, 0.5, 1, 1, 1)

static const double SIZE = 1e-3 * 1.7320508075688772; // the thickness of a cube of 1 m by its size

// The smallest thickness of all pairs of two.
static double thinnest(const char *bodies, const char *obstacles, const char *more) {
  char text[3000];
  StDescription *scene = NULL;
  StError error = {0};
  snprintf(
      text, sizeof text,
      "{\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"bodies\": {%s}, \"obstacles\": {%s}%s, "
      "\"time\": {\"duration\": 1}}",
      bodies, obstacles, more);
  if (listed_scene_parse("scene", text, strlen(text), NULL, NULL, &scene, &error) != ST_OK)
    fail_msg("%s", error.text);
  double least = INFINITY;
  for (int i = 0; i < scene->contact_count; i++)
    if (scene->contact[i].body != scene->contact[i].collider)
      least = fmin(least, scene->contact[i].thickness);
  st_description_destroy(scene);
  return least;
}

static void expect(double value, double expected) {
  if (!(fabs(value / expected - 1) < 1e-6))
    fail_msg("%.9g, not %.9g", value, expected);
}

// Half of the play, wherever the body is between the sides.
static void play_between_walls(void **state) {
  (void)state;
  const char *lid = FLOOR ", \"lid\": " WALL(0, 0, 1.5002, 4, 4, 1) "}";
  expect(thinnest(CUBE, lid, ""), 1e-4);
  expect(thinnest("\"a\": " BOX(0, 0, 0.5001, 1, 1, 1), lid, ""), 1e-4);
  expect(thinnest("\"a\": " BOX(0, 0, 0.5002, 1, 1, 1), lid, ""), 1e-4);
  // The lid is a body that is held.
  expect(thinnest(CUBE ", \"lid\": " BOX(0, 0, 1.5002, 1, 1, 1), FLOOR,
                  ", \"boundaries\": {\"lid\": {\"body\": \"lid\", \"region\": \"all\"}}"),
         1e-4);
  // More room than contact needs.
  expect(thinnest(CUBE, FLOOR ", \"lid\": " WALL(0, 0, 1.504, 4, 4, 1) "}", ""), SIZE);
}

// Contacts that have yet to close, however narrow the gap, and bodies pressed in without any play.
static void contacts(void **state) {
  (void)state;
  const char *upper = CUBE ", \"b\": " BOX(0, 0, 1.5002, 1, 1, 1);
  expect(thinnest(upper, FLOOR, ""), SIZE);
  // Guided, the upper one still goes up and down.
  expect(thinnest(upper, FLOOR,
                  ", \"boundaries\": {\"b\": {\"body\": \"b\", \"region\": \"all\", \"hold\": "
                  "[\"x\", \"y\"]}}"),
         SIZE);
  // A press that comes down.
  expect(thinnest(CUBE,
                  FLOOR ", \"press\": " WALL(0, 0, 1.5002, 4, 4,
                                             1) ", \"motion\": {\"velocity\": [0, 0, -0.001]}}",
                  ""),
         SIZE);
  // No play.
  expect(thinnest(CUBE, FLOOR ", \"lid\": " WALL(0, 0, 1.5, 4, 4, 1) "}", ""), SIZE);
  // Walls side by side, not opposite.
  expect(thinnest(CUBE, FLOOR ", \"wall\": " WALL(1.0002, 0, 0.5, 1, 4, 1) "}", ""), SIZE);
}

// A thickness that is given stays.
static void given(void **state) {
  (void)state;
  expect(thinnest(CUBE, FLOOR ", \"lid\": " WALL(0, 0, 1.5002, 4, 4, 1) "}",
                  ", \"contact\": {\"thickness\": \"1 mm\"}"),
         1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(play_between_walls),
                                     cmocka_unit_test(contacts), cmocka_unit_test(given)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
