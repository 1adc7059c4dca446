// Tables read well on a terminal and as Markdown, and come back whole from JSON. Every descriptor
// is complete, and the experiments without scenes give what their formulas say.
#include "base/memory.h"
#include "experiment/report.h"
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static void fill(StResult *result) {
  static const StColumn column[] = {{"solver", NULL, 0}, {"time", "s", 3}, {"loss", "%", 0}};
  result->experiment = st_copy_string("ball");
  result->summary = st_copy_string("A ball.");
  result->paper = st_copy_string("it is \"round\".");
  result->size = st_copy_string("small");
  result->version = st_copy_string("1.2.3");
  st_result_add_entry(result, "radius", "2 m");
  StResultTable *table = st_result_add_table(result, "Cost", column, 3);
  st_cell_text(table, "a|b");
  st_cell_beside(table, 0.12345, 0.354);
  st_cell_number(table, 27.71234);
  st_cell_text(table, "Lösung");
  st_cell_beside(table, NAN, 61);
  st_cell_number(table, NAN);
  st_cell_text(table, "neither");
  st_cell_lacks(table, "not run", 8);
  st_cell_text(table, "> 2");
  st_result_add_note(result, "Only %d frames.", 7);
  st_result_add_plot(result, "cost.svg");
}

static const char text_expected[] = "Cost\n"
                                    "  solver   time (s)  paper  loss (%)\n"
                                    "  a|b         0.123  0.354     27.71\n"
                                    "  Lösung          –     61         –\n"
                                    "  neither   not run      8       > 2\n"
                                    "\n"
                                    "Only 7 frames.\n"
                                    "The paper: it is \"round\".\n";

static const char markdown_expected[] = "## ball\n\nA ball.\n\nThe paper: it is \"round\".\n\n"
                                        "Size `small`: radius 2 m.\n\nCost\n\n"
                                        "| solver | time (s) | paper | loss (%) |\n"
                                        "| --- | ---: | ---: | ---: |\n"
                                        "| a\\|b | 0.123 | 0.354 | 27.71 |\n"
                                        "| Lösung | – | 61 | – |\n"
                                        "| neither | not run | 8 | > 2 |\n\n"
                                        "Only 7 frames.\n\n"
                                        "![cost.svg](here/cost.svg)\n\n";

static void tables_read_well(void **state) {
  (void)state;
  StResult result = {0};
  StText text = {0}, markdown = {0};
  fill(&result);
  st_result_write_text(&result, &text);
  st_result_write_markdown(&result, "here", &markdown);
  assert_string_equal(text.data, text_expected);
  assert_string_equal(markdown.data, markdown_expected);
  assert_false(result.failed);
  st_text_free(&text);
  st_text_free(&markdown);
  st_result_free(&result);
}

static void summaries_come_back(void **state) {
  (void)state;
  StResult result = {0}, back;
  StText json = {0}, again = {0}, page = {0};
  StError error;
  fill(&result);
  st_result_write_json(&result, &json);
  assert_int_equal(st_folder_create(scratch("ball"), &error), ST_OK);
  const char *path = scratch("ball/summary.json");
  assert_int_equal(st_file_write(path, json.data, json.length, &error), ST_OK);
  assert_int_equal(st_result_read(path, &back, &error), ST_OK);
  st_result_write_json(&back, &again);
  assert_string_equal(json.data, again.data);
  const char *folder = scratch("ball");
  assert_int_equal(st_report_write(&folder, 1, false, &page, &error), ST_OK);
  assert_non_null(strstr(page.data, "## ball\n"));
  assert_null(strstr(page.data, "cost.svg"));
  st_text_free(&json);
  st_text_free(&again);
  st_text_free(&page);
  st_result_free(&result);
  st_result_free(&back);
}

static void other_files_are_refused(void **state) {
  (void)state;
  StResult result;
  StError error;
  const char *path = scratch("other.json");
  assert_int_equal(st_file_write(path, "{\"status\": 1}", 13, &error), ST_OK);
  assert_int_equal(st_result_read(path, &result, &error), ST_BAD_INPUT);
  assert_non_null(strstr(error.text, "no summary of an experiment"));
  st_result_free(&result);
  assert_int_equal(st_result_read(scratch("missing.json"), &result, &error), ST_BAD_INPUT);
  st_result_free(&result);
}

static void descriptors_are_complete(void **state) {
  (void)state;
  for (const StExperiment *const *at = st_experiments; *at; at++) {
    const StExperiment *one = *at;
    assert_ptr_equal(st_experiment_find(one->name), one);
    assert_true(one->summary && one->paper && one->run);
    assert_in_range(one->param_count, 0, ST_EXPERIMENT_PARAMS);
    for (int i = 0; i < one->param_count; i++) {
      assert_int_equal(st_experiment_param(one, one->param[i].name), i);
      assert_non_null(one->param[i].doc);
      assert_false(isnan(one->param[i].fallback));
    }
    for (int i = 0; i < one->preset_count; i++)
      assert_true(st_experiment_param(one, one->preset[i].name) >= 0);
  }
  assert_null(st_experiment_find("nothing"));
}

static void friction_peaks_at_the_static_coefficient(void **state) {
  (void)state;
  const ExperimentSetting set[] = {{"static", 1}, {"dynamic", 0.1}};
  StLabSettings settings = experiment_settings("friction-curves", scratch("curves"), set, 2);
  StResult result = experiment_run(&settings);
  const StResultTable *table = result.table[0];
  for (long row = 0; row < 5; row++) {
    assert_true(fabs(experiment_number(table, row, "peak as used") - 1) < 1e-6);
    assert_true(fabs(experiment_number(table, row, "at v_s") - 0.1) < 1e-12);
  }
  assert_true(fabs(experiment_number(table, 3, "peak of the formula") - 0.975) < 5e-4);
  assert_true(st_file_exists(scratch("curves/friction_curves.svg")));
  st_result_free(&result);
}

// The quadratic one is the weakest when compressed and the strongest when expanded.
static void volume_models_are_in_order(void **state) {
  (void)state;
  StLabSettings settings = experiment_settings("volume-energy", scratch("volume"), NULL, 0);
  StResult result = experiment_run(&settings);
  const StResultTable *table = result.table[0];
  for (size_t row = 0; row < table->cell_count / 7; row++) {
    const StCell *cell = table->cell + 7 * row;
    double quadratic = cell[1].value, liquid = cell[2].value, gas = cell[3].value;
    if (cell[0].value < 1)
      assert_true(quadratic < liquid && liquid < gas);
    else if (cell[0].value > 1)
      assert_true(quadratic > liquid && liquid > gas);
    assert_true(fabs(cell[6].value * cell[0].value - 1) < 1e-12); // P V is constant
    assert_true(fabs(cell[4].value - (2 - cell[0].value)) < 1e-12);
  }
  st_result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_read_well),
      cmocka_unit_test(summaries_come_back),
      cmocka_unit_test(other_files_are_refused),
      cmocka_unit_test(descriptors_are_complete),
      cmocka_unit_test(friction_peaks_at_the_static_coefficient),
      cmocka_unit_test(volume_models_are_in_order),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
