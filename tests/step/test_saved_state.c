// What lasts from step to step, in a checkpoint and back; what is measured of a state; on one rank.
#include "base/memory.h"
#include "solve/runtime.h"
#include "step/saved_state.h"
#include "step/fields.h"
#include "step/measure.h"
#include "support/small_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct Fixture {
  SmallWorld world;
  StSystem *system;
  StBoundary *boundary;
  StStageProblem *stage;
  StLinear *linear;
  StSpinLoss *spin_loss;
  StReactions *reactions;
} Fixture;

static void start(Fixture *f) {
  StError error = {0};
  StLinearOptions options = {.method = ST_LINEAR_ILU, .may_change = true, .max_iterations = 100};
  small_world_start(&f->world);
  assert_int_equal(st_system_create(&f->world.description, &f->system, &error), ST_OK);
  assert_int_equal(
      st_boundary_create(&f->world.description, f->system->piece, &f->boundary, &error), ST_OK);
  assert_int_equal(st_stage_create(f->system, &f->stage, &error), ST_OK);
  assert_int_equal(st_linear_create(&f->stage->problem, &options, &f->linear, &error), ST_OK);
  assert_int_equal(st_spin_loss_create(&f->world.description, &f->spin_loss, &error), ST_OK);
  assert_int_equal(st_reactions_create(f->system, f->boundary, &f->reactions, &error), ST_OK);
}

static void stop(Fixture *f) {
  st_reactions_destroy(f->reactions);
  st_spin_loss_destroy(f->spin_loss);
  st_linear_destroy(f->linear);
  st_stage_destroy(f->stage);
  st_boundary_destroy(f->boundary);
  st_system_destroy(f->system);
  small_world_stop(&f->world);
}

// Where on the ladder of linear methods a run stands comes back, what the judge found, and what a
// body lost of its rotation; bytes of another scene do not.
static void the_ladder_is_in_the_checkpoint(void **state) {
  (void)state;
  Fixture f;
  start(&f);
  StRunMemory run = {0};
  StJudgeRecord judged = {.steps = 5, .found = 2};
  StSavedState saved = {.linear = f.linear,
                        .system = f.system,
                        .run = &run,
                        .spin_loss = f.spin_loss,
                        .reactions = f.reactions,
                        .judged = &judged,
                        .factors = &(StFactors){0}};
  StCheckpoint checkpoint = {0};
  StError error = {0};
  st_linear_restore(f.linear, (StLinearMemory){.price = 3, .iterating = {7, 8}});
  f.spin_loss->of_body[0] = (StSpun){.energy = 3, .lost = 2, .highest = 5};
  assert_int_equal(st_saved_state_pack(&saved, &checkpoint, &error), ST_OK);
  st_linear_restore(f.linear, (StLinearMemory){.price = 4});
  f.spin_loss->of_body[0].lost = 0;
  judged.found = 0;
  assert_int_equal(st_saved_state_unpack(&saved, &checkpoint, &error), ST_OK);
  assert_true(st_linear_memory(f.linear).price == 3);
  assert_true(f.spin_loss->of_body[0].lost == 2);
  assert_int_equal(judged.steps, 5);
  assert_int_equal(judged.found, 2);
  assert_int_equal(st_linear_memory(f.linear).iterating.left, 7);
  checkpoint.extra_size--;
  assert_int_equal(st_saved_state_unpack(&saved, &checkpoint, &error), ST_BAD_INPUT);
  assert_int_equal(st_linear_memory(f.linear).iterating.left, 7); // and nothing is touched
  st_checkpoint_free(&checkpoint);
  assert_null(checkpoint.extra);
  stop(&f);
}

// Records with these bytes in and between their members, but with bodies of the scene.
typedef struct Records {
  StRunMemory run;
  StJudgeRecord judged;
  StCertificate certificate;
} Records;

static void fill(Records *records, int byte) {
  memset(records, byte, sizeof *records);
  records->run.spin.body = -1;
  for (int k = 0; k < ST_FOUND_KINDS; k++) {
    StFindingRecord *finding = &records->judged.kind[k];
    finding->body = 0;
    finding->other = finding->obstacle = -1;
  }
}

static StSavedState state_of(const Fixture *f, Records *records, const StFactors *factors) {
  return (StSavedState){.linear = f->linear,
                        .system = f->system,
                        .certificate = &records->certificate,
                        .run = &records->run,
                        .spin_loss = f->spin_loss,
                        .reactions = f->reactions,
                        .judged = &records->judged,
                        .factors = factors};
}

// False where the compiler cannot do it.
static bool clear_padding(Records *records) {
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&records->run);
  __builtin_clear_padding(&records->certificate.record);
  for (int k = 0; k < ST_FOUND_KINDS; k++) // GCC 12 clears other bytes of an array of records
    __builtin_clear_padding(&records->judged.kind[k]);
  return true;
#else
  (void)records;
  return false;
#endif
}

// The checksum of a checkpoint depends on the state alone, not on what lies between the members of
// its records; and all members come back.
static void equal_states_have_equal_bytes(void **state) {
  (void)state;
  Fixture f;
  Records records, same, back;
  const StFactors none = {0};
  StCheckpoint one = {0}, two = {0};
  StError error = {0};
  fill(&records, 1);
  memcpy(&same, &records, sizeof same);
  if (!clear_padding(&same))
    skip();
  start(&f);
  StSavedState saved = state_of(&f, &records, &none), clean = state_of(&f, &same, &none);
  assert_int_equal(st_saved_state_pack(&saved, &one, &error), ST_OK);
  assert_int_equal(st_saved_state_pack(&clean, &two, &error), ST_OK);
  assert_int_equal(one.extra_size, two.extra_size);
  assert_memory_equal(one.extra, two.extra, one.extra_size);

  memset(&back, 0, sizeof back);
  saved = state_of(&f, &back, &none);
  assert_int_equal(st_saved_state_unpack(&saved, &one, &error), ST_OK);
  clear_padding(&back);
  assert_memory_equal(&back.run, &same.run, sizeof same.run);
  assert_memory_equal(&back.judged, &same.judged, sizeof same.judged);
  assert_memory_equal(&back.certificate.record, &same.certificate.record,
                      sizeof same.certificate.record);
  st_checkpoint_free(&one);
  st_checkpoint_free(&two);
  stop(&f);
}

// A verdict would name them.
static void findings_are_of_the_scene(void **state) {
  (void)state;
  Fixture f;
  start(&f);
  const StFindingRecord finding[] = {{.states = 1, .body = 0, .other = -1, .obstacle = -1},
                                     {.states = 1, .body = 1, .other = -1, .obstacle = -1},
                                     {.states = 1, .body = -1, .other = -1, .obstacle = -1},
                                     {.states = 1, .body = 0, .other = 1 << 30, .obstacle = -1},
                                     {.states = -1, .body = 0, .other = -1, .obstacle = 7}};
  for (int i = 0; i < ST_LENGTH(finding); i++) {
    StRunMemory run = {0};
    StJudgeRecord judged = {.steps = 5, .found = 2};
    StSavedState saved = {.linear = f.linear,
                          .system = f.system,
                          .run = &run,
                          .spin_loss = f.spin_loss,
                          .reactions = f.reactions,
                          .judged = &judged,
                          .factors = &(StFactors){0}};
    StCheckpoint checkpoint = {0};
    StError error = {0};
    judged.kind[ST_FOUND_INVERTED] = finding[i];
    assert_int_equal(st_saved_state_pack(&saved, &checkpoint, &error), ST_OK);
    assert_int_equal(st_saved_state_unpack(&saved, &checkpoint, &error), i ? ST_BAD_INPUT : ST_OK);
    st_checkpoint_free(&checkpoint);
  }
  stop(&f);
}

// Of the bar at rest but for a uniform velocity, all is known by hand.
static void a_moving_bar_is_measured(void **state) {
  (void)state;
  Fixture f;
  start(&f);
  const StPiece *piece = f.system->piece;
  double velocity[64], mass = 0, height = 0;
  for (int i = 0; i < 3 * piece->vertex_count; i++)
    velocity[i] = i % 3 == 0 ? 3 : 0;
  for (int i = 0; i < piece->vertex_count; i++) {
    mass += piece->mass[i];
    height += piece->mass[i] * piece->rest[3 * i + 2];
  }
  StPoint at = {.position = piece->rest, .velocity = velocity};
  StMeasure *measure = NULL;
  StReport report = {0};
  assert_int_equal(st_measure_create(f.system, &measure, NULL), ST_OK);
  st_measure_take(measure, &at, &report);
  assert_true(fabs(mass - 2000) < 1e-9);
  assert_true(fabs(report.kinetic_energy - 0.5 * mass * 9) < 1e-9);
  assert_true(fabs(report.momentum[0] - 3 * mass) < 1e-9);
  assert_true(fabs(report.momentum[1]) < 1e-9 && fabs(report.momentum[2]) < 1e-9);
  assert_true(fabs(report.angular_momentum[1] - 3 * height) < 1e-9); // z × v_x
  assert_true(fabs(report.centre_of_mass[2] - height / mass) < 1e-12);
  assert_true(fabs(report.volume - 2) < 1e-12);
  assert_int_equal(report.force_count, f.system->force_count);
  double potential = 0;
  for (int i = 0; i < report.force_count; i++)
    potential += isnan(report.force_energy[i]) ? 0 : report.force_energy[i];
  assert_true(fabs(potential - 9.81 * height) < 1e-6); // gravity alone: nothing is strained
  assert_true(fabs(report.total_energy - report.kinetic_energy - potential) < 1e-6);
  st_measure_destroy(measure);
  stop(&f);
}

// Gravity's field is the weight, and an unstrained bar has no stress.
static void fields_are_those_of_the_forces(void **state) {
  (void)state;
  Fixture f;
  start(&f);
  const StPiece *piece = f.system->piece;
  double velocity[64] = {0}, scratch[64], weight = 0;
  StPoint at = {.position = piece->rest, .velocity = velocity};
  StGather *gather = NULL;
  StSnapshot snapshot = {0};
  StError error = {0};
  assert_int_equal(st_gather_create(piece, &gather, &error), ST_OK);
  assert_int_equal(st_fields_forces(f.system, gather, &at, scratch, &snapshot, &error), ST_OK);
  assert_int_equal(st_fields_stress(f.system, gather, &at, &snapshot, &error), ST_OK);
  for (int k = 0; k < snapshot.force_count; k++)
    if (strcmp(snapshot.force_name[k], "gravity") == 0)
      for (int i = 0; i < piece->vertex_count; i++)
        weight -= snapshot.force[k][3 * i + 2];
  assert_true(fabs(weight - 2000 * 9.81) < 1e-8);
  for (int i = 0; i < 6 * st_gather_tet_total(gather); i++)
    assert_true(fabs(snapshot.stress[i]) < 1e-6); // of a modulus of 1e6
  st_snapshot_free(&snapshot);
  assert_null(snapshot.stress);
  st_gather_destroy(gather);
  stop(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ladder_is_in_the_checkpoint),
      cmocka_unit_test(equal_states_have_equal_bytes),
      cmocka_unit_test(findings_are_of_the_scene),
      cmocka_unit_test(a_moving_bar_is_measured),
      cmocka_unit_test(fields_are_those_of_the_forces),
  };
  StError error;
  if (st_runtime_start(&error) != ST_OK)
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  st_runtime_stop();
  return failed;
}
