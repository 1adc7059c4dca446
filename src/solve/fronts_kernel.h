// Multifrontal LU. Each front is a dense matrix in columns: the pivots' rows and columns first. Its
// pivots are eliminated, their rows and columns are kept as factors, and what is left waits on a
// stack for the parent's front. Threads share small subtrees, each as a whole, and large fronts by
// tiles of columns or rows. Included by double_fronts.c and single_fronts.c, which say what a
// `number` is and whose LAPACK works on it.
#include "base/memory.h"
#include "solve/fronts.h"
#include "solve/lapack.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { TILE = 64 };
// Subtrees up to a share of all operations, or this many, are for one thread.
static const double SMALL_SHARE = 1.0 / 32, SMALL_WORK = 4e6;

// Room of a thread for small subtrees.
typedef struct Desk {
  number *front;   // the front at work
  number *stack;   // parts that wait for their parents
  size_t *waiting; // where they begin
  int *waiting_of; // and whose they are
  int on_stack;
} Desk;

typedef struct Fronts {
  const StLuPlan *plan;
  StCrew *crew;
  size_t *start;  // [fronts] where a front's factors begin
  number *factor; // per front: pivots' block LU [p][p], U beside it [b][p], L below it [p][b]
  int *exchange;  // [3 row_count] LAPACK's row exchanges, per front
  int *first_of;  // [fronts] the first front of its subtree where that is small; -1: it is not
  bool *skipped;  // [fronts] its tree is left out of the present factorisation, or solution
  bool *made;     // [fronts] it has factors
  Desk main;      // of large fronts
  Desk *desk;     // [threads] of small ones
  number *work;   // [3 row_count] right-hand side in order of elimination
  number *part;   // [3 widest] its entries below a front
} Fronts;

// Scalar sizes of a front and the places of its factors.
typedef struct Front {
  int pivots, below, all;
  number *diagonal, *upper, *lower;
} Front;

static Front front_of(const Fronts *lu, int f) {
  int p = 3 * st_lu_plan_pivots(lu->plan, f), b = 3 * st_lu_plan_below(lu->plan, f);
  number *at = lu->factor + lu->start[f];
  size_t square = (size_t)p * (size_t)p, side = (size_t)p * (size_t)b;
  return (Front){p, b, p + b, at, at + square, at + square + side};
}

static void place_factors(Fronts *lu) {
  size_t end = 0;
  for (int f = 0; f < lu->plan->front_count; f++) {
    lu->start[f] = end;
    size_t p = 3 * (size_t)st_lu_plan_pivots(lu->plan, f);
    end += p * (p + 6 * (size_t)st_lu_plan_below(lu->plan, f));
  }
}

// Marks small subtrees; fronts of one follow each other and end with its root.
static bool find_small(Fronts *lu) {
  const StLuPlan *plan = lu->plan;
  double *work = ST_NEW(double, plan->front_count);
  if (!work)
    return false;
  double limit = fmax(SMALL_WORK, SMALL_SHARE * plan->work);
  for (int f = 0; f < plan->front_count; f++)
    lu->first_of[f] = f;
  for (int f = 0; f < plan->front_count; f++) {
    work[f] += st_lu_plan_work(plan, f);
    if (work[f] > limit)
      lu->first_of[f] = -1;
    int parent = plan->parent[f];
    if (parent < 0)
      continue;
    work[parent] += work[f];
    if (lu->first_of[f] >= 0 && lu->first_of[f] < lu->first_of[parent])
      lu->first_of[parent] = lu->first_of[f];
  }
  free(work);
  return true;
}

static bool is_small_root(const Fronts *lu, int f) {
  int parent = lu->plan->parent[f];
  return lu->first_of[f] >= 0 && (parent < 0 || lu->first_of[parent] < 0);
}

// Numbers that small subtrees need at most: of a front, of the parts that wait in a subtree, and
// how many those are.
typedef struct DeskSize {
  size_t front, stack, waiting;
} DeskSize;

// waiting: [fronts] room.
static DeskSize measure_small(const Fronts *lu, int *waiting) {
  const StLuPlan *plan = lu->plan;
  DeskSize most = {1, 1, 1};
  size_t used = 0, count = 0;
  for (int f = 0; f < plan->front_count; f++) {
    if (lu->first_of[f] < 0)
      continue;
    size_t below = 3 * (size_t)st_lu_plan_below(plan, f);
    size_t all = below + 3 * (size_t)st_lu_plan_pivots(plan, f);
    most.front = all * all > most.front ? all * all : most.front;
    for (int c = 0; c < plan->child_count[f]; c++) {
      size_t left = 3 * (size_t)st_lu_plan_below(plan, waiting[--count]);
      used -= left * left;
    }
    if (is_small_root(lu, f) || below == 0)
      continue;
    waiting[count++] = f;
    used += below * below;
    most.stack = used > most.stack ? used : most.stack;
    most.waiting = count > most.waiting ? count : most.waiting;
  }
  return most;
}

static bool desk_create(Desk *desk, DeskSize size) {
  desk->front = ST_ROOM(number, size.front);
  desk->stack = ST_ROOM(number, size.stack);
  desk->waiting = ST_NEW(size_t, size.waiting);
  desk->waiting_of = ST_NEW(int, size.waiting);
  return desk->front && desk->stack && desk->waiting && desk->waiting_of;
}

static void desk_free(Desk *desk) {
  free(desk->front);
  free(desk->stack);
  free(desk->waiting);
  free(desk->waiting_of);
}

static bool create_desks(Fronts *lu) {
  const StLuPlan *plan = lu->plan;
  size_t widest = 3 * (size_t)plan->widest;
  DeskSize whole = {widest * widest, 9 * plan->stack_size, (size_t)plan->front_count};
  int threads = st_crew_size(lu->crew);
  lu->desk = ST_NEW(Desk, threads);
  bool good = lu->desk && desk_create(&lu->main, whole);
  DeskSize small = good ? measure_small(lu, lu->main.waiting_of) : whole;
  for (int i = 0; i < threads && good; i++)
    good = desk_create(&lu->desk[i], small);
  return good;
}

static bool create_arrays(Fronts *lu) {
  const StLuPlan *plan = lu->plan;
  size_t rows = 3 * (size_t)plan->row_count;
  lu->start = ST_NEW(size_t, plan->front_count);
  lu->factor = ST_ROOM(number, 9 * plan->factor_size);
  lu->exchange = ST_NEW(int, rows);
  lu->first_of = ST_NEW(int, plan->front_count);
  lu->skipped = ST_NEW(bool, plan->front_count);
  lu->made = ST_NEW(bool, plan->front_count);
  lu->work = ST_NEW(number, rows);
  lu->part = ST_NEW(number, 3 * (size_t)plan->widest);
  bool good = lu->start && lu->factor && lu->exchange && lu->first_of && lu->skipped && lu->made &&
              lu->work && lu->part;
  return good && find_small(lu) && create_desks(lu);
}

static void destroy(void *fronts) {
  Fronts *lu = fronts;
  if (!lu)
    return;
  for (int i = 0; lu->desk && i < st_crew_size(lu->crew); i++)
    desk_free(&lu->desk[i]);
  free(lu->desk);
  desk_free(&lu->main);
  free(lu->start);
  free(lu->factor);
  free(lu->exchange);
  free(lu->first_of);
  free(lu->skipped);
  free(lu->made);
  free(lu->work);
  free(lu->part);
  free(lu);
}

static void *create(const StLuPlan *plan, StCrew *crew) {
  Fronts *lu = ST_NEW(Fronts, 1);
  if (!lu)
    return NULL;
  lu->plan = plan;
  lu->crew = crew;
  if (!create_arrays(lu)) {
    destroy(lu);
    return NULL;
  }
  place_factors(lu);
  return lu;
}

static void add_matrix(const Fronts *lu, int f, const StBlockMatrix *matrix, int all,
                       number *front) {
  const StLuPlan *plan = lu->plan;
  for (size_t e = plan->entry_start[f]; e < plan->entry_start[f + 1]; e++) {
    const StLuEntry *entry = &plan->entry[e];
    const double *from = matrix->value + 9 * (size_t)entry->slot;
    number *to = front + 3 * ((size_t)entry->column * (size_t)all + (size_t)entry->row);
    for (int j = 0; j < 3; j++, to += all)
      for (int i = 0; i < 3; i++)
        to[i] += (number)from[3 * i + j];
  }
}

// What a child left, block column by block column into the seats its rows have here; those columns
// whose seats are in a span.
static void add_child(const Fronts *lu, int child, const number *left, StSpan columns, int all,
                      number *front) {
  const StLuPlan *plan = lu->plan;
  const int *seat = plan->seat + plan->below_start[child];
  int count = st_lu_plan_below(plan, child);
  for (int block = 0; block < count; block++) {
    if (seat[block] < columns.begin || seat[block] >= columns.end)
      continue;
    const number *from = left + 9 * (size_t)block * (size_t)count;
    for (int c = 0; c < 3; c++) {
      number *to = front + (size_t)(3 * seat[block] + c) * (size_t)all;
      for (int i = 0; i < count; i++, from += 3) {
        number *three = to + 3 * seat[i];
        three[0] += from[0];
        three[1] += from[1];
        three[2] += from[2];
      }
    }
  }
}

static void copy_columns(int rows, int columns, const number *from, int from_rows, number *to,
                         int to_rows) {
  for (int c = 0; c < columns; c++)
    memcpy(to + (size_t)c * (size_t)to_rows, from + (size_t)c * (size_t)from_rows,
           (size_t)rows * sizeof(number));
}

// A large front and the tile of it that is at work.
typedef struct Tiles {
  const Fronts *lu;
  const Front *front;
  int f;
  int *exchange;
  number *left;
  int panel, width; // first column of the panel of pivots, and how many there are
} Tiles;

static void clear_tile(void *context, int part, int worker) {
  (void)worker;
  const Tiles *tiles = context;
  StSpan columns = st_span_part(tiles->front->all, TILE, part);
  memset(tiles->lu->main.front + (size_t)columns.begin * (size_t)tiles->front->all, 0,
         (size_t)(columns.end - columns.begin) * (size_t)tiles->front->all * sizeof(number));
}

static void add_children_tile(void *context, int part, int worker) {
  (void)worker;
  const Tiles *tiles = context;
  const Fronts *lu = tiles->lu;
  const Desk *desk = &lu->main;
  StSpan columns = st_span_part(tiles->front->all / 3, TILE / 4, part);
  for (int c = 1; c <= lu->plan->child_count[tiles->f]; c++)
    add_child(lu, desk->waiting_of[desk->on_stack - c],
              desk->stack + desk->waiting[desk->on_stack - c], columns, tiles->front->all,
              desk->front);
}

static void assemble_large(Tiles *tiles, const StBlockMatrix *matrix) {
  const Fronts *lu = tiles->lu;
  int all = tiles->front->all;
  st_crew_do(lu->crew, st_span_count(all, TILE), clear_tile, tiles);
  add_matrix(lu, tiles->f, matrix, all, lu->main.front);
  st_crew_do(lu->crew, st_span_count(all / 3, TILE / 4), add_children_tile, tiles);
}

// Columns right of a panel: exchanged, divided by its L, and what they lose below it.
static void update_columns(const Tiles *tiles, StSpan columns) {
  int p = tiles->front->pivots, k = tiles->panel, width = tiles->width, one = 1;
  int count = columns.end - columns.begin, below = p - k - width;
  int from = k + 1, to = k + width;
  number unit = 1, minus = -1, *diagonal = tiles->front->diagonal;
  number *panel = diagonal + (size_t)k * (size_t)p + k;
  number *column = diagonal + (size_t)columns.begin * (size_t)p;
  LAPACK(laswp)(&count, column, &p, &from, &to, tiles->exchange, &one);
  LAPACK(trsm)("L", "L", "N", "U", &width, &count, &unit, panel, &p, column + k, &p);
  if (below > 0)
    LAPACK(gemm)
  ("N", "N", &below, &count, &width, &minus, panel + width, &p, column + k, &p, &unit,
   column + k + width, &p);
}

static void update_tile(void *context, int part, int worker) {
  (void)worker;
  const Tiles *tiles = context;
  int first = tiles->panel + tiles->width;
  StSpan columns = st_span_part(tiles->front->pivots - first, TILE / 2, part);
  update_columns(tiles, (StSpan){first + columns.begin, first + columns.end});
}

// LU of the pivots' block, panel by panel; exchanges go through all columns.
static bool factor_pivots(Tiles *tiles) {
  int p = tiles->front->pivots, one = 1;
  number *diagonal = tiles->front->diagonal;
  for (tiles->panel = 0; tiles->panel < p; tiles->panel += tiles->width) {
    int k = tiles->panel, rows = p - k, info = 0;
    tiles->width = rows < 2 * TILE ? rows : TILE / 2;
    number *panel = diagonal + (size_t)k * (size_t)p + k;
    LAPACK(getrf)(&rows, &tiles->width, panel, &p, tiles->exchange + k, &info);
    if (info != 0)
      return false;
    for (int i = k; i < k + tiles->width; i++)
      tiles->exchange[i] += k;
    int from = k + 1, to = k + tiles->width;
    if (k > 0)
      LAPACK(laswp)(&k, diagonal, &p, &from, &to, tiles->exchange, &one);
    st_crew_do(tiles->lu->crew, st_span_count(rows - tiles->width, TILE / 2), update_tile, tiles);
  }
  return true;
}

static void take_pivots_tile(void *context, int part, int worker) {
  (void)worker;
  const Tiles *tiles = context;
  int p = tiles->front->pivots, all = tiles->front->all;
  StSpan columns = st_span_part(p, TILE, part);
  copy_columns(p, columns.end - columns.begin,
               tiles->lu->main.front + (size_t)columns.begin * (size_t)all, all,
               tiles->front->diagonal + (size_t)columns.begin * (size_t)p, p);
}

// Some columns of U beside the pivots' block.
static void solve_upper(const Front *front, const number *from, const int *exchange,
                        StSpan columns) {
  int p = front->pivots, count = columns.end - columns.begin, one = 1;
  number unit = 1, *upper = front->upper + (size_t)columns.begin * (size_t)p;
  copy_columns(p, count, from + (size_t)(p + columns.begin) * (size_t)front->all, front->all, upper,
               p);
  LAPACK(laswp)(&count, upper, &p, &one, &p, exchange, &one);
  LAPACK(trsm)("L", "L", "N", "U", &p, &count, &unit, front->diagonal, &p, upper, &p);
}

// Some rows of L below it.
static void solve_lower(const Front *front, const number *from, StSpan rows) {
  int p = front->pivots, b = front->below, count = rows.end - rows.begin;
  number unit = 1, *lower = front->lower + rows.begin;
  copy_columns(count, p, from + p + rows.begin, front->all, lower, b);
  LAPACK(trsm)("R", "U", "N", "N", &count, &p, &unit, front->diagonal, &p, lower, &b);
}

static void solve_tile(void *context, int part, int worker) {
  (void)worker;
  const Tiles *tiles = context;
  const number *from = tiles->lu->main.front;
  int b = tiles->front->below, count = st_span_count(b, TILE);
  if (part < count)
    solve_upper(tiles->front, from, tiles->exchange, st_span_part(b, TILE, part));
  else
    solve_lower(tiles->front, from, st_span_part(b, TILE, part - count));
}

// Some columns of what is left of the rows below.
static void leave_columns(const Front *front, const number *from, StSpan columns, number *left) {
  int p = front->pivots, b = front->below, count = columns.end - columns.begin;
  number minus = -1, unit = 1, *to = left + (size_t)columns.begin * (size_t)b;
  copy_columns(b, count, from + (size_t)(p + columns.begin) * (size_t)front->all + p, front->all,
               to, b);
  LAPACK(gemm)
  ("N", "N", &b, &count, &p, &minus, front->lower, &b,
   front->upper + (size_t)columns.begin * (size_t)p, &p, &unit, to, &b);
}

static void leave_tile(void *context, int part, int worker) {
  (void)worker;
  const Tiles *tiles = context;
  leave_columns(tiles->front, tiles->lu->main.front, st_span_part(tiles->front->below, TILE, part),
                tiles->left);
}

static size_t top_of(const Fronts *lu, const Desk *desk) {
  if (desk->on_stack == 0)
    return 0;
  size_t b = 3 * (size_t)st_lu_plan_below(lu->plan, desk->waiting_of[desk->on_stack - 1]);
  return desk->waiting[desk->on_stack - 1] + b * b;
}

// Room on the stack for what a front leaves.
static number *push(const Fronts *lu, Desk *desk, int f) {
  desk->waiting[desk->on_stack] = top_of(lu, desk);
  desk->waiting_of[desk->on_stack] = f;
  return desk->stack + desk->waiting[desk->on_stack++];
}

static bool eliminate_large(Fronts *lu, int f, const StBlockMatrix *matrix) {
  Front front = front_of(lu, f);
  Tiles tiles = {
      .lu = lu, .front = &front, .f = f, .exchange = lu->exchange + 3 * (size_t)lu->plan->first[f]};
  assemble_large(&tiles, matrix);
  lu->main.on_stack -= lu->plan->child_count[f];
  st_crew_do(lu->crew, st_span_count(front.pivots, TILE), take_pivots_tile, &tiles);
  if (!factor_pivots(&tiles))
    return false;
  if (front.below == 0)
    return true;
  int count = st_span_count(front.below, TILE);
  st_crew_do(lu->crew, 2 * count, solve_tile, &tiles);
  tiles.left = push(lu, &lu->main, f);
  st_crew_do(lu->crew, count, leave_tile, &tiles);
  return true;
}

// left: where what is left goes; NULL: onto the desk's own stack.
static bool eliminate_small(const Fronts *lu, Desk *desk, int f, const StBlockMatrix *matrix,
                            number *left) {
  Front front = front_of(lu, f);
  int p = front.pivots, all = front.all, info = 0;
  int *exchange = lu->exchange + 3 * (size_t)lu->plan->first[f];
  memset(desk->front, 0, (size_t)all * (size_t)all * sizeof(number));
  add_matrix(lu, f, matrix, all, desk->front);
  for (int c = 0; c < lu->plan->child_count[f]; c++) {
    int at = --desk->on_stack;
    add_child(lu, desk->waiting_of[at], desk->stack + desk->waiting[at], (StSpan){0, all / 3}, all,
              desk->front);
  }
  copy_columns(p, p, desk->front, all, front.diagonal, p);
  LAPACK(getrf)(&p, &p, front.diagonal, &p, exchange, &info);
  if (info != 0)
    return false;
  StSpan whole = {0, front.below};
  if (front.below == 0)
    return true;
  solve_upper(&front, desk->front, exchange, whole);
  solve_lower(&front, desk->front, whole);
  leave_columns(&front, desk->front, whole, left ? left : push(lu, desk, f));
  return true;
}

// Small subtrees that follow each other, and their matrix.
typedef struct Subtrees {
  Fronts *lu;
  const StBlockMatrix *matrix;
  int first; // of the roots that wait on the main stack
  atomic_bool failed;
} Subtrees;

static void eliminate_subtree(void *context, int part, int worker) {
  Subtrees *subtrees = context;
  Fronts *lu = subtrees->lu;
  Desk *desk = &lu->desk[worker];
  int root = lu->main.waiting_of[subtrees->first + part];
  number *left = lu->main.stack + lu->main.waiting[subtrees->first + part];
  desk->on_stack = 0;
  for (int f = lu->first_of[root]; f <= root && !atomic_load(&subtrees->failed); f++)
    if (!eliminate_small(lu, desk, f, subtrees->matrix, f == root ? left : NULL))
      atomic_store(&subtrees->failed, true);
}

// Subtrees from front f on up to the next large front, whose number is returned. Roots of whole
// trees leave nothing, but wait like others, and are taken off again.
static int eliminate_subtrees(Fronts *lu, int f, const StBlockMatrix *matrix, bool *good) {
  Subtrees subtrees = {.lu = lu, .matrix = matrix, .first = lu->main.on_stack};
  for (; f < lu->plan->front_count && lu->first_of[f] >= 0; f++)
    if (is_small_root(lu, f) && !lu->skipped[f])
      push(lu, &lu->main, f);
  st_crew_do(lu->crew, lu->main.on_stack - subtrees.first, eliminate_subtree, &subtrees);
  *good = !atomic_load(&subtrees.failed);
  int kept = subtrees.first;
  for (int i = subtrees.first; i < lu->main.on_stack; i++)
    if (lu->plan->parent[lu->main.waiting_of[i]] >= 0) {
      lu->main.waiting[kept] = lu->main.waiting[i];
      lu->main.waiting_of[kept++] = lu->main.waiting_of[i];
    }
  lu->main.on_stack = kept;
  return f;
}

// Skips trees of which every front may be skipped. Children come before parents.
static void skip_whole_trees(Fronts *lu) {
  const int *parent = lu->plan->parent;
  for (int f = 0; f < lu->plan->front_count; f++)
    if (parent[f] >= 0 && !lu->skipped[f])
      lu->skipped[parent[f]] = false;
  for (int f = lu->plan->front_count - 1; f >= 0; f--)
    if (parent[f] >= 0)
      lu->skipped[f] = lu->skipped[parent[f]];
}

static void skip_zero_rows(Fronts *lu, const bool *zero) {
  const StLuPlan *plan = lu->plan;
  for (int f = 0; f < plan->front_count; f++) {
    lu->skipped[f] = zero != NULL;
    for (int k = plan->first[f]; k < plan->first[f + 1] && lu->skipped[f]; k++)
      lu->skipped[f] = zero[plan->order[k]];
  }
  skip_whole_trees(lu);
}

static bool factor(void *fronts, const StBlockMatrix *matrix, const bool *zero) {
  Fronts *lu = fronts;
  bool good = true;
  lu->main.on_stack = 0;
  skip_zero_rows(lu, zero);
  for (int f = 0; f < lu->plan->front_count && good;) {
    if (lu->first_of[f] >= 0)
      f = eliminate_subtrees(lu, f, matrix, &good);
    else if (lu->skipped[f])
      f++;
    else
      good = eliminate_large(lu, f++, matrix);
  }
  for (int f = 0; f < lu->plan->front_count; f++)
    lu->made[f] = good && (lu->made[f] || !lu->skipped[f]);
  return good;
}

#include "solve/fronts_solve_kernel.h"
