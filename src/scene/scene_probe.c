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

static const StKey END_KEYS[] = {
    ST_KEY_BODIES(End, body),
    ST_KEY_VERTICES(End),
};

const StKeyTable st_keys_probe_end = {
    .name = "probe end",
    .doc = "The other point of a probe that measures a distance.",
    ST_KEYS(END_KEYS),
};

static const StKey KEYS[] = {
    ST_KEY_BODIES(Probe, end.body),
    ST_KEY_NAMED("region", Probe, end.region, OBJECTS,
                 "Which vertices: \"all\", one region, or a list of regions (their union). The "
                 "probe is at their mean position.",
                 ST_KEY_REGION, .required = true),
    ST_KEY(Probe, to, OBJECT, "A second point: the probe then measures the distance to it.",
           .table = &st_keys_probe_end, .otherwise = "none"),
};

const StKeyTable st_keys_probe = {
    .name = "probe",
    .path = "probes",
    .doc = "A point that moves with some vertices and whose position is in the history: columns "
           "`x(NAME)`, `y(NAME)` and `z(NAME)`, or, with `to`, `distance(NAME)`.",
    ST_KEYS(KEYS),
};

static StStatus read_probe(StReader *reader, const StJson *at) {
  Probe given = {0};
  End other = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_probe, &given));
  StProbeDesc *probe = &reader->description->probe[reader->description->probe_count++];
  ST_TRY_MEMORY(probe->name = st_copy_string(at->key), reader->error);
  ST_TRY(st_scene_choose_vertices(reader, given.end.body, given.end.region, &probe->vertex,
                                  &probe->vertex_count));
  if (!given.to)
    return ST_OK;
  ST_TRY(st_reader_object(reader, given.to, &st_keys_probe_end, &other));
  return st_scene_choose_vertices(reader, other.body, other.region, &probe->other,
                                  &probe->other_count);
}

StStatus st_scene_read_probes(StReader *reader, const StJson *at) {
  return st_scene_read_each(reader, at, (void **)&reader->description->probe, sizeof(StProbeDesc),
                            read_probe);
}
