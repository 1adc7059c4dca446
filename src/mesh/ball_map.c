// Cube to ball, equal angles between the lattice lines on the sphere.
#include "mesh/ball_map.h"

#include "math/vec3.h"

#include <stdlib.h>

static const double quarter_pi = 0.78539816339744830962;

// The constants were found by scanning for the best worst tet over many resolutions.
static StBallMap map_with(int cells, double share) {
  int layers = (int)lround(share * cells);
  layers = layers < 1 ? 1 : layers;
  double core = 0.706 - 0.53 * layers / cells + 0.15 / cells;
  return (StBallMap){.cells = cells, .layers = layers, .core = core, .bulge = 0.5 + 0.5 / cells};
}

StBallMap st_ball_map(int cells) {
  return map_with(cells, 0.33);
}
StBallMap st_disc_map(int cells) {
  return map_with(cells, 0.25);
}

// Direction of a lattice point on the surface of the cube, u in [-1, 1]³ with max |u| = 1.
static void direction(const double u[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = tan(quarter_pi * u[i]);
  double length = vec3_length(out);
  for (int i = 0; i < 3; i++)
    out[i] /= length;
}

void st_ball_map_place(const StBallMap *map, const int twice[3], int layer, double x[3]) {
  int reach = abs(twice[0]);
  for (int i = 1; i < 3; i++)
    reach = abs(twice[i]) > reach ? abs(twice[i]) : reach;
  vec3_set(0, 0, 0, x);
  if (reach == 0)
    return;
  double u[3], d[3];
  for (int i = 0; i < 3; i++)
    u[i] = (double)twice[i] / reach;
  direction(u, d);
  double out = (double)layer / map->layers, r = (double)reach / map->cells;
  double bulge = map->bulge * r;
  for (int i = 0; i < 3; i++) {
    double core = map->core * r * ((1 - bulge) * u[i] + bulge * d[i]);
    x[i] = (1 - out) * core + out * d[i];
  }
}
