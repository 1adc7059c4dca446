// Small problems for Newton with known answers: a residual and its dense Jacobian as two functions,
// one process. A toy may lie about its Jacobian or end its domain where a test wants it to.
#ifndef TESTS_SUPPORT_TOY_PROBLEM_H
#define TESTS_SUPPORT_TOY_PROBLEM_H

#include "solve/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOY_SIZE = 6 }; // two vertices

typedef struct Toy Toy;
struct Toy {
  // r at y; ST_NOT_SOLVED outside the domain.
  StStatus (*residual)(const Toy *toy, const double *y, double *r);
  // J at y, row-major, [TOY_SIZE][TOY_SIZE] and zero at first.
  void (*slope)(const Toy *toy, const double *y, double *jacobian);
  double number[4];  // whatever the two above make of it
  double ulp;        // by how much of itself y is rounded differently; 0: round-off is not known
  StStatus assembly; // what `assemble` answers; ST_OK at first
  double free;       // part of any way that leads through nothing; 0: there are no walls
  double wall;       // beyond which no coordinate may go; 0: nowhere
  bool through;      // a residual was asked for beyond it
  bool arcs;         // ways are arcs, which happen to be straight
  bool islands;      // both vertices are islands without limits of their own; with walls and arcs

  double meet; // beyond which both are one island; 0: nowhere
  int merges;  // so far

  bool frozen[2];      // vertices that are, …
  double at[TOY_SIZE]; // … where they are, and …
  int freezes[2];      // … how often they were frozen
  bool strayed;        // one of them was asked for elsewhere

  double jacobian[TOY_SIZE * TOY_SIZE], shift; // of the present linearisation
  double most_shift[2];                        // of each vertex, so far
  double last[TOY_SIZE];                       // point of the last residual
  double point[TOY_SIZE];                      // of the present linearisation
  int residuals, linearisations;               // so far
  StBlockMatrix *matrix;
  StProblem problem;
};

static inline StStatus toy_residual(void *context, const double *y, double progress, double *r) {
  Toy *toy = context;
  (void)progress;
  toy->residuals++;
  for (int i = 0; i < TOY_SIZE; i++)
    toy->through = toy->through || (toy->wall > 0 && y[i] > toy->wall);
  for (int i = 0; i < TOY_SIZE; i++)
    toy->strayed = toy->strayed || (toy->frozen[i / 3] && y[i] != toy->at[i]);
  memcpy(toy->last, y, sizeof toy->last);
  return toy->residual(toy, y, r);
}

static inline void toy_freeze(void *context, const bool *row, const double *r) {
  Toy *toy = context;
  (void)r;
  memcpy(toy->at, toy->last, sizeof toy->at);
  for (int i = 0; i < 2; i++) {
    toy->frozen[i] = row && row[i];
    toy->freezes[i] += toy->frozen[i];
  }
  toy->problem.frozen = row ? toy->frozen : NULL;
}

static inline StStatus toy_linearise(void *context, const double *y, double progress,
                                     const double *shift) {
  Toy *toy = context;
  (void)progress;
  if (y)
    memcpy(toy->point, y, sizeof toy->point);
  y = toy->point;
  toy->linearisations++;
  toy->shift = shift ? shift[0] : 0;
  for (int row = 0; row < 2 && shift; row++)
    toy->most_shift[row] = fmax(toy->most_shift[row], shift[row]);
  memset(toy->jacobian, 0, sizeof toy->jacobian);
  toy->slope(toy, y, toy->jacobian);
  for (int i = 0; i < TOY_SIZE; i++)
    toy->jacobian[i * TOY_SIZE + i] += shift ? shift[i / 3] : 0;
  return ST_OK;
}

static inline StStatus toy_assemble(void *context, StAssembly what, StError *error) {
  Toy *toy = context;
  StBlockMatrix *matrix = toy->matrix;
  (void)what;
  if (toy->assembly != ST_OK)
    return st_fail(error, toy->assembly, "the toy would not be assembled");
  for (int row = 0; row < matrix->row_count; row++)
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      for (int e = 0; e < 9; e++)
        matrix->value[9 * k + e] =
            toy->jacobian[(3 * row + e / 3) * TOY_SIZE + 3 * matrix->column[k] + e % 3];
  return ST_OK;
}

static inline void toy_product(void *context, const double *x, double *result) {
  const Toy *toy = context;
  for (int i = 0; i < TOY_SIZE; i++) {
    result[i] = 0;
    for (int j = 0; j < TOY_SIZE; j++)
      result[i] += toy->jacobian[i * TOY_SIZE + j] * x[j];
  }
}

// Every other entry goes up, the others down.
static inline StStatus toy_round_off(void *context, const double *y, const double *r,
                                     double *noise) {
  Toy *toy = context;
  double near[TOY_SIZE], there[TOY_SIZE];
  for (int i = 0; i < TOY_SIZE; i++)
    near[i] = y[i] * (1 + (i % 2 ? -1 : 1) * toy->ulp);
  StStatus status = toy->residual(toy, near, there);
  for (int i = 0; i < TOY_SIZE; i++)
    there[i] -= r[i];
  *noise = st_problem_magnitude(&toy->problem, there);
  return status;
}

static inline StStatus toy_limit(void *context, const double *y, double progress, const double *p,
                                 double *part) {
  const Toy *toy = context;
  (void)progress;
  *part = toy->free;
  for (int i = 0; i < TOY_SIZE && toy->wall > 0; i++) // half of the room is kept
    if (y[i] + p[i] > toy->wall)
      *part = fmin(*part, 0.5 * (toy->wall - y[i]) / p[i]);
  return ST_OK;
}

static inline void toy_retract(void *context, const double *y, double *p) {
  (void)context, (void)y, (void)p;
}

static inline int toy_find_islands(void *context, bool merge, int *island) {
  Toy *toy = context;
  bool one = merge && toy->meet > 0 && toy->last[0] > toy->meet && toy->last[3] > toy->meet;
  toy->merges += one;
  island[0] = 0;
  island[1] = !one;
  return one ? 1 : 2;
}

static inline StStatus toy_limit_islands(void *context, const double *y, const double *way,
                                         double *length, double *p, bool *free) {
  (void)context, (void)y;
  for (int i = 0; i < TOY_SIZE; i++)
    p[i] = length[i / 3] * way[i];
  *free = true;
  return ST_OK;
}

// In place: the problem points into the toy.
static inline void toy_start(Toy *toy) {
  static const int pair[] = {0, 1}, global[] = {0, 1};
  static const double coordinates[TOY_SIZE] = {0, 0, 0, 1, 0, 0}, scale[] = {1, 1, 1, 1, 1, 1};
  if (st_block_matrix_create(2, 2, pair, 1, 2, &toy->matrix, NULL) != ST_OK)
    abort();
  toy->problem = (StProblem){.context = toy,
                             .size = TOY_SIZE,
                             .residual = toy_residual,
                             .round_off = toy->ulp > 0 ? toy_round_off : NULL,
                             .linearise = toy_linearise,
                             .assemble = toy_assemble,
                             .product = toy_product,
                             .limit = toy->free > 0 ? toy_limit : NULL,
                             .retract = toy->arcs ? toy_retract : NULL,
                             .find_islands = toy->islands ? toy_find_islands : NULL,
                             .limit_islands = toy->islands ? toy_limit_islands : NULL,
                             .freeze = toy->islands ? toy_freeze : NULL,
                             .matrix = toy->matrix,
                             .global = global,
                             .global_count = 2,
                             .coordinates = coordinates,
                             .scale = scale};
}

static inline void toy_stop(Toy *toy) {
  st_block_matrix_destroy(toy->matrix);
  toy->matrix = NULL;
}

static inline StLinear *toy_linear(const Toy *toy, StLinearMethod method) {
  StLinear *linear = NULL;
  StLinearOptions options = {.method = method, .max_iterations = 200};
  if (st_linear_create(&toy->problem, &options, &linear, NULL) != ST_OK)
    abort();
  return linear;
}

// Newton on a toy from y with one linear method, from the start to the end of it.
static inline StStatus toy_solve(Toy *toy, StLinearMethod method, const StNewtonOptions *options,
                                 double y[TOY_SIZE], StNewtonResult *result, StError *error) {
  double r[TOY_SIZE];
  toy_start(toy);
  StLinear *linear = toy_linear(toy, method);
  if (options->start.evaluated)
    toy->residual(toy, y, r);
  StStatus status = st_newton_solve(&toy->problem, linear, options, y, r, result, error);
  st_linear_destroy(linear);
  toy_stop(toy);
  return status;
}

#endif
