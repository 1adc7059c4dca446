// Conjugate gradients, scaled by each body's stiffness. The first iteration moves every body for
// itself; a chain of n bodies takes n of them.
#include "step/spring_net.h"

#include "math/vec3.h"
#include "solve/communicator.h"
#include "solve/runtime.h"

#include <mpi.h>
#include <string.h>

enum { MOST_ITERATIONS = 200 };
static const double TOLERANCE = 0.1;
// Directions that the springs resist by less than this fraction of each body's own stiffness are
// those of whole groups that nothing holds: forces on them do not balance at any place.
static const double LOOSE = 1e-4;

typedef struct Net {
  const StSpring *spring;
  size_t count;
  const bool *moves;
  int body_count;
  double *stiffness; // [bodies] trace of a body's own springs
} Net;

static void over_ranks(double *values, int count) {
  if (st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, st_communicator());
}

static bool is_moving(const Net *net, int body) {
  return body >= 0 && net->moves[body];
}

static void add_spring(const Net *net, const StSpring *spring, const double *x, double *result) {
  double stretch[3] = {0}, force[3];
  if (is_moving(net, spring->body[0]))
    vec3_add_scaled(1, x + 3 * spring->body[0], stretch);
  if (is_moving(net, spring->body[1]))
    vec3_add_scaled(-1, x + 3 * spring->body[1], stretch);
  mat3_apply(spring->stiffness, stretch, force);
  for (int side = 0; side < 2; side++)
    if (is_moving(net, spring->body[side]))
      vec3_add_scaled(side == 0 ? 1 : -1, force, result + 3 * spring->body[side]);
}

static void multiply(const Net *net, const double *x, double *result) {
  memset(result, 0, 3 * (size_t)net->body_count * sizeof(double));
  for (size_t i = 0; i < net->count; i++)
    add_spring(net, &net->spring[i], x, result);
  over_ranks(result, 3 * net->body_count);
}

static void find_stiffness(const Net *net) {
  memset(net->stiffness, 0, (size_t)net->body_count * sizeof(double));
  for (size_t i = 0; i < net->count; i++) {
    const double *k = net->spring[i].stiffness;
    for (int side = 0; side < 2; side++)
      if (is_moving(net, net->spring[i].body[side]))
        net->stiffness[net->spring[i].body[side]] += k[0] + k[4] + k[8];
  }
  over_ranks(net->stiffness, net->body_count);
}

// Σ a b, or Σ a b s by the bodies' stiffness to some power.
static double sum(const Net *net, const double *a, const double *b, int power) {
  double total = 0;
  for (int i = 0; i < 3 * net->body_count; i++) {
    double s = net->stiffness[i / 3];
    total += s > 0 ? a[i] * b[i] * (power > 0 ? s : power < 0 ? 1 / s : 1) : 0;
  }
  return total;
}

static void scale(const Net *net, const double *r, double keep, double *p) {
  for (int i = 0; i < 3 * net->body_count; i++) {
    double s = net->stiffness[i / 3];
    p[i] = (s > 0 ? r[i] / s : 0) + keep * p[i];
  }
}

void st_spring_net_solve(const StSpring *spring, size_t count, const bool *moves, int body_count,
                         const double *force, double *shift, double *room) {
  int size = 3 * body_count;
  double *r = room, *p = r + size, *product = p + size;
  Net net = {spring, count, moves, body_count, product + size};
  find_stiffness(&net);
  memset(shift, 0, (size_t)size * sizeof(double));
  memset(p, 0, (size_t)size * sizeof(double));
  for (int i = 0; i < size; i++)
    r[i] = moves[i / 3] ? force[i] : 0;
  scale(&net, r, 0, p);
  double square = sum(&net, r, r, -1), first = square;
  for (int k = 0; k < MOST_ITERATIONS && square > TOLERANCE * TOLERANCE * first; k++) {
    multiply(&net, p, product);
    double along = sum(&net, p, product, 0), loose = LOOSE * sum(&net, p, p, 1);
    double length = along > loose ? square / along : 1;
    for (int i = 0; i < size && (along > loose || k == 0); i++)
      shift[i] += length * p[i];
    if (!(along > loose))
      return;
    for (int i = 0; i < size; i++)
      r[i] -= length * product[i];
    double next = sum(&net, r, r, -1);
    scale(&net, r, next / square, p);
    square = next;
  }
}

// In rounds: each carries the news along a chain of springs as far as their order allows. may: NULL
// if all may. What is no body is marked if `outside` is.
static void spread(const StSpring *spring, size_t count, const bool *may, int body_count,
                   bool outside, bool *marked) {
  for (int news = 1; news;) {
    news = 0;
    for (size_t i = 0; i < count; i++) {
      const int *body = spring[i].body;
      bool first = body[0] < 0 ? outside : marked[body[0]];
      bool second = body[1] < 0 ? outside : marked[body[1]];
      int other = body[first ? 1 : 0];
      if (first == second || other < 0 || (may && !may[other]))
        continue;
      marked[other] = true;
      news = 1;
    }
    if (st_runtime_size() > 1) {
      MPI_Allreduce(MPI_IN_PLACE, &news, 1, MPI_INT, MPI_LOR, st_communicator());
      MPI_Allreduce(MPI_IN_PLACE, marked, body_count, MPI_C_BOOL, MPI_LOR, st_communicator());
    }
  }
}

void st_spring_net_spread(const StSpring *spring, size_t count, const bool *may, int body_count,
                          bool *marked) {
  spread(spring, count, may, body_count, false, marked);
}

void st_spring_net_find_held(const StSpring *spring, size_t count, const bool *moves,
                             int body_count, bool *held) {
  for (int b = 0; b < body_count; b++)
    held[b] = !moves[b];
  spread(spring, count, NULL, body_count, true, held);
}
