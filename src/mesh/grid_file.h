// A file of VTK's unstructured grids, VTU or VTKHDF, in memory: its parts, and their arrays by
// name, unpacked when they are asked for. The mesh reader and the reader of frames both stand on
// this.
#pragma once

#include "base/status.h"

#include <stdint.h>

typedef struct StGridArray {
  char *name;    // "velocity", "von_mises" …: docs/running.md lists those of frames
  bool of_cells; // one item per cell; otherwise per point
  bool integer;
  int components; // 1 scalar, 3 vector, 6 symmetric tensor (xx yy zz xy yz xz)
} StGridArray;

// Cells number the points of their own part.
typedef struct StGridPart {
  size_t point_count, cell_count;
  int array_count;
  StGridArray *array; // [array_count]
} StGridPart;

typedef struct StGridFormat StGridFormat;
typedef struct StVtkGrid StVtkGrid; // mesh/vtk_grid.h

typedef struct StGridFile {
  const StGridFormat *format;
  size_t part_count, part_capacity;
  StGridPart *part;
  char *label_text, **label; // into the text: names of the values 0, 1 … of the cell array "label",
                             // NULL-terminated
  bool has_time;
  double time; // s
} StGridFile;

struct StGridFormat {
  // The bytes must outlive a VTU file; name is for messages.
  StStatus (*open)(const char *name, const char *bytes, size_t size, StGridFile **file,
                   StError *error);
  void (*close)(StGridFile *file);
  // [points][3], free() it.
  StStatus (*points)(StGridFile *file, int part, double **value, StError *error);
  // Ends, connectivity and types of the cells.
  StStatus (*cells)(StGridFile *file, int part, StVtkGrid *grid, StError *error);
  // [items][components] as double, or (whole) as int64_t; free() it. Doubles hold integers of 32
  // bits exactly.
  StStatus (*numbers)(StGridFile *file, int part, const StGridArray *array, bool whole,
                      void **value, StError *error);
};

extern const StGridFormat st_grid_format_vtu, st_grid_format_vtkhdf;

static inline void st_grid_file_close(StGridFile *file) { // NULL is fine
  if (file)
    file->format->close(file);
}
