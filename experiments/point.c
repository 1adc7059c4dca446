// The linearised point in closed form, and the point as a scene.
#include "point.h"

#include "scene.h"
#include "tips.h"

#include <string.h>

const PointMethod point_methods[POINT_METHODS] = {{.name = "be"},
                                                  {.name = "tr", .rings = true},
                                                  {.name = "bdf2", .two_steps = true},
                                                  {.name = "tr_bdf2"},
                                                  {.name = "sdirk2"},
                                                  {.name = "tr_decoupled", .rings = true}};

void point_support(Point *point, double stiff, double soft, double angle) {
  double c = cos(angle), s = sin(angle);
  point->support[0][0] = stiff * c * c + soft * s * s;
  point->support[1][1] = stiff * s * s + soft * c * c;
  point->support[0][1] = point->support[1][0] = (stiff - soft) * c * s;
}

// Mass and damping are the same in all directions, so that the modes are those of the stiffness:
// s² + (c/m) s + Λ/m = 0 for each of its eigenvalues Λ, complex where it flutters.
void point_eigenvalues(const Point *point, double complex root[4]) {
  double kc = point->contact_stiffness, mu = point->friction;
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

double point_growth(const Point *point) {
  double complex root[4];
  point_eigenvalues(point, root);
  double growth = -INFINITY;
  for (int i = 0; i < 4; i++)
    growth = fmax(growth, creal(root[i]));
  return growth;
}

double point_threshold(const Point *point) {
  double coupling = point->support[0][1], kc = point->contact_stiffness;
  double apart = point->support[0][0] - point->support[1][1] - kc;
  if (coupling >= 0) // friction then drives the two motions apart
    return INFINITY;
  return (coupling * coupling + apart * apart / 4) / (-coupling * kc);
}

static const double normal_force = 50, belt_speed = 2; // N, m/s, where it rests

enum { AXES = 2, STATE = 4, TWO_STATES = 8, TIP = 0, START_STEPS = 2, SQUARINGS = 30 };

static const int axis[AXES] = {0, 2}; // along the belt, across it

static double displacement(const PointScene *scene, const double *position, int i) {
  return position[3 * TIP + axis[i]] - (i ? scene->height : 0);
}

// The support is preloaded with what the belt presses and drags, so that the point rests where
// nothing is displaced.
static bool add_support(void *context, const StictionPoint *at, double *force) {
  const PointScene *scene = context;
  const Point *point = &scene->point;
  const double preload[AXES] = {-point->friction * normal_force, -normal_force};
  for (int i = 0; i < AXES; i++) {
    double sum = preload[i] - point->damping * at->velocity[3 * TIP + axis[i]];
    for (int j = 0; j < AXES; j++)
      sum -= point->support[i][j] * displacement(scene, at->position, j);
    force[3 * TIP + axis[i]] += sum;
  }
  return true;
}

// Without the damping, which stores nothing.
static double support_energy(void *context, const StictionPoint *at) {
  const PointScene *scene = context;
  const Point *point = &scene->point;
  double q[AXES], sum = 0;
  for (int i = 0; i < AXES; i++)
    q[i] = displacement(scene, at->position, i);
  for (int i = 0; i < AXES; i++)
    for (int j = 0; j < AXES; j++)
      sum += q[i] * point->support[i][j] * q[j] / 2;
  return sum + normal_force * (point->friction * q[0] + q[1]);
}

static void add_support_blocks(void *context, const StictionPoint *at, double by_position,
                               double by_velocity, StictionBlocks *blocks) {
  const Point *point = &((const PointScene *)context)->point;
  const int tip = TIP;
  double block[9] = {0};
  (void)at;
  for (int i = 0; i < AXES; i++)
    for (int j = 0; j < AXES; j++)
      block[3 * axis[i] + axis[j]] =
          -by_position * point->support[i][j] - (i == j ? by_velocity * point->damping : 0);
  stiction_blocks_add(blocks, 1, &tip, &tip, block);
}

static bool move_belt(void *context, double time, StictionPose *pose) {
  (void)context;
  pose->translation[0] = belt_speed * time;
  pose->velocity[0] = belt_speed;
  return true;
}

// The tip is free, with the point's mass and next to no elasticity; contact has the given stiffness
// and carries the normal force at half of its thickness.
static StictionBuild *build_scene(PointScene *scene) {
  static const int held[] = {1, 2, 3};
  const Point *point = &scene->point;
  double thickness = 4 * normal_force / point->contact_stiffness;
  StictionBuild *build = scene_begin("A point on a belt");
  scene->height = thickness / 2;
  scene_add_material(build, "tip", 1e-6, 0, 4 * point->mass / TIPS_VOLUME);
  // The first one counts, the others touch nothing.
  set_vector(tips_add(build, TIPS_FEW, "tip"), "translate", 0, 0, 2 * thickness);
  stiction_part_choose_vertices(stiction_build_add_boundary(build, "top", "tips"), LENGTH(held),
                                held);
  bool rubs = point->friction > 0;
  stiction_part_set_shape(stiction_build_add_obstacle(build, "belt", rubs ? "belt" : NULL),
                          "half_space");
  // It sticks at small speeds only, so that friction is saturated however the point moves.
  if (rubs)
    set(scene_add_friction(build, "tip", "belt", point->friction), "sticking_speed", 1e-3);
  StictionPart *contact = scene_smooth_contact(build);
  set(contact, "thickness", thickness);
  set(contact, "stiffness", point->contact_stiffness / (3 * tips_area()));
  scene_set_gravity(build, 0);
  double longest = 1.001e3 / sqrt(point->support[0][0] / point->mass);
  scene_set_time(build, longest, longest, longest);
  scene_set(build, "integrator", scene->method->name);
  StictionPart *solver = stiction_build_settings(build, "solver");
  set_text(solver, "type", "direct");
  set(solver, "velocity_tolerance", 1e-13);
  set(solver, "change_tolerance", 1e-13);
  return build;
}

static StictionStatus make_simulation(PointScene *scene) {
  const StictionForce support = {.name = "support",
                                 .summary = "Holds the point.",
                                 .context = scene,
                                 .add = add_support,
                                 .add_blocks = add_support_blocks,
                                 .energy = support_energy};
  TRY(stiction_scene_drive(scene->scene, "belt", move_belt, NULL));
  TRY(stiction_scene_add_force(scene->scene, &support));
  TRY(stiction_scene_set_threads(scene->scene, 1));
  return stiction_simulation_create(scene->session, scene->scene, &scene->simulation);
}

StictionStatus point_open(Stiction *session, const Point *point, const PointMethod *method,
                          PointScene *scene) {
  *scene = (PointScene){.session = session, .point = *point, .method = method};
  StictionBuild *build = build_scene(scene);
  StictionStatus status = stiction_scene_build(session, build, &scene->scene);
  stiction_build_free(build);
  if (status == STICTION_OK)
    status = make_simulation(scene);
  if (status != STICTION_OK)
    point_close(scene);
  return status;
}

void point_close(PointScene *scene) {
  stiction_simulation_free(scene->simulation);
  stiction_scene_free(scene->scene);
  *scene = (PointScene){0};
}

StictionStatus point_start(PointScene *scene, const PointState *state) {
  double *position = stiction_simulation_positions(scene->simulation);
  double *velocity = stiction_simulation_velocities(scene->simulation);
  for (int i = 0; position && i < AXES; i++) {
    position[3 * TIP + axis[i]] = state->q[i] + (i ? scene->height : 0);
    velocity[3 * TIP + axis[i]] = state->v[i];
  }
  scene->mixed = false;
  TRY(stiction_simulation_state_changed(scene->simulation));
  return stiction_simulation_set_time(scene->simulation, 0);
}

StictionStatus point_step(PointScene *scene, double h, PointState *state) {
  TRY(stiction_simulation_advance(scene->simulation, h));
  scene->mixed = scene->mixed || stiction_simulation_report(scene->simulation)->retries > 0;
  const double *position = stiction_simulation_positions(scene->simulation);
  const double *velocity = stiction_simulation_velocities(scene->simulation);
  for (int i = 0; position && i < AXES; i++) {
    state->q[i] = displacement(scene, position, i);
    state->v[i] = velocity[3 * TIP + axis[i]];
  }
  return STICTION_OK;
}

// How the states after one, two … steps follow from the first, by central differences about rest:
// what friction and contact are beside their linear parts is gone. Positions are in units of what
// velocities sweep in a step, so that all entries are alike.
static StictionStatus difference(PointScene *scene, double h, int steps,
                                 double after[][STATE][STATE], bool *clean) {
  double size = 1e-6 * scene->height; // m
  const double unit[STATE] = {size, size, size / h, size / h};
  *clean = true;
  for (int column = 0; column < STATE; column++)
    for (int side = -1; side <= 1; side += 2) {
      double vector[STATE] = {0};
      PointState state;
      vector[column] = side * unit[column];
      memcpy(&state, vector, sizeof state);
      TRY(point_start(scene, &state));
      for (int n = 0; n < steps; n++) {
        TRY(point_step(scene, h, &state));
        memcpy(vector, &state, sizeof state);
        for (int row = 0; row < STATE; row++)
          after[n][row][column] =
              (side < 0 ? 0 : after[n][row][column]) + side * vector[row] / (2 * unit[row]);
      }
      *clean = *clean && !scene->mixed;
    }
  return STICTION_OK;
}

// Solves X B = A for X, row by row, by elimination with pivots. B is used up.
static bool divide(double A[STATE][STATE], double B[STATE][STATE], double X[STATE][STATE]) {
  for (int k = 0; k < STATE; k++) {
    int pivot = k;
    for (int c = k + 1; c < STATE; c++)
      pivot = fabs(B[k][c]) > fabs(B[k][pivot]) ? c : pivot;
    if (B[k][pivot] == 0)
      return false;
    for (int r = 0; r < STATE; r++) {
      double a = A[r][k], b = B[r][k];
      A[r][k] = A[r][pivot], A[r][pivot] = a;
      B[r][k] = B[r][pivot], B[r][pivot] = b;
    }
    for (int c = k + 1; c < STATE; c++) {
      double part = B[k][c] / B[k][k];
      for (int r = 0; r < STATE; r++) {
        A[r][c] -= part * A[r][k];
        B[r][c] -= part * B[r][k];
      }
    }
  }
  for (int k = STATE - 1; k >= 0; k--)
    for (int r = 0; r < STATE; r++) {
      X[r][k] = A[r][k];
      for (int c = k + 1; c < STATE; c++)
        X[r][k] -= X[r][c] * B[c][k];
      X[r][k] /= B[k][k];
    }
  return true;
}

// The matrix of a step of bdf2, x₂ = R (4 x₁ − x₀)/3, on two states. Its first step after a start
// is another method's, so that R follows from what comes later.
static bool join_states(double after[][STATE][STATE], double A[TWO_STATES][TWO_STATES]) {
  double mixed[STATE][STATE], R[STATE][STATE];
  for (int i = 0; i < STATE; i++)
    for (int j = 0; j < STATE; j++)
      mixed[i][j] = (4 * after[START_STEPS - 1][i][j] - after[START_STEPS - 2][i][j]) / 3;
  if (!divide(after[START_STEPS], mixed, R))
    return false;
  for (int i = 0; i < STATE; i++) {
    A[STATE + i][i] = 1;
    for (int j = 0; j < STATE; j++) {
      A[i][j] = 4 * R[i][j] / 3;
      A[i][STATE + j] = -R[i][j] / 3;
    }
  }
  return true;
}

static void square(double A[TWO_STATES][TWO_STATES]) {
  double B[TWO_STATES][TWO_STATES] = {{0}};
  for (int i = 0; i < TWO_STATES; i++)
    for (int k = 0; k < TWO_STATES; k++)
      for (int j = 0; j < TWO_STATES; j++)
        B[i][j] += A[i][k] * A[k][j];
  memcpy(A, B, sizeof B);
}

static double norm(double A[TWO_STATES][TWO_STATES]) {
  double sum = 0;
  for (int i = 0; i < TWO_STATES; i++)
    for (int j = 0; j < TWO_STATES; j++)
      sum += A[i][j] * A[i][j];
  return sqrt(sum);
}

// Gelfand: ‖Aⁿ‖^(1/n) for n = 2³⁰, by squaring; needs no eigenvalues and minds no complex pairs.
static double spectral_radius(double A[TWO_STATES][TWO_STATES]) {
  double logarithm = 0;
  for (int n = 0; n < SQUARINGS; n++) {
    double size = norm(A);
    if (!(size > 0))
      return size;
    for (int i = 0; i < TWO_STATES; i++)
      for (int j = 0; j < TWO_STATES; j++)
        A[i][j] /= size;
    logarithm += ldexp(log(size), -n);
    square(A);
  }
  return exp(logarithm + ldexp(log(norm(A)), -SQUARINGS));
}

StictionStatus point_amplification(PointScene *scene, double h, double *factor) {
  double after[START_STEPS + 1][STATE][STATE], A[TWO_STATES][TWO_STATES] = {{0}};
  bool found;
  TRY(difference(scene, h, scene->method->two_steps ? START_STEPS + 1 : 1, after, &found));
  if (scene->method->two_steps)
    found = join_states(after, A) && found;
  for (int i = 0; i < STATE && !scene->method->two_steps; i++)
    memcpy(A[i], after[0][i], sizeof after[0][i]);
  *factor = found ? spectral_radius(A) : NAN;
  return STICTION_OK;
}
