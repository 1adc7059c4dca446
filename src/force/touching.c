// Loops over touches.
#include "force/touching.h"

#include "base/memory.h"

#include <string.h>

// The contacts' complex work space holds, per stencil vertex, 3 positions, 3 velocities, 3 forces
// and the 7 numbers of a gap.
typedef struct Work {
  StDual *position, *velocity, *force;
} Work;

static Work work_of(const StContacts *contacts, int count) {
  StDual *base = contacts->dual;
  return (Work){base, base + 3 * count, base + 6 * count};
}

StGapDual st_touching_gap(const StContacts *contacts, int count) {
  StDual *base = contacts->dual + 9 * count;
  return (StGapDual){
      .gradient = base, .fade_gradient = base + 3 * count, .share = base + 6 * count};
}

// A stencil's vertices are ours, except for those of a mesh obstacle behind the point.
static const double *position_of(const StContacts *contacts, const StTouch *touch, int vertex,
                                 int k, const double *position) {
  bool ours = k < touch->dof_count;
  return (ours ? position : contacts->pair[touch->pair].rigid) + 3 * vertex;
}

static void load_real(const StContacts *contacts, const StTouch *touch, const int *vertex,
                      const StPoint *at, Work *work) {
  for (int k = 0; k < touch->count; k++) {
    const double *x = position_of(contacts, touch, vertex[k], k, at->position);
    for (int i = 0; i < 3; i++) {
      work->position[3 * k + i] = x[i];
      work->velocity[3 * k + i] = k < touch->dof_count ? at->velocity[3 * vertex[k] + i] : 0;
    }
  }
}

static void clear_force(const StTouch *touch, Work *work) {
  for (int i = 0; i < 3 * touch->count; i++)
    work->force[i] = 0;
}

double *st_touching_block(const StContacts *contacts, StBlockMatrix *matrix, int row, int column) {
  int slot = st_block_matrix_open_slot(matrix, row, column, contacts->place);
  return slot < 0 ? NULL : matrix->value + 9 * (size_t)slot;
}

bool st_touching_open_row(const StContacts *contacts, const StBlockMatrix *matrix, int row) {
  if (row >= matrix->row_count)
    return false;
  st_block_matrix_open_row(matrix, row, contacts->place);
  return true;
}

// Column (vertex c, axis) of the stencil's Jacobian, added to the rows that have a place for it.
static void add_column(const StTouch *touch, const int *vertex, int c, int axis, const Work *work,
                       StBlockMatrix *matrix) {
  for (int r = 0; r < touch->dof_count; r++) {
    if (vertex[r] >= matrix->row_count)
      continue;
    int slot = st_block_matrix_slot(matrix, vertex[r], vertex[c]);
    if (slot < 0)
      continue;
    double *block = matrix->value + 9 * (size_t)slot;
    for (int i = 0; i < 3; i++)
      block[3 * i + axis] += s_derivative(work->force[3 * r + i]);
  }
}

void st_touching_spread_block(const StContacts *contacts, const StTouch *touch, const int *vertex,
                              const double *weight, const double block[9], StBlockMatrix *matrix) {
  for (int r = 0; r < touch->dof_count; r++) {
    if (!st_touching_open_row(contacts, matrix, vertex[r]))
      continue;
    for (int c = 0; c < touch->dof_count; c++) {
      double *to = st_touching_block(contacts, matrix, vertex[r], vertex[c]);
      for (int i = 0; to && i < 9; i++)
        to[i] += weight[r] * weight[c] * block[i];
    }
  }
}

static bool reaches_rows(const StTouch *touch, const int *vertex, const StBlockMatrix *matrix) {
  for (int k = 0; k < touch->dof_count; k++)
    if (vertex[k] < matrix->row_count)
      return true;
  return false;
}

static void add_columns(StContacts *contacts, const StTouch *touch, const int *vertex,
                        const StPoint *at, double by_position, double by_velocity, StTouchForce add,
                        StBlockMatrix *matrix) {
  Work work = work_of(contacts, touch->count);
  load_real(contacts, touch, vertex, at, &work);
  for (int c = 0; c < 3 * touch->dof_count; c++) {
    StDual x = work.position[c], v = work.velocity[c];
    work.position[c] = s_dual(creal(x), by_position);
    work.velocity[c] = s_dual(creal(v), by_velocity);
    clear_force(touch, &work);
    add(contacts, touch, vertex, work.position, work.velocity, work.force);
    add_column(touch, vertex, c / 3, c % 3, &work, matrix);
    work.position[c] = x;
    work.velocity[c] = v;
  }
}

// Room for the slopes of a touch; false when memory is short.
static bool lay_slopes(StContacts *contacts, const StTouch *touch, StTouchSlopes *slopes) {
  size_t n = (size_t)touch->count;
  size_t needed = n * (6 + 7 + 9 + ST_SLOPE_WORK) + 12 * n * n;
  if (!st_grow((void **)&contacts->dense, &contacts->dense_capacity, needed, sizeof(double)))
    return false;
  double *next = contacts->dense;
  double **part[] = {&slopes->position,     &slopes->velocity,          &slopes->gap.share,
                     &slopes->gap.gradient, &slopes->gap.fade_gradient, &slopes->point_rows,
                     &slopes->work,         &slopes->share_slope,       &slopes->jacobian};
  const size_t size[] = {3 * n, 3 * n, n, 3 * n, 3 * n, 9 * n, ST_SLOPE_WORK * n, 3 * n * n, 0};
  for (int i = 0; i < ST_LENGTH(part); i++) {
    *part[i] = next;
    next += size[i];
  }
  return true;
}

static void add_dense(const StContacts *contacts, const StTouch *touch, const int *vertex,
                      const double *jacobian, StBlockMatrix *matrix) {
  size_t width = 3 * (size_t)touch->count;
  for (int r = 0; r < touch->count; r++) {
    if (!st_touching_open_row(contacts, matrix, vertex[r]))
      continue;
    for (int c = 0; c < touch->count; c++) {
      const double *from = jacobian + 3 * (size_t)r * width + 3 * (size_t)c;
      double *to = st_touching_block(contacts, matrix, vertex[r], vertex[c]);
      for (size_t i = 0; to && i < 9; i++)
        to[i] += from[(i / 3) * width + i % 3];
    }
  }
}

// Contacts between bodies have many columns, and derivatives that are cheaper written out.
static bool add_written_out(StContacts *contacts, const StTouch *touch, const int *vertex,
                            const StPoint *at, double by_position, double by_velocity,
                            StTouchJacobian fill, StBlockMatrix *matrix) {
  StTouchSlopes slopes = {.surface = contacts->pair[touch->pair].surface};
  if (touch->dof_count == 1 || !lay_slopes(contacts, touch, &slopes) ||
      !st_contacts_revisit(contacts, touch, slopes.position))
    return false;
  for (int c = 0; c < 3 * touch->count; c++)
    slopes.velocity[c] = at->velocity[3 * vertex[c / 3] + c % 3];
  if (!fill(contacts, touch, by_position, by_velocity, &slopes))
    return false;
  add_dense(contacts, touch, vertex, slopes.jacobian, matrix);
  return true;
}

void st_touching_blocks(StContacts *contacts, const StTouchList *list, const StPoint *at,
                        double by_position, double by_velocity, StTouchForce add,
                        StTouchJacobian fill, StBlockMatrix *matrix) {
  for (int t = 0; t < list->count; t++) {
    const StTouch *touch = &list->touch[t];
    const int *vertex = list->vertex + touch->first;
    if (reaches_rows(touch, vertex, matrix) &&
        !add_written_out(contacts, touch, vertex, at, by_position, by_velocity, fill, matrix))
      add_columns(contacts, touch, vertex, at, by_position, by_velocity, add, matrix);
  }
}

void st_touching_product(StContacts *contacts, const StTouchList *list, const StPoint *at,
                         double by_position, double by_velocity, const double *direction,
                         StTouchForce add, double *result) {
  for (int t = 0; t < list->count; t++) {
    const StTouch *touch = &list->touch[t];
    const int *vertex = list->vertex + touch->first;
    if (!st_contacts_owned(contacts, touch))
      continue;
    Work work = work_of(contacts, touch->count);
    load_real(contacts, touch, vertex, at, &work);
    for (int c = 0; c < 3 * touch->dof_count; c++) {
      double d = direction[3 * vertex[c / 3] + c % 3];
      work.position[c] = s_dual(creal(work.position[c]), by_position * d);
      work.velocity[c] = s_dual(creal(work.velocity[c]), by_velocity * d);
    }
    clear_force(touch, &work);
    add(contacts, touch, vertex, work.position, work.velocity, work.force);
    for (int c = 0; c < 3 * touch->dof_count; c++)
      result[3 * vertex[c / 3] + c % 3] += s_derivative(work.force[c]);
  }
}

void st_touching_complex(StContacts *contacts, const StTouchList *list, const StDual *position,
                         const StDual *velocity, StTouchForce add, StDual *force) {
  for (int t = 0; t < list->count; t++) {
    const StTouch *touch = &list->touch[t];
    const int *vertex = list->vertex + touch->first;
    if (!st_contacts_owned(contacts, touch))
      continue;
    Work work = work_of(contacts, touch->count);
    StPoint at = {contacts->time, contacts->position, contacts->position};
    load_real(contacts, touch, vertex, &at, &work);
    for (int c = 0; c < 3 * touch->dof_count; c++) {
      work.position[c] = position[3 * vertex[c / 3] + c % 3];
      work.velocity[c] = velocity[3 * vertex[c / 3] + c % 3];
    }
    clear_force(touch, &work);
    add(contacts, touch, vertex, work.position, work.velocity, work.force);
    for (int c = 0; c < 3 * touch->dof_count; c++)
      force[3 * vertex[c / 3] + c % 3] += work.force[c];
  }
}

void st_touching_destroy(void *data) {
  (void)data;
}

StStatus st_touching_bind(void *data, const StBlockMatrix *matrix, StError *error) {
  (void)data, (void)matrix, (void)error;
  return ST_OK;
}

bool st_touching_update(StContacts *contacts, const StPoint *at, const char *force,
                        StTrouble *trouble) {
  if (st_contacts_update(contacts, at->time, at->position) == ST_OK)
    return true;
  *trouble = (StTrouble){-1, force, "the contact search failed (memory, or not a number)", -1};
  return false;
}

StStatus st_touching_update_complex(StContacts *contacts, double time, const StDual *position) {
  int size = 3 * contacts->piece->vertex_count;
  double *real = ST_NEW(double, size);
  if (!real)
    return ST_SYSTEM_FAULT;
  for (int i = 0; i < size; i++)
    real[i] = creal(position[i]);
  StStatus status = st_contacts_update(contacts, time, real);
  free(real);
  return status;
}

void st_touching_scatter(const StTouch *touch, const int *vertex, const double *stencil_force,
                         double *force) {
  for (int c = 0; c < 3 * touch->dof_count; c++)
    force[3 * vertex[c / 3] + c % 3] += stencil_force[c];
}
