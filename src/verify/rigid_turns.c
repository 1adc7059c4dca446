// Rigid bodies that turn: freely about their middle axis, as a pendulum, as two rods that hang from
// each other, as a top. Each runs with two sizes of step: a method of second order errs with the
// finer one by a third of what the two differ by.
#include "verify/list.h"

#include "base/text.h"
#include "math/vec3.h"
#include "model/rigid.h"
#include "scene/scene.h"
#include "verify/spinner.h"
#include "verify/trial.h"

#include <string.h>

enum { ODE_STEPS = 200000 };

static const double half_turn = M_PI, gravity = ST_VERIFY_GRAVITY;

typedef struct Turning {
  const char *name;
  const char *scene; // without time
  double step, duration;
} Turning;

typedef struct Ends {
  double rotation[2][9]; // of the first two bodies
  double energy, first_energy;
  double momentum[3], first_momentum[3];
} Ends;

static StStatus parse(const Turning *turning, double step, StDescription **description,
                      StError *error) {
  StText text = {0};
  st_text_add(&text, "{%s, \"integrator\": \"tr_bdf2\", \"time\": {\"duration\": %.17g, ",
              turning->scene, turning->duration);
  st_text_add(&text, "\"step\": %.17g}}", step);
  StStatus status = text.failed ? st_fail_memory(error)
                                : st_scene_parse(turning->name, text.data, text.length, NULL, NULL,
                                                 description, error);
  st_text_free(&text);
  return status;
}

// The affine map from rest to a state.
static void read_rotation(const StDescription *description, const StSnapshot *state, int body,
                          double rotation[9]) {
  const StBodyDesc *desc = &description->body[body];
  int first = st_rigid_first_carrier(desc);
  const double *rest = desc->mesh->position + 3 * first, *now = state->position + 3 * first;
  for (int b = 0; b < body; b++)
    now += 3 * description->body[b].mesh->vertex_count;
  double from[9], to[9], inverse[9] = {0};
  for (int k = 0; k < 9; k++) {
    from[k] = rest[3 * (k % 3 + 1) + k / 3] - rest[k / 3];
    to[k] = now[3 * (k % 3 + 1) + k / 3] - now[k / 3];
  }
  mat3_inverse(from, inverse);
  for (int k = 0; k < 9; k++) {
    rotation[k] = 0;
    for (int m = 0; m < 3; m++)
      rotation[k] += to[3 * (k / 3) + m] * inverse[3 * m + k % 3];
  }
}

static StStatus read_ends(StTrial *trial, Ends *ends, StError *error) {
  const StReport *report = st_simulation_report(trial->simulation);
  StSnapshot state;
  ends->energy = report->total_energy;
  vec3_copy(report->angular_momentum, ends->momentum);
  ST_TRY(st_trial_state(trial, &state, error));
  for (int b = 0; b < 2 && b < trial->description->body_count; b++)
    read_rotation(trial->description, &state, b, ends->rotation[b]);
  st_snapshot_free(&state);
  return ST_OK;
}

static StStatus turn(const Turning *turning, double step, Ends *ends, StError *error) {
  StTrial trial = {0};
  StStatus status = parse(turning, step, &trial.description, error);
  if (status == ST_OK)
    status = st_simulation_create(trial.description, NULL, &trial.simulation, error);
  if (status == ST_OK) {
    const StReport *report = st_simulation_report(trial.simulation);
    ends->first_energy = report->total_energy;
    vec3_copy(report->angular_momentum, ends->first_momentum);
    status = st_trial_run(&trial, 0, error);
  }
  if (status == ST_OK)
    status = read_ends(&trial, ends, error);
  st_trial_end(&trial);
  return status;
}

static double angle_between(const double a[9], const double b[9]) {
  double sum = 0;
  for (int k = 0; k < 9; k++)
    sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum / 2); // of small angles
}

// With two steps: how far each is from the truth, and what of that is allowed.
static StStatus compare(StVerify *verify, const Turning *turning, int body, const double truth[9],
                        Ends ends[2], StError *error) {
  for (int i = 0; i < 2 && body == 0; i++)
    ST_TRY(turn(turning, turning->step / (i + 1), &ends[i], error));
  double allowed = angle_between(ends[0].rotation[body], ends[1].rotation[body]);
  st_verify_bound(verify, "rad", angle_between(ends[1].rotation[body], truth), allowed,
                  "%s, h = %g s%s: off its ODE", turning->name, turning->step / 2,
                  body > 0 ? ", second" : "");
  return ST_OK;
}

static double box_inertia(double mass, double a, double b) {
  return mass / 12 * (a * a + b * b);
}

// 6 kg; the middle axis is y. Solved closely: what Newton's method leaves at its default tolerance
// adds up over thousands of steps to more than the integrator loses.
static StStatus run_flip(StVerify *verify, StError *error) {
  const Turning turning = {
      "middle axis",
      "\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"gravity\": 0, "
      "\"solver\": {\"velocity_tolerance\": 1e-9}, \"bodies\": {\"box\": "
      "{\"shape\": {\"type\": \"box\", \"size_x\": 0.3, \"size_y\": 0.2, \"size_z\": 0.1, "
      "\"edge\": "
      "0.3}, \"angular_velocity\": [0.01, 10, 0.01]}}",
      1e-3, 2};
  StSpinner truth = {
      .inertia = {box_inertia(6, 0.2, 0.1), box_inertia(6, 0.3, 0.1), box_inertia(6, 0.3, 0.2)},
      .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
      .spin = {0.01, 10, 0.01}};
  Ends ends[2];
  st_spinner_advance(&truth, turning.duration, ODE_STEPS);
  ST_TRY(compare(verify, &turning, 0, truth.rotation, ends, error));
  double lost[2], change[3];
  for (int i = 0; i < 2; i++)
    lost[i] = fabs(ends[i].energy / ends[i].first_energy - 1);
  vec3_sub(ends[1].momentum, ends[1].first_momentum, change);
  // Of second order as well: of half the step a quarter is left, up to what the first step differs.
  st_verify_bound(verify, "", lost[1], lost[0] / 2, "middle axis: energy lost, as a part");
  st_verify_bound(verify, "", vec3_length(change) / vec3_length(ends[1].first_momentum),
                  lost[0] / 2, "middle axis: angular momentum lost, as a part");
  return ST_OK;
}

static const char *const ROD = "{\"shape\": {\"type\": \"box\", \"size_x\": 1, \"size_y\": 0.1, "
                               "\"size_z\": 0.1, \"edge\": 1}, \"translate\": [%g, %g, 0]}";

static StStatus add_rods(StText *text, int count, StError *error) {
  st_text_add(text, "\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"bodies\": {");
  for (int i = 0; i < count; i++) {
    st_text_add(text, "%s\"rod%d\": ", i ? ", " : "", i);
    st_text_add(text, ROD, 0.5 + i, 0.15 * i); // beside each other, not to touch
  }
  st_text_add(text, "}, \"joints\": {\"pin\": {\"type\": \"hinge\", \"axis\": \"y\", \"from\": "
                    "{\"body\": \"rod0\", \"point\": [0, 0, 0]}}");
  if (count > 1)
    st_text_add(text, ", \"elbow\": {\"type\": \"hinge\", \"axis\": \"y\", \"from\": {\"body\": "
                      "\"rod0\", \"point\": [1, 0, 0]}, \"to\": {\"body\": \"rod1\"}}");
  st_text_add(text, "}");
  return text->failed ? st_fail_memory(error) : ST_OK;
}

static StStatus run_pendulum(StVerify *verify, StError *error) {
  StText text = {0};
  ST_TRY(add_rods(&text, 1, error));
  const Turning turning = {"pendulum", text.data, 0.01, 3};
  double across = box_inertia(10, 1, 0.1) + 2.5;
  StSpinner truth = {.inertia = {box_inertia(10, 0.1, 0.1), across, across},
                     .moment = {5, 0, 0},
                     .gravity = {0, 0, -gravity},
                     .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  Ends ends[2];
  st_spinner_advance(&truth, turning.duration, ODE_STEPS);
  StStatus status = compare(verify, &turning, 0, truth.rotation, ends, error);
  st_text_free(&text);
  return status;
}

// Angles from the downward vertical to a rotation about y of a rod that lies along x at rest.
static void rod_rotation(double angle, double rotation[9]) {
  mat3_rotation((double[3]){0, 1, 0}, half_turn / 2 - angle, rotation);
}

static StStatus run_two_rods(StVerify *verify, StError *error) {
  StText text = {0};
  ST_TRY(add_rods(&text, 2, error));
  const Turning turning = {"double pendulum", text.data, 0.005, 1.5};
  StTwoRods truth = {.mass = 10,
                     .length = 1,
                     .inertia = box_inertia(10, 1, 0.1),
                     .gravity = gravity,
                     .angle = {half_turn / 2, half_turn / 2}};
  Ends ends[2];
  double rotation[2][9];
  st_two_rods_advance(&truth, turning.duration, ODE_STEPS);
  for (int b = 0; b < 2; b++)
    rod_rotation(truth.angle[b], rotation[b]);
  StStatus status = ST_OK;
  for (int b = 0; b < 2 && status == ST_OK; b++)
    status = compare(verify, &turning, b, rotation[b], ends, error);
  st_text_free(&text);
  return status;
}

// A square plate on a massless stem, leaning by 30°, spun about its own axis, which is x at rest.
static StStatus run_top(StVerify *verify, StError *error) {
  const Turning turning = {
      "top",
      "\"materials\": {\"m\": {\"law\": \"rigid\"}}, \"bodies\": {\"top\": {\"shape\": {\"type\": "
      "\"box\", \"size_x\": 0.02, \"size_y\": 0.1, \"size_z\": 0.1, \"edge\": 0.1}, \"translate\": "
      "[0.05, 0, 0], \"angular_velocity\": [200, 0, 0], \"velocity\": [0, 0, 0]}}, \"joints\": "
      "{\"tip\": {\"type\": \"ball\", \"from\": {\"body\": \"top\", \"point\": [0, 0, 0]}}}",
      5e-4, 1};
  double mass = 0.2, across = box_inertia(mass, 0.02, 0.1) + mass * 0.05 * 0.05;
  double along = box_inertia(mass, 0.1, 0.1);
  StSpinner truth = {.inertia = {along, across, across},
                     .moment = {mass * 0.05, 0, 0},
                     .gravity = {0, 0, -gravity},
                     .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                     .spin = {200, 0, 0}};
  Ends ends[2];
  st_spinner_advance(&truth, turning.duration, ODE_STEPS);
  ST_TRY(compare(verify, &turning, 0, truth.rotation, ends, error));
  double turned[3];
  for (int i = 0; i < 3; i++) {
    const double *R = i < 2 ? ends[i].rotation[0] : truth.rotation;
    turned[i] = atan2(R[3], R[0]) / turning.duration;
  }
  st_verify_compare(verify, "rad/s", turned[2], turned[1], fabs(turned[0] - turned[1]) / turned[2],
                    "top: precesses");
  // Of a fast top, without the nodding of one that was let go at rest.
  double rate = mass * gravity * 0.05 / (along * 200);
  st_verify_compare(verify, "rad/s", rate, turned[1], NAN, "top: precesses, by the rule");
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  ST_TRY(run_flip(verify, error));
  ST_TRY(run_pendulum(verify, error));
  ST_TRY(run_two_rods(verify, error));
  return run_top(verify, error);
}

const StVerifyCase st_verify_rigid_turns = {
    .name = "rigid_turns",
    .summary = "Rigid bodies: a box that turns over about its middle axis, a pendulum, two rods "
               "that hang from each other, and a top, against their equations of motion.",
    .run = run,
};
