// Lag and wrinkles of a tyre.
#include "tyre_form.h"

#include "vec3.h"

#include <stdlib.h>
#include <string.h>

// Two triangles that share an edge: the edge as the first one runs along it, and both.
typedef struct Hinge {
  int vertex[2], triangle[2];
} Hinge;

// Hinges within the side walls, and what the measure needs of them at rest.
typedef struct Walls {
  int count;
  Hinge *hinge;
  double *angle, *weight; // [count] at rest; edge over a third of the mean height
  double area;            // m², of the walls
} Walls;

typedef struct Gauge {
  StictionBody body;
  Walls walls;
  double *first; // [vertices][3] positions in the first frame
} Gauge;

static int find_label(const StictionBody *body, const char *name) {
  for (int i = 0; i < body->label_count; i++)
    if (strcmp(body->label[i], name) == 0)
      return i;
  return -1;
}

static void triangle_normal(const double *position, const int *corner, double normal[3]) {
  double a[3], b[3];
  vec3_sub(position + 3 * (size_t)corner[1], position + 3 * (size_t)corner[0], a);
  vec3_sub(position + 3 * (size_t)corner[2], position + 3 * (size_t)corner[0], b);
  vec3_cross(a, b, normal);
}

static double triangle_area(const StictionBody *body, int triangle) {
  double normal[3];
  triangle_normal(body->rest, body->triangle + 3 * (size_t)triangle, normal);
  return vec3_length(normal) / 2;
}

// Between the two triangles, signed by the edge's direction.
static double hinge_angle(const StictionBody *body, const Hinge *hinge, const double *position) {
  double one[3], other[3], edge[3], turn[3];
  triangle_normal(position, body->triangle + 3 * (size_t)hinge->triangle[0], one);
  triangle_normal(position, body->triangle + 3 * (size_t)hinge->triangle[1], other);
  vec3_sub(position + 3 * (size_t)hinge->vertex[1], position + 3 * (size_t)hinge->vertex[0], edge);
  vec3_cross(one, other, turn);
  return atan2(vec3_dot(turn, edge) / vec3_length(edge), vec3_dot(one, other));
}

static void add_hinge(const StictionBody *body, Walls *walls, const Hinge *hinge) {
  double edge[3], area = 0;
  vec3_sub(body->rest + 3 * (size_t)hinge->vertex[1], body->rest + 3 * (size_t)hinge->vertex[0],
           edge);
  for (int i = 0; i < 2; i++)
    area += triangle_area(body, hinge->triangle[i]);
  walls->weight[walls->count] = 3 * vec3_dot(edge, edge) / area;
  walls->angle[walls->count] = hinge_angle(body, hinge, body->rest);
  walls->hinge[walls->count++] = *hinge;
}

// A side of a triangle: its vertices in ascending order, and where it is, 3 × triangle + corner.
typedef struct Side {
  int low, high, at;
} Side;

static int compare_sides(const void *a, const void *b) {
  const Side *x = a, *y = b;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  if (x->high != y->high)
    return x->high < y->high ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

// By their triangles.
static int compare_hinges(const void *a, const void *b) {
  const Hinge *x = a, *y = b;
  for (int i = 0; i < 2; i++)
    if (x->triangle[i] != y->triangle[i])
      return x->triangle[i] < y->triangle[i] ? -1 : 1;
  return 0;
}

// All hinges between triangles of the walls. No edge there has more than two triangles.
static int find_hinges(const StictionBody *body, int wall, Hinge *hinge) {
  Side *side = NEW(Side, 3 * body->triangle_count);
  int sides = 0, count = 0;
  for (int at = 0; at < 3 * body->triangle_count; at++) {
    int one = body->triangle[at], other = body->triangle[3 * (at / 3) + (at % 3 + 1) % 3];
    if (body->triangle_label[at / 3] == wall)
      side[sides++] = (Side){one < other ? one : other, one < other ? other : one, at};
  }
  qsort(side, (size_t)sides, sizeof *side, compare_sides);
  for (int i = 0; i + 1 < sides; i++) {
    int first = side[i].at;
    if (side[i].low == side[i + 1].low && side[i].high == side[i + 1].high)
      hinge[count++] =
          (Hinge){{body->triangle[first], body->triangle[3 * (first / 3) + (first % 3 + 1) % 3]},
                  {first / 3, side[i + 1].at / 3}};
  }
  free(side);
  qsort(hinge, (size_t)count, sizeof *hinge, compare_hinges);
  return count;
}

static void open_walls(const StictionBody *body, Walls *walls) {
  int wall = find_label(body, "wall");
  Hinge *hinge = NEW(Hinge, 3 * body->triangle_count);
  int count = find_hinges(body, wall, hinge);
  walls->hinge = NEW(Hinge, count);
  walls->angle = NEW(double, count);
  walls->weight = NEW(double, count);
  for (int t = 0; t < body->triangle_count; t++)
    if (body->triangle_label[t] == wall)
      walls->area += triangle_area(body, t);
  for (int i = 0; i < count; i++)
    add_hinge(body, walls, &hinge[i]);
  free(hinge);
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
    double turn = hinge_angle(&gauge->body, &walls->hinge[i], position) - walls->angle[i];
    turn = remainder(turn, 2 * M_PI);
    sum += walls->weight[i] * turn * turn;
  }
  return sqrt(sum / (3 * walls->area));
}

// Best turn about the axle that takes the labelled vertices from where they were at first.
static double turn_of(const Gauge *gauge, const char *label, const double *position) {
  int wanted = find_label(&gauge->body, label);
  double sine = 0, cosine = 0;
  for (int i = 0; i < gauge->body.tag_count; i++) {
    if (gauge->body.tag[2 * (size_t)i + 1] != wanted)
      continue;
    size_t at = 3 * (size_t)gauge->body.tag[2 * (size_t)i];
    const double *x = gauge->first + at, *y = position + at;
    sine += x[2] * y[0] - x[0] * y[2];
    cosine += x[0] * y[0] + x[2] * y[2];
  }
  return atan2(sine, cosine);
}

static StictionStatus measure_frame(const Recording *recording, Gauge *gauge, int frame,
                                    TyreCourse *course) {
  double *position;
  TRY(recording_frame(recording, frame, &position));
  if (frame == 0)
    gauge->first = position;
  double lag = turn_of(gauge, "rim", position) - turn_of(gauge, "tread", position);
  course->time[frame] = recording_frame_time(recording, frame);
  course->lag[frame] = remainder(lag, 2 * M_PI);
  course->bend[frame] = bend_of(gauge, position);
  course->frames = frame + 1;
  if (frame > 0)
    free(position);
  return STICTION_OK;
}

StictionStatus tyre_course(const Recording *recording, TyreCourse *course) {
  *course = (TyreCourse){0};
  if (recording->state == RUN_MISSING)
    return STICTION_OK;
  size_t frames = (size_t)recording->cost.frames + 1;
  course->time = NEW(double, 3 * frames);
  course->lag = course->time + frames;
  course->bend = course->lag + frames;
  Gauge gauge = {.body = recording_body(recording, 0)};
  open_walls(&gauge.body, &gauge.walls);
  StictionStatus status = STICTION_OK;
  for (int f = 0; f < (int)frames && status == STICTION_OK; f++)
    status = measure_frame(recording, &gauge, f, course);
  close_gauge(&gauge);
  return status;
}

void tyre_course_free(TyreCourse *course) {
  free(course->time);
  *course = (TyreCourse){0};
}
