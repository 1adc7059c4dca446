// NAME.pvd: the list of a run's frames with their times, to be opened in ParaView.
#ifndef ST_OUTPUT_SERIES_H
#define ST_OUTPUT_SERIES_H

#include "base/status.h"

// The file of a frame, relative to the run's folder: "frames/frame_00012.vtu".
enum { ST_FRAME_NAME_SIZE = 40 };
void st_frame_name(int frame, char name[ST_FRAME_NAME_SIZE]);

// ending: of the frames' files, "vtu" or "vtm".
StStatus st_series_write(const char *path, const char *ending, const double *frame_time,
                         int frame_count, StError *error);

// Reads such a list: *frame_time [*frame_count], free() it.
StStatus st_series_read(const char *path, double **frame_time, int *frame_count, StError *error);

#endif
