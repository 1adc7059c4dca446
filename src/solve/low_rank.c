// Dense terms on top of a sparse matrix.
#include "solve/low_rank.h"

#include "base/memory.h"
#include "math/dot.h"
#include "math/hot.h"
#include "solve/communicator.h"
#include "solve/lapack.h"
#include "solve/runtime.h"

#include <math.h>
#include <mpi.h>

StStatus st_low_rank_create(int count, int size, StLowRank **result, StError *error) {
  StLowRank *terms = ST_NEW(StLowRank, 1);
  if (!terms)
    return st_fail_memory(error);
  size_t n = (size_t)count;
  terms->count = count;
  terms->size = size;
  terms->solved = ST_NEW(double, n *(size_t)size);
  terms->inner = ST_NEW(double, n *n);
  terms->scratch = ST_NEW(double, n *(n + 1));
  terms->exchange = ST_NEW(int, n);
  if (!terms->solved || !terms->inner || !terms->scratch || !terms->exchange) {
    st_low_rank_destroy(terms);
    return st_fail_memory(error);
  }
  *result = terms;
  return ST_OK;
}

void st_low_rank_destroy(StLowRank *terms) {
  if (!terms)
    return;
  free(terms->solved);
  free(terms->inner);
  free(terms->scratch);
  free(terms->exchange);
  free(terms);
}

static ST_HOT double dot(const double *a, const double *b, int size) {
  return st_dot(a, b, 0, size);
}

static void sum_over_ranks(double *value, int count) {
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, value, count, MPI_DOUBLE, MPI_SUM, st_communicator());
}

// inner becomes M⁻¹ W, both in columns. Each rank solves the same by itself.
static bool solve_inner(double *matrix, double *inner, int *exchange, int n) {
  int info = 0;
  dgesv_(&n, &n, matrix, &n, exchange, inner, &n, &info);
  bool good = info == 0;
  for (int i = 0; i < n && good; i++)
    good = fabs(matrix[i * n + i]) > 1e-14 && isfinite(matrix[i * n + i]);
  return good;
}

bool st_low_rank_prepare(StLowRank *terms) {
  int n = terms->count;
  size_t size = (size_t)terms->size;
  double *matrix = terms->scratch;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      matrix[i + n * j] =
          dot(terms->u + (size_t)i * size, terms->solved + (size_t)j * size, terms->size);
  sum_over_ranks(matrix, n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      matrix[i + n * j] = (i == j) + terms->weight[i] * matrix[i + n * j];
      terms->inner[i + n * j] = i == j ? terms->weight[i] : 0;
    }
  return n == 0 || solve_inner(matrix, terms->inner, terms->exchange, n);
}

// along[i] = u_i · x
static void project(const StLowRank *terms, const double *x, double *along) {
  for (int i = 0; i < terms->count; i++)
    along[i] = dot(terms->u + (size_t)i * (size_t)terms->size, x, terms->size);
  sum_over_ranks(along, terms->count);
}

static void add_scaled(double amount, const double *x, int size, double *y) {
  for (int k = 0; k < size; k++)
    y[k] += amount * x[k];
}

void st_low_rank_add(const StLowRank *terms, const double *x, double *y) {
  project(terms, x, terms->scratch);
  for (int i = 0; i < terms->count; i++)
    add_scaled(terms->weight[i] * terms->scratch[i], terms->u + (size_t)i * (size_t)terms->size,
               terms->size, y);
}

void st_low_rank_correct(StLowRank *terms, double *y) {
  int n = terms->count;
  double *along = terms->scratch;
  project(terms, y, along);
  for (int i = 0; i < n; i++) {
    double amount = 0;
    for (int j = 0; j < n; j++)
      amount += terms->inner[i + n * j] * along[j];
    add_scaled(-amount, terms->solved + (size_t)i * (size_t)terms->size, terms->size, y);
  }
}
