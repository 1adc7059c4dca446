// Union–find of rows and of islands.
#include "step/islands.h"

#include "base/memory.h"
#include "solve/tunables.h"

#include <math.h>

StStatus st_islands_create(const StPiece *piece, StIslands **result, StError *error) {
  StIslands *islands = ST_OWNER(StIslands);
  size_t rows = (size_t)piece->independent_count;
  ST_TRY_MEMORY(islands, error);
  *islands = (StIslands){.piece = piece,
                         .of = ST_OWN(islands, int, rows),
                         .joined = ST_OWN(islands, int, rows),
                         .factor = ST_OWN(islands, double, rows),
                         .cut = ST_OWN(islands, double, rows)};
  return st_owner_give(islands, result, error);
}

void st_islands_destroy(StIslands *islands) {
  st_owner_free(islands);
}

// Roots have the lowest number of their tree.
static int root_of(int *parent, int i) {
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

static void join(int *parent, int a, int b) {
  a = root_of(parent, a);
  b = root_of(parent, b);
  parent[a > b ? a : b] = a > b ? b : a;
}

// Numbers the trees of a forest from 0, and puts each tree's number in place of its nodes' parents.
// A root precedes the rest of its tree.
static int number_trees(int *parent, int size) {
  int count = 0;
  for (int i = 0; i < size; i++)
    parent[i] = root_of(parent, i);
  for (int i = 0; i < size; i++)
    parent[i] = parent[i] == i ? count++ : parent[parent[i]];
  return count;
}

void st_islands_find(StIslands *islands, const StBlockMatrix *matrix) {
  int rows = islands->piece->independent_count, *of = islands->of;
  int first = -1; // of the fixed rows, which are one island
  islands->fixed = matrix->fixed;
  for (int row = 0; row < rows; row++) { // the pattern is symmetric, and columns ascend
    bool fixed = matrix->fixed && matrix->fixed[row];
    first = fixed && first < 0 ? row : first;
    of[row] = fixed ? first : row;
    for (int k = matrix->row_start[row]; matrix->column[k] < row; k++)
      if (st_block_matrix_couples(matrix, row, matrix->column[k]))
        join(of, row, matrix->column[k]);
  }
  islands->count = number_trees(of, rows);
  for (int i = 0; i < islands->count; i++) {
    islands->joined[i] = i;
    islands->factor[i] = 1;
  }
}

void st_islands_set_lengths(StIslands *islands, const double *length) {
  for (int i = 0; i < islands->count; i++) {
    islands->joined[i] = i;
    islands->factor[i] = length[i];
  }
}

int st_islands_at(const StIslands *islands, int place) {
  const StPiece *piece = islands->piece;
  if (place < 0 || place >= piece->owned_count)
    return -1;
  if (place >= piece->independent_count)
    place = piece->carried.carrier[ST_CARRIERS * (size_t)(place - piece->independent_count)];
  return islands->fixed && islands->fixed[place] ? -1 : islands->of[place];
}

void st_islands_merge(StIslands *islands, const StContactArray *list) {
  int *joined = islands->joined;
  for (int i = 0; i < islands->count; i++)
    joined[i] = i;
  for (int t = 0; t < list->count; t++) {
    const int *place = st_contact_array_places(list, &list->contact[t]);
    int first = -1;
    for (int k = 0; k < list->contact[t].count; k++) {
      int island = st_islands_at(islands, place[k]);
      if (first >= 0 && island >= 0)
        join(joined, first, island);
      first = first >= 0 ? first : island;
    }
  }
  islands->count = number_trees(joined, islands->count);
  for (int row = 0; row < islands->piece->independent_count; row++)
    islands->of[row] = joined[islands->of[row]];
}

void st_islands_shorten(StIslands *islands, const StAdvanceHits *hits) {
  for (int i = 0; i < islands->count; i++)
    islands->cut[i] = 1;
  for (int i = 0; i < hits->count; i++) {
    const StAdvanceMeeting *hit = &hits->hit[i];
    int a = st_islands_at(islands, hit->place[0]), b = st_islands_at(islands, hit->place[1]);
    int island = a >= 0 ? a : b;
    if (island < 0)
      continue;
    islands->cut[island] =
        fmin(islands->cut[island], st_solve_tunables.descent_almost * hit->share);
    if (a >= 0 && b >= 0)
      join(islands->joined, a, b);
  }
  for (int i = 0; i < islands->count; i++) {
    int root = root_of(islands->joined, i);
    islands->cut[root] = fmin(islands->cut[root], islands->cut[i]);
  }
  for (int i = 0; i < islands->count; i++)
    islands->factor[i] *= islands->cut[root_of(islands->joined, i)];
}

void st_islands_apply(const StIslands *islands, const double *tangent, double *p) {
  for (int i = 0; i < 3 * islands->piece->independent_count; i++)
    p[i] = islands->factor[islands->of[i / 3]] * tangent[i];
}
