// Which vertices are held, where and how fast; swapping states; gathering and distributing on one
// rank.
#include "base/memory.h"
#include "solve/runtime.h"
#include "step/gather.h"
#include "step/start.h"
#include "support/small_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct Fixture {
  SmallWorld world;
  StSystem *system;
  StBoundary *boundary;
} Fixture;

static void start(Fixture *f) {
  StError error = {0};
  assert_int_equal(st_system_create(&f->world.description, &f->system, &error), ST_OK);
  assert_int_equal(
      st_boundary_create(&f->world.description, f->system->piece, &f->boundary, &error), ST_OK);
}

static void stop(Fixture *f) {
  st_boundary_destroy(f->boundary);
  st_system_destroy(f->system);
  small_world_stop(&f->world);
}

static bool is_held(const Fixture *f, int i) {
  int vertex = f->system->piece->vertex_id[i / 3];
  return i % 3 == 2 && (vertex == f->world.held[0] || vertex == f->world.held[1]);
}

// A step that starts before the release is held to its end, one that starts with it is free.
static void only_what_is_held_is_masked(void **state) {
  (void)state;
  Fixture f;
  small_world_start(&f.world);
  start(&f);
  double mask[64];
  const double time[] = {0, 0.4999, 0.5, 2};
  for (int t = 0; t < 4; t++) {
    st_boundary_mask(f.boundary, time[t], mask);
    for (int i = 0; i < 3 * f.system->piece->owned_count; i++)
      assert_true(mask[i] == (is_held(&f, i) && time[t] < 0.5 ? 0 : 1));
  }
  stop(&f);
}

// Two keys a second apart: a metre along z; velocity is that of the keys, other axes are left
// alone.
static void keys_move_what_is_held(void **state) {
  (void)state;
  Fixture f;
  small_world_start(&f.world);
  double time[] = {0, 1}, translation[] = {0, 0, 0, 5, 5, 1};
  StMotion *motion = &f.world.boundary.motion;
  assert_int_equal(st_motion_set_keys(motion, 2, time, translation, NULL, ST_LINEAR, false, NULL),
                   ST_OK);
  start(&f);
  double position[64], velocity[64];
  for (int i = 0; i < 64; i++)
    position[i] = velocity[i] = 77;
  st_boundary_apply(f.boundary, 0, 0.25, position, velocity);
  for (int i = 0; i < 3 * f.system->piece->owned_count; i++) {
    double rest = f.system->piece->rest[i];
    assert_true(fabs(position[i] - (is_held(&f, i) ? rest + 0.25 : 77)) < 1e-14);
    assert_true(fabs(velocity[i] - (is_held(&f, i) ? 1 : 77)) < 1e-14);
  }
  st_boundary_apply(f.boundary, 0, 0.5, NULL, velocity); // either may be left out
  st_boundary_apply(f.boundary, 0, 0.5, position, NULL);
  st_boundary_apply(f.boundary, 0.6, 0.7, position, velocity); // let go: nothing happens
  for (int i = 0; i < 3 * f.system->piece->owned_count; i++)
    if (is_held(&f, i))
      assert_true(fabs(position[i] - f.system->piece->rest[i] - 0.5) < 1e-14);
  st_motion_free(motion);
  stop(&f);
}

typedef struct Program {
  int calls;
  bool answer;
} Program;

static bool targets(void *context, double t, double *position, double *velocity) {
  Program *program = context;
  program->calls++;
  for (int i = 0; i < 6; i++) {
    position[i] = t + i;
    velocity[i] = 10 + i;
  }
  return program->answer;
}

static bool pose(void *context, double t, StRigidPose *to) {
  Program *program = context;
  (void)t, (void)to;
  program->calls++;
  return program->answer;
}

// A program is asked once for all its vertices, and its refusal is noted.
static void programs_are_asked_once(void **state) {
  (void)state;
  Fixture f;
  small_world_start(&f.world);
  Program program = {.answer = true};
  StDriver driver = {.targets = targets, .context = &program};
  f.world.boundary.motion.driver = &driver;
  start(&f);
  double position[64] = {0}, velocity[64] = {0};
  st_boundary_apply(f.boundary, 0, 0.125, position, velocity);
  assert_int_equal(program.calls, 1);
  for (int i = 0; i < 3 * f.system->piece->owned_count; i++)
    if (is_held(&f, i)) {
      int index = f.system->piece->vertex_id[i / 3] == f.world.held[0] ? 0 : 1;
      assert_true(position[i] == 0.125 + 3 * index + 2);
      assert_true(velocity[i] == 10 + 3 * index + 2);
    }
  assert_false(driver.failed);
  program.answer = false;
  st_boundary_apply(f.boundary, 0, 0.25, position, velocity);
  assert_true(driver.failed);
  driver = (StDriver){.pose = pose, .context = &program};
  program = (Program){.answer = true};
  st_boundary_apply(f.boundary, 0, 0.25, position, velocity);
  assert_int_equal(program.calls, 1);
  stop(&f);
}

// Rest positions, or those given, and the body's motion about its own centre of mass.
static void bodies_start_as_told(void **state) {
  (void)state;
  Fixture f;
  small_world_start(&f.world);
  f.world.body.velocity[0] = 3;
  f.world.body.angular_velocity[2] = 2;
  start(&f);
  const StPiece *piece = f.system->piece;
  StState *made = NULL;
  assert_int_equal(st_state_create(piece->owned_count, &made, NULL), ST_OK);
  st_start(&f.world.description, piece, f.boundary, made);
  double momentum[3] = {0}, mass = 0;
  for (int i = 0; i < piece->owned_count; i++) {
    mass += piece->mass[i];
    for (int c = 0; c < 3; c++) {
      momentum[c] += piece->mass[i] * made->velocity[3 * i + c];
      assert_true(made->position[3 * i + c] == piece->rest[3 * i + c]);
    }
  }
  assert_true(fabs(momentum[0] - 3 * mass) < 1e-10 * mass); // spin about the centre adds nothing
  assert_true(fabs(momentum[1]) < 1e-10 * mass && fabs(momentum[2]) < 1e-10 * mass);
  double dx = piece->rest[3] - piece->rest[0], dv = made->velocity[4] - made->velocity[1];
  assert_true(fabs(dv - 2 * dx) < 1e-12); // ω × arm
  st_state_destroy(made);
  stop(&f);
}

static void states_change_places(void **state) {
  (void)state;
  StState *made = NULL;
  assert_int_equal(st_state_create(2, &made, NULL), ST_OK);
  assert_int_equal(made->size, 6);
  made->position[5] = 1, made->velocity[5] = 2;
  made->position_before[5] = 3, made->velocity_before[5] = 4;
  st_state_swap(made);
  assert_true(made->position[5] == 3 && made->velocity[5] == 4);
  assert_true(made->position_before[5] == 1 && made->velocity_before[5] == 2);
  st_state_destroy(made);
  st_state_destroy(NULL);
}

// Local numbering is another than the description's: gathered arrays are in the latter.
static void gathered_arrays_are_in_the_scenes_order(void **state) {
  (void)state;
  Fixture f;
  small_world_start(&f.world);
  start(&f);
  const StPiece *piece = f.system->piece;
  StGather *gather = NULL;
  double local[2 * 64], *whole = NULL, back[64];
  assert_int_equal(st_gather_create(piece, &gather, NULL), ST_OK);
  assert_int_equal(st_gather_vertex_total(gather), 12);
  assert_int_equal(st_gather_tet_total(gather), 12);
  for (int i = 0; i < 24; i++)
    local[i] = 10 * piece->vertex_id[i / 2] + i % 2;
  assert_int_equal(st_gather_vertices(gather, local, 2, &whole, NULL), ST_OK);
  for (int i = 0; i < 24; i++)
    assert_true(whole[i] == 10 * (i / 2) + i % 2);
  free(whole);
  for (int i = 0; i < 12; i++)
    local[i] = piece->tet_id[i];
  assert_int_equal(st_gather_tets(gather, local, 1, &whole, NULL), ST_OK);
  for (int i = 0; i < 12; i++)
    assert_true(whole[i] == i);
  free(whole);
  for (int i = 0; i < 36; i++)
    local[i] = i;
  assert_int_equal(st_gather_spread(gather, local, back, NULL), ST_OK);
  for (int i = 0; i < 36; i++)
    assert_true(back[i] == 3 * piece->vertex_id[i / 3] + i % 3);
  st_gather_destroy(gather);
  stop(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_what_is_held_is_masked),
      cmocka_unit_test(keys_move_what_is_held),
      cmocka_unit_test(programs_are_asked_once),
      cmocka_unit_test(bodies_start_as_told),
      cmocka_unit_test(states_change_places),
      cmocka_unit_test(gathered_arrays_are_in_the_scenes_order),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
