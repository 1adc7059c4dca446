// What a residual does to rigid bodies: forces between a frame's own rows are taken away, what
// moves it as a whole stays as it is, and what is held or of no frame keeps all.
#include "solve/rigid_modes.h"
#include "math/vec3.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

// Rows 1-4 and 6-9 are frames, 0 and 5 are not.
enum { ROWS = 10, FRAMES = 2, CORNERS = ST_GROUP_ROWS, SIZE = 3 * ROWS };
static const int FRAME[FRAMES][CORNERS] = {{1, 2, 3, 4}, {9, 7, 6, 8}};

typedef struct World {
  StProblem problem;
  StBlockMatrix matrix;
  double position[SIZE], scale[SIZE], r[SIZE];
} World;

static void set_up(World *world, uint64_t seed) {
  *world = (World){0};
  for (int i = 0; i < SIZE; i++)
    world->position[i] = random_between(&seed, -1, 1);
  for (int row = 0; row < ROWS; row++) {
    double mass = random_between(&seed, 0.1, 3);
    for (int c = 0; c < 3; c++)
      world->scale[3 * row + c] = 1 / sqrt(mass);
  }
  world->problem = (StProblem){.size = SIZE,
                               .matrix = &world->matrix,
                               .scale = world->scale,
                               .group_count = FRAMES,
                               .group = FRAME[0],
                               .position = world->position};
}

// Forces along the lines between the rows of a frame, opposite and equal.
static void press(World *world, int frame, uint64_t *seed) {
  for (int a = 0; a < CORNERS; a++)
    for (int b = 0; b < a; b++) {
      int i = FRAME[frame][a], k = FRAME[frame][b];
      double along[3], force = random_between(seed, -1e6, 1e6);
      vec3_sub(world->position + 3 * i, world->position + 3 * k, along);
      for (int c = 0; c < 3; c++) {
        world->r[3 * i + c] += world->scale[3 * i + c] * force * along[c];
        world->r[3 * k + c] -= world->scale[3 * k + c] * force * along[c];
      }
    }
}

// Momenta of a frame that moves and turns.
static void move(World *world, int frame, uint64_t *seed) {
  double speed[3], spin[3];
  for (int c = 0; c < 3; c++) {
    speed[c] = random_between(seed, -1, 1);
    spin[c] = random_between(seed, -1, 1);
  }
  for (int k = 0; k < CORNERS; k++) {
    int row = FRAME[frame][k];
    double velocity[3];
    vec3_cross(spin, world->position + 3 * row, velocity);
    for (int c = 0; c < 3; c++)
      world->r[3 * row + c] += (velocity[c] + speed[c]) / world->scale[3 * row + c];
  }
}

static void assert_same(const double *a, const double *b, double allowed) {
  for (int i = 0; i < SIZE; i++)
    assert_true(fabs(a[i] - b[i]) <= allowed);
}

static void strain_is_taken_away_and_motion_stays(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed < 50; seed++) {
    World world;
    uint64_t chance = 1000 + seed;
    double moving[SIZE];
    set_up(&world, seed);
    for (int c = 0; c < 3; c++)
      world.r[c] = world.r[15 + c] = random_between(&chance, -1, 1); // of no frame
    for (int f = 0; f < FRAMES; f++)
      move(&world, f, &chance);
    memcpy(moving, world.r, sizeof moving);
    for (int f = 0; f < FRAMES; f++)
      press(&world, f, &chance);
    st_rigid_modes_project(&world.problem, world.position, world.r);
    // Rounding of forces of 10⁶, times the inverse of what may be a flat frame's inertia.
    assert_same(world.r, moving, 1e-5);
    // Taken once more, nothing is left to take.
    memcpy(moving, world.r, sizeof moving);
    st_rigid_modes_project(&world.problem, world.position, world.r);
    assert_same(world.r, moving, 1e-9);
  }
}

static void frames_that_are_held_keep_all(void **state) {
  (void)state;
  World world;
  uint64_t chance = 7;
  double before[SIZE];
  set_up(&world, 3);
  world.scale[3 * FRAME[0][2] + 1] = 0;
  for (int f = 0; f < FRAMES; f++)
    press(&world, f, &chance);
  memcpy(before, world.r, sizeof before);
  st_rigid_modes_project(&world.problem, world.position, world.r);
  for (int k = 0; k < 3 * CORNERS; k++) {
    int held = 3 * FRAME[0][k / 3] + k % 3, loose = 3 * FRAME[1][k / 3] + k % 3;
    assert_true(world.r[held] == before[held]);
    assert_true(fabs(world.r[loose]) < 1e-5);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strain_is_taken_away_and_motion_stays),
      cmocka_unit_test(frames_that_are_held_keep_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
