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

static void add_json_string(StText *out, const char *key, const char *value) {
  st_text_add(out, "\"%s\": ", key);
  st_json_text_add_string(out, value);
}

static void add_json_default(StText *out, const StParam *param) {
  st_text_add(out, ", \"default\": ");
  if (param->kind == ST_BOOLEAN)
    st_text_add(out, "%s", param->fallback != 0 ? "true" : "false");
  else if (param->word && !st_param_required(param))
    st_json_text_add_string(out, param->word[(int)param->fallback]);
  else
    st_json_text_add_number(out, param->fallback);
}

static void add_json_limit(StText *out, const char *key, double limit, bool open) {
  if (isfinite(limit))
    st_text_add(out, ", \"%s%s\": %.17g", open ? "exclusive_" : "", key, limit);
}

static void add_json_param(StText *out, const StParam *param, const char *otherwise) {
  static const char *const kinds[] = {"number", "integer", "boolean", "word"};
  st_text_add(out, "{");
  add_json_string(out, "name", param->name);
  st_text_add(out, ", \"kind\": \"%s\", ", kinds[param->kind]);
  add_json_string(out, "unit", st_dimension_unit(param->dimension));
  add_json_default(out, param);
  if (param->word) {
    st_text_add(out, ", \"words\": [");
    for (int i = 0; param->word[i]; i++) {
      st_text_add(out, i ? ", " : "");
      st_json_text_add_string(out, param->word[i]);
    }
    st_text_add(out, "]");
  } else if (param->min < param->max) {
    add_json_limit(out, "minimum", param->min, param->min_open);
    add_json_limit(out, "maximum", param->max, param->max_open);
  }
  if (otherwise) {
    st_text_add(out, ", ");
    add_json_string(out, "otherwise", otherwise);
  }
  st_text_add(out, ", ");
  add_json_string(out, "doc", param->doc);
  st_text_add(out, "}");
}

static void add_json_entry(StText *out, const StCatalogueEntry *entry) {
  st_text_add(out, "    {");
  add_json_string(out, "name", entry->name);
  st_text_add(out, ", ");
  if (entry->unit) {
    add_json_string(out, "unit", entry->unit);
    st_text_add(out, ", ");
    add_json_string(out, "examples", entry->summary);
    st_text_add(out, "}");
    return;
  }
  add_json_string(out, "summary", entry->summary);
  st_text_add(out, ", \"parameters\": [");
  for (int p = 0; p < entry->param_count; p++) {
    st_text_add(out, p ? ",\n      " : "\n      ");
    add_json_param(out, &entry->param[p], entry->otherwise[p]);
  }
  st_text_add(out, "]}");
}

static void add_json_section(StText *out, StCatalogueSection section) {
  StCatalogueEntry entry;
  st_text_add(out, "  \"%s\": [", st_catalogue_names[section]);
  for (int i = 0; st_catalogue_entry(section, i, &entry); i++) {
    st_text_add(out, i ? ",\n" : "\n");
    add_json_entry(out, &entry);
  }
  st_text_add(out, "\n  ]");
}

// only: one section, or all of them when it is ST_CATALOGUE_SECTIONS.
static void add_catalogue(StText *out, StCatalogueSection only, bool json) {
  bool first = true;
  st_text_add(out, json ? "{\n" : "");
  for (int s = 0; s < ST_CATALOGUE_SECTIONS; s++) {
    if (only != ST_CATALOGUE_SECTIONS && s != (int)only)
      continue;
    st_text_add(out, first ? "" : json ? ",\n" : "\n");
    first = false;
    if (json)
      add_json_section(out, (StCatalogueSection)s);
    else
      add_section(out, (StCatalogueSection)s);
  }
  st_text_add(out, json ? "\n}\n" : "");
}

static void add_tunable(StText *out, const StTunable *tunable) {
  st_text_add(out, "  %s = %.6g%s%s\n", tunable->name, tunable->initial,
              tunable->unit[0] ? " " : "", tunable->unit);
  st_text_wrap(out, 6, tunable->meaning);
  st_text_wrap(out, 6, tunable->reason);
}

static void add_json_tunable(StText *out, const char *layer, const StTunable *tunable) {
  st_text_add(out, "    {");
  add_json_string(out, "name", tunable->name);
  st_text_add(out, ", ");
  add_json_string(out, "layer", layer);
  st_text_add(out, ", \"value\": ");
  st_json_text_add_number(out, tunable->initial);
  st_text_add(out, ", ");
  add_json_string(out, "unit", tunable->unit);
  st_text_add(out, ", ");
  add_json_string(out, "meaning", tunable->meaning);
  st_text_add(out, ", ");
  add_json_string(out, "reason", tunable->reason);
  st_text_add(out, "}");
}

static void add_tunables(StText *out, bool json) {
  const char *between = "\n";
  st_text_add(out, json ? "{\n  \"tunables\": [" : "");
  for (const StTunableTable *const *table = st_tunable_tables; *table; table++) {
    if (!json)
      st_text_add(out, "%s%s\n", table == st_tunable_tables ? "" : "\n", (*table)->layer);
    for (int i = 0; i < (*table)->count; i++, between = ",\n")
      if (json) {
        st_text_add(out, "%s", between);
        add_json_tunable(out, (*table)->layer, &(*table)->row[i]);
      } else
        add_tunable(out, &(*table)->row[i]);
  }
  st_text_add(out, json ? "\n  ]\n}\n" : "");
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
    const char *nearest = st_nearest_name(word, st_catalogue_names, ST_CATALOGUE_SECTIONS);
    return st_command_misused("list", "there is no list of '%s'%s%s%s", word,
                              nearest ? "; did you mean '" : "", nearest ? nearest : "",
                              nearest ? "'?" : "");
  }
  ST_FINALLY(st_text_free) StText out = {0};
  if (tunables)
    add_tunables(&out, json);
  else
    add_catalogue(&out, words ? (StCatalogueSection)section : ST_CATALOGUE_SECTIONS, json);
  if (!out.failed && st_command_prints())
    fputs(out.data, stdout);
  if (!out.failed)
    return ST_EXIT_GOOD;
  st_fail_memory(&error);
  return st_command_fail(&error);
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
