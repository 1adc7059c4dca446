// frames/frame_00012.vtu or .vtkhdf: one state of all bodies for ParaView and friends. Positions
// are Float64, for results are compared to many digits; the other fields are Float32, twice as
// small and for the eye. Points: velocity, displacement, force_NAME, contact_… Cells: kind, body,
// material … VTU is written by the first process, which gets all rows; VTKHDF by all together.
#pragma once

#include "model/description.h"
#include "step/record.h"

// The data that all frames of a run share: the rows of this process, and the elements in them.
typedef struct StFrameWriter StFrameWriter;

// The format of a new run's frames: what the description says, or else by the number of processes.
StFrameFormat st_frame_format(const StDescription *description);

// format: not AUTO.
StStatus st_frame_writer_create(const StDescription *description, StFrameFormat format,
                                StFrameWriter **writer, StError *error);
void st_frame_writer_destroy(StFrameWriter *writer); // NULL is fine

// The rows of a snapshot that this process needs; of elements of second order the parts.
StRows st_frame_writer_vertices(const StFrameWriter *writer);
StRows st_frame_writer_tets(const StFrameWriter *writer);

// Cells are tets, then triangles, each through all bodies; stress is the mean of an element, zero
// where there is none. The
// file appears whole or not at all. Collective.
StStatus st_frame_write(const StFrameWriter *writer, const char *path, const StSnapshot *snapshot,
                        StError *error);
