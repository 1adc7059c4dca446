// Islands of a matrix: which rows belong together, how far each goes, and who is joined by a hit.
#include "step/islands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// Rows 0-3 carry vertex 8 (a rigid body), 4 and 5 are coupled, 6 is alone, 7 is coupled with 4.
enum { ROWS = 8, VERTICES = 9, CARRIED = 8 };

typedef struct Sea {
  StPiece *piece;
  StBlockMatrix *matrix;
  StIslands *islands;
  StAdvanceHits hits;
} Sea;

static const int CLIQUE[][4] = {{0, 1, 2, 3}, {4, 5, 5, 5}, {6, 6, 6, 6}, {4, 7, 7, 7}};

static void set_up(Sea *sea) {
  *sea = (Sea){0};
  sea->piece = st_piece_create((StPieceSize){.vertex_count = VERTICES});
  assert_non_null(sea->piece);
  sea->piece->independent_count = ROWS;
  assert_int_equal(st_carried_create(1, &sea->piece->carried, NULL), ST_OK);
  sea->piece->carried.vertex[0] = CARRIED;
  for (int k = 0; k < ST_CARRIERS; k++)
    sea->piece->carried.carrier[k] = k;
  assert_int_equal(st_block_matrix_create(ROWS, ROWS, &CLIQUE[0][0], 4, 4, &sea->matrix, NULL),
                   ST_OK);
  assert_int_equal(st_islands_create(sea->piece, &sea->islands, NULL), ST_OK);
  st_islands_find(sea->islands, sea->matrix);
}

static void tear_down(Sea *sea) {
  st_advance_hits_free(&sea->hits);
  st_islands_destroy(sea->islands);
  st_block_matrix_destroy(sea->matrix);
  st_piece_destroy(sea->piece);
}

static void hit(Sea *sea, int place, int other, double share) {
  assert_true(st_advance_hits_add(&sea->hits, place, other, share));
}

static double part_of(const Sea *sea, int row) {
  double way[3 * ROWS], p[3 * ROWS];
  for (int i = 0; i < 3 * ROWS; i++)
    way[i] = 1 << i % 5; // powers of two, so that quotients are exact
  st_islands_apply(sea->islands, way, p);
  for (int c = 1; c < 3; c++)
    assert_true(p[3 * row + c] / way[3 * row + c] == p[3 * row] / way[3 * row]);
  return p[3 * row] / way[3 * row];
}

static void rows_that_are_coupled_belong_together(void **state) {
  (void)state;
  Sea sea;
  set_up(&sea);
  const int expected[ROWS] = {0, 0, 0, 0, 1, 1, 2, 1};
  assert_int_equal(sea.islands->count, 3);
  assert_memory_equal(sea.islands->of, expected, sizeof expected);
  for (int row = 0; row < ROWS; row++)
    assert_true(part_of(&sea, row) == 1);
  tear_down(&sea);
}

// The carried vertex hits an obstacle: only its carriers stop, shortly before it.
static void an_obstacle_stops_one_island(void **state) {
  (void)state;
  Sea sea;
  set_up(&sea);
  hit(&sea, CARRIED, -1, 0.5);
  st_islands_shorten(sea.islands, &sea.hits);
  for (int row = 0; row < 4; row++)
    assert_true(part_of(&sea, row) < 0.5 && part_of(&sea, row) > 0.45);
  for (int row = 4; row < ROWS; row++)
    assert_true(part_of(&sea, row) == 1);
  tear_down(&sea);
}

// Two islands that meet go equally far, by the nearest of their hits; in the next round as one.
static void islands_that_meet_are_joined(void **state) {
  (void)state;
  Sea sea;
  set_up(&sea);
  hit(&sea, CARRIED, 5, 0.8);
  hit(&sea, 7, -1, 0.4);
  st_islands_shorten(sea.islands, &sea.hits);
  double first = part_of(&sea, 0);
  assert_true(first < 0.4 && part_of(&sea, 4) == first && part_of(&sea, 7) == first);
  assert_true(part_of(&sea, 6) == 1);
  sea.hits.count = 0;
  hit(&sea, 4, -1, 0.5);
  st_islands_shorten(sea.islands, &sea.hits);
  assert_true(part_of(&sea, 0) == part_of(&sea, 4) && part_of(&sea, 0) < 0.5 * first);
  assert_true(part_of(&sea, 6) == 1);
  st_islands_find(sea.islands, sea.matrix);
  assert_true(part_of(&sea, 0) == 1);
  tear_down(&sea);
}

// Row 4 would join 5 and 7. What is held stops others, as an obstacle does, and moves with nobody.
static void fixed_rows_join_nothing(void **state) {
  (void)state;
  Sea sea;
  const bool fixed[ROWS] = {[4] = true, [6] = true};
  set_up(&sea);
  sea.matrix->fixed = fixed;
  st_islands_find(sea.islands, sea.matrix);
  const int *of = sea.islands->of;
  assert_int_equal(sea.islands->count, 4);
  assert_true(of[5] != of[7] && of[4] == of[6] && of[4] != of[5] && of[4] != of[7]);
  assert_int_equal(st_islands_at(sea.islands, 4), -1);
  assert_int_equal(st_islands_at(sea.islands, 5), of[5]);
  hit(&sea, 4, 5, 0.5);
  st_islands_shorten(sea.islands, &sea.hits);
  assert_true(part_of(&sea, 5) < 0.5 && part_of(&sea, 4) == 1 && part_of(&sea, 7) == 1);
  tear_down(&sea);
}

// An island sent half of its way that is stopped at half of that goes a quarter, and no farther in
// company.
static void islands_go_the_length_they_are_sent(void **state) {
  (void)state;
  Sea sea;
  set_up(&sea);
  st_islands_set_lengths(sea.islands, (const double[]){0.5, 1, 0});
  assert_true(part_of(&sea, 0) == 0.5 && part_of(&sea, 4) == 1 && part_of(&sea, 6) == 0);
  hit(&sea, -1, CARRIED, 0.5); // an obstacle's place may come first
  hit(&sea, -1, -1, 0.1);
  st_islands_shorten(sea.islands, &sea.hits);
  assert_true(part_of(&sea, 0) < 0.25 && part_of(&sea, 0) > 0.2 && part_of(&sea, 4) == 1);
  tear_down(&sea);
}

// A contact of the carried vertex and of row 6, and one of row 5 with an obstacle.
static void islands_that_touch_become_one(void **state) {
  (void)state;
  Sea sea;
  int place[] = {CARRIED, 6, 5, VERTICES};
  StContact contact[2] = {{.count = 2}, {.first = 2, .count = 2}};
  StContactArray list = {.count = 2, .contact = contact, .vertex = place};
  const int rows[ROWS] = {0, 0, 0, 0, 1, 1, 0, 1};
  set_up(&sea);
  st_islands_merge(sea.islands, &list);
  assert_int_equal(sea.islands->count, 2);
  assert_memory_equal(sea.islands->of, rows, sizeof rows);
  st_islands_set_lengths(sea.islands, (const double[]){0.5, 1});
  assert_true(part_of(&sea, 6) == 0.5 && part_of(&sea, 7) == 1);
  tear_down(&sea);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_that_are_coupled_belong_together),
      cmocka_unit_test(an_obstacle_stops_one_island),
      cmocka_unit_test(islands_that_meet_are_joined),
      cmocka_unit_test(fixed_rows_join_nothing),
      cmocka_unit_test(islands_go_the_length_they_are_sent),
      cmocka_unit_test(islands_that_touch_become_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
