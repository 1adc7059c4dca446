// The data of legacy VTK files, as text or big-endian bytes, depending on the file.
#pragma once

#include "mesh/number.h"
#include "mesh/scan.h"

StStatus st_vtk_type(StScan *scan, StNumberType *type);
StStatus st_vtk_count(StScan *scan, const char *what, size_t *count);

// Arrays that follow the line read last; *value: [count], free() it. what: "a coordinate" …
StStatus st_vtk_reals(StScan *scan, const char *what, StNumberType type, size_t count,
                      double **value);
StStatus st_vtk_integers(StScan *scan, const char *what, StNumberType type, size_t count,
                         int64_t **value);
StStatus st_vtk_skip(StScan *scan, const char *what, StNumberType type, size_t count);

StStatus st_vtk_binary_string(StScan *scan, StSpan *text);
