// Chains of bodies on springs: shifts that balance forces, and who is held.
#include "step/spring_net.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { BODIES = 30 };
static const double STIFF = 2e5; // N/m

// Along z only: across, nothing holds.
static StSpring spring(int a, int b) {
  return (StSpring){.body = {a, b}, .stiffness = {[8] = STIFF}};
}

// Body 0 stands on the floor, each other one on the one before.
static void make_stack(StSpring *list) {
  for (int b = 0; b < BODIES; b++)
    list[b] = spring(b, b - 1);
}

// The forces that the springs leave of `force`, relative to it.
static double left(const StSpring *list, const double *force, const double *shift) {
  double square = 0, all = 0;
  for (int b = 0; b < BODIES; b++) {
    double below = shift[3 * b + 2] - (b > 0 ? shift[3 * b - 1] : 0);
    double above = b + 1 < BODIES ? shift[3 * b + 5] - shift[3 * b + 2] : 0;
    double rest = force[3 * b + 2] - list[0].stiffness[8] * (below - above);
    square += rest * rest;
    all += force[3 * b + 2] * force[3 * b + 2];
  }
  return sqrt(square / all);
}

static void a_stack_is_lifted_as_a_whole(void **unused) {
  (void)unused;
  StSpring list[BODIES];
  bool moves[BODIES];
  double force[3 * BODIES] = {0}, shift[3 * BODIES], room[10 * BODIES];
  make_stack(list);
  for (int b = 0; b < BODIES; b++) {
    moves[b] = true;
    force[3 * b + 2] = 1;
  }
  st_spring_net_solve(list, BODIES, moves, BODIES, force, shift, room);
  assert_true(left(list, force, shift) < 0.2); // a tenth, scaled by each body's own stiffness
  // The spring at the bottom carries all forces, the one on top only one.
  assert_true(fabs(shift[2] * STIFF / BODIES - 1) < 0.2);
  for (int b = 0; b < BODIES; b++)
    assert_true(shift[3 * b] == 0 && shift[3 * b + 1] == 0);
}

static void what_does_not_move_holds_the_rest(void **unused) {
  (void)unused;
  StSpring list[BODIES];
  bool moves[BODIES], held[BODIES];
  double force[3 * BODIES] = {0}, shift[3 * BODIES], room[10 * BODIES];
  make_stack(list);
  for (int b = 0; b < BODIES; b++)
    moves[b] = b > 10;
  force[3 * 5 + 2] = force[3 * 11 + 2] = 1;
  st_spring_net_solve(list, BODIES, moves, BODIES, force, shift, room);
  for (int b = 0; b <= 10; b++)
    assert_true(shift[3 * b + 2] == 0);
  assert_true(fabs(shift[3 * 11 + 2] * STIFF - 1) < 0.2);
  st_spring_net_find_held(list + 12, BODIES - 12, moves, BODIES, held); // 12 stands on nothing
  for (int b = 0; b < BODIES; b++)
    assert_true(held[b] == (b <= 10));
  st_spring_net_find_held(list + 11, BODIES - 11, moves, BODIES, held);
  for (int b = 0; b < BODIES; b++)
    assert_true(held[b]);
}

// Along springs, in any order of theirs, up to a body that may not be marked; never by the floor.
static void marks_spread_to_those_that_may(void **unused) {
  (void)unused;
  StSpring list[BODIES], turned[BODIES];
  make_stack(list);
  for (int b = 0; b < BODIES; b++)
    turned[b] = list[BODIES - 1 - b];
  for (int order = 0; order < 2; order++) {
    bool may[BODIES], marked[BODIES] = {[20] = true};
    for (int b = 0; b < BODIES; b++)
      may[b] = b != 7 && b != 25;
    st_spring_net_spread(order ? turned : list, BODIES, may, BODIES, marked);
    for (int b = 0; b < BODIES; b++)
      assert_true(marked[b] == (b > 7 && b < 25));
  }
}

// Two bodies in the air with forces that do not balance: apart, and not far away together.
static void loose_bodies_stay_near(void **unused) {
  (void)unused;
  StSpring pair = spring(1, 0);
  bool moves[2] = {true, true};
  double force[6] = {[2] = -10, [5] = 9}, shift[6], room[20];
  st_spring_net_solve(&pair, 1, moves, 2, force, shift, room);
  assert_true(shift[5] - shift[2] > 5 / STIFF);
  assert_true(fabs(shift[5] + shift[2]) < 10 / STIFF);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stack_is_lifted_as_a_whole),
      cmocka_unit_test(what_does_not_move_holds_the_rest),
      cmocka_unit_test(marks_spread_to_those_that_may),
      cmocka_unit_test(loose_bodies_stay_near),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
