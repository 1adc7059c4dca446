// Bodies turn along arcs: nothing is stretched, whatever the angle, and straight paths stay
// straight.
#include "step/arc.h"

#include "math/vec3.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { EACH = 7, BODIES = 3, COUNT = EACH * BODIES };

typedef struct Scene {
  StPiece *piece;
  StArc *arc;
  double position[3 * COUNT], scale[3 * COUNT], way[3 * COUNT];
} Scene;

static double random_number(void) {
  return 2.0 * rand() / RAND_MAX - 1;
}

// tied: [BODIES] or NULL.
static void set_up_tied(Scene *scene, const bool *tied) {
  srand(1);
  scene->piece = st_piece_create((StPieceSize){.vertex_count = COUNT});
  assert_non_null(scene->piece);
  for (int v = 0; v < COUNT; v++) {
    scene->piece->body[v] = v % BODIES;
    scene->piece->mass[v] = 1.5 + random_number();
    for (int c = 0; c < 3; c++) {
      scene->position[3 * v + c] = 5 * (v % BODIES) + random_number();
      scene->scale[3 * v + c] = 1;
    }
  }
  assert_int_equal(st_arc_create(scene->piece, BODIES, tied, &scene->arc, NULL), ST_OK);
}

static void set_up(Scene *scene) {
  set_up_tied(scene, NULL);
}

static void tear_down(Scene *scene) {
  st_arc_destroy(scene->arc);
  st_piece_destroy(scene->piece);
}

// Each body its own spin, in rad, about a point of its own.
static void spin_all(Scene *scene, const double spin[3]) {
  for (int v = 0; v < COUNT; v++) {
    double arm[3] = {scene->position[3 * v] - 5 * (v % BODIES) - 0.3, scene->position[3 * v + 1],
                     scene->position[3 * v + 2] + 1};
    double own[3] = {spin[0], spin[1] * (1 + v % BODIES), spin[2]};
    vec3_cross(own, arm, scene->way + 3 * v);
  }
}

static double apart(const Scene *scene, int a, int b, bool after) {
  double between[3];
  vec3_sub(scene->position + 3 * a, scene->position + 3 * b, between);
  if (after)
    for (int c = 0; c < 3; c++)
      between[c] += scene->way[3 * a + c] - scene->way[3 * b + c];
  return vec3_length(between);
}

static void what_turns_keeps_its_size(void **state) {
  (void)state;
  const double spin[3] = {0.4, -0.7, 1.1};
  Scene scene;
  set_up(&scene);
  spin_all(&scene, spin);
  st_arc_bend(scene.arc, scene.position, scene.scale, scene.way);
  for (int a = 0; a < COUNT; a++)
    for (int b = a % BODIES; b < a; b += BODIES)
      assert_true(fabs(apart(&scene, a, b, true) - apart(&scene, a, b, false)) < 1e-13);
  tear_down(&scene);
}

// Bodies turn about a point 0.3 and 1 off their middle; one that is tied keeps its distance from
// it.
static void what_is_tied_turns_about_its_pivot(void **state) {
  (void)state;
  for (double size = 1; size > 1e-6; size /= 10) {
    const double spin[3] = {0.4 * size, -0.7 * size, 1.1 * size};
    Scene scene;
    set_up_tied(&scene, (const bool[BODIES]){false, true, true});
    spin_all(&scene, spin);
    st_arc_bend(scene.arc, scene.position, scene.scale, scene.way);
    double most = 0;
    for (int v = 0; v < COUNT; v++) {
      double arm[3] = {scene.position[3 * v] - 5 * (v % BODIES) - 0.3, scene.position[3 * v + 1],
                       scene.position[3 * v + 2] + 1};
      double before = vec3_length(arm);
      vec3_add_scaled(1, scene.way + 3 * v, arm);
      double change = fabs(vec3_length(arm) - before);
      assert_true(v % BODIES == 0 || change < 1e-14 + 1e-12 * size);
      most = v % BODIES == 0 ? fmax(most, change) : most;
    }
    assert_true(size < 0.1 || most > 0.1 * size * size); // the free one goes another way
    tear_down(&scene);
  }
}

// The centre of mass goes where it would have gone, and so does all that turns little: the
// difference is of the second order.
static void small_turns_are_straight(void **state) {
  (void)state;
  for (double size = 1e-2; size > 1e-5; size /= 10) {
    const double spin[3] = {0.4 * size, -0.7 * size, 1.1 * size};
    Scene scene;
    double straight[3 * COUNT], centre[3] = {0};
    set_up(&scene);
    spin_all(&scene, spin);
    for (int i = 0; i < 3 * COUNT; i++)
      straight[i] = scene.way[i];
    st_arc_bend(scene.arc, scene.position, scene.scale, scene.way);
    for (int i = 0; i < 3 * COUNT; i++) {
      assert_true(fabs(scene.way[i] - straight[i]) < 10 * size * size);
      if (i / 3 % BODIES == 1)
        centre[i % 3] += scene.piece->mass[i / 3] * (scene.way[i] - straight[i]);
    }
    assert_true(vec3_length(centre) < 1e-14);
    tear_down(&scene);
  }
}

// What is held, what only moves, and what is a rod or a point keep the way they had.
static void others_keep_their_way(void **state) {
  (void)state;
  const double spin[3] = {0.4, -0.7, 1.1};
  for (int kind = 0; kind < 3; kind++) {
    Scene scene;
    double straight[3 * COUNT];
    set_up(&scene);
    spin_all(&scene, spin);
    for (int v = 0; v < COUNT; v++) {
      if (kind == 0)
        scene.scale[3 * v + 1] = v < BODIES ? 0 : 1;
      for (int c = 0; c < 3; c++) {
        if (kind == 1)
          scene.way[3 * v + c] = 3 + c;
        if (kind == 2)
          scene.position[3 * v + c] = v; // on one line
        straight[3 * v + c] = scene.way[3 * v + c];
      }
    }
    st_arc_bend(scene.arc, scene.position, scene.scale, scene.way);
    if (kind != 1) // … which may be strained
      st_arc_take_strain(scene.arc, scene.position, scene.scale, scene.way);
    for (int i = 0; i < 3 * COUNT; i++)
      assert_true(scene.way[i] == straight[i]);
    tear_down(&scene);
  }
}

static void sum_momenta(const Scene *scene, int body, double momentum[6]) {
  for (int v = body; v < COUNT; v += BODIES) {
    double cross[3];
    vec3_cross(scene->position + 3 * v, scene->way + 3 * v, cross);
    vec3_add_scaled(scene->piece->mass[v], scene->way + 3 * v, momentum);
    vec3_add_scaled(scene->piece->mass[v], cross, momentum + 3);
  }
}

// Distances do not change in first order, momenta not at all; the second time there is nothing to
// take.
static void strain_is_taken_and_momentum_kept(void **state) {
  (void)state;
  Scene scene;
  double momentum[BODIES][2][6] = {0}, stiff[3 * COUNT];
  set_up(&scene);
  for (int i = 0; i < 3 * COUNT; i++)
    scene.way[i] = random_number();
  for (int time = 0; time < 2; time++) {
    for (int b = 0; b < BODIES; b++)
      sum_momenta(&scene, b, momentum[b][time]);
    if (time == 0)
      st_arc_take_strain(scene.arc, scene.position, scene.scale, scene.way);
  }
  for (int b = 0; b < BODIES; b++)
    for (int c = 0; c < 6; c++)
      assert_true(fabs(momentum[b][1][c] - momentum[b][0][c]) < 1e-12);
  for (int v = 0; v < COUNT; v++)
    for (int w = v % BODIES; w < v; w += BODIES) {
      double between[3], change[3];
      vec3_sub(scene.position + 3 * v, scene.position + 3 * w, between);
      vec3_sub(scene.way + 3 * v, scene.way + 3 * w, change);
      assert_true(fabs(vec3_dot(between, change)) < 1e-12);
    }
  memcpy(stiff, scene.way, sizeof stiff);
  st_arc_take_strain(scene.arc, scene.position, scene.scale, scene.way);
  for (int i = 0; i < 3 * COUNT; i++)
    assert_true(fabs(scene.way[i] - stiff[i]) < 1e-13);
  tear_down(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_turns_keeps_its_size),
      cmocka_unit_test(what_is_tied_turns_about_its_pivot),
      cmocka_unit_test(small_turns_are_straight),
      cmocka_unit_test(others_keep_their_way),
      cmocka_unit_test(strain_is_taken_and_momentum_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
