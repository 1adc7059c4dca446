// frames/frame_00012.vtu: one state of all bodies for ParaView and friends. Positions are Float64,
// for results are compared to many digits; the other fields are Float32, twice as small and for the
// eye. Points: velocity, displacement, force_NAME, contact_… Cells: kind, body, material …
#ifndef ST_OUTPUT_FRAME_H
#define ST_OUTPUT_FRAME_H

#include "model/description.h"
#include "step/record.h"

// What all frames of a run have in common: elements of all bodies in one numbering.
typedef struct StFrameWriter StFrameWriter;

StStatus st_frame_writer_create(const StDescription *description, StFrameWriter **writer,
                                StError *error);
void st_frame_writer_destroy(StFrameWriter *writer); // NULL is fine

// Cells are tets, then triangles, each through all bodies; stress is zero where there is none.
StStatus st_frame_write(const StFrameWriter *writer, const char *path, const StSnapshot *snapshot,
                        StError *error);

// √(½((xx−yy)² + (yy−zz)² + (zz−xx)²) + 3(xy² + yz² + zx²))
double st_von_mises(const double stress[6]);

#endif
