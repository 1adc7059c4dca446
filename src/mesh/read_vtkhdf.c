// VTKHDF: points, cells and labels of every part.
#include "mesh/reader.h"

#include "base/memory.h"
#include "mesh/vtk_grid.h"
#include "mesh/vtkhdf_file.h"

#include <string.h>

// All parts, as the file has them one after the other.
typedef struct Whole {
  double *point;
  int64_t *start, *connectivity, *type, *label;
  int label_rank;
} Whole;

static StStatus read_labels(const StVtkhdfFile *file, Whole *whole, StError *error) {
  const StVtkhdfArray *best = NULL;
  for (int i = 0; i < st_vtkhdf_file_array_count(file); i++) {
    const StVtkhdfArray *array = st_vtkhdf_file_array(file, i);
    int rank = st_vtk_label_rank((StSpan){array->name, strlen(array->name)});
    if (!array->of_cells || array->components != 1 || !array->integer || rank <= whole->label_rank)
      continue;
    best = array;
    whole->label_rank = rank;
  }
  return best ? st_vtkhdf_file_integers(file, best, &whole->label, error) : ST_OK;
}

static StStatus read_whole(const StVtkhdfFile *file, Whole *whole, StError *error) {
  ST_TRY(st_vtkhdf_file_positions(file, &whole->point, error));
  ST_TRY(st_vtkhdf_file_cells(file, "Offsets", &whole->start, error));
  ST_TRY(st_vtkhdf_file_cells(file, "Connectivity", &whole->connectivity, error));
  ST_TRY(st_vtkhdf_file_cells(file, "Types", &whole->type, error));
  return read_labels(file, whole, error);
}

// Where a part begins.
typedef struct Place {
  size_t point, cell, start, connectivity;
} Place;

static StStatus add_part(const Whole *whole, Place at, const StVtkhdfExtent *extent,
                         const StVtkNames *names, StScan *scan, StBuilder *builder) {
  StVtkGrid grid = {.point_count = extent->point_count,
                    .point = whole->point + 3 * at.point,
                    .cell_count = extent->cell_count,
                    .end = whole->start + at.start + 1,
                    .connectivity_count = extent->connectivity_count,
                    .connectivity = whole->connectivity + at.connectivity,
                    .type = whole->type + at.cell,
                    .label = whole->label ? whole->label + at.cell : NULL,
                    .label_rank = whole->label_rank};
  int64_t first = whole->start[at.start];
  int64_t last = whole->start[at.start + extent->cell_count];
  if (first != 0 || last != (int64_t)extent->connectivity_count)
    return st_fail(scan->error, ST_BAD_INPUT,
                   "%s: damaged (the offsets of its cells go from %lld to %lld where there are %zu "
                   "numbers of points)",
                   scan->name, (long long)first, (long long)last, extent->connectivity_count);
  return st_vtk_grid_add(&grid, names, scan, builder);
}

static StStatus add_parts(const StVtkhdfFile *file, const Whole *whole, const StVtkNames *names,
                          StScan *scan, StBuilder *builder) {
  Place at = {0};
  for (int i = 0; i < st_vtkhdf_file_part_count(file); i++) {
    const StVtkhdfExtent *extent = st_vtkhdf_file_part(file, i);
    ST_TRY(add_part(whole, at, extent, names, scan, builder));
    at.point += extent->point_count;
    at.cell += extent->cell_count;
    at.start += extent->cell_count + 1;
    at.connectivity += extent->connectivity_count;
  }
  return ST_OK;
}

static StStatus take_names(const StVtkhdfFile *file, StVtkNames *names, StError *error) {
  char *const *label = st_vtkhdf_file_labels(file);
  while (label[names->count])
    ST_TRY(
        st_vtk_names_add(names, (StSpan){label[names->count], strlen(label[names->count])}, error));
  return ST_OK;
}

StStatus st_read_vtkhdf(StScan *scan, StBuilder *builder) {
  StVtkhdfFile *file = NULL;
  Whole whole = {0};
  StVtkNames names = {0};
  // HDF5 copies the bytes and does not change them.
  ST_TRY(st_vtkhdf_file_open(scan->name, (char *)scan->start, (size_t)(scan->end - scan->start),
                             &file, scan->error));
  StStatus status = take_names(file, &names, scan->error);
  if (status == ST_OK)
    status = read_whole(file, &whole, scan->error);
  if (status == ST_OK)
    status = add_parts(file, &whole, &names, scan, builder);
  void *array[] = {whole.point, whole.start, whole.connectivity, whole.type, whole.label};
  for (int i = 0; i < ST_LENGTH(array); i++)
    free(array[i]);
  free(names.name);
  st_vtkhdf_file_close(file);
  return status;
}
