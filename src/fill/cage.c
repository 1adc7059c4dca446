// The steps of making a cage: mend what can be mended without guessing, lay a lattice around the
// surface, find which tets the surface cuts or encloses, and in which tet each vertex is.
#include "fill/cage.h"

#include "base/memory.h"
#include "fill/fill.h"
#include "judge/box_tree.h"
#include "math/vec3.h"
#include "mesh/closed.h"
#include "mesh/shape.h"

#include <string.h>

// A flat surface gets room for one layer of cells around it; more cells than this are a slip.
static const double MOST_CELLS = 4e6;
// Parts of a tet's height: what reaches less far into it does not cut it; weights below are 0.
static const double REACH = 1e-7;

typedef struct Cager {
  const StMesh *surface; // mended
  StMesh *lattice;       // all of it
  StBoxTree triangles;   // of the surface
  int *corner;           // [triangles][3] in that tree's order
  bool *cut;             // [tets] the surface passes through it
  double *volume;        // [tets][4]
  int *home;             // [vertices of the surface] its tet
  StCageReport *report;
} Cager;

// Edges of three triangles and surfaces with one side stay as they are.
static StStatus face_alike(StMesh *surface, StRepair *repair, StError *error) {
  StStatus status = st_repair_turn(surface, repair, error);
  return status == ST_BAD_INPUT ? ST_OK : status;
}

static void turn_over(StMesh *surface) {
  for (int t = 0; t < surface->triangle_count; t++) {
    int *corner = surface->triangle + 3 * (size_t)t, swap = corner[1];
    corner[1] = corner[2];
    corner[2] = swap;
  }
}

// Outward, where there is an inside. Of parts that cross each other none lies inside another: they
// face as the file has them, on the whole outward.
static StStatus face_outward(StMesh *surface, StCageReport *report, StError *error) {
  if (report->open + report->crowded + report->crossings == 0) {
    StStatus status = st_repair_face(surface, &report->repair, error);
    return status == ST_BAD_INPUT ? ST_OK : status;
  }
  if (report->open == 0 &&
      st_surface_volume(surface->position, surface->triangle, surface->triangle_count, NULL) < 0)
    turn_over(surface);
  return ST_OK;
}

static StStatus mend(const StMesh *given, StCageReport *report, StMesh **surface, StError *error) {
  double place[1][3];
  StEdgeFaults faults;
  ST_TRY(st_repair_weld(given, surface, &report->repair, error));
  if ((*surface)->triangle_count == 0)
    return st_fail(error, ST_BAD_INPUT, "no triangle has an area");
  ST_TRY(face_alike(*surface, &report->repair, error));
  ST_TRY(st_surface_edge_faults((*surface)->triangle, (*surface)->triangle_count,
                                (*surface)->vertex_count, &faults, error));
  report->open = faults.open + faults.turned;
  report->crowded = faults.crowded;
  ST_TRY(st_repair_crossings(*surface, 1, place, &report->crossings, error));
  return face_outward(*surface, report, error);
}

static StStatus check_count(const StCageReport *report, double size, const double count[3],
                            StError *error) {
  double cells = count[0] * count[1] * count[2];
  if (cells <= MOST_CELLS)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "cells of %g m would make a lattice of %.2g cells around this surface, which is "
                 "%g m across; choose a larger edge. Is the file in other units? (\"scale\" "
                 "changes them)",
                 report->edge, cells, size);
}

// A box shape with sides as long as the surface's, cut into cells at most an edge long.
static StStatus make_lattice(Cager *cager, StError *error) {
  StCageReport *report = cager->report;
  double low[3], high[3], edge = report->edge, size = st_fill_size(cager->surface), count[3];
  double value[7] = {0};
  vec3_bounds(cager->surface->position, cager->surface->vertex_count, low, high);
  for (int c = 0; c < 3; c++) {
    double side = high[c] - low[c];
    bool flat = side < 1e-3 * edge;
    value[c] = flat ? edge : side;
    count[c] = flat ? 1 : ceil(side / edge * (1 - 1e-9));
  }
  ST_TRY(check_count(report, size, count, error));
  report->edge = 0;
  for (int c = 0; c < 3; c++) {
    report->cells[c] = (int)(value[4 + c] = count[c]);
    report->edge = fmax(report->edge, value[c] / count[c]);
  }
  ST_TRY(st_shape_find("box")->make(value, ST_SHAPE_SOLID, &cager->lattice, error));
  for (int i = 0; i < 3 * cager->lattice->vertex_count; i++)
    cager->lattice->position[i] += low[i % 3] + (high[i % 3] - low[i % 3]) / 2;
  return ST_OK;
}

// Barycentric coordinates, and the inverse that gives them.
static void find_frame(const StMesh *mesh, int tet, double inverse[9]) {
  const int *corner = mesh->tet + 4 * (size_t)tet;
  const double *origin = mesh->position + 3 * (size_t)corner[0];
  double side[9];
  for (int k = 0; k < 9; k++)
    side[k] = mesh->position[3 * (size_t)corner[k % 3 + 1] + (size_t)(k / 3)] - origin[k / 3];
  mat3_inverse(side, inverse);
}

static void find_parts(const StMesh *mesh, int tet, const double inverse[9], const double x[3],
                       double part[4]) {
  double arm[3];
  vec3_sub(x, mesh->position + 3 * (size_t)mesh->tet[4 * (size_t)tet], arm);
  mat3_apply(inverse, arm, part + 1);
  part[0] = 1 - part[1] - part[2] - part[3];
}

// Cuts a polygon off where coordinate k is below REACH; returns how many corners are left.
static int clip(double (*polygon)[4], int count, int k) {
  double kept[8][4];
  int left = 0;
  for (int i = 0; i < count; i++) {
    const double *a = polygon[i], *b = polygon[(i + 1) % count];
    double from = a[k] - REACH, to = b[k] - REACH;
    if (from > 0)
      memcpy(kept[left++], a, sizeof kept[0]);
    if ((from > 0) != (to > 0)) {
      for (int m = 0; m < 4; m++)
        kept[left][m] = a[m] + from / (from - to) * (b[m] - a[m]);
      left++;
    }
  }
  memcpy(polygon, kept, (size_t)left * sizeof kept[0]);
  return left;
}

static bool triangle_cuts(const Cager *cager, int triangle, int tet, const double inverse[9]) {
  double polygon[8][4];
  int count = 3;
  for (int i = 0; i < 3; i++)
    find_parts(cager->lattice, tet, inverse,
               cager->surface->position + 3 * (size_t)cager->corner[3 * triangle + i], polygon[i]);
  for (int k = 0; k < 4 && count > 0; k++)
    count = clip(polygon, count, k);
  return count > 0;
}

static bool surface_cuts(const Cager *cager, int n, const StBox *box, int tet,
                         const double inverse[9]) {
  const StBoxNode *node = &cager->triangles.node[n];
  if (!st_boxes_meet(&node->box, box))
    return false;
  if (node->count == 0)
    return surface_cuts(cager, n + 1, box, tet, inverse) ||
           surface_cuts(cager, node->right, box, tet, inverse);
  for (int t = node->first; t < node->first + node->count; t++)
    if (st_boxes_meet(&cager->triangles.item[t], box) && triangle_cuts(cager, t, tet, inverse))
      return true;
  return false;
}

static void box_tet(const StMesh *mesh, int tet, StBox *box) {
  for (int c = 0; c < 3; c++) {
    box->low[c] = INFINITY;
    box->high[c] = -INFINITY;
    for (int i = 0; i < 4; i++) {
      double x = mesh->position[3 * (size_t)mesh->tet[4 * (size_t)tet + (size_t)i] + (size_t)c];
      box->low[c] = fmin(box->low[c], x);
      box->high[c] = fmax(box->high[c], x);
    }
  }
}

static StStatus find_cut(Cager *cager, StError *error) {
  const StMesh *surface = cager->surface;
  size_t count = (size_t)surface->triangle_count;
  ST_FREE int *order = ST_NEW(int, count);
  cager->corner = ST_NEW(int, 3 * count);
  StStatus status = order && cager->corner ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    memcpy(cager->corner, surface->triangle, 3 * count * sizeof(int));
    status = st_box_tree_create(3, surface->triangle_count, cager->corner, surface->position, order,
                                &cager->triangles, error);
  }
  ST_TRY(status);
  st_box_tree_fit(&cager->triangles, surface->position);
  for (int t = 0; t < cager->lattice->tet_count; t++) {
    StBox box;
    double inverse[9];
    box_tet(cager->lattice, t, &box);
    find_frame(cager->lattice, t, inverse);
    cager->cut[t] = surface_cuts(cager, 0, &box, t, inverse);
  }
  return ST_OK;
}

static bool is_kept(const Cager *cager, int tet) {
  const double *volume = cager->volume + 4 * (size_t)tet;
  return cager->cut[tet] || volume[0] + volume[1] + volume[2] + volume[3] > 0;
}

// A search for the tet that a point is deepest in; those that are kept go before others.
typedef struct Search {
  const Cager *cager;
  const StBoxTree *tree;
  const int *order; // [tets] tree's order
  const double *x;
  double depth; // least barycentric coordinate
  int best;
  bool kept;
} Search;

static void look_at(Search *search, int tet) {
  const Cager *cager = search->cager;
  double inverse[9], part[4];
  find_frame(cager->lattice, tet, inverse);
  find_parts(cager->lattice, tet, inverse, search->x, part);
  double depth = fmin(fmin(part[0], part[1]), fmin(part[2], part[3]));
  bool kept = is_kept(cager, tet) && depth > -REACH;
  if (search->best >= 0 && (kept == search->kept ? depth <= search->depth : search->kept))
    return;
  search->best = tet;
  search->depth = depth;
  search->kept = kept;
}

static void search_node(Search *search, int n, const StBox *box) {
  const StBoxNode *node = &search->tree->node[n];
  if (!st_boxes_meet(&node->box, box))
    return;
  for (int t = node->first; t < node->first + node->count; t++)
    if (st_boxes_meet(&search->tree->item[t], box))
      look_at(search, search->order[t]);
  if (node->count == 0) {
    search_node(search, n + 1, box);
    search_node(search, node->right, box);
  }
}

static StStatus house_vertices(Cager *cager, const StBoxTree *tree, const int *order,
                               StError *error) {
  double slack = REACH * cager->report->edge;
  for (int v = 0; v < cager->surface->vertex_count; v++) {
    const double *x = cager->surface->position + 3 * (size_t)v;
    StBox box;
    for (int c = 0; c < 3; c++) {
      box.low[c] = x[c] - slack;
      box.high[c] = x[c] + slack;
    }
    Search search = {.cager = cager, .tree = tree, .order = order, .x = x, .best = -1};
    search_node(&search, 0, &box);
    ST_CHECK(search.best >= 0, error);
    cager->home[v] = search.best;
    if (!search.kept) // on a face between two tets that it does not enter
      cager->cut[search.best] = true;
  }
  return ST_OK;
}

static StStatus find_homes(Cager *cager, StError *error) {
  const StMesh *lattice = cager->lattice;
  size_t corners = 4 * (size_t)lattice->tet_count;
  ST_FREE int *corner = ST_NEW(int, corners), *order = ST_NEW(int, lattice->tet_count);
  ST_FINALLY(st_box_tree_free) StBoxTree tree = {0};
  ST_TRY_MEMORY(corner && order, error);
  memcpy(corner, lattice->tet, corners * sizeof(int));
  ST_TRY(st_box_tree_create(4, lattice->tet_count, corner, lattice->position, order, &tree, error));
  st_box_tree_fit(&tree, lattice->position);
  ST_TRY(house_vertices(cager, &tree, order, error));
  return ST_OK;
}

// number: [vertices of the lattice] in the mesh, -1: left out. tet_number: the same of tets.
static int number_kept(const Cager *cager, int *number, int *tet_number, int *tets) {
  const StMesh *lattice = cager->lattice;
  int vertices = cager->surface->vertex_count;
  memset(number, 0xff, (size_t)lattice->vertex_count * sizeof(int));
  for (int t = 0; t < lattice->tet_count; t++) {
    tet_number[t] = is_kept(cager, t) ? (*tets)++ : -1;
    for (int i = 0; i < 4 && tet_number[t] >= 0; i++)
      number[lattice->tet[4 * (size_t)t + (size_t)i]] = 0;
  }
  for (int v = 0; v < lattice->vertex_count; v++)
    if (number[v] == 0)
      number[v] = vertices++;
  return vertices;
}

static StStatus copy_surface(const Cager *cager, StMesh *mesh, StError *error) {
  const StMesh *surface = cager->surface;
  memcpy(mesh->position, surface->position, 3 * (size_t)surface->vertex_count * sizeof(double));
  memcpy(mesh->triangle, surface->triangle, 3 * (size_t)surface->triangle_count * sizeof(int));
  memcpy(mesh->triangle_label, surface->triangle_label,
         (size_t)surface->triangle_count * sizeof(int));
  for (int i = 0; i < surface->label_count; i++)
    if (st_mesh_label(mesh, surface->label_name[i]) < 0)
      return st_fail_memory(error);
  return ST_OK;
}

static void copy_cage(const Cager *cager, const int *number, const int *tet_number, StMesh *mesh) {
  const StMesh *lattice = cager->lattice;
  for (int v = 0; v < lattice->vertex_count; v++)
    if (number[v] >= 0)
      vec3_copy(lattice->position + 3 * (size_t)v, mesh->position + 3 * (size_t)number[v]);
  for (int t = 0; t < lattice->tet_count; t++) {
    size_t to = 4 * (size_t)tet_number[t], from = 4 * (size_t)t;
    for (size_t i = 0; i < 4 && tet_number[t] >= 0; i++) {
      mesh->tet[to + i] = number[lattice->tet[from + i]];
      mesh->cage->volume[to + i] = cager->volume[from + i];
    }
  }
  for (int v = 0; v < cager->surface->vertex_count; v++)
    mesh->cage->tet[v] = tet_number[cager->home[v]];
  mesh->cage->closed = cager->report->open + cager->report->crowded == 0;
  mesh->cage->crossed = cager->report->crossings > 0;
}

static StStatus assemble(const Cager *cager, StMesh **result, StError *error) {
  const StMesh *lattice = cager->lattice, *surface = cager->surface;
  int *number = ST_NEW(int, lattice->vertex_count), *tet_number = ST_NEW(int, lattice->tet_count);
  int tets = 0;
  StMesh *mesh = NULL;
  if (number && tet_number) {
    int vertices = number_kept(cager, number, tet_number, &tets);
    mesh = st_mesh_create(vertices, tets, surface->triangle_count);
  }
  if (mesh)
    mesh->cage = st_cage_create(surface->vertex_count, tets);
  StStatus status = mesh && mesh->cage ? copy_surface(cager, mesh, error) : st_fail_memory(error);
  if (status == ST_OK)
    copy_cage(cager, number, tet_number, mesh);
  free(number);
  free(tet_number);
  if (status == ST_OK)
    *result = mesh;
  else
    st_mesh_destroy(mesh);
  return status;
}

static StStatus build(Cager *cager, StMesh **result, StError *error) {
  ST_TRY(make_lattice(cager, error));
  size_t tets = (size_t)cager->lattice->tet_count;
  cager->cut = ST_NEW(bool, tets);
  cager->volume = ST_NEW(double, 4 * tets);
  cager->home = ST_NEW(int, cager->surface->vertex_count);
  ST_TRY_MEMORY(cager->cut && cager->volume && cager->home, error);
  ST_TRY(find_cut(cager, error));
  ST_TRY(st_cage_sample(cager->surface, cager->lattice, cager->cut, cager->volume, cager->report,
                        error));
  ST_TRY(find_homes(cager, error));
  st_cage_correct(cager->surface, cager->lattice, cager->cut, cager->volume, cager->report);
  return assemble(cager, result, error);
}

static const char *plural(int count) {
  return count == 1 ? "" : "s";
}

static void report_oddities(const StLog *log, const char *name, const StCageReport *report) {
  if (report->open > 0)
    st_log(log, ST_INFO, "%s: the surface is open, or its sides change, at %d edge%s. %s", name,
           report->open, plural(report->open),
           report->whole ? "It encloses nothing, so the cells that it passes through are solid"
                         : "Points that it surrounds by more than half count as inside");
  if (report->crowded > 0)
    st_log(log, ST_INFO, "%s: %d edge%s of the surface with more than two triangles", name,
           report->crowded, plural(report->crowded));
  if (report->crossings > 0)
    st_log(log, ST_INFO,
           "%s: the surface passes through itself at %d edge%s. It will not touch itself", name,
           report->crossings, plural(report->crossings));
}

StStatus st_cage(const StMesh *surface, const char *name, double edge, const StLog *log,
                 StMesh **result, StCageReport *report, StError *error) {
  *report = (StCageReport){.edge = edge > 0 ? edge : st_fill_size(surface) / 20};
  if (surface->tet_count > 0)
    return st_fail(error, ST_BAD_INPUT, "%s: it already has tets; a cage is for surfaces", name);
  if (surface->triangle_count == 0)
    return st_fail(error, ST_BAD_INPUT, "%s: there are no triangles", name);
  ST_FINALLY(st_mesh_destroy_at) StMesh *mended = NULL;
  Cager cager = {.report = report};
  StStatus status = mend(surface, report, &mended, error);
  cager.surface = mended;
  if (status == ST_OK)
    status = build(&cager, result, error);
  st_mesh_destroy(cager.lattice);
  st_box_tree_free(&cager.triangles);
  free(cager.corner);
  free(cager.cut);
  free(cager.volume);
  free(cager.home);
  if (status != ST_OK)
    return st_error_prefix(error, status, "%s: ", name);
  report_oddities(log, name, report);
  return ST_OK;
}
