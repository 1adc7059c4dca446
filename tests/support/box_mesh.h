// A box of cubes, each cut into six tetrahedra along its diagonal (Kuhn), its inner vertices shaken
// so that no two elements are alike. Shared by tests and benchmarks.
#ifndef TESTS_SUPPORT_BOX_MESH_H
#define TESTS_SUPPORT_BOX_MESH_H

#include "mesh/mesh.h"
#include "support/random.h"

typedef struct BoxGrid {
  int cells[3];
  double low[3], high[3];
  double jitter; // of a cell's size, below about 0.2
} BoxGrid;

static inline int box_vertex(const BoxGrid *grid, int x, int y, int z) {
  return x + (grid->cells[0] + 1) * (y + (grid->cells[1] + 1) * z);
}

static inline void box_place_vertices(const BoxGrid *grid, StMesh *mesh) {
  uint64_t state = 0x9e3779b97f4a7c15;
  const int *n = grid->cells;
  for (int z = 0; z <= n[2]; z++)
    for (int y = 0; y <= n[1]; y++)
      for (int x = 0; x <= n[0]; x++) {
        int at[3] = {x, y, z};
        double *position = mesh->position + 3 * (size_t)box_vertex(grid, x, y, z);
        for (int i = 0; i < 3; i++) {
          double shake = random_between(&state, -grid->jitter, grid->jitter);
          double cell = at[i] + (at[i] > 0 && at[i] < n[i] ? shake : 0);
          position[i] = grid->low[i] + (grid->high[i] - grid->low[i]) * cell / n[i];
        }
      }
}

// Each tetrahedron walks from one corner of the cube to the opposite one, an axis at a time.
static inline void box_cut_cell(const BoxGrid *grid, const int at[3], int *tet) {
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
  for (int t = 0; t < 6; t++, tet += 4) {
    int p[3] = {at[0], at[1], at[2]};
    tet[0] = box_vertex(grid, p[0], p[1], p[2]);
    for (int i = 0; i < 3; i++) {
      p[order[t][i]]++;
      // Odd orders are mirror images: the middle corners change places.
      int corner = t >= 3 && i < 2 ? 2 - i : i + 1;
      tet[corner] = box_vertex(grid, p[0], p[1], p[2]);
    }
  }
}

static inline StMesh *box_mesh_create(const BoxGrid *grid) {
  const int *n = grid->cells;
  int cells = n[0] * n[1] * n[2];
  StMesh *mesh = st_mesh_create((n[0] + 1) * (n[1] + 1) * (n[2] + 1), 6 * cells, 0);
  if (!mesh)
    return NULL;
  box_place_vertices(grid, mesh);
  int *tet = mesh->tet;
  for (int z = 0; z < n[2]; z++)
    for (int y = 0; y < n[1]; y++)
      for (int x = 0; x < n[0]; x++, tet += 24)
        box_cut_cell(grid, (int[3]){x, y, z}, tet);
  return mesh;
}

#endif
