// A stage with rigid bodies that touch each other, soft ones and obstacles: its matrix, to which
// contacts of rigid bodies go by their carriers, against products without a matrix and differences.
#include "contact/core/rigid_contact.h"
#include "solve/runtime.h"
#include "support/stage_jacobian.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef void Build(StageScene *s);

static void build_pair(StageScene *s) {
  stage_scene_pair(s, 0.3);
  stage_scene_stiffen(s, 0);
  stage_scene_stiffen(s, 1);
}

static void build_crossing(StageScene *s) {
  stage_scene_crossing(s);
  stage_scene_stiffen(s, 0);
  stage_scene_stiffen(s, 1);
}

static void build_mixed(StageScene *s) {
  stage_scene_pair(s, 0.3);
  stage_scene_stiffen(s, 1);
}

static void build_ridge(StageScene *s) {
  stage_scene_ridge(s);
  stage_scene_stiffen(s, 0);
}

static void build_lagged(StageScene *s) {
  build_pair(s);
  s->scene.description->contact_settings.friction = ST_FRICTION_LAGGED;
}

// Contacts of one rigid body, of two, and of others.
typedef struct Seen {
  int touches, by_bodies[3];
} Seen;

static Seen look(const StageScene *s) {
  StPoint at = st_stage_point(s->stage, s->stage->time);
  const StContactSet *set = at.contact_set;
  Seen seen = {.touches = set->now.count};
  for (int t = 0; t < set->now.count; t++) {
    StRigidContact bodies;
    st_rigid_contact(set, &set->now, &set->now.contact[t], &bodies);
    seen.by_bodies[bodies.count]++;
  }
  return seen;
}

static double slope_error(Build *build, Seen *seen) {
  StageScene s;
  stage_scene_open(&s);
  build(&s);
  stage_scene_start(&s, 1);
  int size = s.size * s.size;
  double *dense = ST_NEW(double, size), *other = ST_NEW(double, size);
  stage_jacobian_by_products(&s, dense);
  *seen = look(&s);
  stage_jacobian_by_differences(&s, other);
  double error = relative_error(size, dense, other);
  free(dense);
  free(other);
  stage_scene_close(&s);
  return error;
}

static void jacobian_is_the_residuals_slope(void **state) {
  (void)state;
  const struct {
    const char *name;
    Build *build;
    int bodies; // of all touches
  } row[] = {{"pair", build_pair, 2},
             {"crossing", build_crossing, 2},
             {"mixed", build_mixed, 0},
             {"ridge", build_ridge, 1},
             {"lagged", build_lagged, 2}};
  for (int i = 0; i < ST_LENGTH(row); i++) {
    Seen seen;
    double slope = slope_error(row[i].build, &seen);
    print_message("%-9s %3d touches: differences %.0e\n", row[i].name, seen.touches, slope);
    assert_true(seen.touches > 0 && seen.by_bodies[row[i].bodies] == seen.touches);
    assert_true(slope < 1e-8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(jacobian_is_the_residuals_slope)};
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
