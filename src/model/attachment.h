// Points that move with a part of a body: weighted sums of its vertices, by the affine map that
// fits them. A point keeps its position relative to the vertices however the part moves and turns.
#pragma once

enum { ST_JOINT_POINTS = 4 };

// rest: [count][3] of the vertices; place: [points][3]. weight: [count][ST_JOINT_POINTS], sums to 1
// for each point. Returns the largest distance of the sums from the places, m: more than rounding
// if the vertices lie in a plane or on a line and a place does not.
double st_attach(int count, const double *rest, int points, const double place[][3],
                 double *weight);

double st_attachment_radius(int count, const double *rest); // root mean square distance, m
