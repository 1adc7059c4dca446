// Says where default thicknesses and stiffnesses come from: one note for each two materials, since
// bodies may be many.
#include "scene/contact_method.h"
#include "scene/contact_scale.h"

#include <stdio.h>
#include <string.h>

enum { NOTES_MOST = 40 };

typedef struct Spread {
  int count;
  double low, high;
  StContactChoice largest; // of the contact with the largest one
} Spread;

// Two materials that touch.
typedef struct Touching {
  const char *name[2];
  Spread thickness, stiffness;
} Touching;

static void widen(Spread *spread, double value, const StContactChoice *choice) {
  if (spread->count == 0 || value > spread->high) {
    spread->high = value;
    spread->largest = *choice;
  }
  spread->low = spread->count == 0 ? value : fmin(spread->low, value);
  spread->count++;
}

static bool varies(const Spread *spread) {
  return spread->high - spread->low > 1e-9 * spread->high;
}

static void print_range(const Spread *spread, const char *unit, char *text, size_t size) {
  if (spread->count == 0)
    snprintf(text, size, "as given");
  else if (!varies(spread))
    snprintf(text, size, "%.4g %s", spread->high, unit);
  else
    snprintf(text, size, "%.4g to %.4g %s", spread->low, spread->high, unit);
}

static void explain_thickness(const StDescription *description, const StThicknessChoice *choice,
                              char *text, size_t size) {
  const char *name = description->body[choice->by].name;
  switch (choice->reason) {
  case ST_THICKNESS_GIVEN: snprintf(text, size, "given"); return;
  case ST_THICKNESS_SIZE:
    snprintf(text, size, "%g of the %s of \"%.60s\"", choice->part,
             st_scene_method(description)->size_name, name);
    return;
  case ST_THICKNESS_GIVE:
    snprintf(text, size, "%.3g of how far the softer body gives under its weight", choice->part);
    return;
  case ST_THICKNESS_EDGE:
    snprintf(text, size, "%g of the median edge of \"%.60s\"", choice->part, name);
    return;
  case ST_THICKNESS_WALL:
    snprintf(text, size, "%g of how thick \"%.60s\" is", choice->part, name);
    return;
  case ST_THICKNESS_PLAY:
    snprintf(text, size, "%g of the play between \"%.60s\" and what is on opposite sides",
             choice->part, name);
    return;
  case ST_THICKNESS_WAY:
    snprintf(text, size, "%g of how far prescribed motion squeezes \"%.60s\"", choice->part, name);
    return;
  case ST_THICKNESS_ROOM:
    snprintf(text, size, "as much as \"%.60s\" keeps others apart", name);
    return;
  }
}

static void explain_pressure(const StDescription *description, const StBodyScale *body,
                             const StContactChoice *choice, char *text, size_t size) {
  const char *name = description->body[choice->stiff_by].name;
  const char *source = body[choice->stiff_by].source;
  switch (choice->stiff) {
  case ST_STIFFNESS_GIVEN: snprintf(text, size, "given"); return;
  case ST_STIFFNESS_LOAD: snprintf(text, size, "%s of \"%.60s\"", source, name); return;
  case ST_STIFFNESS_MEAN:
    snprintf(text, size, "the geometric mean of the sheet's load and %s of \"%.60s\"", source,
             name);
    return;
  case ST_STIFFNESS_SQUEEZE:
    snprintf(text, size, "prescribed motion squeezes \"%.60s\"", name);
    return;
  case ST_STIFFNESS_POINTS:
    snprintf(text, size, "\"%.60s\" on a few of its vertices", name);
    return;
  case ST_STIFFNESS_DENT:
    snprintf(text, size, "\"%.60s\" on a few of its vertices, which give", name);
    return;
  }
}

static StStatus add_note(StReader *reader, const StBodyScale *body, const Touching *touching) {
  const StDescription *description = reader->description;
  const Spread *thickness = &touching->thickness, *stiffness = &touching->stiffness;
  char key[160], range[2][80], value[200], why[2][300], reason[700];
  snprintf(key, sizeof key, "contact of %.60s on %.60s", touching->name[0], touching->name[1]);
  print_range(thickness, "m", range[0], sizeof range[0]);
  print_range(stiffness, st_contact_stiffness_unit(&description->contact_settings), range[1],
              sizeof range[1]);
  snprintf(value, sizeof value, "%s, %s", range[0], range[1]);
  const StContactChoice *thin = &thickness->largest, *stiff = &stiffness->largest;
  explain_thickness(description, &thin->thin, why[0], sizeof why[0]);
  explain_pressure(description, body, stiff, why[1], sizeof why[1]);
  bool thin_given = thickness->count == 0, stiff_given = stiffness->count == 0;
  size_t used = 0;
  if (!thin_given)
    used = (size_t)snprintf(reason, sizeof reason, "thickness %s%s%s",
                            varies(thickness) ? "up to " : "", why[0], stiff_given ? "" : "; ");
  if (!stiff_given)
    snprintf(reason + used, sizeof reason - used,
             "stiffness carries %s%.4g Pa (%s) at %.3g of the thickness",
             varies(stiffness) ? "up to " : "", stiff->pressure, why[1], stiff->rest);
  return st_description_add_note(reader->description, key, value, reason, reader->error);
}

typedef struct Notes {
  int count;
  Touching list[NOTES_MOST];
} Notes;

static Touching *find(Notes *notes, const char *a, const char *b) {
  for (int i = 0; i < notes->count; i++)
    for (int k = 0; k < 2; k++)
      if (strcmp(notes->list[i].name[k], a) == 0 && strcmp(notes->list[i].name[1 - k], b) == 0)
        return &notes->list[i];
  if (notes->count == NOTES_MOST)
    return NULL;
  notes->list[notes->count] = (Touching){.name = {a, b}};
  return &notes->list[notes->count++];
}

static StStatus see(void *context, StReader *reader, StContactDesc *contact,
                    const StContactChoice *choice) {
  const StDescription *description = reader->description;
  ST_TRY(st_contact_expect_good(reader, "contact.thickness", contact->thickness));
  ST_TRY(st_contact_expect_good(reader, "contact.stiffness", contact->stiffness));
  if (choice->thin.reason == ST_THICKNESS_GIVEN && choice->stiff == ST_STIFFNESS_GIVEN)
    return ST_OK;
  int made_of = st_scene_body_material(&description->body[contact->collider]);
  const char *surface = st_contact_surface_material(description, contact);
  Touching *touching =
      find(context, description->material[made_of].name, surface ? surface : "no material");
  if (touching && choice->thin.reason != ST_THICKNESS_GIVEN)
    widen(&touching->thickness, contact->thickness, choice);
  if (touching && choice->stiff != ST_STIFFNESS_GIVEN)
    widen(&touching->stiffness, contact->stiffness, choice);
  return ST_OK;
}

StStatus st_contact_scale_notes(StReader *reader, const StBodyScale *body,
                                const StContactPairs *pairs) {
  Notes notes = {0};
  ST_TRY(st_contact_pairs_visit(reader, pairs, &(StContactVisit){see, &notes}));
  for (int i = 0; i < notes.count; i++)
    ST_TRY(add_note(reader, body, &notes.list[i]));
  return ST_OK;
}
