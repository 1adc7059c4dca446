// Nearest words by edit distance.
#include "scene/suggest.h"

#include <string.h>

enum { LONGEST = 40, MOST_LISTED = 24 };

static int min3(int a, int b, int c) {
  int least = a < b ? a : b;
  return least < c ? least : c;
}

// Edit distance with swaps of neighbouring letters; words of very different length are never near.
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

// Names that other programs, and people, use for things with another name here.
static const char *const OTHER_NAMES[][2] = {
    {"cube", "box"},
    {"block", "box"},
    {"cuboid", "box"},
    {"plane", "half_space"},
    {"floor", "half_space"},
    {"ground", "half_space"},
    {"ball", "sphere"},
    {"pipe", "tube"},
    {"ring", "torus"},
    {"rod", "cylinder"},
    {"cloth", "sheet"},
    {"end", "duration"},
    {"end_time", "duration"},
    {"dt", "step"},
    {"timestep", "step"},
    {"fps", "frame_rate"},
    {"rho", "density"},
    {"E", "young"},
    {"youngs_modulus", "young"},
    {"nu", "poisson"},
    {"poisson_ratio", "poisson"},
    {"position", "translate"},
    {"rotation", "rotate"},
    {"mu", "dynamic"},
};

static bool is_other_name(const char *wanted, const char *word) {
  for (size_t i = 0; i < sizeof OTHER_NAMES / sizeof *OTHER_NAMES; i++)
    if (strcmp(wanted, OTHER_NAMES[i][0]) == 0 && strcmp(word, OTHER_NAMES[i][1]) == 0)
      return true;
  return false;
}

void st_suggestion_add(StSuggestion *suggestion, const char *word) {
  if (suggestion->count < MOST_LISTED)
    st_text_add(&suggestion->list, "%s%.60s", suggestion->count ? ", " : "", word);
  int far = is_other_name(suggestion->wanted, word) ? 0 : distance(suggestion->wanted, word);
  int length = (int)strlen(suggestion->wanted);
  bool begins = length > 2 && far < 4 && strncmp(suggestion->wanted, word, (size_t)length) == 0;
  // Two changed letters of four make another word.
  bool near = begins || far <= (length < 5 ? 1 : length < 9 ? 2 : length / 3);
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
