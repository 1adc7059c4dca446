// Semicircular arches of rigid stones, thicker and thinner than what theory says just stands: a
// line of thrust must fit between the inner and the outer curve, and with friction enough nothing
// slides.
#include "base/text.h"
#include "support/listed_scene.h"
#include "solve/runtime.h"
#include "support/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const double RADIUS = 1, WIDTH = 0.25;

// Area of a piece of the ring between two angles is half of this times their difference; its centre
// is at this distance from the middle.
typedef struct Ring {
  double inner, outer;
} Ring;

static double centre_distance(const Ring *ring, double angle) {
  double cube = pow(ring->outer, 3) - pow(ring->inner, 3);
  double square = ring->outer * ring->outer - ring->inner * ring->inner;
  return 2.0 / 3 * cube / square * sin(angle / 2) / (angle / 2);
}

// Where the thrust may pass the crown, for this horizontal thrust over weight per radian: the joint
// at `angle` from the ground is passed between the curves.
static void limit_crown(const Ring *ring, double thrust, double angle, double range[2]) {
  const double pi = acos(-1);
  double weight = pi / 2 - angle, x = 0;
  if (weight > 1e-12)
    x = centre_distance(ring, weight) * cos((pi / 2 + angle) / 2);
  double share = thrust * sin(angle) + weight * cos(angle);
  range[0] = fmax(range[0], (ring->inner * share - weight * x) / thrust);
  range[1] = fmin(range[1], (ring->outer * share - weight * x) / thrust);
}

static bool stands_in_theory(int stones, double thickness) {
  const double pi = acos(-1);
  Ring ring = {RADIUS - thickness / 2, RADIUS + thickness / 2};
  for (double thrust = 0.3; thrust < 1.1; thrust += 1e-3) {
    double range[2] = {-INFINITY, INFINITY};
    for (int k = 0; 2 * k <= stones; k++)
      limit_crown(&ring, thrust, pi * k / stones, range);
    if (range[1] > range[0])
      return true;
  }
  return false;
}

static double least_thickness(int stones) {
  double low = 0.03, high = 0.2;
  for (int i = 0; i < 30; i++)
    *(stands_in_theory(stones, (low + high) / 2) ? &high : &low) = (low + high) / 2;
  return high;
}

static void write_stone(StText *text, const Ring *ring, const double angle[2]) {
  static const char *const TRIANGLES =
      "0,1,2, 0,2,3, 7,6,5, 7,5,4, 0,4,5, 0,5,1, 1,5,6, 1,6,2, 2,6,7, 2,7,3, 3,7,4, 3,4,0";
  st_text_add(text, "{\"mesh\": {\"vertices\": [");
  for (int side = 0; side < 2; side++)
    for (int c = 0; c < 4; c++) {
      double r = c == 0 || c == 3 ? ring->inner : ring->outer, a = angle[c / 2];
      st_text_add(text, "%s%.17g, %g, %.17g", side + c > 0 ? ", " : "", r * cos(a),
                  (side - 0.5) * WIDTH, r * sin(a));
    }
  st_text_add(text, "], \"triangles\": [%s]}, \"material\": \"stone\"}", TRIANGLES);
}

static void write_arch(StText *text, int stones, double thickness) {
  const double pi = acos(-1);
  Ring ring = {RADIUS - thickness / 2, RADIUS + thickness / 2};
  st_text_add(text, "{\"materials\": {\"stone\": {\"law\": \"rigid\", \"density\": 2000}}, "
                    "\"obstacles\": {\"ground\": {\"shape\": {\"type\": \"half_space\"}}}, "
                    "\"friction\": [{\"between\": \"any\", \"dynamic\": 0.8}], \"time\": "
                    "{\"duration\": 2, \"step\": 0.01}, \"output\": {\"judge\": \"off\"}, "
                    "\"bodies\": {");
  for (int k = 0; k < stones; k++) {
    st_text_add(text, "%s\"stone %d\": ", k > 0 ? ", " : "", k);
    write_stone(text, &ring, (double[]){pi * k / stones, pi * (k + 1) / stones});
  }
  st_text_add(text, "}}");
}

// Of the keystone, which has straight edges.
static double keystone_height(const Ring *ring, int stones) {
  double half = acos(-1) / stones / 2, low = ring->inner * cos(half),
         high = ring->outer * cos(half);
  return low + (high - low) / 3 * (ring->inner + 2 * ring->outer) / (ring->inner + ring->outer);
}

// How far the keystone comes down from where the scene has it. *gap: the thickness of contact.
static double keystone_drop(int stones, double thickness, double *gap) {
  StError error = {0};
  StText text = {0};
  StDescription *description;
  write_arch(&text, stones, thickness);
  assert_false(text.failed);
  if (listed_scene_parse("arch", text.data, strlen(text.data), NULL, NULL, &description, &error) !=
      ST_OK)
    fail_msg("%s", error.text);
  st_text_free(&text);
  Ring ring = {RADIUS - thickness / 2, RADIUS + thickness / 2};
  StSimulation *simulation = world_start(description);
  const StReport *report = st_simulation_report(simulation);
  while (report->time < 1.999)
    world_step(simulation);
  double drop = keystone_height(&ring, stones) - report->body[stones / 2].centre[2];
  *gap = description->contact[0].thickness;
  st_simulation_destroy(simulation);
  st_description_destroy(description);
  return drop;
}

static void arches_stand_or_fall(void **state) {
  (void)state;
  static const int STONES[] = {9, 15, 25};
  for (int i = 0; i < 3; i++) {
    double least = least_thickness(STONES[i]), gap;
    double thick = keystone_drop(STONES[i], 1.04 * least, &gap);
    double thin = keystone_drop(STONES[i], 0.97 * least, &gap);
    print_message("%d stones, at least %.5f m thick: with 1.04 of that the keystone comes down by "
                  "%.4f m, with 0.97 by %.2f m\n",
                  STONES[i], least, thick, thin);
    assert_true(fabs(thick) < (STONES[i] + 1) * gap); // the joints open, by that at most
    assert_true(thin > 0.5);
  }
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(arches_stand_or_fall)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
