// `stiction list`: everything that can be chosen by name, as text or as JSON.
#include "app/catalogue.h"
#include "app/command.h"
#include "app/options.h"
#include "app/param_text.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "scene/parts.h"

#include <stdio.h>
#include <string.h>

static void add_named(StText *out, const char *name, const char *summary) {
  st_text_add(out, "  %s\n", name);
  st_text_wrap(out, 6, summary);
}

static void add_section(StText *out, StCatalogueSection section) {
  StCatalogueEntry entry;
  st_text_add(out, "%s\n", st_catalogue_names[section]);
  for (int i = 0; st_catalogue_entry(section, i, &entry); i++) {
    if (entry.unit)
      st_text_add(out, "  %-22s %-10s %s\n", entry.name, entry.unit, entry.summary);
    else
      add_named(out, entry.name, entry.summary);
    for (int p = 0; p < entry.param_count; p++)
      st_param_describe(out, &entry.param[p], entry.otherwise[p]);
  }
}

static void add_json_default(StJsonOut *out, const StParam *param) {
  if (param->kind != ST_BOOLEAN && (!param->word || st_param_required(param))) {
    st_json_number(out, "default", param->fallback);
  } else if (param->word) {
    st_json_string(out, "default", param->word[(int)param->fallback]);
  } else {
    st_json_key(out, "default");
    st_text_add(out->text, param->fallback != 0 ? "true" : "false");
  }
}

static void add_json_limits(StJsonOut *out, const StParam *param) {
  if (isfinite(param->min))
    st_json_number(out, param->min_open ? "exclusive_minimum" : "minimum", param->min);
  if (isfinite(param->max))
    st_json_number(out, param->max_open ? "exclusive_maximum" : "maximum", param->max);
}

static void add_json_param(StJsonOut *list, const StParam *param, const char *otherwise) {
  static const char *const kinds[] = {"number", "integer", "boolean", "word"};
  StJsonOut out = st_json_line(list, NULL, '{');
  st_json_string(&out, "name", param->name);
  st_json_string(&out, "kind", kinds[param->kind]);
  st_json_string(&out, "unit", st_dimension_unit(param->dimension));
  add_json_default(&out, param);
  if (param->word) {
    StJsonOut words = st_json_line(&out, "words", '[');
    for (int i = 0; param->word[i]; i++)
      st_json_string(&words, NULL, param->word[i]);
    st_json_end(&words);
  } else if (param->min < param->max) {
    add_json_limits(&out, param);
  }
  if (otherwise)
    st_json_string(&out, "otherwise", otherwise);
  st_json_string(&out, "doc", param->doc);
  st_json_end(&out);
}

static void add_json_entry(StJsonOut *list, const StCatalogueEntry *entry) {
  StJsonOut out = entry->unit ? st_json_line(list, NULL, '{') : st_json_lines(list, NULL, '{');
  st_json_string(&out, "name", entry->name);
  if (entry->unit) {
    st_json_string(&out, "unit", entry->unit);
    st_json_string(&out, "examples", entry->summary);
  } else {
    st_json_string(&out, "summary", entry->summary);
    StJsonOut parameters = st_json_lines(&out, "parameters", '[');
    for (int p = 0; p < entry->param_count; p++)
      add_json_param(&parameters, &entry->param[p], entry->otherwise[p]);
    st_json_end(&parameters);
  }
  st_json_end(&out);
}

static void add_json_section(StJsonOut *out, StCatalogueSection section) {
  StCatalogueEntry entry;
  StJsonOut list = st_json_lines(out, st_catalogue_names[section], '[');
  for (int i = 0; st_catalogue_entry(section, i, &entry); i++)
    add_json_entry(&list, &entry);
  st_json_end(&list);
}

static void add_json_tunables(StJsonOut *out) {
  StJsonOut list = st_json_lines(out, "tunables", '[');
  for (const StTunableTable *const *table = st_tunable_tables; *table; table++)
    for (int i = 0; i < (*table)->count; i++) {
      const StTunable *tunable = &(*table)->row[i];
      StJsonOut one = st_json_line(&list, NULL, '{');
      st_json_string(&one, "name", tunable->name);
      st_json_string(&one, "layer", (*table)->layer);
      st_json_number(&one, "value", tunable->initial);
      st_json_string(&one, "unit", tunable->unit);
      st_json_string(&one, "meaning", tunable->meaning);
      st_json_string(&one, "reason", tunable->reason);
      st_json_end(&one);
    }
  st_json_end(&list);
}

// Writes one section, all of them for ST_CATALOGUE_SECTIONS, or the tunables.
static void add_json(StText *text, StCatalogueSection only, bool tunables) {
  StJsonOut out = st_json_begin(text, '{', 2);
  if (tunables)
    add_json_tunables(&out);
  for (int s = 0; s < ST_CATALOGUE_SECTIONS && !tunables; s++)
    if (only == ST_CATALOGUE_SECTIONS || s == (int)only)
      add_json_section(&out, (StCatalogueSection)s);
  st_json_end(&out);
  st_text_add(text, "\n");
}

static void add_sections(StText *out, StCatalogueSection only) {
  for (int s = 0; s < ST_CATALOGUE_SECTIONS; s++)
    if (only == ST_CATALOGUE_SECTIONS || s == (int)only) {
      st_text_add(out, out->length ? "\n" : "");
      add_section(out, (StCatalogueSection)s);
    }
}

static void add_tunable(StText *out, const StTunable *tunable) {
  st_text_add(out, "  %s = %.6g%s%s\n", tunable->name, tunable->initial,
              tunable->unit[0] ? " " : "", tunable->unit);
  st_text_wrap(out, 6, tunable->meaning);
  st_text_wrap(out, 6, tunable->reason);
}

static void add_tunables(StText *out) {
  for (const StTunableTable *const *table = st_tunable_tables; *table; table++) {
    st_text_add(out, "%s%s\n", table == st_tunable_tables ? "" : "\n", (*table)->layer);
    for (int i = 0; i < (*table)->count; i++)
      add_tunable(out, &(*table)->row[i]);
  }
}

static int run_list(int argc, char **argv) {
  bool json = false, tunables = false;
  const char *word = NULL;
  const StArgument option[] = {{.name = "json", .flag = &json},
                               {.name = "tunables", .flag = &tunables}};
  int words = 0;
  StError error;
  if (st_options_parse(argc, argv, option, ST_LENGTH(option), &word, 1, &words, &error) != ST_OK)
    return st_command_misused("list", "%s", error.text);
  if (words && tunables)
    return st_command_misused("list", "--tunables is a list of its own, not one of '%s'", word);
  int section = 0;
  while (words && section < ST_CATALOGUE_SECTIONS && strcmp(st_catalogue_names[section], word))
    section++;
  if (words && section == ST_CATALOGUE_SECTIONS) {
    st_fail_name("list of", word, st_catalogue_names, ST_CATALOGUE_SECTIONS, &error);
    return st_command_misused("list", "%s", error.text);
  }
  ST_FINALLY(st_text_free) StText out = {0};
  StCatalogueSection only = words ? (StCatalogueSection)section : ST_CATALOGUE_SECTIONS;
  if (json)
    add_json(&out, only, tunables);
  else if (tunables)
    add_tunables(&out);
  else
    add_sections(&out, only);
  return st_command_print(&out);
}

const StCommand st_command_list = {
    .name = "list",
    .summary = "list forces, materials, shells, volumes, shapes and all else that scenes can name",
    .usage =
        "Usage: stiction list [forces|materials|shells|volumes|integrators|solvers|shapes|\n"
        "                      obstacles|units] [--json]\n"
        "       stiction list --tunables [--json]\n"
        "\n"
        "Lists everything that a scene can choose by name, with parameters, defaults, ranges and\n"
        "units (-: no default). Without an argument it lists everything. materials are the laws "
        "of\n"
        "solids, shells those of cloth and shells, volumes the models of gas and liquid.\n"
        "\n"
        "Options:\n"
        "  --json      as JSON, for programs\n"
        "  --tunables  the numbers of the engine that were chosen or fitted, by layer, with their\n"
        "              meaning and reason; `--set tunable.NAME=VALUE` changes one for a run\n"
        "\n"
        "Examples:\n"
        "  stiction list materials\n"
        "  stiction list shapes --json\n",
    .run = run_list,
};
