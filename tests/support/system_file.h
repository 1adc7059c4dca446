// Reads what st_system_file_write wrote, as a problem for the linear solvers.
#ifndef TESTS_SUPPORT_SYSTEM_FILE_H
#define TESTS_SUPPORT_SYSTEM_FILE_H

#include "base/file.h"
#include "solve/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct KeptSystem {
  char *bytes;         // the file
  char method[100];    // that failed
  double tolerance;    // it was to reach
  const double *value; // [blocks][9] of the matrix, in the file
  const double *b;     // [size]
  int *global;
  StBlockMatrix *matrix;
  StProblem problem;
} KeptSystem;

static inline StStatus kept_assemble(void *context, StAssembly what, StError *error) {
  KeptSystem *kept = context;
  (void)error;
  st_block_matrix_clear(kept->matrix);
  memcpy(kept->matrix->value, kept->value,
         9 * (size_t)kept->matrix->row_start[kept->matrix->row_count] * sizeof(double));
  if (what == ST_ASSEMBLE_ROUNDED)
    st_block_matrix_round(kept->matrix);
  return ST_OK;
}

static inline void kept_product(void *context, const double *x, double *result) {
  const KeptSystem *kept = context;
  int size = kept->problem.size;
  st_block_matrix_multiply(kept->matrix, x, result);
  for (int k = 0; k < kept->problem.coupling_count; k++) {
    const double *u = kept->problem.coupling + k * size;
    double along = 0;
    for (int i = 0; i < size; i++)
      along += u[i] * x[i];
    for (int i = 0; i < size; i++)
      result[i] += kept->problem.coupling_weight[k] * along * u[i];
  }
}

// A matrix with the pattern of the file: pairs of coupled vertices are its cliques.
static inline bool kept_make_matrix(KeptSystem *kept, int rows, const int *row_start,
                                    const int *column) {
  int *pair = malloc(2 * (size_t)row_start[rows] * sizeof(int)), count = 0;
  for (int row = 0; row < rows; row++)
    for (int k = row_start[row]; k < row_start[row + 1]; k++, count++)
      pair[2 * count] = row, pair[2 * count + 1] = column[k];
  bool good = st_block_matrix_create(rows, rows, pair, count, 2, &kept->matrix, NULL) == ST_OK &&
              kept->matrix->row_start[rows] == row_start[rows] &&
              memcmp(kept->matrix->column, column, (size_t)count * sizeof(int)) == 0;
  free(pair);
  return good;
}

// The next `size` bytes, copied so that they are aligned.
static inline void *kept_take(const char **at, size_t size) {
  void *copy = malloc(size + 1);
  memcpy(copy, *at, size);
  *at += size;
  return copy;
}

static inline bool kept_read(const char *path, KeptSystem *kept) {
  size_t size;
  int rows, blocks, couplings;
  char reason[200];
  *kept = (KeptSystem){0};
  if (st_file_read(path, &kept->bytes, &size, NULL) != ST_OK)
    return false;
  const char *end = strstr(kept->bytes, "\n\n");
  if (!end || sscanf(kept->bytes,
                     "Stiction system 1 method %99[^\n] reason %199[^\n] tolerance %lf rows %d "
                     "blocks %d couplings %d",
                     kept->method, reason, &kept->tolerance, &rows, &blocks, &couplings) != 6)
    return false;
  const char *at = end + 2;
  size_t vector = 3 * (size_t)rows * sizeof(double);
  int *row_start = kept_take(&at, ((size_t)rows + 1) * sizeof(int));
  int *column = kept_take(&at, (size_t)blocks * sizeof(int));
  kept->value = kept_take(&at, 9 * (size_t)blocks * sizeof(double));
  kept->b = kept_take(&at, vector);
  kept->problem = (StProblem){.context = kept,
                              .size = 3 * rows,
                              .assemble = kept_assemble,
                              .product = kept_product,
                              .coordinates = kept_take(&at, vector),
                              .scale = kept_take(&at, vector),
                              .coupling_count = couplings,
                              .coupling = kept_take(&at, (size_t)couplings * vector),
                              .coupling_weight = kept_take(&at, (size_t)couplings * sizeof(double)),
                              .global_count = rows};
  bool good = at == kept->bytes + size && row_start[rows] == blocks &&
              kept_make_matrix(kept, rows, row_start, column);
  free(row_start);
  free(column);
  kept->problem.matrix = kept->matrix;
  kept->global = malloc((size_t)rows * sizeof(int));
  for (int i = 0; i < rows; i++)
    kept->global[i] = i;
  kept->problem.global = kept->global;
  return good;
}

static inline void kept_free(KeptSystem *kept) {
  const void *array[] = {kept->value,
                         kept->b,
                         kept->problem.coordinates,
                         kept->problem.scale,
                         kept->problem.coupling,
                         kept->problem.coupling_weight};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++)
    free((void *)array[i]);
  st_block_matrix_destroy(kept->matrix);
  free(kept->global);
  free(kept->bytes);
}

#endif
