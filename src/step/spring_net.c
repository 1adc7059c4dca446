// Conjugate gradients, scaled by each body's own springs. The first iteration moves every body for
// itself; a chain of n bodies takes n of them.
#include "step/spring_net.h"

#include "math/vec3.h"
#include "solve/runtime.h"
#include "step/tunables.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 200 };
// Directions that the springs resist by less than this fraction of each body's own stiffness are
// those of bodies and whole groups that nothing holds: forces on them do not balance at any place.

// The parts of the room, each for all bodies.
static double *own_of(const StSpringNet *net, int body) { // [6][6] stiffness of its springs
  return net->room + 36 * (size_t)body;
}

static double *factor_of(const StSpringNet *net, int body) { // [6][6] Cholesky's, of that and a bit
  return net->room + 36 * ((size_t)net->body_count + (size_t)body);
}

static double *vector_of(const StSpringNet *net, int number) { // [bodies][6]
  return net->room + (72 + 6 * (size_t)number) * (size_t)net->body_count;
}

static bool is_moving(const StSpringNet *net, int body) {
  return body >= 0 && (!net->moves || net->moves[body]);
}

// Adds the displacement of the spring's point on one side, and the turn there.
static void add_motion(const StSpringNet *net, const StSpring *spring, int side, const double *x,
                       double stretch[6]) {
  int body = spring->body[side];
  double along[3], sign = side == 0 ? 1 : -1;
  vec3_add_scaled(sign, x, stretch);
  if (!(net->radius[body] > 0))
    return;
  vec3_cross(x + 3, spring->arm[side], along);
  vec3_add_scaled(sign, along, stretch);
  vec3_add_scaled(sign, x + 3, stretch + 3);
}

static void add_force(const StSpringNet *net, const StSpring *spring, int side,
                      const double force[6], double *result) {
  int body = spring->body[side];
  double torque[3], sign = side == 0 ? 1 : -1;
  vec3_add_scaled(sign, force, result);
  if (!(net->radius[body] > 0))
    return;
  vec3_cross(spring->arm[side], force, torque);
  vec3_add_scaled(sign, torque, result + 3);
  vec3_add_scaled(sign, force + 3, result + 3);
}

static void pull(const StSpringNet *net, const StSpring *spring, const double stretch[6],
                 double force[6]) {
  const double *stiffness = net->sideways ? spring->sideways : spring->stiffness;
  for (int i = 0; i < 6; i++) {
    force[i] = 0;
    for (int j = 0; j < 6; j++)
      force[i] += stiffness[6 * i + j] * stretch[j];
  }
}

void st_spring_net_resist(const StSpringNet *net, const double *x, double *result) {
  memset(result, 0, 6 * (size_t)net->body_count * sizeof(double));
  for (size_t i = 0; i < net->count; i++) {
    const StSpring *spring = &net->spring[i];
    double stretch[6] = {0}, force[6];
    for (int side = 0; side < 2; side++)
      if (is_moving(net, spring->body[side]))
        add_motion(net, spring, side, x + 6 * spring->body[side], stretch);
    pull(net, spring, stretch, force);
    for (int side = 0; side < 2; side++)
      if (is_moving(net, spring->body[side]))
        add_force(net, spring, side, force, result + 6 * spring->body[side]);
  }
  st_runtime_sum_all(result, 6 * net->body_count);
}

double st_spring_net_stretch(const StSpringNet *net, const StSpring *spring, const double *x) {
  double stretch[6] = {0};
  for (int side = 0; side < 2; side++)
    if (is_moving(net, spring->body[side]))
      add_motion(net, spring, side, x + 6 * spring->body[side], stretch);
  return vec3_length(stretch);
}

static void add_own(const StSpringNet *net, const StSpring *spring, int side) {
  for (int j = 0; j < 6 && is_moving(net, spring->body[side]); j++) {
    double unit[6] = {0}, stretch[6] = {0}, force[6];
    unit[j] = 1;
    add_motion(net, spring, side, unit, stretch);
    pull(net, spring, stretch, force);
    add_force(net, spring, side, force, own_of(net, spring->body[side]) + 6 * j);
  }
}

// What stands for a direction that nothing resists.
static double bit_of(const StSpringNet *net, int body, int i) {
  const double *own = own_of(net, body);
  double radius = net->radius[body] > 0 ? net->radius[body] : 1;
  return st_step_tunables.net_loose * (own[0] + own[7] + own[14]) * (i < 3 ? 1 : radius * radius);
}

static void factorise(const StSpringNet *net, int body) {
  double *factor = factor_of(net, body);
  memcpy(factor, own_of(net, body), 36 * sizeof(double));
  for (int i = 0; i < 6; i++) {
    factor[7 * i] += bit_of(net, body, i);
    for (int j = 0; j <= i; j++) {
      for (int k = 0; k < j; k++)
        factor[6 * i + j] -= factor[6 * i + k] * factor[6 * j + k];
      if (j < i)
        factor[6 * i + j] /= factor[7 * j];
    }
    factor[7 * i] = sqrt(fmax(factor[7 * i], 0.5 * bit_of(net, body, i)));
  }
}

void st_spring_net_begin(const StSpringNet *net) {
  memset(net->room, 0, 36 * (size_t)net->body_count * sizeof(double));
  for (size_t i = 0; i < net->count; i++)
    for (int side = 0; side < 2; side++)
      add_own(net, &net->spring[i], side);
  st_runtime_sum_all(net->room, 36 * net->body_count);
  for (int b = 0; b < net->body_count; b++)
    factorise(net, b);
}

// Moves a body for itself; one without springs not at all.
static void move_alone(const StSpringNet *net, int body, const double *force, double *shift) {
  const double *factor = factor_of(net, body);
  memset(shift, 0, 6 * sizeof(double));
  if (!(factor[0] > 0))
    return;
  for (int i = 0; i < 6; i++) {
    shift[i] = force[i];
    for (int k = 0; k < i; k++)
      shift[i] -= factor[6 * i + k] * shift[k];
    shift[i] /= factor[7 * i];
  }
  for (int i = 5; i >= 0; i--) {
    for (int k = i + 1; k < 6; k++)
      shift[i] -= factor[6 * k + i] * shift[k];
    shift[i] /= factor[7 * i];
  }
}

void st_spring_net_keep_resisted(const StSpringNet *net, double *force) {
  for (int b = 0; b < net->body_count; b++) {
    double shift[6], *of = force + 6 * b;
    move_alone(net, b, of, shift);
    for (int i = 0; i < 6; i++)
      of[i] = factor_of(net, b)[0] > 0 ? of[i] - bit_of(net, b, i) * shift[i] : 0;
  }
}

static double dot(const StSpringNet *net, const double *a, const double *b) {
  double total = 0;
  for (int i = 0; i < 6 * net->body_count; i++)
    total += a[i] * b[i];
  return total;
}

static double resisted_at_least(const StSpringNet *net, const double *p) {
  double total = 0;
  for (int i = 0; i < 6 * net->body_count; i++)
    total += bit_of(net, i / 6, i % 6) * p[i] * p[i];
  return total;
}

// Each body moved for itself. Returns the work that the forces would do.
static double move_all_alone(const StSpringNet *net, const double *force, double *shift) {
  for (int b = 0; b < net->body_count; b++)
    move_alone(net, b, force + 6 * b, shift + 6 * b);
  return dot(net, force, shift);
}

static double longest(const StSpringNet *net, const double *shift) {
  double most = 0;
  for (int b = 0; b < net->body_count; b++) {
    const double *of = shift + 6 * b;
    most = fmax(most, vec3_length(of) + net->radius[b] * vec3_length(of + 3));
  }
  return most;
}

// Whether nothing much is left of the work, and no body would go much farther for itself: forces
// on light bodies hardly count in the work, and they have to keep clear of the heavy ones.
static bool is_solved(const StSpringNet *net, double left, const double *alone,
                      const double *shift) {
  return left <= st_step_tunables.net_tolerance * st_step_tunables.net_tolerance &&
         longest(net, alone) <= st_step_tunables.net_tolerance * longest(net, shift);
}

void st_spring_net_solve(const StSpringNet *net, const double *force, double *shift) {
  int size = 6 * net->body_count;
  double *r = vector_of(net, 0), *p = vector_of(net, 1);
  double *product = vector_of(net, 2), *alone = vector_of(net, 3);
  memset(shift, 0, (size_t)size * sizeof(double));
  for (int i = 0; i < size; i++)
    r[i] = is_moving(net, i / 6) && (i % 6 < 3 || net->radius[i / 6] > 0) ? force[i] : 0;
  double square = move_all_alone(net, r, p), first = square;
  for (int k = 0; k < MOST_ITERATIONS && square > 0; k++) {
    st_spring_net_resist(net, p, product);
    double along = dot(net, p, product), loose = resisted_at_least(net, p);
    double length = along > loose ? square / along : 1;
    for (int i = 0; i < size && (along > loose || k == 0); i++)
      shift[i] += length * p[i];
    if (!(along > loose))
      return;
    for (int i = 0; i < size; i++)
      r[i] -= length * product[i];
    double next = move_all_alone(net, r, alone);
    if (is_solved(net, next / first, alone, shift))
      return;
    for (int i = 0; i < size; i++)
      p[i] = alone[i] + next / square * p[i];
    square = next;
  }
}

void st_spring_net_take_least(const StSpringNet *net, double *values) {
  for (int news = 1; news;) {
    news = 0;
    for (size_t i = 0; i < net->count; i++) {
      const int *body = net->spring[i].body;
      if (!is_moving(net, body[0]) || !is_moving(net, body[1]) ||
          values[body[0]] == values[body[1]])
        continue;
      values[body[0]] = values[body[1]] = fmin(values[body[0]], values[body[1]]);
      news = 1;
    }
    news = st_runtime_any(news);
    st_runtime_min_all(values, net->body_count);
  }
}

// In rounds: each carries the news along a chain of springs as far as their order allows. may: NULL
// if all may. What is no body is marked if `outside` is.
static void spread(const StSpringNet *net, const bool *may, bool outside, bool *marked) {
  for (int news = 1; news;) {
    news = 0;
    for (size_t i = 0; i < net->count; i++) {
      const int *body = net->spring[i].body;
      bool first = body[0] < 0 ? outside : marked[body[0]];
      bool second = body[1] < 0 ? outside : marked[body[1]];
      int other = body[first ? 1 : 0];
      if (first == second || other < 0 || (may && !may[other]))
        continue;
      marked[other] = true;
      news = 1;
    }
    news = st_runtime_any(news);
    st_runtime_any_all(marked, net->body_count);
  }
}

void st_spring_net_spread(const StSpringNet *net, const bool *may, bool *marked) {
  spread(net, may, false, marked);
}

void st_spring_net_find_held(const StSpringNet *net, bool *held) {
  for (int b = 0; b < net->body_count; b++)
    held[b] = !is_moving(net, b);
  spread(net, NULL, true, held);
}

bool st_hold_create(int body_count, StHold *hold) {
  size_t size = 6 * (size_t)body_count;
  *hold = (StHold){.body_count = body_count, .begin = ST_NEW(double, 3 * size)};
  if (!hold->begin)
    return false;
  hold->since = hold->begin + size;
  hold->force = hold->since + size;
  return true;
}

void st_hold_free(StHold *hold) {
  free(hold->begin);
  *hold = (StHold){0};
}

void st_hold_begin(StHold *hold, const double *moved) {
  hold->on = true;
  memcpy(hold->begin, moved, 6 * (size_t)hold->body_count * sizeof(double));
}

// Springs of bodies at rest count, too: they may move next.
static StSpringNet sideways(const StSpringNet *net) {
  return (StSpringNet){.spring = net->spring,
                       .count = net->count,
                       .body_count = net->body_count,
                       .radius = net->radius,
                       .sideways = true};
}

void st_hold_add(StHold *hold, const StSpringNet *net, const double *moved, double *force) {
  const StSpringNet along = sideways(net);
  int size = 6 * hold->body_count;
  if (!hold->on)
    return;
  for (int i = 0; i < size; i++)
    hold->since[i] = moved[i] - hold->begin[i];
  st_spring_net_resist(&along, hold->since, hold->force);
  for (int i = 0; i < size; i++)
    force[i] -= hold->force[i];
}

double st_hold_turned_apart(const StHold *hold, const StSpringNet *net, const StSpring *spring,
                            const double *moved) {
  double turn[3] = {0}, size = INFINITY;
  for (int side = 0; side < 2; side++) {
    int body = spring->body[side];
    if (body < 0)
      continue;
    vec3_add_scaled(side == 0 ? 1 : -1, moved + 6 * body + 3, turn);
    vec3_add_scaled(side == 0 ? -1 : 1, hold->begin + 6 * body + 3, turn);
    if (net->radius[body] > 0)
      size = fmin(size, net->radius[body]);
  }
  return isfinite(size) ? size * vec3_length(turn) : 0;
}
