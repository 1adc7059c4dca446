// VTU and VTKHDF: points, cells and labels of every part.
#include "mesh/reader.h"

#include "base/memory.h"
#include "mesh/grid_file.h"
#include "mesh/vtk_grid.h"

#include <string.h>

// The cell array that suits best as label, if any does.
static StStatus read_labels(StGridFile *file, int index, StVtkGrid *grid, StError *error) {
  const StGridPart *part = &file->part[index];
  const StGridArray *best = NULL;
  for (int i = 0; i < part->array_count; i++) {
    const StGridArray *array = &part->array[i];
    int rank = st_vtk_label_rank((StSpan){array->name, strlen(array->name)});
    if (!array->of_cells || array->components != 1 || !array->integer || rank <= grid->label_rank)
      continue;
    best = array;
    grid->label_rank = rank;
  }
  return best ? file->format->numbers(file, index, best, true, (void **)&grid->label, error)
              : ST_OK;
}

static StStatus add_part(StGridFile *file, int index, StScan *scan, StBuilder *builder) {
  const StGridPart *part = &file->part[index];
  ST_FINALLY(st_vtk_grid_free)
  StVtkGrid grid = {.point_count = part->point_count, .cell_count = part->cell_count};
  if (grid.point_count)
    ST_TRY(file->format->points(file, index, &grid.point, scan->error));
  if (grid.cell_count)
    ST_TRY(file->format->cells(file, index, &grid, scan->error));
  if (grid.cell_count)
    ST_TRY(read_labels(file, index, &grid, scan->error));
  return st_vtk_grid_add(&grid, file->label, scan, builder);
}

static StStatus read_grid(const StGridFormat *format, StScan *scan, StBuilder *builder) {
  StGridFile *file = NULL;
  StStatus status =
      format->open(scan->name, scan->start, (size_t)(scan->end - scan->start), &file, scan->error);
  for (size_t i = 0; status == ST_OK && i < file->part_count; i++)
    status = add_part(file, (int)i, scan, builder);
  st_grid_file_close(file);
  return status;
}

StStatus st_read_vtu(StScan *scan, StBuilder *builder) {
  return read_grid(&st_grid_format_vtu, scan, builder);
}

StStatus st_read_vtkhdf(StScan *scan, StBuilder *builder) {
  return read_grid(&st_grid_format_vtkhdf, scan, builder);
}
