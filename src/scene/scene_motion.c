// motion: {"keys": [{"time": …, "translate": […], "angle": …}, …], …}, or in short a constant
// {"velocity": […], "spin": …, "start": …, "end": …}; spin may change over time.
#include "scene/parts.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

typedef struct Motion {
  const StJson *keys, *spin;
  double velocity[3], start, end;
  double axis[3], centre[3];
  int interpolation;
  bool extend;
} Motion;

typedef struct Key {
  double time, translate[3], angle;
} Key;

static const char *const INTERPOLATIONS[] = {"linear", "smooth", NULL};

static const StKey KEY_KEYS[] = {
    {.param = {.name = "time",
               .dimension = ST_TIME,
               .fallback = NAN,
               .min = 0,
               .max = INFINITY,
               .doc = "When; later than the key before."},
     .required = true,
     .offset = offsetof(Key, time)},
    {.param = {.name = "translate",
               .dimension = ST_LENGTH_DIMENSION,
               .doc = "How far it is then shifted from its rest position."},
     .kind = ST_KEY_VECTOR,
     .otherwise = "as in the key before; none in the first",
     .offset = offsetof(Key, translate)},
    {.param = {.name = "angle",
               .dimension = ST_ANGLE,
               .fallback = NAN,
               .doc = "How far it is then turned about the axis."},
     .otherwise = "as in the key before; 0 in the first",
     .offset = offsetof(Key, angle)},
};

const StKeyTable st_keys_motion_key = {
    .name = "motion key",
    .doc = "Where a moved boundary or obstacle is at one instant.",
    .key = KEY_KEYS,
    .key_count = ST_LENGTH(KEY_KEYS),
    .choice_key = -1,
};

enum { SPIN_KEY = 2 };

static const StKey KEYS[] = {
    {.param = {.name = "keys", .doc = "Keyframes in order of time."},
     .kind = ST_KEY_LIST,
     .table = &st_keys_motion_key,
     .otherwise = "none; velocity or spin is then needed",
     .offset = offsetof(Motion, keys)},
    {.param = {.name = "velocity",
               .dimension = ST_SPEED,
               .doc = "Constant velocity; not with keys."},
     .kind = ST_KEY_VECTOR,
     .otherwise = "[0, 0, 0]",
     .offset = offsetof(Motion, velocity)},
    {.param = {.name = "spin",
               .dimension = ST_SPIN,
               .doc = "Angular velocity about the axis, constant or over time; not with keys."},
     .kind = ST_KEY_CURVE,
     .table = &st_keys_spin_key,
     .otherwise = "0",
     .offset = offsetof(Motion, spin)},
    {.param = {.name = "start",
               .dimension = ST_TIME,
               .min = 0,
               .max = 1e12,
               .doc = "When velocity and spin set in."},
     .offset = offsetof(Motion, start)},
    {.param = {.name = "end",
               .dimension = ST_TIME,
               .fallback = INFINITY,
               .min = 0,
               .max = INFINITY,
               .min_open = true,
               .doc = "When velocity and spin cease."},
     .otherwise = "never",
     .offset = offsetof(Motion, end)},
    {.param = {.name = "axis", .doc = "Axis of rotation; needed where anything turns."},
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
               .doc =
                   "Between keys: constant velocity, or a cubic that starts and ends at rest and "
                   "has a continuous velocity."},
     .offset = offsetof(Motion, interpolation)},
    {.param = {.name = "extend",
               .kind = ST_BOOLEAN,
               .doc = "After the last key go on with the velocity of the last interval (linear "
                      "interpolation only) instead of resting."},
     .offset = offsetof(Motion, extend)},
};

const StKeyTable st_keys_motion = {
    .name = "motion",
    .doc =
        "A prescribed rigid motion: a rotation about an axis, then a shift, both over time; before "
        "the first key it rests. Give keys, or velocity and spin.",
    .key = KEYS,
    .key_count = ST_LENGTH(KEYS),
    .choice_key = -1,
};

static StStatus new_keys(StReader *reader, StMotion *motion, int count) {
  motion->time = ST_NEW(double, count);
  motion->translation = ST_NEW(double, 3 * (size_t)count);
  motion->angle = ST_NEW(double, count);
  if (!motion->time || !motion->translation || !motion->angle)
    return st_fail_memory(reader->error);
  motion->key_count = count;
  return ST_OK;
}

static StStatus read_keys(StReader *reader, const StJson *at, StMotion *motion) {
  if (at->child_count < 1)
    return st_reader_fail(reader, at, "at least one key is needed");
  ST_TRY(new_keys(reader, motion, at->child_count));
  Key key = {0};
  for (const StJson *item = at->child; item; item = item->next) {
    // What a key does not say stays as in the one before: its fields are simply not overwritten.
    ST_TRY(st_reader_object(reader, item, &st_keys_motion_key, &key));
    int i = item->index;
    if (i > 0 && key.time <= motion->time[i - 1])
      return st_reader_fail(reader, st_json_get(item, "time"),
                            "must be later than the key before (%g s), is %g s",
                            motion->time[i - 1], key.time);
    motion->time[i] = key.time;
    motion->angle[i] = key.angle;
    vec3_copy(key.translate, motion->translation + 3 * i);
  }
  return ST_OK;
}

static StStatus constant_motion(StReader *reader, const StJson *at, const Motion *given,
                                double spin, StMotion *motion) {
  if (!(given->end > given->start))
    return st_reader_fail(reader, st_json_get(at, "end"),
                          "must be later than the start (%g s), is %g s", given->start, given->end);
  ST_TRY(new_keys(reader, motion, 2));
  motion->extend = isinf(given->end);
  motion->time[0] = given->start;
  motion->time[1] = motion->extend ? given->start + 1 : given->end;
  double span = motion->time[1] - motion->time[0];
  motion->angle[1] = spin * span;
  for (int k = 0; k < 3; k++)
    motion->translation[3 + k] = given->velocity[k] * span;
  return ST_OK;
}

// The angle at each key is the area under the spin so far; the first value holds from the start.
static StStatus varying_motion(StReader *reader, const StJson *at, const Motion *given,
                               const StCurve *spin, StMotion *motion) {
  const StJson *stray =
      st_json_get(at, "start") ? st_json_get(at, "start") : st_json_get(at, "end");
  if (stray)
    return st_reader_fail_key(reader, stray, "has no meaning beside a spin with keys over time");
  int early = spin->time[0] > 0, count = early + spin->key_count;
  ST_TRY(new_keys(reader, motion, count));
  motion->spin = ST_NEW(double, count);
  if (!motion->spin)
    return st_fail_memory(reader->error);
  motion->extend = true;
  motion->spin[0] = spin->value[0];
  for (int i = early; i < count; i++) {
    motion->time[i] = spin->time[i - early];
    motion->spin[i] = spin->value[i - early];
  }
  for (int i = 1; i < count; i++)
    motion->angle[i] = motion->angle[i - 1] + (motion->spin[i - 1] + motion->spin[i]) / 2 *
                                                  (motion->time[i] - motion->time[i - 1]);
  for (int i = 0; i < count; i++)
    vec3_add_scaled(motion->time[i], given->velocity, motion->translation + 3 * i);
  return ST_OK;
}

static StStatus short_motion(StReader *reader, const StJson *at, const Motion *given,
                             StMotion *motion) {
  StCurve spin = {0};
  StStatus status = ST_OK;
  if (given->spin)
    status = st_scene_read_curve(reader, given->spin, &KEYS[SPIN_KEY], &spin);
  if (status == ST_OK)
    status = spin.key_count > 1
                 ? varying_motion(reader, at, given, &spin, motion)
                 : constant_motion(reader, at, given, spin.key_count ? spin.value[0] : 0, motion);
  st_curve_free(&spin);
  return status;
}

// Either all keyframes or all in short: the other kind's keys would silently do nothing.
static StStatus check_form(const StReader *reader, const StJson *at, const Motion *given) {
  static const char *const SHORT[] = {"velocity", "spin", "start", "end"};
  static const char *const LONG[] = {"interpolation", "extend"};
  const StJson *stray = NULL;
  for (int i = 0; given->keys && !stray && i < ST_LENGTH(SHORT); i++)
    stray = st_json_get(at, SHORT[i]);
  if (stray)
    return st_reader_fail_key(reader, stray, "has no meaning beside \"keys\"");
  for (int i = 0; !given->keys && !stray && i < ST_LENGTH(LONG); i++)
    stray = st_json_get(at, LONG[i]);
  if (stray)
    return st_reader_fail_key(reader, stray, "has no meaning without \"keys\"");
  if (!given->keys && !st_json_get(at, "velocity") && !st_json_get(at, "spin"))
    return st_reader_fail(reader, at, "one of the keys \"keys\", \"velocity\", \"spin\" is needed");
  if (given->extend && given->interpolation == ST_SMOOTH)
    return st_reader_fail(reader, st_json_get(at, "extend"),
                          "a smooth motion ends at rest; extend needs linear interpolation");
  return ST_OK;
}

static bool turns(const StMotion *motion) {
  for (int i = 0; i < motion->key_count; i++)
    if (motion->angle[i] != 0 || (motion->spin && motion->spin[i] != 0))
      return true;
  return false;
}

StStatus st_scene_read_motion(StReader *reader, const StJson *at, const double middle[3],
                              StMotion *motion) {
  vec3_set(0, 0, 1, motion->axis);
  if (!at)
    return ST_OK;
  Motion given = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_motion, &given));
  ST_TRY(check_form(reader, at, &given));
  motion->interpolation = (StInterpolation)given.interpolation;
  motion->extend = given.extend;
  if (given.keys)
    ST_TRY(read_keys(reader, given.keys, motion));
  else
    ST_TRY(short_motion(reader, at, &given, motion));
  if (!isfinite(st_motion_speed(motion, 1)))
    return st_reader_fail(reader, at, "is infinitely fast");
  bool has_axis = st_json_get(at, "axis") != NULL;
  if (turns(motion) && !has_axis)
    return st_reader_fail(reader, at, "the key \"axis\" is missing: what turns needs an axis");
  if (has_axis)
    vec3_copy(given.axis, motion->axis);
  vec3_copy(st_json_get(at, "centre") ? given.centre : middle, motion->centre);
  return ST_OK;
}
