// Fields of a snapshot.
#include "step/fields.h"

#include "base/memory.h"
#include "force/list.h"
#include "force/solid.h"
#include "solve/runtime.h"

StStatus st_fields_forces(const StSystem *system, const StGather *gather, const StPoint *at,
                          double *scratch, StSnapshot *snapshot, StError *error) {
  snapshot->force_count = system->force_count;
  for (int i = 0; i < system->force_count; i++) {
    snapshot->force_name[i] = system->force[i].type->name;
    st_system_single_force(system, i, at, scratch);
    ST_TRY(st_gather_vertices(gather, scratch, 3, &snapshot->force[i], error));
  }
  return ST_OK;
}

StStatus st_fields_stress(const StSystem *system, const StGather *gather, const StPoint *at,
                          StSnapshot *snapshot, StError *error) {
  double *local = ST_NEW(double, 6 * (size_t)system->piece->owned_tet_count);
  ST_TRY(st_runtime_agree(local ? ST_OK : st_fail_memory(error), error));
  for (int i = 0; i < system->force_count; i++)
    if (system->force[i].type == &st_force_solid)
      st_solid_stress(system->force[i].data, at, local);
  StStatus status = st_gather_tets(gather, local, 6, &snapshot->stress, error);
  free(local);
  return status;
}
