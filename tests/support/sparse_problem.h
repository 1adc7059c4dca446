// Linear problems with a sparse block matrix given as a function of vertices, cut among the ranks
// there are; and the same as a dense matrix, to be solved the long way.
#ifndef TESTS_SUPPORT_SPARSE_PROBLEM_H
#define TESTS_SUPPORT_SPARSE_PROBLEM_H

#include "solve/exchange.h"
#include "solve/linear.h"
#include "solve/runtime.h"
#include "support/dense.h"

#include <mpi.h>

typedef struct Sparse Sparse;
struct Sparse {
  int side[3]; // vertices of a grid
  int reach;   // how many steps along its edges couple: 1 or 2
  // Entry (a, b) of the block of vertices i and j, numbers over all ranks.
  double (*entry)(const Sparse *sparse, int i, int j, int a, int b);
  int coupling_count;
  double coupling_weight[4];
  StStatus assembly; // what `assemble` answers

  int count, first, last; // vertices, and which of them are this rank's
  int *number;            // [local] number over all ranks
  int local_count;
  double *coupling, *coordinates, *scale, *direction;
  StBlockMatrix *matrix;
  StExchange *exchange;
  StProblem problem;
};

static inline void sparse_place(const Sparse *s, int i, int at[3]) {
  at[0] = i % s->side[0];
  at[1] = i / s->side[0] % s->side[1];
  at[2] = i / s->side[0] / s->side[1];
}

// Steps from one vertex to another along the edges of the grid.
static inline int sparse_distance(const Sparse *s, int i, int j) {
  int a[3], b[3];
  sparse_place(s, i, a);
  sparse_place(s, j, b);
  return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

// The dense term's vector at an unknown, counted over all ranks.
static inline double sparse_coupling(int term, int unknown) {
  return sin(1 + unknown + 0.5 * unknown * term);
}

static inline int sparse_owner(const Sparse *s, int i) {
  int rank = 0;
  while ((int)((long)s->count * (rank + 1) / st_runtime_size()) <= i)
    rank++;
  return rank;
}

// Vertices within reach of i, among all. Large grids are thin: their numbers are near each other.
static inline int sparse_window(const Sparse *s) {
  return s->reach * s->side[0] * s->side[1];
}

static inline void sparse_number(Sparse *s) {
  int own = s->last - s->first;
  bool *ghost = calloc((size_t)s->count, sizeof(bool));
  for (int i = s->first; i < s->last; i++)
    for (int j = i - sparse_window(s); j <= i + sparse_window(s); j++)
      if (j >= 0 && j < s->count && sparse_distance(s, i, j) <= s->reach)
        ghost[j] = true;
  s->number = calloc((size_t)s->count, sizeof(int));
  for (int i = 0; i < own; i++)
    s->number[i] = s->first + i;
  s->local_count = own;
  for (int j = 0; j < s->count; j++)
    if (ghost[j] && (j < s->first || j >= s->last))
      s->number[s->local_count++] = j;
  free(ghost);
}

static inline int sparse_local(const Sparse *s, int i) {
  if (i >= s->first && i < s->last)
    return i - s->first;
  int k = s->last - s->first;
  while (k < s->local_count && s->number[k] != i)
    k++;
  return k;
}

static inline void sparse_make_matrix(Sparse *s) {
  int own = s->last - s->first, pairs = 0, width = 2 * sparse_window(s) + 1;
  int *pair = malloc(2 * (size_t)own * (size_t)width * sizeof(int));
  for (int i = s->first; i < s->last; i++)
    for (int j = i - sparse_window(s); j <= i + sparse_window(s); j++)
      if (j >= 0 && j < s->count && sparse_distance(s, i, j) <= s->reach) {
        pair[2 * pairs] = i - s->first;
        pair[2 * pairs++ + 1] = sparse_local(s, j);
      }
  if (st_block_matrix_create(own, s->local_count, pair, pairs, 2, &s->matrix, NULL) != ST_OK)
    abort();
  free(pair);
}

static inline void sparse_make_exchange(Sparse *s) {
  int own = s->last - s->first, ghosts = s->local_count - own;
  int *owner = calloc((size_t)ghosts + 1, sizeof(int)),
      *index = calloc((size_t)ghosts + 1, sizeof(int));
  for (int g = 0; g < ghosts; g++) {
    owner[g] = sparse_owner(s, s->number[own + g]);
    index[g] = s->number[own + g] - (int)((long)s->count * owner[g] / st_runtime_size());
  }
  if (st_exchange_create(own, s->local_count, owner, index, &s->exchange, NULL) != ST_OK)
    abort();
  free(owner);
  free(index);
}

static inline StStatus sparse_assemble(void *context, StAssembly what, StError *error) {
  Sparse *s = context;
  (void)what;
  if (s->assembly != ST_OK)
    return st_fail(error, s->assembly, "no matrix today");
  for (int row = 0; row < s->matrix->row_count; row++)
    for (int k = s->matrix->row_start[row]; k < s->matrix->row_start[row + 1]; k++)
      for (int e = 0; e < 9; e++)
        s->matrix->value[9 * k + e] =
            s->entry(s, s->first + row, s->number[s->matrix->column[k]], e / 3, e % 3);
  return ST_OK;
}

static inline void sparse_product(void *context, const double *x, double *result) {
  Sparse *s = context;
  int size = s->problem.size;
  memcpy(s->direction, x, (size_t)size * sizeof(double));
  st_exchange_forward(s->exchange, s->direction);
  st_block_matrix_multiply(s->matrix, s->direction, result);
  for (int k = 0; k < s->coupling_count; k++) {
    double along = 0;
    for (int i = 0; i < size; i++)
      along += s->coupling[k * size + i] * x[i];
    along = s->coupling_weight[k] * st_runtime_sum(along);
    for (int i = 0; i < size; i++)
      result[i] += along * s->coupling[k * size + i];
  }
}

static inline void sparse_fill_arrays(Sparse *s) {
  int size = s->problem.size;
  for (int i = 0; i < s->last - s->first; i++) {
    int at[3];
    sparse_place(s, s->first + i, at);
    for (int c = 0; c < 3; c++)
      s->coordinates[3 * i + c] = at[c];
  }
  for (int i = 0; i < size; i++)
    s->scale[i] = 1;
  for (int k = 0; k < s->coupling_count; k++)
    for (int i = 0; i < size; i++)
      s->coupling[k * size + i] = sparse_coupling(k, 3 * s->first + i);
}

// In place: the problem points into it. Set side, reach, entry and couplings first. Collective.
static inline void sparse_start(Sparse *s) {
  s->count = s->side[0] * s->side[1] * s->side[2];
  s->first = (int)((long)s->count * st_runtime_rank() / st_runtime_size());
  s->last = (int)((long)s->count * (st_runtime_rank() + 1) / st_runtime_size());
  sparse_number(s);
  sparse_make_matrix(s);
  sparse_make_exchange(s);
  size_t size = 3 * (size_t)(s->last - s->first);
  s->coupling = calloc(4 * size, sizeof(double));
  s->coordinates = calloc(size, sizeof(double));
  s->scale = calloc(size, sizeof(double));
  s->direction = calloc(3 * (size_t)s->local_count, sizeof(double));
  s->problem = (StProblem){.context = s,
                           .size = (int)size,
                           .assemble = sparse_assemble,
                           .product = sparse_product,
                           .coupling_count = s->coupling_count,
                           .coupling = s->coupling,
                           .coupling_weight = s->coupling_weight,
                           .matrix = s->matrix,
                           .global = st_exchange_global(s->exchange),
                           .global_count = s->count,
                           .coordinates = s->coordinates,
                           .scale = s->scale};
  sparse_fill_arrays(s);
}

static inline void sparse_stop(Sparse *s) {
  st_block_matrix_destroy(s->matrix);
  st_exchange_destroy(s->exchange);
  free(s->number);
  free(s->coupling);
  free(s->coordinates);
  free(s->scale);
  free(s->direction);
}

// All of it, couplings too, on every rank; free it.
static inline double *sparse_dense(const Sparse *s, bool couplings) {
  int n = 3 * s->count;
  double *a = calloc((size_t)n * (size_t)n, sizeof(double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (sparse_distance(s, i / 3, j / 3) <= s->reach)
        a[i * n + j] = s->entry(s, i / 3, j / 3, i % 3, j % 3);
      for (int k = 0; k < s->coupling_count && couplings; k++)
        a[i * n + j] += s->coupling_weight[k] * sparse_coupling(k, i) * sparse_coupling(k, j);
    }
  return a;
}

// ‖b - J x‖ / ‖b‖ over all ranks, of the matrix that was assembled last.
static inline double sparse_remainder(Sparse *s, const double *b, const double *x) {
  int size = s->problem.size;
  double *left = malloc((size_t)size * sizeof(double)), sum = 0, whole = 0;
  sparse_product(s, x, left);
  for (int i = 0; i < size; i++) {
    sum += (b[i] - left[i]) * (b[i] - left[i]);
    whole += b[i] * b[i];
  }
  free(left);
  return sqrt(st_runtime_sum(sum) / st_runtime_sum(whole));
}

// Matrices ------------------------------------------------------------------------------------

// A net of springs along the edges of the grid, each with some bending, on top of the identity.
static inline double sparse_spring(const Sparse *s, int i, int j, int a, int b, double stiffness) {
  int at[3], to[3];
  sparse_place(s, i, at);
  if (i != j) {
    sparse_place(s, j, to);
    bool along = abs(at[a] - to[a]) == 1;
    return a == b ? -stiffness * (along ? 1 : 0.2) : 0;
  }
  double sum = 0;
  for (int c = 0; c < 3; c++)
    sum += stiffness * (c == a ? 1 : 0.2) * ((at[c] > 0) + (at[c] < s->side[c] - 1));
  return a == b ? 1 + sum : 0;
}

static inline double sparse_springs(const Sparse *s, int i, int j, int a, int b) {
  return sparse_spring(s, i, j, a, b, 10);
}

// With a part that turns, as friction's: neither symmetric nor diagonal in its blocks.
static inline double sparse_turning(const Sparse *s, int i, int j, int a, int b) {
  double turn = a == b ? 0 : (a < b ? 0.7 : -0.4) * (i == j ? 1 : 0.3);
  return sparse_springs(s, i, j, a, b) + turn;
}

// Eigenvalues on both sides of zero.
static inline double sparse_indefinite(const Sparse *s, int i, int j, int a, int b) {
  return sparse_springs(s, i, j, a, b) - (i == j && a == b ? 7.3 : 0);
}

// Light and heavy vertices by turns: entries from 1e-6 to 1e6.
static inline double sparse_badly_scaled(const Sparse *s, int i, int j, int a, int b) {
  return sparse_turning(s, i, j, a, b) * pow(10, (i % 7 - 3) + (j % 7 - 3));
}

// One vertex belongs to nothing, not even to itself.
static inline double sparse_singular(const Sparse *s, int i, int j, int a, int b) {
  return i == 5 || j == 5 ? 0 : sparse_springs(s, i, j, a, b);
}

#endif
