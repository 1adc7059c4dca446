// Corners of triangles that meet smoothly at an edge are merged into one vertex. Tets use any of
// the vertices at a corner.
#include "show/view_surface.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/edge.h"
#include "mesh/group.h"
#include "model/piece.h"

#include <string.h>

static const double CREASE = 0.7; // cosine between neighbours below which an edge is sharp

typedef struct Corners {
  const StSkin *skin;
  double *normal;  // [triangle_count][3] unit; 0 for a triangle without area
  StGroups groups; // of the 3 triangle_count corners
} Corners;

static bool smooth(const Corners *corners, int a, int b) {
  const StSkin *skin = corners->skin;
  return skin->material[a] == skin->material[b] && skin->body[a] == skin->body[b] &&
         skin->shell[a] == skin->shell[b] &&
         vec3_dot(corners->normal + 3 * a, corners->normal + 3 * b) > CREASE;
}

// Merges the corners of two triangles at the vertices they share.
static void join_triangles(Corners *corners, int a, int b) {
  const int *triangle = corners->skin->triangle;
  for (int i = 3 * a; i < 3 * a + 3; i++)
    for (int j = 3 * b; j < 3 * b + 3; j++)
      if (triangle[i] == triangle[j])
        st_groups_join(&corners->groups, i, j);
}

static StStatus join_smooth(Corners *corners, StError *error) {
  const StSkin *skin = corners->skin;
  ST_FINALLY(st_edge_list_free) StEdgeList edges = {0};
  ST_TRY(st_edge_list_create(skin->triangle, (size_t)skin->triangle_count, skin->vertex_count,
                             &edges, error));
  for (size_t start = 0, end; start < edges.count; start = end) {
    end = st_edge_list_run(&edges, start);
    int a = edges.order[start] / 3, b = edges.order[end - 1] / 3;
    if (end - start == 2 && smooth(corners, a, b))
      join_triangles(corners, a, b);
  }
  return ST_OK;
}

// Rest positions of all bodies' vertices; free() it.
static double *rest_positions(const StDescription *description) {
  double *position = ST_NEW(double, 3 * (size_t)st_description_vertex_count(description));
  double *next = position;
  for (int b = 0; position && b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    size_t count = 3 * (size_t)mesh->vertex_count;
    memcpy(next, mesh->position, count * sizeof(double));
    next += count;
  }
  return position;
}

static bool compute_normals(const StDescription *description, Corners *corners) {
  const StSkin *skin = corners->skin;
  double *position = rest_positions(description);
  for (int t = 0; position && t < skin->triangle_count; t++) {
    const double *x[3];
    double first[3], second[3], *normal = corners->normal + 3 * t;
    for (int i = 0; i < 3; i++)
      x[i] = position + 3 * (size_t)skin->vertex[skin->triangle[3 * t + i]];
    vec3_sub(x[1], x[0], first);
    vec3_sub(x[2], x[0], second);
    vec3_cross(first, second, normal);
    double length = vec3_length(normal);
    for (int i = 0; i < 3 && length > 0; i++)
      normal[i] /= length;
  }
  free(position);
  return position != NULL;
}

// Numbers the sets of corners in the order of triangles, in which neighbours are close.
static StStatus number_vertices(Corners *corners, StViewSurface *surface, StError *error) {
  const StSkin *skin = corners->skin;
  int count = 3 * skin->triangle_count;
  surface->vertex = ST_NEW(int, count);
  surface->body = ST_NEW(int, count);
  surface->material = ST_NEW(int, count);
  surface->triangle = ST_NEW(int, count);
  ST_TRY_MEMORY(surface->vertex && surface->body && surface->material && surface->triangle, error);
  st_groups_number(&corners->groups, surface->triangle);
  for (int c = 0; c < count; c++) {
    int v = surface->triangle[c];
    surface->vertex[v] = skin->vertex[skin->triangle[c]];
    surface->body[v] = skin->body[c / 3];
    surface->material[v] = skin->material[c / 3];
  }
  surface->vertex_count = surface->outer_count = corners->groups.group_count;
  return ST_OK;
}

static void corners_free(Corners *corners) {
  free(corners->normal);
  st_groups_free(&corners->groups);
}

static StStatus split(const StDescription *description, StViewSurface *surface, StError *error) {
  size_t triangles = (size_t)surface->skin.triangle_count;
  ST_FINALLY(corners_free)
  Corners corners = {.skin = &surface->skin, .normal = ST_NEW(double, 3 * triangles)};
  ST_TRY_MEMORY(corners.normal && compute_normals(description, &corners), error);
  ST_TRY(st_groups_create(3 * (int)triangles, &corners.groups, error));
  ST_TRY(join_smooth(&corners, error));
  return number_vertices(&corners, surface, error);
}

// Adds an inner vertex; false: out of memory.
static bool add_inner(StViewSurface *surface, size_t *capacity, int vertex, int body,
                      int material) {
  struct {
    int **array;
    int value;
  } const part[] = {
      {&surface->vertex, vertex}, {&surface->body, body}, {&surface->material, material}};
  size_t count = (size_t)surface->vertex_count, reached = *capacity;
  for (int i = 0; i < ST_LENGTH(part); i++) {
    reached = *capacity;
    if (!st_grow((void **)part[i].array, &reached, count + 1, sizeof(int)))
      return false;
    (*part[i].array)[count] = part[i].value;
  }
  *capacity = reached;
  surface->vertex_count++;
  return true;
}

// Tets of a cage stick out of the surface: a cut through such a body shows it hollow.
static int inner_tets(const StMesh *mesh) {
  return mesh->cage ? 0 : mesh->tet_count;
}

// number: for each vertex of all bodies the vertex of the surface that represents it; -1: none yet.
static bool add_tets(const StDescription *description, int *number, StViewSurface *surface) {
  size_t capacity = 3 * (size_t)surface->skin.triangle_count;
  int *tet = surface->tet, *material = surface->tet_material;
  for (int b = 0, first = 0; b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    for (int t = 0; t < inner_tets(body->mesh); t++) {
      *material = st_body_tet_material(body, t);
      for (int i = 0; i < 4; i++) {
        int vertex = first + body->mesh->tet[4 * t + i];
        if (number[vertex] < 0) {
          number[vertex] = surface->vertex_count;
          if (!add_inner(surface, &capacity, vertex, b, *material))
            return false;
        }
        *tet++ = number[vertex];
      }
      material++;
    }
    first += body->mesh->vertex_count;
  }
  return true;
}

static StStatus fill(const StDescription *description, StViewSurface *surface, StError *error) {
  int vertices = st_description_vertex_count(description), *number = ST_NEW(int, vertices);
  for (int b = 0; b < description->body_count; b++)
    surface->tet_count += inner_tets(description->body[b].mesh);
  surface->tet = ST_NEW(int, 4 * (size_t)surface->tet_count);
  surface->tet_material = ST_NEW(int, surface->tet_count);
  bool good = number && surface->tet && surface->tet_material;
  for (int v = 0; v < vertices && good; v++)
    number[v] = -1;
  for (int v = surface->outer_count - 1; v >= 0 && good; v--)
    number[surface->vertex[v]] = v;
  good = good && add_tets(description, number, surface);
  free(number);
  return good ? ST_OK : st_fail_memory(error);
}

static StStatus take_rest(const StDescription *description, StViewSurface *surface,
                          StError *error) {
  ST_FREE double *all = rest_positions(description);
  surface->rest = ST_NEW(float, 3 * (size_t)surface->vertex_count);
  ST_TRY_MEMORY(all && surface->rest, error);
  for (int v = 0; v < surface->vertex_count; v++)
    for (size_t i = 0; i < 3; i++)
      surface->rest[3 * (size_t)v + i] = (float)all[3 * (size_t)surface->vertex[v] + i];
  return ST_OK;
}

StStatus st_view_surface_create(const StDescription *description, bool hollow,
                                StViewSurface *surface, StError *error) {
  *surface = (StViewSurface){0};
  StStatus status = st_skin_create(description, &surface->skin, error);
  if (status == ST_OK)
    status = split(description, surface, error);
  if (status == ST_OK && !hollow)
    status = fill(description, surface, error);
  if (status == ST_OK)
    status = take_rest(description, surface, error);
  if (status != ST_OK)
    st_view_surface_free(surface);
  return status;
}

void st_view_surface_free(StViewSurface *surface) {
  st_skin_free(&surface->skin);
  free(surface->vertex);
  free(surface->body);
  free(surface->material);
  free(surface->rest);
  free(surface->triangle);
  free(surface->tet);
  free(surface->tet_material);
  *surface = (StViewSurface){0};
}
