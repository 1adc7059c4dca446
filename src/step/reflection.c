// Rounds of reflections; in each, impulses by projected Gauss-Seidel.
#include "step/reflection.h"

#include "math/vec3.h"

#include <math.h>

// Rounds shrink what approaches by (1 − e)/2 in a pair, and rows of bodies take one for each link.
enum { ROUNDS = 1000, SWEEPS = 500 };

// Of the fastest approach: impulses are exact enough.
static const double EXACT = 1e-13;

// Velocity of a body at a point.
static void find_velocity(const StStruckBody *body, const double point[3], double velocity[3]) {
  double arm[3];
  vec3_sub(point, body->centre, arm);
  vec3_cross(body->spin, arm, velocity);
  vec3_add_scaled(1, body->velocity, velocity);
}

static double speed_along(const StStruckBody *body, const StStrike *strike, const double along[3]) {
  double first[3], second[3];
  find_velocity(&body[strike->side[0]], strike->point, first);
  find_velocity(&body[strike->side[1]], strike->point, second);
  return vec3_dot(first, along) - vec3_dot(second, along);
}

double st_strike_speed(const StStruckBody *body, const StStrike *strike) {
  return speed_along(body, strike, strike->normal);
}

// Changes of velocity and spin per impulse along a direction at a point.
static void push(StStruckBody *body, const double point[3], double impulse, const double along[3]) {
  double arm[3], moment[3], turn[3];
  if (body->inverse_mass == 0)
    return;
  vec3_sub(point, body->centre, arm);
  vec3_cross(arm, along, moment);
  mat3_apply(body->inverse_inertia, moment, turn);
  vec3_add_scaled(impulse * body->inverse_mass, along, body->velocity);
  vec3_add_scaled(impulse, turn, body->spin);
}

static void push_both(StStruckBody *body, StStrike *strike, double impulse, const double along[3]) {
  push(&body[strike->side[0]], strike->point, impulse, along);
  push(&body[strike->side[1]], strike->point, -impulse, along);
  vec3_add_scaled(impulse, along, strike->impulse);
}

// 1/kg, change of the speed along a direction by an impulse along it.
static double mobility(const StStruckBody *body, const StStrike *strike, const double along[3]) {
  double sum = 0;
  for (int s = 0; s < 2; s++) {
    const StStruckBody *of = &body[strike->side[s]];
    double arm[3], moment[3], turn[3];
    vec3_sub(strike->point, of->centre, arm);
    vec3_cross(arm, along, moment);
    mat3_apply(of->inverse_inertia, moment, turn);
    sum += of->inverse_mass > 0 ? of->inverse_mass + vec3_dot(moment, turn) : 0;
  }
  return sum;
}

// Speeds before the round; a contact takes part if it closes. Returns the fastest approach.
static double begin_round(const StStruckBody *body, StStrike *strike, int count, double tolerance) {
  double fastest = 0;
  for (int i = 0; i < count; i++) {
    StStrike *of = &strike[i];
    double speed = st_strike_speed(body, of);
    of->closing = speed < -tolerance ? speed : 0;
    of->normal_impulse = of->tangent_impulse[0] = of->tangent_impulse[1] = 0;
    of->share = -speed > of->slow ? of->restitution : 0;
    fastest = fmax(fastest, -of->closing);
  }
  return fastest;
}

// Impulses that stop all contacts that close, without pulling.
static void stop_closing(StStruckBody *body, StStrike *strike, int count, double enough) {
  double change = INFINITY;
  for (int sweep = 0; sweep < SWEEPS && change > enough; sweep++) {
    change = 0;
    for (int i = 0; i < count; i++) {
      StStrike *of = &strike[i];
      double ease = of->closing < 0 ? mobility(body, of, of->normal) : 0;
      if (!(ease > 0))
        continue;
      double speed = st_strike_speed(body, of);
      double more = fmax(-speed / ease, -of->normal_impulse);
      of->normal_impulse += more;
      push_both(body, of, more, of->normal);
      change = fmax(change, fabs(more) * ease);
    }
  }
}

// Twice the energy that impulses took, or would give: what they do is their product with the mean
// of the speeds at both ends.
static double work(const StStruckBody *body, const StStrike *strike, int count, bool stopping) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    double speed = st_strike_speed(body, &strike[i]);
    sum += strike[i].normal_impulse *
           (stopping ? -(strike[i].closing + speed) : strike[i].share * speed);
  }
  return sum;
}

static void push_back(StStruckBody *body, StStrike *strike, int count, double part) {
  for (int i = 0; i < count; i++)
    push_both(body, &strike[i], part * strike[i].share * strike[i].normal_impulse,
              strike[i].normal);
}

// The energy stored in contacts that close; it is taken only once.
static double take_stored(StStrike *strike, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    if (strike[i].closing < 0) {
      sum += strike[i].stored;
      strike[i].stored = 0;
    }
  return sum;
}

// The impulses once more, e times: of the energy that closed, e² comes back. Where contact keeps
// some of it, or e differs among contacts that act on each other, it might be more than there was:
// never that.
static void rebound(StStruckBody *body, StStrike *strike, int count) {
  double stopped = work(body, strike, count, true) - 2 * take_stored(strike, count);
  double given = work(body, strike, count, false);
  push_back(body, strike, count, 1);
  given += work(body, strike, count, false);
  if (!(given > stopped))
    return;
  double keep = sqrt(fmax(stopped, 0) / given);
  push_back(body, strike, count, keep - 1);
  for (int i = 0; i < count; i++)
    strike[i].share *= keep;
}

static void find_tangents(StStrike *strike) {
  const double *n = strike->normal;
  double other[3] = {0, 0, 0}, length;
  other[fabs(n[0]) < 0.6 ? 0 : 1] = 1;
  vec3_cross(n, other, strike->tangent[0]);
  length = vec3_length(strike->tangent[0]);
  for (int c = 0; c < 3; c++)
    strike->tangent[0][c] /= length;
  vec3_cross(n, strike->tangent[0], strike->tangent[1]);
}

// One contact's friction: stops sliding as far as μ times its normal impulse does. Returns the
// change of speed.
static double rub(StStruckBody *body, StStrike *strike) {
  double most = strike->friction * (1 + strike->share) * strike->normal_impulse;
  double wanted[2], size = 0, change = 0;
  for (int t = 0; t < 2; t++) {
    double ease = mobility(body, strike, strike->tangent[t]);
    double speed = speed_along(body, strike, strike->tangent[t]);
    wanted[t] = strike->tangent_impulse[t] - (ease > 0 ? speed / ease : 0);
  }
  size = hypot(wanted[0], wanted[1]);
  for (int t = 0; t < 2; t++) {
    double to = size > most ? wanted[t] * most / size : wanted[t];
    double more = to - strike->tangent_impulse[t];
    strike->tangent_impulse[t] = to;
    push_both(body, strike, more, strike->tangent[t]);
    change = fmax(change, fabs(more) * mobility(body, strike, strike->tangent[t]));
  }
  return change;
}

static void rub_all(StStruckBody *body, StStrike *strike, int count, double enough) {
  double change = INFINITY;
  for (int sweep = 0; sweep < SWEEPS && change > enough; sweep++) {
    change = 0;
    for (int i = 0; i < count; i++)
      if (strike[i].friction > 0 && strike[i].normal_impulse > 0)
        change = fmax(change, rub(body, &strike[i]));
  }
}

void st_reflection_solve(StStruckBody *body, StStrike *strike, int count, double tolerance) {
  for (int i = 0; i < count; i++)
    find_tangents(&strike[i]);
  for (int round = 0; round < ROUNDS; round++) {
    double fastest = begin_round(body, strike, count, tolerance);
    if (fastest == 0)
      return;
    stop_closing(body, strike, count, EXACT * fastest);
    rebound(body, strike, count);
    rub_all(body, strike, count, EXACT * fastest);
  }
}
