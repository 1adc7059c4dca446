// A number over time: 3, "3 kPa", "3 kPa * sin(50 Hz * t)", keys as in [{"time": 0, "value": 0},
// {"time": "1 s", "value": "3 kPa"}], or an object {"keys": …}, {"sine": …} or {"ramp": …}. Numbers
// have the dimension and range of their key.
#include "scene/parts.h"

#include "base/memory.h"

static const char *const INTERPOLATIONS[] = {"linear", "smooth", "cubic", NULL};
static const char *const RAMPS[] = {"linear", "smooth", NULL};
static const char SAME_UNIT[] = "the unit of what changes";

typedef struct Key {
  double time;
  const StJson *value;
} Key;

static const StKey KEY_KEYS[] = {
    ST_KEY(Key, time, SCALAR, "Time; later than the previous key.", .param.dimension = ST_TIME,
           .param.fallback = NAN, ST_KEY_RANGE(0, INFINITY), .required = true),
    ST_KEY(Key, value, QUANTITY, "Value at that time.", .units = SAME_UNIT, .required = true),
};

const StKeyTable st_keys_curve_key = {
    .name = "key over time",
    .doc = "One instant of a quantity that changes over time.",
    ST_KEYS(KEY_KEYS),
};

typedef struct Sine {
  const StJson *amplitude, *mean;
  double frequency, phase, start, end;
} Sine;

static const StKey SINE_KEYS[] = {
    ST_KEY(Sine, amplitude, QUANTITY, "Amplitude: half of the peak-to-peak range.",
           .units = SAME_UNIT, .required = true),
    ST_KEY(Sine, frequency, SCALAR, "Periods per second.", .param.dimension = ST_RATE,
           .param.fallback = NAN, ST_KEY_POSITIVE, .required = true),
    ST_KEY(Sine, phase, SCALAR, "Angle of the sine at its start; 90 deg makes it a cosine.",
           .param.dimension = ST_ANGLE),
    ST_KEY(Sine, mean, QUANTITY, "Mean value.", .units = SAME_UNIT, .otherwise = "0"),
    ST_KEY(Sine, start, SCALAR, "Start time; before it, the value at the start.",
           .param.dimension = ST_TIME, ST_KEY_RANGE(0, 1e12)),
    ST_KEY(Sine, end, SCALAR, "End time; after it, the value at the end.",
           .param.dimension = ST_TIME, .param.fallback = INFINITY, ST_KEY_POSITIVE,
           .otherwise = "never"),
};

const StKeyTable st_keys_sine = {
    .name = "sine",
    .doc = "mean + amplitude · sin(2π frequency (t − start) + phase).",
    ST_KEYS(SINE_KEYS),
};

typedef struct Ramp {
  const StJson *from, *to;
  double start, end;
  int interpolation;
} Ramp;

static const StKey RAMP_KEYS[] = {
    ST_KEY(Ramp, from, QUANTITY, "Value before the start.", .units = SAME_UNIT, .otherwise = "0"),
    ST_KEY(Ramp, to, QUANTITY, "Value after the end.", .units = SAME_UNIT, .required = true),
    ST_KEY(Ramp, start, SCALAR, "Start of the change.", .param.dimension = ST_TIME,
           ST_KEY_RANGE(0, INFINITY)),
    ST_KEY(Ramp, end, SCALAR, "End of the change; later than the start.",
           .param.dimension = ST_TIME, .param.fallback = NAN, ST_KEY_RANGE(0, INFINITY),
           .required = true),
    ST_KEY(Ramp, interpolation, SCALAR, "A straight line, or a cubic without corners.",
           .param.kind = ST_WORD, .param.word = RAMPS),
};

const StKeyTable st_keys_ramp = {
    .name = "ramp",
    .doc = "From one value to another, and constant before and after.",
    ST_KEYS(RAMP_KEYS),
};

typedef struct Course {
  const StJson *keys, *sine, *ramp;
  int interpolation;
  bool extend;
} Course;

static const StKey COURSE_KEYS[] = {
    ST_KEY(Course, keys, LIST, "Keys in order of time.", .table = &st_keys_curve_key,
           .otherwise = "none; sine or ramp is then needed"),
    ST_KEY(Course, sine, OBJECT, "A sine.", .table = &st_keys_sine, .otherwise = "none"),
    ST_KEY(Course, ramp, OBJECT, "A ramp.", .table = &st_keys_ramp, .otherwise = "none"),
    ST_KEY(Course, interpolation, SCALAR,
           "Between keys: linear; smooth, monotone cubics that start and end flat; or cubic, the "
           "spline through the keys whose second derivative is continuous.",
           .param.kind = ST_WORD, .param.word = INTERPOLATIONS),
    ST_KEY(Course, extend, SCALAR,
           "After the last key continue at its rate instead of staying constant.",
           .param.kind = ST_BOOLEAN),
};

const StKeyTable st_keys_course = {
    .name = "course",
    .doc = "A quantity over time: exactly one of keys, sine and ramp. Before the first key and "
           "after the last it is constant.",
    ST_KEYS(COURSE_KEYS),
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
