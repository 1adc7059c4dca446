// What the shapes share: their descriptors, checks of values, and cell counts from edge lengths.
#ifndef ST_MESH_SHAPE_PARTS_H
#define ST_MESH_SHAPE_PARTS_H

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

// Every value finite, whole where it must be, and in its range.
StStatus st_shape_check(const StShapeType *type, const double *value, StError *error);

// The number asked for, or else as many cells of the edge length as come nearest to the length; at
// least `least` and a multiple of `step`. A double, because nothing has been checked yet.
double st_shape_cells(double given, double length, double edge, int least, int step);

// Cells along a quarter circle: even unless asked otherwise, so that the mesh is its own mirror
// image and reaches the full extent along every axis. Cells along a circle: even, by default four
// alike quarters, for the same reason.
double st_shape_quarter_cells(double given, double length, double edge);
double st_shape_circle_cells(double given, double length, double edge);

// The edge length for the other directions once one of them is cut: never longer than what came out
// there, and just that when none was asked for, so that cells are as wide as they are long.
double st_shape_follow(double edge_asked, double length, double cells);

// Refuses meshes beyond any use before memory is asked for. cells: hexahedra of the solid, quads:
// faces of its surface.
StStatus st_shape_check_size(const StShapeType *type, StShapeFill fill, double cells, double quads,
                             StError *error);

#endif
