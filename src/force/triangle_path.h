// How far triangles may move along a straight path without collapsing on it.
#pragma once

// from, to: the two edges from the first corner, [2][3], at both ends of the path. Less than 1 if
// the triangle would nearly lose its area on the path and regain it at the end, as when it flips
// within its own plane. Forces cannot detect such a flip, and damping would drive it back to zero
// area.
double st_triangle_path_limit(const double from[6], const double to[6]);
