// Points and cells as both VTK formats store them, and their transfer into a builder.
#pragma once

#include "mesh/builder.h"

typedef enum StVtkCell {
  ST_VTK_VERTEX = 1,
  ST_VTK_POLY_VERTEX = 2,
  ST_VTK_POLY_LINE = 4,
  ST_VTK_TRIANGLE = 5,
  ST_VTK_STRIP = 6,
  ST_VTK_POLYGON = 7,
  ST_VTK_TETRA = 10,
} StVtkCell;

typedef struct StVtkGrid {
  size_t point_count;
  double *point; // [point_count][3]
  size_t cell_count;
  int64_t *end; // [cell_count] where the cell's vertices end in the connectivity
  size_t connectivity_count;
  int64_t *connectivity;
  int64_t *type;  // [cell_count]
  int64_t *label; // [cell_count], NULL when the file has none; negative: no label
  int label_rank; // of the array it came from, see st_vtk_label_rank
} StVtkGrid;

// How suitable an array of this name is as label: 0 not at all, larger is better.
int st_vtk_label_rank(StSpan name);

// Checks everything that the file could have wrong. name: of labels 0, 1, 2 …, NULL-terminated; a
// label without a name is called by its number.
StStatus st_vtk_grid_add(const StVtkGrid *grid, char *const *name, StScan *scan,
                         StBuilder *builder);
void st_vtk_grid_free(StVtkGrid *grid);
