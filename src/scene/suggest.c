// Nearest words by the number of letters to change, drop, add or swap.
#include "scene/suggest.h"

#include <string.h>

enum { LONGEST = 40, MOST_LISTED = 24 };

static int min3(int a, int b, int c) {
  int least = a < b ? a : b;
  return least < c ? least : c;
}

// Edit distance with swaps of neighbours; long words are never near.
static int distance(const char *a, const char *b) {
  int n = (int)strlen(a), m = (int)strlen(b);
  if (n > LONGEST || m > LONGEST)
    return LONGEST;
  int table[LONGEST + 1][LONGEST + 1];
  for (int i = 0; i <= n; i++)
    table[i][0] = i;
  for (int j = 0; j <= m; j++)
    table[0][j] = j;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int change = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      table[i][j] = min3(table[i - 1][j] + 1, table[i][j - 1] + 1, change);
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && table[i - 2][j - 2] + 1 < table[i][j])
        table[i][j] = table[i - 2][j - 2] + 1;
    }
  return table[n][m];
}

void st_suggestion_add(StSuggestion *suggestion, const char *word) {
  if (suggestion->count < MOST_LISTED)
    st_text_add(&suggestion->list, "%s%.60s", suggestion->count ? ", " : "", word);
  int far = distance(suggestion->wanted, word);
  int length = (int)strlen(suggestion->wanted);
  bool near = far <= (length < 6 ? 1 + (length > 3) : length / 3);
  if (near && (!suggestion->nearest || far < suggestion->distance)) {
    suggestion->nearest = word;
    suggestion->distance = far;
  }
  suggestion->count++;
}

const char *st_suggestion_text(StSuggestion *suggestion) {
  if (suggestion->count == 0)
    st_text_add(&suggestion->list, "(none)");
  if (suggestion->count > MOST_LISTED)
    st_text_add(&suggestion->list, " and %d more", suggestion->count - MOST_LISTED);
  if (suggestion->nearest)
    st_text_add(&suggestion->list, " (did you mean \"%s\"?)", suggestion->nearest);
  return suggestion->list.failed ? "(out of memory)" : suggestion->list.data;
}

void st_suggestion_free(StSuggestion *suggestion) {
  st_text_free(&suggestion->list);
}
