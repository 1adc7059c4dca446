// The JSON Schema of scenes (draft 2020-12), written from the key tables, so that editors complete
// and check scenes as the reader does.
#include "base/memory.h"
#include "scene/scene.h"

#include "scene/tables.h"

#include <stdio.h>

// Writes JSON with commas and indentation; open and close nest.
typedef struct Writer {
  StText *text;
  int depth;
  bool first; // nothing written yet since the last open
} Writer;

static void quote(Writer *writer, const char *value) {
  st_text_add(writer->text, "\"");
  for (const char *c = value; *c; c++) {
    if (*c == '"' || *c == '\\')
      st_text_add(writer->text, "\\%c", *c);
    else
      st_text_add_bytes(writer->text, c, 1);
  }
  st_text_add(writer->text, "\"");
}

static void start(Writer *writer, const char *key) {
  if (writer->depth)
    st_text_add(writer->text, "%s\n%*s", writer->first ? "" : ",", 2 * writer->depth, "");
  writer->first = false;
  if (key) {
    quote(writer, key);
    st_text_add(writer->text, ": ");
  }
}

static void open(Writer *writer, const char *key, char bracket) {
  start(writer, key);
  st_text_add(writer->text, "%c", bracket);
  writer->depth++;
  writer->first = true;
}

static void shut(Writer *writer, char bracket) {
  writer->depth--;
  if (!writer->first)
    st_text_add(writer->text, "\n%*s", 2 * writer->depth, "");
  st_text_add(writer->text, "%c", bracket);
  writer->first = false;
}

static void add_text(Writer *writer, const char *key, const char *value) {
  start(writer, key);
  quote(writer, value);
}

static void add_raw(Writer *writer, const char *key, const char *json) {
  start(writer, key);
  st_text_add(writer->text, "%s", json);
}

static void add_number(Writer *writer, const char *key, double value) {
  start(writer, key);
  st_text_add(writer->text, "%.10g", value);
}

static void add_reference(Writer *writer, const char *key, const char *name) {
  start(writer, key);
  st_text_add(writer->text, "\"#/$defs/");
  for (const char *c = name; *c; c++)
    st_text_add(writer->text, "%c", *c == ' ' ? '_' : *c);
  st_text_add(writer->text, "\"");
}

// {"$ref": …} as an item of a list or under a key.
static void add_reference_object(Writer *writer, const char *key, const char *name) {
  open(writer, key, '{');
  add_reference(writer, "$ref", name);
  shut(writer, '}');
}

static void add_range(Writer *writer, const StParam *param) {
  if (param->min == 0 && param->max == 0)
    return;
  if (isfinite(param->min))
    add_number(writer, param->min_open ? "exclusiveMinimum" : "minimum", param->min);
  if (isfinite(param->max))
    add_number(writer, param->max_open ? "exclusiveMaximum" : "maximum", param->max);
}

static void add_quantity(Writer *writer, const StParam *param) {
  open(writer, "anyOf", '[');
  open(writer, NULL, '{');
  add_text(writer, "type", "number");
  add_range(writer, param);
  shut(writer, '}');
  add_reference_object(writer, NULL, "quantity");
  shut(writer, ']');
}

static void add_word(Writer *writer, const char *word, const char *summary) {
  open(writer, NULL, '{');
  add_text(writer, "const", word);
  if (summary)
    add_text(writer, "description", summary);
  shut(writer, '}');
}

// Words with their sentences, which editors show while completing.
static void add_words(Writer *writer, const StKey *key) {
  const char *word, *summary;
  open(writer, "oneOf", '[');
  for (int i = 0; st_key_word(key, i, &word, &summary); i++)
    add_word(writer, word, summary);
  shut(writer, ']');
}

static void add_scalar(Writer *writer, const StKey *key) {
  switch (key->param.kind) {
  case ST_REAL: add_quantity(writer, &key->param); break;
  case ST_INTEGER:
    add_text(writer, "type", "integer");
    add_range(writer, &key->param);
    break;
  case ST_BOOLEAN: add_text(writer, "type", "boolean"); break;
  case ST_WORD: add_words(writer, key); break;
  }
}

static void add_triple(Writer *writer, const StParam *param) {
  add_text(writer, "type", "array");
  open(writer, "items", '{');
  add_quantity(writer, param);
  shut(writer, '}');
  add_raw(writer, "minItems", "3");
  add_raw(writer, "maxItems", "3");
}

static void add_vector(Writer *writer, const StKey *key) {
  if (!key->scalar_too) {
    add_triple(writer, &key->param);
    return;
  }
  open(writer, "anyOf", '[');
  open(writer, NULL, '{');
  add_triple(writer, &key->param);
  shut(writer, '}');
  open(writer, NULL, '{');
  add_quantity(writer, &key->param);
  shut(writer, '}');
  shut(writer, ']');
}

static void add_list_of(Writer *writer, const char *name, bool filled) {
  add_text(writer, "type", "array");
  add_reference_object(writer, "items", name);
  if (filled)
    add_raw(writer, "minItems", "1");
}

// One item, or a list of them, or one of the key's own words.
static void add_one_or_list(Writer *writer, const StKey *key, const char *name) {
  const char *word, *summary;
  open(writer, "anyOf", '[');
  for (int i = 0; st_key_word(key, i, &word, &summary); i++)
    add_word(writer, word, summary);
  add_reference_object(writer, NULL, name);
  open(writer, NULL, '{');
  add_list_of(writer, name, true);
  shut(writer, '}');
  shut(writer, ']');
}

static void add_map_of(Writer *writer, const char *name, bool filled) {
  add_text(writer, "type", "object");
  if (filled)
    add_raw(writer, "minProperties", "1");
  add_reference_object(writer, "additionalProperties", name);
}

static void add_over_time(Writer *writer, const StParam *param) {
  open(writer, "anyOf", '[');
  open(writer, NULL, '{');
  add_quantity(writer, param);
  shut(writer, '}');
  add_reference_object(writer, NULL, "formula");
  open(writer, NULL, '{');
  add_list_of(writer, "key over time", true);
  shut(writer, '}');
  add_reference_object(writer, NULL, "course");
}

static void add_curve(Writer *writer, const StKey *key) {
  add_over_time(writer, &key->param);
  shut(writer, ']');
}

static void add_curves(Writer *writer, const StKey *key) {
  add_over_time(writer, &key->param);
  open(writer, NULL, '{');
  add_text(writer, "type", "array");
  open(writer, "items", '{');
  add_curve(writer, key);
  shut(writer, '}');
  add_raw(writer, "minItems", "3");
  add_raw(writer, "maxItems", "3");
  shut(writer, '}');
  shut(writer, ']');
}

// Continues after "type": .
static const char NUMBERS[] = "\"array\", \"items\": {\"type\": \"number\"}";

static void add_path(Writer *writer, const StKey *key) {
  if (!key->table && !key->numbers_too) {
    add_text(writer, "type", "string");
    return;
  }
  open(writer, "anyOf", '[');
  add_raw(writer, NULL, "{\"type\": \"string\"}");
  if (key->table)
    add_reference_object(writer, NULL, key->table->name);
  if (key->numbers_too) {
    open(writer, NULL, '{');
    add_raw(writer, "type", NUMBERS);
    shut(writer, '}');
  }
  shut(writer, ']');
}

static void add_value(Writer *writer, const StKey *key) {
  switch (key->kind) {
  case ST_KEY_SCALAR: add_scalar(writer, key); break;
  case ST_KEY_VECTOR: add_vector(writer, key); break;
  case ST_KEY_DIRECTION: add_reference(writer, "$ref", "direction"); break;
  case ST_KEY_QUANTITY: add_quantity(writer, &key->param); break;
  case ST_KEY_CURVE: add_curve(writer, key); break;
  case ST_KEY_CURVES: add_curves(writer, key); break;
  case ST_KEY_TEXT:
  case ST_KEY_NAME: add_text(writer, "type", "string"); break;
  case ST_KEY_PATH: add_path(writer, key); break;
  case ST_KEY_NUMBERS: add_raw(writer, "type", NUMBERS); break;
  case ST_KEY_LABELS: add_list_of(writer, "name", false); break;
  case ST_KEY_NAMES: add_one_or_list(writer, key, "name"); break;
  case ST_KEY_NAME_MAP: add_map_of(writer, "name", false); break;
  case ST_KEY_NUMBER_MAP: add_map_of(writer, "number", false); break;
  case ST_KEY_AXES: add_one_or_list(writer, key, "axis"); break;
  case ST_KEY_OBJECT: add_reference(writer, "$ref", key->table->name); break;
  case ST_KEY_OBJECTS: add_one_or_list(writer, key, key->table->name); break;
  case ST_KEY_LIST: add_list_of(writer, key->table->name, false); break;
  case ST_KEY_MAP: add_map_of(writer, key->table->name, key->required); break;
  }
}

static void add_description(Writer *writer, const StKey *key) {
  ST_FINALLY(st_text_free) StText text = {0};
  st_text_add(&text, "%s", key->param.doc);
  bool measured = (key->kind == ST_KEY_SCALAR && key->param.kind == ST_REAL) ||
                  key->kind == ST_KEY_VECTOR || key->kind == ST_KEY_CURVE ||
                  key->kind == ST_KEY_CURVES;
  if (measured && *st_dimension_unit(key->param.dimension))
    st_text_add(&text, " In %s, or with a unit: %s.", st_dimension_unit(key->param.dimension),
                st_dimension_examples(key->param.dimension));
  if (key->kind == ST_KEY_QUANTITY)
    st_text_add(&text, " In %s.", key->units);
  if (key->otherwise && *key->otherwise)
    st_text_add(&text, " Default: %s.", key->otherwise);
  writer->text->failed = writer->text->failed || text.failed;
  add_text(writer, "description", text.failed ? "" : text.data);
}

static void add_key(Writer *writer, const StKey *key) {
  open(writer, key->param.name, '{');
  add_description(writer, key);
  add_value(writer, key);
  if (key->kind == ST_KEY_SCALAR && !key->required && isfinite(key->param.fallback)) {
    start(writer, "default");
    st_param_write_default(writer->text, &key->param, key->variant);
  }
  shut(writer, '}');
}

static void add_param(Writer *writer, const StParam *param) {
  StKey key = {.param = *param,
               .kind = param->over_time ? ST_KEY_CURVE : ST_KEY_SCALAR,
               .required = st_param_required(param)};
  add_key(writer, &key);
}

static void add_variant(Writer *writer, const StKey *chooser, const StVariant *variant,
                        bool by_default) {
  open(writer, NULL, '{');
  open(writer, "if", '{');
  open(writer, "properties", '{');
  open(writer, chooser->param.name, '{');
  add_text(writer, "const", variant->name);
  shut(writer, '}');
  shut(writer, '}');
  if (!by_default) { // without the word, exactly the default's branch must apply
    open(writer, "required", '[');
    add_text(writer, NULL, chooser->param.name);
    shut(writer, ']');
  }
  shut(writer, '}');
  open(writer, "then", '{');
  open(writer, "properties", '{');
  for (int i = 0; i < variant->param_count; i++)
    add_param(writer, &variant->param[i]);
  shut(writer, '}');
  open(writer, "required", '[');
  for (int i = 0; i < variant->param_count; i++)
    if (st_param_required(&variant->param[i]))
      add_text(writer, NULL, variant->param[i].name);
  shut(writer, ']');
  shut(writer, '}');
  shut(writer, '}');
}

static void add_variants(Writer *writer, const StKeyTable *table) {
  const StKey *chooser = table->chooser;
  StVariant variant;
  open(writer, "allOf", '[');
  for (int i = 0; chooser->variant(i, &variant); i++)
    add_variant(writer, chooser, &variant, !chooser->required && i == (int)chooser->param.fallback);
  shut(writer, ']');
  add_raw(writer, "unevaluatedProperties", "false");
}

static void add_table(Writer *writer, const StKeyTable *table) {
  add_text(writer, "description", table->doc);
  add_text(writer, "type", "object");
  open(writer, "properties", '{');
  for (int i = 0; i < table->key_count; i++)
    add_key(writer, &table->key[i]);
  shut(writer, '}');
  open(writer, "required", '[');
  for (int i = 0; i < table->key_count; i++)
    if (table->key[i].required)
      add_text(writer, NULL, table->key[i].param.name);
  shut(writer, ']');
  if (table->single) {
    add_raw(writer, "minProperties", "1");
    add_raw(writer, "maxProperties", "1");
  }
  if (table->chooser)
    add_variants(writer, table);
  else
    add_raw(writer, "additionalProperties", "false");
}

static void add_shared(Writer *writer) {
  open(writer, "quantity", '{');
  add_text(writer, "description", "A number with a unit, such as \"600 kPa\" or \"0.2 mm\".");
  add_text(writer, "type", "string");
  add_text(writer, "pattern", "^ *[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?( *[^ ].*)?$");
  shut(writer, '}');
  open(writer, "formula", '{');
  add_text(
      writer, "description",
      "A formula in the time t, such as \"5 mm * sin(2*pi*50 Hz*t)\": + - * / ^, brackets, sin "
      "cos tan exp log sqrt abs min max, pi, and units.");
  add_text(writer, "type", "string");
  add_text(writer, "pattern", "(^|[^A-Za-z])(t|pi)($|[^A-Za-z])|[a-z]+ *[(]");
  shut(writer, '}');
  open(writer, "direction", '{');
  open(writer, "anyOf", '[');
  add_raw(writer, NULL, "{\"enum\": [\"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\"]}");
  add_raw(
      writer, NULL,
      "{\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 3, \"maxItems\": 3}");
  shut(writer, ']');
  shut(writer, '}');
  add_raw(writer, "name", "{\"type\": \"string\"}");
  add_raw(writer, "number", "{\"type\": \"number\"}");
  add_raw(writer, "axis", "{\"enum\": [\"x\", \"y\", \"z\"]}");
}

static void add_definition(Writer *writer, const StKeyTable *table) {
  char name[64];
  snprintf(name, sizeof name, "%s", table->name);
  for (char *c = name; *c; c++)
    *c = *c == ' ' ? '_' : *c;
  open(writer, name, '{');
  add_table(writer, table);
  shut(writer, '}');
}

void st_scene_schema(StText *text) {
  StTableList list;
  st_table_list(&list);
  Writer writer = {.text = text};
  open(&writer, NULL, '{');
  add_text(&writer, "$schema", "https://json-schema.org/draft/2020-12/schema");
  add_text(&writer, "title", "Stiction scene");
  add_table(&writer, list.table[0]);
  open(&writer, "$defs", '{');
  add_shared(&writer);
  for (int i = 1; i < list.count; i++)
    add_definition(&writer, list.table[i]);
  shut(&writer, '}');
  shut(&writer, '}');
  st_text_add(text, "\n");
}
