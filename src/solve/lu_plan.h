// Plan of a sparse LU factorisation by dense fronts (multifrontal): the order of elimination, which
// rows are eliminated together, and where everything goes. It depends on the pattern alone and
// serves all matrices that have it.
#pragma once

#include "math/block_matrix.h"

// One block of the matrix and its place in the front it is added to.
typedef struct StLuEntry {
  int slot; // among the matrix' values
  int row, column;
} StLuEntry;

// "Position" means the place of a row in the order of elimination. Front f eliminates positions
// first[f] … first[f + 1] - 1 and also has the rows `below`, which they are coupled to and which
// are eliminated later. What is left of those goes to the parent's front. Children come before
// parents, and a front's last child comes right before it.
typedef struct StLuPlan {
  int row_count;
  int *order; // [row_count] matrix row at each position
  int front_count;
  int *first;          // [front_count + 1]
  size_t *below_start; // [front_count + 1]
  int *below;          // positions, ascending
  int *seat;           // beside `below`: the place of each in the parent's front
  int *parent;         // [front_count] -1: none
  int *child_count;    // [front_count]
  size_t *entry_start; // [front_count + 1]
  StLuEntry *entry;
  int widest;         // rows of the largest front
  size_t stack_size;  // blocks that wait for their parents at a time, at most
  size_t factor_size; // blocks of the factors
  double work;        // multiplications and additions of a factorisation
} StLuPlan;

// The square part of the matrix (columns that are rows too) must have a symmetric pattern.
StStatus st_lu_plan_create(const StBlockMatrix *matrix, StLuPlan **plan, StError *error);
void st_lu_plan_destroy(StLuPlan *plan);

// About how long a factorisation takes that has so many times the plan's blocks and operations, in
// iterations of GMRES per block of the matrix.
double st_lu_plan_time(const StLuPlan *plan, double blocks, double operations);

static inline int st_lu_plan_pivots(const StLuPlan *plan, int front) {
  return plan->first[front + 1] - plan->first[front];
}

static inline int st_lu_plan_below(const StLuPlan *plan, int front) {
  return (int)(plan->below_start[front + 1] - plan->below_start[front]);
}

// Floating-point operations of a front.
static inline double st_lu_plan_work(const StLuPlan *plan, int front) {
  double p = 3.0 * st_lu_plan_pivots(plan, front), b = 3.0 * st_lu_plan_below(plan, front);
  return p * p * p * 2 / 3 + 2 * p * p * b + 2 * p * b * b;
}
