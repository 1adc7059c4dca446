// What the solvers see: a residual r(y), its Jacobian, and a measure of residuals in metres per
// second. Unknowns are scaled (y = √m v, r̂ = r/√m), so that plain 2-norms are mass-weighted and
// the Jacobian is the identity plus a scaled stiffness. The solvers know nothing of mechanics.
#ifndef ST_SOLVE_PROBLEM_H
#define ST_SOLVE_PROBLEM_H

#include "base/status.h"
#include "math/block_matrix.h"

// Which blocks of J a solver wants in the matrix.
typedef enum StAssembly {
  ST_ASSEMBLE_WHOLE,   // all: to factorise. The pattern may grow.
  ST_ASSEMBLE_NEAR,    // something near J that is cheap to have: to precondition. The same.
  ST_ASSEMBLE_PRODUCT, // those that `product` takes from the matrix; the rest it computes
  ST_ASSEMBLE_ROUNDED, // the same, where single precision is enough
} StAssembly;

// What keeps a residual from being zero at the solution, as speeds over this rank's vertices, m/s.
typedef struct StRoundOff {
  double noise; // how far r moves when the numbers behind y are rounded differently in their last
                // place
  double terms; // the largest of the terms that cancel in r
} StRoundOff;

enum { ST_FRAME_ROWS = 4 };

typedef struct StProblem {
  void *context;
  int size; // unknowns of this rank: 3 × its vertices

  // r at y. ST_NOT_SOLVED: y lies outside the domain (the same answer on every rank). Collective.
  StStatus (*residual)(void *context, const double *y, double *r);

  // How well r can be known at y. NULL: nobody knows. Collective, with the answers of `residual`.
  StStatus (*round_off)(void *context, const double *y, const double *r, StRoundOff *round_off);

  // Fixes the point at which the Jacobian is taken; from here on J has a shift of each row, of
  // [size / 3], on its diagonal. NULL: none. Collective.
  StStatus (*linearise)(void *context, const double *y, const double *shift);

  // J at the same point gets other shifts. NULL: only `linearise` can do that.
  void (*reshift)(void *context, const double *shift);

  // Fills `matrix` for that point. Collective.
  StStatus (*assemble)(void *context, StAssembly what, StError *error);

  // result = J x at that point, after ST_ASSEMBLE_PRODUCT or _ROUNDED. Collective.
  void (*product)(void *context, const double *x, double *result);

  // Largest entry of a residual or of a change of y as a speed, m/s, over this rank's vertices.
  double (*residual_speed)(void *context, const double *r);
  double (*change_speed)(void *context, const double *dy);

  // What the residual depends on beside y and what comes to its value on the way: motions that are
  // prescribed for the step. 0: they have not begun, 1: done. `residual` and `linearise` go by the
  // progress set last; `drive` adds -(1 - progress) ∂r/∂progress to the right-hand side of
  // Newton's equation. All three NULL: there is nothing of the kind.
  bool (*moves)(void *context); // whether anything is prescribed that moves; the same on all ranks
  void (*set_progress)(void *context, double progress);
  StStatus (*drive)(void *context, const double *y, const double *r, double *rhs); // collective

  // The largest part (up to 1) of the way from y to y + p, and from the present progress to 1, that
  // leads through nothing. NULL: the whole way is always free. Collective.
  StStatus (*limit)(void *context, const double *y, const double *p, double *part);

  // Changes p so that y + p is where p leads if what turns goes along arcs. NULL: all ways are
  // straight. Collective.
  void (*turn)(void *context, const double *y, double *p);

  // Parts of the unknowns that J, as last assembled, does not couple. Fills part, [size / 3], with
  // numbers from 0, and returns how many there are. NULL: all are one.
  int (*find_parts)(void *context, int *part);

  // Parts that are coupled at the point of the last residual become one. Fills to, of all parts,
  // with the number that each then has, not above its own, and returns how many are left. NULL if
  // find_parts is.
  int (*join_parts)(void *context, int *to);

  // Fills p with arcs, of which each part goes its length of the straight way, or as far as nothing
  // is in its way: lengths get shorter. *free: whether that was enough for all arcs to be free; if
  // not, p and the lengths are no matter. Only for parts as found last.
  StStatus (*part_ways)(void *context, const double *y, const double *way, double *length,
                        double *p, bool *free);

  // Rows, [size / 3], that are done while others go on: they stay where they are, with residuals r,
  // and nothing that concerns them alone is computed, until something comes to touch them. NULL:
  // all go on. Only whole parts; NULL if find_parts is.
  void (*park)(void *context, const bool *row, const double *r);

  // May change the problem to suit the iterates, after each step of descent at the point of the
  // last residual. *changed: r has to be computed anew. NULL: it never changes. Collective.
  StStatus (*adapt)(void *context, bool *changed, StError *error);

  // Dense terms weight·u uᵀ of J, which the matrix leaves out and `product` has: those of the
  // present linearisation after any `assemble`.
  int coupling_count;
  const double *coupling;        // [coupling_count][size]
  const double *coupling_weight; // [coupling_count]

  // J in blocks, complete enough to factorise or to precondition. Rows are this rank's.
  const StBlockMatrix *matrix;
  int pattern;       // changes whenever the matrix' pattern has
  const int *global; // [matrix columns] number of each block column over all ranks
  int global_count;
  const double *coordinates; // [rows][3] rest positions, and …
  const double *scale;       // [3 rows] y-to-v factors: both for the rigid modes multigrid needs

  // Rows that a stiff force keeps in shape, four at a time: rigid bodies. None: 0 and NULL.
  int frame_count;
  const int *frame;       // [frame_count][ST_FRAME_ROWS]
  const double *position; // [rows][3] at the present linearisation

  const bool *parked; // [rows] see `park`: J need not be right for them; NULL: none are
} StProblem;

#endif
