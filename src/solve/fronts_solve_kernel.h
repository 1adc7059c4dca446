// Solves with the factors of fronts_kernel.h, which includes this. Threads share small subtrees:
// what each subtracts from rows above it is kept apart and added in their order, so that bits do
// not depend on the number of threads.

// Where numbers of a right-hand side are while a subtree is eliminated from it: those of its own
// rows in `work`, what it subtracts from others in `left`, beside the rows below its root.
typedef struct Branch {
  int root;
  number *left;
} Branch;

// Of a row below a front of the branch; `at`, zero at first, follows ascending rows.
static number *number_of(const Fronts *lu, const Branch *branch, int position, int *at) {
  const StLuPlan *plan = lu->plan;
  if (position < plan->first[branch->root + 1])
    return lu->work + 3 * (size_t)position;
  const int *below = plan->below + plan->below_start[branch->root];
  while (below[*at] < position)
    ++*at;
  return branch->left + 3 * (size_t)*at;
}

// part: room for the numbers below a front.
static void forward(const Fronts *lu, int f, const Branch *branch, number *part) {
  Front front = front_of(lu, f);
  const int *below = lu->plan->below + lu->plan->below_start[f];
  int one = 1, at = 0;
  number minus = -1, unit = 1;
  number *x = lu->work + 3 * (size_t)lu->plan->first[f];
  LAPACK(laswp)
  (&one, x, &front.pivots, &one, &front.pivots, lu->exchange + 3 * (size_t)lu->plan->first[f],
   &one);
  LAPACK(trsv)("L", "N", "U", &front.pivots, front.diagonal, &front.pivots, x, &one);
  if (front.below == 0)
    return;
  for (int i = 0; i < front.below / 3; i++)
    memcpy(part + 3 * i, number_of(lu, branch, below[i], &at), 3 * sizeof(number));
  LAPACK(gemv)
  ("N", &front.below, &front.pivots, &minus, front.lower, &front.below, x, &one, &unit, part, &one);
  at = 0;
  for (int i = 0; i < front.below / 3; i++)
    memcpy(number_of(lu, branch, below[i], &at), part + 3 * i, 3 * sizeof(number));
}

static void backward(const Fronts *lu, int f, number *part) {
  Front front = front_of(lu, f);
  const int *below = lu->plan->below + lu->plan->below_start[f];
  int one = 1;
  number minus = -1, unit = 1;
  number *x = lu->work + 3 * (size_t)lu->plan->first[f];
  if (front.below > 0) {
    for (int i = 0; i < front.below / 3; i++)
      memcpy(part + 3 * i, lu->work + 3 * (size_t)below[i], 3 * sizeof(number));
    LAPACK(gemv)
    ("N", &front.pivots, &front.below, &minus, front.upper, &front.pivots, part, &one, &unit, x,
     &one);
  }
  LAPACK(trsv)("U", "N", "N", &front.pivots, front.diagonal, &front.pivots, x, &one);
}

static void forward_subtree(void *context, int part, int worker) {
  const Fronts *lu = context;
  Branch branch = {lu->main.waiting_of[part], lu->main.stack + lu->main.waiting[part]};
  memset(branch.left, 0, 3 * (size_t)st_lu_plan_below(lu->plan, branch.root) * sizeof(number));
  for (int f = lu->first_of[branch.root]; f <= branch.root; f++)
    forward(lu, f, &branch, lu->desk[worker].front);
}

static void add_left(const Fronts *lu, int root, const number *left) {
  const int *below = lu->plan->below + lu->plan->below_start[root];
  for (int i = 0; i < 3 * st_lu_plan_below(lu->plan, root); i++)
    lu->work[3 * (size_t)below[i / 3] + (size_t)(i % 3)] += left[i];
}

// Subtrees from front f on up to the next large front, whose number is returned. What they leave is
// on the stack meanwhile.
static int forward_subtrees(Fronts *lu, int f) {
  lu->main.on_stack = 0;
  for (; f < lu->plan->front_count && lu->first_of[f] >= 0; f++)
    if (is_small_root(lu, f) && !lu->skipped[f])
      push(lu, &lu->main, f);
  st_crew_do(lu->crew, lu->main.on_stack, forward_subtree, lu);
  for (int i = 0; i < lu->main.on_stack; i++)
    add_left(lu, lu->main.waiting_of[i], lu->main.stack + lu->main.waiting[i]);
  return f;
}

static void backward_subtree(void *context, int part, int worker) {
  const Fronts *lu = context;
  int root = lu->main.waiting_of[part];
  for (int f = root; f >= lu->first_of[root]; f--)
    backward(lu, f, lu->desk[worker].front);
}

static void sweep_forward(Fronts *lu) {
  const Branch all = {lu->plan->front_count - 1, NULL};
  for (int f = 0; f < lu->plan->front_count;) {
    if (lu->first_of[f] >= 0)
      f = forward_subtrees(lu, f);
    else if (lu->skipped[f])
      f++;
    else
      forward(lu, f++, &all, lu->part);
  }
}

// Subtrees depend on large fronts alone.
static void sweep_backward(Fronts *lu) {
  int roots = 0;
  for (int f = lu->plan->front_count - 1; f >= 0; f--)
    if (lu->first_of[f] < 0 && !lu->skipped[f])
      backward(lu, f, lu->part);
    else if (is_small_root(lu, f) && !lu->skipped[f])
      lu->main.waiting_of[roots++] = f;
  st_crew_do(lu->crew, roots, backward_subtree, lu);
}

// The power of two that scales b to about 1, so that no digit changes: single precision ends at
// 1e38.
static int find_exponent(const double *b, int size) {
  double most = 0;
  int exponent;
  for (int i = 0; i < size; i++)
    most = fabs(b[i]) > most ? fabs(b[i]) : most; // fmax is a call
  frexp(most, &exponent);
  return isfinite(most) ? exponent : 0;
}

// Where the right-hand side is zero, or there are no factors, so is the solution.
static void skip_zeros(Fronts *lu) {
  const int *first = lu->plan->first;
  for (int f = 0; f < lu->plan->front_count; f++) {
    lu->skipped[f] = true;
    for (size_t i = 3 * (size_t)first[f]; i < 3 * (size_t)first[f + 1]; i++) {
      lu->work[i] = lu->made[f] ? lu->work[i] : 0;
      lu->skipped[f] = lu->skipped[f] && lu->work[i] == 0;
    }
  }
  skip_whole_trees(lu);
}

static void solve(void *fronts, const double *b, double *x) {
  Fronts *lu = fronts;
  const StLuPlan *plan = lu->plan;
  int exponent = find_exponent(b, 3 * plan->row_count);
  double down = ldexp(1, -exponent), up = ldexp(1, exponent);
  for (int i = 0; i < 3 * plan->row_count; i++)
    lu->work[i] = (number)(down * b[3 * (size_t)plan->order[i / 3] + (size_t)(i % 3)]);
  skip_zeros(lu);
  sweep_forward(lu);
  sweep_backward(lu);
  for (int i = 0; i < 3 * plan->row_count; i++)
    x[3 * (size_t)plan->order[i / 3] + (size_t)(i % 3)] = up * (double)lu->work[i];
}
