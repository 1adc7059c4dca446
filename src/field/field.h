// Fields that follow from the positions and contact forces of a state: displacement, strain,
// stress, energy, contact pressure. Each is a row of one table, which live simulations, frames of
// runs, exports and the viewer use. They are computed on one process, from the whole state.
#pragma once

#include "model/description.h"

// The state that fields are computed from.
typedef struct StFieldState {
  const StDescription *description;
  const double *position;           // [vertices of all bodies][3] m
  const double *contact, *friction; // [vertices][3] N, normal and friction forces; NULL: none
  // [cells][6] Pa, Cauchy stress of solids that a run has stored; it is used where the laws of the
  // description give another. NULL: none
  const double *stress;
} StFieldState;

// Cells are the elements of all bodies, of solids first, then triangles. Values of cells that have
// none, such as those of rigid bodies, are 0.
typedef struct StFieldType {
  const char *name, *unit, *summary;
  int components;             // 1, 3 or 6: xx yy zz xy yz zx
  bool of_cells;              // otherwise of vertices
  bool of_contact, of_stress; // it is computed from contact forces; from stress
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

// Turns values of cells into values of all tets, then triangles: each tet that an element of second
// order is divided into (mesh/second_order.h) gets the element's. *value is replaced.
StStatus st_field_give_to_parts(const StDescription *description, int components, double **value,
                                StError *error);

// Principal values of a symmetric tensor, xx yy zz xy yz zx, the largest first.
void st_principal_values(const double tensor[6], double value[3]);

// √(½((xx−yy)² + (yy−zz)² + (zz−xx)²) + 3(xy² + yz² + zx²))
double st_von_mises(const double stress[6]);
