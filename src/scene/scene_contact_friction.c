// The friction of every contact: the row of the table that fits its two materials, and speeds that
// were not given.
#include "scene/contact_method.h"
#include "scene/contact_scale.h"

#include "scene/tunables.h"
#include "step/integrator.h"

#include <stdio.h>
#include <string.h>

enum { PAIRS_REPORTED = 10 };

const char *st_contact_surface_material(const StDescription *description,
                                        const StContactDesc *contact) {
  if (contact->obstacle >= 0)
    return description->obstacle[contact->obstacle].material;
  return description->material[st_scene_body_material(&description->body[contact->body])].name;
}

// Pairs of materials without a matching row, each reported once, up to a limit.
typedef struct Frictionless {
  int count;
  const char *name[PAIRS_REPORTED][2];
} Frictionless;

static bool is_reported(const Frictionless *reported, const char *a, const char *b) {
  for (int i = 0; i < reported->count; i++) {
    const char *const *name = reported->name[i];
    if ((strcmp(name[0], a) == 0 && strcmp(name[1], b) == 0) ||
        (strcmp(name[0], b) == 0 && strcmp(name[1], a) == 0))
      return true;
  }
  return reported->count == PAIRS_REPORTED;
}

static StStatus warn_frictionless(StReader *reader, bool has_table, const char *a, const char *b,
                                  Frictionless *reported) {
  char key[200];
  b = b ? b : "no material";
  if (is_reported(reported, a, b))
    return ST_OK;
  reported->name[reported->count][0] = a;
  reported->name[reported->count++][1] = b;
  snprintf(key, sizeof key, "friction of %.60s on %.60s", a, b);
  if (has_table)
    st_log(reader->log, ST_WARNING,
           "%s: no row of the friction table fits %s on %s; they slide freely", reader->name, a, b);
  return st_description_add_note(reader->description, key, "0",
                                 has_table ? "no row of the friction table fits; add one, or one "
                                             "for \"any\""
                                           : "the scene has no friction table",
                                 reader->error);
}

// A body that slides freely on itself deserves a note, not a warning: few tables consider it.
static StStatus tell_self(StReader *reader, bool has_table, const char *material,
                          Frictionless *reported) {
  char key[200];
  if (is_reported(reported, material, material))
    return ST_OK;
  reported->name[reported->count][0] = reported->name[reported->count][1] = material;
  reported->count++;
  snprintf(key, sizeof key, "friction of %.60s on itself", material);
  return st_description_add_note(reader->description, key, "0",
                                 has_table ? "no row of the friction table fits"
                                           : "the scene has no friction table",
                                 reader->error);
}

static StStatus choose_speeds(StReader *reader, const StSceneScale *scene, const StFrictionRow *row,
                              StFrictionDesc *friction) {
  if (!(friction->sticking_speed > 0))
    friction->sticking_speed = st_scene_tunables.friction_sticking * scene->speed;
  if (!(friction->sticking_speed > 0) || !isfinite(friction->sticking_speed))
    return st_reader_fail(reader, row ? row->at : st_json_root(reader->document),
                          "the scene's own speed (from gravity, motions, velocities, loads, waves) "
                          "comes out as %g m/s, and with it the speed below which things stick",
                          scene->speed);
  if (!(friction->stribeck_speed > 0))
    friction->stribeck_speed = st_scene_tunables.friction_stribeck * friction->sticking_speed;
  if (friction->stick == ST_STICK_VELOCITY &&
      !(friction->stribeck_speed > friction->sticking_speed))
    return st_reader_fail(reader, st_json_get(row->at, "stribeck_speed"),
                          "must be more than the sticking speed (%g m/s), is %g m/s",
                          friction->sticking_speed, friction->stribeck_speed);
  return ST_OK;
}

static StStatus note_sticking(StReader *reader, const StSceneScale *scene) {
  char value[60], reason[300];
  snprintf(value, sizeof value, "%.4g m/s", st_scene_tunables.friction_sticking * scene->speed);
  snprintf(reason, sizeof reason, "%g of %s: held contacts creep more slowly than this",
           st_scene_tunables.friction_sticking, scene->reason);
  return st_description_add_note(reader->description, "friction.sticking_speed", value, reason,
                                 reader->error);
}

static StStatus note_stribeck(StReader *reader, const StSceneScale *scene) {
  char value[60], reason[300];
  snprintf(value, sizeof value, "%.4g m/s",
           st_scene_tunables.friction_stribeck * st_scene_tunables.friction_sticking *
               scene->speed);
  snprintf(reason, sizeof reason, "%g of %s: static friction fades early in sliding",
           st_scene_tunables.friction_stribeck * st_scene_tunables.friction_sticking,
           scene->reason);
  return st_description_add_note(reader->description, "friction.stribeck_speed", value, reason,
                                 reader->error);
}

// A force that acts before and after a step would carry an impact into the next one.
static StStatus check_restitution(const StReader *reader, const StFrictionTable *table) {
  const StDescription *description = reader->description;
  for (int i = 0; i < table->count; i++) {
    const StJson *at = st_json_get(table->row[i].at, "restitution");
    if (!(table->row[i].friction.restitution > 0))
      continue;
    if (!st_scene_method(description)->rebounds)
      return st_reader_fail(reader, at, "needs contact.method \"primitives\"");
    if (st_integrator_uses_force(st_integrator_find(description->integrator)))
      return st_reader_fail(reader, at,
                            "needs integrator be, bdf2 or sdirk2: %s would carry the force of an "
                            "impact into the next step",
                            description->integrator);
  }
  return ST_OK;
}

static bool is_between_rigid_bodies(const StDescription *description,
                                    const StContactDesc *contact) {
  return description->body[contact->collider].rigid &&
         (contact->body < 0 || description->body[contact->body].rigid);
}

static StStatus note_plastic(StReader *reader) {
  return st_description_add_note(reader->description, "friction.restitution", "0",
                                 "rigid bodies do not rebound from each other and from obstacles, "
                                 "unless a row of the friction table says so",
                                 reader->error);
}

typedef struct Search {
  const StFrictionTable *table;
  const StSceneScale *scene;
  Frictionless reported, selves;
  bool sticking, stribeck; // a default speed is used
  bool plastic;            // rigid bodies do not rebound
  bool (*take)(void *context, StContactDesc *contact);
  void *context;
} Search;

static StStatus see(void *context, StReader *reader, StContactDesc *contact,
                    const StContactChoice *choice) {
  Search *search = context;
  const StDescription *description = reader->description;
  const StFrictionRow *row;
  int made_of = st_scene_body_material(&description->body[contact->collider]);
  const char *a = description->material[made_of].name;
  const char *b = st_contact_surface_material(description, contact);
  (void)choice;
  ST_TRY(st_friction_table_find(reader, search->table, a, b, &row));
  bool has_table = search->table->count > 0;
  if (row)
    contact->friction = row->friction;
  else if (contact->body == contact->collider)
    ST_TRY(tell_self(reader, has_table, a, &search->selves));
  else
    ST_TRY(warn_frictionless(reader, has_table, a, b, &search->reported));
  const StFrictionDesc *friction = row ? &row->friction : NULL;
  search->sticking = search->sticking ||
                     (row && friction->stick == ST_STICK_VELOCITY && friction->sticking_speed == 0);
  search->stribeck = search->stribeck ||
                     (row && friction->stribeck_speed == 0 && !(friction->sticking_speed > 0) &&
                      friction->static_coefficient > friction->dynamic_coefficient);
  ST_TRY(choose_speeds(reader, search->scene, row, &contact->friction));
  search->plastic = search->plastic || (is_between_rigid_bodies(description, contact) &&
                                        contact->friction.restitution == 0);
  return search->take(search->context, contact) ? ST_OK : st_fail_memory(reader->error);
}

StStatus st_contact_find_friction(StReader *reader, const StFrictionTable *table,
                                  const StSceneScale *scene, const StContactPairs *pairs,
                                  bool (*take)(void *context, StContactDesc *contact),
                                  void *context) {
  Search search = {.table = table, .scene = scene, .take = take, .context = context};
  ST_TRY(check_restitution(reader, table));
  ST_TRY(st_contact_pairs_visit(reader, pairs, &(StContactVisit){see, &search}));
  if (search.plastic)
    ST_TRY(note_plastic(reader));
  if (search.sticking)
    ST_TRY(note_sticking(reader, scene));
  return search.stribeck ? note_stribeck(reader, scene) : ST_OK;
}
