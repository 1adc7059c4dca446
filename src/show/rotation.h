// Rotations as quaternions, which is how other programs want them.
#ifndef ST_SHOW_ROTATION_H
#define ST_SHOW_ROTATION_H

// (x, y, z, w) of a rotation matrix (row-major), of the two that stand for it the one nearer to
// `before`, so that what is interpolated between them turns the short way. NULL: either.
void st_rotation_quaternion(const double rotation[9], const float before[4], float quaternion[4]);

#endif
