// A sheet of cloth falls flat through air and follows v_t tanh(g t/v_t), v_t² = 2 m g/(ρ c A); a
// thin solid of the same form and weight ends at v_t too. A wind w across a sheet that nothing
// holds takes it along, with w − v = w/(1 + w t/l), l = 2 m/(ρ c A); one along it does not.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/trial.h"

// Values of the force, in the order of its list.
enum { DENSITY, COEFFICIENT, WIND_X, WIND_Y, WIND_Z };

static const double density = 1.2, coefficient = 1.2, side = 0.4, area_density = 0.15;

static double final_speed(void) {
  return sqrt(2 * area_density * ST_VERIFY_GRAVITY / (density * coefficient));
}

// wind: along x or z, the others of its axes being zero
static void fill_air(StWorld *world, int axis, double wind) {
  StForceDesc *air = st_world_add_force(world, "drag", -1);
  if (!air)
    return;
  air->choice.value[DENSITY] = density;
  air->choice.value[COEFFICIENT] = coefficient;
  air->choice.value[axis] = wind;
}

static void add_sheet(StWorld *world) {
  const StCloth cloth = {.young = 1000, .area_density = area_density, .bending = 1e-4};
  const double value[] = {side, side, 0, 4, 4, 0};
  StMesh *mesh = st_world_surface(world, "sheet", value, ST_LENGTH(value), (double[3]){0, 0, 0});
  st_world_add_body(world, "sheet", mesh, st_world_add_cloth(world, &cloth));
}

// Of foam, so stiff that it does not ring: backward Euler damps what is left.
static void add_plate(StWorld *world) {
  const double thickness = 5e-3;
  const StWorldMaterial foam = {.young = 1e8, .density = area_density / thickness};
  const double value[] = {side, side, thickness, 0, 2, 2, 1};
  StMesh *mesh = st_world_shape(world, "box", value, ST_LENGTH(value), (double[3]){0, 0, 0});
  st_world_add_body(world, "plate", mesh, st_world_add_material(world, &foam));
}

static StStatus fall(StWorld *world, const char *integrator, double step, double duration,
                     double gravity, double velocity[3], StError *error) {
  StTrial trial;
  st_world_set_time(world, integrator, step, duration);
  st_world_set_tolerance(world, 1e-9);
  if (world->description)
    world->description->gravity[2] = -gravity;
  StStatus status = st_trial_start(world, &trial, error);
  if (status == ST_OK)
    status = st_trial_run(&trial, 0, error);
  if (status == ST_OK)
    st_trial_velocity(&trial, velocity);
  st_trial_end(&trial);
  return status;
}

// What backward Euler makes of v' = g (1 − v²/v_t²): the root of a quadratic in every step.
static double euler_speed(double step, int count) {
  double a = ST_VERIFY_GRAVITY * step / (final_speed() * final_speed()), v = 0;
  for (int i = 0; i < count; i++)
    v = (sqrt(1 + 4 * a * (v + ST_VERIFY_GRAVITY * step)) - 1) / (2 * a);
  return v;
}

enum { STEPS = 50 };

// Until tanh(1) of the final speed. Falling flat, every vertex does the same, so that what is left
// is the solver's tolerance with backward Euler (50 steps of 1e-9 m/s), and (h g/v_t)² with a
// method of second order.
static StStatus fall_flat(StVerify *verify, StError *error) {
  double time = final_speed() / ST_VERIFY_GRAVITY, step = time / STEPS, velocity[3];
  StWorld world = st_world_begin();
  fill_air(&world, WIND_X, 0);
  add_sheet(&world);
  ST_TRY(fall(&world, "be", step, time, ST_VERIFY_GRAVITY, velocity, error));
  st_verify_compare(verify, "m/s", euler_speed(step, STEPS), -velocity[2], 1e-6,
                    "sheet, be: speed of the scheme after %d steps", (int)STEPS);
  world = st_world_begin();
  fill_air(&world, WIND_X, 0);
  add_sheet(&world);
  ST_TRY(fall(&world, "tr_bdf2", step, time, ST_VERIFY_GRAVITY, velocity, error));
  st_verify_compare(verify, "m/s", final_speed() * tanh(1), -velocity[2], 1.0 / (STEPS * STEPS),
                    "sheet, tr_bdf2: v tanh(1)");
  return ST_OK;
}

// After ten times v_t/g the rest of the way to the final speed is 2 e⁻²⁰.
static StStatus fall_far(StVerify *verify, StError *error) {
  double time = 10 * final_speed() / ST_VERIFY_GRAVITY, velocity[3];
  StWorld world = st_world_begin();
  fill_air(&world, WIND_X, 0);
  add_plate(&world);
  ST_TRY(fall(&world, "be", time / STEPS, time, ST_VERIFY_GRAVITY, velocity, error));
  st_verify_compare(verify, "m/s", final_speed(), -velocity[2], 1e-6, "thin solid: final speed");
  return ST_OK;
}

// Along the sheet it finds nothing to push at; across it, half of its speed is left after l/w.
static StStatus blow(StVerify *verify, StError *error) {
  double velocity[3];
  StWorld world = st_world_begin();
  fill_air(&world, WIND_X, 20);
  add_sheet(&world);
  ST_TRY(fall(&world, "be", 0.05, 1, 0, velocity, error));
  st_verify_bound(verify, "m/s", fabs(velocity[0]), 0, "sheet along the wind: speed");
  double wind = 2, time = 2 * area_density / (density * coefficient) / wind;
  world = st_world_begin();
  fill_air(&world, WIND_Z, wind);
  add_sheet(&world);
  ST_TRY(fall(&world, "tr_bdf2", time / STEPS, time, 0, velocity, error));
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
