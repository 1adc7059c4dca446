// Formulas of PolyFEM (tinyexpr with functions of its own) as formulas in t of base/expression.h:
// words are replaced, and calls of functions that only PolyFEM knows are written out.
// Tested by tests/import/test_polyfem_formula.c.
#include "import/polyfem_parts.h"

#include <ctype.h>
#include <string.h>

enum { ARGUMENTS = 3, DEPTH = 20 };

// $1 … $3: the arguments.
typedef struct Macro {
  const char *name;
  int arguments;
  const char *text;
} Macro;

static const Macro MACROS[] = {
    {"rotate_2D_x", 3, "(($1)*cos($3)-($2)*sin($3))"},
    {"rotate_2D_y", 3, "(($1)*sin($3)+($2)*cos($3))"},
    {"smooth_abs", 2, "(tanh(($2)*($1))*($1))"},
    {"deg2rad", 1, "(($1)*pi/180)"},
    {"pow", 2, "(($1)^($2))"},
    {"log", 1, "(log($1)/log(10))"}, // tinyexpr's log is decimal
    {"log10", 1, "(log($1)/log(10))"},
    {"ln", 1, "log($1)"},
};

static const char *const SAME[] = {"sin", "cos", "tan", "tanh", "exp", "sqrt", "abs", "min", "max"};

static int word_length(const char *at) {
  int length = 0;
  if (isalpha((unsigned char)*at) || *at == '_')
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
      length++;
  return length;
}

static bool is_word(const char *at, int length, const char *word) {
  return (int)strlen(word) == length && memcmp(at, word, (size_t)length) == 0;
}

// A number, whose exponent must not be taken for a word.
static int number_length(const char *at) {
  int length = 0;
  while (isdigit((unsigned char)at[length]) || at[length] == '.')
    length++;
  if (length > 0 && (at[length] == 'e' || at[length] == 'E')) {
    int sign = at[length + 1] == '-' || at[length + 1] == '+';
    if (isdigit((unsigned char)at[length + 1 + sign]))
      for (length += 2 + sign; isdigit((unsigned char)at[length]);)
        length++;
  }
  return length;
}

// The arguments of a call that begins at its bracket; the place behind it, NULL: not a call.
static const char *split(const char *at, const char *argument[ARGUMENTS], int size[ARGUMENTS],
                         int *count) {
  int depth = 0;
  *count = 0;
  if (*at != '(')
    return NULL;
  for (const char *start = at + 1;; at++) {
    depth += (*at == '(') - (*at == ')');
    if (!*at)
      return NULL;
    if (depth == 0 || (depth == 1 && *at == ',')) {
      if (*count == ARGUMENTS)
        return NULL;
      argument[*count] = start;
      size[(*count)++] = (int)(at - start);
      start = at + 1;
    }
    if (depth == 0)
      return at + 1;
  }
}

static bool expand(const char *text, int size, const double *place, int depth, StText *out);

static bool expand_call(const Macro *macro, const char *const *argument, const int *size,
                        const double *place, int depth, StText *out) {
  for (const char *c = macro->text; *c; c++) {
    if (*c != '$') {
      st_text_add_bytes(out, c, 1);
      continue;
    }
    int i = *++c - '1';
    if (!expand(argument[i], size[i], place, depth + 1, out))
      return false;
  }
  return true;
}

static bool expand_word(const char *word, int length, const double *place, StText *out) {
  if (length == 1 && *word >= 'x' && *word <= 'z') {
    if (place)
      st_text_add(out, "(%.17g)", place[*word - 'x']);
    return place != NULL;
  }
  if (!is_word(word, length, "t") && !is_word(word, length, "pi"))
    return false;
  st_text_add_bytes(out, word, (size_t)length);
  return true;
}

static const Macro *find_macro(const char *word, int length) {
  for (size_t i = 0; i < sizeof MACROS / sizeof *MACROS; i++)
    if (is_word(word, length, MACROS[i].name))
      return &MACROS[i];
  return NULL;
}

static bool is_same(const char *word, int length) {
  for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++)
    if (is_word(word, length, SAME[i]))
      return true;
  return false;
}

static bool expand(const char *text, int size, const double *place, int depth, StText *out) {
  const char *end = text + size;
  if (depth > DEPTH)
    return false;
  while (text < end) {
    int number = number_length(text), length = number > 0 ? number : word_length(text);
    const char *behind = text + length, *argument[ARGUMENTS];
    int argument_size[ARGUMENTS], count;
    while (length > 0 && *behind == ' ')
      behind++;
    const Macro *macro =
        number == 0 && length > 0 && *behind == '(' ? find_macro(text, length) : NULL;
    if (macro) {
      text = split(behind, argument, argument_size, &count);
      if (!text || count != macro->arguments ||
          !expand_call(macro, argument, argument_size, place, depth, out))
        return false;
      continue;
    }
    bool copied = number > 0 || length == 0 || (*behind == '(' && is_same(text, length));
    if (copied)
      st_text_add_bytes(out, text, length > 0 ? (size_t)length : 1);
    else if (!expand_word(text, length, place, out))
      return false;
    text += length > 0 ? length : 1;
  }
  return true;
}

bool st_polyfem_formula(const char *text, const double *place, StText *formula) {
  return expand(text, (int)strlen(text), place, 0, formula);
}

bool st_polyfem_depends_on_place(const char *text) {
  while (*text) {
    int number = number_length(text), length = number > 0 ? number : word_length(text);
    if (number == 0 && length == 1 && *text >= 'x' && *text <= 'z')
      return true;
    text += length > 0 ? length : 1;
  }
  return false;
}

bool st_polyfem_formulas(const StJson *value, StPolyfemFormulas *formulas) {
  int k = 0;
  if (!value || value->kind != ST_JSON_LIST || value->child_count != 3)
    return false;
  for (const StJson *one = value->child; one; one = one->next, k++) {
    if (one->kind == ST_JSON_NUMBER)
      st_text_add(&formulas->component[k], "%.17g", one->number);
    else if (one->kind != ST_JSON_STRING ||
             !st_polyfem_formula(one->text, NULL, &formulas->component[k]))
      return false;
  }
  return true;
}

void st_polyfem_formulas_free(StPolyfemFormulas *formulas) {
  for (int k = 0; k < 3; k++)
    st_text_free(&formulas->component[k]);
}
