// Functions that the readers of all formats share. A reader fills the builder from the scan; it
// frees what it owns, the caller frees the builder.
#pragma once

#include "mesh/builder.h"
#include "mesh/scan.h"

StStatus st_read_msh(StScan *scan, StBuilder *builder);
StStatus st_read_vtk(StScan *scan, StBuilder *builder);
StStatus st_read_vtu(StScan *scan, StBuilder *builder);
StStatus st_read_vtkhdf(StScan *scan, StBuilder *builder);
StStatus st_read_obj(StScan *scan, StBuilder *builder);
StStatus st_read_stl(StScan *scan, StBuilder *builder);
