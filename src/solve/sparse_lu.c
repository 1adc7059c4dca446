// Multifrontal LU. Each front is a dense matrix in columns: the pivots' rows and columns first. Its
// pivots are eliminated, their rows and columns are kept as factors, and what is left waits on a
// stack for the parent's front.
#include "solve/sparse_lu.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

extern void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
extern void dlaswp_(const int *, double *, const int *, const int *, const int *, const int *,
                    const int *);
extern void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *,
                   const double *, const double *, const int *, double *, const int *);
extern void dgemm_(const char *, const char *, const int *, const int *, const int *,
                   const double *, const double *, const int *, const double *, const int *,
                   const double *, double *, const int *);
extern void dgemv_(const char *, const int *, const int *, const double *, const double *,
                   const int *, const double *, const int *, const double *, double *, const int *);
extern void dtrsv_(const char *, const char *, const char *, const int *, const double *,
                   const int *, double *, const int *);

struct StSparseLu {
  StLuPlan *plan;
  size_t *start;   // [fronts] where a front's factors begin
  double *factor;  // per front: pivots' block LU [p][p], U beside it [b][p], L below it [p][b]
  int *exchange;   // [3 row_count] dgetrf's row exchanges, per front
  double *front;   // the front at work
  double *stack;   // parts that wait for their parents
  size_t *waiting; // [fronts] where they begin
  int *waiting_of; // [fronts] and whose they are
  double *work;    // [3 row_count] right-hand side in order of elimination
  double *part;    // [3 widest] its entries below a front
};

// Scalar sizes of a front and the places of its factors.
typedef struct Front {
  int pivots, below, all;
  double *diagonal, *upper, *lower;
} Front;

static Front front_of(const StSparseLu *lu, int f) {
  int p = 3 * st_lu_plan_pivots(lu->plan, f), b = 3 * st_lu_plan_below(lu->plan, f);
  double *at = lu->factor + lu->start[f];
  size_t square = (size_t)p * (size_t)p, side = (size_t)p * (size_t)b;
  return (Front){p, b, p + b, at, at + square, at + square + side};
}

static void place_factors(StSparseLu *lu) {
  size_t end = 0;
  for (int f = 0; f < lu->plan->front_count; f++) {
    lu->start[f] = end;
    size_t p = 3 * (size_t)st_lu_plan_pivots(lu->plan, f);
    end += p * (p + 6 * (size_t)st_lu_plan_below(lu->plan, f));
  }
}

StStatus st_sparse_lu_create(const StBlockMatrix *matrix, StSparseLu **result, StError *error) {
  StSparseLu *lu = ST_NEW(StSparseLu, 1);
  if (!lu)
    return st_fail_memory(error);
  StStatus status = st_lu_plan_create(matrix, &lu->plan, error);
  if (status == ST_OK) {
    const StLuPlan *plan = lu->plan;
    size_t rows = 3 * (size_t)plan->row_count, widest = 3 * (size_t)plan->widest;
    lu->start = ST_NEW(size_t, plan->front_count);
    lu->factor = ST_NEW(double, 9 * plan->factor_size);
    lu->exchange = ST_NEW(int, rows);
    lu->front = ST_NEW(double, widest *widest);
    lu->stack = ST_NEW(double, 9 * plan->stack_size);
    lu->waiting = ST_NEW(size_t, plan->front_count);
    lu->waiting_of = ST_NEW(int, plan->front_count);
    lu->work = ST_NEW(double, rows);
    lu->part = ST_NEW(double, widest);
    bool good = lu->start && lu->factor && lu->exchange && lu->front && lu->stack && lu->waiting &&
                lu->waiting_of && lu->work && lu->part;
    status = good ? ST_OK : st_fail_memory(error);
  }
  if (status != ST_OK) {
    st_sparse_lu_destroy(lu);
    return status;
  }
  place_factors(lu);
  *result = lu;
  return ST_OK;
}

void st_sparse_lu_destroy(StSparseLu *lu) {
  if (!lu)
    return;
  st_lu_plan_destroy(lu->plan);
  free(lu->start);
  free(lu->factor);
  free(lu->exchange);
  free(lu->front);
  free(lu->stack);
  free(lu->waiting);
  free(lu->waiting_of);
  free(lu->work);
  free(lu->part);
  free(lu);
}

const StLuPlan *st_sparse_lu_plan(const StSparseLu *lu) {
  return lu->plan;
}

static void add_matrix(StSparseLu *lu, int f, const StBlockMatrix *matrix, int all) {
  const StLuPlan *plan = lu->plan;
  for (size_t e = plan->entry_start[f]; e < plan->entry_start[f + 1]; e++) {
    const StLuEntry *entry = &plan->entry[e];
    const double *from = matrix->value + 9 * (size_t)entry->slot;
    double *to = lu->front + 3 * ((size_t)entry->column * (size_t)all + (size_t)entry->row);
    for (int j = 0; j < 3; j++, to += all)
      for (int i = 0; i < 3; i++)
        to[i] += from[3 * i + j];
  }
}

// What a child left, column by column into the seats its rows have here.
static void add_child(StSparseLu *lu, int child, const double *left, int all) {
  const StLuPlan *plan = lu->plan;
  const int *seat = plan->seat + plan->below_start[child];
  int count = st_lu_plan_below(plan, child);
  for (int column = 0; column < 3 * count; column++) {
    double *to = lu->front + (size_t)(3 * seat[column / 3] + column % 3) * (size_t)all;
    for (int i = 0; i < count; i++, left += 3) {
      double *three = to + 3 * seat[i];
      three[0] += left[0];
      three[1] += left[1];
      three[2] += left[2];
    }
  }
}

static void assemble(StSparseLu *lu, int f, const StBlockMatrix *matrix, int all, int *on_stack) {
  memset(lu->front, 0, (size_t)all * (size_t)all * sizeof(double));
  add_matrix(lu, f, matrix, all);
  for (int c = 0; c < lu->plan->child_count[f]; c++) {
    --*on_stack;
    add_child(lu, lu->waiting_of[*on_stack], lu->stack + lu->waiting[*on_stack], all);
  }
}

static void copy_columns(int rows, int columns, const double *from, int from_rows, double *to) {
  for (int c = 0; c < columns; c++)
    memcpy(to + (size_t)c * (size_t)rows, from + (size_t)c * (size_t)from_rows,
           (size_t)rows * sizeof(double));
}

// Pivots' block, then U beside it and L below it.
static bool eliminate(StSparseLu *lu, const Front *front, int *exchange) {
  int p = front->pivots, b = front->below, all = front->all, info = 0, one = 1;
  double unit = 1;
  double *beside = lu->front + (size_t)p * (size_t)all;
  copy_columns(p, p, lu->front, all, front->diagonal);
  dgetrf_(&p, &p, front->diagonal, &p, exchange, &info);
  if (info != 0)
    return false;
  if (b == 0)
    return true;
  copy_columns(p, b, beside, all, front->upper);
  copy_columns(b, p, lu->front + p, all, front->lower);
  dlaswp_(&b, front->upper, &p, &one, &p, exchange, &one);
  dtrsm_("L", "L", "N", "U", &p, &b, &unit, front->diagonal, &p, front->upper, &p);
  dtrsm_("R", "U", "N", "N", &b, &p, &unit, front->diagonal, &p, front->lower, &b);
  return true;
}

// What is left of the rows below goes onto the stack.
static void leave(StSparseLu *lu, int f, const Front *front, int *on_stack, size_t top) {
  int p = front->pivots, b = front->below;
  double minus = -1, unit = 1, *left = lu->stack + top;
  copy_columns(b, b, lu->front + (size_t)p * (size_t)front->all + p, front->all, left);
  dgemm_("N", "N", &b, &b, &p, &minus, front->lower, &b, front->upper, &p, &unit, left, &b);
  lu->waiting[*on_stack] = top;
  lu->waiting_of[(*on_stack)++] = f;
}

static size_t top_of(const StSparseLu *lu, int on_stack) {
  if (on_stack == 0)
    return 0;
  size_t b = 3 * (size_t)st_lu_plan_below(lu->plan, lu->waiting_of[on_stack - 1]);
  return lu->waiting[on_stack - 1] + b * b;
}

StStatus st_sparse_lu_factor(StSparseLu *lu, const StBlockMatrix *matrix, StError *error) {
  int on_stack = 0;
  for (int f = 0; f < lu->plan->front_count; f++) {
    Front front = front_of(lu, f);
    assemble(lu, f, matrix, front.all, &on_stack);
    if (!eliminate(lu, &front, lu->exchange + 3 * (size_t)lu->plan->first[f]))
      return st_fail(error, ST_NOT_SOLVED, "the Jacobian could not be factorised (singular?)");
    if (front.below > 0)
      leave(lu, f, &front, &on_stack, top_of(lu, on_stack));
  }
  return ST_OK;
}

static void gather_below(StSparseLu *lu, int f) {
  const StLuPlan *plan = lu->plan;
  const int *below = plan->below + plan->below_start[f];
  for (int i = 0; i < st_lu_plan_below(plan, f); i++)
    memcpy(lu->part + 3 * i, lu->work + 3 * (size_t)below[i], 3 * sizeof(double));
}

static void scatter_below(StSparseLu *lu, int f) {
  const StLuPlan *plan = lu->plan;
  const int *below = plan->below + plan->below_start[f];
  for (int i = 0; i < st_lu_plan_below(plan, f); i++)
    memcpy(lu->work + 3 * (size_t)below[i], lu->part + 3 * i, 3 * sizeof(double));
}

static void forward(StSparseLu *lu, int f) {
  Front front = front_of(lu, f);
  int one = 1;
  double minus = -1, unit = 1;
  double *x = lu->work + 3 * (size_t)lu->plan->first[f];
  dlaswp_(&one, x, &front.pivots, &one, &front.pivots,
          lu->exchange + 3 * (size_t)lu->plan->first[f], &one);
  dtrsv_("L", "N", "U", &front.pivots, front.diagonal, &front.pivots, x, &one);
  if (front.below == 0)
    return;
  gather_below(lu, f);
  dgemv_("N", &front.below, &front.pivots, &minus, front.lower, &front.below, x, &one, &unit,
         lu->part, &one);
  scatter_below(lu, f);
}

static void backward(StSparseLu *lu, int f) {
  Front front = front_of(lu, f);
  int one = 1;
  double minus = -1, unit = 1;
  double *x = lu->work + 3 * (size_t)lu->plan->first[f];
  if (front.below > 0) {
    gather_below(lu, f);
    dgemv_("N", &front.pivots, &front.below, &minus, front.upper, &front.pivots, lu->part, &one,
           &unit, x, &one);
  }
  dtrsv_("U", "N", "N", &front.pivots, front.diagonal, &front.pivots, x, &one);
}

void st_sparse_lu_solve(StSparseLu *lu, const double *b, double *x) {
  const StLuPlan *plan = lu->plan;
  for (int i = 0; i < plan->row_count; i++)
    memcpy(lu->work + 3 * (size_t)i, b + 3 * (size_t)plan->order[i], 3 * sizeof(double));
  for (int f = 0; f < plan->front_count; f++)
    forward(lu, f);
  for (int f = plan->front_count - 1; f >= 0; f--)
    backward(lu, f);
  for (int i = 0; i < plan->row_count; i++)
    memcpy(x + 3 * (size_t)plan->order[i], lu->work + 3 * (size_t)i, 3 * sizeof(double));
}
