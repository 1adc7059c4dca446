// Parameters in and out of text, and names that a user may have meant.
#include "param.h"

#include "common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 96, LONGEST_NAME = 40 };

static int least(int a, int b) {
  return a < b ? a : b;
}

// Letters to change, drop, add or swap.
static int distance(const char *a, const char *b) {
  int n = (int)strlen(a), m = (int)strlen(b);
  if (n > LONGEST_NAME || m > LONGEST_NAME)
    return LONGEST_NAME;
  int table[LONGEST_NAME + 1][LONGEST_NAME + 1];
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++) {
      table[i][j] = i + j;
      if (i == 0 || j == 0)
        continue;
      table[i][j] = least(least(table[i - 1][j], table[i][j - 1]) + 1,
                          table[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
    }
  return table[n][m];
}

static const char *nearest_name(const char *word, const char *const *name, int count) {
  int length = (int)strlen(word), limit = length < 5 ? 1 : length < 9 ? 2 : length / 3, best = 0;
  const char *nearest = NULL;
  for (int i = 0; i < count; i++) {
    int own = distance(word, name[i]);
    if (own <= limit && (!nearest || own < best)) {
      best = own;
      nearest = name[i];
    }
  }
  return nearest;
}

char *explain_unknown(const char *what, const char *word, const char *const *name, int count) {
  const char *nearest = nearest_name(word, name, count);
  if (nearest)
    return print_text("there is no %s '%s'; did you mean '%s'?", what, word, nearest);
  char *text = print_text("there is no %s '%s'; there are ", what, word);
  for (int i = 0; i < count; i++) {
    char *longer = print_text("%s%s%s", text, i ? ", " : "", name[i]);
    free(text);
    text = longer;
  }
  return text;
}

static bool read_word(const Param *param, const char *text, double *value, char **why) {
  int count = 0;
  for (; param->word[count]; count++)
    if (strcmp(param->word[count], text) == 0) {
      *value = count;
      return true;
    }
  *why = explain_unknown(param->name, text, param->word, count);
  return false;
}

static bool read_whole(const char *text, double *value, char **why) {
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (end == text || *end || errno) {
    *why = print_text("'%s' is not a whole number", text);
    return false;
  }
  *value = (double)number;
  return true;
}

static bool read_boolean(const char *text, double *value, char **why) {
  *value = strcmp(text, "true") == 0;
  if (*value != 0 || strcmp(text, "false") == 0)
    return true;
  *why = print_text("'%s' is neither true nor false", text);
  return false;
}

static bool read_quantity(const Param *param, const char *text, double *value, char **why) {
  if (stiction_quantity(text, param->unit ? param->unit : "", value) == STICTION_OK)
    return true;
  *why = copy_text(stiction_error(NULL));
  return false;
}

static void show_range(const Param *param, FILE *out) {
  if (param->kind == BOOLEAN) {
    fputs("true or false", out);
  } else if (param->word) {
    for (int i = 0; param->word[i]; i++)
      fprintf(out, "%s%s", i ? " | " : "", param->word[i]);
  } else {
    fprintf(out, "%s %g", param->min_open ? ">" : ">=", param->min);
    if (isfinite(param->max))
      fprintf(out, ", %s %g", param->max_open ? "<" : "<=", param->max);
  }
}

static bool check_range(const Param *param, double value, char **why) {
  bool low = param->min_open ? value > param->min : value >= param->min;
  bool high = param->max_open ? value < param->max : value <= param->max;
  if (param->kind == BOOLEAN || param->kind == WORD || (low && high))
    return true;
  char *range = NULL;
  size_t size;
  FILE *out = open_memstream(&range, &size);
  if (out) {
    show_range(param, out);
    fclose(out);
  }
  *why = print_text("%g is out of range: %s%s%s", value, range ? range : "", param->unit ? " " : "",
                    param->unit ? param->unit : "");
  free(range);
  return false;
}

bool param_read(const Param *param, const char *text, double *value, char **why) {
  bool read = false;
  switch (param->kind) {
  case REAL: read = read_quantity(param, text, value, why); break;
  case INTEGER: read = read_whole(text, value, why); break;
  case WORD: read = read_word(param, text, value, why); break;
  case BOOLEAN: read = read_boolean(text, value, why); break;
  }
  return read && check_range(param, *value, why);
}

void param_show(const Param *param, double value, int digits, FILE *out) {
  if (param->kind == BOOLEAN)
    fputs(value != 0 ? "true" : "false", out);
  else if (param->kind == WORD)
    fputs(param->word[(int)value], out);
  else
    fprintf(out, "%.*g%s%s", digits, value, param->unit ? " " : "", param->unit ? param->unit : "");
}

void param_describe(const Param *param, FILE *out) {
  char *shown = NULL;
  size_t size;
  FILE *text = open_memstream(&shown, &size);
  if (text) {
    param_show(param, param->fallback, 6, text);
    fclose(text);
  }
  fprintf(out, "    %-23s %-15s ", param->name, shown ? shown : "");
  show_range(param, out);
  fputs("\n", out);
  write_wrapped(param->doc, 8, out);
  free(shown);
}

// Characters, not bytes.
static int width_of(const char *word, size_t length) {
  int width = 0;
  for (size_t i = 0; i < length; i++)
    width += ((unsigned char)word[i] & 0xC0) != 0x80;
  return width;
}

void write_wrapped(const char *sentence, int indent, FILE *out) {
  int column = 0;
  while (*sentence) {
    size_t length = strcspn(sentence, " ");
    int width = width_of(sentence, length);
    bool fits = column > 0 && column + 1 + width <= LINE_WIDTH;
    if (fits)
      fputs(" ", out);
    else
      fprintf(out, "%s%*s", column > 0 ? "\n" : "", indent, "");
    column = fits ? column + 1 + width : indent + width;
    fwrite(sentence, 1, length, out);
    sentence += length + strspn(sentence + length, " ");
  }
  fputs("\n", out);
}
