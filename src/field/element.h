// Strain, stress and energy of every element of a state.
#pragma once

#include "field/field.h"
#include "force/tet_shape.h"

// State of an element at one of its integration points.
typedef struct StElementPoint {
  double volume;    // m³ of material at rest that the point stands for
  double strain[6]; // Green–Lagrange, of a triangle that of its membrane
  double stress[6]; // Pa, Cauchy; of a triangle that of its membrane
  double energy;    // J/m³ of volume at rest; of a triangle without that of bending
} StElementPoint;

typedef struct StElement {
  int node_count, node[ST_SECOND_NODES]; // counted through all bodies
  int point_count;                       // 0: it has no strain, like the surface of a rigid body
  StElementPoint point[ST_TET_POINTS];
} StElement;

// Visits all cells in their order.
typedef void StElementVisit(void *context, int cell, const StElement *element);
StStatus st_elements_visit(const StFieldState *state, StElementVisit *visit, void *context,
                           StError *error);
