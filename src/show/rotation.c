// Matrix to quaternion via the largest of the four components, to avoid dividing by a small one.
#include "show/rotation.h"

#include <math.h>

static void largest_part(const double m[9], double q[4]) {
  double trace = m[0] + m[4] + m[8];
  if (trace > 0) {
    q[0] = m[7] - m[5], q[1] = m[2] - m[6], q[2] = m[3] - m[1], q[3] = 1 + trace;
    return;
  }
  int i = m[4] > m[0] ? 1 : 0;
  i = m[8] > m[4 * i] ? 2 : i;
  int j = (i + 1) % 3, k = (i + 2) % 3;
  q[i] = 1 + m[4 * i] - m[4 * j] - m[4 * k];
  q[j] = m[3 * j + i] + m[3 * i + j];
  q[k] = m[3 * k + i] + m[3 * i + k];
  q[3] = m[3 * k + j] - m[3 * j + k];
}

void st_rotation_quaternion(const double rotation[9], const float before[4], float quaternion[4]) {
  double q[4], square = 0, along = 0;
  largest_part(rotation, q);
  for (int i = 0; i < 4; i++) {
    square += q[i] * q[i];
    along += before ? q[i] * (double)before[i] : 0;
  }
  for (int i = 0; i < 4; i++)
    quaternion[i] = (float)((along < 0 ? -1 : 1) * q[i] / sqrt(square));
}
