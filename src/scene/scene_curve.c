// A number over time: 3, "3 kPa", "3 kPa * sin(50 Hz * t)", keys as in [{"time": 0, "value": 0},
// {"time": "1 s", "value": "3 kPa"}], or an object {"keys": …}, {"sine": …} or {"ramp": …}. Numbers
// have the dimension and range of their key.
#include "scene/parts.h"

#include "base/memory.h"

#include <string.h>

static const char *const INTERPOLATIONS[] = {"linear", "smooth", "cubic", NULL};
static const char *const RAMPS[] = {"linear", "smooth", NULL};
static const char SAME_UNIT[] = "the unit of what changes";

typedef struct Key {
  double time;
  const StJson *value;
} Key;

static const StKey KEY_KEYS[] = {
    {.param = {.name = "time",
               .dimension = ST_TIME,
               .fallback = NAN,
               .min = 0,
               .max = INFINITY,
               .doc = "Time; later than the previous key."},
     .required = true,
     .offset = offsetof(Key, time)},
    {.param = {.name = "value", .doc = "Value at that time."},
     .kind = ST_KEY_QUANTITY,
     .units = SAME_UNIT,
     .required = true,
     .offset = offsetof(Key, value)},
};

const StKeyTable st_keys_curve_key = {
    .name = "key over time",
    .doc = "One instant of a quantity that changes over time.",
    .key = KEY_KEYS,
    .key_count = ST_LENGTH(KEY_KEYS),
    .choice_key = -1,
};

typedef struct Sine {
  const StJson *amplitude, *mean;
  double frequency, phase, start, end;
} Sine;

#define WHEN_KEYS(type, begins, ends)                                                              \
  {.param = {.name = "start", .dimension = ST_TIME, .min = 0, .max = 1e12, .doc = begins},         \
   .offset = offsetof(type, start)},                                                               \
  {                                                                                                \
    .param = {.name = "end",                                                                       \
              .dimension = ST_TIME,                                                                \
              .fallback = INFINITY,                                                                \
              .min = 0,                                                                            \
              .max = INFINITY,                                                                     \
              .min_open = true,                                                                    \
              .doc = ends},                                                                        \
    .otherwise = "never", .offset = offsetof(type, end)                                            \
  }

static const StKey SINE_KEYS[] = {
    {.param = {.name = "amplitude", .doc = "Amplitude: half of the peak-to-peak range."},
     .kind = ST_KEY_QUANTITY,
     .units = SAME_UNIT,
     .required = true,
     .offset = offsetof(Sine, amplitude)},
    {.param = {.name = "frequency",
               .dimension = ST_RATE,
               .fallback = NAN,
               .min = 0,
               .max = INFINITY,
               .min_open = true,
               .doc = "Periods per second."},
     .required = true,
     .offset = offsetof(Sine, frequency)},
    {.param = {.name = "phase",
               .dimension = ST_ANGLE,
               .doc = "Angle of the sine at its start; 90 deg makes it a cosine."},
     .offset = offsetof(Sine, phase)},
    {.param = {.name = "mean", .doc = "Mean value."},
     .kind = ST_KEY_QUANTITY,
     .units = SAME_UNIT,
     .otherwise = "0",
     .offset = offsetof(Sine, mean)},
    WHEN_KEYS(Sine, "Start time; before it, the value at the start.",
              "End time; after it, the value at the end."),
};

const StKeyTable st_keys_sine = {
    .name = "sine",
    .doc = "mean + amplitude · sin(2π frequency (t − start) + phase).",
    .key = SINE_KEYS,
    .key_count = ST_LENGTH(SINE_KEYS),
    .choice_key = -1,
};

typedef struct Ramp {
  const StJson *from, *to;
  double start, end;
  int interpolation;
} Ramp;

static const StKey RAMP_KEYS[] = {
    {.param = {.name = "from", .doc = "Value before the start."},
     .kind = ST_KEY_QUANTITY,
     .units = SAME_UNIT,
     .otherwise = "0",
     .offset = offsetof(Ramp, from)},
    {.param = {.name = "to", .doc = "Value after the end."},
     .kind = ST_KEY_QUANTITY,
     .units = SAME_UNIT,
     .required = true,
     .offset = offsetof(Ramp, to)},
    {.param = {.name = "start",
               .dimension = ST_TIME,
               .min = 0,
               .max = INFINITY,
               .doc = "Start of the change."},
     .offset = offsetof(Ramp, start)},
    {.param = {.name = "end",
               .dimension = ST_TIME,
               .fallback = NAN,
               .min = 0,
               .max = INFINITY,
               .doc = "End of the change; later than the start."},
     .required = true,
     .offset = offsetof(Ramp, end)},
    {.param = {.name = "interpolation",
               .kind = ST_WORD,
               .word = RAMPS,
               .doc = "A straight line, or a cubic without corners."},
     .offset = offsetof(Ramp, interpolation)},
};

const StKeyTable st_keys_ramp = {
    .name = "ramp",
    .doc = "From one value to another, and constant before and after.",
    .key = RAMP_KEYS,
    .key_count = ST_LENGTH(RAMP_KEYS),
    .choice_key = -1,
};

typedef struct Course {
  const StJson *keys, *sine, *ramp;
  int interpolation;
  bool extend;
} Course;

static const StKey COURSE_KEYS[] = {
    {.param = {.name = "keys", .doc = "Keys in order of time."},
     .kind = ST_KEY_LIST,
     .table = &st_keys_curve_key,
     .otherwise = "none; sine or ramp is then needed",
     .offset = offsetof(Course, keys)},
    {.param = {.name = "sine", .doc = "A sine."},
     .kind = ST_KEY_OBJECT,
     .table = &st_keys_sine,
     .otherwise = "none",
     .offset = offsetof(Course, sine)},
    {.param = {.name = "ramp", .doc = "A ramp."},
     .kind = ST_KEY_OBJECT,
     .table = &st_keys_ramp,
     .otherwise = "none",
     .offset = offsetof(Course, ramp)},
    {.param = {.name = "interpolation",
               .kind = ST_WORD,
               .word = INTERPOLATIONS,
               .doc = "Between keys: linear; smooth, monotone cubics that start and end flat; or "
                      "cubic, the spline through the keys whose second derivative is continuous."},
     .offset = offsetof(Course, interpolation)},
    {.param = {.name = "extend",
               .kind = ST_BOOLEAN,
               .doc = "After the last key continue at its rate instead of staying constant."},
     .offset = offsetof(Course, extend)},
};

const StKeyTable st_keys_course = {
    .name = "course",
    .doc = "A quantity over time: exactly one of keys, sine and ramp. Before the first key and "
           "after the last it is constant.",
    .key = COURSE_KEYS,
    .key_count = ST_LENGTH(COURSE_KEYS),
    .choice_key = -1,
};

static StStatus new_keys(StReader *reader, StCurve *curve, int count) {
  curve->time = ST_NEW(double, count);
  curve->value = ST_NEW(double, count);
  ST_TRY_MEMORY(curve->time && curve->value, reader->error);
  curve->key_count = count;
  return ST_OK;
}

static StStatus read_keys(StReader *reader, const StJson *at, const StKey *key, StCurve *curve) {
  if (at->child_count < 1)
    return st_reader_fail(reader, at, "at least one key is needed");
  ST_TRY(new_keys(reader, curve, at->child_count));
  for (const StJson *item = at->child; item; item = item->next) {
    Key given = {0};
    int i = item->index;
    ST_TRY(st_reader_object(reader, item, &st_keys_curve_key, &given));
    ST_TRY(st_reader_param(reader, given.value, &key->param, &curve->value[i]));
    curve->time[i] = given.time;
    if (i > 0 && given.time <= curve->time[i - 1])
      return st_reader_fail(reader, st_json_get(item, "time"),
                            "must be later than the previous key (%g s), is %g s",
                            curve->time[i - 1], given.time);
  }
  return ST_OK;
}

// Amplitudes and the like have the key's dimension, but not its range.
static StStatus read_part(StReader *reader, const StJson *at, const StKey *key, double *value) {
  StParam part = key->param;
  part.min = part.max = 0;
  *value = 0;
  return at ? st_reader_param(reader, at, &part, value) : ST_OK;
}

static StStatus check_order(const StReader *reader, const StJson *at, double start, double end) {
  if (end > start)
    return ST_OK;
  return st_reader_fail(reader, st_json_get(at, "end"),
                        "must be later than the start (%g s), is %g s", start, end);
}

static StStatus read_sine(StReader *reader, const StJson *at, const StKey *key, StCurve *curve) {
  Sine given = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_sine, &given));
  st_scene_warn_angle(reader, st_json_get(at, "phase"));
  ST_TRY(check_order(reader, at, given.start, given.end));
  curve->kind = ST_CURVE_SINE;
  curve->sine = (StSine){.frequency = 2 * M_PI * given.frequency,
                         .phase = given.phase,
                         .start = given.start,
                         .end = given.end};
  ST_TRY(read_part(reader, given.amplitude, key, &curve->sine.amplitude));
  return read_part(reader, given.mean, key, &curve->sine.mean);
}

static StStatus read_ramp(StReader *reader, const StJson *at, const StKey *key, StCurve *curve) {
  Ramp given = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_ramp, &given));
  ST_TRY(check_order(reader, at, given.start, given.end));
  ST_TRY(new_keys(reader, curve, 2));
  curve->time[0] = given.start;
  curve->time[1] = given.end;
  ST_TRY(read_part(reader, given.from, key, &curve->value[0]));
  ST_TRY(read_part(reader, given.to, key, &curve->value[1]));
  return st_curve_interpolate(curve, (StInterpolation)given.interpolation, reader->error);
}

static StStatus read_course(StReader *reader, const StJson *at, const StKey *key, StCurve *curve) {
  static const char *const FORMS[] = {"keys", "sine", "ramp"};
  static const char *const OF_KEYS[] = {"interpolation", "extend"};
  Course given = {0};
  int forms = 0;
  ST_TRY(st_reader_object(reader, at, &st_keys_course, &given));
  for (int i = 0; i < ST_LENGTH(FORMS); i++)
    forms += st_json_get(at, FORMS[i]) != NULL;
  if (forms != 1)
    return st_reader_fail(reader, at,
                          "exactly one of the keys \"keys\", \"sine\", \"ramp\" is needed");
  for (int i = 0; !given.keys && i < ST_LENGTH(OF_KEYS); i++)
    if (st_json_get(at, OF_KEYS[i]))
      return st_reader_fail_key(reader, st_json_get(at, OF_KEYS[i]),
                                "cannot be used without \"keys\"");
  if (given.sine)
    return read_sine(reader, given.sine, key, curve);
  if (given.ramp)
    return read_ramp(reader, given.ramp, key, curve);
  curve->extend = given.extend;
  ST_TRY(read_keys(reader, given.keys, key, curve));
  return st_curve_interpolate(curve, (StInterpolation)given.interpolation, reader->error);
}

static StStatus read_formula(StReader *reader, const StJson *at, const StKey *key, StCurve *curve) {
  curve->kind = ST_CURVE_FORMULA;
  curve->factor = 1;
  StStatus status =
      st_expression_parse(at->text, key->param.dimension, &curve->formula, reader->error);
  return status == ST_OK ? ST_OK : st_reader_prefix(reader, at, status);
}

// Keys are checked one by one where they are read; the rest here, at many instants.
static StStatus check_course(const StReader *reader, const StJson *at, const StKey *key,
                             const StCurve *curve) {
  enum { SAMPLES = 2000 };
  double duration = reader->description->time.duration;
  for (int i = 0; i <= SAMPLES; i++) {
    double t = duration * i / SAMPLES, value = st_curve_at(curve, t, 0);
    if (!isfinite(value))
      return st_reader_fail(reader, at, "has no value at t = %g s", t);
    if (!st_param_allows(&key->param, value))
      return st_reader_fail(reader, at, "is out of range at t = %g s: %g %s, not from %g to %g", t,
                            value, st_dimension_unit(key->param.dimension), key->param.min,
                            key->param.max);
  }
  return ST_OK;
}

StStatus st_scene_read_curve(StReader *reader, const StJson *at, const StKey *key, StCurve *curve) {
  if (at->kind == ST_JSON_LIST)
    return read_keys(reader, at, key, curve);
  if (at->kind == ST_JSON_OBJECT)
    ST_TRY(read_course(reader, at, key, curve));
  else if (at->kind == ST_JSON_STRING && st_expression_is_formula(at->text))
    ST_TRY(read_formula(reader, at, key, curve));
  else {
    ST_TRY(new_keys(reader, curve, 1));
    return st_reader_param(reader, at, &key->param, curve->value);
  }
  return check_course(reader, at, key, curve);
}

// A list of three curves, unless it is the keys of one.
static bool is_triple(const StJson *at) {
  return at->kind == ST_JSON_LIST &&
         !(at->child && at->child->kind == ST_JSON_OBJECT && st_json_get(at->child, "time"));
}

// A constant zero counts as not given, and costs nothing.
static void drop_zero(StCurve *curve) {
  if (curve->kind == ST_CURVE_KEYS && curve->key_count == 1 && curve->value[0] == 0)
    st_curve_free(curve);
}

StStatus st_scene_read_curves(StReader *reader, const StJson *at, const StKey *key,
                              const StJson *direction, const double along[3], StCurve curve[3]) {
  int k = 0;
  if (is_triple(at)) {
    if (at->child_count != 3)
      return st_reader_fail(reader, at, "must be a list of three values, or a single one, has %d",
                            at->child_count);
    if (direction)
      return st_reader_fail_key(reader, direction, "cannot be used with three components");
    for (const StJson *item = at->child; item; item = item->next, k++) {
      ST_TRY(st_scene_read_curve(reader, item, key, &curve[k]));
      drop_zero(&curve[k]);
    }
    return ST_OK;
  }
  if (!direction)
    return st_reader_fail(reader, at,
                          "a single value needs the key \"direction\"; or give three components");
  for (k = 0; k < 3; k++) {
    if (along[k] == 0)
      continue;
    ST_TRY(st_scene_read_curve(reader, at, key, &curve[k]));
    st_curve_scale(&curve[k], along[k], 0);
  }
  return ST_OK;
}
