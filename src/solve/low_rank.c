// Dense terms on top of a sparse matrix.
#include "solve/low_rank.h"

#include "base/memory.h"
#include "solve/communicator.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

StStatus st_low_rank_create(int count, int size, StLowRank **result, StError *error) {
  StLowRank *terms = ST_NEW(StLowRank, 1);
  if (!terms)
    return st_fail_memory(error);
  size_t n = (size_t)count;
  terms->count = count;
  terms->size = size;
  terms->solved = ST_NEW(double, n *(size_t)size);
  terms->inner = ST_NEW(double, n *n);
  terms->scratch = ST_NEW(double, n *(2 * n + 1));
  if (!terms->solved || !terms->inner || !terms->scratch) {
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
  free(terms);
}

static double dot(const double *a, const double *b, int size) {
  double sum = 0;
  for (int i = 0; i < size; i++)
    sum += a[i] * b[i];
  return sum;
}

static void sum_over_ranks(double *value, int count) {
  MPI_Allreduce(MPI_IN_PLACE, value, count, MPI_DOUBLE, MPI_SUM, st_communicator());
}

static void swap_rows(double *table, int width, int a, int b) {
  for (int j = 0; j < width; j++) {
    double kept = table[a * width + j];
    table[a * width + j] = table[b * width + j];
    table[b * width + j] = kept;
  }
}

// Gauss-Jordan with row pivots on [M | R]: R becomes M⁻¹ R. There are never more than a few terms.
static bool eliminate(double *table, int n, int width) {
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(table[i * width + k]) > fabs(table[pivot * width + k]))
        pivot = i;
    double at = table[pivot * width + k];
    if (!(fabs(at) > 1e-14) || !isfinite(at))
      return false;
    swap_rows(table, width, k, pivot);
    for (int j = 0; j < width; j++)
      table[k * width + j] /= at;
    for (int i = 0; i < n; i++) {
      double factor = table[i * width + k];
      for (int j = 0; j < width && i != k; j++)
        table[i * width + j] -= factor * table[k * width + j];
    }
  }
  return true;
}

bool st_low_rank_prepare(StLowRank *terms) {
  int n = terms->count, width = 2 * n;
  size_t size = (size_t)terms->size;
  double *table = terms->scratch;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      terms->inner[i * n + j] =
          dot(terms->u + (size_t)i * size, terms->solved + (size_t)j * size, terms->size);
  sum_over_ranks(terms->inner, n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      table[i * width + j] = (i == j) + terms->weight[i] * terms->inner[i * n + j];
      table[i * width + n + j] = i == j ? terms->weight[i] : 0;
    }
  if (!eliminate(table, n, width))
    return false;
  for (int i = 0; i < n; i++)
    memcpy(terms->inner + i * n, table + i * width + n, (size_t)n * sizeof(double));
  return true;
}

void st_low_rank_correct(StLowRank *terms, double *y) {
  int n = terms->count;
  size_t size = (size_t)terms->size;
  double *along = terms->scratch;
  for (int i = 0; i < n; i++)
    along[i] = dot(terms->u + (size_t)i * size, y, terms->size);
  sum_over_ranks(along, n);
  for (int i = 0; i < n; i++) {
    double amount = dot(terms->inner + i * n, along, n);
    const double *solved = terms->solved + (size_t)i * size;
    for (size_t k = 0; k < size; k++)
      y[k] -= amount * solved[k];
  }
}
