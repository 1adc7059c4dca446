// Lag and wrinkles of a tyre.
#include "experiment/tyre_form.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "model/hinge.h"

// Hinges within the side walls, and what the measure needs of them at rest.
typedef struct Walls {
  int count;
  StHinge *hinge;
  double *angle, *weight; // [count] at rest; edge over a third of the mean height
  double area;            // m², of the walls
} Walls;

typedef struct Gauge {
  const StMesh *mesh;
  Walls walls;
  double *first; // [vertices][3] positions in the first frame
} Gauge;

static void triangle_normal(const double *position, const int *corner, double normal[3]) {
  double a[3], b[3];
  vec3_sub(position + 3 * (size_t)corner[1], position + 3 * (size_t)corner[0], a);
  vec3_sub(position + 3 * (size_t)corner[2], position + 3 * (size_t)corner[0], b);
  vec3_cross(a, b, normal);
}

// Between the two triangles, signed by the edge's direction.
static double hinge_angle(const StMesh *mesh, const StHinge *hinge, const double *position) {
  double one[3], other[3], edge[3], turn[3];
  triangle_normal(position, mesh->triangle + 3 * (size_t)hinge->triangle[0], one);
  triangle_normal(position, mesh->triangle + 3 * (size_t)hinge->triangle[1], other);
  vec3_sub(position + 3 * (size_t)hinge->vertex[1], position + 3 * (size_t)hinge->vertex[0], edge);
  vec3_cross(one, other, turn);
  return atan2(vec3_dot(turn, edge) / vec3_length(edge), vec3_dot(one, other));
}

static void add_hinge(const StMesh *mesh, Walls *walls, const StHinge *hinge) {
  double edge[3], area = 0;
  vec3_sub(mesh->position + 3 * (size_t)hinge->vertex[1],
           mesh->position + 3 * (size_t)hinge->vertex[0], edge);
  for (int i = 0; i < 2; i++)
    area += st_triangle_area(mesh->position, mesh->triangle + 3 * (size_t)hinge->triangle[i]);
  walls->weight[walls->count] = 3 * vec3_dot(edge, edge) / area;
  walls->angle[walls->count] = hinge_angle(mesh, hinge, mesh->position);
  walls->hinge[walls->count++] = *hinge;
}

static StStatus open_walls(const StMesh *mesh, Walls *walls, StError *error) {
  int all, wall = st_mesh_find_label(mesh, "wall");
  ST_TRY(st_mesh_hinges(mesh, &walls->hinge, &all, error));
  walls->angle = ST_NEW(double, all);
  walls->weight = ST_NEW(double, all);
  if (!walls->angle || !walls->weight)
    return st_fail_memory(error);
  for (int t = 0; t < mesh->triangle_count; t++)
    if (mesh->triangle_label[t] == wall)
      walls->area += st_triangle_area(mesh->position, mesh->triangle + 3 * (size_t)t);
  for (int i = 0; i < all; i++) {
    StHinge hinge = walls->hinge[i]; // those kept move to the front of the same array
    if (mesh->triangle_label[hinge.triangle[0]] == wall &&
        mesh->triangle_label[hinge.triangle[1]] == wall)
      add_hinge(mesh, walls, &hinge);
  }
  return ST_OK;
}

static void close_gauge(Gauge *gauge) {
  free(gauge->walls.hinge);
  free(gauge->walls.angle);
  free(gauge->walls.weight);
  free(gauge->first);
}

// Energy ½ k Σ w Δθ² = ½ 3k A Γ²: see "Equivalent plate" in docs/physics.md.
static double bend_of(const Gauge *gauge, const double *position) {
  const Walls *walls = &gauge->walls;
  double sum = 0;
  for (int i = 0; i < walls->count; i++) {
    double turn = hinge_angle(gauge->mesh, &walls->hinge[i], position) - walls->angle[i];
    turn = remainder(turn, 2 * M_PI);
    sum += walls->weight[i] * turn * turn;
  }
  return sqrt(sum / (3 * walls->area));
}

// Best turn about the axle that takes the labelled vertices from where they were at first.
static double turn_of(const Gauge *gauge, const char *label, const double *position) {
  int wanted = st_mesh_find_label(gauge->mesh, label);
  double sine = 0, cosine = 0;
  for (int i = 0; i < gauge->mesh->tag_count; i++) {
    if (gauge->mesh->tag[2 * (size_t)i + 1] != wanted)
      continue;
    size_t at = 3 * (size_t)gauge->mesh->tag[2 * (size_t)i];
    const double *x = gauge->first + at, *y = position + at;
    sine += x[2] * y[0] - x[0] * y[2];
    cosine += x[0] * y[0] + x[2] * y[2];
  }
  return atan2(sine, cosine);
}

static StStatus measure_frame(const StRecording *recording, Gauge *gauge, int frame,
                              StTyreCourse *course, StError *error) {
  double *position;
  ST_TRY(st_recording_frame(recording, frame, &position, error));
  if (frame == 0)
    gauge->first = position;
  double lag = turn_of(gauge, "rim", position) - turn_of(gauge, "tread", position);
  course->time[frame] = st_recording_frame_time(recording, frame);
  course->lag[frame] = remainder(lag, 2 * M_PI);
  course->bend[frame] = bend_of(gauge, position);
  course->frames = frame + 1;
  if (frame > 0)
    free(position);
  return ST_OK;
}

StStatus st_tyre_course(const StRecording *recording, StTyreCourse *course, StError *error) {
  *course = (StTyreCourse){0};
  if (recording->state == ST_RECORDING_MISSING)
    return ST_OK;
  size_t frames = (size_t)recording->cost.frames + 1;
  course->time = ST_NEW(double, 3 * frames);
  if (!course->time)
    return st_fail_memory(error);
  course->lag = course->time + frames;
  course->bend = course->lag + frames;
  Gauge gauge = {.mesh = recording->description->body[0].mesh};
  StStatus status = open_walls(gauge.mesh, &gauge.walls, error);
  for (int f = 0; f < (int)frames && status == ST_OK; f++)
    status = measure_frame(recording, &gauge, f, course, error);
  close_gauge(&gauge);
  return status;
}

void st_tyre_course_free(StTyreCourse *course) {
  free(course->time);
  *course = (StTyreCourse){0};
}
