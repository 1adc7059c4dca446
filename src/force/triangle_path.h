// How far triangles may go along a straight way without collapsing on it.
#ifndef ST_FORCE_TRIANGLE_PATH_H
#define ST_FORCE_TRIANGLE_PATH_H

// from, to: the two edges from the first corner, [2][3], at both ends of the way. 1, or less: then
// the triangle would all but lose its area on the way and have it again at the end, as one that is
// turned over in its own plane does. Forces cannot tell that it has been, and those that damp would
// drive it back to where it has no area.
double st_triangle_path_limit(const double from[6], const double to[6]);

#endif
