// The modes are translations, and rotations about the centre of the weights 1/scale².
#include "solve/rigid_modes.h"

#include "math/hot.h"
#include "math/vec3.h"

enum { ROWS = ST_GROUP_ROWS, GROUPS_AT_ONCE = 128 };

typedef struct Projection {
  const StProblem *problem;
  const double *position;
  double *r;
} Projection;

// Weights of a group's rows and where they are from their centre; false: a coordinate is fixed.
static bool find_arms(const StProblem *problem, const double *position, const int *row,
                      double weight[ROWS], double arm[ROWS][3], double *total) {
  double centre[3] = {0};
  *total = 0;
  for (int k = 0; k < ROWS; k++) {
    const double *scale = problem->scale + 3 * (size_t)row[k];
    if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0)
      return false;
    weight[k] = 1 / (scale[0] * scale[0]);
    vec3_add_scaled(weight[k], position + 3 * (size_t)row[k], centre);
    *total += weight[k];
  }
  for (int k = 0; k < ROWS; k++) {
    vec3_copy(position + 3 * (size_t)row[k], arm[k]);
    vec3_add_scaled(-1 / *total, centre, arm[k]);
  }
  return true;
}

static void project(const StProblem *problem, const double *position, const int *row, double *r) {
  double weight[ROWS], arm[ROWS][3], total, inertia[9] = {0}, inverse[9];
  double linear[3] = {0}, angular[3] = {0}, spin[3];
  if (!find_arms(problem, position, row, weight, arm, &total))
    return;
  for (int k = 0; k < ROWS; k++) {
    double moment[3], square = vec3_dot(arm[k], arm[k]), root = sqrt(weight[k]);
    vec3_add_scaled(root, r + 3 * (size_t)row[k], linear);
    vec3_cross(arm[k], r + 3 * (size_t)row[k], moment);
    vec3_add_scaled(root, moment, angular);
    for (int i = 0; i < 9; i++)
      inertia[i] += weight[k] * ((i % 4 == 0 ? square : 0) - arm[k][i / 3] * arm[k][i % 3]);
  }
  if (!(mat3_determinant(inertia) > 0))
    return;
  mat3_inverse(inertia, inverse);
  mat3_apply(inverse, angular, spin);
  for (int k = 0; k < ROWS; k++) {
    double *to = r + 3 * (size_t)row[k], root = sqrt(weight[k]);
    vec3_cross(spin, arm[k], to);
    vec3_add_scaled(1 / total, linear, to);
    for (int c = 0; c < 3; c++)
      to[c] *= root;
  }
}

static ST_HOT void project_groups(void *context, int begin, int end) {
  const Projection *projection = context;
  for (int f = begin; f < end; f++)
    project(projection->problem, projection->position, projection->problem->group + ROWS * f,
            projection->r);
}

void st_rigid_modes_project(const StProblem *problem, const double *position, double *r) {
  st_crew_sweep(problem->matrix->crew, 0, problem->group_count, GROUPS_AT_ONCE, project_groups,
                &(Projection){problem, position, r});
}
