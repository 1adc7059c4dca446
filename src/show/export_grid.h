// Frames as points, cells and arrays, of the skin or of all cells, with the requested fields: input
// of the analysis formats.
#pragma once

#include "mesh/vtu.h"
#include "show/export_job.h"

typedef StStatus (*StExportFrameWriter)(const StExportJob *job, int index, const StVtu *content,
                                        StError *error);

// Reads the chosen frames one by one and calls the writer for each.
StStatus st_export_frames(const StExportJob *job, StExportFrameWriter write, StError *error);

// The same into files PREFIX_00012.ENDING, and the list of them, NAME and these letters, which is
// the one to open.
StStatus st_export_series(StExportJob *job, const char *list, const char *prefix,
                          const char *ending, StExportFrameWriter write, StError *error);
