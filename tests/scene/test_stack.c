// What stands on a body at the start: loads go down, in equal parts, and contact below is made for
// them.
#include "scene/stack.h"

#include "base/memory.h"
#include "base/text.h"
#include "scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

// Boxes of 1 m by their mass and middle, in kg and m.
typedef struct Box {
  double mass, x, z;
} Box;

// angle: of the whole world about the y-axis.
static StDescription *read_boxes(const Box *box, int count, double angle, const char *more) {
  StText text = {0};
  StDescription *description = NULL;
  StError error = {0};
  double c = cos(angle), s = sin(angle);
  st_text_add(&text, "{\"materials\": {\"stone\": {\"law\": \"rigid\"}}, \"bodies\": {");
  for (int i = 0; i < count; i++)
    st_text_add(&text,
                "%s\"b%d\": {\"shape\": {\"type\": \"box\", \"edge\": 1}, \"mass\": %.17g, "
                "\"rotate\": {\"axis\": \"y\", \"angle\": %.17g}, \"translate\": [%.17g, 0, "
                "%.17g]}",
                i ? ", " : "", i, box[i].mass, angle, c * box[i].x + s * box[i].z,
                c * box[i].z - s * box[i].x);
  st_text_add(&text,
              "}, \"gravity\": [%.17g, 0, %.17g], \"obstacles\": {\"floor\": {\"shape\": "
              "{\"type\": \"half_space\"}}}%s, \"time\": {\"duration\": 1}}",
              -10 * s, -10 * c, more);
  if (st_scene_parse("scene", text.data, strlen(text.data), NULL, NULL, &description, &error) !=
      ST_OK)
    fail_msg("%s", error.text);
  st_text_free(&text);
  return description;
}

static void expect_layers(const Box *box, int count, double angle, const char *more,
                          const double *layers) {
  StDescription *description = read_boxes(box, count, angle, more);
  StStackScale stack;
  StError error = {0};
  assert_int_equal(st_stack_measure(description, &stack, &error), ST_OK);
  for (int i = 0; i < count; i++) {
    print_message("%d: %g, ", i, st_stack_layers(&stack, i));
    assert_true(fabs(st_stack_layers(&stack, i) / layers[i] - 1) < 1e-9);
  }
  print_message("\n");
  st_stack_free(&stack);
  st_description_destroy(description);
}

static void loads_go_down(void **state) {
  (void)state;
  const Box column[] = {{2, 0, 2.51}, {1, 0, 0.5}, {4, 0, 1.505}};
  expect_layers(column, 3, 0, "", (double[]){1, 7, 1.5});
  expect_layers(column, 3, 0.7, "", (double[]){1, 7, 1.5});
}

// A bridge on two piers, and a stone beside them that carries nothing.
static void loads_are_shared(void **state) {
  (void)state;
  const Box bridge[] = {{1, 0, 0.5}, {1, 1.2, 0.5}, {6, 0.6, 1.5}, {1, 2.5, 0.5}};
  expect_layers(bridge, 4, 0, "", (double[]){4, 4, 1, 1});
  expect_layers(bridge, 4, 0.3, "", (double[]){4, 4, 1, 1});
}

// What hangs above, what is beside, and what is held weighs on nothing.
static void nothing_else_counts(void **state) {
  (void)state;
  const Box apart[] = {{1, 0, 0.5}, {9, 0, 1.6}, {9, 1.01, 0.5}};
  expect_layers(apart, 3, 0, "", (double[]){1, 1, 1});
  const Box held[] = {{1, 0, 0.5}, {9, 0, 1.501}};
  expect_layers(held, 2, 0, ", \"boundaries\": {\"b\": {\"body\": \"b1\", \"region\": \"all\"}}",
                (double[]){1, 1});
}

static double stiffness_below(double on_top, const char *more) {
  const Box box[] = {{1, 0, 0.501}, {on_top, 0, 1.502}};
  StDescription *description = read_boxes(box, on_top > 0 ? 2 : 1, 0, more);
  double stiffness = 0;
  for (int i = 0; i < description->contact_count; i++)
    if (description->contact[i].collider == 0 && description->contact[i].obstacle >= 0)
      stiffness = description->contact[i].stiffness;
  st_description_destroy(description);
  return stiffness;
}

// Contact bears ten times what it is made for, smooth surfaces four times; more counts in full.
static void contact_is_made_for_them(void **state) {
  (void)state;
  static const char smooth[] = ", \"contact\": {\"method\": \"smooth\"}";
  double alone = stiffness_below(0, ""), alone_smooth = stiffness_below(0, smooth);
  assert_true(stiffness_below(8, "") == alone);
  assert_true(fabs(stiffness_below(999, "") / alone - 1000) < 1e-6);
  assert_true(stiffness_below(2, smooth) == alone_smooth);
  assert_true(fabs(stiffness_below(999, smooth) / alone_smooth - 1000) < 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_go_down), cmocka_unit_test(loads_are_shared),
      cmocka_unit_test(nothing_else_counts), cmocka_unit_test(contact_is_made_for_them)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
