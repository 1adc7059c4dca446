// Fields of a state that follow from its positions and contact forces: displacement, strain,
// stress, energy, contact pressure. Each is one row of one table, which live simulations, frames of
// runs, exports and the viewer read. On one process, which has the whole state.
#pragma once

#include "model/description.h"

// What fields are computed from.
typedef struct StFieldState {
  const StDescription *description;
  const double *position; // [vertices of all bodies][3] m
  // [vertices][3] N, what contact and its friction do to each; NULL: nothing touches
  const double *contact, *friction;
  const double *stress; // [cells][6] Pa, Cauchy, what a run has stored of its solids: it counts
                        // where the laws of the description say something else; NULL: nothing
} StFieldState;

// Cells are the elements of all bodies, of solids first, then triangles. Values of cells that have
// none, such as those of rigid bodies, are 0.
typedef struct StFieldType {
  const char *name, *unit, *summary;
  int components;             // 1, 3 or 6: xx yy zz xy yz zx
  bool of_cells;              // otherwise of vertices
  bool of_contact, of_stress; // it follows from contact forces; from stress
  // value: [items][components], zeros before.
  StStatus (*compute)(const StFieldState *state, double *value, StError *error);
} StFieldType;

enum { ST_FIELD_TYPES = 10 };
extern const StFieldType st_field_types[ST_FIELD_TYPES];

const StFieldType *st_field_find(const char *name); // NULL: there is none

int st_field_cell_count(const StDescription *description);

// *value: [items][components], free() it.
StStatus st_field_compute(const StFieldType *type, const StFieldState *state, double **value,
                          StError *error);

// Values of elements to those of the tets that they are made of (mesh/second_order.h), and
// triangles. *value is replaced.
StStatus st_field_give_to_parts(const StDescription *description, int components, double **value,
                                StError *error);

// Principal values of a symmetric tensor, xx yy zz xy yz zx, the largest first.
void st_principal_values(const double tensor[6], double value[3]);

// √(½((xx−yy)² + (yy−zz)² + (zz−xx)²) + 3(xy² + yz² + zx²))
double st_von_mises(const double stress[6]);
