// What moves a frame is what its rigid body would feel: a force and a torque about its centre.
#include "solve/frame.h"

#include "math/hot.h"
#include "math/vec3.h"

enum { ROWS = ST_FRAME_ROWS, FRAMES_AT_ONCE = 128 };

typedef struct Parting {
  const StProblem *problem;
  const double *position;
  double *r;
} Parting;

// Masses of a frame's rows and where they are from their centre; false: something is held.
static bool find_arms(const StProblem *problem, const double *position, const int *row,
                      double mass[ROWS], double arm[ROWS][3], double *total) {
  double centre[3] = {0};
  *total = 0;
  for (int k = 0; k < ROWS; k++) {
    const double *scale = problem->scale + 3 * (size_t)row[k];
    if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0)
      return false;
    mass[k] = 1 / (scale[0] * scale[0]);
    vec3_add_scaled(mass[k], position + 3 * (size_t)row[k], centre);
    *total += mass[k];
  }
  for (int k = 0; k < ROWS; k++) {
    vec3_copy(position + 3 * (size_t)row[k], arm[k]);
    vec3_add_scaled(-1 / *total, centre, arm[k]);
  }
  return true;
}

static void take_strain(const StProblem *problem, const double *position, const int *row,
                        double *r) {
  double mass[ROWS], arm[ROWS][3], total, inertia[9] = {0}, inverse[9];
  double force[3] = {0}, torque[3] = {0}, spin[3];
  if (!find_arms(problem, position, row, mass, arm, &total))
    return;
  for (int k = 0; k < ROWS; k++) {
    double turning[3], square = vec3_dot(arm[k], arm[k]), root = sqrt(mass[k]);
    vec3_add_scaled(root, r + 3 * (size_t)row[k], force);
    vec3_cross(arm[k], r + 3 * (size_t)row[k], turning);
    vec3_add_scaled(root, turning, torque);
    for (int i = 0; i < 9; i++)
      inertia[i] += mass[k] * ((i % 4 == 0 ? square : 0) - arm[k][i / 3] * arm[k][i % 3]);
  }
  if (!(mat3_determinant(inertia) > 0))
    return;
  mat3_inverse(inertia, inverse);
  mat3_apply(inverse, torque, spin);
  for (int k = 0; k < ROWS; k++) {
    double *to = r + 3 * (size_t)row[k], root = sqrt(mass[k]);
    vec3_cross(spin, arm[k], to);
    vec3_add_scaled(1 / total, force, to);
    for (int c = 0; c < 3; c++)
      to[c] *= root;
  }
}

static ST_HOT void take_strains(void *context, int begin, int end) {
  const Parting *parting = context;
  for (int f = begin; f < end; f++)
    take_strain(parting->problem, parting->position, parting->problem->frame + ROWS * f,
                parting->r);
}

void st_frames_take_strain(const StProblem *problem, const double *position, double *r) {
  st_crew_sweep(problem->matrix->crew, 0, problem->frame_count, FRAMES_AT_ONCE, take_strains,
                &(Parting){problem, position, r});
}
