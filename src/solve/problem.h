// The problem of the solvers: a system of equations r(y) = 0 and its Jacobian J. Unknowns come in
// rows of three and are scaled so that plain 2-norms are the ones to minimise and J is the identity
// plus something stiff. The solvers know nothing about where the equations come from.
#pragma once

#include "base/status.h"
#include "math/block_matrix.h"

// Which blocks of J a solver wants in the matrix.
typedef enum StAssembly {
  ST_ASSEMBLE_WHOLE,   // all, to factorise; the pattern may grow
  ST_ASSEMBLE_NEAR,    // an approximation that is cheap to compute, to precondition; likewise
  ST_ASSEMBLE_PRODUCT, // those that `product` takes from the matrix; the rest it computes
  ST_ASSEMBLE_ROUNDED, // the same, where single precision is enough
} StAssembly;

enum { ST_GROUP_ROWS = 4 };

// r may depend on a parameter of continuation, `progress`, which runs from 0 to 1 along with the
// iterates. Where nothing else is said, functions are collective, and a point is one of y and
// progress.
typedef struct StProblem {
  void *context;
  int size; // unknowns of this rank: 3 × its rows

  // r at a point. ST_NOT_SOLVED: the point lies outside the domain (the same on every rank).
  StStatus (*residual)(void *context, const double *y, double progress, double *r);

  // Change of r, with progress 1, when the numbers behind y are rounded differently in their last
  // place: its magnitude over this rank's rows. NULL: unknown.
  StStatus (*round_off)(void *context, const double *y, const double *r, double *noise);

  // Fixes the point at which J is taken. From here on J has a shift of each row, [size / 3], on its
  // diagonal; NULL: none. y NULL: only the shifts change.
  StStatus (*linearise)(void *context, const double *y, double progress, const double *shift);

  // Fills `matrix` for that point.
  StStatus (*assemble)(void *context, StAssembly what, StError *error);

  // result = J x at that point, after ST_ASSEMBLE_PRODUCT or _ROUNDED.
  void (*product)(void *context, const double *x, double *result);

  // Adds -(1 - progress) ∂r/∂progress, at a point with the residual r, to the right-hand side of
  // Newton's equation. NULL: r does not depend on progress.
  StStatus (*add_tangent)(void *context, const double *y, double progress, const double *r,
                          double *rhs);

  // Limit of the domain: the largest fraction (up to 1) of the step from y to y + p, and from
  // `progress` to 1, that stays inside. NULL: whole steps always do.
  StStatus (*limit)(void *context, const double *y, double progress, const double *p,
                    double *fraction);

  // Replaces the tangent p at y by the chord of a curve: y + p is then the curve's end. NULL: steps
  // are straight. NULL if `limit` is.
  void (*retract)(void *context, const double *y, double *p);

  // Partition into islands, which J as last assembled does not couple. Fills island, [size / 3],
  // with numbers from 0, and returns their count. merge: instead of finding them anew, merges
  // islands that are coupled at the point of the last residual; the new number is never above the
  // old one. NULL: all unknowns are one island. On this rank.
  int (*find_islands)(void *context, bool merge, int *island);

  // `limit` for each island alone, at progress 1: shortens length, [islands], until the curves with
  // the tangents length × tangent stay inside, and fills p with their chords. *inside: false if no
  // lengths were found; then p and length are undefined. NULL if find_islands is.
  StStatus (*limit_islands)(void *context, const double *y, const double *tangent, double *length,
                            double *p, bool *inside);

  // Freezes rows, [size / 3], of whole islands with the residual r at the last point: they keep
  // both, and the problem computes nothing for them alone. It releases islands by itself when
  // others couple to them. NULL: releases all. On this rank. NULL if find_islands is.
  void (*freeze)(void *context, const bool *row, const double *r);

  // May change the problem after a step of descent, at the point of the last residual. *changed: r
  // has to be computed anew. NULL: the problem never changes.
  StStatus (*update)(void *context, bool *changed, StError *error);

  // Dense terms weight·u uᵀ of J, which the matrix leaves out and `product` has: those of the
  // present linearisation after any `assemble`.
  int coupling_count;
  const double *coupling;        // [coupling_count][size]
  const double *coupling_weight; // [coupling_count]

  // J in blocks, complete enough to factorise or to precondition. Rows are this rank's.
  const StBlockMatrix *matrix;
  int pattern;       // changes whenever the pattern of the matrix has, or what is fixed of it
  const int *global; // [matrix columns] number of each block column over all ranks
  int global_count;
  const double *coordinates; // [rows][3] of the near-null space of rigid modes, for multigrid
  const double *scale;       // [size] of unknowns; 0: the unknown is fixed, and its residual 0

  // Groups of rows that are stiff except along their six rigid modes. None: 0 and NULL.
  int group_count;
  const int *group;       // [group_count][ST_GROUP_ROWS]
  const double *position; // [rows][3] coordinates of these modes at the present linearisation

  const bool *frozen; // [rows] see `freeze`: J need not be right for them; NULL: none are
} StProblem;

// The square of a row's magnitude: of a residual or of a change of y, times the scale.
double st_problem_square(const StProblem *problem, const double *x, int row);

// The largest magnitude of this rank's rows; NaN if one is.
double st_problem_magnitude(const StProblem *problem, const double *x);
