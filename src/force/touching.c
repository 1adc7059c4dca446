// Loops over touches.
#include "force/touching.h"

#include "base/memory.h"

#include <string.h>

// Per place of the stencil, in the complex work space of the set: 3 positions, 3 velocities and 3
// forces. The rest belongs to the provider.
typedef struct Work {
  StDual *position, *velocity, *force;
} Work;

static Work work_of(const StTouchSet *set, int count) {
  StDual *base = set->work->dual;
  return (Work){base, base + 3 * count, base + 6 * count};
}

static void load_real(const StTouchSet *set, const StTouch *touch, const int *place,
                      const StPoint *at, Work *work) {
  double *real = set->work->real;
  int numbers = 3 * touch->count;
  st_touch_set_positions(set, touch->count, place, at->position, real);
  st_touch_set_velocities(set, touch->count, place, at->velocity, real + numbers);
  for (int i = 0; i < numbers; i++) {
    work->position[i] = real[i];
    work->velocity[i] = real[numbers + i];
  }
}

static void clear_force(const StTouch *touch, Work *work) {
  for (int i = 0; i < 3 * touch->count; i++)
    work->force[i] = 0;
}

// Slots of a touch's blocks, row by row: from the point, or looked up.
static const int *slots_of(const StPoint *at, const StTouchList *list, const StTouch *touch,
                           const StBlockMatrix *matrix) {
  const StTouchSet *set = at->touching;
  if (at->slots) {
    size_t index = (size_t)(touch - list->touch);
    size_t before = list == &set->now ? 0 : (size_t)at->slots->now_count;
    return at->slots->slot + at->slots->start[before + index];
  }
  const int *place = st_touch_list_places(list, touch);
  int count = touch->count, *slot = st_touch_work_slots(set->work, (size_t)count * (size_t)count);
  for (int i = 0; slot && i < count * count; i++)
    slot[i] = st_block_matrix_slot(matrix, place[i / count], place[i % count]);
  return slot;
}

// Column (place c, axis) of the stencil's Jacobian, added to the rows that have a slot for it.
static void add_column(const StTouch *touch, const int *slot, int c, int axis, const Work *work,
                       StBlockMatrix *matrix) {
  for (int r = 0; r < touch->count; r++) {
    if (slot[r * touch->count + c] < 0)
      continue;
    double *block = matrix->value + 9 * (size_t)slot[r * touch->count + c];
    for (int i = 0; i < 3; i++)
      block[3 * i + axis] += s_derivative(work->force[3 * r + i]);
  }
}

void st_touching_spread_block(const StPoint *at, const StTouchList *list, const StTouch *touch,
                              const double *weight, const double block[9], StBlockMatrix *matrix) {
  int count = touch->count;
  const int *slot = slots_of(at, list, touch, matrix);
  for (int k = 0; slot && k < count * count; k++) {
    if (slot[k] < 0)
      continue;
    double *to = matrix->value + 9 * (size_t)slot[k];
    for (int i = 0; i < 9; i++)
      to[i] += weight[k / count] * weight[k % count] * block[i];
  }
}

void st_touching_add_outer(const StPoint *at, const StTouchList *list, const StTouch *touch,
                           double factor, const double *g, StBlockMatrix *matrix) {
  int count = touch->count;
  const int *slot = slots_of(at, list, touch, matrix);
  for (int k = 0; slot && k < count * count; k++) {
    if (slot[k] < 0)
      continue;
    double *to = matrix->value + 9 * (size_t)slot[k];
    const double *left = g + 3 * (k / count), *right = g + 3 * (k % count);
    for (int i = 0; i < 9; i++)
      to[i] += factor * left[i / 3] * right[i % 3];
  }
}

void st_touching_add_dense(const StPoint *at, const StTouchList *list, const StTouch *touch,
                           const double *jacobian, StBlockMatrix *matrix) {
  int count = touch->count;
  size_t width = 3 * (size_t)count;
  const int *slot = slots_of(at, list, touch, matrix);
  for (int r = 0; slot && r < count; r++)
    for (int c = 0; c < count; c++, slot++) {
      if (*slot < 0)
        continue;
      const double *from = jacobian + 3 * (size_t)r * width + 3 * (size_t)c;
      double *to = matrix->value + 9 * (size_t)*slot;
      for (int i = 0; i < 3; i++, from += width, to += 3) {
        to[0] += from[0];
        to[1] += from[1];
        to[2] += from[2];
      }
    }
}

static bool reaches_rows(const StTouch *touch, const int *place, const StBlockMatrix *matrix) {
  for (int k = 0; k < touch->count; k++)
    if (place[k] < matrix->row_count)
      return true;
  return false;
}

static void add_columns(const StTouchList *list, const StTouch *touch, const StPoint *at,
                        double by_position, double by_velocity, StTouchForce add,
                        StBlockMatrix *matrix) {
  const StTouchSet *set = at->touching;
  const int *place = st_touch_list_places(list, touch);
  const int *slot = slots_of(at, list, touch, matrix);
  Work work = work_of(set, touch->count);
  load_real(set, touch, place, at, &work);
  for (int c = 0; slot && c < 3 * touch->count; c++) {
    if (!st_touch_set_is_local(set, place[c / 3]))
      continue;
    StDual x = work.position[c], v = work.velocity[c];
    work.position[c] = s_dual(creal(x), by_position);
    work.velocity[c] = s_dual(creal(v), by_velocity);
    clear_force(touch, &work);
    add(set, list, touch, work.position, work.velocity, work.force);
    add_column(touch, slot, c / 3, c % 3, &work, matrix);
    work.position[c] = x;
    work.velocity[c] = v;
  }
}

// Touches with many places have many columns, so analytic derivatives are cheaper.
static bool add_written_out(const StTouchList *list, const StTouch *touch, const StPoint *at,
                            double by_position, double by_velocity, StTouchJacobian fill,
                            StBlockMatrix *matrix) {
  const StTouchSet *set = at->touching;
  const int *place = st_touch_list_places(list, touch);
  size_t width = 3 * (size_t)touch->count;
  double *jacobian = st_touch_work_jacobian(set->work, width * width);
  double *position = set->work->real, *velocity = position + width;
  if (!jacobian)
    return false;
  st_touch_set_positions(set, touch->count, place, at->position, position);
  st_touch_set_velocities(set, touch->count, place, at->velocity, velocity);
  if (!fill(set, touch, position, velocity, by_position, by_velocity, velocity + width, jacobian))
    return false;
  st_touching_add_dense(at, list, touch, jacobian, matrix);
  return true;
}

// Jacobians of small stencils, computed by threads for several touches at a time, then added one
// after the other.
enum { SMALL = ST_TOUCH_SMALL, FULL = 9 * SMALL * SMALL, TOUCHES_AT_ONCE = 512, PART = 32 };

typedef struct Batch {
  const StTouchList *list;
  const StPoint *at;
  double by_position, by_velocity;
  StTouchJacobian fill;
  const StBlockMatrix *matrix;
  int first;
  double *jacobian; // [TOUCHES_AT_ONCE][FULL]
  bool filled[TOUCHES_AT_ONCE];
} Batch;

static void fill_touches(void *context, int begin, int end) {
  Batch *batch = context;
  const StTouchSet *set = batch->at->touching;
  for (int t = begin; t < end; t++) {
    const StTouch *touch = &batch->list->touch[t];
    const int *place = st_touch_list_places(batch->list, touch);
    double position[3 * SMALL], velocity[3 * SMALL], room[3 * SMALL];
    int index = t - batch->first;
    batch->filled[index] = false;
    if (touch->count > SMALL || !touch->provider->shares_jacobians ||
        !reaches_rows(touch, place, batch->matrix))
      continue;
    st_touch_set_positions(set, touch->count, place, batch->at->position, position);
    st_touch_set_velocities(set, touch->count, place, batch->at->velocity, velocity);
    batch->filled[index] =
        batch->fill(set, touch, position, velocity, batch->by_position, batch->by_velocity, room,
                    batch->jacobian + FULL * (size_t)index);
  }
}

static void add_blocks(const Batch *batch, int t, StTouchForce add, StBlockMatrix *matrix) {
  const StTouchList *list = batch->list;
  const StTouch *touch = &list->touch[t];
  if (batch->jacobian && batch->filled[t - batch->first])
    st_touching_add_dense(batch->at, list, touch,
                          batch->jacobian + FULL * (size_t)(t - batch->first), matrix);
  else if (reaches_rows(touch, st_touch_list_places(list, touch), matrix) &&
           !add_written_out(list, touch, batch->at, batch->by_position, batch->by_velocity,
                            batch->fill, matrix))
    add_columns(list, touch, batch->at, batch->by_position, batch->by_velocity, add, matrix);
}

void st_touching_blocks(const StTouchList *list, const StPoint *at, double by_position,
                        double by_velocity, StTouchForce add, StTouchJacobian fill,
                        StBlockMatrix *matrix) {
  const StTouchSet *set = at->touching;
  size_t room = (size_t)(list->count < TOUCHES_AT_ONCE ? list->count : TOUCHES_AT_ONCE);
  Batch batch = {.list = list,
                 .at = at,
                 .by_position = by_position,
                 .by_velocity = by_velocity,
                 .fill = fill,
                 .matrix = matrix,
                 .jacobian = st_touch_work_batch(set->work, FULL * room)};
  for (int first = 0; first < list->count; first += TOUCHES_AT_ONCE) {
    int end = list->count - first < TOUCHES_AT_ONCE ? list->count : first + TOUCHES_AT_ONCE;
    batch.first = first;
    if (batch.jacobian)
      st_crew_sweep(set->contacts->piece->crew, first, end, PART, fill_touches, &batch);
    for (int t = first; t < end; t++)
      add_blocks(&batch, t, add, matrix);
  }
}

// Forces on small stencils, computed by threads, then added one after the other.
typedef struct Forces {
  const StTouchList *list;
  const StPoint *at;
  StTouchStencil fill;
  int first;
  double *stencil; // [TOUCHES_AT_ONCE][3 SMALL]
} Forces;

static void fill_forces(void *context, int begin, int end) {
  const Forces *forces = context;
  for (int t = begin; t < end; t++) {
    const StTouch *touch = &forces->list->touch[t];
    double room[3 * SMALL];
    if (touch->owned && touch->count <= SMALL)
      forces->fill(forces->at->touching, forces->list, touch, forces->at, room,
                   forces->stencil + 3 * SMALL * (size_t)(t - forces->first));
  }
}

static void add_force(const Forces *forces, const StTouch *touch, double *stencil, double *force) {
  const StTouchSet *set = forces->at->touching;
  if (!touch->owned)
    return;
  if (touch->count > SMALL) {
    stencil = set->work->real + 3 * touch->count;
    forces->fill(set, forces->list, touch, forces->at, set->work->real, stencil);
  }
  st_touching_scatter(set, forces->list, touch, stencil, force);
}

void st_touching_forces(const StTouchList *list, const StPoint *at, StTouchStencil fill,
                        double *force) {
  double stencil[3 * SMALL * TOUCHES_AT_ONCE];
  Forces forces = {.list = list, .at = at, .fill = fill, .stencil = stencil};
  for (int first = 0; first < list->count; first += TOUCHES_AT_ONCE) {
    int end = list->count - first < TOUCHES_AT_ONCE ? list->count : first + TOUCHES_AT_ONCE;
    forces.first = first;
    st_crew_sweep(at->touching->contacts->piece->crew, first, end, PART, fill_forces, &forces);
    for (int t = first; t < end; t++)
      add_force(&forces, &list->touch[t], stencil + 3 * SMALL * (t - first), force);
  }
}

void st_touching_product(const StTouchList *list, const StPoint *at, double by_position,
                         double by_velocity, const double *direction, StTouchForce add,
                         double *result) {
  const StTouchSet *set = at->touching;
  for (int t = 0; t < list->count; t++) {
    const StTouch *touch = &list->touch[t];
    const int *place = st_touch_list_places(list, touch);
    if (!touch->owned)
      continue;
    Work work = work_of(set, touch->count);
    load_real(set, touch, place, at, &work);
    for (int c = 0; c < 3 * touch->count; c++) {
      if (!st_touch_set_is_local(set, place[c / 3]))
        continue;
      double d = direction[3 * place[c / 3] + c % 3];
      work.position[c] = s_dual(creal(work.position[c]), by_position * d);
      work.velocity[c] = s_dual(creal(work.velocity[c]), by_velocity * d);
    }
    clear_force(touch, &work);
    add(set, list, touch, work.position, work.velocity, work.force);
    for (int c = 0; c < 3 * touch->count; c++)
      if (st_touch_set_is_local(set, place[c / 3]))
        result[3 * place[c / 3] + c % 3] += s_derivative(work.force[c]);
  }
}

void st_touching_complex(const StTouchList *list, const StPoint *at, const StDual *position,
                         const StDual *velocity, StTouchForce add, StDual *force) {
  const StTouchSet *set = at->touching;
  for (int t = 0; t < list->count; t++) {
    const StTouch *touch = &list->touch[t];
    const int *place = st_touch_list_places(list, touch);
    if (!touch->owned)
      continue;
    Work work = work_of(set, touch->count);
    load_real(set, touch, place, at, &work);
    for (int c = 0; c < 3 * touch->count; c++)
      if (st_touch_set_is_local(set, place[c / 3])) {
        work.position[c] = position[3 * place[c / 3] + c % 3];
        work.velocity[c] = velocity[3 * place[c / 3] + c % 3];
      }
    clear_force(touch, &work);
    add(set, list, touch, work.position, work.velocity, work.force);
    for (int c = 0; c < 3 * touch->count; c++)
      if (st_touch_set_is_local(set, place[c / 3]))
        force[3 * place[c / 3] + c % 3] += work.force[c];
  }
}

void st_touching_destroy(void *data) {
  (void)data;
}

StStatus st_touching_bind(void *data, const StBlockMatrix *matrix, StError *error) {
  (void)data, (void)matrix, (void)error;
  return ST_OK;
}

bool st_touching_known(const StPoint *at) {
  return at->touching && at->touching->status == ST_OK;
}

bool st_touching_check(const StPoint *at, const char *force, StTrouble *trouble) {
  if (!at->touching || at->touching->status == ST_OK)
    return true;
  *trouble = (StTrouble){-1, force, "the contact search failed (memory, or not a number)", -1};
  return false;
}

void st_touching_scatter(const StTouchSet *set, const StTouchList *list, const StTouch *touch,
                         const double *stencil_force, double *force) {
  const int *place = st_touch_list_places(list, touch);
  for (int c = 0; c < 3 * touch->count; c++)
    if (st_touch_set_is_local(set, place[c / 3]))
      force[3 * place[c / 3] + c % 3] += stencil_force[c];
}
