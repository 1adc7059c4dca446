// Rigid modes of stiff groups of rows (solve/problem.h).
#pragma once

#include "solve/problem.h"

// Projects each group's part of a residual, or of a direction, onto its rigid modes at these
// positions, [rows][3]. Rows of no group, and groups with a fixed coordinate, stay as they are.
void st_rigid_modes_project(const StProblem *problem, const double *position, double *r);
