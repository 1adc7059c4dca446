// Updates copies of numbers in the description that were changed between two steps. Code that reads
// the description at every evaluation needs no update.
// Tested by tests/api/test_api_control.c.
#include "base/memory.h"
#include "solve/runtime.h"
#include "step/simulation_parts.h"

static StForce *find_force(StSystem *system, const StForceType *type) {
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].type == type)
      return &system->force[i];
  return NULL;
}

// Copies the memory from one force's data to its replacement. Collective.
static StStatus hand_memory_on(const StForceType *type, const void *from, void *to,
                               StError *error) {
  int count = type->memory_count ? type->memory_count(from) : 0;
  if (count == 0)
    return ST_OK;
  ST_FREE double *memory = ST_NEW(double, count);
  ST_TRY(st_runtime_agree(memory ? ST_OK : st_fail_memory(error), error));
  type->remember(from, memory);
  st_runtime_sum_all(memory, count);
  type->recall(to, memory);
  return ST_OK;
}

// *same: it is present, or absent, as before.
static StStatus renew_force(StSystem *system, const StForceType *type, bool *same, StError *error) {
  StForceSite site = {system->description, system->piece, NULL};
  StForce *force = find_force(system, type);
  void *data = NULL;
  bool present = true;
  StStatus status = st_force_create(type, &site, &data, &present, error);
  if (status == ST_OK && present && type->bind)
    status = type->bind(data, system->matrix, error);
  status = st_runtime_agree(status, error);
  *same = present == (force != NULL);
  if (status == ST_OK && present && *same)
    status = hand_memory_on(type, force->data, data, error);
  if (status == ST_OK && present && *same) {
    void *old = force->data;
    force->data = data;
    data = old;
  }
  if (data)
    type->destroy(data);
  return status;
}

static StStatus renew_joints(StSystem *system, bool *rebuild, StError *error) {
  for (int i = 0; st_force_types[i]; i++) {
    bool same = true;
    if (st_force_types[i]->joins)
      ST_TRY(renew_force(system, st_force_types[i], &same, error));
    *rebuild = *rebuild || !same;
  }
  return ST_OK;
}

static StStatus renew_friction(StSystem *system, StError *error) {
  if (!system->contacts)
    return ST_OK;
  ST_TRY(st_runtime_agree(st_contacts_renew_friction(system->contacts, error), error));
  system->contact_state->version++;
  return ST_OK;
}

StStatus st_simulation_renew(StSimulation *s, StChange change, bool *rebuild, StError *error) {
  StTrouble trouble = {.vertex = -1, .element = -1};
  *rebuild = false;
  if (change.joints)
    ST_TRY(renew_joints(s->system, rebuild, error));
  if (*rebuild)
    return ST_OK;
  if (change.friction)
    ST_TRY(renew_friction(s->system, error));
  st_contact_cache_moved(s->system->contact_cache, s->position);
  StPoint at = st_simulation_current(s);
  if (st_integrator_uses_force(s->integrator) &&
      st_simulation_take_force(s, &at, &trouble) != ST_OK)
    return st_simulation_refuse(s, &trouble, error);
  st_measure_take(s->measure, &at, &s->report);
  st_measure_read(s->measure, &at, &s->report);
  st_simulation_remember_energy(s);
  return st_simulation_check_drivers(s, error);
}
