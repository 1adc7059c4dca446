// A number over time: 3, "3 kPa", or [{"time": 0, "value": 0}, {"time": "1 s", "value": "3 kPa"}].
#include "scene/parts.h"

#include "base/memory.h"

typedef struct Key {
  double time, value;
} Key;

#define CURVE_TABLE(table, title, quantity, sentence)                                              \
  static const StKey table##_entries[] = {                                                         \
      {.param = {.name = "time",                                                                   \
                 .dimension = ST_TIME,                                                             \
                 .fallback = NAN,                                                                  \
                 .min = 0,                                                                         \
                 .max = INFINITY,                                                                  \
                 .doc = "When; later than the key before."},                                       \
       .required = true,                                                                           \
       .offset = offsetof(Key, time)},                                                             \
      {.param = {.name = "value", .dimension = quantity, .fallback = NAN, .doc = sentence},        \
       .required = true,                                                                           \
       .offset = offsetof(Key, value)},                                                            \
  };                                                                                               \
  const StKeyTable table = {                                                                       \
      .name = title,                                                                               \
      .doc = "One instant of what changes over time: linear between keys, constant before the "    \
             "first and after the last.",                                                          \
      .key = table##_entries,                                                                      \
      .key_count = ST_LENGTH(table##_entries),                                                     \
      .choice_key = -1,                                                                            \
  }

CURVE_TABLE(st_keys_pressure_key, "pressure key", ST_PRESSURE, "The pressure then.");
CURVE_TABLE(st_keys_torque_key, "torque key", ST_ENERGY, "The torque then.");
CURVE_TABLE(st_keys_spin_key, "spin key", ST_SPIN, "The angular velocity then.");

StStatus st_scene_read_curve(StReader *reader, const StJson *at, const StKey *key, StCurve *curve) {
  bool single = at->kind != ST_JSON_LIST;
  int count = single ? 1 : at->child_count;
  curve->time = ST_NEW(double, count);
  curve->value = ST_NEW(double, count);
  if (!curve->time || !curve->value)
    return st_fail_memory(reader->error);
  curve->key_count = count;
  if (single)
    return st_reader_param(reader, at, &key->param, curve->value);
  for (const StJson *item = at->child; item; item = item->next) {
    Key given = {0};
    int i = item->index;
    ST_TRY(st_reader_object(reader, item, key->table, &given));
    ST_TRY(st_reader_param(reader, st_json_get(item, "value"), &key->param, &curve->value[i]));
    curve->time[i] = given.time;
    if (i > 0 && given.time <= curve->time[i - 1])
      return st_reader_fail(reader, st_json_get(item, "time"),
                            "must be later than the key before (%g s), is %g s", curve->time[i - 1],
                            given.time);
  }
  return ST_OK;
}
