// Sections across a body near one of its ends.
#pragma once

#include "mesh/mesh.h"

// How narrow a body is at a depth below its end in a direction (a unit vector), 1/m: the larger
// value of 1/c − 2/b along the section's two principal axes, with half the width c of the section
// and b of the body. 0: it is half as wide as the body or wider, or is not where the direction
// leads from a point. triangle: [triangle_count][3], its skin.
double st_section_narrowing(const StMesh *mesh, const int *triangle, int triangle_count,
                            const double from[3], const double way[3], double depth);
