// Sums over carriers.
// Tested by tests/step/test_stage_rigid.c.
#include "step/rigid_frame.h"

#include "math/inertia.h"
#include "math/vec3.h"

void st_rigid_frame_mean(const StRigidFrame *frame, const double *field, double mean[3]) {
  vec3_set(0, 0, 0, mean);
  for (int i = 0; i < ST_CARRIERS; i++)
    vec3_add_scaled(frame->mass[i] / frame->whole, field + 3 * (size_t)frame->carrier[i], mean);
}

StRigidFrame st_rigid_frame_at(const StStageProblem *stage, int index, const double *position) {
  StRigidFrame frame = {.carrier = stage->frame + ST_CARRIERS * (size_t)index};
  for (int i = 0; i < ST_CARRIERS; i++) {
    frame.mass[i] = stage->system->piece->mass[frame.carrier[i]];
    frame.whole += frame.mass[i];
  }
  st_rigid_frame_mean(&frame, position, frame.centre);
  for (int i = 0; i < ST_CARRIERS; i++) {
    double *arm = frame.arm[i];
    vec3_sub(position + 3 * (size_t)frame.carrier[i], frame.centre, arm);
    inertia_add(frame.mass[i], arm, frame.inertia);
  }
  return frame;
}

void st_rigid_frame_moment(const StRigidFrame *frame, double sign, const double *field,
                           double moment[3]) {
  for (int i = 0; i < ST_CARRIERS; i++) {
    double cross[3];
    vec3_cross(frame->arm[i], field + 3 * (size_t)frame->carrier[i], cross);
    vec3_add_scaled(sign * frame->mass[i], cross, moment);
  }
}

void st_rigid_frame_move(const StRigidFrame *frame, const double velocity[3], const double spin[3],
                         double *field) {
  for (int i = 0; i < ST_CARRIERS; i++) {
    double *of = field + 3 * (size_t)frame->carrier[i];
    vec3_cross(spin, frame->arm[i], of);
    vec3_add_scaled(1, velocity, of);
  }
}

bool st_rigid_frame_is_held(const StRigidFrame *frame, const double *held) {
  for (int i = 0; i < ST_CARRIERS; i++)
    for (int c = 0; c < 3; c++)
      if (held[3 * (size_t)frame->carrier[i] + (size_t)c] == 0)
        return true;
  return false;
}
