// Traverses the key tables.
#include "scene/tables.h"

#include "scene/parts.h"

static bool listed(const StTableList *list, const StKeyTable *table) {
  for (int i = 0; i < list->count; i++)
    if (list->table[i] == table)
      return true;
  return false;
}

static void add_with_parts(StTableList *list, const StKeyTable *table) {
  if (listed(list, table) || list->count == ST_TABLES_MAX)
    return;
  list->table[list->count++] = table;
  for (int k = 0; k < table->key_count; k++)
    if (table->key[k].table)
      add_with_parts(list, table->key[k].table);
}

void st_table_list(StTableList *list) {
  list->count = 0;
  add_with_parts(list, &st_keys_scene);
}

bool st_key_word(const StKey *key, int index, const char **word, const char **summary) {
  StVariant variant = {0};
  *summary = NULL;
  if (key->variant) {
    if (!key->variant(index, &variant))
      return false;
    *word = variant.name;
    *summary = variant.summary;
    return true;
  }
  *word = key->param.word ? key->param.word[index] : NULL;
  return *word != NULL;
}

void st_param_write_default(StText *text, const StParam *param, StVariantAt *variant_at) {
  StVariant variant = {0};
  if (!isfinite(param->fallback))
    return;
  if (param->kind == ST_BOOLEAN)
    st_text_add(text, "%s", param->fallback != 0 ? "true" : "false");
  else if (param->kind != ST_WORD)
    st_text_add(text, "%.10g", param->fallback);
  else if (!variant_at)
    st_text_add(text, "\"%s\"", param->word[(int)param->fallback]);
  else if (variant_at((int)param->fallback, &variant))
    st_text_add(text, "\"%s\"", variant.name);
}
