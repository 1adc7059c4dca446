// A sheet of cloth falls flat through air and follows v_t tanh(g t/v_t), v_t² = 2 m g/(ρ c A); a
// thin solid of the same form and weight ends at v_t too. A wind w across a sheet that nothing
// holds takes it along, with w − v = w/(1 + w t/l), l = 2 m/(ρ c A); one along it does not.
#include "base/memory.h"
#include "verify/list.h"

#include "math/vec3.h"
#include "verify/client.h"

static const double density = 1.2, coefficient = 1.2, side = 0.4, area_density = 0.15;

static double final_speed(void) {
  return sqrt(2 * area_density * ST_VERIFY_GRAVITY / (density * coefficient));
}

// wind: along x and z
static void fill_air(double wind_x, double wind_z, StictionBuild *build) {
  StictionPart *air = stiction_build_add_force(build, "drag");
  stiction_part_set_number(air, "density", density);
  stiction_part_set_number(air, "coefficient", coefficient);
  stiction_part_set_number(air, "wind_x", wind_x);
  stiction_part_set_number(air, "wind_z", wind_z);
}

static void add_sheet(StictionBuild *build) {
  StictionPart *cloth = stiction_build_add_material(build, "cloth", "membrane");
  stiction_part_set_number(cloth, "young", 1000);
  stiction_part_set_number(cloth, "poisson", 0);
  stiction_part_set_number(cloth, "area_density", area_density);
  stiction_part_set_number(cloth, "bending", 1e-4);
  StictionPart *sheet =
      stiction_part_set_shape(stiction_build_add_body(build, "sheet", NULL), "sheet");
  stiction_part_set_number(sheet, "width", side);
  stiction_part_set_number(sheet, "length", side);
  stiction_part_set_number(sheet, "cells_x", 4);
  stiction_part_set_number(sheet, "cells_y", 4);
}

// Of foam, so stiff that it does not ring: backward Euler damps the rest.
static void add_plate(StictionBuild *build) {
  const double thickness = 5e-3;
  StictionPart *foam = stiction_build_add_material(build, "foam", NULL);
  stiction_part_set_number(foam, "young", 1e8);
  stiction_part_set_number(foam, "poisson", 0);
  stiction_part_set_number(foam, "density", area_density / thickness);
  StictionPart *box = stiction_part_set_shape(stiction_build_add_body(build, "plate", NULL), "box");
  stiction_part_set_number(box, "size_x", side);
  stiction_part_set_number(box, "size_y", side);
  stiction_part_set_number(box, "size_z", thickness);
  stiction_part_set_number(box, "cells_x", 2);
  stiction_part_set_number(box, "cells_y", 2);
  stiction_part_set_number(box, "cells_z", 1);
}

// Frees the build.
static StStatus fall(const StVerify *verify, StictionBuild *build, double gravity,
                     double velocity[3], StError *error) {
  ST_FINALLY(st_client_end) StClient client = {0};
  stiction_part_set_number(stiction_build_root(build), "gravity", gravity);
  ST_TRY(st_client_start(verify, build, &client, error));
  ST_TRY(st_client_run(&client, 0, error));
  vec3_copy(stiction_simulation_report(client.simulation)->body[0].velocity, velocity);
  return ST_OK;
}

// The solution by backward Euler of v' = g (1 − v²/v_t²): the root of a quadratic in every step.
static double euler_speed(double step, int count) {
  double a = ST_VERIFY_GRAVITY * step / (final_speed() * final_speed()), v = 0;
  for (int i = 0; i < count; i++)
    v = (sqrt(1 + 4 * a * (v + ST_VERIFY_GRAVITY * step)) - 1) / (2 * a);
  return v;
}

enum { STEPS = 50 };

// Until tanh(1) of the final speed. Falling flat, every vertex does the same, so that the remaining
// is the solver's tolerance with backward Euler (50 steps of 1e-9 m/s), and (h g/v_t)² with a
// method of second order.
static StStatus fall_flat(StVerify *verify, StError *error) {
  double time = final_speed() / ST_VERIFY_GRAVITY, step = time / STEPS, velocity[3];
  StictionBuild *build = st_client_build("be", step, time, 1e-9);
  fill_air(0, 0, build);
  add_sheet(build);
  ST_TRY(fall(verify, build, ST_VERIFY_GRAVITY, velocity, error));
  st_verify_compare(verify, "m/s", euler_speed(step, STEPS), -velocity[2], 1e-6,
                    "sheet, be: speed of the scheme after %d steps", (int)STEPS);
  build = st_client_build("tr_bdf2", step, time, 1e-9);
  fill_air(0, 0, build);
  add_sheet(build);
  ST_TRY(fall(verify, build, ST_VERIFY_GRAVITY, velocity, error));
  st_verify_compare(verify, "m/s", final_speed() * tanh(1), -velocity[2], 1.0 / (STEPS * STEPS),
                    "sheet, tr_bdf2: v tanh(1)");
  return ST_OK;
}

// After ten times v_t/g the rest of the way to the final speed is 2 e⁻²⁰.
static StStatus fall_far(StVerify *verify, StError *error) {
  double time = 10 * final_speed() / ST_VERIFY_GRAVITY, velocity[3];
  StictionBuild *build = st_client_build("be", time / STEPS, time, 1e-9);
  fill_air(0, 0, build);
  add_plate(build);
  ST_TRY(fall(verify, build, ST_VERIFY_GRAVITY, velocity, error));
  st_verify_compare(verify, "m/s", final_speed(), -velocity[2], 1e-6, "thin solid: final speed");
  return ST_OK;
}

// Along the sheet it finds nothing to push at; across it, half of its speed is left after l/w.
static StStatus blow(StVerify *verify, StError *error) {
  double velocity[3];
  StictionBuild *build = st_client_build("be", 0.05, 1, 1e-9);
  fill_air(20, 0, build);
  add_sheet(build);
  ST_TRY(fall(verify, build, 0, velocity, error));
  st_verify_bound(verify, "m/s", fabs(velocity[0]), 0, "sheet along the wind: speed");
  double wind = 2, time = 2 * area_density / (density * coefficient) / wind;
  build = st_client_build("tr_bdf2", time / STEPS, time, 1e-9);
  fill_air(0, wind, build);
  add_sheet(build);
  ST_TRY(fall(verify, build, 0, velocity, error));
  st_verify_compare(verify, "m/s", wind / 2, velocity[2], 1.0 / (STEPS * STEPS),
                    "sheet across the wind: speed");
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  ST_TRY(fall_flat(verify, error));
  ST_TRY(fall_far(verify, error));
  return blow(verify, error);
}

const StVerifyCase st_verify_drag = {
    .name = "drag",
    .summary = "A flat sheet falls through air with v tanh(g t/v), a thin solid of the same weight "
               "ends at the same speed v, and wind carries along a sheet that faces it.",
    .run = run,
};
