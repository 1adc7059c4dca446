// friction: [{"between": ["rubber", "steel"], "dynamic": 0.6, "static": 0.8}, {"between": "any",
// …}]
#include "scene/parts.h"

#include "base/memory.h"
#include "scene/suggest.h"

#include <string.h>

typedef struct Row {
  const StJson *between, *viscous;
  StFrictionDesc friction;
} Row;

static const char *const STICKS[] = {
    [ST_STICK_VELOCITY] = "velocity", [ST_STICK_ANCHORED] = "anchored", NULL};

static const StKey KEYS[] = {
    ST_KEY(Row, between, NAMES,
           "Two materials, such as [\"rubber\", \"steel\"], in any order. \"any\" matches every "
           "material; alone, it stands for both. The most specific row applies.",
           .required = true),
    ST_KEY_NAMED("dynamic", Row, friction.dynamic_coefficient, SCALAR,
                 "Coefficient of sliding friction: friction over normal force.",
                 .param.fallback = NAN, ST_KEY_NOT_NEGATIVE, .required = true),
    ST_KEY_NAMED("static", Row, friction.static_coefficient, SCALAR,
                 "Coefficient of static friction: the peak of the curve over speed, at least the "
                 "dynamic one.",
                 .param.fallback = NAN, ST_KEY_NOT_NEGATIVE, .otherwise = "as dynamic"),
    ST_KEY(Row, viscous, QUANTITY,
           "Additional friction in proportion to speed, which fades out with the contact. Per "
           "contact area with primitives; per touching vertex with smooth surfaces.",
           ST_KEY_NOT_NEGATIVE, .units = "Pa s/m with primitives, kg/s with smooth surfaces",
           .otherwise = "0"),
    ST_KEY_NAMED(
        "stick", Row, friction.stick, SCALAR,
        "How sticking contacts are held. anchored: by a spring that yields, so that held bodies "
        "come to rest; velocity: by a slip velocity below `sticking_speed`, so that they creep.",
        .param.kind = ST_WORD, .param.word = STICKS, .param.fallback = ST_STICK_ANCHORED),
    ST_KEY_NAMED("damping", Row, friction.damping, SCALAR,
                 "With `stick: anchored`: damping of held bodies, as a fraction of critical "
                 "damping. It also reduces the bounce of stiff bodies a little.",
                 .param.fallback = ST_FRICTION_DAMPING, ST_KEY_RANGE(0, 1)),
    ST_KEY_NAMED("restitution", Row, friction.restitution, SCALAR,
                 "Of rigid bodies with each other and with obstacles: how fast they part after an "
                 "impact, over how fast they met. 0: impacts are plastic; 1: elastic. Resting "
                 "bodies do not jump. Soft bodies rebound by their own elasticity.",
                 ST_KEY_RANGE(0, 1)),
    ST_KEY_NAMED("sticking_speed", Row, friction.sticking_speed, SCALAR,
                 "With `stick: velocity`: speed below which a contact sticks; held bodies creep "
                 "more slowly than this.",
                 .param.dimension = ST_SPEED, .param.fallback = NAN, ST_KEY_POSITIVE,
                 .otherwise = "1e-4 of the scene's own speed, printed by `stiction check`"),
    ST_KEY_NAMED("stribeck_speed", Row, friction.stribeck_speed, SCALAR,
                 "Speed at which friction has fallen from static to dynamic; with `stick: "
                 "velocity` above the sticking speed.",
                 .param.dimension = ST_SPEED, .param.fallback = NAN, ST_KEY_POSITIVE,
                 .otherwise =
                     "1e-3 of the scene's own speed, or 10 × sticking_speed where that is given"),
};

const StKeyTable st_keys_friction = {
    .name = "friction",
    .path = "friction",
    .doc =
        "Friction between two materials. A pair of materials without a matching row slides freely; "
        "`stiction check` says so. A body of several materials counts as its `material`.",
    ST_KEYS(KEYS),
};

static StStatus read_name(const StReader *reader, const StJson *at, const char **name) {
  ST_TRY(st_reader_expect(reader, at, ST_JSON_STRING, "the name of a material (a string)"));
  if (at->text[0] == 0)
    return st_reader_fail(reader, at, "must not be empty");
  *name = strcmp(at->text, "any") == 0 ? NULL : at->text;
  return ST_OK;
}

static StStatus read_between(const StReader *reader, const StJson *at, StFrictionRow *row) {
  static const char *const WANTED = "two materials, such as [\"rubber\", \"steel\"], or \"any\"";
  if (at->kind == ST_JSON_STRING && strcmp(at->text, "any") == 0)
    return ST_OK;
  if (at->kind != ST_JSON_LIST)
    return st_reader_fail(reader, at, "must be %s, is a single name", WANTED);
  if (at->child_count != 2)
    return st_reader_fail(reader, at, "must be %s, has %d", WANTED, at->child_count);
  ST_TRY(read_name(reader, at->child, &row->name[0]));
  return read_name(reader, at->child->next, &row->name[1]);
}

static bool same(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static StStatus check_new(const StReader *reader, const StJson *between,
                          const StFrictionTable *table, const StFrictionRow *row) {
  for (int i = 0; i < table->count; i++) {
    const char *const *name = table->row[i].name;
    if ((same(name[0], row->name[0]) && same(name[1], row->name[1])) ||
        (same(name[0], row->name[1]) && same(name[1], row->name[0])))
      return st_reader_fail(reader, between, "this pair is already in friction[%d]", i);
  }
  return ST_OK;
}

static StStatus complete(const StReader *reader, const StJson *at, StFrictionDesc *friction) {
  friction->own_static = st_json_get(at, "static") != NULL;
  if (!friction->own_static)
    friction->static_coefficient = friction->dynamic_coefficient;
  if (friction->static_coefficient < friction->dynamic_coefficient)
    return st_reader_fail(reader, st_json_get(at, "static"),
                          "is the peak of friction, so it must be at least the dynamic coefficient "
                          "(%g), is %g",
                          friction->dynamic_coefficient, friction->static_coefficient);
  return ST_OK;
}

// Dry pairs of materials do not reach 10: rubber has up to 4. A percentage needs its sign.
static void warn_large(const StReader *reader, const StJson *at) {
  static const char *const COEFFICIENTS[] = {"dynamic", "static"};
  for (int i = 0; i < ST_LENGTH(COEFFICIENTS); i++) {
    const StJson *given = st_json_get(at, COEFFICIENTS[i]);
    if (given && given->kind == ST_JSON_NUMBER && given->number > 10)
      st_reader_warn(reader, given,
                     "a coefficient of friction of %g is far above that of real materials, which "
                     "is 0.05 to 1.5 as a rule; %g percent is \"%g %%\"",
                     given->number, given->number, given->number);
  }
}

static StStatus read_row(StReader *reader, const StJson *at, StFrictionTable *table) {
  Row given = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_friction, &given));
  StFrictionRow row = {.at = at};
  ST_TRY(read_between(reader, given.between, &row));
  ST_TRY(check_new(reader, given.between, table, &row));
  ST_TRY(complete(reader, at, &given.friction));
  warn_large(reader, at);
  if (given.friction.stick == ST_STICK_ANCHORED && st_json_get(at, "sticking_speed"))
    st_log(reader->log, ST_WARNING,
           "%s: friction[%d].sticking_speed has no effect: this row holds by anchors, which do not "
           "creep; it applies with \"stick\": \"velocity\"",
           reader->name, at->index);
  if (given.friction.stick == ST_STICK_VELOCITY && st_json_get(at, "damping"))
    st_log(reader->log, ST_WARNING,
           "%s: friction[%d].damping has no effect: it belongs to anchors, and this row holds by "
           "velocity",
           reader->name, at->index);
  row.friction = given.friction;
  table->row[table->count++] = row;
  return ST_OK;
}

static StStatus check_no_material_any(const StReader *reader) {
  const StJson *materials = st_json_get(st_json_root(reader->document), "materials");
  const StJson *any = st_json_get(materials, "any");
  return any ? st_reader_fail_key(reader, any,
                                  "in the friction table \"any\" stands for every material; give "
                                  "this one another name")
             : ST_OK;
}

StStatus st_scene_read_friction(StReader *reader, const StJson *at, StFrictionTable *table) {
  if (!at)
    return ST_OK;
  ST_TRY(check_no_material_any(reader));
  ST_TRY_MEMORY(table->row = ST_NEW(StFrictionRow, at->child_count), reader->error);
  for (const StJson *item = at->child; item; item = item->next)
    ST_TRY(read_row(reader, item, table));
  return ST_OK;
}

StStatus st_scene_read_viscous(StReader *reader, StFrictionTable *table) {
  StContactMethod method = reader->description->contact_settings.method;
  const StParam param = {.dimension = st_contact_traits(method)->viscous, ST_NOT_NEGATIVE};
  for (int i = 0; i < table->count; i++) {
    const StJson *at = st_json_get(table->row[i].at, "viscous");
    if (at)
      ST_TRY(st_reader_param(reader, at, &param, &table->row[i].friction.viscous_coefficient));
  }
  return ST_OK;
}

static bool is_used(const StDescription *description, const char *name) {
  for (int i = 0; i < description->material_count; i++)
    if (strcmp(description->material[i].name, name) == 0)
      return true;
  for (int i = 0; i < description->obstacle_count; i++)
    if (same(description->obstacle[i].material, name))
      return true;
  return false;
}

// Whether this obstacle is the first thing in the scene with its material.
static bool is_first_of_its_kind(const StDescription *description, int obstacle) {
  const char *name = description->obstacle[obstacle].material;
  for (int i = 0; name && i < description->material_count; i++)
    if (strcmp(description->material[i].name, name) == 0)
      return false;
  for (int i = 0; name && i < obstacle; i++)
    if (same(description->obstacle[i].material, name))
      return false;
  return name != NULL;
}

static StStatus fail_unused(const StReader *reader, const StFrictionRow *row, const char *name) {
  const StDescription *description = reader->description;
  ST_FINALLY(st_suggestion_free) StSuggestion known = {.wanted = name};
  for (int i = 0; i < description->material_count; i++)
    st_suggestion_add(&known, description->material[i].name);
  for (int i = 0; i < description->obstacle_count; i++)
    if (is_first_of_its_kind(description, i))
      st_suggestion_add(&known, description->obstacle[i].material);
  return st_reader_fail(reader, st_json_get(row->at, "between"),
                        "\"%.60s\" is not a material, and no obstacle is made of it; known: %s",
                        name, st_suggestion_text(&known));
}

StStatus st_scene_check_friction(StReader *reader, const StFrictionTable *table) {
  for (int i = 0; i < table->count; i++)
    for (int k = 0; k < 2; k++) {
      const char *name = table->row[i].name[k];
      if (name && !is_used(reader->description, name))
        return fail_unused(reader, &table->row[i], name);
    }
  return ST_OK;
}

// How many of a row's names match the pair; -1: it does not fit.
static int fit_in_order(const StFrictionRow *row, const char *a, const char *b) {
  bool fits = (!row->name[0] || same(row->name[0], a)) && (!row->name[1] || same(row->name[1], b));
  return fits ? (row->name[0] != NULL) + (row->name[1] != NULL) : -1;
}

static int fit(const StFrictionRow *row, const char *a, const char *b) {
  int one = fit_in_order(row, a, b), other = fit_in_order(row, b, a);
  return one > other ? one : other;
}

StStatus st_friction_table_find(const StReader *reader, const StFrictionTable *table, const char *a,
                                const char *b, const StFrictionRow **row) {
  const StFrictionRow *best = NULL, *rival = NULL;
  int best_fit = -1;
  for (int i = 0; i < table->count; i++) {
    int now = fit(&table->row[i], a, b);
    if (now < 0 || now < best_fit)
      continue;
    rival = now == best_fit ? &table->row[i] : NULL;
    if (!rival) {
      best = &table->row[i];
      best_fit = now;
    }
  }
  *row = best;
  if (!rival)
    return ST_OK;
  return st_reader_fail(reader, st_json_get(rival->at, "between"),
                        "fits \"%.60s\" on \"%.60s\" just as friction[%d] does; add a row for "
                        "these two",
                        a, b, best->at->index);
}
