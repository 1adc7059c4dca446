// Writes VTU: points, tets, triangles and single points with any number of arrays, little-endian,
// zlib-compressed and appended raw. Used for meshes and for frames of simulations.
#pragma once

#include "base/status.h"
#include "base/text.h"

typedef enum StVtuKind { ST_VTU_FLOAT64, ST_VTU_FLOAT32, ST_VTU_INT32 } StVtuKind;

// real for the two float kinds, integer otherwise: [points or cells][components].
typedef struct StVtuArray {
  const char *name;
  int components; // 1 scalar, 3 vector, 6 symmetric tensor (xx yy zz xy yz xz), 9 tensor
  StVtuKind kind;
  const double *real;
  const int *integer;
} StVtuArray;

// The cells of files that have the same ones, compressed once. All zero: none yet.
typedef struct StVtuCells {
  char *packed;     // connectivity, offsets and types
  size_t length[3]; // of each
} StVtuCells;

// Cells are tets, then triangles, then single points; cell arrays have the same order.
typedef struct StVtu {
  int point_count;
  const double *position; // [point_count][3]
  int tet_count;
  const int *tet; // [tet_count][4]
  // [tet_count + 1] where each begins in `tet`, if some are of second order: those have ten points
  // (st_mesh_element_points). NULL: none is
  const int *tet_start;
  int triangle_count;
  const int *triangle; // [triangle_count][3]
  int vertex_count;
  const int *vertex; // [vertex_count] cells of one point each
  StVtuCells *cells; // keeps them for the next file; NULL: there is none, or it has others

  int point_array_count;
  const StVtuArray *point_array;
  int cell_array_count;
  const StVtuArray *cell_array;

  // Names of the values 0, 1 … of the Int32 cell array "label", kept as field array "LabelNames".
  int label_count;
  char *const *label_name;

  bool has_time;
  double time; // s, shown by viewers as the time of the frame (field array "TimeValue")
} StVtu;

// Numbers of points of all tets before this one.
static inline size_t st_vtu_tet_start(const StVtu *content, size_t tet) {
  return content->tet_start ? (size_t)content->tet_start[tet] : 4 * tet;
}

// The number by which VTK knows cell number `cell`.
static inline int st_vtu_type(const StVtu *content, size_t cell) {
  size_t tets = (size_t)content->tet_count, triangles = (size_t)content->triangle_count;
  if (cell >= tets)
    return cell < tets + triangles ? 5 : 1;
  return st_vtu_tet_start(content, cell + 1) - st_vtu_tet_start(content, cell) == 4 ? 10 : 24;
}

// Appends the whole file to the text.
StStatus st_vtu_build(const StVtu *content, StText *text, StError *error);

// The same into a file, which appears complete or not at all.
StStatus st_vtu_write(const char *path, const StVtu *content, StError *error);
