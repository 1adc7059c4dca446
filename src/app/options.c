// Parses options from a table and suggests names for misspelled ones.
#include "app/options.h"

#include "base/crew.h"
#include "base/memory.h"
#include "base/text.h"
#include "scene/suggest.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 32 };

const char *st_nearest_name(const char *word, const char *const *names, int count) {
  StSuggestion suggestion = {.wanted = word};
  for (int i = 0; i < count; i++)
    st_suggestion_add(&suggestion, names[i]);
  st_suggestion_free(&suggestion);
  return suggestion.nearest;
}

StStatus st_fail_name(const char *what, const char *word, const char *const *names, int count,
                      StError *error) {
  const char *nearest = st_nearest_name(word, names, count);
  ST_FINALLY(st_text_free) StText list = {0};
  for (int i = 0; i < count; i++)
    st_text_add(&list, "%s%s", i ? ", " : "", names[i]);
  if (nearest)
    st_fail(error, ST_BAD_INPUT, "there is no %s '%s'; did you mean '%s'?", what, word, nearest);
  else
    st_fail(error, ST_BAD_INPUT, "there is no %s '%s'; there are %s", what, word,
            list.failed || !count ? "none" : list.data);
  return ST_BAD_INPUT;
}

StStatus st_split_words(const char *text, char ***word, int *count, StError *error) {
  size_t length = strlen(text);
  size_t most = 1;
  for (const char *c = text; *c; c++)
    most += *c == ',';
  char **list = malloc(most * sizeof *list + length + 1);
  ST_TRY_MEMORY(list, error);
  char *copy = memcpy(list + most, text, length + 1), *rest;
  *count = 0;
  for (char *one = strtok_r(copy, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
    list[(*count)++] = one;
  *word = list;
  return ST_OK;
}

static StStatus fail_unknown(const char *word, const StArgument *option, int option_count,
                             StError *error) {
  const char *name[MOST_OPTIONS] = {0};
  int count = option_count < MOST_OPTIONS ? option_count : MOST_OPTIONS;
  for (int i = 0; i < count; i++)
    name[i] = option[i].name;
  const char *nearest = st_nearest_name(word + 2, name, count);
  if (nearest)
    return st_fail(error, ST_BAD_INPUT, "there is no option %s; did you mean --%s?", word, nearest);
  return st_fail(error, ST_BAD_INPUT, "there is no option %s", word);
}

static StStatus take_value(const StArgument *option, const char *value, StError *error) {
  if (option->count && *option->count == option->most)
    return st_fail(error, ST_BAD_INPUT, "--%s may be given %d times at most", option->name,
                   option->most);
  option->value[option->count ? (*option->count)++ : 0] = value;
  return ST_OK;
}

// -x, -x VALUE or -xVALUE.
static StStatus take_letter(int argc, char **argv, int *at, const StArgument *option,
                            int option_count, StError *error) {
  const char *word = argv[*at];
  for (int i = 0; i < option_count; i++) {
    if (option[i].letter != word[1])
      continue;
    if (option[i].flag) {
      if (word[2])
        return st_fail(error, ST_BAD_INPUT, "-%c takes no value", word[1]);
      *option[i].flag = true;
      return ST_OK;
    }
    if (word[2])
      return take_value(&option[i], word + 2, error);
    if (*at + 1 == argc)
      return st_fail(error, ST_BAD_INPUT, "-%c needs a value", word[1]);
    return take_value(&option[i], argv[++*at], error);
  }
  return st_fail(error, ST_BAD_INPUT, "there is no option %s", word);
}

// Consumes argv[*at], and the next word if the option takes a value.
static StStatus take_option(int argc, char **argv, int *at, const StArgument *option,
                            int option_count, StError *error) {
  const char *word = argv[*at];
  if (word[1] != '-')
    return take_letter(argc, argv, at, option, option_count, error);
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
      return take_value(&option[i], word + length + 1, error);
    } else if (*at + 1 < argc) {
      return take_value(&option[i], argv[++*at], error);
    } else {
      return st_fail(error, ST_BAD_INPUT, "--%s needs a value", option[i].name);
    }
    return ST_OK;
  }
  return fail_unknown(word, option, option_count, error);
}

StStatus st_option_whole(const char *name, const char *text, int low, int high, int *value,
                         StError *error) {
  char *end;
  long number = strtol(text, &end, 10);
  if (end == text || *end || number < low || number > high)
    return st_fail(error, ST_BAD_INPUT, "--%s needs a whole number from %d to %d, not '%s'", name,
                   low, high, text);
  *value = (int)number;
  return ST_OK;
}

StStatus st_option_threads(const char *text, int *threads, StError *error) {
  return text ? st_option_whole("threads", text, 1, ST_CREW_MOST, threads, error) : ST_OK;
}

StStatus st_options_parse(int argc, char **argv, const StArgument *option, int option_count,
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
      return st_fail(error, ST_BAD_INPUT, "'%s' is an unexpected argument", argv[i]);
    } else {
      operand[(*operand_count)++] = argv[i];
    }
  }
  return ST_OK;
}
