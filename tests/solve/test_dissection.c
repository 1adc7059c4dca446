// Orders of elimination: each row once, bodies whose rows are coupled alike stay together, and
// those coupled to nothing else come first.
#include "solve/dissection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { BODIES = 60, ROWS = 4, COUNT = BODIES * ROWS };

typedef struct Graph {
  bool coupled[BODIES][BODIES];
  int start[COUNT + 1], neighbor[COUNT * COUNT];
} Graph;

// Every row of a body with all others of it, and with those of the bodies it is coupled to.
static void fill(Graph *graph) {
  int used = 0;
  for (int row = 0; row < COUNT; row++) {
    graph->start[row] = used;
    for (int k = 0; k < COUNT; k++)
      if (k != row && (k / ROWS == row / ROWS || graph->coupled[row / ROWS][k / ROWS]))
        graph->neighbor[used++] = k;
  }
  graph->start[COUNT] = used;
}

static void couple(Graph *graph, int a, int b) {
  graph->coupled[a][b] = graph->coupled[b][a] = true;
}

static void find(const Graph *graph, int order[COUNT], int place[COUNT]) {
  StError error;
  bool seen[COUNT] = {false};
  assert_int_equal(st_dissection_find(COUNT, graph->start, graph->neighbor, order, place, &error),
                   ST_OK);
  for (int i = 0; i < COUNT; i++) {
    assert_in_range(order[i], 0, COUNT - 1);
    assert_false(seen[order[i]]);
    seen[order[i]] = true;
    assert_int_equal(place[order[i]], i);
  }
}

// Entries of L, by elimination.
static int fill_in(const Graph *graph, const int *place) {
  static bool full[COUNT][COUNT];
  int entries = 0;
  memset(full, 0, sizeof full);
  for (int row = 0; row < COUNT; row++)
    for (int k = graph->start[row]; k < graph->start[row + 1]; k++)
      full[place[row]][place[graph->neighbor[k]]] = true;
  for (int i = 0; i < COUNT; i++)
    for (int a = i + 1; a < COUNT; a++) {
      entries += full[i][a];
      for (int b = i + 1; b < COUNT && full[i][a]; b++)
        full[a][b] = full[a][b] || (full[i][b] && a != b);
    }
  return entries;
}

static void rows_of_a_body_stay_together(void **state) {
  (void)state;
  static Graph graph;
  int order[COUNT], place[COUNT];
  memset(&graph, 0, sizeof graph);
  for (int b = 0; b + 1 < 40; b++) // a chain of 40, and 20 alone
    couple(&graph, b, b + 1);
  fill(&graph);
  find(&graph, order, place);
  for (int row = 0; row < COUNT; row++) {
    assert_int_equal(place[row], place[row - row % ROWS] + row % ROWS);
    assert_true((row / ROWS >= 40) == (place[row] < 20 * ROWS));
  }
  // At best each body fills itself (6 blocks) and meets one other (16).
  assert_true(fill_in(&graph, place) <= 60 * 6 + 2 * 39 * 16);
}

// One row of a body is coupled to one of another, as corners of soft bodies are: nothing is alike.
static void rows_that_differ_are_kept_apart(void **state) {
  (void)state;
  static Graph graph;
  int order[COUNT], place[COUNT], used = 0;
  for (int row = 0; row < COUNT; row++) { // a ring
    graph.start[row] = used;
    graph.neighbor[used++] = (row + COUNT - 1) % COUNT;
    graph.neighbor[used++] = (row + 1) % COUNT;
  }
  graph.start[COUNT] = used;
  find(&graph, order, place);
  assert_true(fill_in(&graph, place) < 3 * COUNT);
}

static void nothing_is_coupled(void **state) {
  (void)state;
  static Graph graph;
  int order[COUNT], place[COUNT];
  memset(&graph, 0, sizeof graph);
  find(&graph, order, place);
  fill(&graph);
  find(&graph, order, place);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_a_body_stay_together),
      cmocka_unit_test(rows_that_differ_are_kept_apart),
      cmocka_unit_test(nothing_is_coupled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
