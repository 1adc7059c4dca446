// The scene reference of the manual (docs/scene.md), written from the key tables and descriptors.
#include "scene/scene.h"

#include "force/force.h"
#include "scene/tables.h"

#include <string.h>

static const char INTRODUCTION[] =
    "# Scene reference\n"
    "\n"
    "This page lists every key of a scene. It is generated from the tables that the scene reader\n"
    "uses (`stiction schema --reference`), so edit those, not this page. For completion and "
    "checks\n"
    "in your editor, put `\"$schema\": \"path/to/scene.schema.json\"` at the top of a scene\n"
    "(`schema/scene.schema.json`).\n"
    "\n"
    "A scene is a JSON file. `//` starts a comment that lasts to the end of the line. Unknown "
    "keys\n"
    "are errors. Named objects (materials, bodies, boundaries, volumes …) are written\n"
    "`\"name\": {…}`; names of bodies and obstacles must not contain `|`. Paths are relative to "
    "the scene file. z points up. With obstacles or "
    "several\n"
    "bodies there is contact, unless `contact` says otherwise; `stiction check` prints every "
    "default\n"
    "with its reason.\n"
    "\n"
    "```json\n"
    "{\n"
    "  \"title\": \"A soft bar swings from its left end\",\n"
    "  \"materials\": {\n"
    "    \"rubber\": {\"density\": \"1.1 g/cm^3\", \"young\": \"300 kPa\", \"poisson\": 0.45}\n"
    "  },\n"
    "  \"bodies\": {\n"
    "    \"bar\": {\n"
    "      \"shape\": {\"type\": \"box\", \"size_x\": \"40 cm\", \"size_y\": \"8 cm\", \"size_z\": "
    "\"8 cm\", \"edge\": \"2 cm\"},\n"
    "      \"rotate\": {\"axis\": \"y\", \"angle\": \"-30 deg\"} // raised a little\n"
    "    }\n"
    "  },\n"
    "  \"boundaries\": {\n"
    "    \"wall\": {\"body\": \"bar\", \"region\": {\"label\": \"x-\"}, \"hold\": \"fixed\"}\n"
    "  },\n"
    "  \"time\": {\"duration\": \"2 s\", \"step\": \"5 ms\", \"frame_rate\": \"50 Hz\"},\n"
    "  \"integrator\": \"bdf2\"\n"
    "}\n"
    "```\n"
    "\n"
    "## Quantities\n"
    "\n"
    "A quantity is a number in SI units, or a string with a unit: `\"600 kPa\"`, `\"4800 rpm\"`,\n"
    "`\"9.81 m/s^2\"`, `\"4.6e-5 1/atm\"`. Units are multiplied by `*`, `·` or a space and divided "
    "by `/`;\n"
    "exponents are written `^2`, `2` or `²`. Angles are a dimension: `50 Hz` is not an angular "
    "velocity, `50 turn/s` is.\n"
    "Units: m, g, s, N, Pa, J, W, Hz, bar, l, rad with the prefixes G M k h d c m u (µ) n; in, ft, "
    "yd, mi,\n"
    "t, lb, oz, lbf, min, h, atm, psi, deg (°), turn, rev, rpm, mph, %.\n"
    "\n"
    "## Over time\n"
    "\n"
    "Where a key allows it, a quantity may change over time. It is then one of\n"
    "\n"
    "- a constant: `\"3 kPa\"`;\n"
    "- a formula in the time t: `\"5 mm * sin(2*pi*50 Hz*t)\"`, `\"0.2 m/s^2 * t^2\"`. It may use "
    "+ - * / ^, brackets, sin,\n"
    "  cos, tan, exp, log (natural), tanh, sqrt, abs, min, max, pi and units. With units, all "
    "dimensions "
    "must agree and t is\n"
    "  a time; without any, numbers are in SI units and t is in seconds. The rate of change is "
    "exact;\n"
    "- a list of [keys](#key-over-time), linear between them;\n"
    "- an object, a [course](#course): keys with another interpolation, a [sine](#sine) or a "
    "[ramp](#ramp).\n"
    "\n"
    "Interpolations: `smooth` never overshoots a key, starts and ends flat and has a continuous "
    "rate. `cubic` is the usual\n"
    "spline through points (not-a-knot ends): its second derivative is continuous and it follows "
    "samples of a smooth\n"
    "function most closely, but it may overshoot and start with a non-zero rate.\n";

static void add_unit(StText *text, const StParam *param) {
  const char *name = st_dimension_name(param->dimension);
  const char *unit = st_dimension_unit(param->dimension);
  const char *noun = strchr(name, ' '); // without its article
  st_text_add(text, "%s", noun ? noun + 1 : name);
  if (*unit)
    st_text_add(text, ", %s", unit);
}

static void add_words(StText *text, const StKey *key) {
  const char *word, *summary;
  for (int i = 0; st_key_word(key, i, &word, &summary); i++)
    st_text_add(text, "%s`\"%s\"`", i ? ", " : "", word);
}

static void add_scalar(StText *text, const StKey *key) {
  switch (key->param.kind) {
  case ST_REAL: add_unit(text, &key->param); break;
  case ST_INTEGER: st_text_add(text, "whole number"); break;
  case ST_BOOLEAN: st_text_add(text, "`true`, `false`"); break;
  case ST_WORD: add_words(text, key); break;
  }
}

static void add_link(StText *text, const char *name) {
  st_text_add(text, "[%s](#", name);
  for (const char *c = name; *c; c++)
    st_text_add(text, "%c", *c == ' ' ? '-' : *c);
  st_text_add(text, ")");
}

static void add_objects(StText *text, const StKey *key) {
  add_link(text, key->table->name);
  st_text_add(text, " or a list of them");
  if (key->param.word) {
    st_text_add(text, ", or ");
    add_words(text, key);
  }
}

static void add_range(StText *text, const StParam *param) {
  bool number = param->kind == ST_REAL || param->kind == ST_INTEGER;
  if (!number || (param->min == 0 && param->max == 0))
    return;
  if (isfinite(param->min))
    st_text_add(text, ", %s %g", param->min_open ? ">" : "≥", param->min);
  if (isfinite(param->max))
    st_text_add(text, ", %s %g", param->max_open ? "<" : "≤", param->max);
}

static void add_value(StText *text, const StKey *key) {
  switch (key->kind) {
  case ST_KEY_SCALAR:
    add_scalar(text, key);
    add_range(text, &key->param);
    break;
  case ST_KEY_VECTOR:
    st_text_add(text, "list of three%s: ", key->scalar_too ? ", or one" : "");
    add_unit(text, &key->param);
    break;
  case ST_KEY_DIRECTION:
    st_text_add(text, "direction: three numbers, or `\"x\"`, `\"-z\"` …");
    break;
  case ST_KEY_QUANTITY:
    st_text_add(text, "%s", key->units);
    add_range(text, &key->param);
    break;
  case ST_KEY_CURVE:
  case ST_KEY_CURVES:
    st_text_add(text, "%s", key->kind == ST_KEY_CURVES ? "list of three, or one: " : "");
    add_unit(text, &key->param);
    add_range(text, &key->param);
    st_text_add(text, "; [over time](#over-time) too");
    break;
  case ST_KEY_TEXT: st_text_add(text, "text"); break;
  case ST_KEY_PATH:
    st_text_add(text, "path of a file%s", key->numbers_too ? " or list of numbers" : "");
    if (key->table) {
      st_text_add(text, " or ");
      add_link(text, key->table->name);
    }
    break;
  case ST_KEY_NUMBERS: st_text_add(text, "list of numbers"); break;
  case ST_KEY_LABELS: st_text_add(text, "list of names"); break;
  case ST_KEY_NAME: st_text_add(text, "name"); break;
  case ST_KEY_NAMES: st_text_add(text, "name or list of names"); break;
  case ST_KEY_NAME_MAP: st_text_add(text, "`{\"label\": \"name\"}`"); break;
  case ST_KEY_NUMBER_MAP: st_text_add(text, "`{\"name\": number}`"); break;
  case ST_KEY_AXES:
    add_words(text, key);
    st_text_add(text, " or a list of `\"x\"`, `\"y\"`, `\"z\"`");
    break;
  case ST_KEY_OBJECT: add_link(text, key->table->name); break;
  case ST_KEY_OBJECTS: add_objects(text, key); break;
  case ST_KEY_LIST:
    st_text_add(text, "list of ");
    add_link(text, key->table->name);
    break;
  case ST_KEY_MAP:
    st_text_add(text, "name → ");
    add_link(text, key->table->name);
    break;
  }
}

static void add_default(StText *text, const StKey *key) {
  if (key->required)
    st_text_add(text, "**required**");
  else if (key->otherwise)
    st_text_add(text, "%s", key->otherwise);
  else if (isfinite(key->param.fallback)) {
    st_text_add(text, "`");
    st_param_write_default(text, &key->param, key->variant);
    st_text_add(text, "`");
  }
  if (key->why)
    st_text_add(text, ": %s", key->why);
}

static void add_row(StText *text, const StKey *key) {
  st_text_add(text, "| `%s` | ", key->param.name);
  add_value(text, key);
  st_text_add(text, " | ");
  add_default(text, key);
  st_text_add(text, " | %s |\n", key->param.doc);
}

static void add_head(StText *text) {
  st_text_add(text, "\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
}

static void add_variant(StText *text, const StVariant *variant) {
  st_text_add(text, "\n### %s\n\n%s\n", variant->name, variant->summary);
  for (int i = 0; variant->label && variant->label[i]; i++)
    st_text_add(text, "%s`%s`", i ? ", " : "\nLabels for regions: ", variant->label[i]);
  st_text_add(text, variant->label && variant->label[0] ? ".\n" : "");
  if (variant->param_count == 0)
    return;
  add_head(text);
  for (int i = 0; i < variant->param_count; i++) {
    StKey key = {.param = variant->param[i],
                 .kind = variant->param[i].over_time ? ST_KEY_CURVE : ST_KEY_SCALAR,
                 .required = st_param_required(&variant->param[i])};
    add_row(text, &key);
  }
}

static void add_variants(StText *text, const StKey *key) {
  StVariant variant;
  for (int i = 0; key->variant(i, &variant); i++)
    add_variant(text, &variant);
}

static void add_table(StText *text, const StKeyTable *table) {
  st_text_add(text, "\n## %s\n\n%s\n", table->name, table->doc);
  add_head(text);
  for (int i = 0; i < table->key_count; i++)
    add_row(text, &table->key[i]);
  if (table->chooser)
    add_variants(text, table->chooser);
}

// Words with descriptions but without keys: the integrators.
static void add_word_sections(StText *text, const StKeyTable *table) {
  for (int k = 0; k < table->key_count; k++) {
    const StKey *key = &table->key[k];
    if (!key->variant || key == table->chooser)
      continue;
    st_text_add(text, "\n## %s\n\n| word | meaning |\n| --- | --- |\n", key->param.name);
    StVariant variant;
    for (int i = 0; key->variant(i, &variant); i++)
      st_text_add(text, "| `\"%s\"` | %s |\n", variant.name, variant.summary);
  }
}

static void add_forces(StText *text) {
  st_text_add(text, "\n"
                    "## forces\n"
                    "\n"
                    "Forces follow from bodies, materials, contact and gravity, or from the list "
                    "of [force](#force). Their names appear\n"
                    "in the columns of `history.csv` and the fields of the frames.\n"
                    "\n"
                    "| name | what it is |\n"
                    "| --- | --- |\n");
  for (int i = 0; st_force_types[i]; i++)
    st_text_add(text, "| `%s` | %s |\n", st_force_types[i]->name, st_force_types[i]->summary);
}

void st_scene_reference(StText *text) {
  StTableList list;
  st_table_list(&list);
  st_text_add(text, "%s", INTRODUCTION);
  for (int i = 0; i < list.count; i++) {
    add_table(text, list.table[i]);
    add_word_sections(text, list.table[i]);
  }
  add_forces(text);
}
