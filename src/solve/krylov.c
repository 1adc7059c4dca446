// Restarted GMRES (Saad and Schultz) in its flexible form.
// Tested by tests/solve/test_linear.c.
#include "solve/krylov.h"

#include "base/memory.h"
#include "math/dot.h"
#include "math/hot.h"
#include "solve/communicator.h"
#include "solve/runtime.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

enum { LEAST_PART = 2048, MOST_PARTS = 64 };
enum { MOST_VECTORS = 2 * ST_GMRES_RESTART + 2 };
enum { DIRECTIONS = ST_GMRES_RESTART + 1 };
static const double BEYOND_MEASURE = 1e10; // growth of the residual
// GMRES knows its residual by a projection, which round-off may spoil: the true one is looked at in
// the end, may be larger by this part, and leads to another round where it is not so a few times.
static const double SLACK = 0.01;
enum { MOST_MISLED = 3 };

struct StKrylov {
  int size;
  StCrew *crew;
  int grain, part_count;
  double *vector[MOST_VECTORS];            // [size] each, NULL until needed
  double *sums;                            // [DIRECTIONS][part_count]
  double h[DIRECTIONS * ST_GMRES_RESTART]; // columns of the projected matrix, rotated
  double cosine[ST_GMRES_RESTART], sine[ST_GMRES_RESTART];
  double right[DIRECTIONS];
};

StStatus st_krylov_create(int size, StCrew *crew, StKrylov **result, StError *error) {
  StKrylov *krylov = ST_NEW(StKrylov, 1);
  if (!krylov)
    return st_fail_memory(error);
  krylov->size = size;
  krylov->crew = crew;
  krylov->grain = st_span_grain(size, LEAST_PART, MOST_PARTS);
  krylov->part_count = st_span_count(size, krylov->grain);
  krylov->sums = ST_NEW(double, (size_t)DIRECTIONS *(size_t)krylov->part_count);
  if (!krylov->sums) {
    st_krylov_destroy(krylov);
    return st_fail_memory(error);
  }
  *result = krylov;
  return ST_OK;
}

void st_krylov_destroy(StKrylov *krylov) {
  if (!krylov)
    return;
  for (int i = 0; i < MOST_VECTORS; i++)
    free(krylov->vector[i]);
  free(krylov->sums);
  free(krylov);
}

static double *vector(StKrylov *krylov, int index) {
  if (!krylov->vector[index])
    krylov->vector[index] = ST_NEW(double, krylov->size);
  return krylov->vector[index];
}

// All ranks go on or none does.
static StStatus need_vectors(StKrylov *krylov, int first, int count, StError *error) {
  bool good = true;
  for (int i = first; i < first + count; i++)
    good = vector(krylov, i) && good;
  return st_runtime_agree(good ? ST_OK : st_fail_memory(error), error);
}

// One pass over some vectors, part by part, that may add up to some sums.
typedef struct Pass Pass;
struct Pass {
  StKrylov *krylov;
  void (*work)(const Pass *pass, int begin, int end, double *sum, int stride);
  double *x, *y;   // changed
  const double *a; // read
  double alpha;
  double *const *many;  // vectors of GMRES, …
  const double *weight; // … their weights, …
  int count;            // … and how many
};

static void do_part(void *context, int part, int worker) {
  (void)worker;
  const Pass *pass = context;
  StKrylov *krylov = pass->krylov;
  StSpan span = st_span_part(krylov->size, krylov->grain, part);
  pass->work(pass, span.begin, span.end, krylov->sums + part, krylov->part_count);
}

static void do_pass(Pass *pass, int sum_count, double *sum) {
  StKrylov *krylov = pass->krylov;
  st_crew_do(krylov->crew, krylov->part_count, do_part, pass);
  for (int s = 0; s < sum_count; s++) {
    sum[s] = 0;
    for (int part = 0; part < krylov->part_count; part++)
      sum[s] += krylov->sums[s * krylov->part_count + part];
  }
  if (sum_count > 0 && st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, sum, sum_count, MPI_DOUBLE, MPI_SUM, st_communicator());
}

// y = a, and b² of it
static ST_HOT void work_copy(const Pass *pass, int begin, int end, double *sum, int stride) {
  (void)stride;
  memcpy(pass->y + begin, pass->a + begin, (size_t)(end - begin) * sizeof(double));
  sum[0] = st_dot(pass->a, pass->a, begin, end);
}

static double copy(StKrylov *krylov, const double *from, double *to) {
  double square;
  do_pass(&(Pass){.krylov = krylov, .work = work_copy, .a = from, .y = to}, 1, &square);
  return sqrt(square);
}

static StStatus precondition(const StKrylovSystem *system, StKrylov *krylov, const double *x,
                             double *y) {
  if (system->precondition)
    return system->precondition(system->context, x, y);
  copy(krylov, x, y);
  return ST_OK;
}

static StStatus give_up(const char *why, int iterations, StError *error) {
  return st_fail(error, ST_NOT_SOLVED, "%s after %d iterations", why, iterations);
}

// Products of four vectors with a, which is then read once.
static void four_dots(double *const *v, const double *a, int begin, int end, double *sum,
                      int stride) {
  StLanes part[4] = {{0}, {0}, {0}, {0}};
  double rest[4] = {0};
  int i = begin;
  for (; i + ST_LANES <= end; i += ST_LANES)
    for (int k = 0; k < 4; k++)
      part[k] += st_load_lanes(v[k] + i) * st_load_lanes(a + i);
  for (; i < end; i++)
    for (int k = 0; k < 4; k++)
      rest[k] += v[k][i] * a[i];
  for (int k = 0; k < 4; k++)
    sum[k * stride] = st_lanes_sum(part[k]) + rest[k];
}

// h[j] = v_j · x for all directions so far
static ST_HOT void work_project(const Pass *pass, int begin, int end, double *sum, int stride) {
  int j = 0;
  for (; j + 4 <= pass->count; j += 4)
    four_dots(pass->many + j, pass->a, begin, end, sum + j * stride, stride);
  for (; j < pass->count; j++)
    sum[j * stride] = st_dot(pass->many[j], pass->a, begin, end);
}

static void add_four(double *const *v, const double *weight, int begin, int end, double *x) {
  const double *restrict v0 = v[0], *restrict v1 = v[1], *restrict v2 = v[2], *restrict v3 = v[3];
  for (int i = begin; i < end; i++)
    x[i] += (weight[0] * v0[i] + weight[1] * v1[i]) + (weight[2] * v2[i] + weight[3] * v3[i]);
}

// x += Σ weight_j v_j, and x² after it
static ST_HOT void work_combine(const Pass *pass, int begin, int end, double *sum, int stride) {
  (void)stride;
  int j = 0;
  for (; j + 4 <= pass->count; j += 4)
    add_four(pass->many + j, pass->weight + j, begin, end, pass->x);
  for (; j < pass->count; j++)
    for (int i = begin; i < end; i++)
      pass->x[i] += pass->weight[j] * pass->many[j][i];
  sum[0] = st_dot(pass->x, pass->x, begin, end);
}

static ST_HOT void work_scale(const Pass *pass, int begin, int end, double *sum, int stride) {
  (void)sum, (void)stride;
  for (int i = begin; i < end; i++)
    pass->x[i] *= pass->alpha;
}

// x = a - x, and x² after it
static ST_HOT void work_rest(const Pass *pass, int begin, int end, double *sum, int stride) {
  (void)stride;
  for (int i = begin; i < end; i++)
    pass->x[i] = pass->a[i] - pass->x[i];
  sum[0] = st_dot(pass->x, pass->x, begin, end);
}

// b - A x into the first direction, and its length
static double find_rest(StKrylov *krylov, const StKrylovSystem *system, const double *b,
                        const double *x) {
  double square, *rest = krylov->vector[0];
  system->product(system->context, x, rest);
  do_pass(&(Pass){.krylov = krylov, .work = work_rest, .x = rest, .a = b}, 1, &square);
  return sqrt(square);
}

static double combine(StKrylov *krylov, double *const *many, const double *weight, int count,
                      double *x) {
  double square;
  do_pass(&(Pass){.krylov = krylov,
                  .work = work_combine,
                  .x = x,
                  .many = many,
                  .weight = weight,
                  .count = count},
          1, &square);
  return sqrt(square);
}

static void scale(StKrylov *krylov, double factor, double *x) {
  do_pass(&(Pass){.krylov = krylov, .work = work_scale, .x = x, .alpha = factor}, 0, NULL);
}

// Takes the directions out of w. What round-off leaves of them is taken out once more where much of
// w has gone. Returns the length of what stays.
static double orthogonalise(StKrylov *krylov, double *const *direction, int count, double *w,
                            double *h) {
  double part[DIRECTIONS], before = 0, left = 0;
  memset(h, 0, (size_t)count * sizeof(double));
  for (int round = 0; round < 2; round++) {
    Pass pass = {.krylov = krylov, .work = work_project, .a = w, .many = direction, .count = count};
    do_pass(&pass, count, part);
    before = 0;
    for (int j = 0; j < count; j++) {
      h[j] += part[j];
      before += part[j] * part[j];
      part[j] = -part[j];
    }
    left = combine(krylov, direction, part, count, w);
    if (left * left > 0.01 * before)
      break;
  }
  return left;
}

static void rotate(double cosine, double sine, double *a, double *b) {
  double first = cosine * *a + sine * *b;
  *b = cosine * *b - sine * *a;
  *a = first;
}

// The new column in the frame of the rotations so far, and one more that makes it triangular.
static void rotate_column(StKrylov *krylov, int k, double *h, double below) {
  for (int j = 0; j < k; j++)
    rotate(krylov->cosine[j], krylov->sine[j], &h[j], &h[j + 1]);
  double length = hypot(h[k], below);
  krylov->cosine[k] = length > 0 ? h[k] / length : 0; // a column of zeros solves nothing
  krylov->sine[k] = length > 0 ? below / length : 1;
  h[k] = length;
  krylov->right[k + 1] = 0;
  rotate(krylov->cosine[k], krylov->sine[k], &krylov->right[k], &krylov->right[k + 1]);
}

// Weights of the preconditioned directions; false: the projected matrix is singular.
static bool solve_projected(const StKrylov *krylov, int count, double *weight) {
  for (int i = count - 1; i >= 0; i--) {
    weight[i] = krylov->right[i];
    for (int j = i + 1; j < count; j++)
      weight[i] -= krylov->h[j * DIRECTIONS + i] * weight[j];
    if (krylov->h[i * DIRECTIONS + i] == 0)
      return false;
    weight[i] /= krylov->h[i * DIRECTIONS + i];
  }
  return true;
}

// Directions from the residual in vector 0 until it is small or there is no room. *left: what the
// residual then is, by the projection.
static StStatus extend(StKrylov *krylov, const StKrylovSystem *system, double enough, int limit,
                       int *count, double *left, StError *error) {
  double **direction = krylov->vector, **changed = krylov->vector + DIRECTIONS;
  int most = limit < ST_GMRES_RESTART ? limit : ST_GMRES_RESTART;
  for (*count = 0; *count<most && * left> enough;) {
    int k = *count;
    double *h = krylov->h + (size_t)k * DIRECTIONS;
    ST_TRY(need_vectors(krylov, k + 1, 1, error));
    ST_TRY(need_vectors(krylov, DIRECTIONS + k, 1, error));
    ST_TRY(precondition(system, krylov, direction[k], changed[k]));
    double *w = direction[k + 1];
    system->product(system->context, changed[k], w);
    double below = orthogonalise(krylov, direction, k + 1, w, h);
    if (!isfinite(below))
      return give_up("the residual is not finite", k, error);
    rotate_column(krylov, k, h, below);
    *left = fabs(krylov->right[k + 1]);
    ++*count;
    if (below == 0)
      break;
    scale(krylov, 1 / below, w);
  }
  return ST_OK;
}

StStatus st_krylov_gmres(StKrylov *krylov, const StKrylovSystem *system, const double *b,
                         StKrylovGoal goal, double *x, int *iterations, StError *error) {
  ST_TRY(need_vectors(krylov, 0, 1, error));
  double **direction = krylov->vector, **changed = krylov->vector + DIRECTIONS;
  *iterations = 0;
  memset(x, 0, (size_t)krylov->size * sizeof(double));
  double start = copy(krylov, b, direction[0]), left = start, enough = goal.tolerance * start;
  if (start == 0)
    return ST_OK;
  for (int misled = 0;;) {
    int count = 0;
    double weight[ST_GMRES_RESTART];
    scale(krylov, 1 / left, direction[0]);
    krylov->right[0] = left;
    ST_TRY(extend(krylov, system, enough, goal.limit - *iterations, &count, &left, error));
    *iterations += count;
    if (!solve_projected(krylov, count, weight))
      return give_up("the method broke down", *iterations, error);
    combine(krylov, changed, weight, count, x);
    double before = left;
    left = find_rest(krylov, system, b, x);
    if (left <= (1 + SLACK) * enough)
      return ST_OK;
    if (!(left <= BEYOND_MEASURE * start))
      return give_up("the residual diverged", *iterations, error);
    if (*iterations >= goal.limit || (before <= enough && ++misled > MOST_MISLED))
      return give_up("the residual is not small enough", *iterations, error);
  }
}
