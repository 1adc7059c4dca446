// Displacements over place and time as rigid motions: a translation, where they do not depend on
// the place; otherwise positions of five points tell the rotation at every step, if it is one about
// an axis that keeps its direction. Tested by tests/app/import_polyfem.sh.
#include "import/polyfem_parts.h"

#include "base/expression.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { POINTS = 5, SAMPLES = 2000 };
static const double tolerance = 1e-6;

// The origin, a point on each axis, and one that shows whether the motion is affine.
static const double POINT[POINTS][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

typedef struct Sample {
  double time, matrix[9], shift[3]; // x becomes matrix x + shift
  double angle, translate[3];
} Sample;

typedef struct Turn {
  double axis[3], centre[3];
} Turn;

static bool parse_component(const StJson *value, const double place[3], StExpression **result) {
  ST_FINALLY(st_text_free) StText text = {0};
  if (value->kind == ST_JSON_NUMBER)
    st_text_add(&text, "%.17g", value->number);
  else if (value->kind != ST_JSON_STRING || !st_polyfem_formula(value->text, place, &text))
    return false;
  return !text.failed && text.data &&
         st_expression_parse(text.data, (StDimension){0}, result, NULL) == ST_OK;
}

// Displacement of a point at some times, [count][3].
static bool follow(const StJson *value, const double place[3], const Sample *sample, int count,
                   double *shift) {
  int k = 0;
  for (const StJson *component = value->child; component; component = component->next, k++) {
    StExpression *expression = NULL;
    if (!parse_component(component, place, &expression))
      return false;
    for (int i = 0; i < count; i++)
      shift[3 * i + k] = st_expression_at(expression, sample[i].time, NULL);
    st_expression_destroy(expression);
  }
  return true;
}

static bool is_rigid(const double m[9]) {
  for (int a = 0; a < 3; a++)
    for (int b = 0; b <= a; b++) {
      double product = m[a] * m[b] + m[3 + a] * m[3 + b] + m[6 + a] * m[6 + b];
      if (!(fabs(product - (a == b)) < tolerance))
        return false;
    }
  return mat3_determinant(m) > 0;
}

// moved: displacements of the points, [POINTS][count][3]. false: the motion is not rigid.
static bool read_samples(const double *moved, double scale, int count, Sample *sample) {
  for (int i = 0; i < count; i++) {
    const double *at[POINTS];
    for (int p = 0; p < POINTS; p++)
      at[p] = moved + 3 * ((size_t)p * (size_t)count + (size_t)i);
    for (int k = 0; k < 3; k++) {
      sample[i].shift[k] = at[0][k];
      for (int j = 0; j < 3; j++)
        sample[i].matrix[3 * k + j] = (j == k) + (at[1 + j][k] - at[0][k]) / scale;
      double affine = at[1][k] + at[2][k] + at[3][k] - 2 * at[0][k];
      if (!(fabs(at[4][k] - affine) < tolerance * scale))
        return false;
    }
    if (!is_rigid(sample[i].matrix))
      return false;
  }
  return true;
}

// The axis from the sample that has turned most nearly by a right angle.
static bool find_axis(const Sample *sample, int count, double axis[3]) {
  double largest = 0;
  for (int i = 0; i < count; i++) {
    const double *m = sample[i].matrix;
    const double sine[3] = {(m[7] - m[5]) / 2, (m[2] - m[6]) / 2, (m[3] - m[1]) / 2};
    if (vec3_length(sine) <= largest)
      continue;
    largest = vec3_length(sine);
    for (int k = 0; k < 3; k++)
      axis[k] = sine[k] / largest;
  }
  return largest > tolerance;
}

// Angles without jumps; false: the axis does not keep its direction.
static bool find_angles(const double axis[3], int count, Sample *sample) {
  double before = 0;
  for (int i = 0; i < count; i++) {
    const double *m = sample[i].matrix;
    const double sine[3] = {(m[7] - m[5]) / 2, (m[2] - m[6]) / 2, (m[3] - m[1]) / 2};
    double angle = atan2(vec3_dot(sine, axis), (m[0] + m[4] + m[8] - 1) / 2), turned[9];
    mat3_rotation(axis, angle, turned);
    for (int j = 0; j < 9; j++)
      if (!(fabs(turned[j] - m[j]) < tolerance))
        return false;
    before = sample[i].angle = angle + 2 * M_PI * round((before - angle) / (2 * M_PI));
  }
  return true;
}

// A point that only moves along the axis in the sample that has turned most nearly by half a turn.
static void find_centre(const Sample *sample, int count, Turn *turn) {
  const Sample *best = &sample[0];
  double across[3], side[3];
  for (int i = 1; i < count; i++)
    if (cos(sample[i].angle) < cos(best->angle))
      best = &sample[i];
  double along = vec3_dot(best->shift, turn->axis);
  for (int k = 0; k < 3; k++)
    across[k] = best->shift[k] - along * turn->axis[k];
  vec3_cross(turn->axis, across, side);
  for (int k = 0; k < 3; k++)
    turn->centre[k] = 0.5 * (across[k] + side[k] / tan(best->angle / 2));
}

// Translations that remain beside the rotation about the centre.
static void find_translations(const Turn *turn, int count, Sample *sample) {
  for (int i = 0; i < count; i++) {
    double turned[3];
    mat3_apply(sample[i].matrix, turn->centre, turned);
    for (int k = 0; k < 3; k++)
      sample[i].translate[k] = sample[i].shift[k] - turn->centre[k] + turned[k];
  }
}

static bool is_steady_spin(const Sample *sample, int count, double scale) {
  double rate = sample[count - 1].angle / sample[count - 1].time;
  for (int i = 0; i < count; i++)
    if (fabs(sample[i].angle - rate * sample[i].time) > tolerance ||
        vec3_length(sample[i].translate) > tolerance * scale)
      return false;
  return true;
}

static void write_turn(const Turn *turn, const Sample *sample, int count, double scale,
                       StJsonOut *out) {
  StJsonOut motion = st_json_line(out, "motion", '{');
  st_import_write_vector(&motion, "axis", turn->axis);
  st_import_write_vector(&motion, "centre", turn->centre);
  if (is_steady_spin(sample, count, scale)) {
    st_json_number(&motion, "spin", sample[count - 1].angle / sample[count - 1].time);
    st_json_end(&motion);
    return;
  }
  StJsonOut keys = st_json_line(&motion, "keys", '[');
  for (int i = 0; i < count; i++) {
    StJsonOut key = st_json_line(&keys, NULL, '{');
    st_json_number(&key, "time", sample[i].time);
    st_json_number(&key, "angle", sample[i].angle);
    if (vec3_length(sample[i].translate) > tolerance * scale)
      st_import_write_vector(&key, "translate", sample[i].translate);
    st_json_end(&key);
  }
  st_json_end(&keys);
  st_json_end(&motion);
}

static StStatus write_rotation(const StPolyfem *polyfem, const StJson *value, double scale,
                               StJsonOut *out, bool *written, StError *error) {
  double steps = ceil(polyfem->duration / polyfem->step);
  int count = 1 + (int)fmin(fmax(steps, 1), SAMPLES);
  ST_FREE Sample *sample = ST_NEW(Sample, count);
  ST_FREE double *moved = ST_NEW(double, (size_t)(3 * POINTS) * (size_t)count);
  Turn turn = {0};
  bool good = true;
  ST_TRY_MEMORY(sample && moved, error);
  for (int i = 0; i < count; i++)
    sample[i].time = polyfem->duration * i / (count - 1);
  for (int p = 0; p < POINTS && good; p++) {
    const double place[3] = {scale * POINT[p][0], scale * POINT[p][1], scale * POINT[p][2]};
    good = follow(value, place, sample, count, moved + 3 * (size_t)p * (size_t)count);
  }
  if (!good || !read_samples(moved, scale, count, sample) || !find_axis(sample, count, turn.axis) ||
      !find_angles(turn.axis, count, sample))
    return ST_OK;
  find_centre(sample, count, &turn);
  find_translations(&turn, count, sample);
  write_turn(&turn, sample, count, scale, out);
  *written = true;
  return ST_OK;
}

// A constant displacement is reached within the first step, or along the whole path of loads.
static void write_jump(const StPolyfem *polyfem, StJsonOut *out, double value) {
  StJsonOut keys = st_json_line(out, NULL, '[');
  for (int i = 0; i < 2; i++) {
    StJsonOut key = st_json_line(&keys, NULL, '{');
    st_json_number(&key, "time", i * (polyfem->still ? polyfem->duration : polyfem->step));
    st_json_number(&key, "value", i * value);
    st_json_end(&key);
  }
  st_json_end(&keys);
}

static bool write_translation(const StPolyfem *polyfem, const StJson *value, StJsonOut *out) {
  ST_FINALLY(st_polyfem_formulas_free) StPolyfemFormulas formula = {0};
  double still[3];
  int k = 0;
  if (!st_polyfem_formulas(value, &formula))
    return false;
  if (st_polyfem_vector(value, still) && vec3_length(still) == 0)
    return true;
  StJsonOut motion = st_json_line(out, "motion", '{');
  StJsonOut list = st_json_line(&motion, "translate", '[');
  for (const StJson *one = value->child; one; one = one->next, k++) {
    double number = st_polyfem_number(one);
    if (isnan(number))
      st_json_string(&list, NULL, formula.component[k].data);
    else if (number == 0)
      st_json_number(&list, NULL, 0);
    else
      write_jump(polyfem, &list, number);
  }
  st_json_end(&list);
  st_json_end(&motion);
  return true;
}

StStatus st_polyfem_write_motion(const StPolyfem *polyfem, const StJson *value, double scale,
                                 StJsonOut *out, bool *written, StError *error) {
  *written = false;
  bool places = false;
  if (!value || value->kind != ST_JSON_LIST || value->child_count != 3)
    return ST_OK;
  for (const StJson *one = value->child; one; one = one->next) {
    if (one->kind != ST_JSON_STRING && one->kind != ST_JSON_NUMBER)
      return ST_OK;
    places = places || (one->kind == ST_JSON_STRING && st_polyfem_depends_on_place(one->text));
  }
  if (places)
    return write_rotation(polyfem, value, scale, out, written, error);
  *written = write_translation(polyfem, value, out);
  return ST_OK;
}
