// Closest features. All candidates are computed (face and edges of a triangle, interiors and ends
// of two edges) and the nearest wins: no early decision can pick a distant feature. Signs decide
// between results that are equally near to round-off.
#include "contact/core/closest_features.h"

#include "math/vec3.h"

// Squared sine below which round-off leaves a triangle without a face, and two edges without a
// common normal: at a sine of 1e-8 the error by round-off, L·2⁻⁵³/sine, equals that of leaving the
// face out, L·sine.
static const double FLAT = 1e-16;

static const double TIE = 1e-14; // squares that differ by less count as equal

// Point of the segment from a to b nearest to a point; to_a, to_b: vectors from the point.
// Symmetric in a and b, so triangles that share an edge agree on it to the last bit. The edge
// vector is computed from its ends, because the difference of to_a and to_b loses digits if the
// edge is short and far away.
static void segment_closest(const double *point, const double *a, const double *b,
                            StClosest *closest) {
  double to_a[3], to_b[3], edge[3];
  vec3_sub(a, point, to_a);
  vec3_sub(b, point, to_b);
  vec3_sub(b, a, edge);
  double after_a = -vec3_dot(to_a, edge), before_b = vec3_dot(to_b, edge);
  closest->share[2] = 0;
  if (after_a <= 0 || before_b <= 0) {
    bool first = after_a <= 0;
    closest->feature = first ? ST_CORNER_0 : ST_CORNER_1;
    closest->share[0] = first, closest->share[1] = !first;
    closest->square = first ? vec3_dot(to_a, to_a) : vec3_dot(to_b, to_b);
    return;
  }
  double length = after_a + before_b, cross[3];
  closest->feature = ST_EDGE_0;
  closest->share[0] = before_b / length, closest->share[1] = after_a / length;
  // From the nearer end the product keeps more digits.
  vec3_cross(after_a < before_b ? to_a : to_b, edge, cross);
  closest->square = vec3_dot(cross, cross) / vec3_dot(edge, edge);
}

// Renames a result for the segment from corner k to corner k + 1 as the triangle's feature.
static void name_edge(int k, const StClosest *segment, StClosest *closest) {
  int next = (k + 1) % 3;
  closest->square = segment->square;
  closest->share[k] = segment->share[0];
  closest->share[next] = segment->share[1];
  closest->share[(k + 2) % 3] = 0;
  if (segment->feature == ST_EDGE_0)
    closest->feature = (StFeature)(ST_EDGE_0 + k);
  else
    closest->feature = (StFeature)(segment->feature == ST_CORNER_0 ? k : next);
}

// The corner opposite the longest edge: its two edges are the shortest, and their product loses the
// fewest digits.
static int widest_corner(const double square[3]) {
  int longest = square[0] >= square[1] ? 0 : 1; // edge k joins corners k and k + 1
  if (square[2] > square[longest])
    longest = 2;
  return (longest + 2) % 3;
}

// Projection of the point onto the triangle's plane: whether it lies strictly inside. All shares
// are zero if there is no plane.
static bool face_closest(const double *point, const double *const corner[3], StClosest *closest) {
  double edge[3][3], square[3], normal[3], product[3], to_a[3];
  for (int k = 0; k < 3; k++) {
    vec3_sub(corner[(k + 1) % 3], corner[k], edge[k]);
    square[k] = vec3_dot(edge[k], edge[k]);
  }
  int a = widest_corner(square), b = (a + 1) % 3, c = (a + 2) % 3;
  vec3_cross(edge[c], edge[a], normal); // edge c arrives at corner a, edge a leaves it
  double area = vec3_dot(normal, normal);
  closest->share[0] = closest->share[1] = closest->share[2] = 0;
  if (!(area > FLAT * square[b] * square[b]))
    return false;
  vec3_sub(corner[a], point, to_a);
  vec3_cross(to_a, edge[c], product);
  double by_b = vec3_dot(product, normal) / area;
  vec3_cross(to_a, edge[a], product);
  double by_c = vec3_dot(product, normal) / area;
  double height = vec3_dot(normal, to_a);
  closest->feature = ST_FACE;
  closest->square = height * height / area;
  closest->share[a] = 1 - by_b - by_c, closest->share[b] = by_b, closest->share[c] = by_c;
  return by_b > 0 && by_c > 0 && closest->share[a] > 0;
}

// Within 1e-8 of a corner, its distance and those of its edges are equal in floating point. An edge
// then wins if its outer side faces the point; the corner wins only if no edge does.
static int edge_rank(int k, const StClosest *edge, const double foot[3]) {
  if (edge->feature < ST_EDGE_0)
    return 0;
  return foot[(k + 2) % 3] <= 0 ? 2 : 1;
}

static void triangle_closest(const double *point, const double *const corner[3],
                             StClosest *closest) {
  StClosest segment, edge[3], face;
  if (face_closest(point, corner, &face)) {
    *closest = face;
    return;
  }
  double least = INFINITY;
  for (int k = 0; k < 3; k++) {
    segment_closest(point, corner[k], corner[(k + 1) % 3], &segment);
    name_edge(k, &segment, &edge[k]);
    least = edge[k].square < least ? edge[k].square : least;
  }
  int best = -1;
  for (int k = 0; k < 3; k++) {
    int rank = edge_rank(k, &edge[k], face.share);
    if (rank > best && edge[k].square <= least * (1 + TIE))
      best = rank, *closest = edge[k];
  }
}

void st_primitive_point_triangle(const double x[4][3], StClosest *closest) {
  const double *const corner[3] = {x[1], x[2], x[3]};
  triangle_closest(x[0], corner, closest);
}

void st_primitive_point_edge(const double x[3][3], StClosest *closest) {
  segment_closest(x[0], x[1], x[2], closest);
}

// Nearest points of the two lines, if strictly inside both edges; between: from x[0] to x[2].
static bool lines_closest(const double edge[2][3], const double between[3], double param[2],
                          double *square) {
  double normal[3], product[3];
  vec3_cross(edge[0], edge[1], normal);
  double area = vec3_dot(normal, normal);
  if (!(area > FLAT * vec3_dot(edge[0], edge[0]) * vec3_dot(edge[1], edge[1])))
    return false;
  for (int k = 0; k < 2; k++) {
    vec3_cross(between, edge[1 - k], product);
    param[k] = vec3_dot(product, normal) / area;
  }
  double height = vec3_dot(between, normal);
  *square = height * height / area;
  return param[0] > 0 && param[0] < 1 && param[1] > 0 && param[1] < 1;
}

// The end nearest to the other edge, of all four.
static void ends_closest(const double *const x[4], double param[2], double *square) {
  for (int end = 0; end < 4; end++) {
    int side = end / 2, other = 2 * (1 - side);
    StClosest closest;
    segment_closest(x[end], x[other], x[other + 1], &closest);
    if (end == 0 || closest.square < *square) {
      *square = closest.square;
      param[side] = end % 2;
      param[1 - side] = closest.share[1];
    }
  }
}

static bool edges_closest(const double *const x[4], double param[2], double *square) {
  double edge[2][3], between[3];
  for (int k = 0; k < 2; k++)
    vec3_sub(x[2 * k + 1], x[2 * k], edge[k]);
  vec3_sub(x[2], x[0], between);
  if (lines_closest(edge, between, param, square))
    return true;
  ends_closest(x, param, square);
  return false;
}

bool st_primitive_edge_edge(const double x[4][3], double param[2], double *square) {
  const double *const end[4] = {x[0], x[1], x[2], x[3]};
  return edges_closest(end, param, square);
}

double st_primitive_point_triangle_distance(const double *point, const double *a, const double *b,
                                            const double *c) {
  const double *const corner[3] = {a, b, c};
  StClosest closest;
  triangle_closest(point, corner, &closest);
  return sqrt(closest.square);
}

double st_primitive_edge_edge_distance(const double *a0, const double *a1, const double *b0,
                                       const double *b1) {
  const double *const end[4] = {a0, a1, b0, b1};
  double param[2], square;
  edges_closest(end, param, &square);
  return sqrt(square);
}
