// A stage with contact by primitives: its whole Jacobian against complex numbers and differences,
// the free part of a path, and the effect of prescribed motion.
#include "contact/core/primitive_gap.h"
#include "force/list.h"
#include "math/scalar.h"
#include "solve/runtime.h"
#include "support/compare.h"
#include "support/stage_jacobian.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// What a case must have, or nothing was tested.
typedef struct Seen {
  int touches, edges, rigid, negative, slow, fast;
} Seen;

static Seen look(const StageScene *s) {
  StPoint at = st_stage_point(s->stage, s->stage->time);
  const StContactSet *set = at.contact_set;
  assert_int_equal(set->status, ST_OK);
  Seen seen = {.touches = set->now.count};
  for (int t = 0; t < set->now.count; t++) {
    const StContact *contact = &set->now.contact[t];
    const int *place = st_contact_array_places(&set->now, contact);
    double velocity[3 * ST_PRIMITIVE_MOST], slip[3];
    st_contact_set_velocities(set, contact->count, place, at.velocity, velocity);
    st_contact_slip(contact->count, &contact->normal_state,
                    st_contact_array_shares(&set->now, contact), velocity,
                    st_contact_set_wall_velocity(set, &set->now, contact), slip);
    seen.edges += contact->split == 2;
    seen.negative += contact->weight < 0;
    for (int k = 0; k < contact->count; k++)
      seen.rigid += !st_contact_set_is_local(set, place[k]);
    const StFrictionLaw *law =
        &st_contact_set_pair_law(set, contact)->friction[ST_FRICTION_PART_ALL];
    *(vec3_length(slip) < law->sticking_speed ? &seen.slow : &seen.fast) += 1;
  }
  return seen;
}

// The scaled Jacobian by forces in complex numbers: 1 - S (a²h² ∂f/∂q + a h ∂f/∂v) S.
static void fill_by_complex(const StageScene *s, double *dense) {
  const StStageProblem *stage = s->stage;
  StPoint at = st_stage_point(stage, stage->time);
  int n = s->size;
  StDual *x = ST_NEW(StDual, n), *v = ST_NEW(StDual, n), *force = ST_NEW(StDual, n);
  for (int i = 0; i < n; i++)
    x[i] = stage->position[i], v[i] = stage->velocity[i];
  for (int j = 0; j < n; j++) {
    x[j] = s_dual(stage->position[j], stage->ah * stage->scale[j]);
    v[j] = s_dual(stage->velocity[j], stage->scale[j]);
    memset(force, 0, (size_t)n * sizeof *force);
    for (int k = 0; k < s->system->force_count; k++) {
      const StForce *term = &s->system->force[k];
      term->type->add_complex(term->data, &at, x, v, force);
    }
    for (int i = 0; i < n; i++)
      dense[i * n + j] = (i == j) - stage->scale[i] * stage->ah * s_derivative(force[i]);
    x[j] = stage->position[j], v[j] = stage->velocity[j];
  }
  free(x);
  free(v);
  free(force);
}

typedef void Build(StageScene *s);

// The Jacobian at the stage's present progress.
static Seen check_jacobian(Build *build, double progress, double speed, const char *name) {
  StageScene s;
  stage_scene_open(&s);
  build(&s);
  stage_scene_start(&s, speed);
  const StProblem *problem = &s.stage->problem;
  s.progress = progress;
  size_t all = (size_t)s.size * (size_t)s.size;
  double *dense = ST_NEW(double, all), *other = ST_NEW(double, all);
  stage_jacobian_by_products(&s, dense);
  fill_by_complex(&s, other);
  double apart = relative_error((int)all, dense, other);
  stage_jacobian_by_differences(&s, other);
  double slope = relative_error((int)all, dense, other);
  assert_int_equal(problem->linearise(problem->context, s.y, progress, NULL), ST_OK);
  Seen seen = look(&s);
  print_message("%-9s progress %.1f, %5.1f m/s: %3d touches, %3d of edges, %d negative, %d slow; "
                "complex %.0e, differences %.0e\n",
                name, progress, speed, seen.touches, seen.edges, seen.negative, seen.slow, apart,
                slope);
  assert_true(apart < 1e-12);
  assert_true(slope < 1e-8);
  free(dense);
  free(other);
  stage_scene_close(&s);
  return seen;
}

static void build_pair(StageScene *s) {
  stage_scene_pair(s, 0.3);
}

static void build_driven(StageScene *s) {
  stage_scene_pair(s, 0.5);
  stage_scene_drive(s, STAGE_SIZE, (double[3]){0.6, 0, -0.8});
}

static void add_seen(Seen *sum, const Seen *seen) {
  sum->touches += seen->touches;
  sum->edges += seen->edges;
  sum->rigid += seen->rigid;
  sum->negative += seen->negative;
  sum->slow += seen->slow;
  sum->fast += seen->fast;
}

static void jacobian_is_the_residuals_slope(void **state) {
  (void)state;
  const struct {
    const char *name;
    Build *build;
    double progress;
  } row[] = {{"pair", build_pair, 1},           {"crossing", stage_scene_crossing, 1},
             {"folded", stage_scene_folded, 1}, {"ridge", stage_scene_ridge, 1},
             {"ridge", stage_scene_ridge, 0.4}, {"valley", stage_scene_valley, 1},
             {"round", stage_scene_round, 1},   {"round", stage_scene_round, 0.4},
             {"driven", build_driven, 0.4}};
  Seen all = {0};
  for (int i = 0; i < ST_LENGTH(row); i++)
    for (int fast = 0; fast < 2; fast++) {
      Seen seen = check_jacobian(row[i].build, row[i].progress, fast ? 1.5 : 0.15, row[i].name);
      assert_true(seen.touches > 0);
      add_seen(&all, &seen);
    }
  assert_true(all.edges > 0 && all.rigid > 0 && all.negative > 0 && all.slow > 0 && all.fast > 0);
}

// The smallest gap after a residual there.
static double least_gap(StageScene *s, const double *y) {
  const StProblem *problem = &s->stage->problem;
  double *r = ST_NEW(double, s->size), least = INFINITY;
  assert_int_equal(problem->residual(problem->context, y, s->progress, r), ST_OK);
  const StContactArray *now = &s->system->contact_cache->set->now;
  for (int t = 0; t < now->count; t++)
    least = fmin(least, now->contact[t].gap);
  free(r);
  return least;
}

// y + part·p, where p moves all vertices of one body by a way within the step.
static void go(const StageScene *s, int body, const double way[3], double part, double *p,
               double *to) {
  int first = body == 0 ? 0 : s->scene.description->body[0].mesh->vertex_count;
  int last = first + s->scene.description->body[body].mesh->vertex_count;
  for (int i = 0; i < s->size; i++) {
    int vertex = s->system->piece->vertex_id[i / 3];
    bool goes = vertex >= first && vertex < last && s->stage->scale[i] > 0;
    p[i] = goes ? way[i % 3] / (STAGE_STEP * s->stage->scale[i]) : 0;
    to[i] = s->y[i] + part * p[i];
  }
}

// Paths through the other body end before it, with about half of the small gap left; paths past it,
// farther away than what the filter leaves, and away from it are free.
static void ways_end_before_what_is_in_them(void **state) {
  (void)state;
  const struct {
    double way[3];
    bool free;
  } row[] = {{{0, 0, -0.03}, false},
             {{0.02, 0.01, -3}, false},
             {{0.004, 0, -0.02}, false},
             {{0.001, 0, 0.3}, true},
             {{0.05, 0.02, 0.5 * STAGE_THICKNESS}, true},
             {{0, 0, 0}, true}};
  StageScene s;
  stage_scene_open(&s);
  stage_scene_pair(&s, 0.3);
  stage_scene_start(&s, 0.15);
  const StProblem *problem = &s.stage->problem;
  double *p = ST_NEW(double, s.size), *to = ST_NEW(double, s.size);
  double before = least_gap(&s, s.y);
  assert_false(st_stage_moves(s.stage));
  for (int i = 0; i < ST_LENGTH(row); i++) {
    double part = -1;
    go(&s, 1, row[i].way, 0, p, to);
    assert_int_equal(problem->limit(problem->context, s.y, 1, p, &part), ST_OK);
    if (row[i].free) {
      assert_true(part == 1);
      continue;
    }
    assert_true(part > 0 && part < 1);
    go(&s, 1, row[i].way, part, p, to);
    double after = least_gap(&s, to);
    assert_true(after >= 0.1 * before * (1 - 1e-9) && after < 0.55 * before);
  }
  double part = -1;
  assert_int_equal(problem->limit(problem->context, s.y, 1, NULL, &part), ST_OK);
  assert_true(part == 1); // nothing is prescribed
  free(p);
  free(to);
  stage_scene_close(&s);
}

// A rod of one cell above a cylinder that lies (tilt 90°), leans, or stands; along y.
static void open_needle(StageScene *s, double tilt) {
  const double radius = 0.05, height = 0.1, half = 0.15, thin = 0.004;
  const BoxGrid grid = {{1, 1, 1}, {-thin / 2, -half, 0}, {thin / 2, half, thin}, 0};
  const double top = radius * sin(tilt) + height / 2 * cos(tilt);
  stage_scene_open(s);
  StMesh *rod = box_mesh_create(&grid);
  stage_scene_shift(rod, 0.003, 0.007, top + 0.4 * STAGE_THICKNESS);
  skin_scene_body(&s->scene, rod);
  int pin = skin_scene_obstacle(&s->scene, "cylinder", 2, (double[2]){radius, height}, NULL);
  mat3_rotation((double[3]){1, 0, 0}, tilt, s->scene.description->obstacle[pin].rotation);
  stage_scene_contact(s, 0, -1, pin);
  stage_scene_start(s, 0);
}

// Distance of the cylinder from all edges of the rod.
static double rod_distance(const StageScene *s) {
  const StPiece *piece = s->system->piece;
  StObstacleNow now;
  double least = INFINITY, gradient[3], x[3];
  st_obstacle_at(&s->scene.description->obstacle[0], 0, &now);
  for (int a = 0; a < piece->vertex_count; a++)
    for (int b = 0; b < a; b++)
      for (int i = 0; i <= 300; i++) {
        for (int c = 0; c < 3; c++)
          x[c] = s->stage->position[3 * a + c] +
                 i / 300.0 * (s->stage->position[3 * b + c] - s->stage->position[3 * a + c]);
        least = fmin(least, st_obstacle_gap(&now, x, gradient));
      }
  return least;
}

// No vertex is anywhere near: sides and rims stop the rod, at 20 m/s as at 1 m/s.
static void needles_stop_at_cylinders(void **state) {
  (void)state;
  const double tilt[] = {0, M_PI / 5, M_PI / 4, 1.4, M_PI / 2};
  for (int i = 0; i < ST_LENGTH(tilt); i++)
    for (double speed = 1; speed <= 20; speed *= 20) {
      StageScene s;
      open_needle(&s, tilt[i]);
      const StProblem *problem = &s.stage->problem;
      double *p = ST_NEW(double, s.size), *to = ST_NEW(double, s.size), part = -1;
      const double way[3] = {0, 0, -speed * 0.02};
      double before = least_gap(&s, s.y);
      assert_true(before < 0.5 * STAGE_THICKNESS && rod_distance(&s) >= before);
      go(&s, 0, way, 0, p, to);
      assert_int_equal(problem->limit(problem->context, s.y, 1, p, &part), ST_OK);
      assert_true(part > 0 && part < 1);
      go(&s, 0, way, part, p, to);
      least_gap(&s, to);
      assert_true(rod_distance(&s) >= 0.1 * before &&
                  rod_distance(&s) < 0.5 * before + 0.12 * STAGE_THICKNESS);
      free(p);
      free(to);
      stage_scene_close(&s);
    }
}

// Drag of a sheet that slides over the ground, or over a sheet of its size, at rest: viscous · area
// · speed, however fine the meshes are and, but for what little the film lacks, however
// large the gap.
static void check_film(int cells, int below, double part, double allowed) {
  const double speed = 0.5, size = 0.4, gap = part * STAGE_THICKNESS;
  StageScene s;
  stage_scene_open(&s);
  int upper = stage_scene_cloth(&s, skin_sheet(cells, size, gap));
  if (below > 0)
    stage_scene_contact(&s, upper, stage_scene_cloth(&s, skin_sheet(below, size, 0)), -1);
  else
    stage_scene_contact(&s, upper, -1, skin_scene_obstacle(&s.scene, "half_space", 0, NULL, NULL));
  StFrictionDesc *friction = &s.scene.description->contact[0].friction;
  friction->static_coefficient = friction->dynamic_coefficient = 0;
  stage_scene_start(&s, 0);
  const StPiece *piece = s.system->piece;
  double *position = ST_NEW(double, s.size), *velocity = ST_NEW(double, s.size), sum = 0;
  double *force = ST_NEW(double, s.size);
  memcpy(position, piece->rest, (size_t)s.size * sizeof(double));
  for (int v = 0; v < piece->vertex_count; v++)
    velocity[3 * v] = piece->vertex_id[v] < (cells + 1) * (cells + 1) ? speed : 0;
  StPoint at = {.position = position,
                .velocity = velocity,
                .contact_set = st_contact_cache_at(s.system->contact_cache, 0, position)};
  for (int k = 0; k < s.system->force_count; k++)
    if (s.system->force[k].type == &st_force_friction)
      st_system_single_force(s.system, k, &at, force);
  for (int v = 0; v < piece->vertex_count; v++)
    sum += piece->vertex_id[v] < (cells + 1) * (cells + 1) ? force[3 * v] : 0;
  double press = -2 * (1 - part) * log(part) + (1 - part) * (1 - part) / part;
  double whole = -friction->viscous_coefficient * size * size * speed;
  double wanted = whole * press / (press + 1e-5);
  print_message("%d cells over %d: drag %.6f of what it should be\n", cells, below, sum / wanted);
  assert_true(fabs(sum / wanted - 1) < allowed);
  assert_true(fabs(sum / whole - 1) < 0.02);
  free(position);
  free(velocity);
  free(force);
  stage_scene_close(&s);
}

static void viscous_friction_is_per_area(void **state) {
  (void)state;
  for (int cells = 2; cells <= 8; cells *= 2) {
    check_film(cells, 0, 0.4, 1e-12);
    check_film(cells, 0, 0.85, 1e-12);
    check_film(cells, 7, 0.4, 1e-3);
    check_film(cells, 24, 0.4, 1e-3);
  }
}

// The upper cube is pushed down as a whole, on the lower one or into it.
static void open_pushed(StageScene *s, double speed) {
  stage_scene_open(s);
  stage_scene_pair(s, 0.5);
  stage_scene_drive(s, (STAGE_SIZE + STAGE_THICKNESS / 4) / 2, (double[3]){0, 0, -speed});
  stage_scene_start(s, 0);
}

static void prescribed_motions_end_before_what_is_in_them(void **state) {
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    StageScene s;
    open_pushed(&s, fast ? 30 : 0.3);
    const StProblem *problem = &s.stage->problem;
    double part = -1;
    assert_true(st_stage_moves(s.stage));
    s.progress = 0;
    double before = least_gap(&s, s.y);
    assert_int_equal(problem->limit(problem->context, s.y, 0, NULL, &part), ST_OK);
    assert_true(fast ? part > 0 && part < 1 : part == 1);
    s.progress = part;
    assert_true(least_gap(&s, s.y) >= 0.1 * before * (1 - 1e-9));
    stage_scene_close(&s);
  }
}

static bool adapts(const StProblem *problem) {
  bool changed;
  assert_int_equal(problem->update(problem->context, &changed, NULL), ST_OK);
  return changed;
}

// Cubes that carry no load when the step begins are stiffened while they meet, once; what carries
// one is left alone.
static void only_new_contact_is_stiffened(void **state) {
  (void)state;
  for (int loaded = 0; loaded < 2; loaded++) {
    StageScene s;
    StContactStep *contact_step;
    stage_scene_open(&s);
    stage_scene_pair(&s, 0.3);
    stage_scene_start(&s, 0);
    const StProblem *problem = &s.stage->problem;
    StContactState *contact = s.system->contact_state;
    assert_true(least_gap(&s, s.y) < 0.9 * STAGE_THICKNESS);
    assert_false(adapts(problem)); // no contact_step
    assert_int_equal(st_contact_step_create(s.system, &contact_step, NULL), ST_OK);
    st_stage_use_contact_step(s.stage, contact_step);
    const StContactSet *set = st_stage_point(s.stage, STAGE_STEP).contact_set;
    if (loaded)
      assert_int_equal(st_contact_state_lag(contact, set, NULL), ST_OK);
    for (int v = 0; v < s.system->piece->vertex_count; v++)
      s.stage->goal[3 * v + 2] = s.system->piece->rest[3 * v + 2] > 0.51 * STAGE_SIZE ? -100 : 0;
    assert_int_equal(adapts(problem), !loaded);
    double most = 1;
    for (int i = 0; i < contact->stiffness.count; i++)
      most = fmax(most, contact->stiffness.factor[ST_POINT_CONTACT][i]);
    assert_true(loaded ? most == 1 : most > 1.5);
    double *r = ST_NEW(double, problem->size);
    assert_int_equal(problem->residual(problem->context, s.y, 1, r), ST_OK);
    assert_false(adapts(problem));
    free(r);
    st_contact_step_destroy(contact_step);
    stage_scene_close(&s);
  }
}

// Driven coordinates have moved by that part of their path; free ones are unaffected.
static void progress_is_a_part_of_the_way(void **state) {
  (void)state;
  StageScene s;
  open_pushed(&s, 1);
  StStageProblem *stage = s.stage;
  int driven = 0;
  double *end = ST_NEW(double, s.size);
  least_gap(&s, s.y);
  memcpy(end, stage->position, (size_t)s.size * sizeof(double));
  for (double progress = 0; progress <= 1; progress += 0.25) {
    s.progress = progress;
    least_gap(&s, s.y);
    for (int i = 0; i < s.size; i++) {
      double from = stage->scale[i] > 0 ? end[i] : stage->origin[i];
      driven += stage->scale[i] == 0;
      assert_true(fabs(stage->position[i] - (from + progress * (end[i] - from))) < 1e-16);
    }
  }
  assert_true(driven > 0);
  free(end);
  stage_scene_close(&s);
}

// -(1 - progress) ∂r/∂progress against differences.
static void check_tangent(Build *build, double progress, double allowed) {
  StageScene s;
  stage_scene_open(&s);
  build(&s);
  stage_scene_start(&s, 0.3);
  const StProblem *problem = &s.stage->problem;
  int n = s.size;
  double *r = ST_NEW(double, n), *rhs = ST_NEW(double, n), *slope = ST_NEW(double, n);
  for (int k = 0; k < DIFFERENCE_POINTS; k++) {
    const double h = 1e-3;
    const double at = progress + h * difference_at[k];
    assert_int_equal(problem->residual(problem->context, s.y, at, r), ST_OK);
    for (int i = 0; i < n; i++)
      slope[i] -= (1 - progress) * difference_weight[k] * r[i] / h;
  }
  assert_int_equal(problem->residual(problem->context, s.y, progress, r), ST_OK);
  assert_int_equal(problem->add_tangent(problem->context, s.y, progress, r, rhs), ST_OK);
  double error = relative_error(n, rhs, slope);
  print_message("tangent at progress %.1f: %.0e of %.1e\n", progress, error, largest(n, slope));
  assert_true(largest(n, slope) > 0);
  assert_true(error < allowed);
  free(r);
  free(rhs);
  free(slope);
  stage_scene_close(&s);
}

// Exact for vertices that are led, but for the differences' own error. For obstacles the stage
// takes one step ahead, of 1e-5 of the way: its error is half of that times the curvature, which
// the barrier's steepness makes large.
static void the_tangent_is_the_slope_by_progress(void **state) {
  (void)state;
  Build *const build[] = {stage_scene_ridge, stage_scene_valley, stage_scene_round};
  for (double progress = 0.2; progress < 1; progress += 0.5) {
    check_tangent(build_driven, progress, 1e-9);
    for (int i = 0; i < ST_LENGTH(build); i++)
      check_tangent(build[i], progress, 1e-5);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobian_is_the_residuals_slope),
      cmocka_unit_test(ways_end_before_what_is_in_them),
      cmocka_unit_test(viscous_friction_is_per_area),
      cmocka_unit_test(needles_stop_at_cylinders),
      cmocka_unit_test(prescribed_motions_end_before_what_is_in_them),
      cmocka_unit_test(only_new_contact_is_stiffened),
      cmocka_unit_test(progress_is_a_part_of_the_way),
      cmocka_unit_test(the_tangent_is_the_slope_by_progress),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
