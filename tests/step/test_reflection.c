// Impulses between rigid bodies: against theory, and that they conserve what they have to.
#include "math/vec3.h"
#include "step/reflection.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { MOST = 6 };

// A ball of 1 kg with a radius of 1 m.
static StStruckBody ball(double x, double speed) {
  return (StStruckBody){.inverse_mass = 1,
                        .inverse_inertia = {2.5, 0, 0, 0, 2.5, 0, 0, 0, 2.5},
                        .centre = {x, 0, 0},
                        .velocity = {speed, 0, 0}};
}

static StStrike between(int left, int right, double x, double restitution) {
  return (StStrike){
      .side = {left, right}, .normal = {-1, 0, 0}, .point = {x, 0, 0}, .restitution = restitution};
}

// A row of balls that touch; the first one comes.
static void rows_pass_it_on(void **state) {
  (void)state;
  for (int count = 2; count <= MOST; count++) {
    StStruckBody body[MOST];
    StStrike strike[MOST];
    for (int i = 0; i < count; i++) {
      body[i] = ball(2 * i, i == 0 ? 3 : 0);
      strike[i] = between(i, i + 1, 2 * i + 1, 1);
    }
    st_reflection_solve(body, strike, count - 1, 1e-9);
    for (int i = 0; i < count; i++)
      assert_true(fabs(body[i].velocity[0] - (i == count - 1 ? 3 : 0)) < 1e-12);
  }
}

// Two come, two go.
static void two_of_five_pass_it_on(void **state) {
  (void)state;
  StStruckBody body[5];
  StStrike strike[4];
  for (int i = 0; i < 5; i++)
    body[i] = ball(2 * i, i < 2 ? 1 : 0);
  for (int i = 0; i < 4; i++)
    strike[i] = between(i, i + 1, 2 * i + 1, 1);
  st_reflection_solve(body, strike, 4, 1e-9);
  for (int i = 0; i < 5; i++)
    assert_true(fabs(body[i].velocity[0] - (i > 2)) < 1e-12);
}

static void pairs_keep_what_they_should(void **state) {
  (void)state;
  const double e[] = {0, 0.5, 1};
  for (int k = 0; k < 3; k++) {
    StStruckBody body[2] = {ball(0, 1), ball(2, -2)};
    StStrike strike = between(0, 1, 1, e[k]);
    st_reflection_solve(body, &strike, 1, 1e-9);
    assert_true(fabs(body[1].velocity[0] - body[0].velocity[0] - 3 * e[k]) < 1e-12);
    assert_true(fabs(body[1].velocity[0] + body[0].velocity[0] + 1) < 1e-12);
  }
}

// What comes slowly does not rebound.
static void slow_contacts_rest(void **state) {
  (void)state;
  StStruckBody body[2] = {ball(0, 1), ball(2, 0)};
  StStrike strike = between(0, 1, 1, 1);
  strike.slow = 1.5;
  st_reflection_solve(body, &strike, 1, 1e-9);
  assert_true(fabs(body[0].velocity[0] - 0.5) < 1e-12 && fabs(body[1].velocity[0] - 0.5) < 1e-12);
}

// A ball that strikes a wall obliquely: friction is μ times the impulse while it slides, and a ball
// rolls with 5/7 of its speed where friction stops the sliding.
static void friction_slides_or_rolls(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    double mu = k ? 0.9 : 0.1;
    StStruckBody body[2] = {ball(0, 1), {.centre = {1, 0, 0}}};
    StStrike strike = between(0, 1, 1, 0.5);
    body[0].velocity[1] = 2;
    strike.friction = mu;
    st_reflection_solve(body, &strike, 1, 1e-9);
    assert_true(fabs(body[0].velocity[0] + 0.5) < 1e-12);
    double expected = k ? 2 * 5.0 / 7 : 2 - mu * 1.5;
    assert_true(fabs(body[0].velocity[1] - expected) < 1e-12);
    assert_true(fabs(strike.impulse[0] + 1.5) < 1e-12);
  }
}

static double energy(const StStruckBody *body, int count, const double *mass,
                     const double *inertia) {
  double sum = 0;
  for (int b = 0; b < count; b++)
    if (body[b].inverse_mass > 0)
      sum += 0.5 * mass[b] * vec3_dot(body[b].velocity, body[b].velocity) +
             0.5 * inertia[b] * vec3_dot(body[b].spin, body[b].spin);
  return sum;
}

// Whatever strikes whatever: momentum and angular momentum stay, and energy does not grow.
static void momenta_stay_and_energy_does_not_grow(void **state) {
  (void)state;
  uint64_t random = 11;
  for (int trial = 0; trial < 300; trial++) {
    StStruckBody body[MOST] = {0};
    StStrike strike[2 * MOST] = {0};
    double number[20], mass[MOST], inertia[MOST], before[6] = {0}, after[6] = {0};
    for (int b = 0; b < MOST; b++) {
      random_fill(&random, -1, 1, 20, number);
      mass[b] = 1.1 + number[0];
      inertia[b] = mass[b] * (0.5 + 0.4 * number[1]);
      body[b].inverse_mass = 1 / mass[b];
      for (int c = 0; c < 3; c++) {
        body[b].inverse_inertia[4 * c] = 1 / inertia[b];
        body[b].centre[c] = 3 * number[2 + c];
        body[b].velocity[c] = number[5 + c];
        body[b].spin[c] = number[8 + c];
      }
    }
    for (int i = 0; i < 2 * MOST; i++) {
      random_fill(&random, -1, 1, 20, number);
      double length = vec3_length(number);
      strike[i].side[0] = i % MOST;
      strike[i].side[1] = (i + 1 + i / MOST) % MOST;
      for (int c = 0; c < 3; c++) {
        strike[i].normal[c] = number[c] / length;
        strike[i].point[c] = 2 * number[3 + c];
      }
      strike[i].restitution = trial % 3 == 0 ? 1 : 0.5 + 0.5 * number[6];
      strike[i].friction = trial % 2 ? 0.5 + 0.5 * number[7] : 0;
    }
    double most = energy(body, MOST, mass, inertia);
    for (int pass = 0; pass < 2; pass++) {
      double *sum = pass ? after : before;
      for (int b = 0; b < MOST; b++) {
        double moment[3];
        vec3_cross(body[b].centre, body[b].velocity, moment);
        vec3_add_scaled(mass[b], body[b].velocity, sum);
        vec3_add_scaled(mass[b], moment, sum + 3);
        vec3_add_scaled(inertia[b], body[b].spin, sum + 3);
      }
      if (pass == 0)
        st_reflection_solve(body, strike, 2 * MOST, 1e-9);
    }
    for (int c = 0; c < 6; c++)
      assert_true(fabs(after[c] - before[c]) < 1e-11);
    assert_true(energy(body, MOST, mass, inertia) <= most * (1 + 1e-11));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_pass_it_on),
      cmocka_unit_test(two_of_five_pass_it_on),
      cmocka_unit_test(pairs_keep_what_they_should),
      cmocka_unit_test(slow_contacts_rest),
      cmocka_unit_test(friction_slides_or_rolls),
      cmocka_unit_test(momenta_stay_and_energy_does_not_grow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
