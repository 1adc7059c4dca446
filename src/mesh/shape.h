// Parametric shapes: box, sphere, hollow_ball, cylinder, capsule, tube, torus, sheet, pillow,
// sleeve, tyre, bowl, hollow_box. Each is a const descriptor, so that scenes, `stiction mesh`,
// `stiction list` and the manual read the same list.
#ifndef ST_MESH_SHAPE_H
#define ST_MESH_SHAPE_H

#include "base/param.h"
#include "mesh/mesh.h"

typedef enum StShapeFill { ST_SHAPE_SURFACE, ST_SHAPE_SOLID } StShapeFill; // triangles | tets

typedef struct StShapeType {
  const char *name;    // also the word in a scene
  const char *summary; // one sentence
  const StParam *param;
  int param_count;
  bool solid_by_default;
  bool surface_only; // has no inside that tets could fill
  const char *const
      *label; // NULL-terminated: names of the faces or parts that vertices are tagged with
  // value[] follows param[] and is checked here. The result is centred at the origin, axes along z
  // (the summary says how it lies). A closed surface is the boundary of the solid, triangle by
  // triangle.
  StStatus (*make)(const double *value, StShapeFill fill, StMesh **mesh, StError *error);
} StShapeType;

extern const StShapeType *const st_shape_types[]; // NULL-terminated

const StShapeType *st_shape_find(const char *name); // NULL: no such shape

#endif
