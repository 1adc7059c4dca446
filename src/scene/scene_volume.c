// volumes: {"air": {"body": "ball", "of": "auto", "model": "ideal_gas", "overpressure": "20 kPa"}}:
// what fills a closed surface, and how its pressure depends on its volume.
#include "scene/parts.h"

#include "base/memory.h"
#include "force/volume_model.h"

#include <stdio.h>
#include <string.h>

typedef struct Volume {
  const StJson *body, *labels, *pressure, *overpressure;
  int of, cavity, model;
  double outside_pressure, rest_volume;
  StChoice choice;
} Volume;

static bool model_at(int index, StVariant *variant) {
  const StVolumeModel *model = st_volume_models[index];
  if (!model)
    return false;
  *variant = (StVariant){model->name, model->summary, model->param, model->param_count, NULL};
  return true;
}

static const char *const OF[] = {"auto", "surface", "boundary", "cavity", NULL};

static const StKey KEYS[] = {
    ST_KEY(Volume, body, NAME, "The body whose surface encloses it.", .required = true),
    ST_KEY(Volume, of, SCALAR,
           "Which surface: that of the body's triangles, the outer boundary of its tetrahedra, or "
           "a cavity within them; auto: surface for a body of triangles, cavity for one of "
           "tetrahedra that has one, else boundary.",
           .param.kind = ST_WORD, .param.word = OF),
    ST_KEY(Volume, cavity, SCALAR, "Which cavity, counted from 1, where the body has several.",
           .param.kind = ST_INTEGER, .param.fallback = NAN, ST_KEY_RANGE(1, 1e9),
           .otherwise = "the only one"),
    ST_KEY(Volume, labels, NAMES, "Only triangles with these labels: a name or a list of names.",
           .otherwise = "all triangles of the body"),
    ST_KEY(Volume, model, SCALAR,
           "How pressure depends on volume. Its parameters go next to these keys.",
           .param.kind = ST_WORD, .variant = model_at,
           .why = "defined at any volume; for a surface that starts flat, prescribed is gentler"),
    ST_KEY(Volume, pressure, CURVE,
           "Absolute pressure inside at the rest volume; may change over time.",
           .param.dimension = ST_PRESSURE, .param.fallback = NAN, ST_KEY_RANGE(0, INFINITY),
           .table = &st_keys_course, .otherwise = "as outside"),
    ST_KEY(Volume, overpressure, CURVE,
           "Instead of pressure: pressure above that outside, as gauges show it.",
           .param.dimension = ST_PRESSURE, .param.fallback = NAN, .table = &st_keys_course,
           .otherwise = "0"),
    ST_KEY(Volume, outside_pressure, SCALAR, "Absolute pressure outside.",
           .param.dimension = ST_PRESSURE, .param.fallback = 101325, ST_KEY_RANGE(0, INFINITY),
           .why = "1 atm, the air around us"),
    ST_KEY(Volume, rest_volume, SCALAR, "Volume at which the inside pressure is the given one.",
           .param.dimension = ST_VOLUME, .param.fallback = NAN, ST_KEY_POSITIVE,
           .otherwise = "what the surface encloses at rest"),
};

const StKeyTable st_keys_volume = {
    .name = "volume",
    .path = "volumes",
    .doc = "A closed volume filled with gas or liquid: air in a ball, water in a bag. Its surface "
           "must be closed and face outward.",
    ST_KEYS(KEYS),
    .chooser = &KEYS[4],
    .choice_offset = offsetof(Volume, choice),
};

static const StKey *key_named(const char *name) {
  int i = 0;
  while (strcmp(KEYS[i].param.name, name) != 0)
    i++;
  return &KEYS[i];
}

static StStatus fail_vacuum(const StReader *reader, const StJson *at, double inside,
                            double outside) {
  return st_reader_fail(reader, at,
                        "must be at least %g Pa, a vacuum inside against %g Pa outside, is %g Pa",
                        -outside, outside, inside - outside);
}

static StStatus check_pressure(const StReader *reader, const StJson *at, const StCurve *pressure,
                               double outside) {
  enum { SAMPLES = 2000 };
  const StJson *item = at->kind == ST_JSON_LIST ? at->child : NULL;
  for (int i = 0; item; i++, item = item->next)
    if (!(pressure->value[i] >= 0))
      return fail_vacuum(reader, st_json_get(item, "value"), pressure->value[i], outside);
  for (int i = 0; i <= SAMPLES; i++) {
    double inside = st_curve_at(pressure, reader->description->time.duration * i / SAMPLES, 0);
    if (!(inside >= 0))
      return fail_vacuum(reader, at, inside, outside);
  }
  return ST_OK;
}

static StStatus read_pressure(StReader *reader, const StJson *at, const Volume *given,
                              StVolumeDesc *desc) {
  desc->outside_pressure = given->outside_pressure;
  if (given->pressure && given->overpressure)
    return st_reader_fail_key(reader, given->overpressure,
                              "says the same as \"pressure\" in another way; give one of the two");
  if (given->pressure)
    return st_scene_read_curve(reader, given->pressure, key_named("pressure"), &desc->pressure);
  if (!given->overpressure)
    return st_reader_note(reader, at, "pressure", "as outside", "it is not inflated");
  ST_TRY(
      st_scene_read_curve(reader, given->overpressure, key_named("overpressure"), &desc->pressure));
  st_curve_scale(&desc->pressure, 1, desc->outside_pressure);
  return check_pressure(reader, given->overpressure, &desc->pressure, desc->outside_pressure);
}

static StStatus note_rest_volume(StReader *reader, const StJson *at, double volume) {
  char value[40];
  snprintf(value, sizeof value, "%.4g m^3", volume);
  return st_reader_note(reader, at, "rest_volume", value, "what the surface encloses at rest");
}

static StStatus read_rest_volume(StReader *reader, const StJson *at, const StEnclosed *enclosed,
                                 StVolumeDesc *desc) {
  const StVolumeModel *model = st_volume_model_find(desc->model.name);
  const StJson *given = st_json_get(at, "rest_volume");
  if (enclosed->flat && model->barrier)
    return st_reader_fail(reader, at,
                          "the surface is flat and encloses nothing at the start, where %s has an "
                          "infinite energy; start from a shape that encloses something, or choose "
                          "the model quadratic or prescribed",
                          model->name);
  if (!given && enclosed->flat && model->by_volume)
    return st_reader_fail(
        reader, at,
        "the surface is flat and encloses nothing at rest; give the volume it is "
        "to have as \"rest_volume\", or \"model\": \"prescribed\", whose pressure "
        "does not depend on it");
  if (given)
    return ST_OK;
  desc->rest_volume = enclosed->flat ? 0 : enclosed->volume;
  return note_rest_volume(reader, at, desc->rest_volume);
}

static StStatus read_volume(StReader *reader, const StJson *at) {
  Volume given = {0};
  StEnclosed enclosed = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_volume, &given));
  StVolumeDesc *desc = &reader->description->volume[reader->description->volume_count++];
  ST_TRY_MEMORY(desc->name = st_copy_string(at->key), reader->error);
  desc->model = given.choice;
  desc->rest_volume = given.rest_volume;
  ST_TRY(read_pressure(reader, at, &given, desc));
  const StEnclosure wanted = {.at = at,
                              .body = given.body,
                              .labels = given.labels,
                              .of = (StEnclosureKind)given.of,
                              .cavity = given.cavity};
  ST_TRY(st_scene_enclose(reader, &wanted, desc, &enclosed));
  return read_rest_volume(reader, at, &enclosed, desc);
}

StStatus st_scene_read_volumes(StReader *reader, const StJson *at) {
  ST_TRY(st_scene_read_each(reader, at, (void **)&reader->description->volume, sizeof(StVolumeDesc),
                            read_volume));
  return at ? st_scene_check_enclosures(reader, at) : ST_OK;
}
