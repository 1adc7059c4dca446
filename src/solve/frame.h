// Frames: rows that a stiff force keeps in shape, four at a time.
#ifndef ST_SOLVE_FRAME_H
#define ST_SOLVE_FRAME_H

#include "solve/problem.h"

// Leaves of a residual, or of a direction, what moves frames or is of no frame, and takes away what
// strains them. Frames with coordinates that are held keep all. position: of all rows.
void st_frames_take_strain(const StProblem *problem, const double *position, double *r);

#endif
