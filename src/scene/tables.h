// All key tables reachable from the scene's own, for the reference and the schema.
#pragma once

#include "base/text.h"
#include "scene/key.h"

enum { ST_TABLES_MAX = 128 };

typedef struct StTableList {
  const StKeyTable *table[ST_TABLES_MAX];
  int count;
} StTableList;

void st_table_list(StTableList *list); // the scene's first, parts after their whole, each once

// The index-th word a key accepts, with its description (may be NULL); false past the end.
bool st_key_word(const StKey *key, int index, const char **word, const char **summary);

// A parameter's default as in JSON: 0.01, true, "auto". Nothing if it has none.
void st_param_write_default(StText *text, const StParam *param, StVariantAt *variant_at);
