// The sweep of a step alone: what passes through triangles, edges, pegs, spheres and moving
// obstacles is found, whatever the speed; what misses, slides around edges and round things, or
// turns with what it touches is not.
#include "contact/ccd/sweep.h"
#include "support/skin_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const double THICK = 0.01;

typedef struct Bench {
  SkinScene scene;
  StContacts *contacts;
  StContactSet *set;
  StCcdSweep *sweep;
  double *before, *after; // at rest at first
} Bench;

static void build(Bench *bench) {
  SkinScene *scene = &bench->scene;
  scene->description->contact_settings.method = ST_CONTACT_PRIMITIVES;
  skin_scene_build(scene);
  assert_int_equal(st_contacts_create(scene->description, scene->piece, &bench->contacts, NULL),
                   ST_OK);
  assert_int_equal(st_contact_set_create(bench->contacts, &bench->set, NULL), ST_OK);
  assert_int_equal(st_ccd_create(bench->contacts, bench->set, &bench->sweep, NULL), ST_OK);
  bench->before = skin_scene_positions(scene);
  bench->after = skin_scene_positions(scene);
}

static void close_bench(Bench *bench) {
  st_ccd_destroy(bench->sweep);
  st_contact_set_destroy(bench->set);
  st_contacts_destroy(bench->contacts);
  skin_scene_close(&bench->scene);
  free(bench->before);
  free(bench->after);
}

static StPassage look(Bench *bench, const StTurn *turn) {
  StCcdMotion motion = {
      .start = 0, .end = 1, .before = bench->before, .after = bench->after, .turn = turn};
  int parts = st_ccd_parts(bench->sweep, &motion);
  StPassage passage;
  st_ccd_begin(bench->sweep);
  for (int i = 0; i < parts; i++)
    assert_int_equal(
        st_ccd_follow(bench->sweep, &motion, (double)i / parts, (double)(i + 1) / parts), ST_OK);
  assert_int_equal(st_ccd_decide(bench->sweep, &motion, &passage), ST_OK);
  return passage;
}

// Moves a body of the scene, from where it rests.
static void shift(Bench *bench, int body, const double by[3], double *position) {
  const StPiece *piece = bench->scene.piece;
  for (int v = 0; v < piece->vertex_count; v++)
    if (piece->body[v] == body)
      for (int c = 0; c < 3; c++)
        position[3 * v + c] = piece->rest[3 * v + c] + by[c];
}

// A cube of one cell around the origin.
static StMesh *cube(double half) {
  BoxGrid grid = {.cells = {1, 1, 1}, .low = {-half, -half, -half}, .high = {half, half, half}};
  return box_mesh_create(&grid);
}

static bool throw_at(Bench *bench, const double from[3], const double to[3]) {
  shift(bench, 0, from, bench->before);
  shift(bench, 0, to, bench->after);
  return look(bench, NULL).found;
}

static const char *const NAMES[] = {"body", "sheet", "mesh", "box", "sphere", "capsule"};
enum { KINDS = 6 };

static Bench open_target(int kind) {
  Bench bench = {.scene = skin_scene_open()};
  SkinScene *scene = &bench.scene;
  int mover = skin_scene_body(scene, cube(0.5)), body = -1, obstacle = -1;
  switch (kind) {
  case 0: body = skin_scene_body(scene, cube(0.3)); break;
  case 1: {
    StMesh *sheet = skin_sheet(3, 1.2, 0);
    for (int v = 0; v < sheet->vertex_count; v++) // upright, across the way
      vec3_set(0, sheet->position[3 * v] - 0.6, sheet->position[3 * v + 1] - 0.6,
               sheet->position + 3 * v);
    body = skin_scene_body(scene, sheet);
    break;
  }
  case 2: obstacle = skin_scene_obstacle(scene, "mesh", 0, NULL, cube(0.3)); break;
  case 3: obstacle = skin_scene_obstacle(scene, "box", 3, (double[]){0.01, 1, 1}, NULL); break;
  case 4: obstacle = skin_scene_obstacle(scene, "sphere", 1, (double[]){0.3}, NULL); break;
  default: obstacle = skin_scene_obstacle(scene, "capsule", 2, (double[]){0.05, 2}, NULL);
  }
  skin_scene_contact(scene, mover, body, obstacle, THICK);
  build(&bench);
  return bench;
}

// From one side of the target to the other, 2 to 200 m in a step.
static void test_passages_are_found(void **unused) {
  (void)unused;
  for (int kind = 0; kind < KINDS; kind++) {
    Bench bench = open_target(kind);
    for (double far = 1; far < 150; far *= 3)
      for (int i = 0; i < 9; i++) {
        double y = 0.3 * (i % 3 - 1) + 0.01, z = 0.3 * (double)(i / 3 - 1) + 0.02;
        print_message("%s, %g m, offset %g %g\n", NAMES[kind], 2 * far, y, z);
        assert_true(throw_at(&bench, (double[]){-far, y, z}, (double[]){far, y, z}));
        StPassage passage = look(&bench, NULL);
        assert_true(passage.vertex >= 0);
        assert_int_equal(passage.body >= 0, kind < 2);
        assert_int_equal(passage.obstacle >= 0, kind >= 2);
      }
    close_bench(&bench);
  }
}

static void test_misses_are_not(void **unused) {
  (void)unused;
  for (int kind = 0; kind < KINDS; kind++) {
    Bench bench = open_target(kind);
    for (double far = 1; far < 150; far *= 3) {
      print_message("%s, %g m\n", NAMES[kind], 2 * far);
      double past = kind == 5 ? 0.56 : 1.12; // y, beside the target
      assert_false(throw_at(&bench, (double[]){-far, past, 0.02}, (double[]){far, past, 0.02}));
      assert_false(throw_at(&bench, (double[]){-far, 0.1, 0.02}, (double[]){-0.85, 0.1, 0.02}));
      assert_false(throw_at(&bench, (double[]){0.85, 0.1, 0.02}, (double[]){far, 0.1, 0.02}));
    }
    // Both go the same way.
    if (kind < 2) {
      shift(&bench, 1, (double[]){300, 10, 7}, bench.after);
      assert_false(throw_at(&bench, (double[]){-0.85, 0, 0.02}, (double[]){300 - 0.85, 10, 7.02}));
    }
    close_bench(&bench);
  }
}

// From touching one side of a target to touching the other, and from there on.
static void test_touching_is_no_excuse(void **unused) {
  (void)unused;
  for (int kind = 0; kind < 5; kind++) {
    Bench bench = open_target(kind);
    static const double half[] = {0.3, 0, 0.3, 0.005, 0.3};
    double near = 0.5 + half[kind] + 0.3 * THICK;
    assert_true(throw_at(&bench, (double[]){-near, 0.1, 0.02}, (double[]){near, 0.1, 0.02}));
    assert_true(throw_at(&bench, (double[]){-near, 0.1, 0.02}, (double[]){3, 0.1, 0.02}));
    assert_true(throw_at(&bench, (double[]){-3, 0.1, 0.02}, (double[]){near, 0.1, 0.02}));
    close_bench(&bench);
  }
}

// A vertex that flies at 25° over a triangle of a sheet and touches it on one side only: after it
// has passed, or before it passes.
static void test_grazing_is_no_excuse(void **unused) {
  (void)unused;
  Bench bench = {.scene = skin_scene_open()};
  skin_scene_body(&bench.scene, skin_soup(1, 0, &(uint64_t){1}));
  StMesh *mesh = bench.scene.description->body[0].mesh;
  skin_scene_body(&bench.scene, skin_sheet(3, 1.2, 0));
  skin_scene_contact(&bench.scene, 0, 1, -1, THICK);
  vec3_set(0, 0, 0, mesh->position);
  vec3_set(0.001, 0, 0, mesh->position + 3);
  vec3_set(0, 0.001, 0, mesh->position + 6);
  build(&bench);
  for (int side = -1; side < 2; side += 2) {
    double far[3] = {0.55, 0.45, 2 * side * THICK}, near[3] = {0.6, 0.45, -0.3 * side * THICK};
    assert_true(throw_at(&bench, far, near));
    assert_true(throw_at(&bench, near, far));
    near[2] = -near[2];
    assert_false(throw_at(&bench, far, near));
    assert_false(throw_at(&bench, near, far));
  }
  close_bench(&bench);
}

// One vertex of a sheet goes around the edge of a box, from its top to its side: its straight way
// cuts the corner at any step size. So does one that slides around a sphere.
static void test_slides_are_free(void **unused) {
  (void)unused;
  const double gap = 0.3 * THICK;
  Bench bench = {.scene = skin_scene_open()};
  skin_scene_body(&bench.scene, skin_soup(1, 0, &(uint64_t){1}));
  StMesh *mesh = bench.scene.description->body[0].mesh;
  skin_scene_obstacle(&bench.scene, "box", 3, (double[]){2, 2, 2}, NULL);
  skin_scene_contact(&bench.scene, 0, -1, 0, THICK);
  vec3_set(0, 0, 0, mesh->position);
  vec3_set(0.02, 0.1, 0.1, mesh->position + 3);
  vec3_set(-0.02, 0.1, 0.12, mesh->position + 6);
  build(&bench);
  for (double way = 0.5; way > 1e-4; way /= 2) {
    double start[3] = {1 - way, 0.1, 1 + gap}, end[3] = {1 + gap, 0.1, 1 - way};
    assert_false(throw_at(&bench, start, end));
    start[0] = end[2] = 1 - 0.3 * way; // unequal parts
    assert_false(throw_at(&bench, start, end));
    // Away from the surface without a corner to go around: into it, and out of it elsewhere.
    assert_true(throw_at(&bench, (double[]){0.5, 0.1, 1 + gap}, (double[]){0.6, 0.1, -3}));
  }
  close_bench(&bench);
}

static void turn_body(Bench *bench, int body, const StTurn *turn) {
  const StPiece *piece = bench->scene.piece;
  double rotation[9], arm[3], at[3];
  mat3_rotation(turn->axis, turn->angle, rotation);
  for (int v = 0; v < piece->vertex_count; v++) {
    if (piece->body[v] != body)
      continue;
    vec3_sub(bench->before + 3 * v, turn->centre, arm);
    mat3_apply(rotation, arm, at);
    for (int c = 0; c < 3; c++)
      bench->after[3 * v + c] = turn->centre[c] + turn->shift[c] + at[c];
  }
}

// A long bar that turns about its middle. Straight ways of its ends would pass inside of the arc: a
// cube that is beyond the chord but within the arc is hit, one at the chord behind the arc is not.
static void test_arcs(void **unused) {
  (void)unused;
  for (int hit = 0; hit < 2; hit++) {
    Bench bench = {.scene = skin_scene_open()};
    BoxGrid bar = {.cells = {1, 1, 1}, .low = {-1, -0.01, -0.01}, .high = {1, 0.01, 0.01}};
    skin_scene_body(&bench.scene, box_mesh_create(&bar));
    skin_scene_body(&bench.scene, cube(0.02));
    skin_scene_contact(&bench.scene, 0, 1, -1, 1e-3);
    build(&bench);
    // At 45°: the end of the bar is at radius 1 there; the chord of a quarter turn at 0.71.
    double radius = hit ? 0.95 : 1.06, place[3] = {0.5 * sqrt(2) * radius, 0.5 * sqrt(2) * radius};
    shift(&bench, 1, place, bench.before);
    shift(&bench, 1, place, bench.after);
    StTurn turn[2] = {{.axis = {0, 0, 1}, .angle = acos(-1) / 2}, {.angle = 0}};
    turn_body(&bench, 0, &turn[0]);
    assert_int_equal(look(&bench, turn).found, hit);
    assert_int_equal(st_ccd_parts(bench.sweep, &(StCcdMotion){.end = 1, .turn = turn}), 7);
    close_bench(&bench);
  }
}

// Two cubes on each other turn together, by up to half a turn, a hair's breadth apart.
static void test_turning_together_is_free(void **unused) {
  (void)unused;
  Bench bench = {.scene = skin_scene_open()};
  skin_scene_body(&bench.scene, cube(0.5));
  skin_scene_body(&bench.scene, cube(0.5));
  skin_scene_contact(&bench.scene, 0, 1, -1, THICK);
  build(&bench);
  shift(&bench, 1, (double[]){0.1, 0.05, 1 + 1e-6}, bench.before);
  for (double angle = 0.1; angle < 3; angle += 0.4) {
    StTurn turn[2];
    for (int b = 0; b < 2; b++) {
      turn[b] = (StTurn){.axis = {0, 1, 0}, .angle = angle};
      turn_body(&bench, b, &turn[b]); // both about the middle of the first
    }
    assert_false(look(&bench, turn).found);
  }
  close_bench(&bench);
}

static StMotion motion_of(const double shift[3], double angle) {
  StMotion motion = {.axis = {0, 0, 1}};
  const double time[] = {0, 1}, way[] = {0, 0, 0, shift[0], shift[1], shift[2]};
  const double turn[] = {0, angle};
  assert_int_equal(st_motion_set_keys(&motion, 2, time, way, turn, ST_LINEAR, true, NULL), ST_OK);
  return motion;
}

// Obstacles go straight through a body that rests, or turn through it by several turns, which end
// where they began.
static void test_moving_obstacles(void **unused) {
  (void)unused;
  static const struct {
    const char *shape;
    double value[3], shift[3], turns;
    bool hits;
  } known[] = {
      {"sphere", {0.1, 0, 0}, {4, 0, 0}, 0, true},  {"capsule", {0.02, 3, 0}, {40, 0, 0}, 0, true},
      {"box", {0.001, 1, 1}, {400, 0, 0}, 0, true}, {"sphere", {0.1, 0, 0}, {4, 0, 2}, 0, false},
      {"box", {3.2, 0.01, 1}, {0, 0, 0}, 3, false}, // the cube is beyond its reach
      {"box", {4.2, 0.01, 1}, {0, 0, 0}, 3, true}};
  for (int i = 0; i < (int)ST_LENGTH(known); i++) {
    Bench bench = {.scene = skin_scene_open()};
    StMesh *mesh = cube(0.25);
    bool turns = known[i].turns > 0;
    skin_scene_body(&bench.scene, mesh);
    for (int v = 0; v < mesh->vertex_count; v++)
      vec3_add_scaled(1, (double[]){turns ? 0 : 2, turns ? 2 : 0, 0}, mesh->position + 3 * v);
    skin_scene_obstacle(&bench.scene, known[i].shape, 3, known[i].value, NULL);
    bench.scene.description->obstacle[0].motion =
        motion_of(known[i].shift, 2 * acos(-1) * known[i].turns);
    skin_scene_contact(&bench.scene, 0, -1, 0, 1e-3);
    build(&bench);
    print_message("%s %d\n", known[i].shape, i);
    assert_int_equal(look(&bench, NULL).found, known[i].hits);
    close_bench(&bench);
  }
}

// A sheet that is folded over itself passes through itself; without contact of a body with itself
// nobody minds.
static void test_itself(void **unused) {
  (void)unused;
  for (int minds = 0; minds < 2; minds++) {
    Bench bench = {.scene = skin_scene_open()};
    StMesh *two = st_mesh_create(8, 0, 4);
    for (int v = 0; v < 8; v++)
      vec3_set(v & 1, v >> 1 & 1, v >> 2 & 1, two->position + 3 * v);
    memcpy(two->triangle, (int[]){0, 1, 3, 0, 3, 2, 4, 5, 7, 4, 7, 6}, 12 * sizeof(int));
    skin_scene_body(&bench.scene, two);
    skin_scene_obstacle(&bench.scene, "sphere", 1, (double[]){0.1}, NULL);
    bench.scene.description->obstacle[0].origin[2] = 50;
    skin_scene_contact(&bench.scene, 0, -1, 0, THICK);
    if (minds)
      skin_scene_contact(&bench.scene, 0, 0, -1, THICK);
    build(&bench);
    for (int v = 4; v < 8; v++)
      bench.after[3 * v + 2] = -1; // the upper square goes through the lower one
    assert_int_equal(look(&bench, NULL).found, minds);
    close_bench(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_passages_are_found),
      cmocka_unit_test(test_misses_are_not),
      cmocka_unit_test(test_touching_is_no_excuse),
      cmocka_unit_test(test_grazing_is_no_excuse),
      cmocka_unit_test(test_slides_are_free),
      cmocka_unit_test(test_arcs),
      cmocka_unit_test(test_turning_together_is_free),
      cmocka_unit_test(test_moving_obstacles),
      cmocka_unit_test(test_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
