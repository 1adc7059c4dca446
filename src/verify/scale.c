// The same scene at four sizes under similarity (lengths s, Young's modulus s, times √s; the same
// density and gravity) with nothing given for thickness, stiffness, sticking speed and tolerances:
// the defaults must scale along, so that the outcome divided by s is the same.
#include "verify/list.h"

#include "base/memory.h"
#include "base/text.h"
#include "scene/scene.h"
#include "verify/trial.h"

// A soft block thrown onto the floor, on which it bounces and slides. Frames scale along, since
// steps end on them.
static void write_scene(const StVerify *verify, double s, StText *text) {
  double root = sqrt(s);
  st_text_add(text,
              "{ \"materials\": { \"jelly\": { \"law\": \"stable_neo_hookean\", \"young\": %.17g,\n"
              "  \"poisson\": 0.4, \"density\": 1000 } },\n",
              2e5 * s);
  st_text_add(text,
              "  \"bodies\": { \"block\": { \"shape\": { \"type\": \"box\", \"size_x\": %.17g,\n"
              "    \"size_y\": %.17g, \"size_z\": %.17g, \"edge\": %.17g },\n"
              "    \"translate\": [0, 0, %.17g], \"velocity\": [%.17g, 0, %.17g] } },\n",
              0.3 * s, 0.2 * s, 0.1 * s, 0.1 * s, 0.08 * s, 0.8 * root, -0.3 * root);
  st_text_add(text,
              "  \"obstacles\": { \"floor\": { \"shape\": { \"type\": \"half_space\" } } },\n"
              "  \"friction\": [ { \"between\": [\"jelly\", \"any\"], \"dynamic\": 0.3,\n"
              "    \"stick\": \"%s\" } ],\n"
              "  \"contact\": { \"method\": \"%s\" },\n"
              "  \"time\": { \"duration\": %.17g, \"step\": %.17g,\n"
              "    \"frame_rate\": %.17g } }\n",
              verify->stick, verify->method, 0.5 * root, 0.005 * root, 20 / root);
}

static StStatus parse(const StVerify *verify, double s, StTrial *trial, StError *error) {
  StText text = {0};
  write_scene(verify, s, &text);
  StStatus status = text.failed ? st_fail_memory(error)
                                : st_scene_parse("scale.json", text.data, text.length, NULL, NULL,
                                                 &trial->description, error);
  st_text_free(&text);
  if (status == ST_OK) {
    trial->description->contact_settings.friction = verify->settings.friction;
    trial->description->contact_settings.friction_iterations = verify->settings.friction_iterations;
  }
  return status;
}

// How far it went and how high it lies, both over s.
static StStatus run_size(const StVerify *verify, double s, double outcome[2], StError *error) {
  StTrial trial = {0};
  StStatus status = parse(verify, s, &trial, error);
  if (status == ST_OK)
    status = st_simulation_create(trial.description, NULL, &trial.simulation, error);
  if (status == ST_OK)
    status = st_trial_run(&trial, 0, error);
  if (status == ST_OK) {
    const double *centre = st_simulation_report(trial.simulation)->centre_of_mass;
    outcome[0] = centre[0] / s;
    outcome[1] = centre[2] / s;
  }
  st_trial_end(&trial);
  return status;
}

static StStatus run(StVerify *verify, StError *error) {
  static const double size[] = {10, 0.1, 0.01};
  double one[2], other[2];
  // A hundred steps, each solved to 1e-6 of the scene's own speed.
  const double allowed = 100 * 1e-6;
  ST_TRY(run_size(verify, 1, one, error));
  for (int i = 0; i < ST_LENGTH(size); i++) {
    ST_TRY(run_size(verify, size[i], other, error));
    st_verify_compare(verify, "", one[0], other[0], allowed, "size %g: way/size, as at size 1",
                      size[i]);
    st_verify_compare(verify, "", one[1], other[1], allowed, "size %g: height/size, as at size 1",
                      size[i]);
  }
  return ST_OK;
}

const StVerifyCase st_verify_scale = {
    .name = "scale",
    .summary = "The same scene at sizes 10, 1, 0.1 and 0.01 with default thickness, stiffness, "
               "sticking speed and tolerances: the outcome relative to the size is the same.",
    .both = true,
    .has_friction = true,
    .run = run,
};
