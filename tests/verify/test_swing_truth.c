// What hangs on joints keeps its energy, on default settings: rigid and soft pendulums, bars that
// spin about an end, two bars in a row, a body on a spring. Whatever is lost is the method's error,
// since nothing rubs.
#include "scene/scene.h"
#include "solve/runtime.h"
#include "support/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

typedef struct Swing {
  const char *name, *material, *bodies, *joints, *gravity;
  double scale; // J, of the energy exchanged; 0: the kinetic energy at the start
  double allowed;
} Swing;

static const char RIGID[] = "\"law\": \"rigid\"";
static const char SOFT[] = "\"young\": \"1 MPa\", \"poisson\": 0.3";
#define BAR                                                                                        \
  "{\"shape\": {\"type\": \"box\", \"size_x\": 0.5, \"size_y\": 0.05, \"size_z\": 0.05, "          \
  "\"edge\": 0.05}"
static const char FALLS[] = "\"a\": " BAR ", \"translate\": [0.25, 0, 0]}";
static const char SPINS[] = "\"a\": " BAR ", \"translate\": [0.25, 0, 0], \"velocity\": [0, 0, "
                            "-2.5], \"angular_velocity\": [0, 10, 0]}";
static const char SWERVES[] = "\"a\": " BAR ", \"translate\": [0.25, 0, 0], \"velocity\": [0, 1, "
                              "0], \"angular_velocity\": [0, 0, 4]}";
static const char TWO[] =
    "\"a\": " BAR ", \"translate\": [0.25, 0, 0]}, \"b\": " BAR ", \"translate\": [0.76, 0, 0]}";
static const char BALL[] = "\"a\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.1, "
                           "\"cells\": 4}, \"translate\": [1, 0, 0]}";
static const char CUBE[] =
    "\"a\": {\"shape\": {\"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1, \"size_z\": 0.1, "
    "\"edge\": 0.1}, \"velocity\": [1, 0, 0]}";
#define AT_END(type, region)                                                                       \
  "\"p\": {\"type\": \"" type                                                                      \
  "\", \"axis\": \"y\", \"from\": {\"body\": \"a\", \"region\": " region                           \
  ", \"point\": [0, 0, 0]}}"
static const char HINGE[] = AT_END("hinge", "\"all\"");
static const char SOFT_HINGE[] = AT_END("hinge", "{\"label\": \"x-\"}");
static const char SOCKET[] = "\"p\": {\"type\": \"ball\", \"from\": {\"body\": \"a\", \"region\": "
                             "\"all\", \"point\": [0, 0, 0]}}";
static const char HINGES[] =
    AT_END("hinge", "\"all\"") ", \"q\": {\"type\": \"hinge\", \"axis\": \"y\", \"from\": {"
                               "\"body\": \"b\", \"region\": \"all\", \"point\": [0.505, 0, 0]}, "
                               "\"to\": {\"body\": \"a\", \"region\": \"all\", \"point\": [0.505, "
                               "0, 0]}}";
static const char SPRING[] =
    "\"p\": {\"type\": \"slider\", \"axis\": \"x\", \"from\": {\"body\": \"a\", \"region\": "
    "\"all\", \"point\": [0, 0, 0]}}, \"s\": {\"type\": \"spring\", \"stiffness\": 40, "
    "\"length\": 1, \"from\": {\"body\": \"a\", \"region\": \"all\", \"point\": [0, 0, 0]}, "
    "\"to\": {\"point\": [-1, 0, 0]}}";

static const double BAR_MASS = 1.25, GRAVITY = 9.81; // kg, m/s²

static StSimulation *begin(const Swing *swing, StDescription **description) {
  char text[4000];
  StError error = {0};
  snprintf(text, sizeof text,
           "{\"materials\": {\"m\": {%s, \"density\": 1000}}, \"gravity\": %s, \"bodies\": {%s}, "
           "\"joints\": {%s}, \"contact\": {\"pairs\": \"none\"}, \"time\": {\"duration\": 2, "
           "\"step\": 0.01}, \"output\": {\"judge\": \"off\"}}",
           swing->material, swing->gravity, swing->bodies, swing->joints);
  if (st_scene_parse("scene", text, strlen(text), NULL, NULL, description, &error) != ST_OK)
    fail_msg("%s", error.text);
  return world_start(*description);
}

static void keep_energy(const Swing *swing) {
  StDescription *description;
  StSimulation *simulation = begin(swing, &description);
  const StReport *report = st_simulation_report(simulation);
  double before = report->total_energy;
  double scale = swing->scale > 0 ? swing->scale : report->kinetic_energy;
  world_run(simulation);
  double change = (report->total_energy - before) / scale;
  print_message("%s: energy changes by %+.4f\n", swing->name, change);
  assert_true(change < 1e-3); // what a step may gain by its own error
  assert_true(change > -swing->allowed);
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

// Backward Euler would lose 32 to 75 % in these 2 s. What is left is lost in the first step and in
// the few that are solved again; two bars in a row tumble.
static void swings_keep_their_energy(void **state) {
  (void)state;
  const double bar = BAR_MASS * GRAVITY * 0.25;
  const Swing swings[] = {
      {"ball on a hinge", RIGID, BALL, HINGE, "9.81", 4.19 * GRAVITY, 0.01},
      {"bar on a hinge", RIGID, FALLS, HINGE, "9.81", bar, 0.01},
      {"soft bar on a hinge", SOFT, FALLS, SOFT_HINGE, "9.81", bar, 0.01},
      {"bar that spins on a hinge", RIGID, SPINS, HINGE, "0", 0, 0.02},
      {"soft bar that spins on a hinge", SOFT, SPINS, SOFT_HINGE, "0", 0, 0.02},
      {"bar in a socket", RIGID, SWERVES, SOCKET, "9.81", bar, 0.02},
      {"two bars in a row", RIGID, TWO, HINGES, "9.81", BAR_MASS * GRAVITY * 1.01, 0.05},
      {"cube on a spring", RIGID, CUBE, SPRING, "0", 0, 0.01},
  };
  for (int i = 0; i < ST_LENGTH(swings); i++)
    keep_energy(&swings[i]);
}

// The axis is that of all places which the world holds.
static void doors_turn_on_two_balls(void **state) {
  (void)state;
  static const char balls[] =
      "\"p\": {\"type\": \"ball\", \"from\": {\"body\": \"a\", \"region\": \"all\", \"point\": "
      "[0, -0.2, 0]}}, \"q\": {\"type\": \"ball\", \"from\": {\"body\": \"a\", \"region\": "
      "\"all\", \"point\": [0, 0.3, 0]}}";
  keep_energy(&(Swing){"bar on two balls", RIGID, SPINS, balls, "0", 0, 0.02});
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(swings_keep_their_energy),
                                     cmocka_unit_test(doors_turn_on_two_balls)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
