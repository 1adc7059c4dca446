// Each outer part of the surface is filled separately, together with the cavities inside it: Gmsh
// gets the triangles unchanged and puts tets between them.
#include "fill/tets.h"

#include "base/memory.h"
#include "fill/gmsh.h"
#include "math/vec3.h"
#include "mesh/closed.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#ifndef STICTION_GMSH

const char *st_tets_maker(void) {
  return NULL;
}

StStatus st_tets_fill(const StMesh *surface, double edge, StMesh **result, StError *error) {
  (void)surface, (void)edge, (void)result;
  return st_fail(error, ST_BAD_INPUT,
                 "this build cannot fill surfaces with tets: it was made without Gmsh; install "
                 "Debian's package libgmsh-dev and build again");
}

#else

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor) "Gmsh " TEXT_OF(major) "." TEXT_OF(minor)

const char *st_tets_maker(void) {
  return VERSION_TEXT(GMSH_API_VERSION_MAJOR, GMSH_API_VERSION_MINOR);
}

enum { GMSH_TRIANGLE = 2, GMSH_TET = 4 };

typedef struct Filling {
  StGmsh gmsh;
  const StMesh *surface;
  StParts parts;
  bool *given; // [vertices of the surface] those of the part at hand
  int error;   // of Gmsh's last call
  size_t vertex_count, vertex_capacity;
  double *position; // [vertex_count][3] of all vertices, the surface's first
  size_t tet_count, tet_capacity;
  int *tet;
} Filling;

static StStatus fail_gmsh(const Filling *filling, StError *error) {
  char *text = NULL;
  int ignored;
  filling->gmsh.last_error(&text, &ignored);
  StStatus status = st_fail(error, ST_BAD_INPUT, "Gmsh could not fill the surface: %.500s",
                            text && *text ? text : "it gave no reason");
  filling->gmsh.free(text);
  return status;
}

#define GMSH_TRY(function, ...)                                                                    \
  do {                                                                                             \
    filling->gmsh.function(__VA_ARGS__, &filling->error);                                          \
    if (filling->error)                                                                            \
      return fail_gmsh(filling, error);                                                            \
  } while (0)

static StStatus set_options(Filling *filling, double edge, StError *error) {
  GMSH_TRY(set, "General.Terminal", 0);
  GMSH_TRY(set, "General.NumThreads", 1); // the same tets every time
  GMSH_TRY(set, "Mesh.Algorithm3D", 1);   // Delaunay: the only one that preserves any surface
  GMSH_TRY(set, "Mesh.MeshSizeMax", edge);
  GMSH_TRY(set, "Mesh.MeshSizeExtendFromBoundary", 1);
  GMSH_TRY(set, "Mesh.Renumber", 0);                      // vertices are known by their tags
  GMSH_TRY(set, "Mesh.AngleToleranceFacetOverlap", 1e-3); // thin plates are not overlaps
  GMSH_TRY(set, "Mesh.Optimize", 1);
  GMSH_TRY(set, "Mesh.OptimizeThreshold", 0.35);
  return ST_OK;
}

// One part as a surface of Gmsh, with tags one above our numbers.
static StStatus add_part(Filling *filling, int part, int tag, StError *error) {
  const StMesh *surface = filling->surface;
  int first = filling->parts.start[part], count = filling->parts.start[part + 1] - first;
  const int *triangle = filling->parts.triangle + 3 * (size_t)first;
  size_t corners = 3 * (size_t)count, nodes = 0;
  ST_FREE size_t *corner = ST_NEW(size_t, corners), *node = ST_NEW(size_t, corners);
  ST_FREE double *place = ST_NEW(double, 3 * corners);
  ST_TRY_MEMORY(corner && node && place, error);
  for (size_t i = 0; i < corners; i++) {
    int v = triangle[i];
    corner[i] = (size_t)v + 1;
    if (filling->given[v])
      continue;
    filling->given[v] = true;
    vec3_copy(surface->position + 3 * (size_t)v, place + 3 * nodes);
    node[nodes++] = (size_t)v + 1;
  }
  const StGmsh *gmsh = &filling->gmsh;
  gmsh->add_entity(2, tag, NULL, 0, &filling->error);
  if (!filling->error)
    gmsh->add_nodes(2, tag, node, nodes, place, 3 * nodes, NULL, 0, &filling->error);
  if (!filling->error)
    gmsh->add_elements(tag, GMSH_TRIANGLE, NULL, 0, corner, corners, &filling->error);
  ST_TRY(filling->error ? fail_gmsh(filling, error) : ST_OK);
  return ST_OK;
}

static const int *part_triangle(const StParts *parts, int part) {
  return parts->triangle + 3 * (size_t)parts->start[part];
}

static bool winds_about(const Filling *filling, int part, const double x[3]) {
  const StParts *parts = &filling->parts;
  return st_surface_winding(filling->surface->position, part_triangle(parts, part),
                            parts->start[part + 1] - parts->start[part], x) > 0.5;
}

// Whether a cavity lies inside this outer part, and in no smaller one that lies in it too.
static bool is_inside(const Filling *filling, int cavity, int outer) {
  const StParts *parts = &filling->parts;
  const double *x = filling->surface->position + 3 * (size_t)part_triangle(parts, cavity)[0];
  if (!winds_about(filling, outer, x))
    return false;
  for (int p = 0; p < parts->count; p++)
    if (p != outer && parts->volume[p] > 0 && parts->volume[p] < parts->volume[outer] &&
        winds_about(filling, p, x))
      return false;
  return true;
}

// loop[*count]: the tags of the loops around the outer part and its cavities.
static StStatus add_loops(Filling *filling, int outer, int *loop, size_t *count, StError *error) {
  *count = 0;
  memset(filling->given, 0, (size_t)filling->surface->vertex_count * sizeof(bool));
  for (int p = 0; p < filling->parts.count; p++) {
    bool cavity = filling->parts.volume[p] < 0 && is_inside(filling, p, outer);
    if (p != outer && !cavity)
      continue;
    int tag = p + 1;
    ST_TRY(add_part(filling, p, tag, error));
    // The outer loop must come first.
    size_t at = p == outer ? 0 : *count;
    memmove(loop + at + 1, loop + at, (*count - at) * sizeof *loop);
    GMSH_TRY(add_loop, &tag, 1, tag);
    loop[at] = tag;
    ++*count;
  }
  return ST_OK;
}

// Numbers of all nodes by their tags: those of the surface keep theirs, new ones come behind all
// that are there. number: [highest tag + 1].
static StStatus take_nodes(Filling *filling, const size_t *tag, const double *place, size_t count,
                           int *number, StError *error) {
  for (size_t k = 0; k < count; k++) {
    if (number[tag[k]] >= 0)
      continue;
    size_t at = filling->vertex_count;
    ST_TRY_MEMORY(
        st_grow((void **)&filling->position, &filling->vertex_capacity, at + 1, 3 * sizeof(double)),
        error);
    vec3_copy(place + 3 * k, filling->position + 3 * at);
    number[tag[k]] = (int)filling->vertex_count++;
  }
  return ST_OK;
}

static StStatus take_tets(Filling *filling, const size_t *corner, size_t corners, const int *number,
                          StError *error) {
  ST_TRY_MEMORY(st_grow((void **)&filling->tet, &filling->tet_capacity,
                        filling->tet_count + corners / 4, 4 * sizeof(int)),
                error);
  int *to = filling->tet + 4 * filling->tet_count;
  for (size_t i = 0; i < corners; i++)
    to[i] = number[corner[i]];
  filling->tet_count += corners / 4;
  return ST_OK;
}

static StStatus take_arrays(Filling *filling, const size_t *tag, const double *place, size_t tags,
                            const size_t *corner, size_t corners, StError *error) {
  size_t highest = 0;
  for (size_t k = 0; k < tags; k++)
    highest = tag[k] > highest ? tag[k] : highest;
  ST_FREE int *number = ST_NEW(int, highest + 1);
  ST_TRY_MEMORY(number, error);
  for (size_t k = 0; k <= highest; k++)
    number[k] = -1;
  for (int v = 0; v < filling->surface->vertex_count; v++)
    if (filling->given[v] && (size_t)v < highest)
      number[v + 1] = v;
  ST_TRY(take_nodes(filling, tag, place, tags, number, error));
  return take_tets(filling, corner, corners, number, error);
}

static StStatus take_result(Filling *filling, StError *error) {
  const StGmsh *gmsh = &filling->gmsh;
  size_t *tag = NULL, *element = NULL, *corner = NULL;
  double *place = NULL, *parameter = NULL;
  size_t tags = 0, elements = 0, corners = 0, places = 0, parameters = 0;
  gmsh->nodes(&tag, &tags, &place, &places, &parameter, &parameters, -1, -1, 0, 0, &filling->error);
  if (!filling->error)
    gmsh->elements(GMSH_TET, &element, &elements, &corner, &corners, -1, 0, 1, &filling->error);
  StStatus status = filling->error || corners == 0
                        ? fail_gmsh(filling, error)
                        : take_arrays(filling, tag, place, tags, corner, corners, error);
  gmsh->free(tag);
  gmsh->free(place);
  gmsh->free(parameter);
  gmsh->free(element);
  gmsh->free(corner);
  return status;
}

static StStatus fill_part(Filling *filling, int outer, StError *error) {
  ST_FREE int *loop = ST_NEW(int, filling->parts.count + 1);
  size_t loops;
  ST_TRY_MEMORY(loop, error);
  filling->gmsh.add_model("fill", &filling->error);
  StStatus status = filling->error ? fail_gmsh(filling, error) : ST_OK;
  if (status == ST_OK)
    status = add_loops(filling, outer, loop, &loops, error);
  if (status == ST_OK)
    filling->gmsh.add_volume(loop, loops, 1, &filling->error);
  ST_TRY(status);
  if (filling->error)
    return fail_gmsh(filling, error);
  filling->gmsh.synchronize(&filling->error);
  if (!filling->error)
    filling->gmsh.generate(3, &filling->error);
  if (filling->error)
    return fail_gmsh(filling, error);
  ST_TRY(take_result(filling, error));
  filling->gmsh.remove_model(&filling->error);
  return ST_OK;
}

static StStatus make_mesh(const Filling *filling, StMesh **result, StError *error) {
  ST_CHECK(filling->vertex_count < INT_MAX / 3 && filling->tet_count < INT_MAX / 4, error);
  StMesh *mesh = st_mesh_create((int)filling->vertex_count, (int)filling->tet_count, 0);
  ST_TRY_MEMORY(mesh, error);
  memcpy(mesh->position, filling->position, 3 * filling->vertex_count * sizeof(double));
  memcpy(mesh->tet, filling->tet, 4 * filling->tet_count * sizeof(int));
  for (int t = 0; t < mesh->tet_count; t++)
    if (st_tet_volume(mesh->position, mesh->tet + 4 * (size_t)t) < 0) {
      int *tet = mesh->tet + 4 * (size_t)t, swap = tet[2];
      tet[2] = tet[3], tet[3] = swap;
    }
  *result = mesh;
  return ST_OK;
}

static StStatus fill_all(Filling *filling, double edge, StMesh **result, StError *error) {
  const StMesh *surface = filling->surface;
  filling->vertex_count = (size_t)surface->vertex_count;
  filling->given = ST_NEW(bool, surface->vertex_count);
  ST_TRY_MEMORY(filling->given && st_grow((void **)&filling->position, &filling->vertex_capacity,
                                          filling->vertex_count, 3 * sizeof(double)),
                error);
  memcpy(filling->position, surface->position, 3 * filling->vertex_count * sizeof(double));
  ST_TRY(set_options(filling, edge, error));
  for (int p = 0; p < filling->parts.count; p++)
    if (filling->parts.volume[p] > 0)
      ST_TRY(fill_part(filling, p, error));
  return make_mesh(filling, result, error);
}

static StStatus fill(const StMesh *surface, double edge, StMesh **result, StError *error) {
  Filling own = {.surface = surface}, *filling = &own;
  ST_TRY(st_gmsh_load(&filling->gmsh, error));
  ST_TRY(st_surface_parts(surface->position, surface->vertex_count, surface->triangle,
                          surface->triangle_count, &filling->parts, error));
  filling->gmsh.initialize(0, NULL, 0, &filling->error);
  StStatus status = filling->error ? st_fail(error, ST_SYSTEM_FAULT, "Gmsh could not be started")
                                   : fill_all(filling, edge, result, error);
  int ignored;
  filling->gmsh.finalize(&ignored);
  st_parts_free(&filling->parts);
  free(filling->given);
  free(filling->position);
  free(filling->tet);
  return status;
}

// Gmsh has one state for the process: threads take turns.
StStatus st_tets_fill(const StMesh *surface, double edge, StMesh **result, StError *error) {
  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&turn);
  StStatus status = fill(surface, edge, result, error);
  pthread_mutex_unlock(&turn);
  return status;
}

#endif
