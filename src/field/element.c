// Walks over elements: the deformation gradient F from the positions, and from it the
// Green–Lagrange strain ½(FᵀF − 1), the stress and the energy of the element's law. Tested by
// tests/field/test_field.c.
#include "field/element.h"

#include "base/memory.h"
#include "force/membrane_set.h"
#include "force/solid_material.h"
#include "force/tunables.h"
#include "math/vec3.h"
#include "mesh/cage.h"
#include "model/body.h"

#include <math.h>
#include <string.h>

// Frames store stress in single precision. A stored stress that differs by more than this part of
// its size comes from other materials than the description's.
#define SAME_STRESS 1e-4

typedef struct Walk {
  const StFieldState *state;
  StSolidMaterial *solid;  // [materials]
  StShellStiffness *shell; // [materials]
  StElementVisit *visit;
  void *context;
  int cell;
} Walk;

static void walk_free(Walk *walk) {
  free(walk->solid);
  free(walk->shell);
}

static void green_strain(const double F[9], double strain[6]) {
  static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
  for (int c = 0; c < 6; c++) {
    int i = entry[c][0], j = entry[c][1];
    strain[c] = 0.5 * (F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j] - (i == j));
  }
}

// slope: rest gradients of the shape functions of all nodes but the first.
static void deform(const double *position, const StElement *element, double (*slope)[3],
                   double F[9]) {
  const double *origin = position + 3 * (size_t)element->node[0];
  memset(F, 0, 9 * sizeof *F);
  for (int a = 1; a < element->node_count; a++) {
    const double *x = position + 3 * (size_t)element->node[a];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        F[3 * i + j] += (x[i] - origin[i]) * slope[a - 1][j];
  }
}

static void fill_point(const StSolidMaterial *material, const double F[9], StElementPoint *point) {
  green_strain(F, point->strain);
  st_solid_material_cauchy(material, F, point->stress);
  material->law->energy(material->k, F, &point->energy);
}

// Replaces the stress by the stored one where the description's law gives another.
static void prefer_stored(const StFieldState *state, int cell, StElement *element) {
  const double *stored = state->stress ? state->stress + 6 * (size_t)cell : NULL;
  double size = 0, difference = 0;
  for (int i = 0; i < 6 && stored; i++) {
    double mean = 0;
    for (int p = 0; p < element->point_count; p++)
      mean += element->point[p].stress[i] / element->point_count;
    size = fmax(size, fabs(stored[i]));
    difference = fmax(difference, fabs(mean - stored[i]));
  }
  for (int p = 0; p < element->point_count && difference > SAME_STRESS * size; p++)
    memcpy(element->point[p].stress, stored, 6 * sizeof *stored);
}

static void visit_tet(Walk *walk, const StBodyDesc *body, int first, int index) {
  const StMesh *mesh = body->mesh;
  int tet = index * st_mesh_part_count(mesh), node[ST_SECOND_NODES];
  const int *corner = mesh->tet + 4 * (size_t)tet;
  const StSolidMaterial *material = &walk->solid[st_body_tet_material(body, tet)];
  StElement element = {.node_count = st_mesh_node_count(mesh),
                       .point_count = mesh->second_order ? ST_TET_POINTS : 1};
  if (mesh->second_order)
    st_second_nodes(corner, node);
  else
    memcpy(node, corner, 4 * sizeof *node);
  for (int a = 0; a < element.node_count; a++)
    element.node[a] = first + node[a];
  double filled = fmax(st_mesh_fill_part(mesh, tet), st_force_tunables.cage_least_filled);
  for (int p = 0; p < element.point_count; p++) {
    double slope[ST_SECOND_NODES][3], F[9], determinant;
    if (mesh->second_order)
      determinant = st_tet_point_slopes(mesh->position, node, p, slope);
    else
      determinant = st_tet_slopes(mesh->position, node, slope + 1);
    element.point[p].volume = filled * determinant / 6 / element.point_count;
    deform(walk->state->position, &element, slope + 1, F);
    fill_point(material, F, &element.point[p]);
  }
  prefer_stored(walk->state, walk->cell, &element);
  walk->visit(walk->context, walk->cell++, &element);
}

// Vectors in the plane of two edges, dual to them. Returns the area of their triangle.
static double find_dual(const double edge[6], double slope[2][3]) {
  double n[3];
  vec3_cross(edge, edge + 3, n);
  double square = vec3_dot(n, n);
  vec3_cross(edge + 3, n, slope[0]);
  vec3_cross(n, edge, slope[1]);
  for (int i = 0; i < 6; i++)
    slope[i / 3][i % 3] /= square;
  return sqrt(square) / 2;
}

static void edges_of(const double *position, const int vertex[3], double edge[6]) {
  for (int a = 0; a < 2; a++)
    vec3_sub(position + 3 * (size_t)vertex[a + 1], position + 3 * (size_t)vertex[0], edge + 3 * a);
}

// E = ½ Σ (e_a·e_b − ē_a·ē_b) D_a ⊗ D_b with the rest edges ē and their dual vectors D. A law
// without a thickness has no stress and no energy per volume.
static void fill_membrane(const StShellStiffness *stiffness, const double rest[6],
                          const double edge[6], StElementPoint *point) {
  static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
  double slope[2][3], tension[6], area = find_dual(rest, slope);
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      double change = vec3_dot(edge + 3 * a, edge + 3 * b) - vec3_dot(rest + 3 * a, rest + 3 * b);
      for (int c = 0; c < 6; c++)
        point->strain[c] += 0.5 * change * slope[a][entry[c][0]] * slope[b][entry[c][1]];
    }
  if (!(stiffness->thickness > 0))
    return;
  double energy = st_membrane_tension(stiffness, rest, edge, tension);
  point->volume = area * stiffness->thickness;
  point->energy = energy / stiffness->thickness;
  for (int c = 0; c < 6; c++)
    point->stress[c] = tension[c] / stiffness->thickness;
}

static void visit_triangle(Walk *walk, const StBodyDesc *body, int first, int triangle) {
  const StMesh *mesh = body->mesh;
  const int *corner = mesh->triangle + 3 * (size_t)triangle;
  StElement element = {.node_count = 3, .point_count = !st_body_has_surface(body)};
  double rest[6], edge[6];
  for (int a = 0; a < 3; a++)
    element.node[a] = first + corner[a];
  edges_of(mesh->position, corner, rest);
  edges_of(walk->state->position, element.node, edge);
  if (element.point_count)
    fill_membrane(&walk->shell[st_body_triangle_material(body, triangle)], rest, edge,
                  &element.point[0]);
  walk->visit(walk->context, walk->cell++, &element);
}

StStatus st_elements_visit(const StFieldState *state, StElementVisit *visit, void *context,
                           StError *error) {
  const StDescription *description = state->description;
  ST_FINALLY(walk_free) Walk walk = {.state = state, .visit = visit, .context = context};
  ST_TRY(st_solid_materials_create(description, &walk.solid, error));
  ST_TRY(st_shell_materials_create(description, &walk.shell, error));
  for (int triangles = 0; triangles < 2; triangles++)
    for (int b = 0, first = 0; b < description->body_count; b++) {
      const StBodyDesc *body = &description->body[b];
      int count = triangles ? body->mesh->triangle_count : st_mesh_element_count(body->mesh);
      for (int e = 0; e < count; e++)
        (triangles ? visit_triangle : visit_tet)(&walk, body, first, e);
      first += body->mesh->vertex_count;
    }
  return ST_OK;
}
