// Elimination tree, fronts and where everything goes.
// Tested by tests/solve/test_sparse_lu.c.
#include "solve/lu_plan.h"

#include "base/memory.h"
#include "base/search.h"
#include "solve/dissection.h"
#include "solve/tunables.h"

#include <string.h>

// Couplings of each row with others: the square part of the matrix without its diagonal.
typedef struct Graph {
  int count;
  int *start, *neighbor;
} Graph;

// What is made on the way to a plan.
typedef struct Draft {
  const StBlockMatrix *matrix;
  Graph graph;
  int *place;  // [count] position of each matrix row
  int *parent; // [count] elimination tree, in positions; -1: root
  int *height; // [count] blocks of each column of L, diagonal included
  int *front;  // [count] front that eliminates a position
  int *mark, *spare;
} Draft;

static void draft_free(Draft *draft) {
  free(draft->graph.start);
  free(draft->graph.neighbor);
  free(draft->place);
  free(draft->parent);
  free(draft->height);
  free(draft->front);
  free(draft->mark);
  free(draft->spare);
}

static bool graph_build(const StBlockMatrix *matrix, Graph *graph) {
  int count = graph->count = matrix->row_count, used = 0;
  graph->start = ST_NEW(int, (size_t)count + 1);
  graph->neighbor = ST_NEW(int, matrix->row_start[count]);
  if (!graph->start || !graph->neighbor)
    return false;
  for (int row = 0; row < count; row++) {
    graph->start[row] = used;
    for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
      if (matrix->column[k] < count && matrix->column[k] != row &&
          st_block_matrix_couples(matrix, row, matrix->column[k]))
        graph->neighbor[used++] = matrix->column[k];
  }
  graph->start[count] = used;
  return true;
}

static bool draft_create(const StBlockMatrix *matrix, Draft *draft) {
  size_t count = (size_t)matrix->row_count;
  *draft = (Draft){.matrix = matrix,
                   .place = ST_NEW(int, count),
                   .parent = ST_NEW(int, count),
                   .height = ST_NEW(int, count),
                   .front = ST_NEW(int, count),
                   .mark = ST_NEW(int, count),
                   .spare = ST_NEW(int, count)};
  return draft->place && draft->parent && draft->height && draft->front && draft->mark &&
         draft->spare && graph_build(matrix, &draft->graph);
}

// Liu's algorithm: the parent of a column is its first row below the diagonal in L. `spare` jumps
// over what was climbed before.
static void grow_tree(const Draft *draft, const int *order) {
  const Graph *graph = &draft->graph;
  int *ancestor = draft->spare;
  for (int i = 0; i < graph->count; i++) {
    draft->parent[i] = ancestor[i] = -1;
    for (int e = graph->start[order[i]]; e < graph->start[order[i] + 1]; e++) {
      int k = draft->place[graph->neighbor[e]], next;
      for (; k != -1 && k < i; k = next) {
        next = ancestor[k];
        ancestor[k] = i;
        if (next == -1)
          draft->parent[k] = i;
      }
    }
  }
}

// Numbers the tree so that each subtree is contiguous and ends with its root. Children hang in
// lists: head[parent], next[sibling].
static void number_subtrees(const int *parent, int count, int *head, int *next, int *number) {
  int done = 0;
  memset(head, 0xff, (size_t)count * sizeof(int));
  for (int i = count - 1; i >= 0; i--)
    if (parent[i] >= 0) {
      next[i] = head[parent[i]];
      head[parent[i]] = i;
    }
  for (int root = 0; root < count; root++) {
    if (parent[root] >= 0)
      continue;
    for (int i = root;;) {
      while (head[i] >= 0) { // down to the first child that was not visited
        int child = head[i];
        head[i] = next[child];
        i = child;
      }
      number[i] = done++;
      if (i == root)
        break;
      i = parent[i];
    }
  }
}

static void renumber(const Draft *draft, const int *number, int *order) {
  int count = draft->graph.count, *parent = draft->spare;
  for (int i = 0; i < count; i++)
    parent[number[i]] = draft->parent[i] < 0 ? -1 : number[draft->parent[i]];
  memcpy(draft->parent, parent, (size_t)count * sizeof(int));
  for (int row = 0; row < count; row++) {
    draft->place[row] = number[draft->place[row]];
    order[draft->place[row]] = row;
  }
}

// Row i of L has a block in each column on the tree's paths from its neighbours up to i.
static void count_columns(const Draft *draft, const int *order) {
  const Graph *graph = &draft->graph;
  for (int i = 0; i < graph->count; i++) {
    draft->height[i] = 1;
    draft->mark[i] = i;
    for (int e = graph->start[order[i]]; e < graph->start[order[i] + 1]; e++)
      for (int k = draft->place[graph->neighbor[e]]; k < i && draft->mark[k] != i;
           k = draft->parent[k]) {
        draft->mark[k] = i;
        draft->height[k]++;
      }
  }
}

// A run of positions that one front may eliminate, and how many of its blocks are known zeros.
typedef struct Run {
  int first, count;
  int height; // blocks of its first column
  double zeros;
} Run;

static double run_blocks(const Run *run) {
  return run->count * (run->height - 0.5 * (run->count - 1));
}

// Fewer, larger fronts are worth some zeros: much where they are small, little where they are not.
static bool is_worth_it(const Run *run) {
  double share = run->zeros / run_blocks(run);
  return share < (run->count <= 4 ? 0.8 : run->count <= 12 ? 0.2 : 0.05);
}

// The run and the one right before it, whose last column hangs on this one.
static Run join(const Run *lower, const Run *upper) {
  Run both = {.first = lower->first,
              .count = lower->count + upper->count,
              .height = lower->count + upper->height};
  double known = run_blocks(lower) - lower->zeros + run_blocks(upper) - upper->zeros;
  both.zeros = run_blocks(&both) - known;
  return both;
}

// Whether the last column of a run hangs on one of the run right after it.
static bool hangs_on(const Draft *draft, const Run *lower, const Run *upper) {
  int parent = draft->parent[lower->first + lower->count - 1];
  return parent >= upper->first && parent < upper->first + upper->count;
}

// Columns with the same rows below them.
static int find_runs(const Draft *draft, Run *run) {
  int count = 0;
  for (int i = 0; i < draft->graph.count; i++) {
    Run one = {.first = i, .count = 1, .height = draft->height[i]};
    bool same = count > 0 && hangs_on(draft, &run[count - 1], &one) &&
                draft->height[i - 1] == draft->height[i] + 1;
    if (same)
      run[count - 1].count++;
    else
      run[count++] = one;
  }
  return count;
}

static int join_runs(const Draft *draft, Run *run, int count) {
  int kept = 0;
  for (int r = 0; r < count; r++) {
    run[kept++] = run[r];
    while (kept > 1 && hangs_on(draft, &run[kept - 2], &run[kept - 1])) {
      Run both = join(&run[kept - 2], &run[kept - 1]);
      if (!is_worth_it(&both))
        break;
      run[kept-- - 2] = both;
    }
  }
  return kept;
}

// Rows below a front: what its own rows are coupled to and what its children leave.
typedef struct Below {
  int *position;
  size_t count, capacity;
} Below;

static bool add_below(Draft *draft, int front, int last, int position, Below *below) {
  if (position <= last || draft->mark[position] == front)
    return true;
  if (!st_grow((void **)&below->position, &below->capacity, below->count + 1, sizeof(int)))
    return false;
  draft->mark[position] = front;
  below->position[below->count++] = position;
  return true;
}

// Children of a front in a list: head[front], next[sibling]; they are known before it.
static bool find_below(Draft *draft, StLuPlan *plan, int f, const int *head, const int *next,
                       Below *below) {
  const Graph *graph = &draft->graph;
  int last = plan->first[f + 1] - 1;
  size_t from = below->count;
  for (int i = plan->first[f]; i <= last; i++)
    for (int e = graph->start[plan->order[i]]; e < graph->start[plan->order[i] + 1]; e++)
      if (!add_below(draft, f, last, draft->place[graph->neighbor[e]], below))
        return false;
  for (int child = head[f]; child >= 0; child = next[child])
    for (size_t k = plan->below_start[child]; k < plan->below_start[child + 1]; k++)
      if (!add_below(draft, f, last, below->position[k], below))
        return false;
  plan->below_start[f + 1] = below->count;
  if (below->count > from)
    qsort(below->position + from, below->count - from, sizeof(int), st_compare_ints);
  return true;
}

static bool find_all_below(Draft *draft, StLuPlan *plan) {
  int fronts = plan->front_count, *head = draft->spare, *next = draft->height; // done with both
  Below below = {0};
  // Without couplings nothing is below, but there are pointers into the list.
  bool good = st_grow((void **)&below.position, &below.capacity, 1, sizeof(int));
  memset(head, 0xff, (size_t)fronts * sizeof(int));
  memset(draft->mark, 0xff, (size_t)draft->graph.count * sizeof(int));
  for (int f = 0; f < fronts && good; f++) {
    good = find_below(draft, plan, f, head, next, &below);
    plan->parent[f] = -1;
    if (!good || plan->below_start[f + 1] == plan->below_start[f])
      continue;
    int parent = plan->parent[f] = draft->front[below.position[plan->below_start[f]]];
    next[f] = head[parent];
    head[parent] = f;
    plan->child_count[parent]++;
  }
  plan->below = below.position;
  return good;
}

// Both lists ascend, and the parent's front has all that is below its child.
static void find_seats(StLuPlan *plan) {
  for (int f = 0; f < plan->front_count; f++) {
    int parent = plan->parent[f];
    if (parent < 0)
      continue;
    int pivots = st_lu_plan_pivots(plan, parent), first = plan->first[parent];
    const int *above = plan->below + plan->below_start[parent];
    int at = 0;
    for (size_t k = plan->below_start[f]; k < plan->below_start[f + 1]; k++) {
      int position = plan->below[k];
      if (position < first + pivots) {
        plan->seat[k] = position - first;
        continue;
      }
      while (above[at] != position)
        at++;
      plan->seat[k] = pivots + at;
    }
  }
}

// The next block of a front; false when the matrix has no such block.
static bool add_entry(StLuPlan *plan, size_t *count, int slot, int row, int column) {
  if (slot >= 0)
    plan->entry[(*count)++] = (StLuEntry){slot, row, column};
  return slot >= 0;
}

// Blocks of a pivot's row, and those of its column that no pivot's row has.
static bool list_row(const Draft *draft, StLuPlan *plan, int f, int position, size_t *count) {
  const StBlockMatrix *matrix = draft->matrix;
  const int *where = draft->spare;
  int first = plan->first[f], end = plan->first[f + 1], row = plan->order[position];
  bool good = true;
  for (int k = matrix->row_start[row]; k < matrix->row_start[row + 1] && good; k++) {
    int column = matrix->column[k];
    int at = column < matrix->row_count ? draft->place[column] : -1;
    if (at < first || !st_block_matrix_couples(matrix, row, column))
      continue;
    good = add_entry(plan, count, k, position - first, where[at]);
    if (good && at >= end)
      good = add_entry(plan, count, st_block_matrix_slot(matrix, column, row), where[at],
                       position - first);
  }
  return good;
}

static void seat_front(const StLuPlan *plan, int f, int *where) {
  int pivots = st_lu_plan_pivots(plan, f), below = st_lu_plan_below(plan, f);
  for (int i = 0; i < pivots; i++)
    where[plan->first[f] + i] = i;
  for (int i = 0; i < below; i++)
    where[plan->below[plan->below_start[f] + (size_t)i]] = pivots + i;
}

static StStatus find_entries(const Draft *draft, StLuPlan *plan, StError *error) {
  size_t count = 0;
  for (int f = 0; f < plan->front_count; f++) {
    seat_front(plan, f, draft->spare);
    for (int i = plan->first[f]; i < plan->first[f + 1]; i++)
      if (!list_row(draft, plan, f, i, &count))
        return st_fail(error, ST_SYSTEM_FAULT, "the matrix has no symmetric pattern");
    plan->entry_start[f + 1] = count;
  }
  return ST_OK;
}

// What a front's children left on the stack is gone when its own part gets there.
static void measure(const Draft *draft, StLuPlan *plan) {
  size_t stack = 0;
  int *next = draft->spare;
  for (int f = 0, on_stack = 0; f < plan->front_count; f++) {
    int pivots = st_lu_plan_pivots(plan, f), below = st_lu_plan_below(plan, f);
    plan->widest = pivots + below > plan->widest ? pivots + below : plan->widest;
    plan->factor_size += (size_t)pivots * (size_t)(pivots + 2 * below);
    plan->work += st_lu_plan_work(plan, f);
    for (int c = 0; c < plan->child_count[f]; c++) {
      size_t left = (size_t)st_lu_plan_below(plan, next[--on_stack]);
      stack -= left * left;
    }
    if (below == 0)
      continue;
    next[on_stack++] = f;
    stack += (size_t)below * (size_t)below;
    plan->stack_size = stack > plan->stack_size ? stack : plan->stack_size;
  }
}

static StStatus make_fronts(Draft *draft, StLuPlan *plan, StError *error) {
  Run *run = ST_NEW(Run, plan->row_count);
  if (!run)
    return st_fail_memory(error);
  int fronts = plan->front_count = join_runs(draft, run, find_runs(draft, run));
  plan->first = ST_NEW(int, (size_t)fronts + 1);
  plan->below_start = ST_NEW(size_t, (size_t)fronts + 1);
  plan->entry_start = ST_NEW(size_t, (size_t)fronts + 1);
  plan->parent = ST_NEW(int, fronts);
  plan->child_count = ST_NEW(int, fronts);
  bool good =
      plan->first && plan->below_start && plan->entry_start && plan->parent && plan->child_count;
  for (int f = 0; f < fronts && good; f++) {
    plan->first[f] = run[f].first;
    for (int i = run[f].first; i < run[f].first + run[f].count; i++)
      draft->front[i] = f;
  }
  if (good)
    plan->first[fronts] = plan->row_count;
  free(run);
  return good ? ST_OK : st_fail_memory(error);
}

static StStatus plan_order(Draft *draft, StLuPlan *plan, StError *error) {
  plan->order = ST_NEW(int, plan->row_count);
  if (!plan->order)
    return st_fail_memory(error);
  const Graph *graph = &draft->graph;
  ST_TRY(st_dissection_find(graph->count, graph->start, graph->neighbor, plan->order, draft->place,
                            error));
  grow_tree(draft, plan->order);
  number_subtrees(draft->parent, plan->row_count, draft->height, draft->front, draft->mark);
  renumber(draft, draft->mark, plan->order);
  count_columns(draft, plan->order);
  return ST_OK;
}

static StStatus plan_build(Draft *draft, StLuPlan *plan, StError *error) {
  ST_TRY(plan_order(draft, plan, error));
  ST_TRY(make_fronts(draft, plan, error));
  if (!find_all_below(draft, plan))
    return st_fail_memory(error);
  size_t entries = (size_t)draft->graph.start[plan->row_count] + (size_t)plan->row_count;
  plan->seat = ST_NEW(int, plan->below_start[plan->front_count]);
  plan->entry = ST_NEW(StLuEntry, entries);
  if (!plan->seat || !plan->entry)
    return st_fail_memory(error);
  find_seats(plan);
  ST_TRY(find_entries(draft, plan, error));
  measure(draft, plan);
  return ST_OK;
}

StStatus st_lu_plan_create(const StBlockMatrix *matrix, StLuPlan **result, StError *error) {
  Draft draft;
  StLuPlan *plan = ST_NEW(StLuPlan, 1);
  bool room = draft_create(matrix, &draft);
  StStatus status = ST_OK;
  if (!plan || !room)
    status = st_fail_memory(error);
  if (status == ST_OK) {
    plan->row_count = matrix->row_count;
    status = plan_build(&draft, plan, error);
  }
  draft_free(&draft);
  if (status != ST_OK)
    st_lu_plan_destroy(plan);
  else
    *result = plan;
  return status;
}

double st_lu_plan_time(const StLuPlan *plan, double blocks, double operations) {
  return blocks * st_solve_tunables.lu_block_time * (double)plan->factor_size +
         operations * st_solve_tunables.lu_operation_time * plan->work;
}

void st_lu_plan_destroy(StLuPlan *plan) {
  if (!plan)
    return;
  free(plan->order);
  free(plan->first);
  free(plan->below_start);
  free(plan->below);
  free(plan->seat);
  free(plan->parent);
  free(plan->child_count);
  free(plan->entry_start);
  free(plan->entry);
  free(plan);
}
