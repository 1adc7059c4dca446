// The solvers on one, two and three ranks: agreement, exchange, partition, linear methods against
// dense solutions, and a Newton iteration that one rank alone knows to be hopeless.
#include "solve/newton.h"
#include "solve/partition.h"
#include "support/random.h"
#include "support/sparse_problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

// The worst status wins, with the words of the lowest rank that has it.
static void ranks_agree(void **state) {
  (void)state;
  int rank = st_runtime_rank(), size = st_runtime_size();
  StError error = {0};
  assert_int_equal(st_runtime_agree(ST_OK, &error), ST_OK);
  assert_int_equal(st_runtime_agree(ST_OK, NULL), ST_OK);
  StStatus mine = ST_OK;
  if (rank == size - 1)
    mine = st_fail(&error, ST_NOT_SOLVED, "rank %d did not solve", rank);
  assert_int_equal(st_runtime_agree(mine, &error), ST_NOT_SOLVED);
  char words[40];
  snprintf(words, sizeof words, "rank %d did not solve", size - 1);
  assert_string_equal(error.text, words);
  assert_int_equal(error.status, ST_NOT_SOLVED);
  mine = st_fail(&error, rank == 0 ? ST_NOT_SOLVED : ST_BUG, "rank %d", rank);
  StStatus worst = st_runtime_agree(mine, &error);
  assert_int_equal(worst, size > 1 && ST_BUG > ST_NOT_SOLVED ? ST_BUG : ST_NOT_SOLVED);
  assert_string_equal(error.text, worst == ST_BUG ? "rank 1" : "rank 0");
  assert_int_equal(st_runtime_agree(mine, NULL), worst); // without anywhere to put the words
}

static void sums_are_over_all_ranks(void **state) {
  (void)state;
  int size = st_runtime_size();
  assert_true(st_runtime_sum(1 + st_runtime_rank()) == 0.5 * size * (size + 1));
}

// Four vertices per rank in a ring; each rank has the whole rest as ghosts, the last first.
typedef struct Ring {
  int count, ghosts;
  StExchange *exchange;
  double *value; // [vertices][3]
} Ring;

static int ring_number(const Ring *ring, int local) {
  if (local < 4)
    return 4 * st_runtime_rank() + local;
  int other = ring->count - 1 - (local - 4); // downwards, leaving our own out
  return other >= 4 * st_runtime_rank() + 4 ? other : other - 4;
}

static Ring make_ring(void) {
  Ring ring = {.count = 4 * st_runtime_size(), .ghosts = 4 * st_runtime_size() - 4};
  int owner[16], index[16];
  for (int g = 0; g < ring.ghosts; g++) {
    int number = ring_number(&ring, 4 + g);
    owner[g] = number / 4;
    index[g] = number % 4;
  }
  assert_int_equal(st_exchange_create(4, ring.count, owner, index, &ring.exchange, NULL), ST_OK);
  ring.value = calloc(3 * (size_t)ring.count, sizeof(double));
  return ring;
}

static void ghosts_hear_from_their_owners(void **state) {
  (void)state;
  Ring ring = make_ring();
  for (int i = 0; i < 3 * ring.count; i++)
    ring.value[i] = i < 12 ? 3 * ring_number(&ring, i / 3) + i % 3 : -1;
  st_exchange_forward(ring.exchange, ring.value);
  for (int i = 0; i < 3 * ring.count; i++)
    assert_true(ring.value[i] == 3 * ring_number(&ring, i / 3) + i % 3);
  st_exchange_destroy(ring.exchange);
  free(ring.value);
}

// Each rank adds (rank + 1) × number to every vertex it knows; owners end with the sum of all.
static void owners_gather_from_ghosts(void **state) {
  (void)state;
  Ring ring = make_ring();
  int size = st_runtime_size();
  for (int i = 0; i < 3 * ring.count; i++)
    ring.value[i] = (st_runtime_rank() + 1) * (3 * ring_number(&ring, i / 3) + i % 3);
  st_exchange_reverse(ring.exchange, ring.value);
  for (int i = 0; i < 3 * ring.count; i++) {
    double whole = 0.5 * size * (size + 1) * (3 * ring_number(&ring, i / 3) + i % 3);
    assert_true(ring.value[i] == (i < 12 ? whole : size > 1 ? 0 : ring.value[i]));
  }
  st_exchange_destroy(ring.exchange);
  free(ring.value);
}

// Ghosts with an even number are exchanged, the others keep what they hold and send nothing.
static void ghosts_are_chosen(void **state) {
  (void)state;
  Ring ring = make_ring();
  bool wanted[16];
  double other[3 * 20];
  int size = st_runtime_size(), taken = 0;
  for (int g = 0; g < ring.ghosts; g++)
    taken += wanted[g] = ring_number(&ring, 4 + g) % 2 == 0;
  StTraffic before = st_exchange_traffic(ring.exchange);
  assert_int_equal(st_exchange_select(ring.exchange, wanted, NULL), ST_OK);
  assert_int_equal(st_exchange_taken(ring.exchange), taken);
  for (int i = 0; i < 3 * ring.count; i++)
    ring.value[i] = i < 12 ? ring_number(&ring, i / 3) : -1;
  st_exchange_forward(ring.exchange, ring.value);
  StTraffic after = st_exchange_traffic(ring.exchange);
  assert_true(after.bytes - before.bytes == 24 * 2 * (size - 1)); // two of four are even
  assert_true(after.messages - before.messages == size - 1);
  for (int i = 12; i < 3 * ring.count; i++)
    assert_true(ring.value[i] == (wanted[i / 3 - 4] ? ring_number(&ring, i / 3) : -1));
  memcpy(other, ring.value, 3 * (size_t)ring.count * sizeof(double));
  for (int i = 12; i < 3 * ring.count; i++)
    other[i] += !wanted[i / 3 - 4];
  assert_true(st_exchange_same(ring.exchange, ring.value, other));
  other[0] += 1;
  assert_false(st_exchange_same(ring.exchange, ring.value, other));
  st_exchange_reverse(ring.exchange, ring.value);
  for (int i = 0; i < 12; i++) {
    int number = ring_number(&ring, i / 3);
    assert_true(ring.value[i] == (number % 2 == 0 ? size * number : number));
  }
  st_exchange_destroy(ring.exchange);
  free(ring.value);
}

static void numbers_are_over_all_ranks(void **state) {
  (void)state;
  Ring ring = make_ring();
  assert_int_equal(st_exchange_global_count(ring.exchange), ring.count);
  for (int i = 0; i < ring.count; i++)
    assert_int_equal(st_exchange_global(ring.exchange)[i], ring_number(&ring, i));
  st_exchange_destroy(ring.exchange);
  free(ring.value);
}

// A bar of 4 × 4 × 60 vertices: cut across, it takes 16 edges per cut.
enum { WIDE = 4, LONG = 60, VERTICES = WIDE * WIDE * LONG };

static int bar_neighbours(int i, int *neighbour) {
  int x = i % WIDE, y = i / WIDE % WIDE, z = i / (WIDE * WIDE), n = 0;
  if (x > 0)
    neighbour[n++] = i - 1;
  if (x < WIDE - 1)
    neighbour[n++] = i + 1;
  if (y > 0)
    neighbour[n++] = i - WIDE;
  if (y < WIDE - 1)
    neighbour[n++] = i + WIDE;
  if (z > 0)
    neighbour[n++] = i - WIDE * WIDE;
  if (z < LONG - 1)
    neighbour[n++] = i + WIDE * WIDE;
  return n;
}

// All ranks hear the same, each gets its share, and few edges are cut.
static void graphs_are_cut_well(void **state) {
  (void)state;
  static int start[VERTICES + 1], neighbour[6 * VERTICES], owner[VERTICES];
  int size = st_runtime_size(), share[8] = {0}, cut = 0, next[6];
  for (int i = 0; i < VERTICES; i++)
    start[i + 1] = start[i] + bar_neighbours(i, neighbour + start[i]);
  StError error = {0};
  assert_int_equal(st_partition_graph(VERTICES, start, neighbour, owner, &error), ST_OK);
  double mine = 0;
  for (int i = 0; i < VERTICES; i++) {
    assert_in_range(owner[i], 0, size - 1);
    share[owner[i]]++;
    mine += owner[i] * (1.0 + i % 7);
    for (int k = 0; k < bar_neighbours(i, next); k++)
      cut += owner[next[k]] > owner[i];
  }
  assert_true(fabs(st_runtime_sum(mine) - size * mine) < 1e-9 * (1 + mine));
  for (int r = 0; r < size; r++)
    assert_true(abs(share[r] - VERTICES / size) <= VERTICES / size / 5);
  assert_true(cut <= 2 * 16 * (size - 1)); // twice the best
}

static void too_few_vertices_are_refused(void **state) {
  (void)state;
  const int start[] = {0, 1, 2}, neighbour[] = {1, 0};
  int owner[] = {-1, -1};
  StError error = {0};
  StStatus status = st_partition_graph(2, start, neighbour, owner, &error);
  assert_int_equal(status, st_runtime_size() > 1 ? ST_BAD_INPUT : ST_OK);
  if (status != ST_OK)
    assert_non_null(strstr(error.text, "too few"));
  else
    assert_int_equal(owner[1], 0);
}

// Each rank's part of the dense solution.
static void check_linear(StLinearMethod method, int couplings) {
  Sparse sparse = {.side = {3, 3, 4},
                   .reach = 1,
                   .entry = sparse_turning,
                   .coupling_count = couplings,
                   .coupling_weight = {100, 0.5}};
  sparse_start(&sparse);
  int n = 3 * sparse.count, own = sparse.problem.size, iterations = 0;
  double b[108], x[108], expected[108];
  uint64_t random = 29;
  random_fill(&random, -1, 1, n, b); // the same on all ranks
  StLinear *linear = NULL;
  StLinearOptions options = {.method = method, .max_iterations = 300};
  StError error = {0};
  assert_int_equal(st_linear_create(&sparse.problem, &options, &linear, &error), ST_OK);
  st_linear_begin_step(linear);
  StLinearGoal goal = {.tolerance = 1e-11};
  const double *mine = b + 3 * sparse.first;
  assert_int_equal(st_linear_solve(linear, mine, goal, x, &iterations, &error), ST_OK);
  assert_true(sparse_remainder(&sparse, mine, x) <= 2e-11);
  double *dense = sparse_dense(&sparse, true);
  assert_true(dense_solve(n, dense, b, expected));
  assert_true(dense_distance(own, x, expected + 3 * sparse.first) <=
              1e-8 * dense_norm(n, expected));
  free(dense);
  st_linear_destroy(linear);
  sparse_stop(&sparse);
}

static void every_method_solves(void **state) {
  (void)state;
  for (StLinearMethod method = ST_LINEAR_NONE; method <= ST_LINEAR_LU; method++)
    check_linear(method, 0);
}

// Multigrid knows nothing of dense terms.
static void dense_terms_are_summed(void **state) {
  (void)state;
  for (StLinearMethod method = ST_LINEAR_NONE; method <= ST_LINEAR_LU; method++)
    if (method != ST_LINEAR_GAMG)
      check_linear(method, 2);
}

// A Newton problem of which every rank has three unknowns: r = y - 1, but on the last rank
// something else.
typedef struct Apart {
  double bad;
} Apart;

static StStatus apart_residual(void *context, const double *y, double progress, double *r) {
  (void)progress;
  const Apart *apart = context;
  for (int i = 0; i < 3; i++)
    r[i] = y[i] - 1;
  if (st_runtime_rank() == st_runtime_size() - 1)
    r[1] = apart->bad;
  return ST_OK;
}

// All ranks stop for the same reason, though most have a residual of zero.
static void one_rank_without_a_number_stops_all(void **state) {
  (void)state;
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    Apart apart = {bad[i]};
    StProblem problem = {.context = &apart,
                         .size = 3,
                         .residual = apart_residual,
                         .scale = (const double[]){1, 1, 1}};
    StNewtonOptions options = {
        .residual_tolerance = 1e-9, .change_tolerance = 1e-9, .max_iterations = 10};
    StNewtonResult result;
    double y[] = {1, 1, 1}, r[3];
    StError error = {0};
    assert_int_equal(st_newton_solve(&problem, NULL, &options, y, r, &result, &error),
                     ST_NOT_SOLVED);
    assert_int_equal(result.reason, ST_NEWTON_BAD_START);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranks_agree),
      cmocka_unit_test(sums_are_over_all_ranks),
      cmocka_unit_test(ghosts_hear_from_their_owners),
      cmocka_unit_test(owners_gather_from_ghosts),
      cmocka_unit_test(numbers_are_over_all_ranks),
      cmocka_unit_test(ghosts_are_chosen),
      cmocka_unit_test(graphs_are_cut_well),
      cmocka_unit_test(too_few_vertices_are_refused),
      cmocka_unit_test(every_method_solves),
      cmocka_unit_test(dense_terms_are_summed),
      cmocka_unit_test(one_rank_without_a_number_stops_all),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
