// Signs of volumes: in plain arithmetic for all, exactly where rounding leaves doubt.
#include "judge/tets.h"

#include "base/memory.h"
#include "judge/orient.h"
#include "mesh/check.h"

#include <math.h>
#include <string.h>

static StStatus mark_skin(const StMesh *mesh, unsigned char *skin, StError *error) {
  int *face = NULL, count = 0;
  ST_TRY(st_mesh_boundary_faces(mesh, &face, &count, error));
  for (int i = 0; i < count; i++)
    skin[face[i] / 4] |= (unsigned char)(1 << face[i] % 4);
  free(face);
  return ST_OK;
}

static StStatus build(const StMesh *mesh, int first_vertex, unsigned char *skin, int *order,
                      StTets *tets, StError *error) {
  size_t corners = 4 * (size_t)mesh->tet_count;
  if (corners)
    memcpy(tets->tet, mesh->tet, corners * sizeof(int));
  ST_TRY(mark_skin(mesh, skin, error));
  ST_TRY(
      st_box_tree_create(4, mesh->tet_count, tets->tet, mesh->position, order, &tets->tree, error));
  for (int t = 0; t < mesh->tet_count; t++)
    tets->skin[t] = skin[order[t]];
  for (size_t i = 0; i < corners; i++)
    tets->tet[i] += first_vertex;
  return ST_OK;
}

StStatus st_tets_create(const StMesh *mesh, int first_vertex, StTets *tets, StError *error) {
  *tets = (StTets){.count = mesh->tet_count,
                   .tet = ST_NEW(int, 4 * (size_t)mesh->tet_count),
                   .skin = ST_NEW(unsigned char, mesh->tet_count)};
  ST_FREE unsigned char *skin = ST_NEW(unsigned char, mesh->tet_count);
  ST_FREE int *order = ST_NEW(int, mesh->tet_count);
  StStatus status = tets->tet && tets->skin && skin && order
                        ? build(mesh, first_vertex, skin, order, tets, error)
                        : st_fail_memory(error);
  if (status != ST_OK)
    st_tets_free(tets);
  return status;
}

void st_tets_free(StTets *tets) {
  free(tets->tet);
  free(tets->skin);
  st_box_tree_free(&tets->tree);
  *tets = (StTets){0};
}

// Whether the feature of a tet that a point lies exactly on (a face, an edge or a corner: the
// corners whose opposite faces it is not on) belongs to the surface.
static bool lies_on_surface(const int tet[4], unsigned char skin, unsigned on_faces,
                            const StHull *hull) {
  int corner[4], count = 0;
  for (int i = 0; i < 4; i++)
    if (!(on_faces >> i & 1))
      corner[count++] = tet[i];
  if (count == 2)
    return st_hull_has_edge(hull, corner[0], corner[1]);
  if (count == 1)
    return st_hull_has_point(hull, corner[0]);
  return (skin & on_faces) != 0;
}

static bool tet_holds(const int tet[4], unsigned char skin, const StHull *hull,
                      const double *position, const double x[3]) {
  const double *corner[4];
  unsigned on_faces = 0;
  for (int i = 0; i < 4; i++)
    corner[i] = position + 3 * (size_t)tet[i];
  int sense = st_orient(corner[0], corner[1], corner[2], corner[3]);
  if (sense == 0)
    return false;
  for (int i = 0; i < 4; i++) {
    const double *at[4] = {corner[0], corner[1], corner[2], corner[3]};
    at[i] = x;
    int sign = st_orient(at[0], at[1], at[2], at[3]);
    if (sign == -sense)
      return false;
    on_faces |= (unsigned)(sign == 0) << i;
  }
  return on_faces == 0 || !lies_on_surface(tet, skin, on_faces, hull);
}

static bool box_holds(const StBox *box, const double x[3]) {
  return box->low[0] <= x[0] && x[0] <= box->high[0] && box->low[1] <= x[1] &&
         x[1] <= box->high[1] && box->low[2] <= x[2] && x[2] <= box->high[2];
}

static bool node_holds(const StTets *tets, const StHull *hull, const double *position, int n,
                       const double x[3]) {
  const StBoxNode *node = &tets->tree.node[n];
  if (!box_holds(&node->box, x))
    return false;
  for (int t = node->first; t < node->first + node->count; t++)
    if (box_holds(&tets->tree.item[t], x) &&
        tet_holds(tets->tet + 4 * (size_t)t, tets->skin[t], hull, position, x))
      return true;
  return node->count == 0 && (node_holds(tets, hull, position, n + 1, x) ||
                              node_holds(tets, hull, position, node->right, x));
}

bool st_tets_contain(const StTets *tets, const StHull *hull, const double *position,
                     const double x[3]) {
  return tets->count > 0 && node_holds(tets, hull, position, 0, x);
}

// Six times the signed volume, less the rounding error.
static inline double least_volume(const double *a, const double *b, const double *c,
                                  const double *d) {
  double x0 = b[0] - a[0], x1 = b[1] - a[1], x2 = b[2] - a[2];
  double y0 = c[0] - a[0], y1 = c[1] - a[1], y2 = c[2] - a[2];
  double z0 = d[0] - a[0], z1 = d[1] - a[1], z2 = d[2] - a[2];
  double volume = x0 * (y1 * z2 - y2 * z1) + x1 * (y2 * z0 - y0 * z2) + x2 * (y0 * z1 - y1 * z0);
  double size = fabs(x0) * (fabs(y1 * z2) + fabs(y2 * z1)) +
                fabs(x1) * (fabs(y2 * z0) + fabs(y0 * z2)) +
                fabs(x2) * (fabs(y0 * z1) + fabs(y1 * z0));
  return volume - ST_ORIENT_ERROR * size;
}

long st_tets_inverted(const int *tet, int count, const double *position, unsigned char *mark) {
  long doubtful = 0, inverted = 0;
  for (int t = 0; t < count; t++) {
    const int *corner = tet + 4 * (size_t)t;
    double least = least_volume(position + 3 * (size_t)corner[0], position + 3 * (size_t)corner[1],
                                position + 3 * (size_t)corner[2], position + 3 * (size_t)corner[3]);
    bool in_doubt = !(least > 0);
    mark[t] = in_doubt;
    doubtful += in_doubt;
  }
  for (int t = 0; t < count && doubtful > 0; t++) {
    const double *at[4];
    if (!mark[t])
      continue;
    for (int i = 0; i < 4; i++)
      at[i] = position + 3 * (size_t)tet[4 * (size_t)t + (size_t)i];
    // NaN has no sign.
    bool is_inverted = isnan(least_volume(at[0], at[1], at[2], at[3])) ||
                       st_orient(at[1], at[2], at[3], at[0]) <= 0;
    mark[t] = is_inverted;
    inverted += is_inverted;
  }
  return inverted;
}
