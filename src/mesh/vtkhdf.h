// Writes VTKHDF 1.0, VTK's format in HDF5 (ParaView 5.10, VTK 9.1 and later): points, tets,
// triangles and single points with any number of arrays. One process has a whole file built in
// memory; several have a file open together, and each writes its own rows of every array.
#pragma once

#include "mesh/hdf_image.h"
#include "mesh/vtu.h"

// Rows are compressed in chunks of so many. Processes whose parts begin at multiples of it never
// share one.
enum { ST_VTKHDF_CHUNK = 8192 };

// Which rows of the file the content is: points from point_first on, and cells from cell_first on
// in the order tets, triangles, single points. Corners: numbers of points of tets.
typedef struct StVtkhdfPart {
  size_t point_first, point_total;
  size_t cell_first, tet_total, triangle_total, vertex_total;
  size_t corner_first, corner_total;
} StVtkhdfPart;

// The whole file; free() it.
StStatus st_vtkhdf_build(const StVtu *content, char **bytes, size_t *size, StError *error);

// The same into a file, which appears whole or not at all.
StStatus st_vtkhdf_write(const char *path, const StVtu *content, StError *error);

// Bytes that the whole file can have at most: without compression.
size_t st_vtkhdf_most(const StVtu *content, const StVtkhdfPart *part);

// One part into an empty file. transfer: how rows are written (H5P_DEFAULT, or collectively by all
// who have the file open; names and numbers of arrays, labels and time must then be the same for
// all). false: memory or disk is full.
bool st_vtkhdf_fill(hid_t file, hid_t transfer, const StVtu *content, const StVtkhdfPart *part);
