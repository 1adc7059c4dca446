// Constant velocity and spin from a pose on.
#include "api/course.h"

#include "math/vec3.h"

#include <math.h>

void st_rotation_about(const double vector[3], double rotation[9]) {
  double angle = vec3_length(vector), axis[3] = {1, 0, 0};
  for (int c = 0; c < 3 && angle > 0; c++)
    axis[c] = vector[c] / angle;
  mat3_rotation(axis, angle, rotation);
}

// The axis of a half turn, where the skew part is nothing: R + 1 = 2 a aᵀ.
static void half_turn_axis(const double r[9], double axis[3]) {
  int largest = 0;
  for (int c = 1; c < 3; c++)
    if (r[4 * c] > r[4 * largest])
      largest = c;
  for (int c = 0; c < 3; c++)
    axis[c] = r[3 * largest + c] + (c == largest);
  double length = vec3_length(axis);
  for (int c = 0; c < 3; c++)
    axis[c] /= length;
}

void st_rotation_vector(const double r[9], double vector[3]) {
  const double skew[3] = {(r[7] - r[5]) / 2, (r[2] - r[6]) / 2, (r[3] - r[1]) / 2};
  double sine = vec3_length(skew), cosine = (r[0] + r[4] + r[8] - 1) / 2;
  double angle = atan2(sine, cosine), axis[3];
  // Near a half turn the skew part has few digits left, but still the sign.
  if (cosine < -0.99) {
    half_turn_axis(r, axis);
    double sign = vec3_dot(axis, skew) < 0 ? -1 : 1;
    for (int c = 0; c < 3; c++)
      vector[c] = sign * angle * axis[c];
    return;
  }
  for (int c = 0; c < 3; c++)
    vector[c] = sine > 0 ? skew[c] * (angle / sine) : 0;
}

static void multiply(const double a[9], const double b[9], double out[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

void st_course_pose(const StCourse *course, double time, StRigidPose *pose) {
  double passed = fmin(time, course->end) - course->start;
  bool moves = time < course->end;
  double way[3], turn[9], arm[3], turned[3];
  for (int c = 0; c < 3; c++) {
    way[c] = course->spin[c] * passed;
    pose->pivot[c] = course->pivot[c] + course->velocity[c] * passed;
    pose->velocity[c] = moves ? course->velocity[c] : 0;
    pose->spin[c] = moves ? course->spin[c] : 0;
  }
  st_rotation_about(way, turn);
  multiply(turn, course->rotation, pose->rotation);
  vec3_sub(course->shift, course->pivot, arm);
  mat3_apply(turn, arm, turned);
  for (int c = 0; c < 3; c++)
    pose->shift[c] = pose->pivot[c] + turned[c];
}
