// A VTKHDF file in memory: its arrays by name, unpacked when they are asked for. The mesh reader
// and the reader of frames both stand on this.
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct StVtkhdfArray {
  char *name;
  bool of_cells; // else of points
  bool integer;
  int components;
} StVtkhdfArray;

// Points and cells of one part; parts follow each other in all arrays, and cells number the points
// of their own part.
typedef struct StVtkhdfExtent {
  size_t point_count, cell_count, connectivity_count;
} StVtkhdfExtent;

typedef struct StVtkhdfFile StVtkhdfFile;

// Only unstructured grids. name is for messages; the bytes are not needed afterwards.
StStatus st_vtkhdf_file_open(const char *name, char *bytes, size_t size, StVtkhdfFile **file,
                             StError *error);
void st_vtkhdf_file_close(StVtkhdfFile *file); // NULL is fine

int st_vtkhdf_file_part_count(const StVtkhdfFile *file);
const StVtkhdfExtent *st_vtkhdf_file_part(const StVtkhdfFile *file, int part);
const StVtkhdfExtent *st_vtkhdf_file_total(const StVtkhdfFile *file);

int st_vtkhdf_file_array_count(const StVtkhdfFile *file);
const StVtkhdfArray *st_vtkhdf_file_array(const StVtkhdfFile *file, int index);

// Names of the values 0, 1 … of the cell array "label", NULL-terminated; none: empty.
char *const *st_vtkhdf_file_labels(const StVtkhdfFile *file);

// false: the file does not say.
bool st_vtkhdf_file_time(const StVtkhdfFile *file, double *time);

// All rows: [rows][components], [points][3] and, by its name in the format ("Connectivity",
// "Offsets", "Types"), a list of the grid; free() it. Integers come as doubles, which hold those of
// 32 bits exactly.
StStatus st_vtkhdf_file_reals(const StVtkhdfFile *file, const StVtkhdfArray *array, double **value,
                              StError *error);
StStatus st_vtkhdf_file_positions(const StVtkhdfFile *file, double **value, StError *error);
StStatus st_vtkhdf_file_integers(const StVtkhdfFile *file, const StVtkhdfArray *array,
                                 int64_t **value, StError *error);
StStatus st_vtkhdf_file_cells(const StVtkhdfFile *file, const char *name, int64_t **value,
                              StError *error);
