// probes: {"tip": {"body": "bar", "region": …}, "mouth": {"region": …, "to": {"region": …}}, …}
#include "scene/parts.h"

#include "base/memory.h"

typedef struct End {
  const StJson *body, *region;
} End;

typedef struct Probe {
  End end;
  const StJson *to;
} Probe;

static const char *const EVERYWHERE[] = {"all", NULL};

static const StKey END_KEYS[] = {
    {.param = {.name = "body", .doc = "Bodies to choose vertices from: a name or a list of names."},
     .kind = ST_KEY_NAMES,
     .otherwise = "all bodies",
     .offset = offsetof(End, body)},
    {.param = {.name = "region",
               .word = EVERYWHERE,
               .doc = "Which vertices: \"all\", one region, or a list of regions (their union)."},
     .kind = ST_KEY_OBJECTS,
     .table = &st_keys_region,
     .required = true,
     .offset = offsetof(End, region)},
};

const StKeyTable st_keys_probe_end = {
    .name = "probe end",
    .doc = "The other point of a probe that measures a distance.",
    .key = END_KEYS,
    .key_count = ST_LENGTH(END_KEYS),
    .choice_key = -1,
};

static const StKey KEYS[] = {
    {.param = {.name = "body", .doc = "Bodies to choose vertices from: a name or a list of names."},
     .kind = ST_KEY_NAMES,
     .otherwise = "all bodies",
     .offset = offsetof(Probe, end.body)},
    {.param = {.name = "region",
               .word = EVERYWHERE,
               .doc = "Which vertices: \"all\", one region, or a list of regions (their union). "
                      "The probe is at their mean position."},
     .kind = ST_KEY_OBJECTS,
     .table = &st_keys_region,
     .required = true,
     .offset = offsetof(Probe, end.region)},
    {.param = {.name = "to", .doc = "A second point: the probe then measures the distance to it."},
     .kind = ST_KEY_OBJECT,
     .table = &st_keys_probe_end,
     .otherwise = "none",
     .offset = offsetof(Probe, to)},
};

const StKeyTable st_keys_probe = {
    .name = "probe",
    .path = "probes",
    .doc = "A point that moves with some vertices and whose position is in the history: columns "
           "`x(NAME)`, `y(NAME)` and `z(NAME)`, or, with `to`, `distance(NAME)`.",
    .key = KEYS,
    .key_count = ST_LENGTH(KEYS),
    .choice_key = -1,
};

static StStatus read_probe(StReader *reader, const StJson *at) {
  Probe given = {0};
  End other = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_probe, &given));
  StProbeDesc *probe = &reader->description->probe[reader->description->probe_count++];
  probe->name = st_copy_string(at->key);
  ST_TRY_MEMORY(probe->name, reader->error);
  ST_TRY(st_scene_choose_vertices(reader, given.end.body, given.end.region, &probe->vertex,
                                  &probe->vertex_count));
  if (!given.to)
    return ST_OK;
  ST_TRY(st_reader_object(reader, given.to, &st_keys_probe_end, &other));
  return st_scene_choose_vertices(reader, other.body, other.region, &probe->other,
                                  &probe->other_count);
}

StStatus st_scene_read_probes(StReader *reader, const StJson *at) {
  if (!at)
    return ST_OK;
  reader->description->probe = ST_NEW(StProbeDesc, at->child_count);
  ST_TRY_MEMORY(reader->description->probe, reader->error);
  for (const StJson *child = at->child; child; child = child->next)
    ST_TRY(read_probe(reader, child));
  return ST_OK;
}
