// Derivatives by numbers of a scene: against difference quotients of whole runs, and where they are
// known. Stiffness factors of contact are fixed for derivatives, so that scenes that are compared
// with other runs keep theirs at 1.
#include "api/session.h"

#define FIXED "\"tunable\": { \"stiffness_step\": 1e30, \"stiffness_most\": 1 },"
#define EXACT "\"solver\": { \"velocity_tolerance\": 1e-11, \"change_tolerance\": 1e-11 },"
#define COMMON FIXED EXACT "\"contact\": { \"thickness\": 0.003 },"
#define FLOOR                                                                                      \
  "\"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" }, \"material\": \"plank\"" \
  " } },"
#define SOFT                                                                                       \
  "{ \"law\": \"stable_neo_hookean\", \"young\": \"1 MPa\", \"poisson\": 0.3, \"density\": 600 }"
#define RIGID "{ \"law\": \"rigid\", \"density\": 600 }"
#define BLOCK(at, velocity)                                                                        \
  "{ \"shape\": { \"type\": \"box\", \"size_x\": 0.3, \"size_y\": 0.2, \"size_z\": 0.1,"           \
  " \"edge\": 0.1 }, \"material\": \"wood\", \"translate\": " at ", \"velocity\": " velocity " }"
#define TIME(step) "\"time\": { \"duration\": 10, \"step\": " step " }"
#define RUBS(mu)                                                                                   \
  "\"friction\": [{ \"between\": [\"wood\", \"plank\"], \"dynamic\": " mu " },"                    \
  " { \"between\": [\"wood\", \"wood\"], \"dynamic\": 0.3 }],"

// A scene with one number left open.
typedef struct Case {
  const char *name, *format, *path;
  double value;
  int steps;
  double apart; // of the difference quotient, as a part of the value
} Case;

#define SLIDE(material, method)                                                                    \
  "{" COMMON "\"integrator\": \"" method "\", \"materials\": { \"wood\": " material                \
  " }, \"bodies\": { \"block\": " BLOCK("[0, 0, 0.0531]", "[1, 0, 0]") " }," FLOOR RUBS("%.17g")   \
      TIME("0.01") "}"
#define STACK                                                                                      \
  "{" COMMON "\"integrator\": \"be\", \"materials\": { \"wood\": " SOFT " }, \"bodies\": {"        \
  " \"low\": " BLOCK("[0, 0, 0.0535]", "[0, 0, 0]") ", \"top\": " BLOCK(                           \
      "[0.03, 0.02, 0.158]", "[%.17g, 0.1, 0]") " }," FLOOR RUBS("0.5") TIME("0.01") "}"
#define BALL(method)                                                                               \
  "{" COMMON "\"integrator\": \"" method "\", \"materials\": { \"wood\": " RIGID " }, \"bodies\":" \
  " { \"ball\": { \"shape\": { \"type\": \"sphere\", \"radius\": 0.1, \"edge\": 0.04 },"           \
  " \"translate\": [0, 0, 0.1035], \"velocity\": [%.17g, 0, 0], \"material\": \"wood\" } }," FLOOR \
      RUBS("0.3") TIME("0.005") "}"
#define CLOTH                                                                                      \
  "{" FIXED EXACT "\"integrator\": \"bdf2\", \"materials\": { \"wood\": { \"law\": \"membrane\","  \
  " \"young\": %.17g, \"poisson\": 0.3, \"area_density\": 0.2, \"bending\": 1e-4,"                 \
  " \"stiffness_damping\": 1e-3 } }, \"bodies\": { \"cloth\": { \"shape\": { \"type\": \"sheet\"," \
  " \"width\": 0.4, \"length\": 0.4, \"edge\": 0.05 }, \"translate\": [0.01, 0.02, 0.11],"         \
  " \"material\": \"wood\" } }, \"obstacles\": { \"ball\": { \"shape\": { \"type\": \"sphere\","   \
  " \"radius\": 0.1 }, \"material\": \"plank\" } }," RUBS("0.3") TIME("0.005") "}"
#define JAW(x, way)                                                                                \
  "{ \"shape\": { \"type\": \"box\", \"size_x\": 0.04, \"size_y\": 0.3, \"size_z\": 0.08 },"       \
  " \"translate\": [" x ", 0, 0.2], \"material\": \"plank\", \"motion\": { \"interpolation\":"     \
  " \"smooth\", \"keys\": [{ \"time\": 0, \"translate\": [0, 0, 0] }, { \"time\": 0.05,"           \
  " \"translate\": [" way ", 0, 0] }, { \"time\": 0.2, \"translate\": [" way ", 0, 0.02] }] } }"
#define GRIP                                                                                                      \
  "{" COMMON "\"integrator\": \"bdf2\", \"materials\": { \"wood\": { \"young\": %.17g,"                           \
  " \"poisson\": 0.3, \"density\": 600 } }, \"bodies\": { \"block\": " BLOCK(                                     \
      "[0, 0, 0.2]",                                                                                              \
      "[0, 0, 0]") " }, \"obstacles\": { \"left\": " JAW("-0.1735",                                               \
                                                         "0.006") ", \"right\": " JAW("0.1735",                   \
                                                                                      "-0.006") " }," RUBS("0.5") \
      TIME("0.005") "}"
#define SPIN(method)                                                                               \
  "{" EXACT "\"integrator\": \"" method "\", \"materials\": { \"wood\": " SOFT " }, \"bodies\": {" \
  " \"block\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.3, \"size_y\": 0.2, \"size_z\":"    \
  " 0.1, \"edge\": 0.1 }, \"material\": \"wood\", \"angular_velocity\": [1, %.17g, 3] } }," TIME(  \
      "0.01") "}"

static StictionSimulation *open_case(Stiction *session, const Case *c, double value,
                                     StictionScene **scene) {
  char text[4096];
  assert_true(snprintf(text, sizeof text, c->format, value) < (int)sizeof text);
  *scene = parse_scene(session, text);
  return start(session, *scene);
}

static void run(Stiction *session, StictionSimulation *simulation, int steps) {
  for (int k = 0; k < steps; k++)
    must(session, stiction_simulation_step(simulation));
}

// Adds weight times the positions of bodies' skins after the steps. The last four vertices of a
// rigid body are its carriers, which have no place of their own.
static void add_positions(Stiction *session, const Case *c, double value, double weight,
                          double *sum) {
  StictionScene *scene;
  StictionSimulation *simulation = open_case(session, c, value, &scene);
  run(session, simulation, c->steps);
  const double *position = stiction_simulation_positions(simulation);
  for (int i = 0; i < 3 * stiction_simulation_vertex_count(simulation); i++)
    sum[i] += weight * position[i];
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

static double largest(const double *x, const double *y, int size) {
  double most = 0;
  for (int i = 0; i < size; i++)
    most = fmax(most, fabs(x[i] - (y ? y[i] : 0)));
  return most;
}

// 1e-6 of the largest: the quotient of fourth order errs by about 1e-8 of it where positions are
// solved to 1e-11.
static void check_case(Stiction *session, const Case *c) {
  static const double place[] = {-2, -1, 1, 2}, weight[] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
  StictionScene *scene;
  StictionSimulation *simulation = open_case(session, c, c->value, &scene);
  int size = 3 * stiction_simulation_vertex_count(simulation);
  double *derivative = calloc((size_t)size, sizeof(double));
  double *quotient = calloc((size_t)size, sizeof(double)), h = c->apart * fabs(c->value);
  assert_true(derivative && quotient);
  must(session, stiction_simulation_differentiate(simulation, &c->path, 1));
  run(session, simulation, c->steps);
  must(session, stiction_simulation_derivative(simulation, 0, derivative, NULL));
  for (int m = 0; m < 4; m++)
    add_positions(session, c, c->value + place[m] * h, weight[m] / h, quotient);
  double error = largest(derivative, quotient, size) / largest(quotient, NULL, size);
  StictionDerivativeReport report;
  must(session, stiction_simulation_derivative_report(simulation, &report));
  print_message("%s by %s: %.1e\n", c->name, c->path, error);
  if (!(error < 1e-6) || report.stiffness_changes > 0 || report.steps != c->steps)
    fail_msg("%s by %s: error %g, %ld changes of stiffness, %ld steps", c->name, c->path, error,
             report.stiffness_changes, report.steps);
  free(derivative);
  free(quotient);
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

static void derivatives_are_those_of_runs(void **state) {
  static const Case cases[] = {
      {"spinning block", SPIN("be"), "bodies.block.angular_velocity.1", 2, 20, 1e-4},
      {"spinning block, bdf2", SPIN("bdf2"), "bodies.block.angular_velocity.1", 2, 20, 1e-4},
      {"spinning block, sdirk2", SPIN("sdirk2"), "bodies.block.angular_velocity.1", 2, 20, 1e-4},
      {"rigid slide", SLIDE(RIGID, "be"), "friction.0.dynamic", 0.5, 12, 1e-4},
      {"soft slide", SLIDE(SOFT, "be"), "friction.0.dynamic", 0.5, 12, 1e-4},
      {"soft slide, bdf2", SLIDE(SOFT, "bdf2"), "friction.0.dynamic", 0.5, 12, 1e-4},
      {"stack", STACK, "bodies.top.velocity.0", 0.5, 50, 1e-5},
      {"rolling ball", BALL("be"), "bodies.ball.velocity.0", 1, 100, 1e-6},
      {"bouncing ball, bdf2", BALL("bdf2"), "bodies.ball.velocity.0", 1, 100, 1e-5},
      {"cloth on a ball", CLOTH, "materials.wood.young", 1000, 50, 1e-4},
      {"grip", GRIP, "materials.wood.young", 1e5, 40, 1e-5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_case(*state, &cases[i]);
}

static double mean_x(const double *x, int vertices) {
  double sum = 0;
  for (int v = 0; v < vertices; v++)
    sum += x[3 * v] / vertices;
  return sum;
}

// The mean of the derivatives of positions and velocities along x after some steps, and of the
// way.
typedef struct Means {
  double by_position, by_velocity, way;
} Means;

static Means find_means(Stiction *session, const Case *c) {
  StictionScene *scene;
  StictionSimulation *simulation = open_case(session, c, c->value, &scene);
  int vertices = stiction_simulation_vertex_count(simulation);
  double *room = calloc(6 * (size_t)vertices, sizeof(double));
  assert_true(room);
  must(session, stiction_simulation_differentiate(simulation, &c->path, 1));
  double from = mean_x(stiction_simulation_positions(simulation), vertices);
  run(session, simulation, c->steps);
  must(session, stiction_simulation_derivative(simulation, 0, room, room + 3 * vertices));
  Means means = {mean_x(room, vertices), mean_x(room + 3 * vertices, vertices),
                 mean_x(stiction_simulation_positions(simulation), vertices) - from};
  free(room);
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
  return means;
}

#define STOP                                                                                       \
  "{" EXACT "\"integrator\": \"be\", \"contact\": { \"thickness\": 0.001 }, \"materials\": {"      \
  " \"wood\": " RIGID                                                                              \
  " }, \"bodies\": { \"block\": " BLOCK("[0, 0, 0.0511]", "[3, 0, 0]") " }," FLOOR RUBS("%.17g")   \
      TIME("0.0005") "}"

// d = v²/(2 μ g): the derivative is −d/μ = −1.83 m. Where in a step the block stops changes the
// derivative of the sum over 1223 steps by up to one of them, 1.5 mm, and that of the anchors that
// it swings on by about as much again: 0.2 % in all, as the phase of the last step goes.
static void stopping_distance_goes_with_one_over_friction(void **state) {
  const Case stop = {"", STOP, "friction.0.dynamic", 0.5, 1300, 0};
  Means means = find_means(*state, &stop);
  assert_near(means.by_position, -means.way / 0.5, 4e-3);
  assert_near(means.by_position, -9 / (2 * 9.81 * 0.25), 5e-3);
}

#define SLOPE                                                                                      \
  "{" EXACT "\"integrator\": \"bdf2\", \"contact\": { \"thickness\": 0.003 }, \"materials\": {"    \
  " \"wood\": " RIGID                                                                              \
  " }, \"gravity\": [1.7034886, 0, -9.6609644], \"bodies\": { \"block\": " BLOCK(                  \
      "[0, 0, 0.0531]", "[0.1, 0, 0]") " }," FLOOR RUBS("%.17g") TIME("0.01") "}"

// Down a slope of 10°: dx/dμ = −½ g cos 10° t².
static void slope_has_the_derivative_of_a_free_slide(void **state) {
  const Case slope = {"", SLOPE, "friction.0.dynamic", 0.1, 200, 0};
  double wanted = -0.5 * 9.6609644 * 4;
  assert_near(find_means(*state, &slope).by_position, wanted, 1e-3 * fabs(wanted));
}

#define HELD                                                                                       \
  "{" COMMON "\"integrator\": \"be\", \"materials\": { \"wood\": " SOFT " }, \"gravity\": [4, 0,"  \
  " -9.81], \"bodies\": { \"block\": " BLOCK("[0, 0, 0.0531]", "[0, 0, 0]") " }," FLOOR RUBS(      \
      "%.17g") TIME("0.01") "}"

// What friction holds does not move, whatever the coefficient: at most its anchor gives, by less
// than its length of about μ thicknesses.
static void held_block_stays(void **state) {
  const Case held = {"", HELD, "friction.0.dynamic", 0.5, 80, 0};
  Means means = find_means(*state, &held);
  assert_near(means.by_velocity, 0, 1e-9);
  assert_near(means.by_position, 0, 1.25 * 0.003);
}

// Free flight: x = v t, whatever else there is.
static void flight_is_exact(void **state) {
  static const char flight[] =
      "{ \"materials\": { \"wood\": " SOFT
      " }, \"bodies\": { \"block\": " BLOCK("[0, 0, 1]", "[%.17g, 0, 0]") " }," TIME("0.01") "}";
  const Case c = {"", flight, "bodies.block.velocity.0", 1, 30, 0};
  Means means = find_means(*state, &c);
  assert_near(means.by_position, 0.3, 1e-9);
  assert_near(means.by_velocity, 1, 1e-9);
}

// Nothing moves, and nothing would by another modulus: all that there is is rounding, over the
// distance of variants of 1e-3.
static void rest_has_no_derivative(void **state) {
  static const char rest[] =
      "{ \"gravity\": 0, \"materials\": { \"wood\": { \"young\": %.17g, \"poisson\": 0.3,"
      " \"density\": 600 } }, \"bodies\": { \"block\": " BLOCK(
          "[0, 0, 1]", "[0, 0, 0]") " }, \"boundaries\": { \"grip\": { \"body\": \"block\","
                                    " \"region\": { \"label\": \"x-\" } } }," TIME("0.01") "}";
  const Case c = {"", rest, "materials.wood.young", 1e6, 5, 0};
  Means means = find_means(*state, &c);
  assert_near(means.by_position * c.value, 0, 1e-9);
  assert_near(means.by_velocity * c.value, 0, 1e-7);
}

static void runs_stay_the_same(void **state) {
  const Case c = {"", STACK, "bodies.top.velocity.0", 0.5, 20, 0};
  StictionScene *scene[2];
  StictionSimulation *simulation[2];
  for (int i = 0; i < 2; i++)
    simulation[i] = open_case(*state, &c, c.value, &scene[i]);
  const char *path[] = {"friction.1.dynamic", "materials.wood.density"};
  must(*state, stiction_simulation_differentiate(simulation[1], path, 2));
  size_t bytes = 3 * (size_t)stiction_simulation_vertex_count(simulation[0]) * sizeof(double);
  for (int i = 0; i < 2; i++)
    run(*state, simulation[i], c.steps);
  assert_memory_equal(stiction_simulation_positions(simulation[0]),
                      stiction_simulation_positions(simulation[1]), bytes);
  for (int i = 0; i < 2; i++) {
    stiction_simulation_free(simulation[i]);
    stiction_scene_free(scene[i]);
  }
}

static void refuse(Stiction *session, const char *text, const char *path, const char *why) {
  StictionScene *scene = parse_scene(session, text);
  StictionSimulation *simulation = start(session, scene);
  must_fail(session, stiction_simulation_differentiate(simulation, &path, 1), STICTION_BAD_INPUT,
            why);
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

#define PLAIN(more)                                                                                \
  "{" more "\"materials\": { \"wood\": " SOFT                                                      \
  " }, \"bodies\": { \"block\": " BLOCK("[0, 0, 0.06]", "[1, 0, 0]") " }," FLOOR RUBS("0.5")       \
      TIME("0.01") "}"

static void what_is_not_covered_is_refused(void **state) {
  refuse(*state, PLAIN(""), "friction[2].dynamic", "friction has 2 items");
  refuse(*state, PLAIN(""), "materials.wool.young", "wood");
  refuse(*state, PLAIN(""), "materials.wood.mass_damping", "there is no \"mass_damping\"");
  refuse(*state, PLAIN(""), "bodies.block.velocity", "name one of them");
  refuse(*state, PLAIN(""), "materials.wood.law", "is not a number");
  refuse(*state,
         "{ \"materials\": { \"wood\": " RIGID " }, \"bodies\": { \"block\": " BLOCK(
             "[0, 0, 1]", "[0, 0, 0]") " }, \"joints\": { \"pin\": { \"type\": \"hinge\","
                                       " \"axis\": \"y\", \"from\": { \"body\": \"block\","
                                       " \"region\": { \"label\": \"x-\" } } } }," TIME("0.01") "}",
         "materials.wood.density", "joints in a scene with rigid bodies");
  refuse(*state, PLAIN(""), "time.step", "which say how to compute");
  refuse(*state, PLAIN("\"integrator\": \"tr_bdf2\","), "friction.0.dynamic", "choose be");
  refuse(*state, PLAIN("\"contact\": { \"method\": \"smooth\" },"), "friction.0.dynamic",
         "smooth surfaces");
  refuse(*state, PLAIN("\"contact\": { \"friction\": \"lagged\" },"), "friction.0.dynamic",
         "lagged");
}

static void derivatives_follow_steps_alone(void **state) {
  StictionScene *scene = parse_scene(*state, PLAIN(""));
  StictionSimulation *simulation = start(*state, scene);
  const char *path = "friction.0.dynamic";
  double room[300];
  assert_true(stiction_simulation_vertex_count(simulation) <= 100);
  must_fail(*state, stiction_simulation_derivative(simulation, 0, room, NULL), STICTION_BAD_INPUT,
            "no derivatives are followed");
  must(*state, stiction_simulation_differentiate(simulation, &path, 1));
  must_fail(*state, stiction_simulation_derivative(simulation, 1, room, NULL), STICTION_BAD_INPUT,
            "there is no derivative 1");
  run(*state, simulation, 2);
  must(*state, stiction_simulation_derivative(simulation, 0, room, NULL));
  must(*state, stiction_simulation_reset(simulation));
  must_fail(*state, stiction_simulation_derivative(simulation, 0, room, NULL), STICTION_BAD_INPUT,
            "was changed");
  must_fail(*state, stiction_simulation_step(simulation), STICTION_BAD_INPUT, "was changed");
  must(*state, stiction_simulation_differentiate(simulation, NULL, 0));
  run(*state, simulation, 1);
  must_fail(*state, stiction_simulation_differentiate(simulation, &path, 1), STICTION_BAD_INPUT,
            "before the first step");
  stiction_simulation_free(simulation);
  stiction_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flight_is_exact),
      cmocka_unit_test(derivatives_are_those_of_runs),
      cmocka_unit_test(stopping_distance_goes_with_one_over_friction),
      cmocka_unit_test(slope_has_the_derivative_of_a_free_slide),
      cmocka_unit_test(held_block_stays),
      cmocka_unit_test(rest_has_no_derivative),
      cmocka_unit_test(runs_stay_the_same),
      cmocka_unit_test(what_is_not_covered_is_refused),
      cmocka_unit_test(derivatives_follow_steps_alone),
  };
  return cmocka_run_group_tests_name("derivatives", tests, open_session, close_session);
}
