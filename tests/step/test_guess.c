// Where Newton's method starts: of the places a free path leads to, the one with the smallest
// residual.
#include "solve/runtime.h"
#include "step/guess.h"
#include "support/stage_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct Bench {
  StageScene scene;
  StState *state;
  StSolving solving;
} Bench;

static void bench_start(Bench *b, const double way[3]) {
  StageScene *s = &b->scene;
  stage_scene_start(s, 0);
  int lower = s->scene.description->body[0].mesh->vertex_count;
  assert_int_equal(st_state_create(s->size / 3, &b->state, NULL), ST_OK);
  for (int i = 0; i < s->size; i++) {
    bool goes = s->system->piece->vertex_id[i / 3] >= lower;
    s->stage->goal[i] = b->state->velocity[i] = goes ? way[i % 3] / STAGE_STEP : 0;
    b->state->position[i] = s->stage->origin[i];
  }
  b->solving.stage = s->stage;
  double **array[] = {&b->solving.unknown, &b->solving.residual, &b->solving.guess,
                      &b->solving.guess_residual, &b->solving.moving};
  for (int i = 0; i < ST_LENGTH(array); i++)
    *array[i] = ST_NEW(double, s->size);
  for (int k = 0; k < ST_WARM_STARTS_MOST; k++)
    b->solving.warm_starts.place[k].position = ST_NEW(double, s->size);
}

// Two cubes; the upper one is to move by `way` in the step, and did so before. driven: the ends of
// the step are prescribed for some vertices, by nothing yet.
static void bench_open(Bench *b, const double way[3], bool driven) {
  *b = (Bench){0};
  stage_scene_open(&b->scene);
  stage_scene_pair(&b->scene, 0.3);
  if (driven)
    stage_scene_drive(&b->scene, STAGE_SIZE, (double[3]){0, 0, 1e-3});
  bench_start(b, way);
}

// The same with cubes, rigid or not, of which the upper one also turned by an angle about a
// vertical axis.
static void bench_open_turned(Bench *b, bool rigid, const double way[3], double angle) {
  *b = (Bench){0};
  stage_scene_open(&b->scene);
  stage_scene_pair(&b->scene, 0.3);
  for (int body = 0; body < 2 && rigid; body++)
    stage_scene_stiffen(&b->scene, body);
  bench_start(b, way);
  for (int i = 0; i < b->scene.size; i += 3) {
    const double *x = b->state->position + i;
    double *v = b->state->velocity + i, before[2];
    if (v[2] == 0)
      continue;
    before[0] = cos(angle) * x[0] + sin(angle) * x[1];
    before[1] = cos(angle) * x[1] - sin(angle) * x[0];
    for (int c = 0; c < 2; c++)
      b->scene.stage->goal[i + c] = v[c] = way[c] / STAGE_STEP + (x[c] - before[c]) / STAGE_STEP;
  }
}

static void bench_close(Bench *b) {
  free(b->solving.unknown);
  free(b->solving.residual);
  free(b->solving.guess);
  free(b->solving.guess_residual);
  free(b->solving.moving);
  for (int k = 0; k < ST_WARM_STARTS_MOST; k++)
    free(b->solving.warm_starts.place[k].position);
  st_state_destroy(b->state);
  stage_scene_close(&b->scene);
}

// Adds the place where the upper cube has moved as it wants to, by that much of the way.
static void reach(Bench *b, double part, double time) {
  double *place = st_warm_starts_add(&b->solving.warm_starts, time, time);
  for (int i = 0; i < b->scene.size; i++)
    place[i] = b->state->position[i] + part * STAGE_STEP * b->scene.stage->goal[i];
}

// What Newton's method would find at the guess is what is handed over, to the last bit.
static void check_residual(Bench *b) {
  StStageProblem *stage = b->scene.stage;
  const StProblem *problem = &stage->problem;
  double *r = ST_NEW(double, b->scene.size);
  const double progress = b->solving.options.start.continued ? 0 : 1;
  assert_true(b->solving.options.start.evaluated);
  assert_int_equal(problem->residual(stage, b->solving.unknown, progress, r), ST_OK);
  assert_memory_equal(r, b->solving.residual, (size_t)problem->size * sizeof(double));
  free(r);
}

// The part of the way that the guess takes, from a free vertex of the upper cube.
static double guessed_part(Bench *b) {
  const StStageProblem *stage = b->scene.stage;
  assert_int_equal(st_guess_free(&b->solving, b->state), ST_OK);
  check_residual(b);
  assert_false(b->solving.options.start.extrapolated);
  assert_true(b->solving.options.start.usual_residual == 0);
  for (int i = 2; i < b->scene.size; i += 3)
    if (stage->goal[i] != 0 && stage->scale[i] > 0)
      return (stage->scale[i] * b->solving.unknown[i] -
              (b->state->position[i] - stage->start[i]) / stage->ah) /
             stage->goal[i];
  fail();
  return 0;
}

static void free_motion_goes_on(void **state) {
  (void)state;
  Bench b;
  bench_open(&b, (double[3]){0, 0, 0.002}, false);
  assert_true(fabs(guessed_part(&b) - 1) < 1e-9);
  assert_false(b.solving.options.start.continued);
  bench_close(&b);
}

// Largest change of a distance in the upper cube from the start of the step to the guess, over the
// distance.
static double guessed_strain(const Bench *b) {
  const StStageProblem *stage = b->scene.stage;
  size_t all = 3 * (size_t)stage->system->piece->vertex_count;
  double most = 0, *position = ST_NEW(double, all), *velocity = ST_NEW(double, all);
  st_stage_result(stage, b->solving.unknown, position, velocity);
  for (int i = 0; i < b->scene.size; i += 3)
    for (int k = 0; k < i; k += 3) {
      double square[2] = {0};
      if (stage->goal[i + 2] == 0 || stage->goal[k + 2] == 0)
        continue;
      for (int c = 0; c < 3; c++) {
        square[0] += pow(b->state->position[i + c] - b->state->position[k + c], 2);
        square[1] += pow(position[i + c] - position[k + c], 2);
      }
      most = fmax(most, fabs(sqrt(square[1] / square[0]) - 1));
    }
  free(position);
  free(velocity);
  return most;
}

// The velocity of a chord, which would strain the cube by half the square of the angle.
static void what_turns_keeps_its_shape(void **state) {
  (void)state;
  for (int rigid = 0; rigid < 2; rigid++) {
    Bench b;
    const double angle = 0.02;
    bench_open_turned(&b, rigid, (double[3]){0, 0, 0.002}, angle);
    double part = guessed_part(&b);
    print_message("%s: part %.3g, strain %.2e\n", rigid ? "rigid" : "soft", part,
                  guessed_strain(&b));
    assert_true(fabs(part - 1) < (rigid ? 0.5 * angle * angle : 0.1 * angle)); // its mesh is uneven
    assert_true(guessed_strain(&b) < 1e-12);
    bench_close(&b);
  }
}

// A soft cube that grows by a fiftieth per step. If its inertia wants it to go on (goal), the
// guess does; if it swings back, the guess keeps its shape.
static void shapes_go_on_changing_if_that_is_better(void **state) {
  (void)state;
  const double growth = 2e-2, way[3] = {0, 0, 2 * STAGE_THICKNESS}; // out of contact
  for (int back = 0; back < 2; back++) {
    Bench b;
    bench_open(&b, way, false);
    for (int i = 0; i < b.scene.size; i++) {
      double grows = growth * b.state->position[i] / STAGE_STEP;
      if (b.state->velocity[i - i % 3 + 2] == 0 || i % 3 == 2)
        continue;
      b.state->velocity[i] += grows;
      b.scene.stage->goal[i] += back ? -grows : grows;
    }
    assert_int_equal(st_guess_free(&b.solving, b.state), ST_OK);
    double strain = guessed_strain(&b);
    print_message("%s: strain %.2e\n", back ? "swings back" : "goes on", strain);
    assert_true(back ? strain < 1e-12 : strain > 0.5 * growth);
    bench_close(&b);
  }
}

static void blocked_motion_stays(void **state) {
  (void)state;
  Bench b;
  bench_open(&b, (double[3]){0, 0, -0.3}, false);
  assert_true(fabs(guessed_part(&b)) < 1e-9);
  bench_close(&b);
}

// Motion along its path is blocked, but the solution of the stage before lies on this side.
static void a_reached_place_is_taken_where_it_is_better(void **state) {
  (void)state;
  Bench b;
  bench_open(&b, (double[3]){0, 0, -0.3}, false);
  reach(&b, -0.01, 0.4 * STAGE_STEP); // back
  assert_true(fabs(guessed_part(&b)) < 1e-9);
  reach(&b, 0.001, 0.5 * STAGE_STEP); // on
  assert_true(fabs(guessed_part(&b) - 0.001) < 1e-9);
  reach(&b, -0.01, 0.6 * STAGE_STEP);
  assert_true(fabs(guessed_part(&b) - 0.001) < 1e-9);
  bench_close(&b);
}

// Beyond the lower cube: at the same time it counts as reached; at another time the path counts,
// since what moves by itself was elsewhere.
static void paths_count_where_something_moves(void **state) {
  (void)state;
  Bench b;
  bench_open(&b, (double[3]){0, 0, -0.3}, true);
  assert_true(st_stage_moves(b.scene.stage));
  reach(&b, 1, 0.5 * STAGE_STEP);
  assert_true(fabs(guessed_part(&b)) < 1e-9);
  reach(&b, 1, STAGE_STEP);
  assert_true(fabs(guessed_part(&b) - 1) < 1e-9);
  assert_false(b.solving.options.start.continued);
  bench_close(&b);
}

// Even where staying leaves a smaller residual.
static void the_same_stage_is_taken_without_comparison(void **state) {
  (void)state;
  Bench b;
  bench_open(&b, (double[3]){0, 0, -0.3}, false);
  reach(&b, -0.01, STAGE_STEP);
  reach(&b, 0.001, 0.5 * STAGE_STEP);
  assert_true(fabs(guessed_part(&b) + 0.01) < 1e-9);
  bench_close(&b);
}

// The part of the stage's goal that the guess has, if the velocity has been half of that and was
// `older` of it before.
static double trend_part(Bench *b, double older) {
  const StStageProblem *stage = b->scene.stage;
  double *before = ST_NEW(double, b->scene.size);
  for (int i = 0; i < b->scene.size; i++) {
    b->state->velocity[i] = 0.5 * stage->goal[i];
    before[i] = older * stage->goal[i];
  }
  b->solving.trend = (StTrend){b->state->velocity, before, 1};
  st_guess_trend(&b->solving, b->state);
  free(before);
  for (int i = 2; i < b->scene.size; i += 3)
    if (stage->goal[i] != 0 && stage->scale[i] > 0)
      return stage->scale[i] * b->solving.unknown[i] / stage->goal[i];
  fail();
  return 0;
}

// Up, where nothing is. Newton's goal is relative to the usual guess, whichever is taken.
static void a_trend_is_followed_where_it_leads_on(void **state) {
  (void)state;
  Bench b;
  const StNewtonStart *start = &b.solving.options.start;
  bench_open(&b, (double[3]){0, 0, 0.002}, false);
  assert_true(fabs(trend_part(&b, 0) - 1) < 1e-9);
  check_residual(&b);
  double usual = start->usual_residual;
  assert_true(usual > 0 && start->extrapolated);
  assert_true(fabs(trend_part(&b, 1) - 0.5) < 1e-9); // it would come to rest
  check_residual(&b);
  assert_true(start->usual_residual == usual && !start->extrapolated);
  b.solving.trend.newer = NULL;
  st_guess_trend(&b.solving, b.state);
  assert_false(start->evaluated || start->extrapolated);
  assert_true(start->usual_residual == 0);
  bench_close(&b);
}

static void the_oldest_place_is_dropped(void **state) {
  (void)state;
  double room[ST_WARM_STARTS_MOST];
  StWarmStarts reached = {0};
  for (int k = 0; k < ST_WARM_STARTS_MOST; k++)
    reached.place[k].position = &room[k];
  for (int k = 0; k < ST_WARM_STARTS_MOST + 2; k++) {
    *st_warm_starts_add(&reached, k, 1) = 10 * k;
    assert_int_equal(reached.count, k < ST_WARM_STARTS_MOST ? k + 1 : ST_WARM_STARTS_MOST);
    for (int i = 0; i < reached.count; i++) {
      assert_true(reached.place[i].time == k - i);
      assert_true(reached.place[i].position[0] == 10 * (k - i));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_motion_goes_on),
      cmocka_unit_test(what_turns_keeps_its_shape),
      cmocka_unit_test(shapes_go_on_changing_if_that_is_better),
      cmocka_unit_test(blocked_motion_stays),
      cmocka_unit_test(a_reached_place_is_taken_where_it_is_better),
      cmocka_unit_test(paths_count_where_something_moves),
      cmocka_unit_test(the_same_stage_is_taken_without_comparison),
      cmocka_unit_test(a_trend_is_followed_where_it_leads_on),
      cmocka_unit_test(the_oldest_place_is_dropped),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
