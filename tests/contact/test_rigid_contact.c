// Sums over carriers against dense products WᵀJW.
#include "contact/core/rigid_contact.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

enum { ALL = 3 * ST_CONTACT_CARRIERS, SUM = ALL * ALL, MOST = 3 * ST_CONTACT_SMALL };

typedef struct Sample {
  StRigidContact bodies;
  int count;
  double weight[ST_CONTACT_SMALL][ST_CARRIERS], jacobian[MOST * MOST];
} Sample;

// Places belong to bodies by turns, or to an obstacle from `rigid` on.
static void sample_fill(Sample *s, int count, int bodies, int rigid, uint64_t *random) {
  *s = (Sample){.count = count, .bodies = {.count = bodies}};
  for (int k = 0; k < count; k++) {
    random_fill(random, -1, 1, ST_CARRIERS, s->weight[k]);
    s->bodies.of[k] = k < rigid ? k % bodies : -1;
    s->bodies.weight[k] = s->weight[k];
  }
  random_fill(random, -1, 1, 9 * count * count, s->jacobian);
}

// Row k of W: what carrier c gives to place k.
static double share_of(const Sample *s, int k, int c) {
  return s->bodies.of[k] == c / ST_CARRIERS ? s->weight[k][c % ST_CARRIERS] : 0;
}

static void add_dense(const Sample *s, double *sum) {
  int width = 3 * s->count;
  for (int i = 0; i < SUM; i++) {
    int r = i / ALL, c = i % ALL;
    for (int p = 0; p < s->count; p++)
      for (int q = 0; q < s->count; q++)
        sum[i] += share_of(s, p, r / 3) * share_of(s, q, c / 3) *
                  s->jacobian[(3 * p + r % 3) * width + 3 * q + c % 3];
  }
}

static void sums_are_dense_products(void **state) {
  (void)state;
  uint64_t random = 5;
  for (int count = 1; count <= ST_CONTACT_SMALL; count++)
    for (int bodies = 1; bodies <= ST_CONTACT_BODIES && bodies <= count; bodies++)
      for (int rigid = bodies; rigid <= count; rigid++) {
        double sum[SUM] = {0}, blocks[SUM] = {0}, expected[SUM] = {0};
        Sample s;
        for (int k = 0; k < 3; k++) {
          sample_fill(&s, count, bodies, rigid, &random);
          st_rigid_contact_fold(&s.bodies, count, s.jacobian, sum);
          add_dense(&s, expected);
        }
        int carriers = ST_CARRIERS * bodies, slot[ST_CONTACT_CARRIERS];
        for (int r = 0; r < carriers; r++) {
          for (int c = 0; c < carriers; c++)
            slot[c] = carriers * r + c;
          st_rigid_contact_add_row(&s.bodies, sum + ST_CONTACT_BODIES_ROW * r, slot, blocks);
        }
        for (int i = 0; i < 9 * carriers * carriers; i++) {
          int r = i / 9 / carriers, c = i / 9 % carriers;
          double wanted = expected[(3 * r + i % 9 / 3) * ALL + 3 * c + i % 3];
          assert_true(fabs(blocks[i] - wanted) <= 1e-14 * 3 * 9 * ST_CONTACT_SMALL);
        }
      }
}

static void vectors_are_carried(void **state) {
  (void)state;
  uint64_t random = 6;
  Sample s;
  double vector[MOST], carried[ALL];
  sample_fill(&s, 4, 2, 3, &random);
  random_fill(&random, -1, 1, MOST, vector);
  st_rigid_contact_carry(&s.bodies, 4, 3, vector, carried);
  for (int i = 0; i < ALL; i++) {
    double sum = 0;
    for (int k = 0; k < 4; k++)
      sum += share_of(&s, k, i / 3) * vector[3 * k + i % 3];
    assert_true(fabs(carried[i] - sum) <= 1e-15 * 8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_dense_products),
                                     cmocka_unit_test(vectors_are_carried)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
