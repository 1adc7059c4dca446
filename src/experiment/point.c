// Forces, steps and eigenvalues of the point contact.
#include "experiment/point.h"

#include <math.h>
#include <string.h>

enum {
  SUPPORT,
  CONTACT,
  AXES = 2,
  STATE = 8,
  MOST_ITERATIONS = 50,
  MOST_HALVINGS = 30,
  SQUARINGS = 30
};

void st_point_support(StPointContact *point, double stiff, double soft, double angle) {
  double c = cos(angle), s = sin(angle);
  point->support[0][0] = stiff * c * c + soft * s * s;
  point->support[1][1] = stiff * s * s + soft * c * c;
  point->support[0][1] = point->support[1][0] = (stiff - soft) * c * s;
}

static void add_support(const StPointContact *point, const double q[2], const double v[2],
                        StPointForce *force) {
  for (int i = 0; i < AXES; i++) {
    force->force[SUPPORT][i] = -point->damping * v[i];
    force->by_velocity[SUPPORT][i][i] = -point->damping;
    for (int j = 0; j < AXES; j++) {
      force->force[SUPPORT][i] -= point->support[i][j] * q[j];
      force->by_position[SUPPORT][i][j] = -point->support[i][j];
    }
  }
}

// The support is preloaded, so that rest is where nothing is displaced.
void st_point_linear(const StPointContact *point, const double q[2], const double v[2],
                     StPointForce *force) {
  double k = point->contact_stiffness, mu = point->friction.dynamic_coefficient;
  memset(force, 0, sizeof *force);
  add_support(point, q, v, force);
  force->force[CONTACT][0] = -mu * k * q[1];
  force->force[CONTACT][1] = -k * q[1];
  force->by_position[CONTACT][0][1] = -mu * k;
  force->by_position[CONTACT][1][1] = -k;
}

// 3κ(δ − d)²/δ with δ and κ such that force and stiffness at rest, d = δ/2, are those given.
static double normal_force(const StPointContact *point, double z, double *slope) {
  double kappa = point->contact_stiffness / 3, delta = 4 * point->normal_force / (3 * kappa);
  double depth = delta / 2 - z;
  if (depth <= 0)
    return *slope = 0;
  *slope = -6 * kappa * depth / delta;
  return 3 * kappa * depth * depth / delta;
}

void st_point_whole(const StPointContact *point, const double q[2], const double v[2],
                    StPointForce *force) {
  memset(force, 0, sizeof *force);
  add_support(point, q, v, force);
  double slope, normal = normal_force(point, q[1], &slope), drag[3], unit[3];
  const double slip[3] = {v[0] - point->belt_speed, 0, 0};
  const StFrictionLoad load = {.normal_force = normal}, one = {.normal_force = 1};
  const StFrictionLoadDual dual = {.normal_force = normal};
  st_friction_force(&point->friction, &load, slip, drag);
  st_friction_force(&point->friction, &one, slip, unit);
  // The derivative by the velocity is that of the very code, by the complex step.
  StDual tangent[3];
  st_friction_force_dual(&point->friction, &dual, (StDual[3]){s_dual(slip[0], 1), 0, 0}, tangent);
  force->force[CONTACT][0] = drag[0] - point->friction.dynamic_coefficient * point->normal_force;
  force->force[CONTACT][1] = normal - point->normal_force;
  force->by_position[CONTACT][0][1] = unit[0] * slope;
  force->by_position[CONTACT][1][1] = slope;
  force->by_velocity[CONTACT][0][0] = s_derivative(tangent[0]);
}

typedef struct Stage {
  double q[2], v[2]; // what the stage starts from
  double history[2]; // G
  double ah;
  double contact_weight; // of contact in the end's force: 2 outside a rule that halves
} Stage;

// r = m(v − v*) − a h f(q* + a h v, v) − h G, its derivative, and the state's position.
static void evaluate(const StPointContact *point, StPointLaw *law, const Stage *stage, double h,
                     const double v[2], double q[2], double residual[2], double slope[2][2]) {
  StPointForce at;
  for (int i = 0; i < AXES; i++)
    q[i] = stage->q[i] + stage->ah * v[i];
  law(point, q, v, &at);
  for (int i = 0; i < AXES; i++) {
    residual[i] = point->mass * (v[i] - stage->v[i]) - h * stage->history[i];
    slope[i][0] = slope[i][1] = 0;
    slope[i][i] = point->mass;
    for (int part = 0; part < 2; part++) {
      double weight = stage->ah * (part == CONTACT ? stage->contact_weight : 1);
      residual[i] -= weight * at.force[part][i];
      for (int j = 0; j < AXES; j++)
        slope[i][j] -=
            weight * (stage->ah * at.by_position[part][i][j] + at.by_velocity[part][i][j]);
    }
  }
}

// Newton's change of the velocity, and the norm of what is left over.
static double newton_change(const StPointContact *point, StPointLaw *law, const Stage *stage,
                            double h, const double v[2], double change[2]) {
  double q[2], r[2], J[2][2];
  evaluate(point, law, stage, h, v, q, r, J);
  double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  change[0] = (J[0][1] * r[1] - J[1][1] * r[0]) / det;
  change[1] = (J[1][0] * r[0] - J[0][0] * r[1]) / det;
  return hypot(r[0], r[1]);
}

// Damped: the change is halved until less is left over, since friction has kinks. Preloads leave
// round-off behind that nothing brings down.
static bool solve_stage(const StPointContact *point, StPointLaw *law, const Stage *stage, double h,
                        double q[2], double v[2]) {
  double change[2], left = newton_change(point, law, stage, h, v, change);
  double floor = 1e-14 * h * point->normal_force / point->mass;
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    double share = 1, next[2], next_change[2], next_left;
    for (int halving = 0; halving < MOST_HALVINGS; halving++, share /= 2) {
      for (int i = 0; i < AXES; i++)
        next[i] = v[i] + share * change[i];
      next_left = newton_change(point, law, stage, h, next, next_change);
      if (next_left <= left)
        break;
    }
    bool close = !(hypot(change[0], change[1]) > 1e-13 * hypot(v[0], v[1]) + floor);
    memcpy(v, next, sizeof next);
    memcpy(change, next_change, sizeof next_change);
    left = next_left;
    if (!close)
      continue;
    for (int i = 0; i < AXES; i++)
      q[i] = stage->q[i] + stage->ah * v[i];
    return isfinite(left);
  }
  return false;
}

// All that counts in the next step's history: contact does not where it is outside the rule.
static void total_force(const StPointContact *point, StPointLaw *law, bool decoupled,
                        const double q[2], const double v[2], double total[2]) {
  StPointForce at;
  law(point, q, v, &at);
  for (int i = 0; i < AXES; i++)
    total[i] = at.force[SUPPORT][i] + (decoupled ? 0 : at.force[CONTACT][i]);
}

bool st_point_step(const StPointContact *point, StPointLaw *law, const StIntegrator *integrator,
                   double h, StPointState *state) {
  double now[2], middle[2] = {0}, q[2] = {0}, v[2] = {state->v[0], state->v[1]};
  double q_stage[2] = {0}, v_stage[2] = {0};
  bool decoupled = integrator->decoupled;
  total_force(point, law, decoupled, state->q, state->v, now);
  for (int s = 0; s < integrator->stage_count; s++) {
    StStage row = st_integrator_stage(integrator, s, 1);
    Stage stage = {.ah = row.shift * h, .contact_weight = decoupled ? 1 / row.shift : 1};
    for (int i = 0; i < AXES; i++) {
      stage.q[i] = row.now * state->q[i] + row.before * state->q_before[i] +
                   row.stage * q_stage[i] +
                   h * (row.drift_now * state->v[i] + row.drift_stage * v_stage[i]);
      stage.v[i] = row.now * state->v[i] + row.before * state->v_before[i] + row.stage * v_stage[i];
      stage.history[i] = row.force_now * now[i] + row.force_stage * middle[i];
    }
    if (!solve_stage(point, law, &stage, h, q, v))
      return false;
    memcpy(q_stage, q, sizeof q);
    memcpy(v_stage, v, sizeof v);
    total_force(point, law, decoupled, q, v, middle);
  }
  *state = (StPointState){
      {q[0], q[1]}, {v[0], v[1]}, {state->q[0], state->q[1]}, {state->v[0], state->v[1]}};
  return true;
}

// Mass and damping are the same in all directions, so that the modes are those of the stiffness:
// s² + (c/m) s + Λ/m = 0 for each of its eigenvalues Λ, complex where it flutters.
void st_point_eigenvalues(const StPointContact *point, double complex root[4]) {
  double kc = point->contact_stiffness, mu = point->friction.dynamic_coefficient;
  double a = point->support[0][0], b = point->support[0][1] + mu * kc;
  double c = point->support[1][0], d = point->support[1][1] + kc;
  double complex spread = csqrt((a - d) * (a - d) / 4 + b * c);
  double rate = point->damping / (2 * point->mass);
  for (int i = 0; i < 2; i++) {
    double complex square = ((a + d) / 2 + (i ? -1 : 1) * spread) / point->mass;
    double complex swing = csqrt(rate * rate - square);
    root[2 * i] = -rate + swing;
    root[2 * i + 1] = -rate - swing;
  }
}

double st_point_growth(const StPointContact *point) {
  double complex root[4];
  st_point_eigenvalues(point, root);
  double growth = -INFINITY;
  for (int i = 0; i < 4; i++)
    growth = fmax(growth, creal(root[i]));
  return growth;
}

double st_point_threshold(const StPointContact *point) {
  double coupling = point->support[0][1], kc = point->contact_stiffness;
  double apart = point->support[0][0] - point->support[1][1] - kc;
  if (coupling >= 0) // friction then drives the two motions apart
    return INFINITY;
  return (coupling * coupling + apart * apart / 4) / (-coupling * kc);
}

static void square(double A[STATE][STATE]) {
  double B[STATE][STATE] = {{0}};
  for (int i = 0; i < STATE; i++)
    for (int k = 0; k < STATE; k++)
      for (int j = 0; j < STATE; j++)
        B[i][j] += A[i][k] * A[k][j];
  memcpy(A, B, sizeof B);
}

static double norm(double A[STATE][STATE]) {
  double sum = 0;
  for (int i = 0; i < STATE; i++)
    for (int j = 0; j < STATE; j++)
      sum += A[i][j] * A[i][j];
  return sqrt(sum);
}

// Positions in units of what velocities sweep in a step, so that all entries are alike.
static bool step_matrix(const StPointContact *point, const StIntegrator *integrator, double h,
                        double A[STATE][STATE]) {
  const double unit[STATE] = {h, h, 1, 1, h, h, 1, 1};
  for (int column = 0; column < STATE; column++) {
    double vector[STATE] = {0};
    StPointState state;
    vector[column] = unit[column];
    memcpy(&state, vector, sizeof state);
    if (!st_point_step(point, st_point_linear, integrator, h, &state))
      return false;
    memcpy(vector, &state, sizeof state);
    for (int row = 0; row < STATE; row++)
      A[row][column] = vector[row] / unit[row];
  }
  return true;
}

// Gelfand: ‖Aⁿ‖^(1/n) for n = 2³⁰, by squaring; needs no eigenvalues and minds no complex pairs.
double st_point_amplification(const StPointContact *point, const StIntegrator *integrator,
                              double h) {
  double A[STATE][STATE], logarithm = 0;
  if (!step_matrix(point, integrator, h, A))
    return NAN;
  for (int n = 0; n < SQUARINGS; n++) {
    double size = norm(A);
    if (!(size > 0))
      return size;
    for (int i = 0; i < STATE; i++)
      for (int j = 0; j < STATE; j++)
        A[i][j] /= size;
    logarithm += ldexp(log(size), -n);
    square(A);
  }
  return exp(logarithm + ldexp(log(norm(A)), -SQUARINGS));
}
