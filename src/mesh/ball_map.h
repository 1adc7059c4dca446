// Maps a cubic lattice, wrapped in layers that continue its surface, to the ball of radius 1: a
// core that bulges like a cushion and a shell that ends on the sphere. Its middle plane is a disc.
#pragma once

typedef struct StBallMap {
  int cells;    // of the core along each axis: a quarter of a great circle on the sphere
  int layers;   // of the shell
  double core;  // half the width of the core, relative to the radius
  double bulge; // 0: the core is a cube, 1: a ball
} StBallMap;

// Layers and core that give cells of even size for this many along a quarter circle.
StBallMap st_ball_map(int cells);
StBallMap st_disc_map(int cells);

// twice: 2 i - cells of a lattice point, each in [-cells, cells]; layer: 0 within the core.
void st_ball_map_place(const StBallMap *map, const int twice[3], int layer, double x[3]);
