// Thousands of bodies: nothing is kept for pairs that are far apart, and those that meet have the
// laws that they would have alone.
#include "base/text.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "scene/scene.h"
#include "solve/runtime.h"
#include "support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

// More than any table of pairs would hold.
enum { ALONG = 55, BODIES = ALONG * ALONG };
static const double STEP = 0.005, SIDE = 0.1, APART = 0.15, GRAVITY = 9.81;

// Boxes of three sizes and two materials in a square. The first `near` stand on the floor, which
// contact opens a little, and the others are above it.
static StDescription *make_scene(int count, int near, const char *contact) {
  StError error = {0};
  StText text = {0};
  StDescription *description = NULL;
  st_text_add(&text,
              "{\"materials\": {\"light\": {\"law\": \"rigid\", \"density\": 300}, \"heavy\": "
              "{\"law\": \"rigid\", \"density\": 3000}}, \"bodies\": {");
  for (int b = 0; b < count; b++) {
    double side = SIDE * (1 + 0.1 * (b % 3));
    st_text_add(&text,
                "%s\"b%d\": {\"shape\": {\"type\": \"box\", \"size_x\": %g, \"size_y\": %g, "
                "\"size_z\": %g, \"edge\": 1}, \"material\": \"%s\", \"translate\": [%g, %g, %g]}",
                b ? ", " : "", b, side, side, side, b % 2 ? "heavy" : "light", APART * (b % ALONG),
                APART * (b / ALONG), side / 2 + (b < near ? 0 : 1.0));
  }
  st_text_add(
      &text,
      "}, \"obstacles\": {\"floor\": {\"shape\": {\"type\": \"half_space\"}}}, \"friction\": "
      "[{\"between\": \"any\", \"dynamic\": 0.3}], %s \"time\": {\"duration\": 1, \"step\": "
      "%g}}",
      contact, STEP);
  assert_false(text.failed);
  if (st_scene_parse("scene", text.data, strlen(text.data), NULL, NULL, &description, &error) !=
      ST_OK)
    fail_msg("%s", error.text);
  st_text_free(&text);
  return description;
}

static int surface_of(const StDescription *description, int other) {
  return other < 0 ? description->body_count : other;
}

static void expect_same_law(const StDescription *many, const StDescription *few, int a, int other) {
  StContactDesc big = st_pair_law(many, st_pair_of(many, a, surface_of(many, other)));
  StContactDesc small = st_pair_law(few, st_pair_of(few, a, surface_of(few, other)));
  assert_true(big.thickness > 0 && big.stiffness > 0);
  assert_true(big.thickness == small.thickness && big.stiffness == small.stiffness);
  assert_true(big.friction.dynamic_coefficient == small.friction.dynamic_coefficient);
}

static void laws_are_those_of_few(void **state) {
  (void)state;
  StDescription *many = make_scene(BODIES, 0, ""), *few = make_scene(6, 0, "");
  int64_t bodies = BODIES;
  assert_int_equal(many->contact_count, 0); // nothing is listed
  assert_int_equal(st_pairs_count(many), bodies * (bodies + 1) / 2);
  assert_true(st_pairs_are_all(many));
  for (int a = 0; a < 6; a++)
    for (int b = -1; b < 6; b++)
      if (b < 0 || b > a)
        expect_same_law(many, few, a, b);
  for (int a = 0; a < BODIES; a += 97)
    for (int b = a + 1; b < BODIES; b += 101)
      assert_true(st_pair_reach(many, a, b) <= st_pairs_most_reach(many));
  st_description_destroy(many);
  st_description_destroy(few);
}

// One step: what stands stays, everything else falls freely, and the report has the pairs that
// touch.
static void a_step_is_right(void **state) {
  (void)state;
  enum { STANDING = 5 };
  StDescription *description = make_scene(BODIES, STANDING, "");
  StSimulation *simulation = world_start(description);
  world_step(simulation);
  const StReport *report = st_simulation_report(simulation);
  assert_int_equal(report->possible_pairs, st_pairs_count(description));
  assert_true(report->pair_count < ST_REPORT_PAIRS + BODIES);
  assert_true(st_judgement_is_clean(&report->judge.found) && report->judge.checked);
  int touching = 0;
  for (int i = 0; i < report->touching_count; i++)
    touching += report->pair[report->touching[i]].touching > 0;
  assert_int_equal(touching, STANDING);
  for (int b = 0; b < BODIES; b++) {
    double free = -GRAVITY * STEP, speed = report->body[b].velocity[2];
    if (b >= STANDING)
      assert_true(fabs(speed - free) < 1e-4 * -free);
    else
      assert_true(speed > 0.1 * free);
  }
  st_simulation_destroy(simulation);
  st_description_destroy(description);
}

// Some pairs may be listed with values of their own, beside all others.
static void listed_pairs_differ(void **state) {
  (void)state;
  StDescription *description = make_scene(
      BODIES, 0,
      "\"contact\": {\"pairs\": [{\"collider\": \"all\", \"surface\": \"all\", \"thickness\": "
      "1e-4}, {\"collider\": \"b7\", \"surface\": [\"b3000\", \"floor\"], \"thickness\": 2e-4}]},");
  assert_true(st_pair_reach(description, 7, 3000) == 2e-4);
  assert_true(st_pair_reach(description, 7, BODIES) == 2e-4);
  assert_true(st_pair_reach(description, 6, 3000) == 1e-4);
  assert_true(st_pairs_most_reach(description) >= 2e-4);
  st_description_destroy(description);
  description = make_scene(BODIES, 0,
                           "\"contact\": {\"pairs\": {\"collider\": \"all\", \"surface\": "
                           "\"floor\"}},");
  assert_int_equal(st_pairs_count(description), BODIES);
  assert_true(st_pair_reach(description, 1, 2) < 0 && st_pair_reach(description, 1, BODIES) > 0);
  assert_false(st_pairs_are_all(description));
  st_description_destroy(description);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(laws_are_those_of_few),
                                     cmocka_unit_test(a_step_is_right),
                                     cmocka_unit_test(listed_pairs_differ)};
  return st_runtime_start(NULL) == ST_OK ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
