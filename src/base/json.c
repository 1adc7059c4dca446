// The JSON reader: recursive descent with a depth limit over a copy of the text, which fills a tree
// (json_tree.h). Strings are in one buffer: decoding never makes them longer.
#include "base/json.h"

#include "base/file.h"
#include "base/json_tree.h"
#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Parser {
  const char *name;
  StJsonDocument *document;
  size_t at;
  size_t string_end; // bytes used of document->strings
  int depth, values;
  bool packed; // long lists of numbers become arrays
  bool bytes;  // \udc80 … \udcff are single bytes, as st_json_text_add_string writes them
  StError *error;
} Parser;

const char *st_json_kind_name(StJsonKind kind) {
  static const char *const NAMES[] = {
      "null",      "true or false",         "a number", "a string", "a list",
      "an object", "a long list of numbers"};
  return NAMES[kind];
}

static void pass_byte(StJsonMark *mark, char byte) {
  if (byte == '\n')
    *mark = (StJsonMark){mark->line + 1, 1};
  else if ((byte & 0xC0) != 0x80)
    mark->column++;
}

static void set_marks(StJsonDocument *document) {
  StJsonMark mark = {1, 1};
  for (size_t i = 0; i < document->size; i++) {
    if (i % ST_JSON_STRIDE == 0)
      document->mark[i / ST_JSON_STRIDE] = mark;
    pass_byte(&mark, document->source[i]);
  }
  if (document->size % ST_JSON_STRIDE == 0)
    document->mark[document->size / ST_JSON_STRIDE] = mark;
}

void st_json_place(const StJsonDocument *document, size_t place, int *line, int *column) {
  size_t end = place < document->size ? place : document->size, first = end / ST_JSON_STRIDE;
  StJsonMark mark = document->mark ? document->mark[first] : (StJsonMark){1, 1};
  for (size_t i = first * ST_JSON_STRIDE; i < end; i++)
    pass_byte(&mark, document->source[i]);
  *line = mark.line;
  *column = mark.column;
}

static StStatus fail(Parser *parser, size_t place, const char *text) {
  int line, column;
  st_json_place(parser->document, place, &line, &column);
  return st_fail(parser->error, ST_BAD_INPUT, "%s:%d:%d: %s", parser->name, line, column, text);
}

static char peek(const Parser *parser) {
  return parser->document->source[parser->at];
}

// "expected …, found …", with what is found at the current position.
static StStatus fail_expected(Parser *parser, const char *expected) {
  const char *source = parser->document->source + parser->at;
  char text[200], found[64];
  size_t length = 0;
  while (length < 20 && strchr(" \t\r\n,:[]{}\"", source[length]) == NULL)
    length++;
  if (parser->at >= parser->document->size)
    snprintf(found, sizeof found, "the end of the file");
  else if (source[0] == '\n' || source[0] == '\r')
    snprintf(found, sizeof found, "the end of the line");
  else if (length == 0)
    snprintf(found, sizeof found, "'%c'", source[0]);
  else {
    while (length > 1 && (source[length] & 0xC0) == 0x80)
      length--; // never split a character
    snprintf(found, sizeof found, "'%.*s'", (int)length, source);
  }
  snprintf(text, sizeof text, "expected %s, found %s", expected, found);
  return fail(parser, parser->at, text);
}

static void skip_comment(Parser *parser) {
  while (parser->at < parser->document->size && peek(parser) != '\n')
    parser->at++;
}

static void skip_space(Parser *parser) {
  for (;;) {
    char c = peek(parser);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
      parser->at++;
    else if (c == '/' && parser->document->source[parser->at + 1] == '/')
      skip_comment(parser);
    else
      return;
  }
}

static void put(Parser *parser, unsigned byte) {
  parser->document->strings[parser->string_end++] = (char)byte;
}

static void put_code_point(Parser *parser, unsigned code) {
  if (code < 0x80) {
    put(parser, code);
  } else if (code < 0x800) {
    put(parser, 0xC0 | code >> 6);
    put(parser, 0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(parser, 0xE0 | code >> 12);
    put(parser, 0x80 | (code >> 6 & 0x3F));
    put(parser, 0x80 | (code & 0x3F));
  } else {
    put(parser, 0xF0 | code >> 18);
    put(parser, 0x80 | (code >> 12 & 0x3F));
    put(parser, 0x80 | (code >> 6 & 0x3F));
    put(parser, 0x80 | (code & 0x3F));
  }
}

// Four hex digits; false when they are not there.
static bool read_hex(Parser *parser, unsigned *code) {
  *code = 0;
  for (int i = 0; i < 4; i++) {
    char c = peek(parser);
    unsigned digit;
    if (c >= '0' && c <= '9')
      digit = (unsigned)(c - '0');
    else if (c >= 'a' && c <= 'f')
      digit = (unsigned)(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F')
      digit = (unsigned)(c - 'A') + 10;
    else
      return false;
    *code = *code * 16 + digit;
    parser->at++;
  }
  return true;
}

static StStatus read_unicode(Parser *parser) {
  size_t start = parser->at - 2;
  unsigned code, low;
  if (!read_hex(parser, &code))
    return fail(parser, start, "\\u needs four hexadecimal digits");
  if (code == 0)
    return fail(parser, start, "a string must not contain \\u0000");
  if (code >= 0xD800 && code < 0xDC00) {
    const char *source = parser->document->source + parser->at;
    if (source[0] != '\\' || source[1] != 'u')
      return fail(parser, start, "half a surrogate pair: \\uDC00 to \\uDFFF must follow");
    parser->at += 2;
    if (!read_hex(parser, &low) || low < 0xDC00 || low > 0xDFFF)
      return fail(parser, start, "half a surrogate pair: \\uDC00 to \\uDFFF must follow");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  } else if (parser->bytes && code >= 0xDC80 && code <= 0xDCFF) {
    put(parser, code & 0xFF);
    return ST_OK;
  } else if (code >= 0xDC00 && code < 0xE000) {
    return fail(parser, start, "half a surrogate pair: \\uD800 to \\uDBFF must come first");
  }
  put_code_point(parser, code);
  return ST_OK;
}

static StStatus read_escape(Parser *parser) {
  static const char FROM[] = "\"\\/bfnrt", TO[] = "\"\\/\b\f\n\r\t";
  char c = peek(parser);
  const char *found = c ? strchr(FROM, c) : NULL;
  if (c != 'u' && !found)
    return fail(parser, parser->at - 1,
                "unknown escape in a string; known: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
  parser->at++;
  if (c == 'u')
    return read_unicode(parser);
  put(parser, (unsigned char)TO[found - FROM]);
  return ST_OK;
}

// A string from its opening quote; *text points into the document.
static StStatus read_string(Parser *parser, const char **text) {
  size_t start = parser->at++;
  *text = parser->document->strings + parser->string_end;
  for (;;) {
    if (parser->at >= parser->document->size)
      return fail(parser, start, "the string that starts here has no closing quote");
    unsigned char c = (unsigned char)peek(parser);
    if (c == '\n' || c == '\r')
      return fail(parser, start, "the string that starts here has no closing quote in its line");
    if (c < 0x20)
      return fail(parser, parser->at, "a control character in a string must be written as \\uXXXX");
    parser->at++;
    if (c == '"')
      break;
    if (c != '\\')
      put(parser, c);
    else
      ST_TRY(read_escape(parser));
  }
  put(parser, 0);
  return ST_OK;
}

static bool digit_at(const Parser *parser) {
  return peek(parser) >= '0' && peek(parser) <= '9';
}

static bool skip_digits(Parser *parser) {
  bool any = digit_at(parser);
  while (digit_at(parser))
    parser->at++;
  return any;
}

// Checks the grammar first, because strtod also accepts hexadecimal and "inf".
static StStatus read_number(Parser *parser, double *number) {
  size_t start = parser->at;
  if (peek(parser) == '-')
    parser->at++;
  bool zero = peek(parser) == '0';
  size_t digits = parser->at;
  if (!skip_digits(parser))
    return fail_expected(parser, "a digit");
  if (zero && parser->at > digits + 1)
    return fail(parser, start, "a number must not have leading zeros");
  if (peek(parser) == '.') {
    parser->at++;
    if (!skip_digits(parser))
      return fail_expected(parser, "a digit after the decimal point");
  }
  if (peek(parser) == 'e' || peek(parser) == 'E') {
    parser->at++;
    if (peek(parser) == '+' || peek(parser) == '-')
      parser->at++;
    if (!skip_digits(parser))
      return fail_expected(parser, "a digit in the exponent");
  }
  *number = strtod(parser->document->source + start, NULL);
  if (!isfinite(*number))
    return fail(parser, start, "this number is too large");
  return ST_OK;
}

static StStatus read_word(Parser *parser, StJson *node) {
  static const struct {
    const char *word;
    StJsonKind kind;
    bool truth;
  } WORDS[] = {{"true", ST_JSON_BOOLEAN, true},
               {"false", ST_JSON_BOOLEAN, false},
               {"null", ST_JSON_NULL, false}};
  for (int i = 0; i < ST_LENGTH(WORDS); i++) {
    size_t length = strlen(WORDS[i].word);
    if (strncmp(parser->document->source + parser->at, WORDS[i].word, length) != 0)
      continue;
    node->kind = WORDS[i].kind;
    node->truth = WORDS[i].truth;
    parser->at += length;
    return ST_OK;
  }
  return fail_expected(parser, "a value (texts need double quotes)");
}

static StStatus read_value(Parser *parser, StJson *node);

static StStatus read_key(Parser *parser, StJson *child) {
  if (peek(parser) != '"')
    return fail_expected(parser, "a key in double quotes");
  child->key_place = parser->at;
  ST_TRY(read_string(parser, &child->key));
  skip_space(parser);
  if (peek(parser) != ':')
    return fail_expected(parser, "':' after the key");
  parser->at++;
  return ST_OK;
}

static int compare_keys(const void *left, const void *right) {
  const StJson *a = *(const StJson *const *)left, *b = *(const StJson *const *)right;
  int order = strcmp(a->key, b->key);
  return order ? order : a->index - b->index;
}

// Sorting finds repeated keys of a huge object in reasonable time.
static StStatus check_duplicates(Parser *parser, const StJson *object) {
  const StJson **child = ST_NEW(const StJson *, object->child_count);
  ST_TRY_MEMORY(child, parser->error);
  int count = 0;
  for (const StJson *at = object->child; at; at = at->next)
    child[count++] = at;
  qsort(child, (size_t)count, sizeof *child, compare_keys);
  const StJson *repeated = NULL;
  for (int i = 1; i < count; i++)
    if (!strcmp(child[i - 1]->key, child[i]->key) &&
        (!repeated || child[i]->key_place < repeated->key_place))
      repeated = child[i];
  free(child);
  if (!repeated)
    return ST_OK;
  char text[120];
  snprintf(text, sizeof text, "the key \"%.60s\" occurs twice in this object", repeated->key);
  return fail(parser, repeated->key_place, text);
}

static StStatus read_child(Parser *parser, StJson *node) {
  if (++parser->values > ST_JSON_VALUES)
    return fail(parser, parser->at, "this file has more than 4 million values");
  StJson *child = st_json_append(node);
  ST_TRY_MEMORY(child, parser->error);
  if (node->kind == ST_JSON_OBJECT)
    ST_TRY(read_key(parser, child));
  return read_value(parser, child);
}

static StStatus read_children(Parser *parser, StJson *node, char close) {
  const char *expected = close == ']' ? "',' or ']'" : "',' or '}'";
  parser->at++;
  skip_space(parser);
  while (peek(parser) != close) {
    ST_TRY(read_child(parser, node));
    skip_space(parser);
    if (peek(parser) == close)
      break;
    if (peek(parser) != ',')
      return fail_expected(parser, expected);
    size_t comma = parser->at++;
    skip_space(parser);
    if (peek(parser) == close)
      return fail(parser, comma,
                  close == ']' ? "there must be no comma before the closing ']'"
                               : "there must be no comma before the closing '}'");
  }
  parser->at++;
  return node->kind == ST_JSON_OBJECT ? check_duplicates(parser, node) : ST_OK;
}

// Only numbers up to the closing bracket. Errors are left to the code that reads them one by one.
static bool take_numbers(Parser *parser, double **array, size_t *capacity, int *count) {
  for (;;) {
    skip_space(parser);
    bool number = peek(parser) == '-' || digit_at(parser);
    if (!number || *count == INT_MAX ||
        !st_grow((void **)array, capacity, (size_t)*count + 1, sizeof **array) ||
        read_number(parser, &(*array)[*count]) != ST_OK)
      return false;
    ++*count;
    skip_space(parser);
    if (peek(parser) != ',')
      return peek(parser) == ']';
    parser->at++;
  }
}

// Sets *packed if the list is a long one of numbers; otherwise does nothing.
static StStatus read_packed(Parser *parser, StJson *node, bool *packed) {
  StError *error = parser->error, ignored;
  size_t start = parser->at++, capacity = 0;
  double *array = NULL;
  int count = 0;
  parser->error = &ignored;
  *packed = take_numbers(parser, &array, &capacity, &count) && count >= ST_JSON_PACKED;
  parser->error = error;
  size_t place = node->place, key_place = node->key_place;
  StStatus status = *packed ? st_json_set_numbers(node, count, array, error) : ST_OK;
  node->place = place;
  node->key_place = key_place;
  free(array);
  parser->at = *packed ? parser->at + 1 : start;
  return status;
}

static StStatus read_nested(Parser *parser, StJson *node) {
  if (++parser->depth > ST_JSON_DEPTH)
    return fail(parser, parser->at,
                "lists and objects are nested too deeply (more than 64 levels)");
  bool list = peek(parser) == '[', packed = false;
  node->kind = list ? ST_JSON_LIST : ST_JSON_OBJECT;
  if (list && parser->packed)
    ST_TRY(read_packed(parser, node, &packed));
  if (!packed)
    ST_TRY(read_children(parser, node, list ? ']' : '}'));
  parser->depth--;
  return ST_OK;
}

static StStatus read_kind(Parser *parser, StJson *node) {
  char c = peek(parser);
  if (c == '{' || c == '[')
    return read_nested(parser, node);
  if (c == '"') {
    node->kind = ST_JSON_STRING;
    return read_string(parser, &node->text);
  }
  if (c == '-' || digit_at(parser)) {
    node->kind = ST_JSON_NUMBER;
    return read_number(parser, &node->number);
  }
  return read_word(parser, node);
}

static StStatus read_value(Parser *parser, StJson *node) {
  skip_space(parser);
  node->place = parser->at;
  ST_TRY(read_kind(parser, node));
  node->end = parser->at;
  return ST_OK;
}

static StStatus check_bytes(Parser *parser) {
  const char *text = parser->document->source;
  size_t size = parser->document->size;
  for (size_t i = 0; i < size;) {
    size_t length = st_utf8_length(text + i, size - i);
    if (length == 0)
      return fail(parser, i, "this byte is not UTF-8 text");
    if (text[i] == 0)
      return fail(parser, i, "a zero byte; this must be a text file");
    i += length;
  }
  return ST_OK;
}

static StStatus parse_document(Parser *parser) {
  ST_TRY(check_bytes(parser));
  if (strncmp(parser->document->source, "\xEF\xBB\xBF", 3) == 0)
    parser->at = 3; // a byte order mark, as some editors write
  ST_TRY(read_value(parser, st_json_top(parser->document)));
  skip_space(parser);
  if (parser->at < parser->document->size)
    return fail_expected(parser, "the end of the file");
  return ST_OK;
}

// Two extra zero bytes: looking one character ahead never leaves the text.
static StStatus take_text(StJsonDocument *document, const char *text, size_t size, StError *error) {
  document->source = ST_NEW(char, size + 2);
  document->strings = ST_NEW(char, size + 2);
  document->mark = ST_NEW(StJsonMark, size / ST_JSON_STRIDE + 1);
  document->size = size;
  ST_TRY_MEMORY(document->source && document->strings && document->mark, error);
  if (size)
    memcpy(document->source, text, size);
  set_marks(document);
  return ST_OK;
}

// parser: with its flags set.
static StStatus parse(Parser *parser, const char *text, size_t size, StJsonDocument **document) {
  ST_TRY(st_json_create(&parser->document, parser->error));
  StStatus status = take_text(parser->document, text, size, parser->error);
  if (status == ST_OK)
    status = parse_document(parser);
  if (status == ST_OK)
    *document = parser->document;
  else
    st_json_destroy(parser->document);
  return status;
}

StStatus st_json_parse(const char *name, const char *text, size_t size, StJsonDocument **document,
                       StError *error) {
  Parser parser = {.name = name, .error = error};
  return parse(&parser, text, size, document);
}

StStatus st_json_parse_packed(const char *name, const char *text, size_t size,
                              StJsonDocument **document, StError *error) {
  Parser parser = {.name = name, .packed = true, .error = error};
  return parse(&parser, text, size, document);
}

StStatus st_json_read_own(const char *path, StJsonDocument **document, StError *error) {
  ST_FREE char *text = NULL;
  size_t size = 0;
  *document = NULL;
  ST_TRY(st_file_read(path, &text, &size, error));
  Parser parser = {.name = path, .bytes = true, .error = error};
  return parse(&parser, text, size, document);
}

const StJson *st_json_get(const StJson *object, const char *key) {
  if (object->kind != ST_JSON_OBJECT)
    return NULL;
  for (const StJson *child = object->child; child; child = child->next)
    if (strcmp(child->key, key) == 0)
      return child;
  return NULL;
}

const char *st_json_get_text(const StJson *object, const char *key) {
  const StJson *value = st_json_get(object, key);
  return value && value->kind == ST_JSON_STRING ? value->text : NULL;
}

double st_json_get_number(const StJson *object, const char *key) {
  const StJson *value = st_json_get(object, key);
  return value && value->kind == ST_JSON_NUMBER ? value->number : NAN;
}
