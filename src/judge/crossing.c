// Descends two trees of boxes together down to pairs of triangles. An edge p q passes through a
// triangle a b c if p and q are on different sides of its plane, and the line through them on the
// same side of all three edges: five signs, all of them exact.
#include "judge/crossing.h"

#include "judge/orient.h"

#include <math.h>

typedef struct Search {
  StSheet sheet[2]; // the same twice within one surface
  bool within;
  const StCrossings *visit;
} Search;

// Whether two intervals are apart by more than rounding.
static bool apart(double low, double high, double other_low, double other_high, double error) {
  return high + error < other_low || other_high + error < low;
}

// Whether the point is left or right of the line through a and b in the plane of the axes u and v,
// or close to it (0), with the margin.
static double beside(const double a[3], const double b[3], const double x[3], int u, int v,
                     double *size) {
  double one = (b[u] - a[u]) * (x[v] - a[v]), other = (b[v] - a[v]) * (x[u] - a[u]);
  *size = fmax(*size, fabs(one) + fabs(other));
  return one - other;
}

// Separated by a line along one side of the pair, seen along one axis. This covers neighbours in a
// flat part of a mesh, which would otherwise need exact arithmetic.
static bool separated_by(const double *const set[], int count, int side, const double *const of[],
                         int of_count, int u, int v) {
  const double *a = set[side], *b = set[(side + 1) % count];
  double low = INFINITY, high = -INFINITY, own_low = INFINITY, own_high = -INFINITY, size = 0;
  for (int i = 0; i < of_count; i++) {
    double at = beside(a, b, of[i], u, v, &size);
    low = fmin(low, at);
    high = fmax(high, at);
  }
  for (int i = 0; i < count; i++) {
    double at = beside(a, b, set[i], u, v, &size);
    own_low = fmin(own_low, at);
    own_high = fmax(own_high, at);
  }
  return apart(low, high, own_low, own_high, 2 * ST_ORIENT_ERROR * size);
}

static bool separated_in_view(const double *const end[2], const double *const corner[3]) {
  double e[3], f[3], normal[3];
  int along = 0;
  for (int c = 0; c < 3; c++) {
    e[c] = corner[1][c] - corner[0][c];
    f[c] = corner[2][c] - corner[0][c];
  }
  for (int c = 0; c < 3; c++) {
    normal[c] = fabs(e[(c + 1) % 3] * f[(c + 2) % 3] - e[(c + 2) % 3] * f[(c + 1) % 3]);
    along = normal[c] > normal[along] ? c : along;
  }
  int u = (along + 1) % 3, v = (along + 2) % 3;
  for (int i = 0; i < 3; i++)
    if (separated_by(corner, 3, i, end, 2, u, v))
      return true;
  return separated_by(end, 2, 0, corner, 3, u, v);
}

bool st_edge_passes(const double p[3], const double q[3], const double *const corner[3], int *rim) {
  const double *const end[2] = {p, q};
  int side[2] = {0, 0}, positive = 0, negative = 0;
  bool sure = st_orient_quick(corner[0], corner[1], corner[2], p, &side[0]) &&
              st_orient_quick(corner[0], corner[1], corner[2], q, &side[1]);
  *rim = -1;
  if (sure && side[0] == side[1])
    return false;
  if (!sure && separated_in_view(end, corner))
    return false;
  for (int i = 0; i < 2 && !sure; i++)
    side[i] = st_orient(corner[0], corner[1], corner[2], end[i]);
  if (side[0] * side[1] >= 0)
    return false;
  for (int i = 0; i < 3; i++) {
    int sign = st_orient(p, q, corner[i], corner[(i + 1) % 3]);
    positive += sign > 0;
    negative += sign < 0;
    *rim = sign == 0 ? i : *rim;
  }
  if (positive + negative == 2 && positive * negative == 0)
    return false;
  *rim = -1;
  return positive == 3 || negative == 3;
}

static const double *place(const StSheet *sheet, int vertex) {
  return sheet->position + 3 * (size_t)vertex;
}

// An edge exactly through another one passes through the surface if its ends are on different sides
// of both triangles there, each end on the same side of the two. Reported once, by the triangle
// that represents the edge.
static bool passes_rim(const StSheet *edge_sheet, const int edge[2], const StSheet *sheet,
                       int triangle, int rim) {
  const StHull *hull = sheet->hull;
  const int *corner = hull->triangle + 3 * (size_t)triangle;
  int beyond = hull->across[3 * triangle + rim];
  if (beyond < 0 || !(hull->stands_for[triangle] >> rim & 1))
    return false;
  const double *a = place(sheet, corner[rim]), *b = place(sheet, corner[(rim + 1) % 3]);
  const double *c = place(sheet, corner[(rim + 2) % 3]), *d = place(sheet, beyond);
  for (int i = 0; i < 2; i++) {
    const double *end = place(edge_sheet, edge[i]);
    if (st_orient(a, b, c, end) * st_orient(b, a, d, end) <= 0)
      return false;
  }
  return true;
}

static bool edge_meets_box(const double p[3], const double q[3], const StBox *box) {
  for (int c = 0; c < 3; c++) {
    bool order = p[c] < q[c];
    double low = order ? p[c] : q[c], high = order ? q[c] : p[c];
    if (!(low <= box->high[c] && box->low[c] <= high))
      return false;
  }
  return true;
}

static bool has_corner(const int triangle[3], int vertex) {
  return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

// The edges that a triangle of sheet `from` represents, against a triangle of the other.
static void test_edges(const Search *search, int from, int owner, int target) {
  const StSheet *edges = &search->sheet[from], *sheet = &search->sheet[1 - from];
  const int *corner = sheet->hull->triangle + 3 * (size_t)target;
  const int *source = edges->hull->triangle + 3 * (size_t)owner;
  unsigned char stands_for = edges->hull->stands_for[owner];
  for (int i = 0; i < 3; i++) {
    int edge[2] = {source[i], source[(i + 1) % 3]}, rim;
    if (!(stands_for >> i & 1))
      continue;
    if (search->within && (has_corner(corner, edge[0]) || has_corner(corner, edge[1])))
      continue;
    const double *p = place(edges, edge[0]), *q = place(edges, edge[1]);
    if (!edge_meets_box(p, q, &sheet->hull->tree.item[target]))
      continue;
    const double *const at[3] = {place(sheet, corner[0]), place(sheet, corner[1]),
                                 place(sheet, corner[2])};
    if (st_edge_passes(p, q, at, &rim) || (rim >= 0 && passes_rim(edges, edge, sheet, target, rim)))
      search->visit->found(search->visit->context, edge, corner, from == 1);
  }
}

static bool test_triangles(void *context, int first, int second) {
  const Search *search = context;
  test_edges(search, 0, first, second);
  test_edges(search, 1, second, first);
  return true;
}

void st_crossings_between(const StSheet *first, const StSheet *second, const StCrossings *visit) {
  Search search = {{*first, *second}, false, visit};
  st_box_trees_meet(&first->hull->tree, &second->hull->tree, test_triangles, &search);
}

void st_crossings_within(const StSheet *sheet, const StCrossings *visit) {
  Search search = {{*sheet, *sheet}, true, visit};
  st_box_trees_meet(&sheet->hull->tree, &sheet->hull->tree, test_triangles, &search);
}
