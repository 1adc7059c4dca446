// "known: rubber, steel (did you mean "rubber"?)": lists with the nearest known word.
#pragma once

#include "base/text.h"

// Words are added one after the other, then finished; wanted is what the user wrote.
typedef struct StSuggestion {
  const char *wanted;
  const char *nearest;
  int distance;
  int count;
  StText list;
} StSuggestion;

void st_suggestion_add(StSuggestion *suggestion, const char *word);

// The list with the suggestion; valid until st_suggestion_free. "(none)" if empty.
const char *st_suggestion_text(StSuggestion *suggestion);
void st_suggestion_free(StSuggestion *suggestion);
