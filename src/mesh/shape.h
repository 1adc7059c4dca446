// Parametric shapes: box, sphere, hollow_ball, cylinder, capsule, tube, torus, sheet, pillow,
// sleeve, tyre, bowl, hollow_box. Each is a const descriptor, shared by scenes, `stiction mesh`,
// `stiction list` and the manual.
#pragma once

#include "base/param.h"
#include "mesh/mesh.h"

typedef enum StShapeFill { ST_SHAPE_SURFACE, ST_SHAPE_SOLID } StShapeFill; // triangles | tets

// Which parameters make a shape round; those that are 0 do not exist.
typedef struct StShapeRound {
  int radius, edge;
  int cells, quarters; // cells along so many quarters of the circle; 0: the shape is not round
  int along, length;   // cells along a straight part, and its length
} StShapeRound;

typedef struct StShapeType {
  const char *name;    // also the name in a scene
  const char *summary; // one sentence
  const StParam *param;
  int param_count;
  bool solid_by_default;
  bool surface_only; // has no interior to fill with tets
  bool labels_tets;  // not only vertices
  StShapeRound round;
  const char *const *label; // NULL-terminated: names of the faces or parts that tag vertices
  // value[] matches param[] and is checked here. The result is centred at the origin, with its axis
  // along z (the summary says how it is oriented). A closed surface is the boundary of the solid,
  // triangle by triangle.
  StStatus (*make)(const double *value, StShapeFill fill, StMesh **mesh, StError *error);
} StShapeType;

extern const StShapeType *const st_shape_types[]; // NULL-terminated

const StShapeType *st_shape_find(const char *name); // NULL: no such shape

// The edge length of a solid where nothing is said: `usual`, or `bending`, with which it bends
// well, if that is smaller, as far as some thousand cells fill this volume, m³.
double st_shape_bending_edge(double usual, double bending, double volume);

// Gives a round shape whose edge and cells are not given so many cells that its facets are nowhere
// farther from the circle than this part of the radius. Straight parts keep the cells they would
// have.
void st_shape_refine_round(const StShapeType *type, double part, double *value);
