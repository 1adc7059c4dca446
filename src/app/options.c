// Reads options from a table and finds the name a user may have meant.
#include "app/options.h"

#include <string.h>

enum { NAME_MAX_LENGTH = 40 };

static int least(int a, int b) {
  return a < b ? a : b;
}

// Edits (insert, drop, replace, swap of neighbours) that turn a into b.
static int edit_distance(const char *a, const char *b) {
  int rows = (int)strlen(a), columns = (int)strlen(b);
  if (rows > NAME_MAX_LENGTH || columns > NAME_MAX_LENGTH)
    return NAME_MAX_LENGTH;
  int cost[NAME_MAX_LENGTH + 1][NAME_MAX_LENGTH + 1];
  for (int i = 0; i <= rows; i++)
    for (int j = 0; j <= columns; j++) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = least(cost[i - 1][j], cost[i][j - 1]) + 1;
      cost[i][j] = least(cost[i][j], cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[rows][columns];
}

const char *st_nearest_name(const char *word, const char *const *names, int count) {
  const char *nearest = NULL;
  int limit = (int)strlen(word) / 3 + 1, fewest = limit + 1;
  for (int i = 0; i < count; i++) {
    int edits = edit_distance(word, names[i]);
    if (edits < fewest) {
      fewest = edits;
      nearest = names[i];
    }
  }
  return nearest;
}

static StStatus fail_unknown(const char *word, const StOption *option, int option_count,
                             StError *error) {
  const char *name[32] = {0};
  int count = least(option_count, 32);
  for (int i = 0; i < count; i++)
    name[i] = option[i].name;
  const char *nearest = st_nearest_name(word + 2, name, count);
  if (nearest)
    return st_fail(error, ST_BAD_INPUT, "there is no option %s; did you mean --%s?", word, nearest);
  return st_fail(error, ST_BAD_INPUT, "there is no option %s", word);
}

// Takes argv[*at], and the word after it where the option wants one.
static StStatus take_option(int argc, char **argv, int *at, const StOption *option,
                            int option_count, StError *error) {
  const char *word = argv[*at];
  size_t length = strcspn(word, "=");
  for (int i = 0; i < option_count; i++) {
    if (length < 3 || strlen(option[i].name) != length - 2 ||
        strncmp(word + 2, option[i].name, length - 2) != 0)
      continue;
    bool inlined = word[length] == '=';
    if (option[i].flag) {
      if (inlined)
        return st_fail(error, ST_BAD_INPUT, "--%s takes no value", option[i].name);
      *option[i].flag = true;
    } else if (inlined) {
      *option[i].value = word + length + 1;
    } else if (*at + 1 < argc) {
      *option[i].value = argv[++*at];
    } else {
      return st_fail(error, ST_BAD_INPUT, "--%s needs a value", option[i].name);
    }
    return ST_OK;
  }
  return fail_unknown(word, option, option_count, error);
}

StStatus st_options_parse(int argc, char **argv, const StOption *option, int option_count,
                          const char **operand, int operand_max, int *operand_count,
                          StError *error) {
  bool options_end = false;
  *operand_count = 0;
  for (int i = 1; i < argc; i++) {
    if (!options_end && strcmp(argv[i], "--") == 0) {
      options_end = true;
    } else if (!options_end && argv[i][0] == '-' && argv[i][1] != 0) {
      ST_TRY(take_option(argc, argv, &i, option, option_count, error));
    } else if (*operand_count == operand_max) {
      return st_fail(error, ST_BAD_INPUT, "'%s' is one argument too many", argv[i]);
    } else {
      operand[(*operand_count)++] = argv[i];
    }
  }
  return ST_OK;
}
