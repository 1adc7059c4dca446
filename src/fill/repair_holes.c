// A hole is a loop of edges with one triangle each. It is filled with the triangles between its
// vertices of least total area (by dynamic programming over the loop), none of which may use an
// existing edge; a long loop gets a fan about its centre.
#include "fill/repair.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/edge.h"
#include "mesh/table.h"

#include <string.h>

enum { LONGEST_LOOP = 160 }; // vertices; the work grows with the cube

typedef struct Holes {
  const StMesh *mesh;
  StTable edges;  // all edges that exist, as two ascending vertices
  int *after;     // [vertex_count] end of the open edge that starts here, -1: none
  int loop_count; // vertices of the loop at hand
  int *loop;      // [vertex_count]
  size_t triangle_count, triangle_capacity;
  int *triangle; // new ones
  size_t vertex_count, vertex_capacity;
  double *position; // new ones
} Holes;

static bool has_edge(const Holes *holes, int a, int b) {
  const int key[2] = {a < b ? a : b, a < b ? b : a};
  return st_table_find(&holes->edges, key, sizeof key) >= 0;
}

static StStatus add_edge(Holes *holes, int a, int b, StError *error) {
  const int key[2] = {a < b ? a : b, a < b ? b : a};
  return st_table_add(&holes->edges, key, sizeof key) < 0 ? st_fail_memory(error) : ST_OK;
}

// Open edges are directed against their triangle, so that new triangles along them have the same
// orientation.
static StStatus find_open(Holes *holes, bool *open, StError *error) {
  const StMesh *mesh = holes->mesh;
  ST_FINALLY(st_edge_list_free) StEdgeList list = {0};
  ST_TRY(st_edge_list_create(mesh->triangle, (size_t)mesh->triangle_count, mesh->vertex_count,
                             &list, error));
  StStatus status = ST_OK;
  for (int v = 0; v < mesh->vertex_count; v++)
    holes->after[v] = -1;
  for (size_t at = 0, end; at < list.count && status == ST_OK; at = end) {
    end = st_edge_list_run(&list, at);
    const int *v = list.vertex + 2 * (size_t)list.order[at];
    status = add_edge(holes, v[0], v[1], error);
    if (status != ST_OK || end - at != 1)
      continue;
    bool rises = st_edge_is_ascending(mesh->triangle, (size_t)list.order[at]);
    int from = v[rises], to = v[!rises];
    *open = true;
    if (holes->after[from] >= 0) {
      const double *x = mesh->position + 3 * (size_t)from;
      status = st_fail(
          error, ST_BAD_INPUT,
          "two holes of the surface meet at (%g, %g, %g): it is not clear how to close them", x[0],
          x[1], x[2]);
    }
    holes->after[from] = to;
  }
  return status;
}

static const double *loop_place(const Holes *holes, int k) {
  return holes->mesh->position + 3 * (size_t)holes->loop[k];
}

static double triangle_area(const Holes *holes, int i, int j, int k) {
  double a[3], b[3], n[3];
  vec3_sub(loop_place(holes, j), loop_place(holes, i), a);
  vec3_sub(loop_place(holes, k), loop_place(holes, i), b);
  vec3_cross(a, b, n);
  return vec3_length(n) / 2;
}

static bool is_border(int count, int i, int j) {
  return j - i == 1 || (i == 0 && j == count - 1);
}

// best[i][j]: least area of triangles between loop vertices i … j; middle[i][j]: the third corner.
static void find_least(const Holes *holes, double *best, int *middle) {
  int n = holes->loop_count;
  for (int span = 1; span < n; span++)
    for (int i = 0; i + span < n; i++) {
      int j = i + span;
      best[i * n + j] = span == 1 ? 0 : INFINITY;
      middle[i * n + j] = -1;
      if (!is_border(n, i, j) && has_edge(holes, holes->loop[i], holes->loop[j]))
        continue;
      for (int k = i + 1; k < j; k++) {
        double area = best[i * n + k] + best[k * n + j] + triangle_area(holes, i, k, j);
        if (area < best[i * n + j]) {
          best[i * n + j] = area;
          middle[i * n + j] = k;
        }
      }
    }
}

static StStatus add_triangle(Holes *holes, int a, int b, int c, StError *error) {
  const int corner[3] = {a, b, c};
  ST_TRY_MEMORY(st_grow((void **)&holes->triangle, &holes->triangle_capacity,
                        holes->triangle_count + 1, sizeof corner),
                error);
  memcpy(holes->triangle + 3 * holes->triangle_count++, corner, sizeof corner);
  for (int i = 0; i < 3; i++)
    ST_TRY(add_edge(holes, corner[i], corner[(i + 1) % 3], error));
  return ST_OK;
}

static StStatus add_between(Holes *holes, const int *middle, int i, int j, StError *error) {
  int n = holes->loop_count, k = middle[i * n + j];
  if (j - i < 2)
    return ST_OK;
  ST_TRY(add_triangle(holes, holes->loop[i], holes->loop[k], holes->loop[j], error));
  ST_TRY(add_between(holes, middle, i, k, error));
  return add_between(holes, middle, k, j, error);
}

static void loop_middle(const Holes *holes, double middle[3]) {
  vec3_set(0, 0, 0, middle);
  for (int k = 0; k < holes->loop_count; k++)
    vec3_add_scaled(1.0 / holes->loop_count, loop_place(holes, k), middle);
}

static StStatus add_fan(Holes *holes, StError *error) {
  double middle[3];
  int vertex = holes->mesh->vertex_count + (int)holes->vertex_count;
  loop_middle(holes, middle);
  ST_TRY_MEMORY(st_grow((void **)&holes->position, &holes->vertex_capacity, holes->vertex_count + 1,
                        sizeof middle),
                error);
  vec3_copy(middle, holes->position + 3 * holes->vertex_count++);
  for (int k = 0; k < holes->loop_count; k++)
    ST_TRY(add_triangle(holes, holes->loop[k], holes->loop[(k + 1) % holes->loop_count], vertex,
                        error));
  return ST_OK;
}

static StStatus close_loop(Holes *holes, StError *error) {
  int n = holes->loop_count;
  if (n > LONGEST_LOOP)
    return add_fan(holes, error);
  double *best = ST_NEW(double, (size_t)n *(size_t)n);
  int *middle = ST_NEW(int, (size_t)n *(size_t)n);
  StStatus status = best && middle ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    find_least(holes, best, middle);
    status =
        isfinite(best[n - 1]) ? add_between(holes, middle, 0, n - 1, error) : add_fan(holes, error);
  }
  free(best);
  free(middle);
  return status;
}

// Twice the largest distance from the centre: the diameter of a round hole.
static double loop_width(const Holes *holes, const double middle[3]) {
  double radius = 0;
  for (int k = 0; k < holes->loop_count; k++) {
    double way[3];
    vec3_sub(loop_place(holes, k), middle, way);
    radius = fmax(radius, vec3_length(way));
  }
  return 2 * radius;
}

// Follows the loop that starts at a vertex and takes it out of the open edges.
static void take_loop(Holes *holes, int start) {
  holes->loop_count = 0;
  for (int v = start; v >= 0 && holes->after[v] >= 0;) {
    int next = holes->after[v];
    holes->loop[holes->loop_count++] = v;
    holes->after[v] = -1;
    v = next;
  }
}

static StStatus close_loops(Holes *holes, double width, StRepair *repair, StError *error) {
  for (int v = 0; v < holes->mesh->vertex_count; v++) {
    if (holes->after[v] < 0)
      continue;
    double middle[3];
    take_loop(holes, v);
    loop_middle(holes, middle);
    double wide = loop_width(holes, middle);
    if (wide > width)
      return st_fail(error, ST_BAD_INPUT,
                     "the surface has a hole %.3g m wide at (%g, %g, %g), with %d edges; holes up "
                     "to %.3g m are closed unless \"hole\" says otherwise",
                     wide, middle[0], middle[1], middle[2], holes->loop_count, width);
    ST_TRY(close_loop(holes, error));
    repair->holes++;
    if (wide > repair->widest_hole) {
      repair->widest_hole = wide;
      vec3_copy(middle, repair->hole_middle);
    }
  }
  return ST_OK;
}

static StStatus append(const Holes *holes, StMesh **surface, StError *error) {
  const StMesh *old = *surface;
  int vertices = old->vertex_count + (int)holes->vertex_count;
  int triangles = old->triangle_count + (int)holes->triangle_count;
  StMesh *mesh = st_mesh_create(vertices, 0, triangles);
  bool good = mesh;
  for (int i = 0; i < old->label_count && good; i++)
    good = st_mesh_label(mesh, old->label_name[i]) >= 0;
  if (!good) {
    st_mesh_destroy(mesh);
    return st_fail_memory(error);
  }
  size_t olds = 3 * (size_t)old->vertex_count, corners = 3 * (size_t)old->triangle_count;
  memcpy(mesh->position, old->position, olds * sizeof(double));
  memcpy(mesh->triangle, old->triangle, corners * sizeof(int));
  memcpy(mesh->triangle_label, old->triangle_label, corners / 3 * sizeof(int));
  if (holes->vertex_count)
    memcpy(mesh->position + olds, holes->position, 3 * holes->vertex_count * sizeof(double));
  memcpy(mesh->triangle + corners, holes->triangle, 3 * holes->triangle_count * sizeof(int));
  st_mesh_destroy(*surface);
  *surface = mesh;
  return ST_OK;
}

StStatus st_repair_holes(StMesh **surface, double width, StRepair *repair, StError *error) {
  size_t count = (size_t)(*surface)->vertex_count;
  Holes holes = {.mesh = *surface, .after = ST_NEW(int, count), .loop = ST_NEW(int, count)};
  bool open = false;
  StStatus status = holes.after && holes.loop ? ST_OK : st_fail_memory(error);
  if (status == ST_OK)
    status = find_open(&holes, &open, error);
  if (status == ST_OK && open)
    status = close_loops(&holes, width, repair, error);
  if (status == ST_OK && open)
    status = append(&holes, surface, error);
  st_table_free(&holes.edges);
  free(holes.after);
  free(holes.loop);
  free(holes.triangle);
  free(holes.position);
  return status;
}
