// Tables read well on a terminal, as Markdown and as JSON. Every descriptor is complete, and the
// curves are what their formulas say.
#include "report.h"
#include "support/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static void fill(Result *result) {
  static const Column column[] = {{"solver", NULL, 0}, {"time", "s", 3}, {"loss", "%", 0}};
  result->experiment = copy_text("ball");
  result->summary = copy_text("A ball.");
  result->paper = copy_text("it is \"round\".");
  result->size = copy_text("small");
  result->version = copy_text("1.2.3");
  result_add_entry(result, "radius", "2 m");
  Table *table = result_add_table(result, "Cost", column, 3);
  cell_text(table, "a|b");
  cell_beside(table, 0.12345, 0.354);
  cell_number(table, 27.71234);
  cell_text(table, "Lösung");
  cell_beside(table, NAN, 61);
  cell_number(table, NAN);
  cell_text(table, "neither");
  cell_lacks(table, "not run", 8);
  cell_text(table, "> 2");
  result_add_note(result, "Only %d frames.", 7);
  result_add_plot(result, "cost.svg");
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
                                        "![cost.svg](cost.svg)\n\n";

// What a writer of results writes.
static char *written(void (*write)(const Result *, FILE *), const Result *result) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  write(result, out);
  fclose(out);
  return text;
}

static void tables_read_well(void **state) {
  (void)state;
  Result result = {0};
  fill(&result);
  char *text = written(result_write_text, &result);
  char *markdown = written(result_write_markdown, &result);
  assert_string_equal(text, text_expected);
  assert_string_equal(markdown, markdown_expected);
  free(text);
  free(markdown);
  result_free(&result);
}

static const char json_expected[] =
    "{\n  \"stiction\": \"1.2.3\",\n  \"experiment\": \"ball\",\n  \"summary\": \"A ball.\",\n"
    "  \"paper\": \"it is \\\"round\\\".\",\n  \"size\": \"small\",\n"
    "  \"parameters\": {\n    \"radius\": \"2 m\"\n  },\n  \"tables\": [\n"
    "    {\"title\": \"Cost\",\n     \"columns\": [{\"name\": \"solver\", \"unit\": \"\"}, "
    "{\"name\": \"time\", \"unit\": \"s\", \"digits\": 3}, {\"name\": \"loss\", \"unit\": "
    "\"%\"}],\n"
    "     \"rows\": [\n       [\"a|b\", {\"value\": 0.12345, \"paper\": 0.354}, 27.71234],\n"
    "       [\"Lösung\", {\"value\": null, \"paper\": 61}, null],\n"
    "       [\"neither\", {\"value\": \"not run\", \"paper\": 8}, \"> 2\"]]}\n  ],\n"
    "  \"notes\": [\"Only 7 frames.\"],\n  \"plots\": [\"cost.svg\"]\n}\n";

static void summaries_are_json(void **state) {
  (void)state;
  Result result = {0};
  fill(&result);
  char *json = written(result_write_json, &result);
  assert_string_equal(json, json_expected);
  free(json);
  result_free(&result);
}

static char *report(const char *folder, bool plots) {
  char *page = NULL, *missing = NULL;
  size_t size;
  FILE *out = open_memstream(&page, &size);
  assert_non_null(out);
  if (!report_write(&folder, 1, plots, out, &missing))
    fail_msg("%s", missing);
  fclose(out);
  return page;
}

static void pages_show_plots_where_they_are(void **state) {
  (void)state;
  Result result = {0};
  fill(&result);
  assert_int_equal(system("mkdir -p ball"), 0);
  FILE *file = fopen("ball/summary.md", "w");
  assert_non_null(file);
  result_write_markdown(&result, file);
  fclose(file);
  char *with = report("ball", true), *without = report("ball", false);
  assert_non_null(strstr(with, "Only 7 frames.\n\n![cost.svg](ball/cost.svg)\n\n"));
  assert_non_null(strstr(without, "## ball\n"));
  assert_null(strstr(without, "cost.svg"));
  const char *end = strstr(without, "Only 7 frames.\n\n");
  assert_non_null(end);
  assert_string_equal(end, "Only 7 frames.\n\n");
  free(with);
  free(without);
  const char *nowhere = "nowhere";
  char *missing = NULL;
  assert_false(report_write(&nowhere, 1, true, stdout, &missing));
  assert_string_equal(missing, "nowhere/summary.md");
  free(missing);
  result_free(&result);
}

static void descriptors_are_complete(void **state) {
  (void)state;
  for (const Experiment *const *at = experiments; *at; at++) {
    const Experiment *one = *at;
    assert_ptr_equal(experiment_find(one->name), one);
    assert_true(one->summary && one->paper && one->run);
    assert_in_range(one->param_count, 0, MOST_PARAMS);
    for (int i = 0; i < one->param_count; i++) {
      assert_int_equal(experiment_param(one, one->param[i].name), i);
      assert_non_null(one->param[i].doc);
      assert_false(isnan(one->param[i].fallback));
    }
    for (int i = 0; i < one->preset_count; i++)
      assert_true(experiment_param(one, one->preset[i].name) >= 0);
  }
  assert_null(experiment_find("nothing"));
}

static void friction_peaks_at_the_static_coefficient(void **state) {
  const ExperimentSetting set[] = {{"static", 1}, {"dynamic", 0.1}};
  LabSettings settings = experiment_settings("friction-curves", "curves", set, 2);
  Result result = experiment_run(*state, &settings);
  const Table *table = result.table[0];
  for (long row = 0; row < 5; row++) {
    assert_true(fabs(experiment_number(table, row, "peak as used") - 1) < 1e-6);
    assert_true(fabs(experiment_number(table, row, "at v_s") - 0.1) < 1e-12);
  }
  assert_true(fabs(experiment_number(table, 3, "peak of the formula") - 0.975) < 5e-4);
  assert_true(is_there("curves/friction_curves.svg"));
  result_free(&result);
}

// The quadratic one is the weakest when compressed and the strongest when expanded.
static void volume_models_are_in_order(void **state) {
  LabSettings settings = experiment_settings("volume-energy", "volume", NULL, 0);
  Result result = experiment_run(*state, &settings);
  const Table *table = result.table[0];
  for (size_t row = 0; row < table->cell_count / 7; row++) {
    const Cell *cell = table->cell + 7 * row;
    double quadratic = cell[1].value, liquid = cell[2].value, gas = cell[3].value;
    if (cell[0].value < 1)
      assert_true(quadratic < liquid && liquid < gas);
    else if (cell[0].value > 1)
      assert_true(quadratic > liquid && liquid > gas);
    assert_true(fabs(cell[6].value * cell[0].value - 1) < 1e-12); // P V is constant
    assert_true(fabs(cell[4].value - (2 - cell[0].value)) < 1e-12);
  }
  result_free(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_read_well),
      cmocka_unit_test(summaries_are_json),
      cmocka_unit_test(pages_show_plots_where_they_are),
      cmocka_unit_test(descriptors_are_complete),
      cmocka_unit_test(friction_peaks_at_the_static_coefficient),
      cmocka_unit_test(volume_models_are_in_order),
  };
  return cmocka_run_group_tests(tests, experiment_begin, experiment_end);
}
