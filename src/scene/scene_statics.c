// Keys that a static analysis refuses, and keys that have no effect in it.
#include "scene/parts.h"

#include "model/contact_pairs.h"

static StStatus check_contact(const StReader *reader, const StJson *root) {
  const StContactSettings *settings = &reader->description->contact_settings;
  const StJson *contact = st_json_get(root, "contact"), *at = contact ? contact : root;
  if (settings->method != ST_CONTACT_PRIMITIVES)
    return st_reader_fail(reader, at,
                          "a static analysis needs contact by primitives (\"method\": "
                          "\"primitives\", the default)");
  if (settings->friction == ST_FRICTION_LAGGED)
    return st_reader_fail(reader, at,
                          "a static analysis needs implicit friction (\"friction\": \"implicit\", "
                          "the default)");
  return ST_OK;
}

static StStatus check_friction(const StReader *reader, const StJson *root) {
  const StJson *friction = st_json_get(root, "friction");
  const StFrictionDesc *desc;
  for (int i = 0; (desc = st_pairs_friction(reader->description, i)); i++)
    if (desc->stick != ST_STICK_ANCHORED && desc->static_coefficient > 0)
      return st_reader_fail(reader, friction ? friction : root,
                            "friction that holds by velocity lets everything creep, and a static "
                            "analysis has no velocities; must be held by anchors (\"stick\": "
                            "\"anchored\", the default)");
  return ST_OK;
}

static void warn_of_unused(const StReader *reader, const StJson *object, const char *key) {
  const StJson *at = object ? st_json_get(object, key) : NULL;
  if (at)
    st_reader_warn(reader, at, "has no effect in a static analysis");
}

StStatus st_scene_check_statics(const StReader *reader) {
  const StJson *root = st_json_root(reader->document), *solver = st_json_get(root, "solver");
  if (!reader->description->statics)
    return ST_OK;
  warn_of_unused(reader, root, "integrator");
  warn_of_unused(reader, solver, "velocity_tolerance");
  warn_of_unused(reader, solver, "change_tolerance");
  ST_TRY(check_contact(reader, root));
  return check_friction(reader, root);
}
