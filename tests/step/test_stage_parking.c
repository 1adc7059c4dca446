// A stage of which a body is parked: the others' residuals are as before, its own are as they were,
// and what comes to touch it releases it.
#include "solve/runtime.h"
#include "support/stage_jacobian.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double KNOWN = 7; // the parked body's residual

// Two bodies, the upper one lifted out of contact or not; all rows of the upper one.
typedef struct Case {
  StageScene scene;
  bool *upper; // [rows]
  double *r, *known;
} Case;

static void open_case(Case *c, bool rigid, bool apart) {
  stage_scene_open(&c->scene);
  stage_scene_pair(&c->scene, 0.3);
  if (apart)
    stage_scene_shift(c->scene.scene.description->body[1].mesh, 0, 0, 2 * STAGE_THICKNESS);
  for (int b = 0; b < 2 && rigid; b++)
    stage_scene_stiffen(&c->scene, b);
  stage_scene_start(&c->scene, 1);
  const StPiece *piece = c->scene.system->piece;
  int size = c->scene.size;
  c->upper = ST_NEW(bool, size / 3);
  c->r = ST_NEW(double, size);
  c->known = ST_NEW(double, size);
  for (int i = 0; i < size; i++) {
    c->upper[i / 3] = piece->body[i / 3] == 1;
    c->known[i] = KNOWN;
  }
}

static void close_case(Case *c) {
  free(c->upper);
  free(c->r);
  free(c->known);
  stage_scene_close(&c->scene);
}

static const StProblem *problem_of(const Case *c) {
  return &c->scene.stage->problem;
}

// Islands are those of the matrix.
static void find_islands(Case *c) {
  const StProblem *problem = problem_of(c);
  int *island = ST_NEW(int, c->scene.size / 3);
  StError error;
  assert_int_equal(problem->linearise(problem->context, c->scene.y, 1, NULL), ST_OK);
  assert_int_equal(problem->assemble(problem->context, ST_ASSEMBLE_WHOLE, &error), ST_OK);
  problem->find_islands(problem->context, false, island);
  free(island);
}

static void take_residual(const Case *c, double *r) {
  const StProblem *problem = problem_of(c);
  assert_int_equal(problem->residual(problem->context, c->scene.y, 1, r), ST_OK);
}

static void park(const Case *c, const bool *row) {
  problem_of(c)->freeze(problem_of(c)->context, row, c->known);
}

static void a_parked_body_is_left_alone(void **state) {
  (void)state;
  for (int rigid = 0; rigid < 2; rigid++) {
    Case c;
    open_case(&c, rigid, true);
    double *parked = ST_NEW(double, c.scene.size), *again = ST_NEW(double, c.scene.size);
    find_islands(&c);
    take_residual(&c, c.r);
    park(&c, c.upper);
    take_residual(&c, parked);
    for (int i = 0; i < c.scene.size; i++) {
      assert_true(parked[i] == (c.upper[i / 3] ? KNOWN : c.r[i]));
      assert_true(problem_of(&c)->frozen[i / 3] == c.upper[i / 3]);
    }
    park(&c, NULL);
    assert_null(problem_of(&c)->frozen);
    take_residual(&c, again);
    assert_memory_equal(again, c.r, (size_t)c.scene.size * sizeof(double));
    free(parked);
    free(again);
    close_case(&c);
  }
}

// Parked apart, then the other one comes: no row stays behind.
static void what_touches_a_parked_body_releases_it(void **state) {
  (void)state;
  for (int rigid = 0; rigid < 2; rigid++) {
    Case c;
    open_case(&c, rigid, true);
    const StStageProblem *stage = c.scene.stage;
    double *released = ST_NEW(double, c.scene.size), *apart = ST_NEW(double, c.scene.size);
    memcpy(apart, c.scene.y, (size_t)c.scene.size * sizeof(double));
    find_islands(&c);
    for (int i = 0; i < c.scene.size; i++)
      if (!c.upper[i / 3] && i % 3 == 2) // up by 2.2 thicknesses
        c.scene.y[i] += 2.2 * STAGE_THICKNESS / (stage->ah * stage->scale[i]);
    take_residual(&c, c.r);
    assert_true(st_stage_point(stage, stage->time).contact_set->now.count > 0);
    double *touching = c.scene.y;
    c.scene.y = apart;
    take_residual(&c, released);
    park(&c, c.upper);
    c.scene.y = touching;
    take_residual(&c, released);
    for (int i = 0; i < c.scene.size; i++) {
      assert_true(released[i] == c.r[i]);
      assert_false(problem_of(&c)->frozen[i / 3]);
    }
    free(released);
    free(apart);
    close_case(&c);
  }
}

// The matrix with another shift is the same as one that is filled anew.
static void shifts_change_the_diagonal_alone(void **state) {
  (void)state;
  Case c;
  open_case(&c, true, false);
  const StProblem *problem = problem_of(&c);
  int rows = c.scene.size / 3;
  double *first = ST_NEW(double, rows), *second = ST_NEW(double, rows);
  for (int row = 0; row < rows; row++) {
    first[row] = row % 3;
    second[row] = c.upper[row] ? 50 : row % 3;
  }
  StError error;
  assert_int_equal(problem->linearise(problem->context, c.scene.y, 1, first), ST_OK);
  assert_int_equal(problem->assemble(problem->context, ST_ASSEMBLE_WHOLE, &error), ST_OK);
  problem->linearise(problem->context, NULL, 1, second);
  assert_int_equal(problem->assemble(problem->context, ST_ASSEMBLE_WHOLE, &error), ST_OK);
  int count = 9 * problem->matrix->row_start[rows];
  double *shifted = ST_NEW(double, count);
  memcpy(shifted, problem->matrix->value, (size_t)count * sizeof(double));
  assert_int_equal(problem->linearise(problem->context, c.scene.y, 1, second), ST_OK);
  assert_int_equal(problem->assemble(problem->context, ST_ASSEMBLE_WHOLE, &error), ST_OK);
  assert_true(relative_error(count, shifted, problem->matrix->value) < 1e-15);
  free(first);
  free(second);
  free(shifted);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_parked_body_is_left_alone),
      cmocka_unit_test(what_touches_a_parked_body_releases_it),
      cmocka_unit_test(shifts_change_the_diagonal_alone),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
