// Frames: rows that a stiff force keeps in shape, four at a time.
#ifndef ST_SOLVE_FRAME_H
#define ST_SOLVE_FRAME_H

#include "solve/problem.h"

// Leaves of a residual at the problem's position what moves frames or is of no frame, and takes
// away what strains them. Frames with coordinates that are held keep all.
void st_frames_take_strain(const StProblem *problem, double *r);

#endif
