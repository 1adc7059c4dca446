// The rotation that fits a body's motion best is the orthogonal part of Σ after · beforeᵀ.
#include "judge/course.h"

#include "math/eigen.h"
#include "math/vec3.h"

// A rotation by less changes nothing.
static const double LEAST_ANGLE = 1e-6;

// Below this part of the largest, the body is flat or thin and its rotation is completed.
static const double FLAT = 1e-10;

static void middle_of(const StHull *hull, const double *position, double middle[3]) {
  vec3_set(0, 0, 0, middle);
  for (int i = 0; i < hull->point_count; i++)
    vec3_add_scaled(1.0 / hull->point_count, position + 3 * (size_t)hull->point[i], middle);
}

static StBox box_of(const StHull *hull, const double *position) {
  StBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int i = 0; i < hull->point_count; i++)
    for (int c = 0; c < 3; c++) {
      double x = position[3 * (size_t)hull->point[i] + (size_t)c];
      box.low[c] = fmin(box.low[c], x);
      box.high[c] = fmax(box.high[c], x);
    }
  return box;
}

// turn: from the eigenvectors of productᵀ product to their images, unit vectors each.
static bool find_turn(const double product[9], double turn[9]) {
  double square[9] = {0}, value[3], vector[9], image[3][3], own[3][3];
  int order[3] = {0, 1, 2};
  for (int i = 0; i < 9; i++)
    for (int k = 0; k < 3; k++)
      square[i] += product[3 * k + i / 3] * product[3 * k + i % 3];
  mat3_eigen(square, value, vector);
  for (int i = 0; i < 2; i++)
    for (int k = i + 1; k < 3; k++)
      if (value[order[k]] > value[order[i]]) {
        int swap = order[i];
        order[i] = order[k];
        order[k] = swap;
      }
  if (!(value[order[1]] > FLAT * value[order[0]]))
    return false; // a line
  for (int k = 0; k < 2; k++) {
    for (int c = 0; c < 3; c++)
      own[k][c] = vector[3 * c + order[k]];
    mat3_apply(product, own[k], image[k]);
    double length = vec3_length(image[k]);
    for (int c = 0; c < 3; c++)
      image[k][c] /= length;
  }
  vec3_cross(own[0], own[1], own[2]);
  vec3_cross(image[0], image[1], image[2]);
  for (int i = 0; i < 9; i++)
    turn[i] = image[0][i / 3] * own[0][i % 3] + image[1][i / 3] * own[1][i % 3] +
              image[2][i / 3] * own[2][i % 3];
  return true;
}

// The axis a of half a turn, in either sense: R + 1 = 2 a aᵀ.
static void half_turn_axis(const double turn[9], double axis[3]) {
  int largest = 0;
  for (int c = 1; c < 3; c++)
    largest = turn[4 * c] > turn[4 * largest] ? c : largest;
  for (int c = 0; c < 3; c++)
    axis[c] = turn[3 * largest + c] + (c == largest);
  double length = vec3_length(axis);
  for (int c = 0; c < 3; c++)
    axis[c] /= length;
}

static void find_axis(const double turn[9], StCourse *course) {
  double twice[3] = {turn[7] - turn[5], turn[2] - turn[6], turn[3] - turn[1]};
  double sine = vec3_length(twice) / 2, cosine = (turn[0] + turn[4] + turn[8] - 1) / 2;
  course->angle = atan2(sine, cosine);
  if (!(sine > LEAST_ANGLE)) {
    course->angle = cosine < 0 ? course->angle : 0;
    half_turn_axis(turn, course->axis);
    return;
  }
  for (int c = 0; c < 3; c++)
    course->axis[c] = twice[c] / (2 * sine);
}

void st_course_of_body(const StHull *hull, const double *before, const double *after,
                       StCourse *course) {
  double end[3], product[9] = {0}, turn[9], square = 0;
  *course = (StCourse){.hull = hull, .before = before, .after = after};
  middle_of(hull, before, course->middle);
  middle_of(hull, after, end);
  vec3_sub(end, course->middle, course->shift);
  for (int i = 0; i < hull->point_count; i++) {
    double a[3], b[3];
    vec3_sub(before + 3 * (size_t)hull->point[i], course->middle, a);
    vec3_sub(after + 3 * (size_t)hull->point[i], end, b);
    square = fmax(square, fmax(vec3_dot(a, a), vec3_dot(b, b)));
    for (int k = 0; k < 9; k++)
      product[k] += b[k / 3] * a[k % 3];
  }
  course->radius = sqrt(square);
  if (find_turn(product, turn))
    find_axis(turn, course);
  course->bulge = course->radius * (1 - cos(course->angle / 2));
  course->box[0] = box_of(hull, before);
  course->box[1] = box_of(hull, after);
}

static void place_obstacle(const StCourse *course, double time, double *position) {
  const StObstacleDesc *desc = course->obstacle;
  StRigidPose pose;
  st_motion_pose(&desc->motion, time, &pose);
  for (int v = 0; v < course->rest_count; v++) {
    double rest[3], *x = position + 3 * (size_t)v;
    mat3_apply(desc->rotation, course->rest + 3 * (size_t)v, rest);
    vec3_add_scaled(1, desc->origin, rest);
    mat3_apply(pose.rotation, rest, x);
    vec3_add_scaled(1, pose.shift, x);
  }
}

void st_course_of_obstacle(const StObstacleDesc *desc, const StHull *hull, const double *rest,
                           int count, const double time[2], double *before, double *after,
                           StCourse *course) {
  *course = (StCourse){.hull = hull,
                       .before = before,
                       .after = after,
                       .obstacle = desc,
                       .rest = rest,
                       .rest_count = count,
                       .start = time[0],
                       .end = time[1]};
  place_obstacle(course, time[0], before);
  place_obstacle(course, time[1], after);
  middle_of(hull, before, course->middle);
  for (int i = 0; i < hull->point_count; i++) {
    double arm[3];
    vec3_sub(before + 3 * (size_t)hull->point[i], course->middle, arm);
    course->radius = fmax(course->radius, vec3_length(arm));
  }
  for (int k = 0; k < 2 && st_motion_moves(&desc->motion); k++) {
    StRigidPose pose;
    double arm[3];
    st_motion_pose(&desc->motion, time[k], &pose);
    vec3_sub(course->middle, pose.pivot, arm);
    course->angle = fmax(course->angle, vec3_length(pose.spin) * (time[1] - time[0]));
    course->bulge = fmax(course->bulge, (course->radius + vec3_length(arm)) *
                                            (1 - cos(fmin(course->angle, acos(-1)) / 2)));
  }
  course->box[0] = box_of(hull, before);
  course->box[1] = box_of(hull, after);
}

const double *st_course_at(const StCourse *course, double share, double *room) {
  double turn[9], back[9];
  if (share == 0 || share == 1)
    return share == 0 ? course->before : course->after;
  if (course->obstacle) {
    place_obstacle(course, course->start + share * (course->end - course->start), room);
    return room;
  }
  mat3_rotation(course->axis, share * course->angle, turn);
  mat3_rotation(course->axis, -course->angle, back);
  for (int i = 0; i < course->hull->point_count; i++) {
    size_t at = 3 * (size_t)course->hull->point[i];
    double a[3], b[3], arm[3], own[3];
    vec3_sub(course->before + at, course->middle, a);
    vec3_sub(course->after + at, course->middle, arm);
    vec3_add_scaled(-1, course->shift, arm);
    mat3_apply(back, arm, b);
    for (int c = 0; c < 3; c++)
      own[c] = a[c] + share * (b[c] - a[c]);
    mat3_apply(turn, own, room + at);
    vec3_add_scaled(1, course->middle, room + at);
    vec3_add_scaled(share, course->shift, room + at);
  }
  return room;
}
