// The same scene at four sizes under similarity (lengths s, Young's modulus s, times √s; the same
// density and gravity) with nothing given for thickness, stiffness, sticking speed and tolerances:
// the defaults must scale along, so that the outcome divided by s is the same.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/client.h"

static void add_block(double s, StictionBuild *build) {
  double root = sqrt(s);
  StictionPart *jelly = stiction_build_add_material(build, "jelly", "stable_neo_hookean");
  stiction_part_set_number(jelly, "young", 2e5 * s);
  stiction_part_set_number(jelly, "poisson", 0.4);
  stiction_part_set_number(jelly, "density", 1000);
  StictionPart *block = stiction_build_add_body(build, "block", NULL);
  StictionPart *box = stiction_part_set_shape(block, "box");
  stiction_part_set_number(box, "size_x", 0.3 * s);
  stiction_part_set_number(box, "size_y", 0.2 * s);
  stiction_part_set_number(box, "size_z", 0.1 * s);
  stiction_part_set_number(box, "edge", 0.1 * s);
  stiction_part_set_vector(block, "translate", 0, 0, 0.08 * s);
  stiction_part_set_vector(block, "velocity", 0.8 * root, 0, -0.3 * root);
}

// A soft block thrown onto the floor, on which it bounces and slides, by default settings. Frames
// scale along, since steps end on them.
static StictionBuild *build_scene(const StVerify *verify, double s) {
  static const char *const modes[] = {"implicit", "implicit_fixed_basis", "lagged"};
  const StVerifySettings *settings = &verify->settings;
  StictionBuild *build = NULL;
  stiction_build_create(&build);
  add_block(s, build);
  stiction_part_set_shape(stiction_build_add_obstacle(build, "floor", NULL), "half_space");
  stiction_part_set_text(stiction_build_add_friction(build, "jelly", NULL, 0.3), "stick",
                         verify->stick);
  StictionPart *contact = stiction_build_settings(build, "contact");
  stiction_part_set_text(contact, "method", verify->method);
  stiction_part_set_text(contact, "friction", modes[settings->friction]);
  if (settings->friction == ST_FRICTION_LAGGED)
    stiction_part_set_number(contact, "friction_iterations", settings->friction_iterations);
  StictionPart *time = stiction_build_settings(build, "time");
  stiction_part_set_number(time, "duration", 0.5 * sqrt(s));
  stiction_part_set_number(time, "step", 0.005 * sqrt(s));
  stiction_part_set_number(time, "frame_rate", 20 / sqrt(s));
  return build;
}

// How far it went and how high it lies, both over s.
static StStatus run_size(const StVerify *verify, double s, double outcome[2], StError *error) {
  ST_FINALLY(st_client_end) StClient client = {0};
  ST_TRY(st_client_start(verify, build_scene(verify, s), &client, error));
  ST_TRY(st_client_run(&client, 0, error));
  const double *centre = stiction_simulation_report(client.simulation)->centre_of_mass;
  outcome[0] = centre[0] / s;
  outcome[1] = centre[2] / s;
  return ST_OK;
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
