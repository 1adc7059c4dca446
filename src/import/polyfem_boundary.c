// "dirichlet_boundary" as boundaries and "neumann_boundary" as loads, both on the vertices of the
// selected faces. Tested by tests/app/import_polyfem.sh.
#include "import/polyfem_parts.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>

typedef struct Place {
  const StPolyfemItem *item;
  const StJson *json; // the entry
  const char *list;   // its list, for names and notes
  int *vertex, count;
} Place;

static void write_region(StJsonOut *out, const Place *place) {
  st_json_string(out, "body", place->item->name);
  StJsonOut region = st_json_line(out, "region", '{');
  StJsonOut list = st_json_line(&region, "vertices", '[');
  for (int i = 0; i < place->count; i++)
    st_json_number(&list, NULL, place->vertex[i]);
  st_json_end(&list);
  st_json_end(&region);
}

// The prescribed coordinates, unless all are.
static void write_hold(StJsonOut *out, const StJson *json) {
  const StJson *dimension = st_json_get(json, "dimension");
  int k = 0, held = 0;
  if (!dimension || dimension->kind != ST_JSON_LIST)
    return;
  for (const StJson *one = dimension->child; one; one = one->next)
    held += one->truth;
  if (held == 3)
    return;
  StJsonOut hold = st_json_line(out, "hold", '[');
  for (const StJson *one = dimension->child; one && k < 3; one = one->next, k++)
    if (one->truth)
      st_json_string(&hold, NULL, (const char[]){(char)('x' + k), 0});
  st_json_end(&hold);
}

static StStatus write_boundary(StPolyfem *polyfem, const Place *place, StJsonOut *out,
                               StError *error) {
  char name[ST_POLYFEM_NAME + 40];
  bool written;
  double size[3];
  snprintf(name, sizeof name, "%s, %d", place->item->name, place->json->index + 1);
  StJsonOut boundary = st_json_lines(out, name, '{');
  write_region(&boundary, place);
  write_hold(&boundary, place->json);
  vec3_sub(place->item->high, place->item->low, size);
  ST_TRY(st_polyfem_write_motion(polyfem, st_json_get(place->json, "value"), vec3_length(size),
                                 &boundary, &written, error));
  if (!written)
    st_import_note(polyfem->notes,
                   "boundary_conditions.%s[%d].value: no rigid motion that can be written; "
                   "%s is held still there",
                   place->list, place->json->index, place->item->name);
  st_json_end(&boundary);
  return ST_OK;
}

static StStatus write_load(StPolyfem *polyfem, const Place *place, StJsonOut *out, StError *error) {
  char name[ST_POLYFEM_NAME + 40];
  const StJson *value = st_json_get(place->json, "value");
  ST_FINALLY(st_polyfem_formulas_free) StPolyfemFormulas formula = {0};
  (void)error;
  if (!st_polyfem_formulas(value, &formula)) {
    st_import_note(polyfem->notes, "boundary_conditions.%s[%d].value: it depends on the place",
                   place->list, place->json->index);
    return ST_OK;
  }
  snprintf(name, sizeof name, "%s, %d", place->item->name, place->json->index + 1);
  StJsonOut load = st_json_lines(out, name, '{');
  write_region(&load, place);
  StJsonOut traction = st_json_line(&load, "traction", '[');
  int k = 0;
  for (const StJson *one = value->child; one; one = one->next, k++) {
    if (one->kind == ST_JSON_NUMBER)
      st_json_number(&traction, NULL, one->number);
    else
      st_json_string(&traction, NULL, formula.component[k].data);
  }
  st_json_end(&traction);
  st_json_end(&load);
  return ST_OK;
}

typedef StStatus Write(StPolyfem *polyfem, const Place *place, StJsonOut *out, StError *error);

static StStatus write_entry(StPolyfem *polyfem, const StJson *json, const char *list, Write *write,
                            StJsonOut *out, StError *error) {
  int found = 0;
  for (int i = 0; i < polyfem->item_count; i++) {
    Place place = {.item = &polyfem->item[i], .json = json, .list = list};
    if (place.item->obstacle)
      continue;
    StStatus status = st_polyfem_select(polyfem, place.item, st_json_get(json, "id"), &place.vertex,
                                        &place.count, error);
    found += place.count;
    if (status == ST_OK && place.count > 0)
      status = write(polyfem, &place, out, error);
    free(place.vertex);
    ST_TRY(status);
  }
  if (found == 0)
    st_import_note(polyfem->notes, "boundary_conditions.%s[%d]: no face has its id", list,
                   json->index);
  return ST_OK;
}

static StStatus write_list(StPolyfem *polyfem, const char *from, const char *to, Write *write,
                           StJsonOut *out, StError *error) {
  const StJson *conditions = st_json_get(polyfem->scene, "boundary_conditions");
  const StJson *list = conditions ? st_json_get(conditions, from) : NULL;
  if (!list || list->child_count == 0)
    return ST_OK;
  StJsonOut object = st_json_lines(out, to, '{');
  const StJson *first = list->kind == ST_JSON_OBJECT ? list : list->child;
  for (const StJson *one = first; one; one = list == first ? NULL : one->next) {
    if (one->kind == ST_JSON_OBJECT)
      ST_TRY(write_entry(polyfem, one, from, write, &object, error));
    else
      st_import_note(polyfem->notes, "boundary_conditions.%s[%d]: only objects are read", from,
                     one->index);
  }
  st_json_end(&object);
  return ST_OK;
}

StStatus st_polyfem_write_boundaries(StPolyfem *polyfem, StJsonOut *out, StError *error) {
  return write_list(polyfem, "dirichlet_boundary", "boundaries", write_boundary, out, error);
}

StStatus st_polyfem_write_loads(StPolyfem *polyfem, StJsonOut *out, StError *error) {
  return write_list(polyfem, "neumann_boundary", "loads", write_load, out, error);
}
