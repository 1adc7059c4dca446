// Words and numbers from a file in memory.
#include "mesh/scan.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

StScan st_scan_begin(const char *name, const char *data, size_t size, const StLog *log,
                     StError *error) {
  return (StScan){.name = name,
                  .start = data,
                  .at = data,
                  .end = data + size,
                  .mark = data,
                  .log = log,
                  .error = error};
}

static size_t line_of(const StScan *scan) {
  size_t line = 1;
  for (const char *at = scan->start; at < scan->mark; at++)
    line += *at == '\n';
  return line;
}

StStatus st_scan_fail(const StScan *scan, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  size_t byte = (size_t)(scan->mark - scan->start);
  return st_fail(scan->error, ST_BAD_INPUT, scan->binary ? "%s: byte %zu: %s" : "%s:%zu: %s",
                 scan->name, scan->binary ? byte : line_of(scan), text);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}
static bool is_space(char c) {
  return c == '\n' || is_blank(c);
}

size_t st_scan_left(const StScan *scan) {
  return (size_t)(scan->end - scan->at);
}

void st_scan_skip_space(StScan *scan) {
  while (scan->at < scan->end && is_space(*scan->at))
    scan->at++;
}

void st_scan_skip_blanks(StScan *scan) {
  while (scan->at < scan->end && is_blank(*scan->at))
    scan->at++;
}

bool st_scan_at_line_end(StScan *scan) {
  st_scan_skip_blanks(scan);
  return scan->at == scan->end || *scan->at == '\n';
}

void st_scan_next_line(StScan *scan) {
  const char *found =
      scan->at < scan->end ? memchr(scan->at, '\n', (size_t)(scan->end - scan->at)) : NULL;
  scan->at = found ? found + 1 : scan->end;
}

StSpan st_scan_rest_of_line(StScan *scan) {
  st_scan_skip_blanks(scan);
  scan->mark = scan->at;
  const char *first = scan->at;
  st_scan_next_line(scan);
  const char *last = scan->at;
  while (last > first && is_space(last[-1]))
    last--;
  return (StSpan){first, (size_t)(last - first)};
}

bool st_scan_word_in_line(StScan *scan, StSpan *word) {
  st_scan_skip_blanks(scan);
  scan->mark = scan->at;
  while (scan->at < scan->end && !is_space(*scan->at))
    scan->at++;
  *word = (StSpan){scan->mark, (size_t)(scan->at - scan->mark)};
  return word->length > 0;
}

bool st_scan_word(StScan *scan, StSpan *word) {
  st_scan_skip_space(scan);
  return st_scan_word_in_line(scan, word);
}

static StStatus wanted(const StScan *scan, StSpan word, const char *what) {
  if (!word.length)
    return st_scan_fail(scan, "the file ends where %s should be", what);
  return st_scan_fail(scan, "found '%s' instead of %s", st_quote(word).text, what);
}

StStatus st_scan_integer(StScan *scan, const char *what, int64_t low, int64_t high,
                         int64_t *value) {
  StSpan word;
  if (!st_scan_word(scan, &word) || !st_span_integer(word, value))
    return wanted(scan, word, what);
  if (*value >= low && *value <= high)
    return ST_OK;
  if (high == INT64_MAX)
    return st_scan_fail(scan, "%s must be at least %lld, not %lld", what, (long long)low,
                        (long long)*value);
  return st_scan_fail(scan, "%s must be from %lld to %lld, not %lld", what, (long long)low,
                      (long long)high, (long long)*value);
}

StStatus st_scan_real(StScan *scan, const char *what, double *value) {
  StSpan word;
  if (!st_scan_word(scan, &word) || !st_span_real(word, value))
    return wanted(scan, word, what);
  return ST_OK;
}

StStatus st_scan_expect(StScan *scan, const char *text) {
  StSpan word;
  if (st_scan_word(scan, &word) && st_span_is(word, text))
    return ST_OK;
  return wanted(scan, word, text);
}

bool st_span_integer(StSpan span, int64_t *value) {
  size_t i = span.length && (span.at[0] == '-' || span.at[0] == '+') ? 1 : 0;
  if (i == span.length)
    return false;
  int64_t sum = 0;
  for (; i < span.length; i++) {
    int digit = span.at[i] - '0';
    if (digit < 0 || digit > 9 || sum > (INT64_MAX - digit) / 10)
      return false;
    sum = 10 * sum + digit;
  }
  *value = span.at[0] == '-' ? -sum : sum;
  return true;
}

// Up to 15 digits and a power of ten up to 10^22 are exact doubles, so one division or product
// rounds correctly; everything else is left to strtod.
static bool short_decimal(StSpan span, double *value) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  size_t i = span.length && (span.at[0] == '-' || span.at[0] == '+') ? 1 : 0;
  int64_t sum = 0;
  int digits = 0, decimals = 0;
  bool point = false;
  for (; i < span.length; i++) {
    char c = span.at[i];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9' && digits < 15) {
      sum = 10 * sum + (c - '0');
      digits++;
      decimals += point;
    } else {
      return false;
    }
  }
  if (!digits)
    return false;
  *value = (double)sum / power[decimals];
  if (span.at[0] == '-')
    *value = -*value;
  return true;
}

bool st_span_real(StSpan span, double *value) {
  if (short_decimal(span, value))
    return true;
  char text[512], *end;
  if (!span.length || span.length >= sizeof text)
    return false;
  memcpy(text, span.at, span.length);
  text[span.length] = 0;
  if (strpbrk(text, "xX")) // no mesh format has hexadecimal numbers
    return false;
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!plain)
    return false;
  *value = strtod_l(text, &end, plain);
  freelocale(plain);
  return end == text + span.length;
}

bool st_span_is(StSpan span, const char *text) {
  return strlen(text) == span.length && memcmp(span.at, text, span.length) == 0;
}

bool st_span_is_word(StSpan span, const char *text) {
  return strlen(text) == span.length && strncasecmp(span.at, text, span.length) == 0;
}

bool st_span_starts(StSpan span, const char *text) {
  size_t length = strlen(text);
  return length <= span.length && memcmp(span.at, text, length) == 0;
}

StQuote st_quote(StSpan span) {
  StQuote quote;
  size_t room = sizeof quote.text - 4, length = span.length < room ? span.length : room;
  for (size_t i = 0; i < length; i++)
    quote.text[i] = span.at[i] >= 32 && span.at[i] < 127 ? span.at[i] : '?';
  memcpy(quote.text + length, length < span.length ? "..." : "", length < span.length ? 4 : 1);
  return quote;
}

uint32_t st_bytes_u32(const char *at, bool swap) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return swap ? __builtin_bswap32(value) : value;
}

uint64_t st_bytes_u64(const char *at, bool swap) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return swap ? __builtin_bswap64(value) : value;
}

float st_bytes_f32(const char *at, bool swap) {
  uint32_t bits = st_bytes_u32(at, swap);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double st_bytes_f64(const char *at, bool swap) {
  uint64_t bits = st_bytes_u64(at, swap);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
