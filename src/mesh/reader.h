// What the readers of the single formats share. A reader fills the builder from the scan; what it
// owns besides is freed by itself, the builder by its caller.
#ifndef ST_MESH_READER_H
#define ST_MESH_READER_H

#include "mesh/builder.h"
#include "mesh/scan.h"

StStatus st_read_msh(StScan *scan, StBuilder *builder);
StStatus st_read_vtk(StScan *scan, StBuilder *builder);
StStatus st_read_vtu(StScan *scan, StBuilder *builder);
StStatus st_read_obj(StScan *scan, StBuilder *builder);
StStatus st_read_stl(StScan *scan, StBuilder *builder);

#endif
