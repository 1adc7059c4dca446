// Cells over space, wrapped around in all three directions: distant things may share a cell, but
// there are never more cells than things to sort, however scattered they are.
#pragma once

#include "base/status.h"

typedef struct StGrid {
  double origin[3], inverse_cell;
  int bits[3]; // cells along each axis: 1 << bits
  int *start;  // [cells + 1] first item of each cell
  int *item;   // items, cell by cell
  size_t cell_capacity, item_capacity;
} StGrid;

// A range of cells along each axis, before wrapping.
typedef struct StGridBox {
  int low[3], count[3]; // count never exceeds the cells there are
} StGridBox;

// Sets up cells of about this size over the box; keeps their number below about 4 · count.
StStatus st_grid_lay(StGrid *grid, const double low[3], const double high[3], double cell,
                     size_t count, StError *error);
void st_grid_free(StGrid *grid);

static inline int st_grid_cell_count(const StGrid *grid) {
  return 1 << (grid->bits[0] + grid->bits[1] + grid->bits[2]);
}

// Coordinates far outside, and NaN, are clamped, which keeps the order.
static inline int st_grid_coordinate(const StGrid *grid, double x, int axis) {
  double cell = (x - grid->origin[axis]) * grid->inverse_cell;
  cell = !(cell > -1e9) ? -1e9 : cell > 1e9 ? 1e9 : cell;
  int whole = (int)cell;
  return whole - (cell < whole);
}

static inline int st_grid_wrap(const StGrid *grid, int i, int axis) {
  return i & ((1 << grid->bits[axis]) - 1);
}

// First cell of the row along x at (y, z).
static inline int st_grid_row(const StGrid *grid, int y, int z) {
  return ((st_grid_wrap(grid, z, 2) << grid->bits[1]) + st_grid_wrap(grid, y, 1)) << grid->bits[0];
}

static inline int st_grid_cell(const StGrid *grid, const double x[3]) {
  int row = st_grid_row(grid, st_grid_coordinate(grid, x[1], 1), st_grid_coordinate(grid, x[2], 2));
  return row + st_grid_wrap(grid, st_grid_coordinate(grid, x[0], 0), 0);
}

StGridBox st_grid_box(const StGrid *grid, const double low[3], const double high[3]);

// Turns counts in start[0 … cells) into offsets; the fill then moves each to its cell's end, and
// st_grid_rewind moves them back.
int st_grid_sum(StGrid *grid);
void st_grid_rewind(StGrid *grid);
