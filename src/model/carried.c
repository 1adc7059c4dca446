// Weighted sums of carriers.
#include "model/carried.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "model/description.h"

#include <string.h>

static const double TINY = 1e-12; // of weights

StStatus st_carried_create(int count, StCarried *carried, StError *error) {
  size_t carriers = ST_CARRIERS * (size_t)count;
  *carried =
      (StCarried){count, ST_NEW(int, count), ST_NEW(int, carriers), ST_NEW(double, carriers)};
  if (carried->vertex && carried->carrier && carried->weight)
    return ST_OK;
  st_carried_free(carried);
  return st_fail_memory(error);
}

void st_carried_free(StCarried *carried) {
  free(carried->vertex);
  free(carried->carrier);
  free(carried->weight);
  *carried = (StCarried){0};
}

// The largest makes up for what is dropped.
static void drop_tiny(double weight[ST_CARRIERS]) {
  int largest = 0;
  double rest = 1;
  for (int k = 0; k < ST_CARRIERS; k++) {
    weight[k] = fabs(weight[k]) < TINY ? 0 : weight[k];
    largest = fabs(weight[k]) > fabs(weight[largest]) ? k : largest;
  }
  for (int k = 0; k < ST_CARRIERS; k++)
    rest -= k == largest ? 0 : weight[k];
  weight[largest] = rest;
}

void st_carried_weigh(const StCarried *carried, int index, const double *position) {
  const int *carrier = carried->carrier + ST_CARRIERS * (size_t)index;
  const double *origin = position + 3 * (size_t)carrier[0];
  double *weight = carried->weight + ST_CARRIERS * (size_t)index;
  double side[9], inverse[9] = {0}, arm[3];
  vec3_sub(position + 3 * (size_t)carried->vertex[index], origin, arm);
  for (int k = 0; k < 9; k++)
    side[k] = position[3 * (size_t)carrier[k % 3 + 1] + (size_t)(k / 3)] - origin[k / 3];
  mat3_inverse(side, inverse);
  mat3_apply(inverse, arm, weight + 1);
  weight[0] = 1 - weight[1] - weight[2] - weight[3];
  drop_tiny(weight);
}

void st_carried_follow(const StCarried *carried, int first, int end, double *field) {
  for (int i = first; i < end; i++) {
    const int *carrier = carried->carrier + ST_CARRIERS * (size_t)i;
    const double *weight = carried->weight + ST_CARRIERS * (size_t)i;
    double *to = field + 3 * (size_t)carried->vertex[i];
    for (int c = 0; c < 3; c++) {
      double sum = 0;
      for (int k = 0; k < ST_CARRIERS; k++)
        sum += weight[k] * field[3 * (size_t)carrier[k] + (size_t)c];
      to[c] = sum;
    }
  }
}

void st_carried_hand_on(const StCarried *carried, double *force) {
  for (int i = 0; i < carried->count; i++) {
    const int *carrier = carried->carrier + ST_CARRIERS * (size_t)i;
    const double *weight = carried->weight + ST_CARRIERS * (size_t)i;
    double *from = force + 3 * (size_t)carried->vertex[i];
    if (from[0] == 0 && from[1] == 0 && from[2] == 0)
      continue; // as most do: they touch nothing
    for (int k = 0; k < ST_CARRIERS; k++)
      for (int c = 0; c < 3; c++)
        force[3 * (size_t)carrier[k] + (size_t)c] += weight[k] * from[c];
    from[0] = from[1] = from[2] = 0;
  }
}

static void add_body(const StCarried *of, int offset, int at, StCarriage *carriage) {
  StCarried *all = &carriage->all;
  for (int i = 0; i < of->count; i++) {
    all->vertex[at + i] = offset + of->vertex[i];
    carriage->entry[offset + of->vertex[i]] = at + i;
  }
  for (int i = 0; i < ST_CARRIERS * of->count; i++) {
    all->carrier[ST_CARRIERS * at + i] = offset + of->carrier[i];
    all->weight[ST_CARRIERS * at + i] = of->weight[i];
  }
}

StStatus st_carriage_create(const StDescription *description, StCarriage *carriage,
                            StError *error) {
  int count = 0, vertices = st_description_vertex_count(description);
  for (int b = 0; b < description->body_count; b++)
    count += description->body[b].carried.count;
  *carriage = (StCarriage){.entry = ST_NEW(int, vertices)};
  StStatus status =
      carriage->entry ? st_carried_create(count, &carriage->all, error) : st_fail_memory(error);
  if (status != ST_OK) {
    st_carriage_free(carriage);
    return status;
  }
  memset(carriage->entry, 0xff, (size_t)vertices * sizeof(int));
  for (int b = 0, offset = 0, at = 0; b < description->body_count; b++) {
    add_body(&description->body[b].carried, offset, at, carriage);
    at += description->body[b].carried.count;
    offset += description->body[b].mesh->vertex_count;
  }
  return ST_OK;
}

void st_carriage_free(StCarriage *carriage) {
  st_carried_free(&carriage->all);
  free(carriage->entry);
  carriage->entry = NULL;
}
