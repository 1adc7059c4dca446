// Chains of bodies on springs, and a plank: shifts and turns that balance forces, who is held, and
// what holds along surfaces.
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
  return (StSpring){.body = {a, b}, .stiffness = {[14] = STIFF}};
}

// Body 0 stands on the floor, each other one on the one before.
static void make_stack(StSpring *list) {
  for (int b = 0; b < BODIES; b++)
    list[b] = spring(b, b - 1);
}

typedef struct Stack {
  StSpring spring[BODIES];
  bool moves[BODIES];
  double radius[BODIES], force[6 * BODIES], shift[6 * BODIES];
  double room[ST_SPRING_NET_ROOM * BODIES];
} Stack;

static StSpringNet net_of(Stack *stack, int first) {
  return (StSpringNet){.spring = stack->spring + first,
                       .count = (size_t)(BODIES - first),
                       .body_count = BODIES,
                       .moves = stack->moves,
                       .radius = stack->radius,
                       .room = stack->room};
}

static void solve(Stack *stack) {
  StSpringNet net = net_of(stack, 0);
  st_spring_net_begin(&net);
  st_spring_net_solve(&net, stack->force, stack->shift);
}

// The forces that the springs leave, relative to all.
static double left(const Stack *stack) {
  double square = 0, all = 0;
  for (int b = 0; b < BODIES; b++) {
    const double *shift = stack->shift + 6 * b, *force = stack->force + 6 * b;
    double below = shift[2] - (b > 0 ? shift[-4] : 0);
    double above = b + 1 < BODIES ? shift[8] - shift[2] : 0;
    double rest = force[2] - STIFF * (below - above);
    square += rest * rest;
    all += force[2] * force[2];
  }
  return sqrt(square / all);
}

static void a_stack_is_lifted_as_a_whole(void **unused) {
  (void)unused;
  Stack stack = {0};
  make_stack(stack.spring);
  for (int b = 0; b < BODIES; b++) {
    stack.moves[b] = true;
    stack.force[6 * b + 2] = 1;
  }
  solve(&stack);
  assert_true(left(&stack) < 0.2); // a tenth, scaled by each body's own stiffness
  // The spring at the bottom carries all forces, the one on top only one.
  assert_true(fabs(stack.shift[2] * STIFF / BODIES - 1) < 0.2);
  for (int i = 0; i < 6 * BODIES; i++)
    assert_true(i % 6 == 2 || stack.shift[i] == 0);
}

static void what_does_not_move_holds_the_rest(void **unused) {
  (void)unused;
  Stack stack = {0};
  bool held[BODIES];
  make_stack(stack.spring);
  for (int b = 0; b < BODIES; b++)
    stack.moves[b] = b > 10;
  stack.force[6 * 5 + 2] = stack.force[6 * 11 + 2] = 1;
  solve(&stack);
  for (int b = 0; b <= 10; b++)
    assert_true(stack.shift[6 * b + 2] == 0);
  assert_true(fabs(stack.shift[6 * 11 + 2] * STIFF - 1) < 0.2);
  StSpringNet net = net_of(&stack, 12); // 12 stands on nothing
  st_spring_net_find_held(&net, held);
  for (int b = 0; b < BODIES; b++)
    assert_true(held[b] == (b <= 10));
  net = net_of(&stack, 11);
  st_spring_net_find_held(&net, held);
  for (int b = 0; b < BODIES; b++)
    assert_true(held[b]);
}

// Along springs, in any order of theirs, up to a body that may not be marked; never by the floor.
static void marks_spread_to_those_that_may(void **unused) {
  (void)unused;
  Stack stack = {0};
  for (int order = 0; order < 2; order++) {
    bool may[BODIES], marked[BODIES] = {[20] = true};
    for (int b = 0; b < BODIES; b++) {
      stack.spring[order ? BODIES - 1 - b : b] = spring(b, b - 1);
      may[b] = b != 7 && b != 25;
    }
    StSpringNet net = net_of(&stack, 0);
    st_spring_net_spread(&net, may, marked);
    for (int b = 0; b < BODIES; b++)
      assert_true(marked[b] == (b > 7 && b < 25));
  }
}

// Two bodies in the air with forces that do not balance: apart, and not far away together.
static void loose_bodies_stay_near(void **unused) {
  (void)unused;
  StSpring pair = spring(1, 0);
  bool moves[2] = {true, true};
  double radius[2] = {0}, room[2 * ST_SPRING_NET_ROOM];
  double force[12] = {[2] = -10, [8] = 9}, shift[12];
  StSpringNet net = {&pair, 1, 2, moves, radius, room, false};
  st_spring_net_begin(&net);
  st_spring_net_solve(&net, force, shift);
  assert_true(shift[8] - shift[2] > 5 / STIFF);
  assert_true(fabs(shift[8] + shift[2]) < 10 / STIFF);
}

// A plank on two posts, at −1 and 3 m from its centre: a load in the middle sinks and turns it. The
// springs' point is the centre of the post, or of the plank.
static void a_plank_on_two_posts_turns(void **unused) {
  (void)unused;
  for (int order = 0; order < 2; order++) {
    StSpring list[2] = {{.body = {0, -1}, .arm = {{-1, 0, 0}}, .stiffness = {[14] = STIFF}},
                        {.body = {0, -1}, .arm = {{3, 0, 0}}, .stiffness = {[14] = STIFF}}};
    if (order) // about the centre of the plank: u = (0, 0, 1; 0, 1, 0) and (0, 0, 1; 0, −3, 0)
      for (int i = 0; i < 2; i++) {
        double turn = i == 0 ? 1 : -3;
        list[i] = (StSpring){.body = {0, -1},
                             .stiffness = {[14] = STIFF,
                                           [16] = turn * STIFF,
                                           [26] = turn * STIFF,
                                           [28] = turn * turn * STIFF}};
      }
    bool moves = true;
    double radius = 2, room[ST_SPRING_NET_ROOM], force[6] = {[2] = -4, [3] = 7}, shift[6];
    StSpringNet net = {list, 2, 1, &moves, &radius, room, false};
    st_spring_net_begin(&net);
    st_spring_net_keep_resisted(&net, force);
    assert_true(fabs(force[2] + 4) < 0.01 && fabs(force[3]) < 1e-6); // none about the plank itself
    st_spring_net_solve(&net, force, shift);
    // The posts carry 3 and 1 N: they sink by so much over STIFF.
    assert_true(fabs((shift[2] + shift[4]) * STIFF + 3) < 0.05);
    assert_true(fabs((shift[2] - 3 * shift[4]) * STIFF + 1) < 0.05);
  }
}

// A box on another, which stands on the floor: along x they are held from where it begins, and the
// lower one by the upper one, though only that has moved.
static void bodies_are_held_along_surfaces(void **unused) {
  (void)unused;
  const StSpring list[2] = {{.body = {0, -1}, .sideways = {[0] = STIFF}},
                            {.body = {1, 0},
                             .arm = {{0, 0, -0.5}, {0, 0, 0.5}},
                             .stiffness = {[14] = STIFF},
                             .sideways = {[0] = STIFF}}};
  const double radius[2] = {0.4, 0.4};
  const StSpringNet net = {.spring = list, .count = 2, .body_count = 2, .radius = radius};
  double way[12] = {[6] = 0.02}, force[12] = {0};
  StHold hold;
  assert_true(st_hold_create(2, &hold));
  st_hold_add(&hold, &net, way, force);
  assert_true(force[0] == 0 && force[6] == 0); // not yet
  st_hold_begin(&hold, way);
  way[6] += 0.01;
  way[8] = 0.5; // across
  way[6 + 4] = 0.1;
  st_hold_add(&hold, &net, way, force);
  // The point 0.5 m below the centre of what turns by 0.1 about y has gone back by 0.05 m.
  double pulled = STIFF * (0.01 - 0.05);
  assert_true(fabs(force[6] + pulled) < 1e-9 * STIFF && fabs(force[0] - pulled) < 1e-9 * STIFF);
  assert_true(force[2] == 0 && force[8] == 0);
  assert_true(fabs(force[6 + 4] - 0.5 * pulled) < 1e-9 * STIFF);
  assert_true(fabs(st_hold_turned_apart(&hold, &net, &list[1], way) - 0.04) < 1e-12);
  assert_true(st_hold_turned_apart(&hold, &net, &list[0], way) == 0);
  st_hold_free(&hold);
}

// A marble on a plate that is pushed up: a force that is nothing against the plate's moves it
// along.
static void light_bodies_go_with_heavy_ones(void **state) {
  (void)state;
  Stack stack = {.spring = {spring(0, -1), spring(1, 0)}};
  StSpringNet net = {.spring = stack.spring,
                     .count = 2,
                     .body_count = 2,
                     .radius = stack.radius,
                     .room = stack.room};
  stack.spring[1].stiffness[14] = 1e-3 * STIFF;
  stack.force[2] = 1e3;
  stack.force[8] = 1e-3;
  st_spring_net_begin(&net);
  st_spring_net_solve(&net, stack.force, stack.shift);
  assert_true(fabs(stack.shift[2] / (1e3 / STIFF) - 1) < 0.1);
  assert_true(fabs(st_spring_net_stretch(&net, &stack.spring[1], stack.shift)) <
              0.1 * stack.shift[2]);
}

static void the_least_is_taken_along_springs(void **state) {
  (void)state;
  Stack stack = {0};
  double values[BODIES];
  make_stack(stack.spring);
  for (int b = 0; b < BODIES; b++) {
    values[b] = b + 1;
    stack.moves[b] = b != 10;
  }
  StSpringNet net = net_of(&stack, 0);
  st_spring_net_take_least(&net, values);
  for (int b = 0; b < BODIES; b++)
    assert_true(values[b] == (b < 10 ? 1 : b == 10 ? 11 : 12));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stack_is_lifted_as_a_whole),
      cmocka_unit_test(what_does_not_move_holds_the_rest),
      cmocka_unit_test(marks_spread_to_those_that_may),
      cmocka_unit_test(loose_bodies_stay_near),
      cmocka_unit_test(a_plank_on_two_posts_turns),
      cmocka_unit_test(bodies_are_held_along_surfaces),
      cmocka_unit_test(light_bodies_go_with_heavy_ones),
      cmocka_unit_test(the_least_is_taken_along_springs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
