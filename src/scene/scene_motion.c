// motion: {"keys": [{"time": …, "translate": […], "angle": …}, …], …}, or a shift and a turn over
// time by themselves: {"translate": …, "angle": …}, or constant {"velocity": […], "spin": …,
// "start": …, "end": …}; spin may change over time.
#include "scene/parts.h"

#include "base/memory.h"
#include "math/vec3.h"

typedef struct Motion {
  const StJson *keys, *spin, *translate, *angle;
  double velocity[3], start, end;
  double direction[3], axis[3], centre[3];
  int interpolation;
  bool extend;
} Motion;

typedef struct Key {
  double time, translate[3], angle;
} Key;

static const char *const INTERPOLATIONS[] = {"linear", "smooth", "cubic", NULL};

static const StKey KEY_KEYS[] = {
    ST_KEY(Key, time, SCALAR, "Time; later than the previous key.", .param.dimension = ST_TIME,
           .param.fallback = NAN, ST_KEY_RANGE(0, INFINITY), .required = true),
    ST_KEY(Key, translate, VECTOR, "Displacement from the rest position.",
           .param.dimension = ST_LENGTH_DIMENSION,
           .otherwise = "as in the previous key; none in the first"),
    ST_KEY(Key, angle, SCALAR, "Rotation about the axis.", .param.dimension = ST_ANGLE,
           .param.fallback = NAN, .otherwise = "as in the previous key; 0 in the first"),
};

const StKeyTable st_keys_motion_key = {
    .name = "motion key",
    .doc = "Position of a moving boundary or obstacle at one time.",
    ST_KEYS(KEY_KEYS),
};

enum { SPIN_KEY = 2, TRANSLATE_KEY = 3, ANGLE_KEY = 4 };

static const StKey KEYS[] = {
    ST_KEY(Motion, keys, LIST, "Keyframes in order of time.", .table = &st_keys_motion_key,
           .otherwise = "none; one of the next four is then needed"),
    ST_KEY(Motion, velocity, VECTOR, "Constant velocity; not with keys or translate.",
           .param.dimension = ST_SPEED, .otherwise = "[0, 0, 0]"),
    ST_KEY(Motion, spin, CURVE,
           "Angular velocity about the axis, constant or over time by linear keys or a ramp; not "
           "with keys or angle.",
           .param.dimension = ST_SPIN, .table = &st_keys_course, .otherwise = "0"),
    ST_KEY(Motion, translate, CURVES,
           "Displacement over time: three components, or one along the direction; not with keys or "
           "velocity.",
           .param.dimension = ST_LENGTH_DIMENSION, .table = &st_keys_course, .otherwise = "0"),
    ST_KEY(Motion, angle, CURVE, "Rotation about the axis over time; not with keys or spin.",
           .param.dimension = ST_ANGLE, .table = &st_keys_course, .otherwise = "0"),
    ST_KEY(Motion, direction, DIRECTION, "Direction of a translate given as a single value.",
           .otherwise = "none"),
    ST_KEY(Motion, start, SCALAR, "Start time of velocity and spin.", .param.dimension = ST_TIME,
           ST_KEY_RANGE(0, 1e12)),
    ST_KEY(Motion, end, SCALAR, "End time of velocity and spin.", .param.dimension = ST_TIME,
           .param.fallback = INFINITY, ST_KEY_POSITIVE, .otherwise = "never"),
    ST_KEY(Motion, axis, DIRECTION, "Axis of rotation; required if anything turns.",
           .otherwise = "none"),
    ST_KEY(Motion, centre, VECTOR, "A point on the axis.", .param.dimension = ST_LENGTH_DIMENSION,
           .otherwise =
               "the middle of the box around the chosen vertices; an obstacle's own origin"),
    ST_KEY(Motion, interpolation, SCALAR,
           "Between keys: constant velocity; smooth, monotone cubics that start and end at rest, "
           "with a continuous velocity; or cubic, the spline through the keys, with a continuous "
           "acceleration.",
           .param.kind = ST_WORD, .param.word = INTERPOLATIONS),
    ST_KEY(Motion, extend, SCALAR,
           "After the last key continue with its velocity (linear and cubic interpolation) instead "
           "of stopping.",
           .param.kind = ST_BOOLEAN),
};

const StKeyTable st_keys_motion = {
    .name = "motion",
    .doc =
        "A prescribed rigid motion: a rotation about an axis, then a translation, both over time; "
        "at rest before the first key. Give keys, or velocity or translate, and spin or angle.",
    ST_KEYS(KEYS),
};

typedef struct Keyframes {
  double *time, *translation, *angle;
} Keyframes;

static StStatus fill_keyframes(StReader *reader, const StJson *at, const Keyframes *frames) {
  Key key = {0};
  for (const StJson *item = at->child; item; item = item->next) {
    // Values that a key does not give stay those of the previous one: they are not overwritten.
    ST_TRY(st_reader_object(reader, item, &st_keys_motion_key, &key));
    int i = item->index;
    if (i > 0 && key.time <= frames->time[i - 1])
      return st_reader_fail(reader, st_json_get(item, "time"),
                            "must be later than the previous key (%g s), is %g s",
                            frames->time[i - 1], key.time);
    frames->time[i] = key.time;
    frames->angle[i] = key.angle;
    vec3_copy(key.translate, frames->translation + 3 * i);
  }
  return ST_OK;
}

static StStatus read_keys(StReader *reader, const Motion *given, StMotion *motion) {
  int count = given->keys->child_count;
  if (count < 1)
    return st_reader_fail(reader, given->keys, "at least one key is needed");
  Keyframes frames = {ST_NEW(double, count), ST_NEW(double, 3 * (size_t)count),
                      ST_NEW(double, count)};
  bool good = frames.time && frames.translation && frames.angle;
  StStatus status =
      good ? fill_keyframes(reader, given->keys, &frames) : st_fail_memory(reader->error);
  if (status == ST_OK)
    status =
        st_motion_set_keys(motion, count, frames.time, frames.translation, frames.angle,
                           (StInterpolation)given->interpolation, given->extend, reader->error);
  free(frames.time);
  free(frames.translation);
  free(frames.angle);
  return status;
}

// A constant rate from start to end.
static StStatus set_constant(StReader *reader, const StJson *at, const Motion *given, double rate,
                             StCurve *curve) {
  if (!(given->end > given->start))
    return st_reader_fail(reader, st_json_get(at, "end"),
                          "must be later than the start (%g s), is %g s", given->start, given->end);
  curve->time = ST_NEW(double, 2);
  curve->value = ST_NEW(double, 2);
  ST_TRY_MEMORY(curve->time && curve->value, reader->error);
  curve->key_count = 2;
  curve->extend = isinf(given->end);
  curve->time[0] = given->start;
  curve->time[1] = curve->extend ? given->start + 1 : given->end;
  curve->value[1] = rate * (curve->time[1] - curve->time[0]);
  return ST_OK;
}

static StStatus read_translation(StReader *reader, const StJson *at, const Motion *given,
                                 StMotion *motion) {
  if (given->translate)
    return st_scene_read_curves(reader, given->translate, &KEYS[TRANSLATE_KEY],
                                st_json_get(at, "direction"), given->direction,
                                motion->translation);
  ST_TRY(st_scene_check_speed(reader, st_json_get(at, "velocity"), given->velocity, ""));
  if (st_json_get(at, "velocity"))
    for (int k = 0; k < 3; k++)
      ST_TRY(set_constant(reader, at, given, given->velocity[k], &motion->translation[k]));
  return ST_OK;
}

// The angle at each key is the integral of the spin so far; the first value holds from the start.
// Cubics with these rates are exactly the parabolas of a linear spin.
static StStatus integrate(StReader *reader, const StCurve *spin, StCurve *angle) {
  int early = spin->time[0] > 0, count = early + spin->key_count;
  angle->time = ST_NEW(double, count);
  angle->value = ST_NEW(double, count);
  angle->rate = ST_NEW(double, count);
  ST_TRY_MEMORY(angle->time && angle->value && angle->rate, reader->error);
  angle->key_count = count;
  angle->extend = true;
  angle->rate[0] = spin->value[0];
  for (int i = early; i < count; i++) {
    angle->time[i] = spin->time[i - early];
    angle->rate[i] = spin->value[i - early];
  }
  for (int i = 1; i < count; i++)
    angle->value[i] = angle->value[i - 1] + (angle->rate[i - 1] + angle->rate[i]) / 2 *
                                                (angle->time[i] - angle->time[i - 1]);
  return ST_OK;
}

static StStatus take_spin(StReader *reader, const StJson *at, const Motion *given,
                          const StCurve *spin, StMotion *motion) {
  const StJson *stray =
      st_json_get(at, "start") ? st_json_get(at, "start") : st_json_get(at, "end");
  if (spin->kind != ST_CURVE_KEYS || spin->rate || spin->extend)
    return st_reader_fail(reader, given->spin,
                          "must be a value, linear keys or a linear ramp; \"angle\" may change in "
                          "any way");
  if (spin->key_count == 1)
    return set_constant(reader, at, given, spin->value[0], &motion->angle);
  if (stray)
    return st_reader_fail_key(reader, stray, "cannot be used with a spin with keys over time");
  return integrate(reader, spin, &motion->angle);
}

static StStatus read_angle(StReader *reader, const StJson *at, const Motion *given,
                           StMotion *motion) {
  if (given->angle)
    return st_scene_read_curve(reader, given->angle, &KEYS[ANGLE_KEY], &motion->angle);
  if (!given->spin)
    return ST_OK;
  StCurve spin = {0};
  StStatus status = st_scene_read_curve(reader, given->spin, &KEYS[SPIN_KEY], &spin);
  if (status == ST_OK)
    status = take_spin(reader, at, given, &spin, motion);
  st_curve_free(&spin);
  return status;
}

// A key that is meaningless together with another one, or without it.
typedef struct Clash {
  const char *key, *other;
  bool beside;
} Clash;

static const Clash CLASHES[] = {
    {"velocity", "keys", true},        {"spin", "keys", true},
    {"translate", "keys", true},       {"angle", "keys", true},
    {"start", "keys", true},           {"end", "keys", true},
    {"velocity", "translate", true},   {"spin", "angle", true},
    {"interpolation", "keys", false},  {"extend", "keys", false},
    {"direction", "translate", false},
};

// Rejects keys that would silently do nothing.
static StStatus check_form(const StReader *reader, const StJson *at, const Motion *given) {
  for (int i = 0; i < ST_LENGTH(CLASHES); i++) {
    const Clash *clash = &CLASHES[i];
    const StJson *key = st_json_get(at, clash->key);
    if (key && (st_json_get(at, clash->other) != NULL) == clash->beside)
      return st_reader_fail_key(reader, key, "cannot be used %s \"%s\"",
                                clash->beside ? "with" : "without", clash->other);
  }
  bool rates = st_json_get(at, "velocity") || given->spin;
  if (!given->keys && !given->translate && !given->angle && !rates)
    return st_reader_fail(reader, at,
                          "one of the keys \"keys\", \"translate\", \"angle\", \"velocity\", "
                          "\"spin\" is needed");
  const StJson *stray =
      st_json_get(at, "start") ? st_json_get(at, "start") : st_json_get(at, "end");
  if (stray && !rates)
    return st_reader_fail_key(reader, stray, "cannot be used without \"velocity\" or \"spin\"");
  if (given->extend && given->interpolation == ST_SMOOTH)
    return st_reader_fail(reader, st_json_get(at, "extend"),
                          "a smooth motion ends at rest; extend needs linear or cubic "
                          "interpolation");
  return ST_OK;
}

static bool turns(const StCurve *angle) {
  bool turned = angle->kind != ST_CURVE_KEYS;
  for (int i = 0; i < angle->key_count; i++)
    turned = turned || angle->value[i] != 0 || (angle->rate && angle->rate[i] != 0);
  return turned;
}

StStatus st_scene_read_motion(StReader *reader, const StJson *at, const double middle[3],
                              StMotion *motion) {
  vec3_set(0, 0, 1, motion->axis);
  if (!at)
    return ST_OK;
  Motion given = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_motion, &given));
  ST_TRY(check_form(reader, at, &given));
  if (given.keys)
    ST_TRY(read_keys(reader, &given, motion));
  ST_TRY(read_translation(reader, at, &given, motion));
  ST_TRY(read_angle(reader, at, &given, motion));
  double speed = st_motion_speed(motion, 1, reader->description->time.duration);
  ST_TRY(st_scene_check_speed(reader, at, (double[3]){speed},
                              turns(&motion->angle) ? ST_AT_A_METRE : ""));
  bool has_axis = st_json_get(at, "axis") != NULL;
  if (turns(&motion->angle) && !has_axis)
    return st_reader_fail(reader, at, "the key \"axis\" is missing: what turns needs an axis");
  if (has_axis)
    vec3_copy(given.axis, motion->axis);
  vec3_copy(st_json_get(at, "centre") ? given.centre : middle, motion->centre);
  return ST_OK;
}
