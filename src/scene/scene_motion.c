// motion: {"keys": [{"time": …, "translate": […], "angle": …}, …], …}, or a shift and a turn over
// time by themselves: {"translate": …, "angle": …}, or constant {"velocity": […], "spin": …,
// "start": …, "end": …}; spin may change over time.
#include "scene/parts.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

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
    {.param = {.name = "time",
               .dimension = ST_TIME,
               .fallback = NAN,
               .min = 0,
               .max = INFINITY,
               .doc = "Time; later than the previous key."},
     .required = true,
     .offset = offsetof(Key, time)},
    {.param = {.name = "translate",
               .dimension = ST_LENGTH_DIMENSION,
               .doc = "Displacement from the rest position."},
     .kind = ST_KEY_VECTOR,
     .otherwise = "as in the previous key; none in the first",
     .offset = offsetof(Key, translate)},
    {.param = {.name = "angle",
               .dimension = ST_ANGLE,
               .fallback = NAN,
               .doc = "Rotation about the axis."},
     .otherwise = "as in the previous key; 0 in the first",
     .offset = offsetof(Key, angle)},
};

const StKeyTable st_keys_motion_key = {
    .name = "motion key",
    .doc = "Position of a moving boundary or obstacle at one time.",
    .key = KEY_KEYS,
    .key_count = ST_LENGTH(KEY_KEYS),
    .choice_key = -1,
};

enum { SPIN_KEY = 2, TRANSLATE_KEY = 3, ANGLE_KEY = 4 };

static const StKey KEYS[] = {
    {.param = {.name = "keys", .doc = "Keyframes in order of time."},
     .kind = ST_KEY_LIST,
     .table = &st_keys_motion_key,
     .otherwise = "none; one of the next four is then needed",
     .offset = offsetof(Motion, keys)},
    {.param = {.name = "velocity",
               .dimension = ST_SPEED,
               .doc = "Constant velocity; not with keys or translate."},
     .kind = ST_KEY_VECTOR,
     .otherwise = "[0, 0, 0]",
     .offset = offsetof(Motion, velocity)},
    {.param = {.name = "spin",
               .dimension = ST_SPIN,
               .doc = "Angular velocity about the axis, constant or over time by linear keys or a "
                      "ramp; not with keys or angle."},
     .kind = ST_KEY_CURVE,
     .table = &st_keys_course,
     .otherwise = "0",
     .offset = offsetof(Motion, spin)},
    {.param = {.name = "translate",
               .dimension = ST_LENGTH_DIMENSION,
               .doc = "Displacement over time: three components, or one along the direction; not "
                      "with keys or velocity."},
     .kind = ST_KEY_CURVES,
     .table = &st_keys_course,
     .otherwise = "0",
     .offset = offsetof(Motion, translate)},
    {.param = {.name = "angle",
               .dimension = ST_ANGLE,
               .doc = "Rotation about the axis over time; not with keys or spin."},
     .kind = ST_KEY_CURVE,
     .table = &st_keys_course,
     .otherwise = "0",
     .offset = offsetof(Motion, angle)},
    {.param = {.name = "direction", .doc = "Direction of a translate given as a single value."},
     .kind = ST_KEY_DIRECTION,
     .otherwise = "none",
     .offset = offsetof(Motion, direction)},
    {.param = {.name = "start",
               .dimension = ST_TIME,
               .min = 0,
               .max = 1e12,
               .doc = "Start time of velocity and spin."},
     .offset = offsetof(Motion, start)},
    {.param = {.name = "end",
               .dimension = ST_TIME,
               .fallback = INFINITY,
               .min = 0,
               .max = INFINITY,
               .min_open = true,
               .doc = "End time of velocity and spin."},
     .otherwise = "never",
     .offset = offsetof(Motion, end)},
    {.param = {.name = "axis", .doc = "Axis of rotation; required if anything turns."},
     .kind = ST_KEY_DIRECTION,
     .otherwise = "none",
     .offset = offsetof(Motion, axis)},
    {.param = {.name = "centre", .dimension = ST_LENGTH_DIMENSION, .doc = "A point on the axis."},
     .kind = ST_KEY_VECTOR,
     .otherwise = "the middle of the box around the chosen vertices; an obstacle's own origin",
     .offset = offsetof(Motion, centre)},
    {.param = {.name = "interpolation",
               .kind = ST_WORD,
               .word = INTERPOLATIONS,
               .doc = "Between keys: constant velocity; smooth, monotone cubics that start and end "
                      "at rest, with a continuous velocity; or cubic, the spline through the keys, "
                      "with a continuous acceleration."},
     .offset = offsetof(Motion, interpolation)},
    {.param = {.name = "extend",
               .kind = ST_BOOLEAN,
               .doc = "After the last key continue with its velocity (linear and cubic "
                      "interpolation) instead of stopping."},
     .offset = offsetof(Motion, extend)},
};

const StKeyTable st_keys_motion = {
    .name = "motion",
    .doc =
        "A prescribed rigid motion: a rotation about an axis, then a translation, both over time; "
        "at rest before the first key. Give keys, or velocity or translate, and spin or angle.",
    .key = KEYS,
    .key_count = ST_LENGTH(KEYS),
    .choice_key = -1,
};

typedef struct Keyframes {
  double *time, *translation, *angle;
} Keyframes;

static StStatus fill_keyframes(StReader *reader, const StJson *at, const Keyframes *frames) {
  Key key = {0};
  for (const StJson *item = at->child; item; item = item->next) {
    // What a key does not give stays as in the previous one: its fields are simply not overwritten.
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
  ST_TRY(st_scene_check_speed(reader, st_json_get(at, "velocity"), given->velocity));
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
  if (!isfinite(st_motion_speed(motion, 1, reader->description->time.duration)))
    return st_reader_fail(reader, at, "is infinitely fast");
  bool has_axis = st_json_get(at, "axis") != NULL;
  if (turns(&motion->angle) && !has_axis)
    return st_reader_fail(reader, at, "the key \"axis\" is missing: what turns needs an axis");
  if (has_axis)
    vec3_copy(given.axis, motion->axis);
  vec3_copy(st_json_get(at, "centre") ? given.centre : middle, motion->centre);
  return ST_OK;
}
