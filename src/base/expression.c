// Formulas in t: a recursive-descent parser that writes postfix code and checks dimensions on the
// way, and an evaluation in dual numbers, whose second part is the derivative by t.
//   sum = product {(+|-) product}, product = sign {(*|/) sign}, sign = {+|-} power,
//   power = primary [^ sign], primary = number {unit} | unit | t | pi | function(sum, …) | (sum)
#include "base/expression.h"

#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 48, TEXT = 1000 };

typedef enum Op {
  NUMBER,
  TIME,
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  POWER,
  NEGATE,
  SIN,
  COS,
  TAN,
  TANH,
  EXP,
  LOG,
  SQRT,
  ABS,
  MIN,
  MAX,
} Op;

typedef struct Code {
  Op op;
  double number;
} Code;

struct StExpression {
  size_t count, capacity;
  Code *code; // postfix; at most DEPTH values wait at any time
};

// How a function treats dimensions.
typedef enum Rule { OF_ANGLE, OF_NUMBER, OF_ROOT, KEEPS } Rule;

typedef struct Function {
  const char *name;
  Op op;
  int arguments;
  Rule rule;
} Function;

static const Function FUNCTIONS[] = {
    {"sin", SIN, 1, OF_ANGLE},  {"cos", COS, 1, OF_ANGLE},  {"tan", TAN, 1, OF_ANGLE},
    {"exp", EXP, 1, OF_NUMBER}, {"log", LOG, 1, OF_NUMBER}, {"tanh", TANH, 1, OF_NUMBER},
    {"sqrt", SQRT, 1, OF_ROOT}, {"abs", ABS, 1, KEEPS},     {"min", MIN, 2, KEEPS},
    {"max", MAX, 2, KEEPS},
};

// Dimension of a value: exponents of m, kg, s and rad; a literal 0 matches any.
typedef struct Kind {
  int power[4];
  bool any;
  bool whole; // `number` is a literal whole number, allowed as an exponent of a length
  double number;
} Kind;

typedef struct Parser {
  const char *text, *at;
  StExpression *expression;
  int depth, waiting; // open brackets; values on the stack
  bool measured;      // a unit has occurred
  bool failed;        // syntax error or out of memory
  StError *error;
  char clash[200]; // the first mismatch of dimensions, which is an error only if a unit occurs
} Parser;

static void fail(Parser *parser, const char *what) {
  if (!parser->failed)
    st_fail(parser->error, ST_BAD_INPUT, "\"%.80s\": %s", parser->text, what);
  parser->failed = true;
}

static void fail_at(Parser *parser, const char *what) {
  char text[200];
  int length = 0;
  while (length < 20 && parser->at[length] && (length == 0 || parser->at[length] != ' '))
    length++;
  while (length > 0 && (parser->at[length] & 0xC0) == 0x80)
    length--; // whole characters only
  if (*parser->at)
    snprintf(text, sizeof text, "%s; instead there is \"%.*s\"", what, length, parser->at);
  else
    snprintf(text, sizeof text, "%s; instead it ends", what);
  fail(parser, text);
}

static const char *kind_name(const Kind *kind) {
  return st_dimension_name((StDimension){(signed char)kind->power[0], (signed char)kind->power[1],
                                         (signed char)kind->power[2], (signed char)kind->power[3]});
}

static bool is_pure(const Kind *kind) {
  return kind->any || !(kind->power[0] || kind->power[1] || kind->power[2] || kind->power[3]);
}

static bool same_kind(const Kind *a, const Kind *b) {
  return a->any || b->any || !memcmp(a->power, b->power, sizeof a->power);
}

__attribute__((format(printf, 2, 3))) static void clash(Parser *parser, const char *format, ...) {
  if (parser->clash[0])
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(parser->clash, sizeof parser->clash, format, arguments);
  va_end(arguments);
}

static void emit(Parser *parser, Op op, double number, int taken) {
  StExpression *to = parser->expression;
  if (parser->failed)
    return;
  if (!st_grow((void **)&to->code, &to->capacity, to->count + 1, sizeof(Code))) {
    st_fail_memory(parser->error);
    parser->failed = true;
    return;
  }
  to->code[to->count++] = (Code){op, number};
  parser->waiting += 1 - taken;
  if (parser->waiting > DEPTH)
    fail(parser, "is nested too deeply");
}

static void skip_space(Parser *parser) {
  while (*parser->at == ' ' || *parser->at == '\t')
    parser->at++;
}

static bool accept(Parser *parser, char sign) {
  skip_space(parser);
  if (*parser->at != sign)
    return false;
  parser->at++;
  return true;
}

static Kind parse_sum(Parser *parser);
static Kind parse_sign(Parser *parser);

static bool is_word(const char *word, int length, const char *name) {
  return (int)strlen(name) == length && !memcmp(word, name, (size_t)length);
}

static const Function *find_function(const char *word, int length) {
  for (int i = 0; i < ST_LENGTH(FUNCTIONS); i++)
    if (is_word(word, length, FUNCTIONS[i].name))
      return &FUNCTIONS[i];
  return NULL;
}

// A function name counts only before a bracket: "min" is also a minute.
static const Function *function_here(const char *at) {
  int length = st_unit_word(at);
  const Function *function = find_function(at, length);
  const char *after = at + length;
  while (*after == ' ')
    after++;
  return function && *after == '(' ? function : NULL;
}

bool st_expression_is_formula(const char *text) {
  while (*text) {
    int length = st_unit_word(text);
    if (is_word(text, length, "t") || is_word(text, length, "pi") || function_here(text))
      return true;
    text += length ? length : 1;
  }
  return false;
}

// A unit with its power, as a factor. Powers have one digit, as in plain quantities.
static bool parse_unit(Parser *parser, double *factor, Kind *kind) {
  int length = st_unit_word(parser->at), power = 1;
  double unit;
  StDimension dimension;
  if (is_word(parser->at, length, "t") || function_here(parser->at) ||
      !st_unit_find(parser->at, length, &unit, &dimension))
    return false;
  parser->at += length;
  parser->measured = true;
  if (*parser->at == '^') {
    int sign = parser->at[1] == '-' ? -1 : 1;
    const char *digit = parser->at + (sign < 0 ? 2 : 1);
    if (!isdigit((unsigned char)*digit) || isdigit((unsigned char)digit[1])) {
      fail_at(parser, "the power of a unit must be a single digit");
      return true;
    }
    power = sign * (*digit - '0');
    parser->at = digit + 1;
  }
  const int one[4] = {dimension.m, dimension.kg, dimension.s, dimension.rad};
  *factor *= pow(unit, power);
  for (int i = 0; i < 4; i++)
    kind->power[i] += power * one[i];
  return true;
}

static Kind parse_number(Parser *parser) {
  Kind kind = {0};
  double number = strtod(parser->at, NULL);
  parser->at = st_number_end(parser->at);
  kind.number = number;
  kind.whole = number == floor(number);
  for (skip_space(parser); !parser->failed && parse_unit(parser, &number, &kind);) {
    kind.whole = false;
    skip_space(parser);
  }
  kind.any = number == 0;
  if (!isfinite(number))
    fail(parser, "has a number that is too large");
  emit(parser, NUMBER, number, 0);
  return kind;
}

static Kind apply_rule(Parser *parser, const Function *function, Kind kind) {
  Kind angle = {.power = {0, 0, 0, 1}}, none = {0};
  switch (function->rule) {
  case OF_ANGLE:
    if (!is_pure(&kind) && !same_kind(&kind, &angle))
      clash(parser, "%s takes a plain number or an angle and gets %s", function->name,
            kind_name(&kind));
    return none;
  case OF_NUMBER:
    if (!is_pure(&kind))
      clash(parser, "%s takes a plain number and gets %s", function->name, kind_name(&kind));
    return none;
  case OF_ROOT:
    for (int i = 0; i < 4; i++) {
      if (kind.power[i] % 2)
        clash(parser, "sqrt of %s has no unit", kind_name(&kind));
      kind.power[i] /= 2;
    }
    break;
  case KEEPS: break;
  }
  kind.whole = false;
  return kind;
}

static Kind parse_call(Parser *parser, const Function *function) {
  char wanted[60];
  parser->at += strlen(function->name);
  accept(parser, '(');
  Kind kind = parse_sum(parser);
  for (int i = 1; i < function->arguments && !parser->failed; i++) {
    if (!accept(parser, ',')) {
      snprintf(wanted, sizeof wanted, "%s takes two values with a comma between", function->name);
      fail_at(parser, wanted);
      return kind;
    }
    Kind other = parse_sum(parser);
    if (!same_kind(&kind, &other))
      clash(parser, "%s compares %s with %s", function->name, kind_name(&kind), kind_name(&other));
    kind = kind.any ? other : kind;
  }
  snprintf(wanted, sizeof wanted, "\")\" is needed to end %s(", function->name);
  if (!parser->failed && !accept(parser, ')'))
    fail_at(parser, wanted);
  emit(parser, function->op, 0, function->arguments);
  return apply_rule(parser, function, kind);
}

static Kind parse_word(Parser *parser) {
  static const char KNOWN[] =
      "a number, a unit, t, pi or one of sin cos tan exp log tanh sqrt abs min max is needed";
  const Function *function = function_here(parser->at);
  int length = st_unit_word(parser->at);
  Kind kind = {0};
  double factor = 1;
  if (function)
    return parse_call(parser, function);
  if (is_word(parser->at, length, "t")) {
    kind.power[2] = 1;
    parser->at++;
    emit(parser, TIME, 0, 0);
  } else if (is_word(parser->at, length, "pi")) {
    parser->at += 2;
    emit(parser, NUMBER, M_PI, 0);
  } else if (parse_unit(parser, &factor, &kind)) {
    emit(parser, NUMBER, factor, 0);
  } else {
    fail_at(parser, KNOWN);
  }
  return kind;
}

static Kind parse_primary(Parser *parser) {
  skip_space(parser);
  if (isdigit((unsigned char)*parser->at) || *parser->at == '.') {
    if (st_number_end(parser->at))
      return parse_number(parser);
  } else if (accept(parser, '(')) {
    Kind kind = parse_sum(parser);
    if (!parser->failed && !accept(parser, ')'))
      fail_at(parser, "\")\" is needed");
    return kind;
  }
  return parse_word(parser);
}

static Kind parse_power(Parser *parser) {
  Kind base = parse_primary(parser);
  if (parser->failed || !accept(parser, '^'))
    return base;
  Kind power = parse_sign(parser);
  emit(parser, POWER, 0, 2);
  if (!is_pure(&power))
    clash(parser, "a power is a plain number, not %s", kind_name(&power));
  if (is_pure(&base))
    return (Kind){0};
  if (!power.whole || fabs(power.number) > 9)
    clash(parser, "%s can be raised to whole numbers only", kind_name(&base));
  for (int i = 0; i < 4; i++)
    base.power[i] *= power.whole && fabs(power.number) <= 9 ? (int)power.number : 0;
  return base;
}

static Kind parse_sign(Parser *parser) {
  bool minus = accept(parser, '-');
  if (!minus && !accept(parser, '+'))
    return parse_power(parser);
  if (++parser->depth > DEPTH)
    fail(parser, "is nested too deeply");
  Kind kind = parser->failed ? (Kind){0} : parse_sign(parser);
  parser->depth--;
  if (minus) {
    emit(parser, NEGATE, 0, 1);
    kind.number = -kind.number;
  }
  return kind;
}

static Kind parse_product(Parser *parser) {
  Kind kind = parse_sign(parser);
  while (!parser->failed) {
    bool divide = accept(parser, '/');
    if (!divide && !accept(parser, '*'))
      return kind;
    Kind other = parse_sign(parser);
    emit(parser, divide ? DIVIDE : MULTIPLY, 0, 2);
    for (int i = 0; i < 4; i++)
      kind.power[i] += divide ? -other.power[i] : other.power[i];
    kind.any = kind.any || (!divide && other.any);
    kind.whole = false;
    if (abs(kind.power[0]) + abs(kind.power[1]) + abs(kind.power[2]) + abs(kind.power[3]) > 100)
      fail(parser, "has too high powers of units");
  }
  return kind;
}

static Kind parse_terms(Parser *parser) {
  Kind kind = parse_product(parser);
  while (!parser->failed) {
    bool minus = accept(parser, '-');
    if (!minus && !accept(parser, '+'))
      return kind;
    Kind other = parse_product(parser);
    emit(parser, minus ? SUBTRACT : ADD, 0, 2);
    if (!same_kind(&kind, &other))
      clash(parser, "%s and %s cannot be added", kind_name(&kind), kind_name(&other));
    kind = kind.any ? other : kind;
    kind.whole = kind.any = false;
  }
  return kind;
}

static Kind parse_sum(Parser *parser) {
  Kind kind = {0};
  if (++parser->depth > DEPTH)
    fail(parser, "is nested too deeply");
  else
    kind = parse_terms(parser);
  parser->depth--;
  return kind;
}

// A radian is a plain number, so a number is accepted where an angle is needed.
static void check_result(Parser *parser, const Kind *kind, StDimension needed) {
  const Kind wanted = {.power = {needed.m, needed.kg, needed.s, needed.rad}};
  const Kind timed = {.power = {needed.m, needed.kg, needed.s + 1, needed.rad}}; // "5 mm * t"
  bool angle = st_dimension_equal(needed, ST_ANGLE) && is_pure(kind);
  if (same_kind(kind, &wanted) || angle)
    return;
  if (same_kind(kind, &timed) && !is_pure(&wanted))
    clash(parser, "is %s times a time; a rate belongs before t, such as 1 %s/s*t",
          st_dimension_name(needed), st_dimension_unit(needed));
  else
    clash(parser, "is %s; %s is needed", kind_name(kind), st_dimension_name(needed));
}

static void parse_all(Parser *parser, StDimension dimension) {
  if (strlen(parser->text) > TEXT) {
    fail(parser, "is too long for a formula");
    return;
  }
  Kind kind = parse_sum(parser);
  skip_space(parser);
  if (!parser->failed && *parser->at)
    fail_at(parser, "an operator (+ - * / ^) or the end is needed");
  if (parser->failed)
    return;
  check_result(parser, &kind, dimension);
  if (parser->measured && parser->clash[0]) {
    char text[300];
    snprintf(text, sizeof text, "%s (with units in a formula t is a time, such as 50 Hz*t)",
             parser->clash);
    fail(parser, text);
  }
}

StStatus st_expression_parse(const char *text, StDimension dimension, StExpression **expression,
                             StError *error) {
  StError own;
  Parser parser = {.text = text, .at = text, .error = error ? error : &own};
  ST_TRY_MEMORY(parser.expression = ST_NEW(StExpression, 1), error);
  parse_all(&parser, dimension);
  if (parser.failed) {
    st_expression_destroy(parser.expression);
    return parser.error->status;
  }
  *expression = parser.expression;
  return ST_OK;
}

void st_expression_destroy(StExpression *expression) {
  if (expression)
    free(expression->code);
  free(expression);
}

typedef struct Dual {
  double value, rate;
} Dual;

// Chain rule under which a constant argument stays constant even where the slope is infinite.
static Dual chain(double value, double slope, double rate) {
  return (Dual){value, rate == 0 ? 0 : slope * rate};
}

static Dual raise(Dual base, Dual power) {
  double value = pow(base.value, power.value);
  Dual result = chain(value, power.value * pow(base.value, power.value - 1), base.rate);
  if (power.rate != 0)
    result.rate += value * log(base.value) * power.rate;
  return result;
}

static Dual apply_two(Op op, Dual a, Dual b) {
  switch (op) {
  case ADD: return (Dual){a.value + b.value, a.rate + b.rate};
  case SUBTRACT: return (Dual){a.value - b.value, a.rate - b.rate};
  case MULTIPLY: return (Dual){a.value * b.value, a.rate * b.value + a.value * b.rate};
  case DIVIDE: return (Dual){a.value / b.value, (a.rate - a.value / b.value * b.rate) / b.value};
  case POWER: return raise(a, b);
  case MIN: return b.value < a.value ? b : a;
  default: return b.value > a.value ? b : a; // MAX
  }
}

static Dual apply_one(Op op, Dual a) {
  double v = a.value;
  switch (op) {
  case NEGATE: return (Dual){-v, -a.rate};
  case SIN: return (Dual){sin(v), cos(v) * a.rate};
  case COS: return (Dual){cos(v), -sin(v) * a.rate};
  case TAN: return (Dual){tan(v), (1 + tan(v) * tan(v)) * a.rate};
  case TANH: return (Dual){tanh(v), (1 - tanh(v) * tanh(v)) * a.rate};
  case EXP: return (Dual){exp(v), exp(v) * a.rate};
  case LOG: return chain(log(v), 1 / v, a.rate);
  case SQRT: return chain(sqrt(v), 0.5 / sqrt(v), a.rate);
  default: return v < 0 ? (Dual){-v, -a.rate} : a; // ABS
  }
}

double st_expression_at(const StExpression *expression, double t, double *rate) {
  Dual stack[DEPTH + 1] = {{0}};
  int top = 0;
  for (size_t i = 0; i < expression->count; i++) {
    const Code *code = &expression->code[i];
    if (code->op == NUMBER || code->op == TIME) {
      stack[top++] = code->op == TIME ? (Dual){t, 1} : (Dual){code->number, 0};
    } else if (code->op == NEGATE || (code->op >= SIN && code->op <= ABS)) {
      stack[top - 1] = apply_one(code->op, stack[top - 1]);
    } else {
      top--;
      stack[top - 1] = apply_two(code->op, stack[top - 1], stack[top]);
    }
  }
  if (rate)
    *rate = stack[0].rate;
  return stack[0].value;
}
