// Start states: bodies in contact or a little inside each other are moved apart by no more than it
// takes, what is deeper or has no room is refused. Whether nothing meets afterwards is asked of the
// distances of all pairs of features, by brute force.
#include "support/separation_trial.h"

// Cubes of any cells on each other, in line, with any small gap or overlap and any small shift to
// the side: the upper one rises, and does nothing else.
static void test_cube_on_cube(void **state) {
  (void)state;
  static const double overlap[] = {-1e-4, -1e-12, 0, 1e-15, 1e-9, 1e-4, 1e-3, 0.02};
  static const double aside[] = {0, 1e-5, 5e-4, 0.3};
  for (int cells = 1; cells <= 3; cells++)
    for (int i = 0; i < ST_LENGTH(overlap); i++)
      for (int k = 0; k < ST_LENGTH(aside); k++) {
        Trial trial = begin();
        add_cube(&trial, 2, 0, 0, 0);
        add_cube(&trial, cells, aside[k], -0.5 * aside[k], 1 - overlap[i]);
        all_touch(&trial);
        run(&trial);
        assert_apart(&trial);
        assert_shift(&trial, 0, 0, 0, 0);
        assert_shift(&trial, 1, 0, 0, overlap[i] + WANTED);
        end(&trial);
      }
}

static void test_gap_is_left_alone(void **state) {
  (void)state;
  Trial trial = begin();
  add_cube(&trial, 2, 0, 0, 0);
  add_cube(&trial, 2, 0, 0, 1 + 0.5 * REACH);
  all_touch(&trial);
  run(&trial);
  assert_int_equal(trial.separation.verdict, ST_SEPARATION_CLEAR);
  for (int i = 0; i < 6; i++)
    assert_true(trial.separation.shift[i] == 0);
  end(&trial);
}

// Beside each other there is no upper one: both give way.
static void test_side_by_side(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    Trial trial = begin();
    double overlap = i * 0.01;
    add_cube(&trial, 2, 0, 0, 0);
    add_cube(&trial, 3, 1 - overlap, 0, 0);
    all_touch(&trial);
    run(&trial);
    assert_apart(&trial);
    assert_shift(&trial, 0, -0.5 * (overlap + WANTED), 0, 0);
    assert_shift(&trial, 1, 0.5 * (overlap + WANTED), 0, 0);
    end(&trial);
  }
}

static void test_held_body_stays(void **state) {
  (void)state;
  Trial trial = begin();
  add_cube(&trial, 2, 0, 0, 0);
  add_cube(&trial, 2, 0, 0, 0.99);
  trial.fixed[1] = true;
  all_touch(&trial);
  run(&trial);
  assert_apart(&trial);
  assert_shift(&trial, 0, 0, 0, -0.01 - WANTED);
  assert_shift(&trial, 1, 0, 0, 0);
  end(&trial);
}

// Each turned against the next; the last overlaps with nothing but its neighbour.
static void test_stack_of_ten(void **state) {
  (void)state;
  static const double overlap[] = {0, 0.005};
  for (int i = 0; i < ST_LENGTH(overlap); i++)
    for (int turned = 0; turned < 2; turned++) {
      Trial trial = begin();
      for (int b = 0; b < 10; b++) {
        add_cube(&trial, 2, 0, 0, (9 - b) * (1 - overlap[i]));
        turn(&trial, b, (double[3]){0, 0, 1}, turned * 0.37 * b);
      }
      all_touch(&trial);
      run(&trial);
      assert_apart(&trial);
      for (int b = 0; b < 10; b++)
        assert_shift(&trial, b, 0, 0, (9 - b) * (overlap[i] + WANTED));
      end(&trial);
    }
}

// The same in a world that stands askew: the same shifts, turned.
static void test_turned_world(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    Trial trial = begin();
    add_cube(&trial, 2, 0, 0, 0);
    add_cube(&trial, 2, 0.25, 0, 1 - 1e-3 * i);
    turn_all(&trial, (double[3]){1, 2, 3}, 0.7);
    all_touch(&trial);
    run(&trial);
    assert_apart(&trial);
    assert_float_equal(vec3_length(trial.separation.shift + 3), 1e-3 * i + WANTED, 1e-2 * WANTED);
    assert_float_equal(vec3_length(trial.separation.shift), 0, 1e-2 * WANTED);
    end(&trial);
  }
}

// Only their corners meet, or only edges: nothing slides far for it.
static void test_corners_and_edges(void **state) {
  (void)state;
  static const double at[][3] = {{1, 1, 1}, {1, 0, 1}, {1, 0.5, 1}, {0.999, 0.999, 0.999}};
  for (int i = 0; i < ST_LENGTH(at); i++) {
    Trial trial = begin();
    add_cube(&trial, 2, 0, 0, 0);
    add_cube(&trial, 2, at[i][0], at[i][1], at[i][2]);
    all_touch(&trial);
    run(&trial);
    assert_apart(&trial);
    for (int b = 0; b < 2; b++)
      assert_true(vec3_length(trial.separation.shift + 3 * b) < 1e-3 * 1.8 + 2 * WANTED);
    end(&trial);
  }
}

// Two bars across each other, one cell long: no vertex is near the other bar.
static void test_bars_across(void **state) {
  (void)state;
  static const double overlap[] = {0, 1e-3, 0.004};
  for (int i = 0; i < ST_LENGTH(overlap); i++)
    for (int k = 0; k < 3; k++) {
      Trial trial = begin();
      add_box(&trial, (int[3]){1, 1, 1}, (double[3]){3, 0.2, 0.2}, -1.5, -0.1, 0);
      add_box(&trial, (int[3]){1, 1, 1}, (double[3]){0.2, 3, 0.2}, -0.1, -1.5, 0.2 - overlap[i]);
      turn(&trial, 1, (double[3]){0, 0, 1}, 0.4 * k);
      all_touch(&trial);
      run(&trial);
      assert_apart(&trial);
      assert_shift(&trial, 1, 0, 0, overlap[i] + WANTED);
      end(&trial);
    }
}

// A bar that stands on its edge across the upper edge of a box: edge on edge.
static void test_rod_on_edge(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    Trial trial = begin();
    int box = add_cube(&trial, 1, 0, 0, 0);
    int rod = add_box(&trial, (int[3]){1, 1, 1}, (double[3]){3, 0.1, 0.1}, -1, 0.4, 0);
    turn(&trial, rod, (double[3]){1, 0, 0}, M_PI / 4);
    StMesh *mesh = trial.scene.description->body[rod].mesh;
    double low = INFINITY;
    for (int v = 0; v < mesh->vertex_count; v++)
      low = fmin(low, mesh->position[3 * v + 2]);
    for (int v = 0; v < mesh->vertex_count; v++)
      mesh->position[3 * v + 2] += 1 - low - 0.001 * i;
    all_touch(&trial);
    run(&trial);
    assert_apart(&trial);
    assert_shift(&trial, box, 0, 0, 0);
    assert_shift(&trial, rod, 0, 0, 0.001 * i + WANTED);
    end(&trial);
  }
}

// A box drawn out to a tip at (0, 0, up ± 1) by pulling all points of a face together.
static int add_spike(Trial *trial, double tip, double sign) {
  int body = add_cube(trial, 2, -0.5, -0.5, 0);
  StMesh *mesh = trial->scene.description->body[body].mesh;
  for (int v = 0; v < mesh->vertex_count; v++) {
    double *x = mesh->position + 3 * v, z = x[2];
    x[0] *= 1 - 0.9 * z;
    x[1] *= 1 - 0.9 * z;
    x[2] = z - (x[0] * x[0] + x[1] * x[1]);
    x[2] = tip + sign * (1 - x[2]);
    if (sign > 0) {
      continue;
    }
    double swap = x[0]; // keeps tets the right way round
    x[0] = x[1];
    x[1] = swap;
  }
  return body;
}

static void test_tip_on_tip(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    Trial trial = begin();
    add_spike(&trial, 0, -1);
    add_spike(&trial, -1e-3 * i, 1);
    for (int b = 0; b < 2; b++) { // the way tets are turned is what tells the outside
      StMesh *mesh = trial.scene.description->body[b].mesh;
      for (int t = 0; t < mesh->tet_count; t++) {
        int *tet = mesh->tet + 4 * t, swap = tet[0];
        if (st_tet_volume(mesh->position, tet) < 0) {
          tet[0] = tet[1];
          tet[1] = swap;
        }
      }
    }
    all_touch(&trial);
    run(&trial);
    assert_apart(&trial);
    const double *shift = trial.separation.shift + 3; // sideways as faces at the tip lean, 1 in 20
    assert_true(vec3_length(trial.separation.shift) == 0);
    assert_true(hypot(shift[0], shift[1]) < 0.11 * shift[2]);
    assert_true(shift[2] < 1.01 * (1e-3 * i + WANTED));
    end(&trial);
  }
}

static void test_cloth_on_box(void **state) {
  (void)state;
  static const double overlap[] = {0, 1e-4, 0.01, -1e-5};
  for (int i = 0; i < ST_LENGTH(overlap); i++)
    for (int cells = 1; cells <= 7; cells += 2) {
      Trial trial = begin();
      int box = add_cube(&trial, 2, 0.5, 0.5, -1);
      int cloth = skin_scene_body(&trial.scene, skin_sheet(cells, 2, -overlap[i]));
      all_touch(&trial);
      run(&trial);
      assert_apart(&trial);
      assert_shift(&trial, box, 0, 0, 0);
      assert_shift(&trial, cloth, 0, 0, overlap[i] + WANTED);
      end(&trial);
    }
}

// A sheet under a box, both in contact: the box rises, and stays above.
static void test_box_on_cloth(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    Trial trial = begin();
    int cloth = skin_scene_body(&trial.scene, skin_sheet(3, 2, 0));
    int box = add_cube(&trial, 3, 0.5, 0.5, -0.004 * i);
    all_touch(&trial);
    run(&trial);
    assert_apart(&trial);
    assert_shift(&trial, cloth, 0, 0, 0);
    assert_shift(&trial, box, 0, 0, 0.004 * i + WANTED);
    end(&trial);
  }
}

static void test_sheets_that_coincide(void **state) {
  (void)state;
  Trial trial = begin();
  skin_scene_body(&trial.scene, skin_sheet(3, 1, 0));
  skin_scene_body(&trial.scene, skin_sheet(4, 1, 0));
  all_touch(&trial);
  run(&trial);
  assert_int_equal(trial.separation.verdict, ST_SEPARATION_COINCIDE);
  assert_float_equal(fabs(trial.separation.worst.normal[2]), 1, 1e-12);
  end(&trial);
}

// A hair above each other they can tell.
static void test_layers_of_cloth(void **state) {
  (void)state;
  Trial trial = begin();
  for (int b = 0; b < 5; b++)
    skin_scene_body(&trial.scene, skin_sheet(3 + b % 2, 1, 1e-5 * b));
  all_touch(&trial);
  run(&trial);
  assert_apart(&trial);
  for (int b = 0; b < 5; b++)
    assert_shift(&trial, b, 0, 0, b * (WANTED - 1e-5));
  end(&trial);
}

// Four walls around a peg, held or free.
static void add_hole(Trial *trial, double room, bool held) {
  static const int one[3] = {2, 2, 2};
  const double thick[3] = {0.3, 1, 1}, flat[3] = {1.6, 0.3, 1};
  int wall[4] = {add_box(trial, one, thick, -0.3 - room, 0, 0),
                 add_box(trial, one, thick, 1 + room, 0, 0),
                 add_box(trial, one, flat, -0.3, -0.3 - room, 0),
                 add_box(trial, one, flat, -0.3, 1 + room, 0)};
  for (int i = 0; i < 4; i++)
    trial->fixed[wall[i]] = held;
  int peg = add_cube(trial, 3, 0, 0, 0);
  for (int i = 0; i < 4; i++)
    skin_scene_contact(&trial->scene, wall[i], peg, -1, REACH);
}

static void test_tight_hole(void **state) {
  (void)state;
  static const double room[] = {0, 1e-5, 1e-3};
  for (int i = 0; i < ST_LENGTH(room); i++) {
    Trial trial = begin();
    add_hole(&trial, room[i], true);
    run(&trial);
    assert_int_equal(trial.separation.verdict,
                     i == 0 ? ST_SEPARATION_NO_ROOM : ST_SEPARATION_CLEAR);
    assert_true(i == 0 || least_distance(&trial) > 0.4 * fmin(room[i], WANTED));
    end(&trial);
  }
  Trial trial = begin(); // walls that can give way do
  add_hole(&trial, 0, false);
  run(&trial);
  assert_int_equal(trial.separation.verdict, ST_SEPARATION_CLEAR);
  end(&trial);
}

static void test_far_too_deep(void **state) {
  (void)state;
  static const double overlap[] = {0.12, 0.3, 0.45};
  for (int i = 0; i < ST_LENGTH(overlap); i++)
    for (int cells = 1; cells <= 4; cells++) {
      Trial trial = begin();
      add_cube(&trial, 2, 0, 0, 0);
      add_cube(&trial, cells, 0.2, 0.1, 1 - overlap[i]);
      all_touch(&trial);
      run(&trial);
      assert_int_equal(trial.separation.verdict, ST_SEPARATION_DEEP);
      const StOverlapSpot *worst = &trial.separation.worst;
      assert_float_equal(-worst->gap, overlap[i], 1e-9);
      assert_float_equal(fabs(worst->normal[2]), 1, 1e-9);
      assert_true(worst->at[2] > 1 - overlap[i] - 1e-9 && worst->at[2] < 1 + 1e-9);
      end(&trial);
    }
}

// Inside without any crossing.
static void test_swallowed(void **state) {
  (void)state;
  Trial trial = begin();
  add_cube(&trial, 1, 0, 0, 0);
  add_box(&trial, (int[3]){1, 1, 1}, (double[3]){0.1, 0.1, 0.1}, 0.45, 0.45, 0.45);
  all_touch(&trial);
  run(&trial);
  assert_int_equal(trial.separation.verdict, ST_SEPARATION_DEEP);
  end(&trial);
}

static void test_crosses_itself(void **state) {
  (void)state;
  Trial trial = begin();
  int body = skin_scene_body(&trial.scene, skin_sheet(8, 1, 0));
  StMesh *mesh = trial.scene.description->body[body].mesh;
  for (int v = 0; v < mesh->vertex_count; v++) { // rolled up by more than a turn, as a spiral that
    double *x = mesh->position + 3 * v, angle = 7.5 * x[0]; // meets itself
    double radius = 0.2 + 0.02 * sin(9 * angle) * x[1];
    x[0] = radius * cos(angle);
    x[2] = radius * sin(angle);
  }
  skin_scene_contact(&trial.scene, body, body, -1, 1e-4);
  run(&trial);
  assert_int_equal(trial.separation.verdict, ST_SEPARATION_ITSELF);
  assert_int_equal(trial.separation.worst.who.body, body);
  end(&trial);
}

static void test_obstacles(void **state) {
  (void)state;
  static const struct {
    const char *shape;
    int count;
    double value[3];
    double top;
  } row[] = {
      {"half_space", 0, {0}, 0},      {"sphere", 1, {0.7}, 0.7},     {"capsule", 2, {0.4, 1}, 0.9},
      {"cylinder", 2, {0.7, 1}, 0.5}, {"box", 3, {3, 3, 0.5}, 0.25},
  };
  static const double overlaps[] = {-5e-5, 0, 5e-3};
  for (int i = 0; i < ST_LENGTH(row); i++)
    for (int k = 0; k < ST_LENGTH(overlaps); k++) {
      Trial trial = begin();
      double overlap = overlaps[k];
      skin_scene_obstacle(&trial.scene, row[i].shape, row[i].count, row[i].value, NULL);
      int body = add_cube(&trial, 2, -0.5, -0.5, row[i].top - overlap);
      all_touch(&trial);
      run(&trial);
      assert_int_equal(trial.separation.verdict, ST_SEPARATION_CLEAR);
      assert_shift(&trial, body, 0, 0, overlap + WANTED);
      end(&trial);
    }
}

// Stones that touch face to face on a floor. No gap opens unless all of them give way to the
// outside.
static void test_arch(void **state) {
  (void)state;
  const int stones = 25;
  Trial trial = begin();
  skin_scene_obstacle(&trial.scene, "half_space", 0, NULL, NULL);
  for (int b = 0; b < stones; b++) {
    int body = add_cube(&trial, 1, 0, 0, 0);
    StMesh *mesh = trial.scene.description->body[body].mesh;
    for (int v = 0; v < mesh->vertex_count; v++) {
      double *x = mesh->position + 3 * v, angle = M_PI * (1 - (b + x[0]) / stones);
      double radius = 1 + 0.3 * x[2];
      vec3_set(radius * cos(angle), x[1], radius * sin(angle), x);
    }
    skin_scene_contact(&trial.scene, body, -1, 0, REACH);
    for (int a = b > 2 ? b - 2 : 0; a < b; a++)
      skin_scene_contact(&trial.scene, a, body, -1, REACH);
  }
  run(&trial);
  assert_int_equal(trial.separation.verdict, ST_SEPARATION_CLEAR);
  assert_true(least_distance(&trial) > 0.1 * WANTED);
  for (int b = 0; b < stones; b++)
    assert_true(vec3_length(trial.separation.shift + 3 * b) < stones * WANTED);
  end(&trial);
}

// Moves the second body by `way` along z.
static void lift(Trial *trial, int body, double way) {
  const StSkin *skin = &trial->scene.skins->skin[body];
  for (int i = 0; i < skin->point_count; i++)
    trial->position[3 * trial->scene.skins->point_place[skin->first_point + i] + 2] += way;
}

// Any two bodies, from far away along z until they touch, and then on by the overlap. One could go
// back the way it came, by the overlap and what the gap takes along a slanting normal; a shift is
// no longer than a few times that.
static void try_pair(uint64_t *random, double overlap, double *worst) {
  Trial trial = begin();
  for (int b = 0; b < 2; b++) {
    int cells[3];
    double size[3], axis[3];
    for (int c = 0; c < 3; c++) {
      cells[c] = 1 + (int)random_between(random, 0, 3);
      size[c] = random_between(random, 0.3, 1.5);
    }
    random_fill(random, -1, 1, 3, axis);
    int body = add_box(&trial, cells, size, -0.5 * size[0], -0.5 * size[1], -0.5 * size[2]);
    turn(&trial, body, axis, random_between(random, 0, 6));
  }
  all_touch(&trial);
  skin_scene_build(&trial.scene);
  trial.position = skin_scene_positions(&trial.scene);
  lift(&trial, 1, 5);
  for (double room = 1; room > 1e-9;) {
    room = least_distance(&trial);
    lift(&trial, 1, -room);
  }
  lift(&trial, 1, -overlap);
  assert_int_equal(st_separation_find(trial.scene.skins, 0, trial.fixed, trial.position,
                                      &trial.separation, NULL),
                   ST_OK);
  assert_apart(&trial);
  double way[3];
  vec3_sub(trial.separation.shift + 3, trial.separation.shift, way);
  *worst = fmax(*worst, vec3_length(way) / (overlap + WANTED));
  end(&trial);
}

static void test_any_two(void **state) {
  (void)state;
  static const double overlap[] = {0, 1e-6, 1e-4, 2e-3, 0.012};
  uint64_t random = 77;
  double worst = 0;
  for (int i = 0; i < 60; i++)
    try_pair(&random, overlap[i % ST_LENGTH(overlap)], &worst);
  print_message("longest shift: %.3g of overlap and gap\n", worst);
  assert_true(worst < 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cube_on_cube),
      cmocka_unit_test(test_gap_is_left_alone),
      cmocka_unit_test(test_side_by_side),
      cmocka_unit_test(test_held_body_stays),
      cmocka_unit_test(test_stack_of_ten),
      cmocka_unit_test(test_turned_world),
      cmocka_unit_test(test_corners_and_edges),
      cmocka_unit_test(test_bars_across),
      cmocka_unit_test(test_rod_on_edge),
      cmocka_unit_test(test_tip_on_tip),
      cmocka_unit_test(test_cloth_on_box),
      cmocka_unit_test(test_box_on_cloth),
      cmocka_unit_test(test_layers_of_cloth),
      cmocka_unit_test(test_sheets_that_coincide),
      cmocka_unit_test(test_tight_hole),
      cmocka_unit_test(test_far_too_deep),
      cmocka_unit_test(test_swallowed),
      cmocka_unit_test(test_crosses_itself),
      cmocka_unit_test(test_obstacles),
      cmocka_unit_test(test_any_two),
      cmocka_unit_test(test_arch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
