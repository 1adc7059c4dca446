// Moments of the volume inside a closed surface: exact integrals for flat triangles.
#pragma once

typedef struct StMoments {
  double volume;    // m³, negative when inside out
  double centre[3]; // not finite without volume
  double spread[9]; // ∫ (x − c)(x − c)ᵀ dV, m⁵
} StMoments;

// triangle: [count][3], counter-clockwise seen from outside.
void st_surface_moments(const double *position, const int *triangle, int count, StMoments *moments);
