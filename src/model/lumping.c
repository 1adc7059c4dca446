// All nodes of an element are on its surface, so that any lumping with positive masses has too much
// inertia. A quadratic polynomial in the position, which multiplies the masses, takes the surplus
// out of the whole body: towards its surface vertices get less, inside more. In the axes of
// inertia, with lengths over the radii of gyration, its ten equations are well conditioned.
#include "model/lumping.h"

#include "base/memory.h"
#include "math/eigen.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "model/piece.h"
#include "model/tunables.h"

#include <math.h>
#include <string.h>

enum { TERMS = 10 }; // 1, x, y, z, x², y², z², xy, xz, yz

typedef struct Frame {
  double mass, centre[3];
  double axis[9];   // columns
  double radius[3]; // of gyration
} Frame;

static double density_of(const StDescription *description, const StBodyDesc *body, int tet) {
  return description->material[st_body_tet_material(body, tet)].density;
}

static void find_centre(const StDescription *description, const StBodyDesc *body, double *mass,
                        Frame *frame) {
  const StMesh *mesh = body->mesh;
  double moment[3] = {0};
  for (int t = 0; t < mesh->tet_count; t++) {
    const int *tet = mesh->tet + 4 * (size_t)t;
    double quarter = density_of(description, body, t) * st_tet_volume(mesh->position, tet) / 4;
    for (int i = 0; i < 4; i++) {
      mass[tet[i]] += quarter;
      vec3_add_scaled(quarter, mesh->position + 3 * (size_t)tet[i], moment);
    }
    frame->mass += 4 * quarter;
  }
  vec3_add_scaled(1 / frame->mass, moment, frame->centre);
}

// sum += weight · arm armᵀ
static void add_square(const double arm[3], double weight, double sum[9]) {
  for (int k = 0; k < 9; k++)
    sum[k] += weight * arm[k / 3] * arm[k % 3];
}

// The integral of (x − c)(x − c)ᵀ over a tet with the corners a … d and the middle m is V/20 times
// Σ (a − c)(a − c)ᵀ + 16 (m − c)(m − c)ᵀ.
static void find_axes(const StDescription *description, const StBodyDesc *body, Frame *frame) {
  const StMesh *mesh = body->mesh;
  double moment[9] = {0}, square[3];
  for (int t = 0; t < mesh->tet_count; t++) {
    const int *tet = mesh->tet + 4 * (size_t)t;
    double part = density_of(description, body, t) * st_tet_volume(mesh->position, tet) /
                  (20 * frame->mass),
           middle[3] = {0};
    for (int i = 0; i < 4; i++) {
      double arm[3];
      vec3_sub(mesh->position + 3 * (size_t)tet[i], frame->centre, arm);
      vec3_add_scaled(0.25, arm, middle);
      add_square(arm, part, moment);
    }
    add_square(middle, 16 * part, moment);
  }
  mat3_eigen(moment, square, frame->axis);
  for (int k = 0; k < 3; k++)
    frame->radius[k] = sqrt(square[k]);
}

static void terms_at(const Frame *frame, const double x[3], double term[TERMS]) {
  double arm[3], p[3];
  vec3_sub(x, frame->centre, arm);
  for (int k = 0; k < 3; k++)
    p[k] = (frame->axis[k] * arm[0] + frame->axis[3 + k] * arm[1] + frame->axis[6 + k] * arm[2]) /
           frame->radius[k];
  const double all[TERMS] = {1,           p[0],        p[1],        p[2],        p[0] * p[0],
                             p[1] * p[1], p[2] * p[2], p[0] * p[1], p[0] * p[2], p[1] * p[2]};
  memcpy(term, all, sizeof all);
}

// matrix: symmetric and positive, destroyed; by Gauss without pivots. False where it is singular.
static bool solve(double matrix[TERMS][TERMS], double side[TERMS]) {
  static const double SINGULAR = 1e-9;
  for (int k = 0; k < TERMS; k++) {
    if (!(matrix[k][k] > SINGULAR))
      return false;
    for (int i = k + 1; i < TERMS; i++) {
      double by = matrix[i][k] / matrix[k][k];
      for (int j = k; j < TERMS; j++)
        matrix[i][j] -= by * matrix[k][j];
      side[i] -= by * side[k];
    }
  }
  for (int k = TERMS - 1; k >= 0; k--) {
    for (int j = k + 1; j < TERMS; j++)
      side[k] -= matrix[k][j] * side[j];
    side[k] /= matrix[k][k];
  }
  return true;
}

// The coefficients of the polynomial; all 0 where the vertices lie on a quadric.
static void fit(const StMesh *mesh, const double *mass, const Frame *frame,
                double coefficient[TERMS]) {
  double matrix[TERMS][TERMS] = {0};
  memcpy(coefficient, (const double[TERMS]){1, 0, 0, 0, 1, 1, 1, 0, 0, 0},
         TERMS * sizeof(double)); // the moments of the volume
  for (int v = 0; v < mesh->vertex_count; v++) {
    double term[TERMS], part = mass[v] / frame->mass;
    terms_at(frame, mesh->position + 3 * (size_t)v, term);
    for (int k = 0; k < TERMS; k++) {
      coefficient[k] -= part * term[k];
      for (int j = 0; j < TERMS; j++)
        matrix[k][j] += part * term[k] * term[j];
    }
  }
  if (!solve(matrix, coefficient))
    memset(coefficient, 0, TERMS * sizeof(double));
}

StStatus st_body_lumping(const StDescription *description, const StBodyDesc *body, double *factor,
                         StError *error) {
  const StMesh *mesh = body->mesh;
  ST_FREE double *mass = ST_NEW(double, mesh->vertex_count);
  ST_TRY_MEMORY(mass, error);
  Frame frame = {0};
  double coefficient[TERMS], least = 0;
  find_centre(description, body, mass, &frame);
  find_axes(description, body, &frame);
  fit(mesh, mass, &frame, coefficient);
  for (int v = 0; v < mesh->vertex_count; v++) {
    double term[TERMS];
    terms_at(&frame, mesh->position + 3 * (size_t)v, term);
    factor[v] = 0;
    for (int k = 0; k < TERMS; k++)
      factor[v] += coefficient[k] * term[k];
    least = fmin(least, factor[v]);
  }
  double most = 1 - st_model_tunables.lumping_least; // of its mass that a vertex may lose
  double part = least < -most ? -most / least : 1;   // a part of the surplus of inertia remains
  for (int v = 0; v < mesh->vertex_count; v++)
    factor[v] = 1 + part * factor[v];
  return ST_OK;
}
