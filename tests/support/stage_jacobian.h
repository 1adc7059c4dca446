// The scaled Jacobian of a stage as a dense matrix, [size][size].
#ifndef TESTS_SUPPORT_STAGE_JACOBIAN_H
#define TESTS_SUPPORT_STAGE_JACOBIAN_H

#include "support/compare.h"
#include "support/stage_scene.h"

// Column j of the scaled Jacobian, by the matrix or without one.
static inline void stage_jacobian_by_products(StageScene *s, double *dense) {
  const StProblem *problem = &s->stage->problem;
  StError error = {0};
  int n = s->size;
  double *unit = ST_NEW(double, n), *column = ST_NEW(double, n);
  skin_scene_must(problem->linearise(problem->context, s->y, s->progress, NULL) == ST_OK);
  skin_scene_must(problem->assemble(problem->context, ST_ASSEMBLE_WHOLE, &error) == ST_OK);
  for (int j = 0; j < n; j++) {
    unit[j] = 1;
    problem->product(problem->context, unit, column);
    for (int i = 0; i < n; i++)
      dense[i * n + j] = column[i];
    unit[j] = 0;
  }
  free(unit);
  free(column);
}

// By differences of the residual.
static inline void stage_jacobian_by_differences(StageScene *s, double *dense) {
  const StProblem *problem = &s->stage->problem;
  int n = s->size;
  double *to = ST_NEW(double, n), *r = ST_NEW(double, n);
  memcpy(to, s->y, (size_t)n * sizeof(double));
  memset(dense, 0, (size_t)n * (size_t)n * sizeof(double));
  for (int j = 0; j < n; j++) {
    double scale = s->stage->scale[j];
    if (scale == 0) {
      dense[j * n + j] = 1;
      continue;
    }
    const double h = 3e-5 / scale; // 3e-5 m/s, and 3e-8 m
    for (int k = 0; k < DIFFERENCE_POINTS; k++) {
      to[j] = s->y[j] + h * difference_at[k];
      skin_scene_must(problem->residual(problem->context, to, s->progress, r) == ST_OK);
      for (int i = 0; i < n; i++)
        dense[i * n + j] += difference_weight[k] * r[i] / h;
    }
    to[j] = s->y[j];
  }
  free(to);
  free(r);
}

#endif
