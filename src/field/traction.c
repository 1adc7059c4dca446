// Forces over areas, averaged between neighbours.
// Tested by tests/field/test_field.c and tests/api/test_api_field.c.
#include "field/traction.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/face.h"
#include "mesh/second_order.h"
#include "model/body.h"

#include <math.h>
#include <string.h>

typedef struct Traction {
  const StFieldState *state;
  int width;         // numbers per vertex
  double *value;     // [vertices][width] forces, then tractions
  double *area;      // [vertices] m²; 0: without contact force
  double *change;    // [vertices][width] of one averaging
  int (*ends)[2];    // [vertices] of a node on an edge of second order, the edge's; otherwise 0, 0
  double *along;     // [vertices] m², the area of such a node before the ends get it
  bool *outer;       // [vertices] part of a surface
  double *direction; // [vertices][3] of contact forces
} Traction;

static void traction_free(Traction *traction) {
  free(traction->area);
  free(traction->change);
  free(traction->ends);
  free(traction->along);
  free(traction->outer);
  free(traction->direction);
}

static StStatus traction_begin(const StFieldState *state, int width, double *value,
                               Traction *traction, StError *error) {
  int count = st_description_vertex_count(state->description);
  *traction = (Traction){.state = state,
                         .width = width,
                         .value = value,
                         .area = ST_NEW(double, count),
                         .change = ST_NEW(double, (size_t)width *(size_t)count),
                         .ends = (int(*)[2])ST_NEW(int, 2 * (size_t)count),
                         .along = ST_NEW(double, count),
                         .outer = ST_NEW(bool, count),
                         .direction = ST_NEW(double, 3 * (size_t)count)};
  bool good = traction->area && traction->change && traction->ends && traction->along;
  good = good && traction->outer && traction->direction;
  return good ? ST_OK : st_fail_memory(error);
}

// facing: for each corner, the triangle's area projected across the corner's contact force.
typedef void Visit(Traction *traction, const int vertex[3], const double facing[3]);

typedef struct Walk {
  Traction *traction;
  Visit *visit;
  int first; // the body's first vertex
  bool two_sided;
} Walk;

// Contact pushes against the outward normal.
static void visit_triangle(const Walk *walk, const int corner[3]) {
  const StFieldState *state = walk->traction->state;
  int vertex[3];
  double side[2][3], normal[3], facing[3] = {0}; // the normal is as long as twice the area
  for (int i = 0; i < 3; i++)
    vertex[i] = walk->first + corner[i];
  for (int i = 0; i < 2; i++)
    vec3_sub(state->position + 3 * (size_t)vertex[i + 1], state->position + 3 * (size_t)vertex[0],
             side[i]);
  vec3_cross(side[0], side[1], normal);
  for (int i = 0; i < 3; i++) {
    const double *force = walk->traction->direction + 3 * (size_t)vertex[i];
    double length = vec3_length(force);
    double against = length > 0 ? -vec3_dot(normal, force) / length : 0;
    facing[i] = (walk->two_sided ? fabs(against) : fmax(against, 0)) / 2;
  }
  walk->visit(walk->traction, vertex, facing);
}

static StStatus visit_body(Walk *walk, const StBodyDesc *body, StError *error) {
  const StMesh *mesh = body->mesh;
  ST_FREE int *face = NULL;
  int count = 0;
  if (!mesh->cage)
    ST_TRY(st_mesh_boundary_faces(mesh, &face, &count, error));
  walk->two_sided = false;
  for (int f = 0; f < count; f++) {
    const int *tet = mesh->tet + 4 * (size_t)(face[f] / 4), *of = st_tet_face[face[f] % 4];
    visit_triangle(walk, (int[3]){tet[of[0]], tet[of[1]], tet[of[2]]});
  }
  walk->two_sided = !(st_body_has_surface(body) && body->closed);
  for (int t = 0; t < mesh->triangle_count; t++)
    visit_triangle(walk, mesh->triangle + 3 * (size_t)t);
  return ST_OK;
}

static StStatus visit_surface(Traction *traction, Visit *visit, StError *error) {
  const StDescription *description = traction->state->description;
  Walk walk = {.traction = traction, .visit = visit};
  for (int b = 0; b < description->body_count; b++) {
    ST_TRY(visit_body(&walk, &description->body[b], error));
    walk.first += description->body[b].mesh->vertex_count;
  }
  return ST_OK;
}

static void add_areas(Traction *traction, const int vertex[3], const double facing[3]) {
  for (int i = 0; i < 3; i++) {
    traction->area[vertex[i]] += facing[i] / 3;
    traction->outer[vertex[i]] = true;
  }
}

static double *at(const Traction *traction, double *value, int vertex) {
  return value + (size_t)traction->width * (size_t)vertex;
}

// One averaging between two vertices: on the part c of its area each gets the other's traction.
static void exchange(Traction *traction, int one, int other, double c) {
  double area[2] = {traction->area[one], traction->area[other]};
  const double *p = at(traction, traction->value, one), *q = at(traction, traction->value, other);
  if (!(area[0] > 0 && area[1] > 0))
    return;
  for (int k = 0; k < traction->width; k++) {
    at(traction, traction->change, one)[k] += c / area[0] * (q[k] - p[k]);
    at(traction, traction->change, other)[k] += c / area[1] * (p[k] - q[k]);
  }
}

static bool is_on_edge(const Traction *traction, int vertex) {
  return traction->ends[vertex][0] != traction->ends[vertex][1];
}

// The integral of the product of two corners' shape functions, a twelfth of the triangle's area.
static void exchange_corners(Traction *traction, const int vertex[3], const double facing[3]) {
  for (int i = 0; i < 3; i++)
    if (is_on_edge(traction, vertex[i]))
      return;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    exchange(traction, vertex[i], vertex[j], fmin(facing[i], facing[j]) / 12);
  }
}

// The same for the ends of an edge of second order, whose node has a quarter of the area of the
// faces beside it.
static void exchange_ends(Traction *traction) {
  int count = st_description_vertex_count(traction->state->description);
  for (int v = 0; v < count; v++)
    if (is_on_edge(traction, v))
      exchange(traction, traction->ends[v][0], traction->ends[v][1], traction->along[v] / 3);
}

static void find_ends(Traction *traction) {
  const StDescription *description = traction->state->description;
  for (int b = 0, first = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    for (int e = 0; mesh->second_order && e < st_mesh_element_count(mesh); e++) {
      int node[ST_SECOND_NODES];
      st_second_nodes(mesh->tet + 4 * ST_SECOND_PARTS * (size_t)e, node);
      for (int k = 0; k < ST_SECOND_NODES - 4; k++)
        for (int i = 0; i < 2; i++)
          traction->ends[first + node[4 + k]][i] = first + node[st_second_edge[k][i]];
    }
    first += mesh->vertex_count;
  }
}

// vector: [vertices][3]
static bool has(const double *vector, int vertex) {
  const double *x = vector + 3 * (size_t)vertex;
  return vec3_dot(x, x) > 0;
}

// Directions of contact forces. An end without a force takes the direction of the forces that it
// gets from nodes on edges; then a node on an edge without a force takes that of its ends. So both
// have areas, since the rim of the contact may run between the nodes of an edge.
static void find_directions(Traction *traction, int count) {
  double *direction = traction->direction;
  memcpy(direction, traction->state->contact, 3 * (size_t)count * sizeof *direction);
  for (int k = 0; k < 2 * count; k++) {
    int end = traction->ends[k / 2][k % 2];
    if (is_on_edge(traction, k / 2) && !has(traction->state->contact, end))
      vec3_add_scaled(1, traction->state->contact + 3 * (size_t)(k / 2),
                      direction + 3 * (size_t)end);
  }
  for (int k = 0; k < 2 * count; k++) {
    int end = traction->ends[k / 2][k % 2];
    if (is_on_edge(traction, k / 2) && !has(traction->state->contact, k / 2))
      vec3_add_scaled(1, direction + 3 * (size_t)end, direction + 3 * (size_t)(k / 2));
  }
}

// An end that gets no force gets no area, so it takes no part in averages.
static void give_to_ends(Traction *traction, int vertex) {
  double *from = at(traction, traction->value, vertex);
  for (int i = 0; i < 2; i++) {
    int end = traction->ends[vertex][i];
    double *to = at(traction, traction->value, end);
    for (int k = 0; k < traction->width; k++)
      to[k] += from[k] / 2;
    if (has(traction->direction, end))
      traction->area[end] += traction->area[vertex] / 2;
  }
  traction->along[vertex] = traction->area[vertex];
  traction->area[vertex] = 0;
}

static void take_from_ends(Traction *traction, int vertex) {
  const double *one = at(traction, traction->value, traction->ends[vertex][0]);
  const double *other = at(traction, traction->value, traction->ends[vertex][1]);
  const double *area = traction->area;
  bool pressed = traction->along[vertex] > 0 ||
                 (area[traction->ends[vertex][0]] > 0 && area[traction->ends[vertex][1]] > 0);
  for (int k = 0; k < traction->width; k++)
    at(traction, traction->value, vertex)[k] = pressed ? (one[k] + other[k]) / 2 : 0;
}

static void divide(Traction *traction, int count) {
  for (int v = 0; v < count; v++)
    for (int k = 0; k < traction->width; k++) {
      double *value = &at(traction, traction->value, v)[k];
      *value = traction->area[v] > 0 ? *value / traction->area[v] : 0;
    }
}

// value: forces of vertices, turned into tractions.
static StStatus recover(Traction *traction, StError *error) {
  int count = st_description_vertex_count(traction->state->description);
  size_t numbers = (size_t)traction->width * (size_t)count;
  find_ends(traction);
  find_directions(traction, count);
  ST_TRY(visit_surface(traction, add_areas, error));
  for (int v = 0; v < count; v++)
    if (is_on_edge(traction, v))
      give_to_ends(traction, v);
  divide(traction, count);
  for (int round = 0; round < 2; round++) {
    memset(traction->change, 0, numbers * sizeof(double));
    ST_TRY(visit_surface(traction, exchange_corners, error));
    if (round == 1)
      exchange_ends(traction);
    for (size_t i = 0; i < numbers; i++)
      traction->value[i] += traction->change[i];
  }
  for (int v = 0; v < count; v++)
    if (is_on_edge(traction, v) && traction->outer[v])
      take_from_ends(traction, v);
  return ST_OK;
}

StStatus st_contact_pressure(const StFieldState *state, double *value, StError *error) {
  ST_FINALLY(traction_free) Traction traction = {0};
  if (!state->contact)
    return ST_OK;
  ST_TRY(traction_begin(state, 1, value, &traction, error));
  int count = st_description_vertex_count(state->description);
  for (int v = 0; v < count; v++)
    value[v] = vec3_length(state->contact + 3 * (size_t)v);
  return recover(&traction, error);
}

StStatus st_contact_shear(const StFieldState *state, double *value, StError *error) {
  ST_FINALLY(traction_free) Traction traction = {0};
  if (!state->contact || !state->friction)
    return ST_OK;
  ST_TRY(traction_begin(state, 3, value, &traction, error));
  int count = st_description_vertex_count(state->description);
  memcpy(value, state->friction, 3 * (size_t)count * sizeof *value);
  return recover(&traction, error);
}
