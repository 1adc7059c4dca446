// forces: [{"type": "drag", "body": "flag", "wind_x": "8 m/s"}]: forces beyond those of bodies and
// materials, with the parameters of their descriptors.
#include "scene/parts.h"

#include "force/force.h"
#include "base/memory.h"

typedef struct Force {
  const StJson *body;
  int type;
  StForceDesc desc;
} Force;

// Only those that scenes may request.
static bool force_at(int index, StVariant *variant) {
  for (int i = 0; st_force_types[i]; i++) {
    const StForceType *type = st_force_types[i];
    if (!type->optional || index-- > 0)
      continue;
    *variant = (StVariant){type->name, type->summary, type->param, type->param_count, NULL};
    return true;
  }
  return false;
}

static const StKey KEYS[] = {
    ST_KEY(Force, type, SCALAR, "Which force. Its parameters go next to these keys.",
           .param.kind = ST_WORD, .variant = force_at, .required = true),
    ST_KEY(Force, body, NAME, "The body it acts on.", .otherwise = "all bodies"),
};

const StKeyTable st_keys_force = {
    .name = "force",
    .path = "forces",
    .doc = "An optional force. Several entries add up.",
    ST_KEYS(KEYS),
    .chooser = &KEYS[0],
    .choice_offset = offsetof(Force, desc.choice),
    .curves_offset = offsetof(Force, desc.curve),
};

static StStatus read_force(StReader *reader, const StJson *at) {
  Force given = {.desc.body = -1};
  StStatus status = st_reader_object(reader, at, &st_keys_force, &given);
  StForceDesc *desc = &reader->description->force[reader->description->force_count++];
  *desc = given.desc; // including its curves, even if the rest is rejected
  if (status == ST_OK && given.body)
    status = st_scene_find_body(reader, given.body, &desc->body);
  return status;
}

StStatus st_scene_read_forces(StReader *reader, const StJson *at) {
  return st_scene_read_each(reader, at, (void **)&reader->description->force, sizeof(StForceDesc),
                            read_force);
}
