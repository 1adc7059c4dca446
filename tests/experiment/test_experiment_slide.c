// The block slide at reduced length: implicit friction stops where it must, whatever the start;
// lagged friction goes too far, by as much as it must. And the lab: cases that have ended stay,
// interrupted ones go on.
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define PI 3.14159265358979323846

// The block: 0.1 m/s down 10° with friction 0.177, contact 1 mm thick, steps of 0.1 s.
static const double speed = 0.1, mu = 0.177, thickness = 1e-3, step = 0.1;
static const double sticking_speed = 1e-4;

static double pull(void) {
  return 9.81 * cos(10 * PI / 180);
}

static double slowing(void) {
  return mu * pull() - 9.81 * sin(10 * PI / 180);
}

typedef enum Figure { DISTANCE, TIME } Figure;

static const Cell *look(const Result *result, Figure figure, const char *integrator,
                        const char *start, const char *friction) {
  const char *const text[] = {integrator, start, friction};
  const Table *table = result->table[figure];
  long row = experiment_row(table, text, 3);
  assert_true(row >= 0);
  return &table->cell[row * table->column_count + 3];
}

static double stop(const Result *result, Figure figure, const char *integrator, const char *start,
                   const char *friction) {
  const Cell *cell = look(result, figure, integrator, start, friction);
  return cell->text ? NAN : cell->value;
}

// As far as it slides when friction takes the same of it in every step. Backward Euler falls short
// by half a step at the first speed.
static double way(double first_speed, bool euler) {
  return first_speed * first_speed / (2 * slowing()) - (euler ? first_speed * step / 2 : 0);
}

// Friction takes μ times what the floor gives, and the floor gives weight × time plus what stops a
// fall: falling by `drop` costs μ drop of the way. Rest is met within a step, less than a h² off,
// and creep below the sticking speed is not looked at.
static double allowed(double drop) {
  return slowing() * step * step + mu * drop + sticking_speed * sticking_speed / slowing();
}

#define NEAR(value, expected, most) assert_true(fabs((value) - (expected)) <= (most))

// With one lag every step has the normal force of the one before: all in all, friction has that of
// the start instead of that of the end, for one step. `share`: of the weight, at the start.
static double blind_speed(double share) {
  return speed + mu * pull() * step * (1 - share);
}

// The floor's force at the start over the weight.
static double first_share(Stiction *session, const char *name) {
  char path[100];
  StictionRecording *recording = NULL;
  snprintf(path, sizeof path, "slide/%s", name);
  assert_int_equal(stiction_recording_open(session, path, &recording), STICTION_OK);
  const double *normal = stiction_recording_column(recording, "normal(block|slope)");
  assert_non_null(normal);
  double share = normal[0] / (1000 * pull());
  stiction_recording_free(recording);
  return share;
}

static void check_implicit(const Result *result) {
  const char *const starts[] = {"settled", "disturbed", "cold"};
  const double drop[] = {0, 0.005 * thickness, thickness / 2};
  for (int i = 0; i < 3; i++) {
    NEAR(stop(result, DISTANCE, "be", starts[i], "implicit"), way(speed, true), allowed(drop[i]));
    NEAR(stop(result, TIME, "be", starts[i], "implicit"), speed / slowing(), step);
  }
  NEAR(stop(result, DISTANCE, "tr", "settled", "implicit"), way(speed, false), allowed(0));
  NEAR(stop(result, DISTANCE, "tr_decoupled", "settled", "implicit"), way(speed, false),
       allowed(0));
}

// From rest to rest nothing changes the normal force: friction that lags is as good. Else it starts
// with the wrong one, and the block goes as far as one that was faster.
static void check_lagged(Stiction *session, const Result *result) {
  NEAR(stop(result, DISTANCE, "be", "settled", "lagged ×1"), way(speed, true), allowed(0));
  double share = first_share(session, "be-disturbed-lagged1-h0.1"), fast = blind_speed(share);
  assert_true(share > 0.9 && share < 1);
  NEAR(stop(result, DISTANCE, "be", "disturbed", "lagged ×1"), way(fast, true),
       allowed(0.005 * thickness));
  // Cold, there is no force at the start. It would stop after 42 s; the run ends before.
  fast = blind_speed(0);
  const Cell *cell = look(result, DISTANCE, "be", "cold", "lagged ×1");
  double end = 17, place = fast * end - slowing() * end * (end + step) / 2;
  assert_non_null(cell->text);
  assert_int_equal(strncmp(cell->text, "> ", 2), 0);
  NEAR(strtod(cell->text + 2, NULL), place, allowed(thickness / 2) + 5e-4); // four digits shown
  assert_string_equal(look(result, TIME, "be", "cold", "lagged ×1")->text, "> 17");
}

// How the trapezoidal rules end is not known beforehand: they ring on. With a lag they start
// blind as well, which takes them beyond where they would be without.
static void check_ringing(const Result *result) {
  const char *const rules[] = {"tr", "tr_decoupled"};
  for (int i = 0; i < 2; i++) {
    double at[2];
    for (int lag = 0; lag < 2; lag++) {
      const Cell *cell =
          look(result, DISTANCE, rules[i], "disturbed", lag ? "lagged ×1" : "implicit");
      at[lag] = cell->text ? strtod(cell->text + 2, NULL) : cell->value;
      print_message("%s, disturbed, %d lags: %s%.4f m\n", rules[i], lag, cell->text ? "> " : "",
                    at[lag]);
    }
    assert_true(at[1] > at[0]);
  }
}

typedef struct Watch {
  int runs, finished;
  volatile sig_atomic_t stop;
  int stop_after; // progress calls; 0: never
} Watch;

static void watch_runs(void *context, const Moment *moment) {
  Watch *watch = context;
  watch->runs += moment->run != NULL;
  watch->finished = moment->cases_done;
  if (watch->stop_after > 0 && watch->runs >= watch->stop_after)
    watch->stop = 1;
}

static bool said(const Result *result, const char *text) {
  for (size_t i = 0; i < result->note_count; i++)
    if (strstr(result->note[i], text))
      return true;
  return false;
}

static const ExperimentSetting reduced[] = {
    {"duration", 17}, {"shortest_step", 0.1}, {"most_lags", 1}};

static void it_stops_where_it_must(void **state) {
  Watch watch = {0};
  LabSettings settings = experiment_settings("block-slide", "slide", reduced, 3);
  settings.progress = watch_runs;
  settings.context = &watch;
  Result result = experiment_run(*state, &settings);
  check_implicit(&result);
  check_lagged(*state, &result);
  check_ringing(&result);
  assert_int_equal(result.plot_count, 2);
  assert_true(is_there("slide/distance.svg"));
  assert_true(is_there("slide/be-cold-implicit-h0.1/scene.json"));
  assert_int_equal(watch.finished, 15);
  result_free(&result);
}

static char *read_file(const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(getdelim(&text, &size, 0, file) > 0);
  fclose(file);
  return text;
}

static void ended_cases_are_kept(void **state) {
  Watch watch = {0};
  LabSettings settings = experiment_settings("block-slide", "slide", reduced, 3);
  settings.progress = watch_runs;
  settings.context = &watch;
  char *before = read_file("slide/summary.json");
  Result result = experiment_run(*state, &settings);
  char *after = read_file("slide/summary.json");
  assert_int_equal(watch.runs, 0);
  assert_string_equal(before, after);
  result_free(&result);
  free(before);
  free(after);
  // Another scene is another case; what was not asked for is not run, but shown as it is there.
  settings.value[experiment_param(settings.experiment, "disturbance")] = 0.01;
  settings.only = "be-disturbed-implicit-*";
  result = experiment_run(*state, &settings);
  assert_true(watch.runs > 100 && watch.runs < 200);
  assert_string_equal(look(&result, DISTANCE, "be", "disturbed", "lagged ×1")->text, "not run");
  assert_string_equal(look(&result, TIME, "be", "disturbed", "lagged ×1")->text, "not run");
  assert_true(said(&result, "Not run: be-disturbed-lagged1-h0.1, "));
  result_free(&result);
}

static void interrupted_cases_go_on(void **state) {
  Watch watch = {.stop_after = 240}; // in the first case after that which settles
  char error[1024];
  LabSettings settings = experiment_settings("block-slide", "broken", reduced, 3);
  settings.only = "be-settled-implicit-*";
  settings.progress = watch_runs;
  settings.context = &watch;
  settings.stop = &watch.stop;
  Result result;
  assert_int_equal(lab_run(&settings, *state, &result, error), STICTION_INTERRUPTED);
  result_free(&result);
  assert_false(is_there("broken/summary.json"));
  settings.stop = NULL;
  // Looked up only, it is there in part.
  settings.only = "";
  result = experiment_run(*state, &settings);
  assert_string_equal(look(&result, DISTANCE, "be", "settled", "implicit")->text, "unfinished");
  assert_non_null(strstr(look(&result, TIME, "be", "settled", "implicit")->text, "unfinished at "));
  assert_true(said(&result, "Case be-settled-implicit-h0.1 is unfinished: it has "));
  result_free(&result);
  settings.only = "be-settled-implicit-*";
  watch = (Watch){0};
  result = experiment_run(*state, &settings);
  NEAR(stop(&result, DISTANCE, "be", "settled", "implicit"), way(speed, true), allowed(0));
  result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_stops_where_it_must),
      cmocka_unit_test(ended_cases_are_kept),
      cmocka_unit_test(interrupted_cases_go_on),
  };
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
