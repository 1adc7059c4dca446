// Dense terms on top of a diagonal matrix: the solution solves the whole system.
#include "solve/low_rank.h"
#include "solve/runtime.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

enum { SIZE = 40, TERMS = 3 };

typedef struct Case {
  double diagonal[SIZE], u[TERMS * SIZE], weight[TERMS], b[SIZE], x[SIZE];
} Case;

static Case make_case(const double weight[TERMS]) {
  Case made;
  uint64_t state = 11;
  random_fill(&state, 1, 3, SIZE, made.diagonal);
  random_fill(&state, -1, 1, TERMS * SIZE, made.u);
  random_fill(&state, -1, 1, SIZE, made.b);
  for (int k = 0; k < TERMS; k++)
    made.weight[k] = weight[k];
  return made;
}

static bool solve(Case *c) {
  StLowRank *terms = NULL;
  assert_int_equal(st_low_rank_create(TERMS, SIZE, &terms, NULL), ST_OK);
  terms->u = c->u;
  terms->weight = c->weight;
  for (int i = 0; i < TERMS * SIZE; i++)
    terms->solved[i] = c->u[i] / c->diagonal[i % SIZE];
  bool good = st_low_rank_prepare(terms);
  for (int i = 0; i < SIZE; i++)
    c->x[i] = c->b[i] / c->diagonal[i];
  if (good)
    st_low_rank_correct(terms, c->x);
  st_low_rank_destroy(terms);
  return good;
}

// Largest entry of b - (D + Σ w u uᵀ) x.
static double remainder_of(const Case *c) {
  double along[TERMS] = {0}, worst = 0;
  for (int k = 0; k < TERMS; k++)
    for (int i = 0; i < SIZE; i++)
      along[k] += c->u[k * SIZE + i] * c->x[i];
  for (int i = 0; i < SIZE; i++) {
    double left = c->b[i] - c->diagonal[i] * c->x[i];
    for (int k = 0; k < TERMS; k++)
      left -= c->weight[k] * along[k] * c->u[k * SIZE + i];
    worst = fmax(worst, fabs(left));
  }
  return worst;
}

static void solves_the_whole(void **unused) {
  (void)unused;
  const double weights[][TERMS] = {{1, 2, 3}, {5, 0, -0.01}, {0, 0, 0}, {1e6, 1, 1e-6}};
  for (int i = 0; i < 4; i++) {
    Case c = make_case(weights[i]);
    assert_true(solve(&c));
    assert_true(remainder_of(&c) < (i == 3 ? 1e-9 : 1e-13));
  }
}

// 1 + w uᵀ D⁻¹ u = 0: no solution, and it says so.
static void singular_is_refused(void **unused) {
  (void)unused;
  Case c = make_case((double[TERMS]){1, 0, 0});
  double sum = 0;
  for (int i = 0; i < SIZE; i++)
    sum += c.u[i] * c.u[i] / c.diagonal[i];
  c.weight[0] = -1 / sum;
  assert_false(solve(&c));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(solves_the_whole),
                                     cmocka_unit_test(singular_is_refused)};
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
