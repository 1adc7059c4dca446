// Plans of what ranks exchange.
// Tested by tests/parallel/test_neighbours_ranks.c.
#include "step/neighbours.h"

#include "base/memory.h"
#include "solve/runtime.h"
#include "solve/communicator.h"

#include <mpi.h>
#include <string.h>

enum { MOST_POSITIONS = 4 };

StStatus st_neighbours_create(const StContacts *contacts, bool *always, StNeighbours **result,
                              StError *error) {
  *result = NULL;
  if (st_runtime_size() == 1 || !st_contacts_keep_apart(contacts)) {
    free(always);
    return ST_OK;
  }
  StNeighbours *n = ST_OWNER(StNeighbours);
  if (!n)
    free(always);
  ST_TRY(st_owner_give(n, result, error));
  size_t vertices = (size_t)contacts->piece->vertex_count;
  n->always = always;
  n->known = ST_OWN(n, bool, vertices);
  n->wanted = ST_OWN(n, bool, vertices);
  ST_TRY(st_skin_patches_create(contacts->skins, &n->patches, error));
  n->box = ST_OWN(n, double, 6 * ((size_t)n->patches->patch_count + 1));
  n->next = ST_OWN(n, double, 6 * ((size_t)n->patches->patch_count + 1));
  ST_TRY_MEMORY(st_owner_is_whole(n), error);
  for (size_t v = 0; v < vertices; v++)
    n->known[v] = true; // the initial exchange
  return ST_OK;
}

void st_neighbours_destroy(StNeighbours *n) {
  if (!n)
    return;
  st_skin_patches_destroy(n->patches);
  free(n->always);
  st_owner_free(n);
}

// The other end of an anchor may be far away after sliding, or on another triangle.
static void want_anchors(const StAnchors *anchors, bool *wanted) {
  for (int i = 0; i < anchors->count; i++)
    for (int k = 0; k < anchors->item[i].count; k++)
      wanted[anchors->place[anchors->item[i].first + (size_t)k]] = true;
}

// Lagged friction needs velocities of vertices that touched at an earlier solution.
static void want_lagged(const StSystem *system, bool *wanted) {
  const StContactArray *list = &system->contact_state->before;
  if (system->description->contact_settings.friction != ST_FRICTION_LAGGED)
    return;
  for (int t = 0; t < list->count; t++) {
    const int *place = st_contact_array_places(list, &list->contact[t]);
    for (int k = 0; k < list->contact[t].count; k++)
      if (place[k] < system->piece->vertex_count)
        wanted[place[k]] = true;
  }
}

static void agree_on_boxes(StNeighbours *n, const double *const *position, int count) {
  double *last = n->next + 6 * (size_t)n->patches->patch_count;
  double longest = st_skin_patches_bound(n->patches, position, count, n->next);
  for (int i = 0; i < 6; i++)
    last[i] = -longest;
  MPI_Allreduce(MPI_IN_PLACE, n->next, 6 * (n->patches->patch_count + 1), MPI_DOUBLE, MPI_MIN,
                st_communicator());
}

// New ghosts receive their positions at the start of the step, and the sharpness of edges there.
static void catch_up(const StSystem *system) {
  StContactState *state = system->contact_state;
  if (!state->begun)
    return;
  st_exchange_forward(system->exchange, state->start);
  st_skins_sharpen(system->contacts->skins, state->start, state->sharpness);
}

static bool plan(const StSystem *system, const double *const *position, int count) {
  StNeighbours *n = system->neighbours;
  const StPiece *piece = system->piece;
  size_t vertices = (size_t)piece->vertex_count;
  agree_on_boxes(n, position, count);
  memcpy(n->wanted, n->always, vertices * sizeof(bool));
  StStatus found = st_skin_patches_find(n->patches, n->next, n->wanted, NULL);
  system->contact_cache->no_memory |= found != ST_OK;
  want_anchors(&system->contact_state->anchors, n->wanted);
  want_lagged(system, n->wanted);
  double *box = n->box;
  n->box = n->next;
  n->next = box;
  n->planned = true;
  n->made++;
  bool differs = memcmp(n->wanted, n->known, vertices * sizeof(bool)) != 0;
  if (!st_runtime_any(differs))
    return false;
  bool *known = n->known;
  n->known = n->wanted;
  n->wanted = known;
  StStatus status = st_exchange_select(system->exchange, n->known + piece->owned_count, NULL);
  system->contact_cache->no_memory |= status != ST_OK;
  if (differs)
    st_contacts_set_known(system->contact_cache->set, n->known);
  catch_up(system);
  return true;
}

void st_neighbours_begin(const StSystem *system, const double *position) {
  const StNeighbours *n = system->neighbours;
  if (!n)
    return;
  bool wide = n->planned && -n->box[6 * (size_t)n->patches->patch_count] > n->patches->slack;
  bool covered = n->planned && !wide && st_skin_patches_cover(n->patches, n->box, position);
  if (st_runtime_any(!covered))
    plan(system, &position, 1);
}

bool st_neighbours_cover(const StSystem *system, const double *const *position, int count) {
  const StNeighbours *n = system->neighbours;
  const double *all[MOST_POSITIONS];
  if (!n)
    return false;
  bool covered = n->planned;
  for (int i = 0; i < count; i++) {
    all[i] = position[i];
    covered = covered && st_skin_patches_cover(n->patches, n->box, position[i]);
  }
  if (!st_runtime_any(!covered))
    return false;
  if (system->contact_state->begun)
    all[count++] = system->contact_state->start;
  return plan(system, all, count);
}

void st_neighbours_forget(const StSystem *system) {
  if (system->neighbours)
    system->neighbours->planned = false;
}
