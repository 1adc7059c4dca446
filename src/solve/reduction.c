// [R S] is a basis of a frame's twelve unknowns: R its rigid motions, orthonormal, S strains. RᵀAR
// is solved for all frames at once, SᵀAS for each alone. What keeps frames in shape does not couple
// both.
// Tested by tests/solve/test_factors.c.
#include "solve/reduction.h"

#include "base/memory.h"
#include "base/search.h"
#include "math/hot.h"
#include "math/vec3.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { ROWS = ST_GROUP_ROWS, SIZE = 3 * ROWS, MOTIONS = 6, STRAINS = 6, UNITS_AT_ONCE = 16 };

// A frame's basis, and how it resists strain.
typedef struct Frame {
  double basis[SIZE][SIZE];          // [R S]
  double own[MOTIONS * MOTIONS];     // RᵀAR of the frame alone
  double inverse[STRAINS * STRAINS]; // of SᵀAS
  bool firm;                         // there is one
} Frame;

// Units are frames, and rows that are in none.
struct StReduction {
  const StProblem *problem;
  int unit_count, frame_count;
  int *unit, *seat;       // [rows] the unit that has it, and which of its rows it is
  int *frame_of;          // [units] -1: none
  int *row;               // [units] a single row
  int *node;              // [units + 1] first row in the reduced matrix
  int *list_start, *list; // [units + 1] units that a unit is coupled with, ascending
  int *place;             // [blocks of A] which of its row's list; -1: none
  int longest;            // list
  StBlockMatrix *reduced;
  Frame *frame;
  double *half;          // [threads][longest][SIZE × MOTIONS] rows of AR
  double *load, *motion; // [rows of the reduced matrix][3]
  double *asked, *left;  // [rows][3] b, and b - A x
  bool *zero;            // [rows of the reduced matrix] nothing to solve for, …
  bool partial;          // … which some have
};

void st_reduction_destroy(StReduction *reduction) {
  if (!reduction)
    return;
  void *array[] = {reduction->unit,  reduction->seat,       reduction->frame_of, reduction->row,
                   reduction->node,  reduction->list_start, reduction->list,     reduction->place,
                   reduction->frame, reduction->half,       reduction->load,     reduction->motion,
                   reduction->asked, reduction->left,       reduction->zero};
  for (int i = 0; i < ST_LENGTH(array); i++)
    free(array[i]);
  st_block_matrix_destroy(reduction->reduced);
  free(reduction);
}

const bool *st_reduction_zero(const StReduction *reduction) {
  return reduction->partial ? reduction->zero : NULL;
}

const StBlockMatrix *st_reduction_matrix(const StReduction *reduction) {
  return reduction->reduced;
}

static int unit_rows(const StReduction *reduction, int unit) {
  return reduction->frame_of[unit] < 0 ? 1 : ROWS;
}

static int unit_row(const StReduction *reduction, int unit, int seat) {
  int frame = reduction->frame_of[unit];
  return frame < 0 ? reduction->row[unit] : reduction->problem->group[ROWS * frame + seat];
}

static int unit_nodes(const StReduction *reduction, int unit) {
  return reduction->node[unit + 1] - reduction->node[unit];
}

// In the order of the rows.
static void number_units(StReduction *reduction) {
  const StProblem *problem = reduction->problem;
  int rows = problem->matrix->row_count, *frame_of_row = reduction->unit;
  memset(frame_of_row, 0xff, (size_t)rows * sizeof(int));
  for (int i = 0; i < ROWS * problem->group_count; i++) {
    frame_of_row[problem->group[i]] = i / ROWS;
    reduction->seat[problem->group[i]] = i % ROWS;
  }
  for (int row = 0; row < rows; row++) {
    int frame = frame_of_row[row], unit = reduction->unit_count;
    if (frame >= 0 && problem->group[ROWS * frame] != row)
      continue;
    reduction->frame_of[unit] = frame;
    reduction->row[unit] = row;
    reduction->node[unit + 1] = reduction->node[unit] + (frame < 0 ? 1 : 2);
    reduction->unit_count++;
  }
  for (int unit = 0; unit < reduction->unit_count; unit++)
    for (int k = 0; k < unit_rows(reduction, unit); k++)
      reduction->unit[unit_row(reduction, unit, k)] = unit;
}

// The unit of a block's column; -1: it is no row, or nothing of the system couples both.
static int coupled_unit(const StReduction *reduction, int unit, int row, int column) {
  const StBlockMatrix *matrix = reduction->problem->matrix;
  int other = column < matrix->row_count ? reduction->unit[column] : -1;
  return other == unit || st_block_matrix_couples(matrix, row, column) ? other : -1;
}

// The units of a unit's columns into `list`, sorted; returns how many. mark: [units] the last unit
// that had each.
static int list_unit(const StReduction *reduction, int unit, int *mark, int *list) {
  const StBlockMatrix *matrix = reduction->problem->matrix;
  int count = 0;
  for (int k = 0; k < unit_rows(reduction, unit); k++) {
    int row = unit_row(reduction, unit, k);
    for (int b = matrix->row_start[row]; b < matrix->row_start[row + 1]; b++) {
      int other = coupled_unit(reduction, unit, row, matrix->column[b]);
      if (other < 0 || mark[other] == unit)
        continue;
      mark[other] = unit;
      list[count++] = other;
    }
  }
  qsort(list, (size_t)count, sizeof(int), st_compare_ints);
  return count;
}

static void find_places(StReduction *reduction, int unit, int *where) {
  const StBlockMatrix *matrix = reduction->problem->matrix;
  for (int p = reduction->list_start[unit]; p < reduction->list_start[unit + 1]; p++)
    where[reduction->list[p]] = p - reduction->list_start[unit];
  for (int k = 0; k < unit_rows(reduction, unit); k++) {
    int row = unit_row(reduction, unit, k);
    for (int b = matrix->row_start[row]; b < matrix->row_start[row + 1]; b++) {
      int other = coupled_unit(reduction, unit, row, matrix->column[b]);
      reduction->place[b] = other < 0 ? -1 : where[other];
    }
  }
}

static bool find_lists(StReduction *reduction) {
  const StBlockMatrix *matrix = reduction->problem->matrix;
  size_t units = (size_t)reduction->unit_count;
  int blocks = matrix->row_start[matrix->row_count];
  reduction->list_start = ST_NEW(int, units + 1);
  reduction->list = ST_ROOM(int, blocks);
  reduction->place = ST_ROOM(int, blocks);
  int *mark = ST_ROOM(int, units);
  bool good = reduction->list_start && reduction->list && reduction->place && mark;
  if (good)
    memset(mark, 0xff, units * sizeof(int));
  for (int unit = 0, used = 0; good && unit < reduction->unit_count; unit++) {
    int count = list_unit(reduction, unit, mark, reduction->list + used);
    reduction->longest = count > reduction->longest ? count : reduction->longest;
    reduction->list_start[unit + 1] = used += count;
  }
  for (int unit = 0; good && unit < reduction->unit_count; unit++)
    find_places(reduction, unit, mark);
  free(mark);
  return good;
}

// All rows of a unit have the same columns.
static void fill_pattern(const StReduction *reduction, int *column) {
  StBlockMatrix *reduced = reduction->reduced;
  for (int unit = 0; unit < reduction->unit_count; unit++)
    for (int node = reduction->node[unit]; node < reduction->node[unit + 1]; node++) {
      int used = reduced->row_start[node];
      for (int p = reduction->list_start[unit]; p < reduction->list_start[unit + 1]; p++) {
        int other = reduction->list[p];
        for (int k = reduction->node[other]; k < reduction->node[other + 1]; k++, used++)
          if (column)
            column[used] = k;
      }
      reduced->row_start[node + 1] = used;
    }
}

static bool create_matrix(StReduction *reduction) {
  int nodes = reduction->node[reduction->unit_count];
  StBlockMatrix *reduced = reduction->reduced = ST_NEW(StBlockMatrix, 1);
  if (!reduced)
    return false;
  reduced->row_count = reduced->column_count = nodes;
  reduced->crew = reduction->problem->matrix->crew;
  reduced->row_start = ST_NEW(int, (size_t)nodes + 1);
  if (!reduced->row_start)
    return false;
  fill_pattern(reduction, NULL);
  reduced->column = ST_ROOM(int, reduced->row_start[nodes]);
  reduced->value = ST_ROOM(double, 9 * (size_t)reduced->row_start[nodes]);
  if (!reduced->column || !reduced->value)
    return false;
  fill_pattern(reduction, reduced->column);
  return true;
}

static bool build(StReduction *reduction) {
  size_t rows = (size_t)reduction->problem->matrix->row_count;
  reduction->unit = ST_NEW(int, rows);
  reduction->seat = ST_NEW(int, rows);
  reduction->frame_of = ST_NEW(int, rows);
  reduction->row = ST_NEW(int, rows);
  reduction->node = ST_NEW(int, rows + 1);
  reduction->frame = ST_NEW(Frame, reduction->frame_count);
  reduction->asked = ST_NEW(double, 3 * rows);
  reduction->left = ST_NEW(double, 3 * rows);
  if (!reduction->unit || !reduction->seat || !reduction->frame_of || !reduction->row ||
      !reduction->node || !reduction->frame || !reduction->asked || !reduction->left)
    return false;
  number_units(reduction);
  if (!find_lists(reduction) || !create_matrix(reduction))
    return false;
  size_t threads = (size_t)st_crew_size(reduction->reduced->crew);
  size_t nodes = 3 * (size_t)reduction->reduced->row_count;
  reduction->half = ST_ROOM(double, threads *(size_t)reduction->longest *SIZE *MOTIONS);
  reduction->load = ST_NEW(double, nodes);
  reduction->motion = ST_NEW(double, nodes);
  reduction->zero = ST_NEW(bool, nodes / 3);
  return reduction->half && reduction->load && reduction->motion && reduction->zero;
}

StStatus st_reduction_create(const StProblem *problem, StReduction **result, StError *error) {
  StReduction *reduction = ST_NEW(StReduction, 1);
  if (!reduction)
    return st_fail_memory(error);
  reduction->problem = problem;
  reduction->frame_count = problem->group_count;
  if (!build(reduction)) {
    st_reduction_destroy(reduction);
    return st_fail_memory(error);
  }
  *result = reduction;
  return ST_OK;
}

static bool is_held(const StProblem *problem, const int *row) {
  bool held = false;
  for (int k = 0; k < SIZE; k++)
    held = held || problem->scale[3 * row[k / 3] + k % 3] == 0;
  return held;
}

static void find_centre(const StProblem *problem, const int *row, double centre[3]) {
  vec3_set(0, 0, 0, centre);
  for (int k = 0; k < ROWS; k++)
    vec3_add_scaled(1.0 / ROWS, problem->position + 3 * (size_t)row[k], centre);
}

// Velocities of the six rigid motions as unknowns, column by column. What is held does not move.
static void find_motions(const StProblem *problem, const int *row, double motion[MOTIONS][SIZE]) {
  double centre[3];
  find_centre(problem, row, centre);
  memset(motion, 0, MOTIONS * SIZE * sizeof(double));
  for (int k = 0; k < SIZE; k++) {
    int axis = k % 3, next = (axis + 1) % 3, last = (axis + 2) % 3;
    const double *x = problem->position + 3 * (size_t)row[k / 3];
    double scale = problem->scale[3 * row[k / 3] + axis];
    if (scale == 0)
      continue;
    motion[axis][k] = 1 / scale;
    motion[3 + next][k] = (x[last] - centre[last]) / scale; // ω × x
    motion[3 + last][k] = -(x[next] - centre[next]) / scale;
  }
}

static void reflect(const double *v, int first, double *x) {
  double along = 0;
  for (int i = first; i < SIZE; i++)
    along += v[i] * x[i];
  for (int i = first; i < SIZE; i++)
    x[i] -= 2 * along * v[i];
}

static double dot(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < SIZE; i++)
    sum += a[i] * b[i];
  return sum;
}

static void put_column(const double *from, double factor, int column, Frame *frame) {
  for (int i = 0; i < SIZE; i++)
    frame->basis[i][column] = factor * from[i];
}

// By Gram and Schmidt. All that four corners can do beside moving as a whole is to be strained
// evenly: x → x + εx, with a symmetric ε.
static void find_basis(const StProblem *problem, const int *row, double motion[MOTIONS][SIZE],
                       Frame *frame) {
  for (int m = 0; m < MOTIONS; m++) {
    for (int k = 0; k < m; k++) {
      double along = dot(motion[k], motion[m]);
      for (int i = 0; i < SIZE; i++)
        motion[m][i] -= along * motion[k][i];
    }
    double length = sqrt(dot(motion[m], motion[m]));
    for (int i = 0; i < SIZE; i++)
      motion[m][i] /= length;
    put_column(motion[m], 1, m, frame);
  }
  double centre[3];
  find_centre(problem, row, centre);
  for (int s = 0; s < STRAINS; s++) {
    int a = s % 3, b = s < 3 ? a : (s + 1) % 3;
    double strain[SIZE] = {0};
    for (int k = 0; k < ROWS; k++) {
      const double *x = problem->position + 3 * (size_t)row[k];
      strain[3 * k + a] += (x[b] - centre[b]) / problem->scale[3 * row[k] + a];
      if (a != b)
        strain[3 * k + b] += (x[a] - centre[a]) / problem->scale[3 * row[k] + b];
    }
    put_column(strain, 1 / sqrt(dot(strain, strain)), MOTIONS + s, frame);
  }
}

// Householder, where coordinates are held: what is left of each motion, perhaps nothing, is
// mirrored onto an axis. S is orthonormal, too.
static void find_held_basis(double motion[MOTIONS][SIZE], Frame *frame) {
  double mirror[MOTIONS][SIZE] = {{0}};
  for (int m = 0; m < MOTIONS; m++) {
    double *x = motion[m], length = 0, *v = mirror[m], size = 0;
    for (int k = 0; k < m; k++)
      reflect(mirror[k], k, x);
    for (int i = m; i < SIZE; i++)
      length += x[i] * x[i];
    length = sqrt(length);
    memcpy(v + m, x + m, (size_t)(SIZE - m) * sizeof(double));
    v[m] += x[m] < 0 ? -length : length;
    for (int i = m; i < SIZE; i++)
      size += v[i] * v[i];
    for (int i = m; i < SIZE && size > 0; i++)
      v[i] /= sqrt(size);
  }
  for (int c = 0; c < SIZE; c++) {
    double x[SIZE] = {0};
    x[c] = 1;
    for (int k = MOTIONS; k-- > 0;)
      reflect(mirror[k], k, x);
    put_column(x, 1, c, frame);
  }
}

// Gauss and Jordan, in place. Nearly diagonal: strains in other directions have nothing to do with
// each other but for what touches the body. false: singular.
static inline bool invert(double A[STRAINS][STRAINS], double *inverse) {
  for (int c = 0; c < STRAINS; c++) {
    if (!(fabs(A[c][c]) > 0))
      return false;
    double by = 1 / A[c][c];
    A[c][c] = 1;
    for (int j = 0; j < STRAINS; j++)
      A[c][j] *= by;
    for (int i = 0; i < STRAINS; i++) {
      double factor = A[i][c];
      if (i == c)
        continue;
      A[i][c] = 0;
      for (int j = 0; j < STRAINS; j++)
        A[i][j] -= factor * A[c][j];
    }
  }
  memcpy(inverse, A, STRAINS * STRAINS * sizeof(double));
  return true;
}

// The frame's own part of A.
static inline void gather_own(const StReduction *reduction, int unit, double own[SIZE][SIZE]) {
  const StBlockMatrix *matrix = reduction->problem->matrix;
  memset(own, 0, SIZE * SIZE * sizeof(double));
  for (int k = 0; k < ROWS; k++) {
    int row = unit_row(reduction, unit, k);
    for (int b = matrix->row_start[row]; b < matrix->row_start[row + 1]; b++) {
      const double *block = matrix->value + 9 * (size_t)b;
      int column = matrix->column[b];
      if (reduction->place[b] < 0 || reduction->unit[column] != unit)
        continue;
      for (int i = 0; i < 9; i++)
        own[3 * k + i / 3][3 * reduction->seat[column] + i % 3] = block[i];
    }
  }
}

// RᵀAR and SᵀAS; what is between them in [R S]ᵀA[R S] is not needed.
static inline void resist(const StReduction *reduction, int unit, Frame *frame) {
  double own[SIZE][SIZE], product[SIZE][SIZE] = {{0}};
  double motion[MOTIONS][MOTIONS] = {{0}}, strain[STRAINS][STRAINS] = {{0}};
  gather_own(reduction, unit, own);
  for (int r = 0; r < SIZE; r++)
    for (int c = 0; c < SIZE; c++)
      for (int j = 0; j < SIZE; j++)
        product[r][j] += own[r][c] * frame->basis[c][j];
  for (int r = 0; r < SIZE; r++)
    for (int i = 0; i < MOTIONS; i++)
      for (int j = 0; j < MOTIONS; j++) {
        motion[i][j] += frame->basis[r][i] * product[r][j];
        strain[i][j] += frame->basis[r][MOTIONS + i] * product[r][MOTIONS + j];
      }
  memcpy(frame->own, motion, sizeof frame->own);
  frame->firm = invert(strain, frame->inverse);
}

// Of a frame, all four rows.
static void note_zero(StReduction *reduction, const bool *zero) {
  reduction->partial = zero != NULL;
  for (int unit = 0; unit < reduction->unit_count; unit++) {
    bool all = zero;
    for (int seat = 0; seat < unit_rows(reduction, unit) && all; seat++)
      all = zero[unit_row(reduction, unit, seat)];
    for (int node = reduction->node[unit]; node < reduction->node[unit + 1]; node++)
      reduction->zero[node] = all;
  }
}

static bool is_zero(const StReduction *reduction, int unit) {
  return reduction->zero[reduction->node[unit]];
}

static ST_HOT void prepare_frames(void *context, int begin, int end) {
  StReduction *reduction = context;
  const StProblem *problem = reduction->problem;
  for (int unit = begin; unit < end; unit++) {
    int index = reduction->frame_of[unit];
    double motion[MOTIONS][SIZE];
    if (index < 0 || is_zero(reduction, unit))
      continue;
    const int *row = problem->group + ROWS * index;
    find_motions(problem, row, motion);
    if (is_held(problem, row))
      find_held_basis(motion, &reduction->frame[index]);
    else
      find_basis(problem, row, motion, &reduction->frame[index]);
    resist(reduction, unit, &reduction->frame[index]);
  }
}

// Rows of AR: [list][rows of the unit × 3][MOTIONS], of which single columns use three.
static inline void fill_half(const StReduction *reduction, int unit, double *half) {
  const StBlockMatrix *matrix = reduction->problem->matrix;
  const int *list = reduction->list + reduction->list_start[unit];
  int count = reduction->list_start[unit + 1] - reduction->list_start[unit];
  memset(half, 0, (size_t)count * SIZE * MOTIONS * sizeof(double));
  for (int seat = 0; seat < unit_rows(reduction, unit); seat++) {
    int row = unit_row(reduction, unit, seat);
    for (int b = matrix->row_start[row]; b < matrix->row_start[row + 1]; b++) {
      const double *block = matrix->value + 9 * (size_t)b;
      int place = reduction->place[b], column = matrix->column[b];
      if (place < 0 || (reduction->frame_of[unit] >= 0 && list[place] == unit))
        continue; // no row, or known already
      double *to = half + ((size_t)place * SIZE + 3 * (size_t)seat) * MOTIONS;
      int frame = reduction->frame_of[list[place]];
      for (int i = 0; i < 3; i++, to += MOTIONS)
        for (int c = 0; c < 3; c++)
          if (frame < 0) {
            to[c] = block[3 * i + c];
          } else {
            const double *motion = reduction->frame[frame].basis[3 * reduction->seat[column] + c];
            for (int j = 0; j < MOTIONS; j++)
              to[j] += block[3 * i + c] * motion[j];
          }
    }
  }
}

// Rᵀ times a row of AR, into the blocks of the reduced matrix.
static inline void fill_blocks(const StReduction *reduction, int unit, const double *half) {
  StBlockMatrix *reduced = reduction->reduced;
  const int *list = reduction->list + reduction->list_start[unit];
  int count = reduction->list_start[unit + 1] - reduction->list_start[unit];
  int index = reduction->frame_of[unit], nodes = unit_nodes(reduction, unit), used = 0;
  for (int p = 0; p < count; p++, half += SIZE * MOTIONS) {
    double whole[MOTIONS * MOTIONS] = {0};
    bool own = index >= 0 && list[p] == unit;
    for (int r = 0; r < SIZE && index >= 0 && !own; r++)
      for (int i = 0; i < MOTIONS; i++)
        for (int j = 0; j < MOTIONS; j++)
          whole[MOTIONS * i + j] += reduction->frame[index].basis[r][i] * half[MOTIONS * r + j];
    const double *from = own ? reduction->frame[index].own : index >= 0 ? whole : half;
    int width = unit_nodes(reduction, list[p]);
    for (int i = 0; i < 3 * nodes; i++)
      for (int j = 0; j < 3 * width; j++) {
        int slot = reduced->row_start[reduction->node[unit] + i / 3] + used + j / 3;
        reduced->value[9 * (size_t)slot + (size_t)(3 * (i % 3) + j % 3)] = from[MOTIONS * i + j];
      }
    used += width;
  }
}

static ST_HOT void fill_units(void *context, int part, int worker) {
  StReduction *reduction = context;
  StSpan units = st_span_part(reduction->unit_count, UNITS_AT_ONCE, part);
  double *half = reduction->half + (size_t)worker * (size_t)reduction->longest * SIZE * MOTIONS;
  for (int unit = units.begin; unit < units.end; unit++) {
    if (is_zero(reduction, unit))
      continue;
    fill_half(reduction, unit, half);
    fill_blocks(reduction, unit, half);
  }
}

StStatus st_reduction_fill(StReduction *reduction, const bool *zero, StError *error) {
  StCrew *crew = reduction->reduced->crew;
  ST_CHECK(!reduction->problem->matrix->rounded, error);
  note_zero(reduction, zero);
  st_crew_sweep(crew, 0, reduction->unit_count, UNITS_AT_ONCE, prepare_frames, reduction);
  st_crew_do(crew, st_span_count(reduction->unit_count, UNITS_AT_ONCE), fill_units, reduction);
  for (int unit = 0; unit < reduction->unit_count; unit++)
    if (reduction->frame_of[unit] >= 0 && !is_zero(reduction, unit) &&
        !reduction->frame[reduction->frame_of[unit]].firm)
      return st_fail(error, ST_NOT_SOLVED, "a rigid body does not resist strain");
  return ST_OK;
}

// Twelve numbers of a frame.
static void gather(const int *row, const double *from, double to[SIZE]) {
  for (int k = 0; k < ROWS; k++)
    vec3_copy(from + 3 * (size_t)row[k], to + 3 * k);
}

// One pass over units or frames of a solve, which threads share.
typedef struct Pass {
  StReduction *reduction;
  const double *from;
  double *to;
} Pass;

static void load_units(void *context, int begin, int end) {
  const Pass *pass = context;
  const StReduction *reduction = pass->reduction;
  for (int unit = begin; unit < end; unit++) {
    double *load = pass->to + 3 * (size_t)reduction->node[unit], whole[SIZE];
    int index = reduction->frame_of[unit];
    if (index < 0) {
      vec3_copy(pass->from + 3 * (size_t)reduction->row[unit], load);
      continue;
    }
    gather(reduction->problem->group + ROWS * index, pass->from, whole);
    memset(load, 0, MOTIONS * sizeof(double));
    for (int r = 0; r < SIZE; r++)
      for (int i = 0; i < MOTIONS; i++)
        load[i] += reduction->frame[index].basis[r][i] * whole[r];
  }
}

const double *st_reduction_load(StReduction *reduction, const double *b) {
  memcpy(reduction->asked, b, 3 * (size_t)reduction->problem->matrix->row_count * sizeof(double));
  st_crew_sweep(reduction->reduced->crew, 0, reduction->unit_count, UNITS_AT_ONCE, load_units,
                &(Pass){reduction, b, reduction->load});
  return reduction->load;
}

double *st_reduction_motion(StReduction *reduction) {
  return reduction->motion;
}

static void move_units(void *context, int begin, int end) {
  const Pass *pass = context;
  const StReduction *reduction = pass->reduction;
  for (int unit = begin; unit < end; unit++) {
    const double *motion = pass->from + 3 * (size_t)reduction->node[unit];
    int index = reduction->frame_of[unit];
    if (index < 0) {
      vec3_copy(motion, pass->to + 3 * (size_t)reduction->row[unit]);
      continue;
    }
    for (int r = 0; r < SIZE; r++) {
      double sum = 0;
      for (int i = 0; i < MOTIONS; i++)
        sum += reduction->frame[index].basis[r][i] * motion[i];
      pass->to[3 * reduction->problem->group[ROWS * index + r / 3] + r % 3] = sum;
    }
  }
}

static void add_strain(const Frame *frame, const int *row, const double *left, double *x) {
  double whole[SIZE], asked[STRAINS] = {0}, strain[STRAINS] = {0};
  gather(row, left, whole);
  for (int r = 0; r < SIZE; r++)
    for (int i = 0; i < STRAINS; i++)
      asked[i] += frame->basis[r][MOTIONS + i] * whole[r];
  for (int i = 0; i < STRAINS; i++)
    for (int j = 0; j < STRAINS; j++)
      strain[i] += frame->inverse[STRAINS * i + j] * asked[j];
  for (int r = 0; r < SIZE; r++)
    for (int i = 0; i < STRAINS; i++)
      x[3 * row[r / 3] + r % 3] += frame->basis[r][MOTIONS + i] * strain[i];
}

static void add_strains(void *context, int begin, int end) {
  const Pass *pass = context;
  for (int f = begin; f < end; f++)
    add_strain(&pass->reduction->frame[f], pass->reduction->problem->group + ROWS * f, pass->from,
               pass->to);
}

void st_reduction_expand(StReduction *reduction, const double *b, double *x) {
  const StProblem *problem = reduction->problem;
  StCrew *crew = reduction->reduced->crew;
  int size = 3 * problem->matrix->row_count;
  const double *asked = b == x ? reduction->asked : b;
  st_crew_sweep(crew, 0, reduction->unit_count, UNITS_AT_ONCE, move_units,
                &(Pass){reduction, reduction->motion, x});
  st_block_matrix_multiply(problem->matrix, x, reduction->left);
  for (int i = 0; i < size; i++)
    reduction->left[i] = asked[i] - reduction->left[i];
  st_crew_sweep(crew, 0, reduction->frame_count, UNITS_AT_ONCE, add_strains,
                &(Pass){reduction, reduction->left, x});
}
