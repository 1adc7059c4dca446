// Free rotation over a step, and the angular momentum after it.
// Tested by tests/verify/test_turning_truth.c.
#include "step/turning.h"

#include "base/memory.h"
#include "math/inertia.h"
#include "math/vec3.h"
#include "step/rigid_frame.h"

#include <float.h>
#include <math.h>

// An iteration leaves about the square of the angle, so that few are needed up to a radian.
enum { ITERATIONS = 50 };

StStatus st_turning_create(const StStageProblem *stage, StTurning **result, StError *error) {
  StTurning *turning = ST_OWNER(StTurning);
  ST_TRY_MEMORY(turning, error);
  turning->count = stage->frame_count;
  turning->turned = ST_OWN(turning, bool, stage->frame_count);
  return st_owner_give(turning, result, error);
}

void st_turning_destroy(StTurning *turning) {
  st_owner_free(turning);
}

// Adds R x − x for the rotation R by a vector: exact for small angles, too.
static void add_turn(const double by[3], const double x[3], double out[3]) {
  double angle = vec3_length(by), across[3], back[3];
  double half = angle > 0 ? 2 * sin(angle / 2) / angle : 1;
  vec3_cross(by, x, across);
  vec3_cross(by, across, back);
  vec3_add_scaled(angle > 0 ? sin(angle) / angle : 1, across, out);
  vec3_add_scaled(0.5 * half * half, back, out);
}

// The mean of L and L₂ = R⁻¹ L, with the rotation R by hω: of the angular momentum as seen from the
// body before and after the step.
static void find_mean_momentum(const double momentum[3], const double spin[3], double h,
                               double mean[3]) {
  double back[3], change[3] = {0};
  for (int c = 0; c < 3; c++)
    back[c] = -h * spin[c];
  add_turn(back, momentum, change);
  vec3_copy(momentum, mean);
  vec3_add_scaled(0.5, change, mean);
}

// A Newton step for the mean angular velocity ω: I ω = (L + L₂)/2, with the slope I − h/2 [mean]×
// to lowest order. Since L₂ − L is across ω, the energy ½ L·I⁻¹L is then the same at both ends.
// Returns the change.
static double improve_spin(const StRigidFrame *frame, const double momentum[3], double h,
                           double spin[3]) {
  double mean[3], off[3], slope[9], inverse[9] = {0}, more[3];
  find_mean_momentum(momentum, spin, h, mean);
  const double twist[9] = {0, -mean[2], mean[1], mean[2], 0, -mean[0], -mean[1], mean[0], 0};
  for (int k = 0; k < 9; k++)
    slope[k] = frame->inertia[k] - 0.5 * h * twist[k];
  mat3_apply(frame->inertia, spin, more);
  vec3_sub(mean, more, off);
  mat3_inverse(slope, inverse);
  mat3_apply(inverse, off, more);
  vec3_add_scaled(1, more, spin);
  return vec3_length(more);
}

// The rotation vector over the step; false: it cannot be said, or is more than half a turn.
static bool find_turn(const StRigidFrame *frame, const double momentum[3], double h,
                      double turn[3]) {
  double spin[3], change = INFINITY;
  if (!inertia_spin(frame->inertia, momentum, spin))
    return false;
  double enough = 4 * DBL_EPSILON * vec3_length(spin);
  for (int i = 0; i < ITERATIONS && change > enough; i++)
    change = improve_spin(frame, momentum, h, spin);
  for (int c = 0; c < 3; c++)
    turn[c] = h * spin[c];
  return change <= enough && vec3_length(turn) < M_PI;
}

// The angular momenta of the last two steps, with which the method begins this one.
typedef struct Momenta {
  StRigidFrame now, before;
  double of_now[3], of_before[3];
} Momenta;

static Momenta find_momenta(const StStageProblem *stage, int index, const StTurningStep *step) {
  const StState *state = step->state;
  Momenta momenta = {.now = st_rigid_frame_at(stage, index, state->position)};
  st_rigid_frame_moment(&momenta.now, 1, state->velocity, momenta.of_now);
  if (step->row->before == 0)
    return momenta;
  momenta.before = st_rigid_frame_at(stage, index, state->position_before);
  st_rigid_frame_moment(&momenta.before, 1, state->velocity_before, momenta.of_before);
  return momenta;
}

// The rotation vector by which the last step turned the body more than it would have turned freely.
static bool find_forced_turn(const Momenta *momenta, double h_before, double forced[3]) {
  double turn[3], inverse[9] = {0}, moment[3] = {0};
  if (!find_turn(&momenta->before, momenta->of_before, h_before, turn))
    return false;
  for (int i = 0; i < ST_CARRIERS; i++) {
    double free[3], cross[3];
    vec3_copy(momenta->before.arm[i], free);
    add_turn(turn, momenta->before.arm[i], free);
    vec3_cross(free, momenta->now.arm[i], cross);
    vec3_add_scaled(momenta->now.mass[i], cross, moment);
  }
  mat3_inverse(momenta->now.inertia, inverse);
  mat3_apply(inverse, moment, forced);
  return true;
}

// The method's own prediction for an angle about a fixed axis, with the angle of the last step
// split into that of the free rotation and the rest. For other rotations the free one is exact,
// too.
static bool find_predicted_turn(const Momenta *momenta, const StTurningStep *step, double turn[3]) {
  double b = -step->row->before, momentum[3], forced[3];
  vec3_copy(momenta->of_now, momentum);
  if (b == 0)
    return find_turn(&momenta->now, momentum, step->h, turn);
  double share = b * (step->state->h_before / step->h - step->row->shift);
  vec3_add_scaled(-share, momenta->of_now, momentum);
  vec3_add_scaled(share, momenta->of_before, momentum);
  if (!find_turn(&momenta->now, momentum, step->h, turn) ||
      !find_forced_turn(momenta, step->state->h_before, forced))
    return false;
  vec3_add_scaled(b, forced, turn);
  return vec3_length(turn) < M_PI;
}

void st_turning_predict(StTurning *turning, StStageProblem *stage, const StTurningStep *step,
                        const double *held) {
  double ah = step->row->shift * step->h;
  for (int f = 0; f < turning->count; f++) {
    Momenta momenta = find_momenta(stage, f, step);
    const StRigidFrame *frame = &momenta.now;
    double start[3], mean[3], turn[3];
    turning->turned[f] =
        !st_rigid_frame_is_held(frame, held) && find_predicted_turn(&momenta, step, turn);
    if (!turning->turned[f])
      continue;
    st_rigid_frame_mean(frame, stage->start, start);
    st_rigid_frame_mean(frame, stage->goal, mean);
    for (int i = 0; i < ST_CARRIERS; i++) {
      double from[3], way[3], *to = stage->goal + 3 * (size_t)frame->carrier[i];
      vec3_sub(stage->start + 3 * (size_t)frame->carrier[i], start, from);
      vec3_sub(frame->arm[i], from, way);
      add_turn(turn, frame->arm[i], way);
      vec3_copy(mean, to);
      vec3_add_scaled(1 / ah, way, to);
    }
  }
}

// Velocities of a body after the impulses of the step: those solved for, without the residual that
// the solver left.
static void find_pushed(const StStageProblem *stage, const StRigidFrame *frame,
                        const double *velocity, const double *residual,
                        double pushed[ST_CARRIERS][3]) {
  for (int i = 0; i < 3 * ST_CARRIERS; i++) {
    size_t k = 3 * (size_t)frame->carrier[i / 3] + (size_t)(i % 3);
    pushed[i / 3][i % 3] = velocity[k] - stage->scale[k] * residual[k];
  }
}

// The spin and the velocity of the centre after the step.
static void find_motion(const StStageProblem *stage, const StRigidFrame *after,
                        const double before[3], double pushed[ST_CARRIERS][3], double spin[3],
                        double mean[3]) {
  double momentum[3], inverse[9] = {0};
  vec3_set(0, 0, 0, mean);
  vec3_copy(before, momentum);
  st_rigid_frame_moment(after, -1, stage->goal, momentum);
  for (int i = 0; i < ST_CARRIERS; i++) {
    double cross[3];
    vec3_cross(after->arm[i], pushed[i], cross);
    vec3_add_scaled(after->mass[i], cross, momentum);
    vec3_add_scaled(after->mass[i] / after->whole, pushed[i], mean);
  }
  mat3_inverse(after->inertia, inverse);
  mat3_apply(inverse, momentum, spin);
}

void st_turning_finish(const StTurning *turning, const StStageProblem *stage,
                       const StTurningStep *step, const double *residual, const double *position,
                       double *velocity) {
  for (int f = 0; f < turning->count; f++) {
    double pushed[ST_CARRIERS][3], momentum[3] = {0}, spin[3], mean[3];
    if (!turning->turned[f])
      continue;
    Momenta momenta = find_momenta(stage, f, step);
    StRigidFrame after = st_rigid_frame_at(stage, f, position);
    vec3_add_scaled(step->row->now, momenta.of_now, momentum);
    vec3_add_scaled(step->row->before, momenta.of_before, momentum);
    find_pushed(stage, &after, velocity, residual, pushed);
    find_motion(stage, &after, momentum, pushed, spin, mean);
    st_rigid_frame_move(&after, mean, spin, velocity);
  }
  st_piece_follow_owned(stage->system->piece, velocity);
}
