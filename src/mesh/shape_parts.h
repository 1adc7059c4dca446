// Parts that shapes share: descriptors, checks of values, and cell counts from edge lengths.
#pragma once

#include "base/memory.h"
#include "mesh/shape.h"
#include "mesh/sweep.h"

extern const StShapeType st_shape_box, st_shape_sheet, st_shape_sphere, st_shape_capsule,
    st_shape_cylinder, st_shape_torus, st_shape_tube, st_shape_hollow_ball, st_shape_pillow,
    st_shape_sleeve, st_shape_tyre, st_shape_bowl, st_shape_hollow_box;

#define ST_SHAPE_LENGTH(key, size, text)                                                           \
  {                                                                                                \
    .name = key, .doc = text, .dimension = ST_LENGTH_DIMENSION, .fallback = size, .min = 0,        \
    .max = INFINITY, .min_open = true, .max_open = true                                            \
  }
#define ST_SHAPE_EDGE(automatic)                                                                   \
  {                                                                                                \
    .name = "edge", .doc = "Edge length to aim at; 0: " automatic,                                 \
    .dimension = ST_LENGTH_DIMENSION, .fallback = 0, .min = 0, .max = INFINITY, .max_open = true   \
  }
#define ST_SHAPE_CELLS(key, text)                                                                  \
  {                                                                                                \
    .name = key, .doc = text "; 0: as many as fit the edge length.", .kind = ST_INTEGER,           \
    .fallback = 0, .min = 0, .max = 1000000                                                        \
  }

// Every value finite, an integer where required, and in its range.
StStatus st_shape_check(const StShapeType *type, const double *value, StError *error);

// The edge length of round shapes unless given.
double st_shape_edge(double radius);

// The number given, otherwise as many cells of the edge length as fit best; at least `least` and a
// multiple of `step`. A double, because nothing has been checked yet.
double st_shape_cells(double given, double length, double edge, int least, int step);

// Cells along a quarter circle: even unless given, so that the mesh is mirror-symmetric and reaches
// the full extent along every axis. Cells along a circle: even, by default four equal quarters, for
// the same reason.
double st_shape_quarter_cells(double given, double length, double edge);
double st_shape_circle_cells(double given, double length, double edge);

// The edge length for the other directions once one is divided: never longer than the resulting
// cells, and equal to them if none was given, so that cells are as wide as they are long.
double st_shape_other_edge(double edge_asked, double length, double cells);

// Rejects absurdly large meshes before allocating memory. cells: hexahedra of the solid, quads:
// faces of its surface.
StStatus st_shape_check_size(const StShapeType *type, StShapeFill fill, double cells, double quads,
                             StError *error);
