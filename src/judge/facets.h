// Obstacles in closed form as triangles, for what sweeps surfaces. All corners lie on the shape, so
// that the triangles are inside it or on its surface.
#pragma once

#include "mesh/mesh.h"
#include "model/description.h"

// *mesh: in the obstacle's own frame, NULL for a half-space, which nothing can get around.
// *sagitta: how far the triangles are inside the shape at most, m.
StStatus st_facets_create(const StObstacleDesc *desc, StMesh **mesh, double *sagitta,
                          StError *error);
