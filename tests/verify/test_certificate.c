// The certificate and the read-out of contact on a block whose forces are known: at rest, pushed,
// started cold with implicit and with lagged friction, and begun inside the floor.
#include "output/run.h"
#include "output/scratch.h"
#include "solve/runtime.h"
#include "step/certificate.h"
#include "support/slope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double MU = 0.4, GRAVITY = 9.81, EPSILON = 1e-4;
static const double WIDTH = 0.3, HEIGHT = 0.1, DENSITY = 1000, THICKNESS = 1e-3;

static double weight(void) {
  return WIDTH * WIDTH * HEIGHT * DENSITY * GRAVITY;
}

// A flat block with `gap` below it. Stiffness damping calms it in a few steps.
static Slope flat_block(double h, double duration, double gap) {
  return (Slope){.world = {.grid = {.cells = {3, 3, 1},
                                    .low = {0, 0, gap},
                                    .high = {WIDTH, WIDTH, gap + HEIGHT}},
                           .young = 1e6,
                           .poisson = 0.3,
                           .density = DENSITY,
                           .stiffness_damping = 0.01,
                           .integrator = "be",
                           .step = h,
                           .duration = duration,
                           .solver = ST_SOLVER_DIRECT},
                 .gravity = GRAVITY,
                 .mu = MU,
                 .epsilon = EPSILON,
                 .thickness = THICKNESS,
                 .stiffness = 1e6};
}

typedef struct Ran {
  StDescription *description;
  StSimulation *simulation;
  const StReport *report;
} Ran;

static Ran begin(const Slope *slope) {
  Ran ran = {.description = slope_create(slope)};
  ran.description->contact_settings.max_repeats = 20;
  ran.simulation = world_start(ran.description);
  ran.report = st_simulation_report(ran.simulation);
  return ran;
}

static void end(Ran *ran) {
  st_simulation_destroy(ran->simulation);
  st_description_destroy(ran->description);
}

static StSnapshot snapshot_with_forces(StSimulation *simulation) {
  StSnapshot snapshot;
  StError error = {0};
  assert_int_equal(st_simulation_snapshot(simulation, true, false, &snapshot, &error), ST_OK);
  return snapshot;
}

static double sum_axis(const StSnapshot *snapshot, const char *force, int axis) {
  double sum = 0;
  for (int f = 0; f < snapshot->force_count; f++)
    for (int v = 0; v < snapshot->vertex_count && strcmp(snapshot->force_name[f], force) == 0; v++)
      sum += snapshot->force[f][3 * v + axis];
  return sum;
}

// What always holds with implicit friction.
static void assert_lawful(const StContactReport *contact) {
  assert_true(contact->cone_violation <= 1e-12 * (1 + contact->normal_force));
  assert_true(contact->friction_power <= 0);
  assert_true(contact->normal_force_error == 0);
  assert_true(contact->pair_net_force == 0);
  assert_true(contact->deepest_gap >= 0);
}

// All weight is on sixteen vertices that stick, and the read-outs agree with each other.
static void check_weight(const StReport *report) {
  const StContactReport *contact = &report->contact;
  print_message("h = %g: normal force / weight - 1 = %.1e, creep %.1e m/s\n", report->h,
                contact->normal_force / weight() - 1, contact->creep_speed);
  assert_true(fabs(contact->normal_force / weight() - 1) < 1e-6);
  assert_int_equal(contact->touching, 16);
  assert_int_equal(contact->sticking, 16);
  assert_true(contact->creep_speed < EPSILON);
  assert_true(contact->sticking_speed == EPSILON);
  assert_int_equal(report->pair_count, 1);
  assert_string_equal(report->pair[0].name, "box|floor");
  assert_true(report->pair[0].normal_force == contact->normal_force);
}

static void check_fields(const StSnapshot *snapshot, double normal_force) {
  double sum = 0;
  int touching = 0;
  for (int v = 0; v < snapshot->vertex_count; v++) {
    bool touches = snapshot->contact_state[v] != ST_CONTACT_FREE;
    sum += snapshot->contact_normal_force[v];
    touching += touches;
    assert_true(touches == (snapshot->contact_gap[v] < THICKNESS));
    assert_true(touches || snapshot->contact_gap[v] == THICKNESS);
    assert_true(touches || snapshot->slip_speed[v] == 0);
  }
  assert_int_equal(touching, 16);
  assert_true(fabs(sum / normal_force - 1) < 1e-14);
  assert_true(fabs(sum_axis(snapshot, "contact", 2) / normal_force - 1) < 1e-14);
}

static void run_lawfully(Ran *ran) {
  while (!st_simulation_finished(ran->simulation)) {
    world_step(ran->simulation);
    if (ran->report->contact.touching)
      assert_lawful(&ran->report->contact);
  }
}

// Settled with long steps; then short ones carry the same.
static void weight_is_carried_whatever_the_step(void **state) {
  (void)state;
  Slope slope = flat_block(0.1, 3, 0.5 * THICKNESS);
  Ran ran = begin(&slope);
  run_lawfully(&ran);
  check_weight(ran.report);
  StSnapshot settled = snapshot_with_forces(ran.simulation);
  check_fields(&settled, ran.report->contact.normal_force);
  end(&ran);
  slope = flat_block(0.001, 0.03, 0.5 * THICKNESS);
  ran = begin(&slope);
  StError error = {0};
  assert_int_equal(
      st_simulation_set_state(ran.simulation, settled.position, settled.velocity, &error), ST_OK);
  run_lawfully(&ran);
  check_weight(ran.report);
  st_snapshot_free(&settled);
  settled = snapshot_with_forces(ran.simulation);
  check_fields(&settled, ran.report->contact.normal_force);
  st_snapshot_free(&settled);
  end(&ran);
}

// On a slope steeper than atan μ the block slides: friction is μ times the normal force.
static void sliding_friction_is_mu_times_normal_force(void **state) {
  (void)state;
  Slope slope = flat_block(0.01, 1, 0.5 * THICKNESS);
  slope.angle = atan(0.6);
  Ran ran = begin(&slope);
  run_lawfully(&ran);
  const StContactReport *contact = &ran.report->contact;
  const StPairReport *pair = &ran.report->pair[0];
  print_message("friction / (mu N) - 1 = %.1e, cone violation %.1e N, power %.6g W\n",
                contact->friction_force / (MU * contact->normal_force) - 1, contact->cone_violation,
                contact->friction_power);
  assert_int_equal(contact->sticking, 0);
  assert_true(fabs(contact->friction_force / (MU * contact->normal_force) - 1) < 1e-12);
  assert_true(fabs(contact->normal_force / (weight() * cos(slope.angle)) - 1) < 1e-4);
  assert_true(pair->friction[0] < 0);
  assert_true(fabs(-pair->friction[0] / contact->friction_force - 1) < 1e-6);
  double speed = ran.report->momentum[0] / (weight() / GRAVITY);
  assert_true(fabs(contact->friction_power / (pair->friction[0] * speed) - 1) < 1e-3);
  StSnapshot snapshot = snapshot_with_forces(ran.simulation);
  assert_true(fabs(sum_axis(&snapshot, "friction", 0) / pair->friction[0] - 1) < 1e-13);
  for (int v = 0; v < snapshot.vertex_count; v++)
    if (snapshot.contact_state[v] != ST_CONTACT_FREE) {
      assert_int_equal(snapshot.contact_state[v], ST_CONTACT_SLIDING);
      assert_true(fabs(snapshot.slip_speed[v] / speed - 1) < 1e-2);
    }
  st_snapshot_free(&snapshot);
  end(&ran);
}

// Held by friction at 80 % of its strength, the block creeps at ε (1 - √(1 - 0.8)).
static void held_block_creeps_as_the_law_says(void **state) {
  (void)state;
  Slope slope = flat_block(0.02, 2, 0.5 * THICKNESS);
  slope.angle = atan(0.8 * MU);
  slope.world.young = 1e8;
  Ran ran = begin(&slope);
  world_run(ran.simulation);
  double speed = ran.report->momentum[0] / (weight() / GRAVITY);
  double expected = EPSILON * (1 - sqrt(1 - 0.8));
  print_message("creep %.6g m/s, law says %.6g; largest %.6g\n", speed, expected,
                ran.report->contact.creep_speed);
  assert_true(fabs(speed / expected - 1) < 0.01);
  assert_true(ran.report->contact.creep_speed >= speed);
  assert_true(ran.report->contact.creep_speed < EPSILON);
  assert_int_equal(ran.report->contact.sticking, 16);
  end(&ran);
}

static StContactRecord slide_cold(StFrictionMode mode) {
  Slope slope = flat_block(0.01, 0.3, 0.999 * THICKNESS);
  slope.angle = atan(0.6);
  slope.mode = mode;
  Ran ran = begin(&slope);
  world_run(ran.simulation);
  StContactRecord record = *ran.report->record;
  end(&ran);
  return record;
}

// From a cold start the normal force changes from step to step, which lagged friction cannot see.
static void only_lagged_friction_errs_in_a_transient(void **state) {
  (void)state;
  StContactRecord implicit = slide_cold(ST_FRICTION_IMPLICIT);
  StContactRecord lagged = slide_cold(ST_FRICTION_LAGGED);
  print_message("normal force error: implicit %g N, lagged %g N; cone violation: %g N, %g N\n",
                implicit.normal_force_error, lagged.normal_force_error, implicit.cone_violation,
                lagged.cone_violation);
  assert_true(implicit.normal_force_error == 0);
  assert_true(implicit.cone_violation <= 1e-12 * weight());
  assert_true(implicit.friction_power <= 0);
  assert_true(lagged.normal_force_error > 0.01 * weight() / 16);
  assert_true(lagged.cone_violation > 1e-3 * weight() / 16);
  assert_true(lagged.friction_power <= 0);
  assert_true(implicit.deepest_gap >= 0 && lagged.deepest_gap >= 0);
}

// A floor that runs at 1 m/s and stops at once at t = 0.05 s, where a step and a frame end: the
// read-out is of the force that was applied, by a floor that still ran.
static void moving_floor_is_felt_as_it_was(void **state) {
  (void)state;
  Slope slope = flat_block(0.01, 0.1, 0.5 * THICKNESS);
  Ran ran = {.description = slope_create(&slope)};
  StMotion *motion = &ran.description->obstacle[0].motion;
  const double time[] = {0, 0.05}, shift[] = {0, 0, 0, 0.05, 0, 0};
  assert_int_equal(st_motion_set_keys(motion, 2, time, shift, NULL, ST_LINEAR, false, NULL), ST_OK);
  motion->axis[2] = 1;
  ran.description->time.frame_rate = 20;
  ran.simulation = world_start(ran.description);
  ran.report = st_simulation_report(ran.simulation);
  while (!st_simulation_on_frame(ran.simulation) || ran.report->step == 0)
    world_step(ran.simulation);
  assert_true(fabs(ran.report->time - 0.05) < 1e-12);
  const StContactReport *contact = &ran.report->contact;
  StSnapshot snapshot = snapshot_with_forces(ran.simulation);
  print_message("on a running floor: friction %g N, power %g W\n", ran.report->pair[0].friction[0],
                contact->friction_power);
  assert_true(ran.report->pair[0].friction[0] > 0);
  assert_true(fabs(contact->friction_force / (MU * contact->normal_force) - 1) < 1e-12);
  assert_true(contact->friction_power < 0);
  for (int v = 0; v < snapshot.vertex_count; v++)
    assert_true(snapshot.contact_state[v] == ST_CONTACT_FREE || snapshot.slip_speed[v] > 0.5);
  assert_true(fabs(sum_axis(&snapshot, "friction", 0) / ran.report->pair[0].friction[0] - 1) <
              1e-12);
  st_snapshot_free(&snapshot);
  world_step(ran.simulation);
  assert_true(ran.report->pair[0].friction[0] < 0);
  end(&ran);
}

static void soft_contact_is_stiffened_and_said_so(void **state) {
  (void)state;
  Slope slope = flat_block(0.02, 0.2, 2 * THICKNESS);
  slope.stiffness = 1;
  Ran ran = begin(&slope);
  char words[400];
  assert_true(isnan(ran.report->contact.deepest_gap));
  st_certificate_words(ran.description, ran.report->record, words, sizeof words);
  assert_string_equal(words, "By contact's own measure nothing touched.");
  world_run(ran.simulation);
  const StContactRecord *record = ran.report->record;
  print_message("%ld repeats, stiffness grew %g-fold, deepest gap %g m\n", record->repeats,
                record->stiffness_growth, record->deepest_gap);
  assert_true(record->repeats > 0);
  assert_true(record->stiffness_growth > 10);
  assert_true(record->deepest_gap >= 0);
  assert_int_equal(record->overlapping_steps, 0);
  st_certificate_words(ran.description, record, words, sizeof words);
  assert_non_null(strstr(words, "By contact's own measure the smallest gap was "));
  end(&ran);
}

static void overlap_at_the_start_is_named(void **state) {
  (void)state;
  Slope slope = flat_block(0.001, 0.2, -0.5 * THICKNESS);
  slope.stiffness = 1e7;
  Ran ran = begin(&slope);
  char words[400];
  assert_true(ran.report->contact.deepest_gap < 0);
  world_step(ran.simulation);
  assert_true(ran.report->record->overlapping);
  st_certificate_words(ran.description, ran.report->record, words, sizeof words);
  assert_non_null(strstr(words, "still being pushed out at t = 0.001 s"));
  assert_non_null(strstr(words, "of body \"box\""));
  world_run(ran.simulation);
  const StContactRecord *record = ran.report->record;
  assert_false(record->overlapping);
  assert_true(record->overlapping_steps > 0);
  st_certificate_words(ran.description, record, words, sizeof words);
  print_message("%s\n", words);
  assert_non_null(
      strstr(words, "By contact's own measure the overlap the scene began with lasted"));
  end(&ran);
}

// The files of a whole run tell of contact.
static void run_writes_the_certificate(void **state) {
  (void)state;
  Slope slope = flat_block(0.02, 0.1, 0.5 * THICKNESS);
  StDescription *d = slope_create(&slope);
  d->output.forces = true;
  StRunOptions options = {.folder = scratch("run")};
  StError error = {0};
  assert_int_equal(st_run(d, &options, &error), ST_OK);
  st_description_destroy(d);
  static const struct {
    const char *file, *text;
  } expected[] = {{"run/history.csv", ",cone_violation [N],"},
                  {"run/history.csv", ",normal(box|floor) [N],"},
                  {"run/summary.json", "\"verdict\": \"Checked at the start and after each of "},
                  {"run/frames/frame_00001.vtu", "contact_state"},
                  {"run/history.csv", ",obstacle_crossings,vertices_inside,inverted_tets,"},
                  {"run/frames/frame_00001.vtu", "findings"},
                  {"run/frames/frame_00001.vtu", "inverted"},
                  {"run/frames/frame_00001.vtu", "force_friction"}};
  for (int i = 0; i < ST_LENGTH(expected); i++) {
    size_t size;
    char *text = scratch_read(scratch(expected[i].file), &size);
    assert_non_null(memmem(text, size, expected[i].text, strlen(expected[i].text)));
    free(text);
  }
}

static void check_resumed(const Slope *slope) {
  Ran first = begin(slope), second = begin(slope);
  while (!st_simulation_finished(first.simulation) && first.report->step < 8)
    world_step(first.simulation);
  StCheckpoint checkpoint;
  StError error = {0};
  assert_int_equal(st_simulation_checkpoint(first.simulation, &checkpoint, &error), ST_OK);
  assert_int_equal(st_simulation_restore(second.simulation, &checkpoint, &error), ST_OK);
  st_checkpoint_free(&checkpoint);
  assert_true(second.report->contact.normal_force == first.report->contact.normal_force);
  assert_memory_equal(&first.report->contact.deepest_gap, &second.report->contact.deepest_gap,
                      sizeof(double));
  world_run(first.simulation);
  world_run(second.simulation);
  assert_true(first.report->record->repeats > 0);
  assert_memory_equal(first.report->record, second.report->record, sizeof(StContactRecord));
  assert_memory_equal(first.report->centre_of_mass, second.report->centre_of_mass,
                      sizeof first.report->centre_of_mass);
  assert_true(first.report->contact.friction_force == second.report->contact.friction_force);
  end(&first);
  end(&second);
}

// A run that goes on from a checkpoint goes the same way, to the bit, and so does the record.
static void record_survives_a_checkpoint(void **state) {
  (void)state;
  Slope slope = flat_block(0.01, 0.2, 2 * THICKNESS);
  slope.angle = 0.3;
  slope.stiffness = 1;
  check_resumed(&slope);
  slope.world.integrator = "tr";
  slope.mode = ST_FRICTION_LAGGED;
  slope.friction_iterations = 2;
  check_resumed(&slope);
}

int main(void) {
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weight_is_carried_whatever_the_step),
      cmocka_unit_test(sliding_friction_is_mu_times_normal_force),
      cmocka_unit_test(held_block_creeps_as_the_law_says),
      cmocka_unit_test(only_lagged_friction_errs_in_a_transient),
      cmocka_unit_test(soft_contact_is_stiffened_and_said_so),
      cmocka_unit_test(overlap_at_the_start_is_named),
      cmocka_unit_test(moving_floor_is_felt_as_it_was),
      cmocka_unit_test(run_writes_the_certificate),
      cmocka_unit_test(record_survives_a_checkpoint),
  };
  int failed = cmocka_run_group_tests(tests, scratch_begin, scratch_end);
  st_runtime_stop();
  return failed;
}
