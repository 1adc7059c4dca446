// A vertex at which two parts of the surface touch without a common edge is duplicated for each of
// them, slightly shifted towards its own neighbours, so that the parts no longer touch.
#include "fill/repair.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/edge.h"
#include "mesh/group.h"

static const double HAIR = 1e-3; // of the way to the middle of the neighbours

static int next_corner(int corner) {
  return corner % 3 == 2 ? corner - 2 : corner + 1;
}

// number[corner]: corners at one vertex have the same if their triangles are joined over edges.
static StStatus number_fans(const StMesh *mesh, int *number, int *count, StError *error) {
  ST_FINALLY(st_edge_list_free) StEdgeList list = {0};
  ST_FINALLY(st_groups_free) StGroups groups = {0};
  ST_TRY(st_groups_create(3 * mesh->triangle_count, &groups, error));
  ST_TRY(st_edge_list_create(mesh->triangle, (size_t)mesh->triangle_count, mesh->vertex_count,
                             &list, error));
  for (size_t at = 0, end; at < list.count; at = end) {
    end = st_edge_list_run(&list, at);
    // The edges run in opposite directions: the start of one is the end of the other.
    int a = list.order[at], b = list.order[end - 1];
    st_groups_join(&groups, a, next_corner(b));
    st_groups_join(&groups, next_corner(a), b);
  }
  st_groups_number(&groups, number);
  *count = groups.group_count;
  return ST_OK;
}

// Every fan gets its own vertex. Fans at one vertex are moved apart.
static StStatus make_parted(const StMesh *old, const int *number, int count, StMesh **result,
                            StError *error) {
  StMesh *mesh = st_mesh_create(count, 0, old->triangle_count);
  int *fans = ST_NEW(int, old->vertex_count), *first = ST_NEW(int, old->vertex_count);
  ST_FREE int *neighbours = ST_NEW(int, count);
  ST_FREE double *middle = ST_NEW(double, 3 * (size_t)count);
  bool good = mesh && fans && first && neighbours && middle;
  for (int i = 0; i < old->label_count && good; i++)
    good = st_mesh_label(mesh, old->label_name[i]) >= 0;
  for (int i = 0; i < 3 * old->triangle_count && good; i++) {
    int v = old->triangle[i], fan = number[i];
    mesh->triangle[i] = fan;
    mesh->triangle_label[i / 3] = old->triangle_label[i / 3];
    vec3_copy(old->position + 3 * (size_t)v, mesh->position + 3 * (size_t)fan);
    vec3_add_scaled(1, old->position + 3 * (size_t)old->triangle[next_corner(i)],
                    middle + 3 * (size_t)fan);
    neighbours[fan]++;
    if (fans[v] == 0 || (fans[v] == 1 && first[v] != fan)) {
      first[v] = fans[v] ? first[v] : fan;
      fans[v]++;
    }
  }
  for (int i = 0; i < 3 * old->triangle_count && good; i++) {
    int v = old->triangle[i], fan = number[i];
    double way[3];
    if (fans[v] < 2 || neighbours[fan] == 0)
      continue;
    for (int c = 0; c < 3; c++)
      way[c] = middle[3 * fan + c] / neighbours[fan] - old->position[3 * v + c];
    vec3_add_scaled(HAIR, way, mesh->position + 3 * (size_t)fan);
    neighbours[fan] = 0; // once
  }
  free(fans);
  free(first);
  if (good)
    *result = mesh;
  else
    st_mesh_destroy(mesh);
  return good ? ST_OK : st_fail_memory(error);
}

StStatus st_repair_part(StMesh **surface, StRepair *repair, StError *error) {
  StMesh *old = *surface, *made = NULL;
  int *number = ST_NEW(int, 3 * (size_t)old->triangle_count), count = 0;
  ST_FREE bool *seen = ST_NEW(bool, old->vertex_count);
  int used = 0;
  StStatus status =
      number && seen ? number_fans(old, number, &count, error) : st_fail_memory(error);
  for (int i = 0; i < 3 * old->triangle_count && status == ST_OK; i++) {
    used += !seen[old->triangle[i]];
    seen[old->triangle[i]] = true;
  }
  if (status == ST_OK && count > used) {
    status = make_parted(old, number, count, &made, error);
    if (status == ST_OK) {
      repair->parted += count - used;
      st_mesh_destroy(old);
      *surface = made;
    }
  }
  free(number);
  return status;
}
