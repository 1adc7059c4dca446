// Boxes, and bodies of revolution from the outline of one half.
#include "judge/facets.h"

#include <math.h>
#include <string.h>

// Around the axis; on a half circle from pole to pole.
enum { AROUND = 32, RINGS = 16, MOST_OUTLINE = RINGS + 2 };

typedef struct Outline {
  int count;
  double radius[MOST_OUTLINE], z[MOST_OUTLINE]; // from the upper pole to the lower one
} Outline;

static void add(Outline *outline, double radius, double z) {
  outline->radius[outline->count] = radius;
  outline->z[outline->count++] = z;
}

// Two half circles, `length` apart.
static Outline outline_of_capsule(double radius, double length) {
  Outline outline = {0};
  const double pi = acos(-1);
  for (int i = 0; i <= RINGS; i++) {
    double angle = pi * i / RINGS, shift = 2 * i <= RINGS ? length / 2 : -length / 2;
    add(&outline, i % RINGS ? radius * sin(angle) : 0, shift + radius * cos(angle));
    if (2 * i == RINGS && length > 0)
      add(&outline, radius, -length / 2);
  }
  return outline;
}

static Outline outline_of_cylinder(double radius, double height) {
  Outline outline = {0};
  add(&outline, 0, height / 2);
  add(&outline, radius, height / 2);
  add(&outline, radius, -height / 2);
  add(&outline, 0, -height / 2);
  return outline;
}

static void add_triangle(StMesh *mesh, int *count, int a, int b, int c) {
  memcpy(mesh->triangle + 3 * (size_t)(*count)++, (int[]){a, b, c}, 3 * sizeof(int));
}

// Poles first, then the rings.
static StMesh *revolve(const Outline *outline) {
  int rings = outline->count - 2, count = 0;
  StMesh *mesh = st_mesh_create(2 + rings * AROUND, 0, 2 * AROUND * rings);
  const double pi = acos(-1);
  if (!mesh)
    return NULL;
  memset(mesh->position, 0, 6 * sizeof(double));
  mesh->position[2] = outline->z[0];
  mesh->position[5] = outline->z[rings + 1];
  for (int r = 0; r < rings; r++)
    for (int k = 0; k < AROUND; k++) {
      double *x = mesh->position + 3 * (size_t)(2 + r * AROUND + k);
      x[0] = outline->radius[r + 1] * cos(2 * pi * k / AROUND);
      x[1] = outline->radius[r + 1] * sin(2 * pi * k / AROUND);
      x[2] = outline->z[r + 1];
    }
  for (int k = 0; k < AROUND; k++) {
    int next = (k + 1) % AROUND, last = 2 + (rings - 1) * AROUND;
    add_triangle(mesh, &count, 0, 2 + k, 2 + next);
    add_triangle(mesh, &count, 1, last + next, last + k);
    for (int r = 0; r + 1 < rings; r++) {
      int upper = 2 + r * AROUND, lower = upper + AROUND;
      add_triangle(mesh, &count, upper + k, lower + k, lower + next);
      add_triangle(mesh, &count, upper + k, lower + next, upper + next);
    }
  }
  return mesh;
}

static StMesh *make_box(const double side[3]) {
  static const int FACE[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  StMesh *mesh = st_mesh_create(8, 0, 12);
  for (int i = 0; i < 24 && mesh; i++)
    mesh->position[i] = (i / 3 >> i % 3 & 1 ? 0.5 : -0.5) * side[i % 3];
  if (mesh)
    memcpy(mesh->triangle, FACE, sizeof FACE);
  return mesh;
}

StStatus st_facets_create(const StObstacleDesc *desc, StMesh **mesh, double *sagitta,
                          StError *error) {
  const double *value = desc->shape.value, pi = acos(-1);
  const char *name = desc->shape.name;
  Outline outline;
  *mesh = NULL;
  *sagitta = 0;
  if (strcmp(name, "half_space") == 0)
    return ST_OK;
  if (strcmp(name, "box") == 0) {
    *mesh = make_box(value);
  } else {
    bool cylinder = strcmp(name, "cylinder") == 0;
    double length = strcmp(name, "sphere") == 0 ? 0 : value[1];
    outline =
        cylinder ? outline_of_cylinder(value[0], length) : outline_of_capsule(value[0], length);
    *mesh = revolve(&outline);
    *sagitta = value[0] * (1 - cos(pi / AROUND) * cos(pi / (2 * RINGS)));
  }
  return *mesh ? ST_OK : st_fail_memory(error);
}
