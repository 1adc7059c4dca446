// Springs along surfaces.
// Tested by tests/step/test_spring_net.c.
#include "step/hold.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

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
