// Rotations as quaternions, as other programs expect them.
#pragma once

// (x, y, z, w) of a rotation matrix (row-major); of its two quaternions the one nearer to `before`,
// so that interpolation takes the short way. NULL: either.
void st_rotation_quaternion(const double rotation[9], const float before[4], float quaternion[4]);
