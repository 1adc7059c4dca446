// NAME.pvd or NAME.vtkhdf.series: the list of a run's frames with their times, which is what one
// opens in ParaView. The first is XML and lists VTU files, the second JSON and lists VTKHDF files.
#pragma once

#include "base/status.h"
#include "model/description.h"

// The file of a frame, relative to the run's folder: "frames/frame_00012.vtu".
enum { ST_FRAME_NAME_SIZE = 40 };
void st_frame_name(StFrameFormat format, int frame, char name[ST_FRAME_NAME_SIZE]);

// The ending of a list of frames in this format, and the format of an ending.
const char *st_series_ending(StFrameFormat format);
StFrameFormat st_series_format(const char *name);

// Lists the frames of a run, in the format that the path says.
StStatus st_series_write(const char *path, const double *frame_time, int frame_count,
                         StError *error);

// Lists other files: prefix and ending are what is before and after "_00012." in their names.
StStatus st_series_write_as(const char *path, const char *prefix, const char *ending,
                            const double *frame_time, int frame_count, StError *error);

// Reads such a list: *frame_time [*frame_count], free() it.
StStatus st_series_read(const char *path, double **frame_time, int *frame_count, StError *error);
