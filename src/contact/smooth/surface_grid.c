// Wrapped cells: how many along each axis, and the sums of a counting sort. Tested by
// tests/contact/test_surface_search.c.
#include "contact/smooth/surface_grid.h"
#include "base/memory.h"

#include <string.h>

// Cells along an axis: at least four, so that three neighbours are three different cells.
enum { FEWEST_BITS = 2, MOST_BITS = 9 };

static void choose_bits(StGrid *grid, const double extent[3], double cell, size_t count) {
  int total = 0, most = 3 * FEWEST_BITS;
  while (((size_t)1 << most) < 2 * count && most < 3 * MOST_BITS)
    most++;
  for (int axis = 0; axis < 3; axis++) {
    int *bits = &grid->bits[axis];
    *bits = FEWEST_BITS;
    while (*bits < MOST_BITS && (double)(1 << *bits) * cell < extent[axis])
      ++*bits;
    total += *bits;
  }
  for (; total > most; total--) {
    int widest = grid->bits[0] >= grid->bits[1] ? 0 : 1;
    widest = grid->bits[widest] >= grid->bits[2] ? widest : 2;
    grid->bits[widest]--;
  }
}

StStatus st_grid_lay(StGrid *grid, const double low[3], const double high[3], double cell,
                     size_t count, StError *error) {
  double extent[3];
  for (int axis = 0; axis < 3; axis++) {
    extent[axis] = high[axis] - low[axis];
    grid->origin[axis] = low[axis];
  }
  choose_bits(grid, extent, cell, count);
  grid->inverse_cell = 1 / cell;
  size_t cells = (size_t)st_grid_cell_count(grid);
  if (!ST_GROW(grid->start, grid->cell_capacity, cells + 1))
    return st_fail_memory(error);
  memset(grid->start, 0, (cells + 1) * sizeof(int));
  return ST_OK;
}

void st_grid_free(StGrid *grid) {
  free(grid->start);
  free(grid->item);
  *grid = (StGrid){0};
}

StGridBox st_grid_box(const StGrid *grid, const double low[3], const double high[3]) {
  StGridBox box;
  for (int axis = 0; axis < 3; axis++) {
    int cells = 1 << grid->bits[axis];
    int first = st_grid_coordinate(grid, low[axis], axis);
    int count = st_grid_coordinate(grid, high[axis], axis) - first + 1;
    box.low[axis] = first;
    box.count[axis] = count < cells ? count : cells;
  }
  return box;
}

int st_grid_sum(StGrid *grid) {
  int cells = st_grid_cell_count(grid), sum = 0;
  for (int cell = 0; cell <= cells; cell++) {
    int count = grid->start[cell];
    grid->start[cell] = sum;
    sum += count;
  }
  return sum;
}

void st_grid_rewind(StGrid *grid) {
  int cells = st_grid_cell_count(grid);
  memmove(grid->start + 1, grid->start, (size_t)cells * sizeof(int));
  grid->start[0] = 0;
}
