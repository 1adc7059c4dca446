// Rotations as quaternions, as other programs expect them.
#ifndef ST_SHOW_ROTATION_H
#define ST_SHOW_ROTATION_H

// (x, y, z, w) of a rotation matrix (row-major); of its two quaternions the one nearer to `before`,
// so that interpolation takes the short way. NULL: either.
void st_rotation_quaternion(const double rotation[9], const float before[4], float quaternion[4]);

#endif
