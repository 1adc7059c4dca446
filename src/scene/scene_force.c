// forces: [{"type": "drag", "body": "flag", "wind_x": "8 m/s"}]: forces beyond those of bodies and
// materials, with the parameters of their descriptors.
#include "scene/parts.h"

#include "base/memory.h"
#include "force/force.h"

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
    {.param = {.name = "type",
               .kind = ST_WORD,
               .doc = "Which force. Its parameters go next to these keys."},
     .variant = force_at,
     .required = true,
     .offset = offsetof(Force, type)},
    {.param = {.name = "body", .doc = "The body it acts on."},
     .kind = ST_KEY_NAME,
     .otherwise = "all bodies",
     .offset = offsetof(Force, body)},
};

const StKeyTable st_keys_force = {
    .name = "force",
    .path = "forces",
    .doc = "An optional force. Several entries add up.",
    .key = KEYS,
    .key_count = ST_LENGTH(KEYS),
    .choice_key = 0,
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
  if (!at)
    return ST_OK;
  reader->description->force = ST_NEW(StForceDesc, at->child_count);
  ST_TRY_MEMORY(reader->description->force, reader->error);
  for (const StJson *item = at->child; item; item = item->next)
    ST_TRY(read_force(reader, item));
  return ST_OK;
}
