// Frames as points, cells and arrays, of the skin or of all cells, with the fields that are asked
// for: what formats for analysis write.
#ifndef ST_SHOW_EXPORT_GRID_H
#define ST_SHOW_EXPORT_GRID_H

#include "mesh/vtu.h"
#include "show/export_job.h"

typedef StStatus (*StExportFrameWriter)(const StExportJob *job, int index, const StVtu *content,
                                        StError *error);

// Reads the chosen frames one after the other and has each written.
StStatus st_export_frames(const StExportJob *job, StExportFrameWriter write, StError *error);

// The folder "frames" in the export's own, and NAME.pvd, which lists what is in it: to be opened.
StStatus st_export_frames_folder(const StExportJob *job, StError *error);
StStatus st_export_series(StExportJob *job, const char *ending, StError *error);

#endif
