// A row of tets.
#include "tips.h"

#include "common.h"
#include "vec3.h"

#include <stdlib.h>

// A tip, and a right-angled triangle above it.
static const double corner[4][3] = {
    {0, 0, 0}, {-0.25, -0.25, 1}, {0.25, -0.25, 1}, {-0.25, 0.25, 1}};

double tips_area(void) {
  double area = 0;
  for (int i = 1; i <= 3; i++) {
    double normal[3];
    vec3_cross(corner[i], corner[i % 3 + 1], normal);
    area += vec3_length(normal) / 2;
  }
  return TIPS_SIZE * TIPS_SIZE * area / 3;
}

StictionPart *tips_add(StictionBuild *build, int count, const char *material) {
  double *position = NEW(double, 12 * count);
  int *tet = NEW(int, 4 * count);
  for (int i = 0; i < 4 * count; i++) {
    for (int k = 0; k < 3; k++)
      position[3 * i + k] = TIPS_SIZE * (corner[i % 4][k] + (k == 1 ? i / 4 : 0));
    tet[i] = i;
  }
  const StictionMesh mesh = {
      .vertex_count = 4 * count, .position = position, .tet_count = count, .tet = tet};
  StictionPart *body = stiction_build_add_body(build, "tips", material);
  stiction_part_set_mesh(body, &mesh);
  free(position);
  free(tet);
  return body;
}
