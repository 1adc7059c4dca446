// The friction curve: peak, plateau, smoothness at its corners, derivatives three ways, power.
#include "contact/core/contact_force.h"
#include "contact/friction/friction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double EPSILON = 1e-3, NORMAL = 7, ENGAGEMENT = 0.3;

static StFrictionLaw law_of(double dynamic, double stat, double viscous, double ratio) {
  StFrictionLaw law = {.dynamic_coefficient = dynamic,
                       .static_coefficient = stat,
                       .viscous_coefficient = viscous,
                       .sticking_speed = EPSILON,
                       .stribeck_speed = ratio * EPSILON};
  st_friction_prepare(&law);
  return law;
}

static double largest_coefficient(const StFrictionLaw *law) {
  double largest = 0;
  for (int i = 0; i <= 200000; i++)
    largest = fmax(largest, st_friction_coefficient(law, 2e-4 * i * EPSILON));
  return largest;
}

static void peak_is_the_static_coefficient(void **state) {
  (void)state;
  const double pairs[][2] = {{0.1, 1}, {0.5, 1.5}, {0.3, 0.31}, {0, 0.8}, {0.6, 0.6}};
  const double ratios[] = {1.5, 3, 10, 100};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 4; k++) {
      StFrictionLaw law = law_of(pairs[i][0], pairs[i][1], 0, ratios[k]);
      assert_true(fabs(largest_coefficient(&law) / pairs[i][1] - 1) < 1e-6);
      double plateau = st_friction_coefficient(&law, 1000 * EPSILON);
      assert_true(fabs(plateau - pairs[i][0]) < 1e-14);
    }
  // What the plain formula would give for μ_s = 1, μ_d = 0.1, v_s = 10 ε.
  StFrictionLaw raw = law_of(0.1, 1, 0, 10);
  raw.peak = 1;
  assert_true(fabs(largest_coefficient(&raw) - 0.975) < 1e-3);
}

static const StFrictionLoad LOAD = {7, 0.3, 0, 0};          // NORMAL, ENGAGEMENT
static const StFrictionLoadDual LOAD_DUAL = {7, 0.3, 0, 0}; // NORMAL, ENGAGEMENT

// d(force)/d(velocity) for a velocity along x, by hand: -N m'(v) along, -N m(v)/v across.
static void by_hand(const StFrictionLaw *law, double v, double *along, double *across) {
  double e = law->sticking_speed, w = law->stribeck_speed, x = v / w;
  double extra = law->peak * (law->static_coefficient - law->dynamic_coefficient);
  double g = x < 1 ? (2 * x + 1) * (x - 1) * (x - 1) : 0, dg = x < 1 ? 6 * x * (x - 1) / w : 0;
  double mu = law->dynamic_coefficient + extra * g, dmu = extra * dg;
  double s = v < e ? 2 * v / e - v * v / (e * e) : 1, ds = v < e ? 2 / e - 2 * v / (e * e) : 0;
  double over = v > 0 ? s / v : 2 / e, drag = law->viscous_coefficient * ENGAGEMENT;
  *along = -NORMAL * (dmu * s + mu * ds) - drag;
  *across = -NORMAL * mu * over - drag;
}

static double component(const StFrictionLaw *law, const double v[3], int i) {
  double f[3];
  st_friction_force(law, &LOAD, v, f);
  return f[i];
}

static void derivatives_agree(void **state) {
  (void)state;
  StFrictionLaw law = law_of(0.4, 0.9, 2, 10);
  const double speeds[] = {0, 1e-9, 0.3, 0.999999, 1.000001, 4, 9.999999, 10.000001, 50};
  for (int k = 0; k < 9; k++) {
    double v = speeds[k] * EPSILON, hand[2];
    by_hand(&law, v, &hand[0], &hand[1]);
    StFrictionDrag drag = st_friction_drag(&law, &LOAD, v);
    double across = -drag.drag, along = across - drag.by_speed * v;
    assert_true(fabs(along - hand[0]) < 1e-12 * NORMAL / EPSILON);
    assert_true(fabs(across - hand[1]) < 1e-12 * NORMAL / EPSILON);
    for (int axis = 0; axis < 2; axis++) {
      StDual x[3] = {s_dual(v, axis == 0), s_dual(0, axis == 1), 0}, f[3];
      st_friction_force_dual(&law, &LOAD_DUAL, x, f);
      double dual = s_derivative(f[axis]), h = 1e-7 * EPSILON;
      double up[3] = {v + (axis == 0) * h, (axis == 1) * h, 0};
      double down[3] = {v - (axis == 0) * h, -(axis == 1) * h, 0};
      double slope = (component(&law, up, axis) - component(&law, down, axis)) / (2 * h);
      double scale = NORMAL / EPSILON;
      assert_true(fabs(dual - hand[axis]) < 1e-12 * scale);
      assert_true(fabs(slope - hand[axis]) < 1e-6 * scale);
    }
  }
}

// Value and slope agree on both sides of ε and of v_s.
static void corners_are_smooth(void **state) {
  (void)state;
  StFrictionLaw law = law_of(0.4, 0.9, 0, 10);
  const double corner[] = {EPSILON, 10 * EPSILON};
  for (int k = 0; k < 2; k++) {
    double side[2], hand[2][2];
    for (int i = 0; i < 2; i++) {
      double v = corner[k] * (1 + (i ? 1e-9 : -1e-9));
      side[i] = st_friction_coefficient(&law, v);
      by_hand(&law, v, &hand[i][0], &hand[i][1]);
    }
    assert_true(fabs(side[0] - side[1]) < 1e-8);
    assert_true(fabs(hand[0][0] - hand[1][0]) < 1e-7 * NORMAL / EPSILON);
  }
}

static void friction_only_takes_energy(void **state) {
  (void)state;
  StFrictionLaw law = law_of(0.3, 1.2, 0.5, 10);
  for (int i = 0; i < 1000; i++) {
    double v[3] = {sin(i) * i * 1e-4, cos(3 * i) * i * 1e-4, sin(7 * i) * i * 1e-4}, f[3];
    st_friction_force(&law, &LOAD, v, f);
    assert_true(f[0] * v[0] + f[1] * v[1] + f[2] * v[2] <= 0);
  }
}

static const StFrictionLoad HELD = {7, 0, 4e4, 3e4};

static StFrictionLaw anchored_law(double dynamic, double fixed) {
  StFrictionLaw law = law_of(dynamic, fixed, 0, 10);
  law.anchored = true;
  law.span = 0.02;
  st_friction_prepare(&law);
  return law;
}

static void anchored_force(const StFrictionLaw *law, double z, double f[3]) {
  const double v[3] = {z / law->span, 0, 0};
  st_friction_force(law, &HELD, v, f);
}

// Up to the yield −k (1 − z/2ℓ) z, there μ_s N with no kink, then Stribeck's curve.
static void anchors_yield_at_the_static_coefficient(void **state) {
  (void)state;
  StFrictionLaw law = anchored_law(0.3, 0.8);
  double yield = st_friction_yield(&law, &HELD), f[3], most = 0;
  assert_true(fabs(yield - 2 * 0.8 * NORMAL / HELD.tangent_stiffness) < 1e-15);
  for (int i = 0; i <= 400; i++) {
    double z = 0.01 * i * yield;
    anchored_force(&law, z, f);
    double speed = fmax(z - yield, 0) / law.span;
    double expected = z <= yield ? -HELD.tangent_stiffness * (1 - 0.5 * z / yield) * z
                                 : -st_friction_coefficient(&law, speed) * NORMAL;
    assert_true(fabs(f[0] - expected) < 1e-12 * NORMAL && f[1] == 0 && f[2] == 0);
    most = fmax(most, -f[0]);
  }
  assert_true(fabs(most - 0.8 * NORMAL) < 1e-12 * NORMAL);
  double side[2];
  for (int i = 0; i < 2; i++) {
    StFrictionDrag drag =
        st_friction_drag(&law, &HELD, (1 + (i ? 1e-9 : -1e-9)) * yield / law.span);
    side[i] = drag.drag + drag.by_speed * yield / law.span;
  }
  assert_true(fabs(side[0] - side[1]) < 1e-7 * HELD.tangent_stiffness * law.span);
}

// By speed and by normal force, sticking and sliding: written out, complex, differences.
static void anchored_derivatives_agree(void **state) {
  (void)state;
  StFrictionLaw law = anchored_law(0.3, 0.8);
  double yield = st_friction_yield(&law, &HELD) / law.span;
  const double part[] = {1e-6, 0.3, 0.999, 1.001, 1.0 + 3 * EPSILON / yield, 50};
  for (int k = 0; k < 6; k++) {
    double v = part[k] * yield;
    StFrictionDrag drag = st_friction_drag(&law, &HELD, v);
    const double hand[2] = {-drag.drag - drag.by_speed * v, -drag.by_normal_force * v};
    for (int by = 0; by < 2; by++) {
      StFrictionLoadDual load = {s_dual(NORMAL, by == 1), 0, HELD.tangent_stiffness,
                                 HELD.damper_stiffness};
      StDual x[3] = {s_dual(v, by == 0), 0, 0}, f[3];
      double h = 1e-6 * (by ? NORMAL : v), up[3], down[3];
      double scale = by ? 1 : HELD.tangent_stiffness * law.span;
      st_friction_force_dual(&law, &load, x, f);
      assert_true(fabs(s_derivative(f[0]) - hand[by]) < 1e-12 * scale);
      for (int i = 0; i < 2; i++) {
        double sign = i ? -1 : 1;
        StFrictionLoad near = {NORMAL + by * sign * h, 0, HELD.tangent_stiffness,
                               HELD.damper_stiffness};
        st_friction_force(&law, &near, (double[3]){v + (1 - by) * sign * h, 0, 0}, i ? down : up);
      }
      assert_true(fabs((up[0] - down[0]) / (2 * h) - hand[by]) < 1e-5 * scale);
    }
  }
}

// At constant normal force: work of a step's end force and what is stored meanwhile never add up to
// a gain.
static void anchors_give_back_no_more_than_they_store(void **state) {
  (void)state;
  StFrictionLaw law = anchored_law(0.8, 0.8);
  double yield = st_friction_yield(&law, &HELD), z = 0, given = 0;
  for (int i = 0; i < 10000; i++) {
    double next = z + yield * 0.3 * sin(0.37 * i) * (1 + i % 7), f[3];
    anchored_force(&law, next, f);
    double stored = st_friction_stored(&law, &HELD, fabs(z));
    double work = f[0] * (next - z);
    given += work;
    z = fmax(-yield, fmin(next, yield));
    assert_true(work + st_friction_stored(&law, &HELD, fabs(z)) - stored <= 1e-12 * NORMAL * yield);
  }
  assert_true(given < 0);
}

// The load falls, perhaps below what the displacement needs: the anchor recoils and returns some of
// what it stored under the larger load, and never more than that.
static void anchors_give_back_no_more_under_less_load(void **state) {
  (void)state;
  StFrictionLaw law = anchored_law(0.8, 0.8);
  double full = st_friction_yield(&law, &HELD);
  for (int i = 0; i < 1000; i++) {
    StFrictionLoad less = HELD;
    less.normal_force *= (1 + i % 10) / 10.0;
    double yield = st_friction_yield(&law, &less);
    double z = full * (i / 10 % 10) / 9, next = z + 0.3 * full * (i / 100 - 5), f[3];
    double brought = st_friction_brought(&law, &less, z);
    st_friction_force(&law, &less, (double[3]){next / law.span, 0, 0}, f);
    double after = fmax(-yield, fmin(next, yield));
    double spent = f[0] * (next - z) + st_friction_stored(&law, &less, fabs(after)) - brought;
    assert_true(spent <= 1e-12 * NORMAL * full);
    assert_true(brought <= (1 + 1e-12) * st_friction_stored(&law, &HELD, z));
    if (z <= yield)
      assert_true(brought == st_friction_stored(&law, &less, z));
  }
}

// Along the normal, from slow to where contact would pull or strike: written out, complex,
// differences; never more than the normal force, and always against the motion.
static void dampers_agree(void **state) {
  (void)state;
  StFrictionLaw law = anchored_law(0.3, 0.8);
  law.damping = 2e-4;
  const double part[] = {-50, -1, -1e-3, 0, 0.2, 1, 3, 1e4};
  const double scale[2] = {law.damping * HELD.damper_stiffness, 1};
  for (int k = 0; k < 8; k++) {
    double v = part[k] * NORMAL / scale[0];
    StFrictionDamper damper = st_friction_damper(&law, &HELD, v);
    const double hand[2] = {damper.by_speed, damper.by_normal_force};
    assert_true(fabs(damper.force) <= NORMAL && damper.force * v <= 0);
    for (int by = 0; by < 2; by++) {
      StFrictionLoadDual load = {s_dual(NORMAL, by), 0, HELD.tangent_stiffness,
                                 HELD.damper_stiffness};
      double complex_one = s_derivative(st_friction_damper_dual(&law, &load, s_dual(v, !by)));
      double h = 1e-5 * NORMAL / scale[by], side[2];
      for (int i = 0; i < 2; i++) {
        StFrictionLoad near = {NORMAL + (i ? -h : h) * by, 0, HELD.tangent_stiffness,
                               HELD.damper_stiffness};
        side[i] = st_friction_damper(&law, &near, v + (i ? -h : h) * !by).force;
      }
      assert_true(fabs(complex_one - hand[by]) < 1e-12 * scale[by]);
      assert_true(fabs((side[0] - side[1]) / (2 * h) - hand[by]) < 1e-8 * scale[by]);
    }
  }
  law.damping = 0;
  assert_true(st_friction_damper(&law, &HELD, 1).force == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(peak_is_the_static_coefficient),
      cmocka_unit_test(derivatives_agree),
      cmocka_unit_test(corners_are_smooth),
      cmocka_unit_test(friction_only_takes_energy),
      cmocka_unit_test(anchors_yield_at_the_static_coefficient),
      cmocka_unit_test(anchored_derivatives_agree),
      cmocka_unit_test(anchors_give_back_no_more_than_they_store),
      cmocka_unit_test(anchors_give_back_no_more_under_less_load),
      cmocka_unit_test(dampers_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
