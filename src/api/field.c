// Fields of a state by name (field/field.h), of simulations.
// Tested by tests/api/test_api_field.c.
#include "api/handles.h"
#include "base/memory.h"
#include "base/text.h"
#include "solve/runtime.h"

#include <string.h>

bool stiction_field_type(int index, StictionField *field) {
  if (index < 0 || index >= ST_FIELD_TYPES || !field)
    return false;
  *field = st_field_public(&st_field_types[index]);
  return true;
}

StictionField st_field_public(const StFieldType *type) {
  return (StictionField){.name = type->name,
                         .unit = type->unit,
                         .summary = type->summary,
                         .of_cells = type->of_cells,
                         .components = type->components};
}

static StStatus find(const char *name, const StFieldType **type, StError *error) {
  if ((*type = st_field_find(name)))
    return ST_OK;
  ST_FINALLY(st_text_free) StText known = {0};
  for (int i = 0; i < ST_FIELD_TYPES; i++)
    st_text_add(&known, "%s%s", i ? ", " : "", st_field_types[i].name);
  ST_TRY_MEMORY(!known.failed, error);
  return st_fail(error, ST_BAD_INPUT, "there is no field \"%s\"; there are %s", name, known.data);
}

static const double *force_of(const StSnapshot *snapshot, const char *name) {
  for (int i = 0; i < snapshot->force_count; i++)
    if (strcmp(snapshot->force_name[i], name) == 0)
      return snapshot->force[i];
  return NULL;
}

static StStatus compute(const StDescription *description, const StSnapshot *snapshot,
                        const StFieldType *type, double **value, StError *error) {
  const StFieldState state = {.description = description,
                              .position = snapshot->position,
                              .contact = force_of(snapshot, "contact"),
                              .friction = force_of(snapshot, "friction")};
  ST_FREE double *made = NULL;
  ST_TRY(st_field_compute(type, &state, &made, error));
  if (type->of_cells)
    ST_TRY(st_field_give_to_parts(description, type->components, &made, error));
  *value = made;
  made = NULL;
  return ST_OK;
}

int st_field_count(const StDescription *description, bool of_cells) {
  int count = 0;
  for (int b = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    count += of_cells ? mesh->tet_count + mesh->triangle_count : mesh->vertex_count;
  }
  return count;
}

static StStatus get(StictionSimulation *simulation, const char *name, StictionField *field,
                    StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot snapshot = {0};
  const StFieldType *type;
  double *value = NULL;
  ST_TRY(find(name, &type, error));
  ST_TRY(st_simulation_snapshot(simulation->simulation, type->of_contact, false, &snapshot, error));
  bool root = st_runtime_rank() == 0;
  ST_TRY(st_runtime_agree(root ? compute(simulation->own, &snapshot, type, &value, error) : ST_OK,
                          error));
  double **kept = &simulation->live.field[type - st_field_types];
  free(*kept);
  *kept = value;
  *field = st_field_public(type);
  field->count = root ? st_field_count(simulation->own, type->of_cells) : 0;
  field->value = value;
  return ST_OK;
}

StictionStatus stiction_simulation_field(StictionSimulation *simulation, const char *name,
                                         StictionField *field) {
  ST_NEED(field);
  *field = (StictionField){0};
  ST_NEED(simulation);
  ST_NEED(name);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(get(simulation, name, field, st_call_error()));
}
