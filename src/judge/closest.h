// Smallest distances between triangles, for the independent check.
#pragma once

// Returns the distance of two triangles; apart: from the nearest point of b to that of a.
double st_triangles_apart(const double *const a[3], const double *const b[3], double apart[3]);
