// Blocks of a batch, and single elements in complex numbers.
#include "force/element_batch.h"
#include "math/hot.h"

int st_element_failed(int batch, int numbers, const StLanes *gradient) {
  int lane = -1;
  bool finite = true;
  while (finite && ++lane < ST_LANES)
    for (int p = 0; p < numbers; p++)
      finite &= isfinite(gradient[p][lane]) != 0;
  return ST_LANES * batch + lane;
}

// Of the lanes from `first` on. Blocks of the first corner follow from translation invariance.
static inline void complete_blocks(int corners, double scale, const StLanes *H, int first,
                                   StQuad K[][9]) {
  int numbers = 3 * (corners - 1);
  for (int a = 0; a < corners; a++)
    for (int e = 0; e < 9; e++)
      K[a][e] = K[corners * a][e] = (StQuad){0};
  for (int a = 1; a < corners; a++)
    for (int b = 1; b < corners; b++)
      for (int e = 0; e < 9; e++) {
        int row = 3 * (a - 1) + e / 3, column = 3 * (b - 1) + e % 3;
        StQuad entry = scale * st_quad(&H[numbers * row + column], first);
        K[corners * a + b][e] = entry;
        K[b][e] -= entry;
        K[corners * a][e] -= entry;
        K[0][e] += entry;
      }
}

static ST_HOT void add_blocks(const StElementSet *set, int batch, double scale, const StLanes *H,
                              StBlockMatrix *matrix) {
  StQuad K[ST_ELEMENT_CORNERS * ST_ELEMENT_CORNERS][9];
  int corners = set->kernel->corners, pairs = corners * corners;
  int lanes = st_element_lanes(set, batch);
  const StQuad(*block)[9] = (const StQuad(*)[9])K;
  const int *slot = set->slot + (size_t)pairs * ST_LANES * (size_t)batch;
  for (int first = 0; first < lanes; first += ST_QUAD) {
    if (corners == 3) { // a constant for the compiler, so that it unrolls
      complete_blocks(3, scale, H, first, K);
      st_scatter_blocks(block, 9, lanes - first, slot + pairs * first, matrix);
    } else {
      complete_blocks(4, scale, H, first, K);
      st_scatter_blocks(block, 16, lanes - first, slot + pairs * first, matrix);
    }
  }
}

void st_element_add_blocks(const StElementSet *set, int batch, double scale, const StLanes *H,
                           StBlockMatrix *matrix) {
  add_blocks(set, batch, scale, H, matrix);
}

void st_element_take_constants(const StElementSet *set, int place, double *k) {
  const StLanes *constant = st_element_constants(set, place / ST_LANES);
  for (int i = 0; i < set->kernel->constant_count; i++)
    k[i] = constant[i][place % ST_LANES];
}

void st_element_edges_complex(const StElementSet *set, int place, const StDual *field,
                              StDual *edge) {
  const int *vertex = st_element_vertices(set, place / ST_LANES) + place % ST_LANES;
  const StDual *origin = field + 3 * (size_t)vertex[0];
  for (int a = 1; a < set->kernel->corners; a++)
    for (int i = 0; i < 3; i++)
      edge[3 * (a - 1) + i] = field[3 * (size_t)vertex[ST_LANES * a] + (size_t)i] - origin[i];
}

void st_element_scatter_complex(const StElementSet *set, int place, const StDual *gradient,
                                StDual *result) {
  const int *vertex = st_element_vertices(set, place / ST_LANES) + place % ST_LANES;
  StDual *origin = result + 3 * (size_t)vertex[0];
  for (int a = 1; a < set->kernel->corners; a++)
    for (int i = 0; i < 3; i++) {
      result[3 * (size_t)vertex[ST_LANES * a] + (size_t)i] -= gradient[3 * (a - 1) + i];
      origin[i] += gradient[3 * (a - 1) + i];
    }
}
