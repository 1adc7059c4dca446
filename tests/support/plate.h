// The plate that a mesh of hinges represents, from the angles of hinges under a small curvature.
// Bending energy is in the angles between triangles; rolled onto a cylinder of large radius r, a
// mesh with hinges of stiffness k stores ½ D/r² per area with D = ratio × k.
#pragma once

#include "base/memory.h"
#include "math/vec3.h"
#include "model/hinge.h"

// One triangle relative to the middle of the hinge's edge.
typedef struct Wing {
  double across[3]; // unit, in its plane, from the edge to its corner
  double height;    // of the corner over the edge
  double foot;      // along the edge
} Wing;

static inline Wing wing_place(const double *start, const double *along, double length,
                              const double *corner) {
  Wing wing;
  double arm[3];
  vec3_sub(corner, start, arm);
  double foot = vec3_dot(arm, along);
  vec3_add_scaled(-foot, along, arm);
  wing.height = vec3_length(arm);
  wing.foot = foot - length / 2;
  for (int i = 0; i < 3; i++)
    wing.across[i] = arm[i] / wing.height;
  return wing;
}

// With vertices moved onto w = ½ Γ (along·x)², the angle is Γ (P n² + Q n t + R t²), n and t the
// parts of `along` across and along the edge. Returns its square over Γ², or that square's mean
// over all directions.
static inline double angle_square(double P, double Q, double R, const double *edge,
                                  const double *across, const double *along) {
  if (!along)
    return (3 * P * P + 3 * R * R + 2 * P * R + Q * Q) / 8;
  double t = vec3_dot(edge, along), n = vec3_dot(across, along);
  double angle = P * n * n + Q * n * t + R * t * t;
  return angle * angle;
}

// Adds (ē/h̄) θ²/Γ² to *energy, and the third of both triangles that is the hinge's to *area.
static inline void add_hinge(const double *position, const StHinge *hinge, const double *along,
                             double *energy, double *area) {
  const double *start = position + 3 * (size_t)hinge->vertex[0];
  double edge[3];
  vec3_sub(position + 3 * (size_t)hinge->vertex[1], start, edge);
  double length = vec3_length(edge);
  for (int i = 0; i < 3; i++)
    edge[i] /= length;
  Wing one = wing_place(start, edge, length, position + 3 * (size_t)hinge->vertex[2]);
  Wing two = wing_place(start, edge, length, position + 3 * (size_t)hinge->vertex[3]);
  double heights = one.height + two.height, quarter = length * length / 4;
  double P = heights / 2, Q = one.foot - two.foot;
  double R = (one.foot * one.foot - quarter) / (2 * one.height) +
             (two.foot * two.foot - quarter) / (2 * two.height);
  *energy += 6 * length / heights * angle_square(P, Q, R, edge, one.across, along);
  *area += length * heights / 6;
}

// along: unit vector in the plane of the mesh at rest, the curved direction; NULL: the mean over
// all directions, which is also defined for curved meshes. Area near borders counts only as far as
// it belongs to hinges. 0 for a mesh without hinges.
static inline StStatus plate_ratio(const StMesh *mesh, const double *along, double *ratio,
                                   StError *error) {
  ST_FREE StHinge *hinge = NULL;
  int count;
  double energy = 0, area = 0;
  ST_TRY(st_mesh_hinges(mesh, &hinge, &count, error));
  for (int h = 0; h < count; h++)
    add_hinge(mesh->position, &hinge[h], along, &energy, &area);
  *ratio = area > 0 ? energy / area : 0;
  return ST_OK;
}
