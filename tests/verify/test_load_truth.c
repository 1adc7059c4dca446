// Loads and joints of scenes against closed forms: momentum, stretch, pressure, springs, pendulums.
#include "solve/runtime.h"
#include "support/scene_run.h"

// A cube of 1 kg and 10 cm around the origin, of which nothing but rigid motion is seen.
#define STIFF "'materials': {'m': {'young': '100 MPa', 'poisson': 0.3, 'density': 1000}},"
#define CUBE(more)                                                                                 \
  "'bodies': {'cube': {'shape': {'type': 'box', 'size_x': 0.1, 'size_y': 0.1, 'size_z': 0.1, "     \
  "'cells_x': 2, 'cells_y': 2, 'cells_z': 2}" more "}}, 'integrator': 'tr_bdf2',"
#define TIME(duration, step)                                                                       \
  "'time': {'duration': " #duration ", 'step': " #step ", 'frame_rate': 10}, 'output': {'judge': " \
  "'off'},"
#define EVERYWHERE "'from': {'body': 'cube', 'region': 'all'}"

static SceneRun start(const char *text, const char *contact) {
  char scene[4000];
  snprintf(scene, sizeof scene,
           "{%s 'contact': {%s}, 'solver': {'velocity_tolerance': 1e-9, "
           "'change_tolerance': 1e-7}}",
           text, contact);
  return scene_run_start(scene);
}

static SceneRun run_with(const char *text, const char *contact) {
  SceneRun run = start(text, contact);
  scene_run_finish(&run);
  scene_run_must(&run);
  return run;
}

static SceneRun run(const char *text) {
  return run_with(text, "'pairs': 'none'");
}

static const StAction *action(const SceneRun *run, const char *name) {
  for (int i = 0; i < run->report->action_count; i++)
    if (strcmp(run->report->action[i].name, name) == 0)
      return &run->report->action[i].action;
  fail_msg("no %s", name);
  return NULL;
}

// ∫F dt, to a millionth that Newton's method leaves over in 100 steps; of the sine a share of (ωh)²
// is lost.
static void forces_make_momentum(void **state) {
  (void)state;
  SceneRun r = run(STIFF CUBE("") TIME(
      1, 0.01) "'gravity': 0, 'loads': {"
               "'push': {'region': {'label': 'x-'}, 'force': ['2 N + 3 N/s*t', 0, {'sine': "
               "{'amplitude': '1 N', 'frequency': '0.5 Hz'}}]},"
               "'part': {'region': {'label': 'z+'}, 'traction': '10 Pa', 'direction': 'y'},"
               "'squeeze': {'region': 'all', 'pressure': '10 kPa'}},");
  assert_near("x", r.report->momentum[0], 3.5, 4e-6);
  assert_near("y", r.report->momentum[1], 0.1, 4e-6);
  assert_near("z", r.report->momentum[2], 2 / M_PI, 1e-4);
  assert_near("reported", action(&r, "push")->force[0], 5, 1e-6);
  for (int k = 0; k < 3; k++)
    assert_near("closed surface", action(&r, "squeeze")->force[k], 0, 1e-12);
  scene_run_end(&r);
}

// The work of a force that is constant is force times way, and all of it is in the balance.
static void work_of_loads_is_counted(void **state) {
  (void)state;
  SceneRun r = run(STIFF CUBE("") TIME(
      1, 0.01) "'gravity': 0, 'loads': {'push': "
               "{'region': 'all', 'force': [3, 0, 0]}, 'turn': {'region': 'all', 'torque': "
               "'0.01 N*m', 'axis': 'z'}},");
  assert_int_equal(r.unexplained, 0);
  assert_near("work", r.work, r.report->total_energy, 1e-3 * r.work);
  assert_near("and way", r.work - 3 * r.report->centre_of_mass[0], 0.02, 1e-3); // 2 rad turned
  scene_run_end(&r);
}

#define SOFT                                                                                       \
  "'materials': {'m': {'law': 'linear', 'young': '1 MPa', 'poisson': 0.3, 'density': 1000, "       \
  "'mass_damping': '200 1/s'}}, 'gravity': 0,"
// Held so that it may stretch freely: against x at x-, against y at y- and against z at z-.
#define CORNER                                                                                     \
  "'boundaries': {'a': {'region': {'label': 'x-'}, 'hold': ['x']}, 'b': {'region': {'label': "     \
  "'y-'}, 'hold': ['y']}, 'c': {'region': {'label': 'z-'}, 'hold': ['z']}},"

static double corner_shift(const SceneRun *run, int axis) {
  StSnapshot snapshot = world_snapshot(run->simulation);
  const StMesh *mesh = run->description->body[0].mesh;
  double shift = 0;
  for (int v = 0; v < mesh->vertex_count; v++)
    if (mesh->position[3 * v] > 0.0499 && mesh->position[3 * v + 1] > 0.0499 &&
        mesh->position[3 * v + 2] > 0.0499)
      shift = snapshot.position[3 * v + axis] - mesh->position[3 * v + axis];
  st_snapshot_free(&snapshot);
  return shift;
}

// σ = F/A along x: σ/E, and −ν σ/E across. Uniform, so that elements add no error.
static void a_bar_is_stretched(void **state) {
  (void)state;
  const char *loads[] = {"'force': '1 N', 'direction': 'x'", "'traction': [100, 0, 0]"};
  for (int i = 0; i < 2; i++) {
    char text[3000];
    snprintf(text, sizeof text,
             "%s 'loads': {'pull': {'body': 'cube', 'region': {'label': 'x+'}, %s}},",
             SOFT CUBE("") CORNER TIME(2, 0.05), loads[i]);
    SceneRun r = run(text);
    assert_near("along", corner_shift(&r, 0), 0.1 * 1e-4, 1e-9);
    assert_near("across", corner_shift(&r, 1), -0.3 * 0.1 * 1e-4, 1e-9);
    scene_run_end(&r);
  }
}

// −p/3K from all sides, K = E/3(1 − 2ν). What follows the surface adds a ten-thousandth.
static void pressure_squeezes_evenly(void **state) {
  (void)state;
  SceneRun r = run(SOFT CUBE("") CORNER TIME(
      2, 0.05) "'loads': {'deep': {'region': 'all', 'pressure': '100 Pa'}},");
  for (int k = 0; k < 3; k++)
    assert_near("shrinks", corner_shift(&r, k), -0.1 * 0.4 * 1e-4, 1e-3 * 4e-6);
  scene_run_end(&r);
}

// p = 2T/r: with T = Y ε/(1 − ν) the strain is p r (1 − ν)/2Y. The ball of triangles has a little
// less area and curvature than the sphere: 1.5 %.
static void a_ball_is_blown_up(void **state) {
  (void)state;
  SceneRun r = run(
      "'materials': {'m': {'law': 'membrane', 'young': '1 kN/m', 'poisson': 0.3, "
      "'area_density': '1 kg/m^2', 'mass_damping': '50 1/s'}}, 'gravity': 0,"
      "'bodies': {'ball': {'shape': {'type': 'sphere', 'radius': 0.1, 'fill': 'surface', "
      "'edge': 0.012}}}, 'loads': {'air': {'region': 'all', 'pressure': '-10 Pa'}}," TIME(1, 0.02));
  StSnapshot snapshot = world_snapshot(r.simulation);
  const StMesh *mesh = r.description->body[0].mesh;
  double before = 0, after = 0;
  for (int v = 0; v < mesh->vertex_count; v++) {
    const double *X = mesh->position + 3 * v, *x = snapshot.position + 3 * v;
    before += sqrt(X[0] * X[0] + X[1] * X[1] + X[2] * X[2]);
    after += sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  }
  st_snapshot_free(&snapshot);
  double strain = 10 * 0.1 * 0.7 / (2 * 1000);
  assert_near("strain", after / before - 1, strain, 0.015 * strain);
  scene_run_end(&r);
}

// m x'' + c x' + k x = 0 from x' = 1 m/s; the error of second order is (ωh)² of the phase.
static void a_spring_swings_and_dies_away(void **state) {
  (void)state;
  SceneRun r = run(STIFF CUBE(", 'velocity': [1, 0, 0]")
                       TIME(1, 0.002) "'gravity': 0, 'joints': {'s': "
                                      "{'type': 'spring', " EVERYWHERE
                                      ", 'to': {'point': [-1, 0, 0]}, 'stiffness': '100 "
                                      "N/m', 'damping': '0.4 N*s/m'}},");
  double w = sqrt(100 - 0.04), x = exp(-0.2) * sin(w) / w;
  double v = exp(-0.2) * (cos(w) - 0.2 * sin(w) / w);
  assert_near("place", r.report->centre_of_mass[0], x, 2e-5);
  assert_near("speed", r.report->momentum[0], v, 4e-4);
  assert_near("force", action(&r, "s")->force[0], -100 * x - 0.4 * v, 4e-3);
  assert_near("travel", action(&r, "s")->travel, x, 2e-5);
  scene_run_end(&r);
}

// θ'' = −(g/L) sin θ from θ = 90°, by Runge and Kutta's method.
static double pendulum(double length, double duration) {
  double q = M_PI / 2, w = 0, h = 1e-4, k = 9.81 / length;
  for (int i = 0; i < (int)lround(duration / h); i++) {
    double a1 = -k * sin(q), w2 = w + h / 2 * a1, a2 = -k * sin(q + h / 2 * w);
    double w3 = w + h / 2 * a2, a3 = -k * sin(q + h / 2 * w2), w4 = w + h * a3;
    double a4 = -k * sin(q + h * w3);
    q += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return q;
}

// Held at a distance by its middle the cube swings like a point; as one body, by a ball or a hinge,
// like a pendulum of length (L² + i²)/L with the radius of inertia i of its masses at vertices.
static void pendulums_swing(void **state) {
  (void)state;
  const char *joint[] = {
      "'type': 'distance', " EVERYWHERE ", 'to': {'point': [-0.5, 0, 0]}",
      "'type': 'ball', 'from': {'body': 'cube', 'region': {'label': 'x-'}, 'point': [-0.5, 0, 0]}",
      "'type': 'hinge', 'axis': 'y', 'from': {'body': 'cube', 'region': {'label': 'x-'}, 'point': "
      "[-0.5, 0, 0]}"};
  for (int i = 0; i < 3; i++) {
    char text[3000];
    snprintf(text, sizeof text, "%s 'gravity': 9.81, 'joints': {'p': {%s}},",
             STIFF CUBE("") TIME(0.5, 0.002), joint[i]);
    SceneRun r = run(text);
    const StSystem *system = st_simulation_system(r.simulation);
    double inertia = 0;
    for (int v = 0; v < system->piece->owned_count; v++) {
      const double *X = system->piece->rest + 3 * v;
      inertia += system->piece->mass[v] * (X[0] * X[0] + X[2] * X[2]);
    }
    double angle = pendulum(i == 0 ? 0.5 : (0.25 + inertia) / 0.5, 0.5);
    assert_near("x", r.report->centre_of_mass[0], -0.5 + 0.5 * sin(angle), 3e-4);
    assert_near("z", r.report->centre_of_mass[2], -0.5 * cos(angle), 3e-4);
    assert_near("gives way", action(&r, "p")->travel, 0, 1e-6);
    scene_run_end(&r);
  }
}

// Down a slope of 45° along a rail: half the way of free fall, both ways.
static void a_slider_slides(void **state) {
  (void)state;
  SceneRun r = run(STIFF CUBE("") TIME(
      0.4, 0.01) "'gravity': 10, 'joints': {'rail': {'type': 'slider', "
                 "'axis': [1, 0, -1], 'from': {'body': 'cube', 'region': {'label': 'x-'}}}},");
  assert_near("x", r.report->centre_of_mass[0], 0.4, 1e-5);
  assert_near("z", r.report->centre_of_mass[2], -0.4, 1e-5);
  assert_near("carries", action(&r, "rail")->force[0], 5, 1e-4);
  assert_near("travel", action(&r, "rail")->travel, 0.4 * sqrt(2), 1e-5);
  scene_run_end(&r);
}

// Full torque far below the speed; in the end the speed, and all turns counted.
static void a_motor_has_a_torque_and_a_speed(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[3000];
    snprintf(
        text, sizeof text,
        "%s 'time': {'duration': %g, 'step': 0.005}, 'joints': {'h': {'type': 'hinge', 'axis': "
        "'z', " EVERYWHERE "}, 'm': {'type': 'motor', 'axis': 'z', " EVERYWHERE
        ", 'torque': '0.02 N*m', 'speed': '60 rpm', 'slip': '0.1 rpm'}},",
        STIFF CUBE("") "'gravity': 0, 'output': {'judge': 'off'},", i ? 2.0 : 0.2);
    SceneRun r = run(text);
    double spin = r.report->angular_momentum[2];
    if (i == 0)
      assert_near("torque", spin, 0.2 * 0.02, 2e-3 * 0.004); // some (ωh)² of a turn
    else
      assert_true(action(&r, "m")->travel > 2 * M_PI);
    if (i == 1) // E = ½ L ω
      assert_near("speed", 2 * r.report->kinetic_energy / spin, 2 * M_PI, 0.01);
    scene_run_end(&r);
  }
  SceneRun back =
      run(STIFF CUBE("") TIME(0.1, 0.01) "'gravity': 0, 'joints': {'m': {'type': 'motor', "
                                         "'axis': 'z', " EVERYWHERE
                                         ", 'torque': '-0.02 N*m', 'speed': '-60 rpm'}},");
  assert_near("backward", back.report->angular_momentum[2], -0.002, 1e-5);
  scene_run_end(&back);
}

// Against three quarters of its torque a motor lags by 1.134 of its slip, 2 % of its speed, also
// where that comes from a formula that starts at zero.
static void a_motor_slips_by_its_speed(void **state) {
  (void)state;
  const char *speeds[] = {"6 rad/s", "6 rad/s * (1 - exp(-t/(0.1 s)))"};
  for (int i = 0; i < 2; i++) {
    char text[3000];
    snprintf(
        text, sizeof text,
        "'materials': {'m': {'law': 'rigid'}}, 'integrator': 'tr_bdf2', 'gravity': 0, 'bodies': "
        "{'cube': {'shape': {'type': 'box', 'edge': 1}, 'mass': 3}}, " TIME(
            4,
            0.02) "'joints': {'h': {'type': 'hinge', 'axis': 'z', " EVERYWHERE
                  "}, 'm': {'type': 'motor', 'axis': 'z', 'torque': 8, 'speed': '%s', " EVERYWHERE
                  "}}, 'loads': {'t': {'region': 'all', 'torque': -6, 'axis': 'z'}},",
        speeds[i]);
    SceneRun r = run(text);
    double lag = 0.02 * 6 * 0.75 / sqrt(1 - 0.75 * 0.75);
    assert_near("speed", r.report->angular_momentum[2] / 0.5, 6 - lag, 1e-3 * lag);
    scene_run_end(&r);
  }
}

// A rigid cube that hangs from an edge rests where the stop's torque is that of its weight.
static void a_stop_limits_an_angle(void **state) {
  (void)state;
  const char *limits[] = {"'upper': 0.5", "'upper': 0.5, 'lower': '-1 turn'", "'lower': -0.5"};
  for (int i = 0; i < 3; i++) {
    char text[3000];
    double way = i == 2 ? -1 : 1;
    snprintf(text, sizeof text,
             "'materials': {'m': {'law': 'rigid'}}, 'gravity': %g, 'bodies': {'cube': {'shape': "
             "{'type': 'box', 'edge': 1}, 'mass': 2}}, " TIME(
                 4, 0.01) "'joints': {'h': {'type': "
                          "'hinge', 'axis': 'y', 'from': {'body': 'cube', 'point': [-0.5, 0, 0]}}, "
                          "'s': {'type': "
                          "'stop', 'axis': 'y', 'stiffness': 500, %s, 'from': {'body': 'cube', "
                          "'point': [-0.5, 0, "
                          "0]}}, 'd': {'type': 'torsion', 'axis': 'y', 'stiffness': 0, 'damping': "
                          "20, " EVERYWHERE "}},",
             9.81 * way, limits[i]);
    SceneRun r = run(text);
    double angle = 0.5;
    for (int k = 0; k < 50; k++)
      angle = 0.5 + 2 * 9.81 * 0.5 * cos(angle) / 500;
    assert_near("angle", action(&r, "s")->travel, way * angle, 1e-5);
    scene_run_end(&r);
  }
}

// A slider's limits bear a weight in the same way.
static void a_slider_has_limits(void **state) {
  (void)state;
  SceneRun r =
      run("'materials': {'m': {'law': 'rigid'}}, 'bodies': {'cube': {'shape': {'type': 'box', "
          "'edge': 1}, 'mass': 2}}, 'gravity': 10, 'forces': [{'type': 'drag'}], " TIME(
              6, 0.02) "'joints': {'rail': {'type': 'slider', 'axis': 'z', 'stiffness': 4000, "
                       "'lower': -0.2, 'upper': 0.1, " EVERYWHERE "}},");
  assert_near("position", action(&r, "rail")->travel, -0.2 - 20.0 / 4000, 1e-5);
  scene_run_end(&r);
}

// A servo that can exert 2 N m at most bears 1 N m at k φ = 1/√(1 − ¼).
static void a_servo_has_a_largest_torque(void **state) {
  (void)state;
  SceneRun r = run(STIFF CUBE("")
                       TIME(3, 0.01) "'gravity': 0, 'joints': {'h': {'type': 'hinge', 'axis': "
                                     "'z', " EVERYWHERE "}, 't': {'type': 'torsion', 'axis': "
                                     "'z', 'stiffness': 8, 'damping': 0.5, 'torque': 2, " EVERYWHERE
                                     "}}, 'loads': {'l': {'region': 'all', 'torque': 1, "
                                     "'axis': 'z'}},");
  assert_near("angle", action(&r, "t")->travel, 1 / sqrt(0.75) / 8, 1e-5);
  scene_run_end(&r);
}

// Behind a gear of −4 the torque is four times as large and backward, the speed a quarter.
static void a_motor_has_a_gear(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[3000];
    snprintf(
        text, sizeof text,
        "%s 'time': {'duration': %g, 'step': 0.005}, 'joints': {'h': {'type': 'hinge', 'axis': "
        "'z', " EVERYWHERE "}, 'm': {'type': 'motor', 'axis': 'z', " EVERYWHERE
        ", 'torque': '0.02 N*m', 'speed': '60 rpm', 'slip': '0.1 rpm', 'gear': -4}},",
        STIFF CUBE("") "'gravity': 0, 'output': {'judge': 'off'},", i ? 2.0 : 0.02);
    SceneRun r = run(text);
    double spin = r.report->angular_momentum[2];
    if (i == 0)
      assert_near("torque", spin, -4 * 0.02 * 0.02, 2e-3 * 0.004);
    else
      assert_near("speed", 2 * r.report->kinetic_energy / spin, -2 * M_PI / 4, 0.01 / 4);
    scene_run_end(&r);
  }
}

// A rigid cube of 1 kg on an arm of 0.3 m that is turned by t² turns: the weld's torque on it is
// (m r² + I) 4π, to second order. Ties are so stiff that the smallest offset of the arm would show.
static void a_turned_arm_carries_a_torque(void **state) {
  (void)state;
  double off[2];
  for (int i = 0; i < 2; i++) {
    char text[3000];
    snprintf(
        text, sizeof text,
        "'materials': {'m': {'law': 'rigid'}}, 'integrator': 'bdf2', 'gravity': 0, 'bodies': "
        "{'arm': {'shape': {'type': 'box', 'size_x': 0.3, 'size_y': 0.02, 'size_z': 0.02, 'edge': "
        "0.3}, 'mass': 1, 'translate': [0.15, 0, 0]}, 'cube': {'shape': {'type': 'box', 'size_x': "
        "0.02, 'size_y': 0.02, 'size_z': 0.02, 'edge': 0.02}, 'mass': 1, 'translate': [0.3, 0, "
        "0]}}, 'boundaries': {'b': {'body': 'arm', 'region': 'all', 'motion': {'angle': "
        "'1 turn/s^2 * t^2', 'axis': 'y', 'centre': [0, 0, 0]}}}, 'joints': {'w': {'type': "
        "'weld', 'from': {'body': 'cube', 'point': [0.3, 0, 0]}, 'to': {'body': 'arm'}}}, "
        "'time': {'duration': 1, 'step': %g}, 'output': {'judge': 'off'},",
        0.01 / (1 + i));
    SceneRun r = run(text);
    double torque = (0.09 + 0.02 * 0.02 / 6) * 4 * M_PI;
    off[i] = fabs(action(&r, "w")->torque[1] / torque - 1);
    print_message("off by %.4f\n", off[i]);
    scene_run_end(&r);
  }
  assert_true(off[1] < 0.3 * off[0]);
}

// m g = ½ ρ c' A v² for a sheet that falls edge on: v_t tanh(g t/v_t).
static void a_sheet_falls_along_itself(void **state) {
  (void)state;
  SceneRun r = run("'materials': {'m': {'law': 'membrane', 'young': '1 kN/m', 'poisson': 0.3, "
                   "'area_density': '0.1 kg/m^2'}}, 'gravity': 10, 'integrator': 'tr_bdf2',"
                   "'bodies': {'sheet': {'shape': {'type': 'sheet', 'width': 0.4, 'length': 0.4, "
                   "'cells_x': 3, 'cells_y': 3}, 'rotate': {'axis': 'x', 'angle': '90 deg'}}},"
                   "'forces': [{'type': 'drag', 'density': 1.2, 'tangential_coefficient': 0.5, "
                   "'wind_x': '0*t'}]," TIME(0.5, 0.005));
  double top = sqrt(2 * 0.1 * 10 / (1.2 * 0.5)), mass = 0.016;
  assert_near("speed", -r.report->momentum[2] / mass, top * tanh(10 * 0.5 / top), 1e-4 * top);
  scene_run_end(&r);
}

// A body's own gravity is instead of the scene's.
static void bodies_have_their_own_gravity(void **state) {
  (void)state;
  SceneRun r = run(STIFF CUBE(", 'gravity': [1, 0, 0]") TIME(0.5, 0.05) "'gravity': 9.81,");
  assert_near("x", r.report->momentum[0], 0.5, 1e-12);
  assert_near("z", r.report->momentum[2], 0, 1e-12);
  scene_run_end(&r);
}

// A crank of 0.1 m turned by a motor, a rod of 0.3 m and a block that slides: where the block is
// follows from the crank's angle, φ.
static void a_crank_moves_a_slider(void **state) {
  (void)state;
  SceneRun r = start(
      "'materials': {'m': {'young': '1 GPa', 'poisson': 0.3, 'density': 1000}}, 'gravity': 0,"
      "'bodies': {"
      "'crank': {'shape': {'type': 'box', 'size_x': 0.1, 'size_y': 0.01, 'size_z': 0.01, "
      "'cells_x': "
      "5, 'cells_y': 1, 'cells_z': 1}, 'translate': [0.05, 0, 0]},"
      "'rod': {'shape': {'type': 'box', 'size_x': 0.3, 'size_y': 0.01, 'size_z': 0.01, 'cells_x': "
      "15, 'cells_y': 1, 'cells_z': 1}, 'translate': [0.25, 0, 0]},"
      "'block': {'shape': {'type': 'box', 'size_x': 0.03, 'size_y': 0.01, 'size_z': 0.01, "
      "'cells_x': 2, 'cells_y': 1, 'cells_z': 1}, 'translate': [0.4, 0, 0]}},"
      "'joints': {'main': {'type': 'hinge', 'axis': 'y', 'from': {'body': 'crank', 'point': [0, 0, "
      "0]}},"
      "'pin': {'type': 'hinge', 'axis': 'y', 'from': {'body': 'crank', 'point': [0.1, 0, 0]}, "
      "'to': "
      "{'body': 'rod'}},"
      "'wrist': {'type': 'hinge', 'axis': 'y', 'from': {'body': 'rod', 'point': [0.4, 0, 0]}, "
      "'to': "
      "{'body': 'block'}},"
      "'guide': {'type': 'slider', 'axis': 'x', 'from': {'body': 'block', 'region': 'all'}},"
      "'engine': {'type': 'motor', 'axis': 'y', 'torque': '2 N*m', 'speed': '-6.28 rad/s', 'from': "
      "{'body': 'crank', 'region': 'all'}}},"
      "'integrator': 'tr_bdf2'," TIME(1.2, 0.005),
      "'pairs': 'none'");
  while (scene_run_go_on(&r)) {
    double angle = action(&r, "engine")->travel, lift = 0.1 * sin(angle);
    double place = 0.1 * cos(angle) + sqrt(0.09 - lift * lift) - 0.4;
    assert_near("slider", action(&r, "guide")->travel, place, 3e-5);
    assert_near("pin", action(&r, "pin")->travel, 0, 1e-5);
  }
  assert_true(action(&r, "engine")->travel < -7); // more than once round
  scene_run_end(&r);
}

// A cube on a belt, held back by a spring: it rides along until the spring pulls as much as
// friction can, and from then on swings about that place with the belt's speed. It starts in touch
// with the belt: springs do not keep a body from being moved clear of what it touches.
static void a_spring_holds_a_cube_on_a_belt(void **state) {
  (void)state;
  const double omega = 20, speed = 0.5, pulled = 0.3 * 9.81 / 400;
  SceneRun r =
      run_with(STIFF CUBE(", 'translate': [0, 0, 0.05], 'velocity': [0.5, 0, 0]")
                   TIME(0.407414, 0.001) // a quarter and a whole swing after it lets go
               "'obstacles': {'belt': {'shape': {'type': 'half_space'}, 'motion': {'velocity': "
               "[0.5, 0, 0]}}}, 'friction': [{'between': 'any', 'dynamic': 0.3}],"
               "'joints': {'spring': {'type': 'spring', " EVERYWHERE
               ", 'to': {'point': [-5, 0, 0.05]}, 'stiffness': 400}},",
               "'thickness': 1e-5"); // by which it lags behind while it is held
  assert_near("time", r.report->time, pulled / speed + 2.5 * M_PI / omega, 1e-6);
  assert_near("x", r.report->centre_of_mass[0], pulled + speed / omega, 5e-5);
  assert_near("momentum", r.report->momentum[0], 0, 0.01 * speed);
  scene_run_end(&r);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_make_momentum),
      cmocka_unit_test(work_of_loads_is_counted),
      cmocka_unit_test(a_bar_is_stretched),
      cmocka_unit_test(pressure_squeezes_evenly),
      cmocka_unit_test(a_ball_is_blown_up),
      cmocka_unit_test(a_spring_swings_and_dies_away),
      cmocka_unit_test(pendulums_swing),
      cmocka_unit_test(a_slider_slides),
      cmocka_unit_test(a_motor_has_a_torque_and_a_speed),
      cmocka_unit_test(a_motor_slips_by_its_speed),
      cmocka_unit_test(a_stop_limits_an_angle),
      cmocka_unit_test(a_slider_has_limits),
      cmocka_unit_test(a_servo_has_a_largest_torque),
      cmocka_unit_test(a_motor_has_a_gear),
      cmocka_unit_test(a_turned_arm_carries_a_torque),
      cmocka_unit_test(a_sheet_falls_along_itself),
      cmocka_unit_test(bodies_have_their_own_gravity),
      cmocka_unit_test(a_crank_moves_a_slider),
      cmocka_unit_test(a_spring_holds_a_cube_on_a_belt),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
