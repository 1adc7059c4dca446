// Reads objects by their tables: unknown and missing keys, values in the table's order, defaults,
// and the parameters of a chosen word (a law, a shape).
#include "base/memory.h"
#include "scene/reader.h"

#include "scene/parts.h"
#include "scene/suggest.h"
#include "scene/tables.h"

#include <stdio.h>
#include <string.h>

static const StKey *find_key(const StKeyTable *table, const char *name) {
  for (int i = 0; i < table->key_count; i++)
    if (strcmp(table->key[i].param.name, name) == 0)
      return &table->key[i];
  return NULL;
}

static const StParam *find_param(const StVariant *variant, const char *name) {
  for (int i = 0; i < variant->param_count; i++)
    if (strcmp(variant->param[i].name, name) == 0)
      return &variant->param[i];
  return NULL;
}

static StStatus fail_unknown(const StReader *reader, const StJson *child, const StKeyTable *table,
                             const StVariant *variant) {
  ST_FINALLY(st_suggestion_free) StSuggestion known = {.wanted = child->key};
  for (int i = 0; i < table->key_count; i++)
    st_suggestion_add(&known, table->key[i].param.name);
  for (int i = 0; i < variant->param_count; i++)
    st_suggestion_add(&known, variant->param[i].name);
  return st_reader_fail_key(reader, child, "unknown key%s%s; known: %s",
                            variant->name ? " for " : "", variant->name ? variant->name : "",
                            st_suggestion_text(&known));
}

static StStatus check_known(const StReader *reader, const StJson *at, const StKeyTable *table,
                            const StVariant *variant) {
  for (const StJson *child = at->child; child; child = child->next)
    if (!find_key(table, child->key) && !find_param(variant, child->key))
      return fail_unknown(reader, child, table, variant);
  return ST_OK;
}

static StStatus check_single(const StReader *reader, const StJson *at, const StKeyTable *table) {
  if (!table->single || at->child_count == 1)
    return ST_OK;
  ST_FINALLY(st_suggestion_free) StSuggestion known = {.wanted = ""};
  for (int i = 0; i < table->key_count; i++)
    st_suggestion_add(&known, table->key[i].param.name);
  return st_reader_fail(reader, at, "must have exactly one of the keys %s; has %d",
                        st_suggestion_text(&known), at->child_count);
}

static StStatus note_missing(StReader *reader, const StKeyTable *table, const StKey *key,
                             const char *value) {
  char path[200];
  snprintf(path, sizeof path, "%s%s%s", table->path, *table->path ? "." : "", key->param.name);
  return st_description_add_note(reader->description, path, value, key->why, reader->error);
}

static StStatus add_note(StReader *reader, const StJson *at, const StKeyTable *table,
                         const StKey *key) {
  ST_FINALLY(st_text_free) StText value = {0};
  if (key->otherwise)
    st_text_add(&value, "%s", key->otherwise);
  else
    st_param_write_default(&value, &key->param, key->variant);
  if (key->param.kind == ST_REAL)
    st_text_add(&value, " %s", st_dimension_unit(key->param.dimension));
  return value.failed ? st_fail_memory(reader->error)
         : at         ? st_reader_note(reader, at, key->param.name, value.data, key->why)
                      : note_missing(reader, table, key, value.data);
}

static StStatus read_key(StReader *reader, const StJson *at, const StKeyTable *table,
                         const StKey *key, char *into) {
  const StJson *child = at ? st_json_get(at, key->param.name) : NULL;
  if (child)
    return st_reader_value(reader, child, key, into + key->offset);
  if (key->required && at)
    return st_reader_fail(reader, at, "the key \"%s\" is missing: %s", key->param.name,
                          key->param.doc);
  if (key->kind == ST_KEY_SCALAR && !isnan(key->param.fallback))
    st_reader_store(&key->param, key->param.fallback, into + key->offset);
  return key->why ? add_note(reader, at, table, key) : ST_OK;
}

// A parameter that may change over time: its curve, and its initial value.
static StStatus read_varying(StReader *reader, const StJson *at, const StParam *param,
                             StCurve *curve, double *value) {
  const StKey key = {.param = *param};
  ST_TRY(st_scene_read_curve(reader, at, &key, curve));
  *value = st_curve_at(curve, 0, 0);
  return ST_OK;
}

// curves: NULL if parameters are constant.
static StStatus read_params(StReader *reader, const StJson *at, const StVariant *variant,
                            StChoice *choice, StCurve *curves) {
  choice->name = variant->name;
  for (int i = 0; i < variant->param_count; i++) {
    const StParam *param = &variant->param[i];
    const StJson *child = st_json_get(at, param->name);
    if (child && curves && param->over_time)
      ST_TRY(read_varying(reader, child, param, &curves[i], &choice->value[i]));
    else if (child)
      ST_TRY(st_reader_param(reader, child, param, &choice->value[i]));
    else if (st_param_required(param))
      return st_reader_fail(reader, at, "the key \"%s\" is missing, which %s needs: %s",
                            param->name, variant->name, param->doc);
    else
      choice->value[i] = param->fallback;
  }
  return ST_OK;
}

// The word is read first, because it determines which other keys are valid.
static StStatus choose(StReader *reader, const StJson *at, const StKeyTable *table,
                       StVariant *variant) {
  const StKey *key = table->chooser;
  const StJson *child = st_json_get(at, key->param.name);
  int index = isnan(key->param.fallback) ? 0 : (int)key->param.fallback;
  if (child)
    ST_TRY(st_reader_value(reader, child, key, &index));
  else if (key->required)
    return st_reader_fail(reader, at, "the key \"%s\" is missing: %s", key->param.name,
                          key->param.doc);
  ST_CHECK(key->variant(index, variant) && variant->param_count <= ST_PARAM_MAX, reader->error);
  return ST_OK;
}

StStatus st_reader_object(StReader *reader, const StJson *at, const StKeyTable *table, void *into) {
  StVariant variant = {0};
  if (at) {
    char what[80];
    snprintf(what, sizeof what, "an object (%s)", table->name);
    ST_TRY(st_reader_expect(reader, at, ST_JSON_OBJECT, what));
    if (table->chooser)
      ST_TRY(choose(reader, at, table, &variant));
    ST_TRY(check_known(reader, at, table, &variant));
    ST_TRY(check_single(reader, at, table));
  }
  for (int i = 0; i < table->key_count; i++)
    ST_TRY(read_key(reader, at, table, &table->key[i], into));
  if (at && table->chooser)
    ST_TRY(read_params(reader, at, &variant, (StChoice *)((char *)into + table->choice_offset),
                       table->curves_offset ? (StCurve *)((char *)into + table->curves_offset)
                                            : NULL));
  return ST_OK;
}
