// Springs, ties, hinges, motors and so on between two parts of bodies, or a part and the world.
// Each end has four points, weighted sums of vertices (model/attachment.h); a kernel computes the
// forces on points, complex numbers give exact derivatives, and the weights distribute both to the
// vertices. Two forces: one for what stores energy, one for what drives or damps. Every rank knows
// all vertices of all joints.
#include "force/joint.h"

#include "base/memory.h"
#include "force/list.h"
#include "math/vec3.h"
#include "model/attachment.h"

#include <string.h>

enum { POINTS = 2 * ST_JOINT_POINTS };

// A joint's parameters at one instant.
typedef struct Law {
  StJointKind kind;
  bool damps; // evaluate the part by velocity
  double stiffness, damping, rest;
  double lower, upper;        // limits of a slider or a stop
  double most;                // torque of a torsion spring
  double torque, speed, slip; // of a motor, at the joint; slip 0: no speed limit
  double turns;               // rad, whole turns to add to an angle
} Law;

typedef struct Member {
  int vertex; // local
  int end;
  const double *weight; // [ST_JOINT_POINTS]
} Member;

typedef struct Joint {
  const StJointDesc *desc;
  const StJointType *type;
  int count;
  Member *member;
  int *slot;     // [count][count]; -1: not ours
  double length; // between the first points at rest, m
  double slip;   // rad/s
  double angle;  // of the last committed state, including whole turns
} Joint;

typedef struct Joints {
  const StPiece *piece;
  bool drives; // dampers and motors; otherwise all others
  double rise; // s, in which torques at time 0 rise from nothing
  int count;
  Joint *joint;
} Joints;

#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "force/joint_kernel.h"

#define ST_COMPLEX_KERNEL
#include "math/scalar.h"
#include "math/vec3_kernel.h"
#include "force/joint_kernel.h"
#undef ST_COMPLEX_KERNEL
#include "math/scalar.h"

static void destroy(void *data) {
  Joints *joints = data;
  for (int i = 0; joints && i < joints->count; i++) {
    free(joints->joint[i].member);
    free(joints->joint[i].slot);
  }
  if (joints)
    free(joints->joint);
  free(joints);
}

static bool turns(const Joint *joint) {
  StJointKind kind = joint->type->kind;
  return kind == ST_JOINT_TORSION || kind == ST_JOINT_MOTOR || kind == ST_JOINT_STOP;
}

static double value_at(const Joint *joint, int index, double time) {
  return st_curve_at(&joint->desc->curve[index], time, joint->desc->type.value[index]);
}

static bool is_damped(const StJointDesc *desc, const StJointType *type) {
  return type->damped && desc->type.value[ST_JOINT_DAMPING] > 0;
}

static bool by_velocity_too(const Joint *joint) {
  return is_damped(joint->desc, joint->type);
}

// Whether a joint acts in this one of the two forces.
static bool takes_part(const StJointDesc *desc, const StJointType *type, bool drives) {
  bool motor = type->kind == ST_JOINT_MOTOR;
  return drives ? motor || is_damped(desc, type) : !motor;
}

static bool present(const StForceSite *site) {
  const StDescription *description = site->description;
  for (int i = 0; i < description->joint_count; i++) {
    const StJointType *type = st_joint_type_find(description->joint[i].type.name);
    if (!type || takes_part(&description->joint[i], type, site->type == &st_force_drive))
      return true;
  }
  return false;
}

static StStatus add_members(const int *local, Joint *joint, StError *error) {
  const StJointDesc *desc = joint->desc;
  size_t count = (size_t)desc->end[0].vertex_count + (size_t)desc->end[1].vertex_count;
  joint->member = ST_NEW(Member, count);
  joint->slot = ST_NEW(int, count *count);
  ST_TRY_MEMORY(joint->member && joint->slot, error);
  for (int e = 0; e < 2; e++)
    for (int i = 0; i < desc->end[e].vertex_count; i++) {
      int vertex = local[desc->end[e].vertex[i]];
      ST_CHECK(vertex >= 0, error);
      joint->member[joint->count++] =
          (Member){vertex, e, desc->end[e].weight + ST_JOINT_POINTS * (size_t)i};
    }
  return ST_OK;
}

static void set_numbers(const StDescription *description, Joint *joint) {
  const StJointDesc *desc = joint->desc;
  double arm[3];
  vec3_sub(desc->end[0].place[0], desc->end[1].place[0], arm);
  joint->length = vec3_length(arm);
  if (joint->type->kind != ST_JOINT_MOTOR)
    return;
  const StCurve *speed = &desc->curve[ST_MOTOR_SPEED];
  double most = st_curve_is_given(speed) ? st_curve_largest_value(speed, description->time.duration)
                                         : fabs(desc->type.value[ST_MOTOR_SPEED]);
  bool limited = st_curve_is_given(speed) || isfinite(most);
  joint->slip = desc->type.value[ST_MOTOR_SLIP];
  if (limited && !isfinite(joint->slip))
    joint->slip = most > 0 && isfinite(most) ? 0.02 * most : 0.02;
  if (!limited)
    joint->slip = 0;
}

static StStatus build(const StForceSite *site, void **data, StError *error) {
  const StDescription *description = site->description;
  Joints *joints = *data;
  *joints = (Joints){.piece = site->piece,
                     .drives = site->type == &st_force_drive,
                     .rise = st_description_rise(site->description)};
  ST_FREE int *local =
      st_piece_find_vertices(site->piece, st_description_vertex_count(description));
  joints->joint = ST_NEW(Joint, description->joint_count);
  StStatus status = local && joints->joint ? ST_OK : st_fail_memory(error);
  for (int i = 0; i < description->joint_count && status == ST_OK; i++) {
    const StJointDesc *desc = &description->joint[i];
    const StJointType *type = st_joint_type_find(desc->type.name);
    if (!type)
      status = st_fail(error, ST_BAD_INPUT, "joint %s: there is no kind \"%s\"", desc->name,
                       desc->type.name);
    if (!type || !takes_part(desc, type, joints->drives))
      continue;
    Joint *joint = &joints->joint[joints->count++];
    *joint = (Joint){.desc = desc, .type = type};
    set_numbers(description, joint);
    status = add_members(local, joint, error);
  }
  return status;
}

static StStatus bind(void *data, const StBlockMatrix *matrix, StError *error) {
  (void)error;
  Joints *joints = data;
  for (int j = 0; j < joints->count; j++) {
    Joint *joint = &joints->joint[j];
    for (int a = 0; a < joint->count; a++)
      for (int b = 0; b < joint->count; b++)
        joint->slot[a * joint->count + b] =
            st_block_matrix_slot(matrix, joint->member[a].vertex, joint->member[b].vertex);
  }
  return ST_OK;
}

static bool is_owned(const Joints *joints, const Member *member) {
  return member->vertex < joints->piece->owned_count;
}

// Weighted sums of a vertex field ([vertex_count][3]) at all points; points of the world are at
// rest.
static void gather(const Joint *joint, const double *from, bool places, double y[POINTS][3]) {
  for (int e = 0; e < 2; e++)
    for (int p = 0; p < ST_JOINT_POINTS; p++) {
      bool rests = places && joint->desc->end[e].vertex_count == 0;
      for (int k = 0; k < 3; k++)
        y[ST_JOINT_POINTS * e + p][k] = rests ? joint->desc->end[e].place[p][k] : 0;
    }
  for (int m = 0; m < joint->count; m++) {
    const Member *member = &joint->member[m];
    for (int p = 0; p < ST_JOINT_POINTS; p++)
      vec3_add_scaled(member->weight[p], from + 3 * (size_t)member->vertex,
                      y[ST_JOINT_POINTS * member->end + p]);
  }
}

// The angle nearest to that of the last committed state, and its whole turns.
static double angle_of(const Joint *joint, double y[POINTS][3], double *whole) {
  double slope[POINTS][3], angle = find_angle_real(y, slope);
  *whole = 2 * M_PI * nearbyint((joint->angle - angle) / (2 * M_PI));
  return angle + *whole;
}

static Law motor_law(const Joint *joint, double rise, double time) {
  const double *value = joint->desc->type.value, gear = value[ST_MOTOR_GEAR];
  double torque =
      st_curve_risen(&joint->desc->curve[ST_MOTOR_TORQUE], time, rise, value[ST_MOTOR_TORQUE]);
  Law law = {.kind = ST_JOINT_MOTOR, .torque = gear * torque};
  if (!(joint->slip > 0))
    return law;
  law.torque = fabs(law.torque); // the speed includes the sign
  law.speed = value_at(joint, ST_MOTOR_SPEED, time) / gear;
  law.slip = joint->slip / fabs(gear);
  return law;
}

static Law law_at(const Joints *joints, const Joint *joint, double time, double y[POINTS][3]) {
  const StJointType *type = joint->type;
  const double *value = joint->desc->type.value;
  if (type->kind == ST_JOINT_MOTOR)
    return motor_law(joint, joints->rise, time);
  Law law = {.kind = type->kind,
             .damps = joints->drives,
             .stiffness = value[ST_JOINT_STIFFNESS],
             .lower = -INFINITY,
             .upper = INFINITY,
             .most = type->kind == ST_JOINT_TORSION ? value[ST_JOINT_MOST] : INFINITY};
  if (type->damped) {
    law.damping = value[ST_JOINT_DAMPING];
    law.rest = value_at(joint, ST_JOINT_REST, time);
    if (!isfinite(law.rest))
      law.rest = joint->length;
  }
  if (type->limits) { // where none is given, it is infinite
    law.lower = isfinite(value[ST_JOINT_LOWER]) ? value[ST_JOINT_LOWER] : -INFINITY;
    law.upper = value[ST_JOINT_UPPER];
  }
  if (turns(joint))
    angle_of(joint, y, &law.turns);
  return law;
}

static void force_on_points(const Joints *joints, const Joint *joint, const StPoint *at,
                            double y[POINTS][3], double force[POINTS][3]) {
  double v[POINTS][3];
  gather(joint, at->position, true, y);
  gather(joint, at->velocity, false, v);
  Law law = law_at(joints, joint, at->time, y);
  joint_force_real(&law, y, v, force);
}

static void spread(const Member *member, double force[POINTS][3], double *to) {
  for (int p = 0; p < ST_JOINT_POINTS; p++)
    vec3_add_scaled(member->weight[p], force[ST_JOINT_POINTS * member->end + p],
                    to + 3 * (size_t)member->vertex);
}

static bool add(const void *data, const StPoint *at, double *force, StTrouble *trouble) {
  const Joints *joints = data;
  for (int j = 0; j < joints->count; j++) {
    const Joint *joint = &joints->joint[j];
    double y[POINTS][3], on[POINTS][3], sum = 0;
    force_on_points(joints, joint, at, y, on);
    for (int k = 0; k < 3 * POINTS; k++)
      sum += on[k / 3][k % 3];
    if (!isfinite(sum)) {
      *trouble = (StTrouble){joints->piece->vertex_id[joint->member[0].vertex],
                             joints->drives ? st_force_drive.name : st_force_joint.name,
                             "the joint has no direction", -1};
      return false;
    }
    for (int m = 0; m < joint->count; m++)
      if (is_owned(joints, &joint->member[m]))
        spread(&joint->member[m], on, force);
  }
  return true;
}

// column[c]: the change when coordinate c of all points changes, [POINTS][3].
static void find_slopes(const Joints *joints, const Joint *joint, const StPoint *at,
                        double by_position, double by_velocity,
                        double column[3 * POINTS][POINTS][3]) {
  double y[POINTS][3], v[POINTS][3];
  StDual point[POINTS][3], velocity[POINTS][3], force[POINTS][3];
  gather(joint, at->position, true, y);
  gather(joint, at->velocity, false, v);
  Law law = law_at(joints, joint, at->time, y);
  for (int c = 0; c < 3 * POINTS; c++) {
    for (int i = 0; i < 3 * POINTS; i++) {
      point[i / 3][i % 3] = s_dual(y[i / 3][i % 3], i == c ? by_position : 0);
      velocity[i / 3][i % 3] = s_dual(v[i / 3][i % 3], i == c ? by_velocity : 0);
    }
    joint_force_complex(&law, point, velocity, force);
    for (int i = 0; i < 3 * POINTS; i++)
      column[c][i / 3][i % 3] = s_derivative(force[i / 3][i % 3]);
  }
}

static void add_block(const Joint *joint, int a, int b, double column[3 * POINTS][POINTS][3],
                      double *block) {
  const Member *row = &joint->member[a], *other = &joint->member[b];
  for (int q = 0; q < ST_JOINT_POINTS; q++)
    for (int c = 0; c < 3; c++) {
      double(*change)[3] = column[3 * (ST_JOINT_POINTS * other->end + q) + c];
      for (int p = 0; p < ST_JOINT_POINTS; p++)
        for (int r = 0; r < 3; r++)
          block[3 * r + c] +=
              row->weight[p] * other->weight[q] * change[ST_JOINT_POINTS * row->end + p][r];
    }
}

static void add_blocks(const void *data, const StPoint *at, double by_position, double by_velocity,
                       StBlockMatrix *matrix) {
  const Joints *joints = data;
  double column[3 * POINTS][POINTS][3];
  for (int j = 0; j < joints->count; j++) {
    const Joint *joint = &joints->joint[j];
    find_slopes(joints, joint, at, by_position, by_velocity, column);
    for (int a = 0; a < joint->count; a++)
      for (int b = 0; b < joint->count; b++) {
        int slot = joint->slot[a * joint->count + b];
        if (slot >= 0)
          add_block(joint, a, b, column, matrix->value + 9 * (size_t)slot);
      }
  }
}

static void gather_complex(const Joint *joint, const StDual *from, bool places,
                           StDual y[POINTS][3]) {
  double rest[POINTS][3], zero[3] = {0};
  Joint world = *joint;
  world.count = 0;
  gather(&world, zero, places, rest);
  for (int i = 0; i < 3 * POINTS; i++)
    y[i / 3][i % 3] = rest[i / 3][i % 3];
  for (int m = 0; m < joint->count; m++)
    for (int p = 0; p < ST_JOINT_POINTS; p++)
      for (int k = 0; k < 3; k++)
        y[ST_JOINT_POINTS * joint->member[m].end + p][k] +=
            joint->member[m].weight[p] * from[3 * (size_t)joint->member[m].vertex + (size_t)k];
}

static void add_complex(const void *data, const StPoint *at, const StDual *position,
                        const StDual *velocity, StDual *force) {
  const Joints *joints = data;
  for (int j = 0; j < joints->count; j++) {
    const Joint *joint = &joints->joint[j];
    StDual y[POINTS][3], v[POINTS][3], on[POINTS][3];
    double real[POINTS][3];
    gather(joint, at->position, true, real);
    gather_complex(joint, position, true, y);
    gather_complex(joint, velocity, false, v);
    Law law = law_at(joints, joint, at->time, real);
    joint_force_complex(&law, y, v, on);
    for (int m = 0; m < joint->count; m++) {
      const Member *member = &joint->member[m];
      for (int p = 0; p < ST_JOINT_POINTS && is_owned(joints, member); p++)
        for (int k = 0; k < 3; k++)
          force[3 * (size_t)member->vertex + (size_t)k] +=
              member->weight[p] * on[ST_JOINT_POINTS * member->end + p][k];
    }
  }
}

static double offset_square(double y[POINTS][3], int point) {
  double d[3];
  vec3_sub(y[point], y[ST_JOINT_POINTS + point], d);
  return vec3_dot(d, d);
}

// Square of the offset across the axis. A difference of squares would lose the digits of a stiff
// joint's energy.
static double guide_square(double y[POINTS][3], int point) {
  double d[3], axis[3];
  find_axis_real(y, axis);
  vec3_sub(y[point], y[ST_JOINT_POINTS + point], d);
  vec3_add_scaled(-vec3_dot(axis, d), axis, d);
  return vec3_dot(d, d);
}

// Position of a slider along its axis, or the angle.
static double position_of(const Joint *joint, double y[POINTS][3]) {
  double axis[3], d[3], whole;
  if (turns(joint))
    return angle_of(joint, y, &whole);
  find_axis_real(y, axis);
  vec3_sub(y[0], y[ST_JOINT_POINTS], d);
  return vec3_dot(axis, d);
}

// Squared elongation, offset or angle from the state of zero energy.
static double strain_square(const Joint *joint, const Law *law, double y[POINTS][3]) {
  double sum = 0, whole, length = sqrt(offset_square(y, 0));
  const double stop = joint->type->limits ? beyond_real(law, position_of(joint, y)) : 0;
  switch (law->kind) {
  case ST_JOINT_SPRING:
  case ST_JOINT_DISTANCE: return (length - law->rest) * (length - law->rest);
  case ST_JOINT_TORSION:
    sum = angle_of(joint, y, &whole) - law->rest;
    return 2 * sum * sum / (1 + hypot(1, law->stiffness * sum / law->most));
  case ST_JOINT_STOP: return stop * stop;
  case ST_JOINT_MOTOR: return 0;
  case ST_JOINT_SLIDER:
    for (int p = 0; p < ST_JOINT_POINTS; p++)
      sum += guide_square(y, p);
    return sum + stop * stop;
  default:
    for (int p = 0; p < joint->type->points; p++)
      sum += offset_square(y, p);
    return sum;
  }
}

static double energy(const void *data, const StPoint *at) {
  const Joints *joints = data;
  double sum = 0;
  for (int j = 0; j < joints->count; j++) {
    const Joint *joint = &joints->joint[j];
    double y[POINTS][3];
    if (!is_owned(joints, &joint->member[0]))
      continue;
    gather(joint, at->position, true, y);
    Law law = law_at(joints, joint, at->time, y);
    sum += 0.5 * law.stiffness * strain_square(joint, &law, y);
  }
  return sum;
}

static void commit(void *data, const StPoint *at) {
  Joints *joints = data;
  for (int j = 0; j < joints->count; j++) {
    Joint *joint = &joints->joint[j];
    double y[POINTS][3], whole;
    if (!turns(joint))
      continue;
    gather(joint, at->position, true, y);
    joint->angle = angle_of(joint, y, &whole);
  }
}

static int count_of(const void *data) {
  return ((const Joints *)data)->count;
}

static void remember(const void *data, double *memory) {
  const Joints *joints = data;
  for (int j = 0; j < joints->count; j++)
    if (is_owned(joints, &joints->joint[j].member[0]))
      memory[j] += joints->joint[j].angle;
}

static void recall(void *data, const double *memory) {
  Joints *joints = data;
  for (int j = 0; j < joints->count; j++)
    joints->joint[j].angle = memory[j];
}

// A damper is reported together with its spring.
static bool is_reported(const Joints *joints, int index) {
  return !joints->drives || joints->joint[index].type->kind == ST_JOINT_MOTOR;
}

static int action_count(const void *data) {
  const Joints *joints = data;
  int count = 0;
  for (int j = 0; j < joints->count; j++)
    count += is_reported(joints, j);
  return count;
}

static const char *action_name(const void *data, int index) {
  const Joints *joints = data;
  int j = 0;
  for (; !is_reported(joints, j) || index-- > 0; j++)
    ;
  return joints->joint[j].desc->name;
}

// Distance between a tie's points, elongation of a spring, position of a slider along its axis, or
// the angle.
static double travel_of(const Joint *joint, const Law *law, double y[POINTS][3]) {
  switch (law->kind) {
  case ST_JOINT_TORSION:
  case ST_JOINT_MOTOR:
  case ST_JOINT_STOP:
  case ST_JOINT_SLIDER: return position_of(joint, y);
  case ST_JOINT_SPRING:
  case ST_JOINT_DISTANCE: return sqrt(offset_square(y, 0)) - law->rest;
  default: return sqrt(offset_square(y, 0));
  }
}

static void add_action(const Joints *joints, const Joint *joint, const StPoint *at,
                       StAction *action) {
  double y[POINTS][3], on[POINTS][3], torque[3];
  for (int damps = 0; damps < 2; damps++) {
    Joints part = *joints;
    part.drives = damps;
    force_on_points(&part, joint, at, y, on);
    for (int p = 0; p < ST_JOINT_POINTS; p++) {
      vec3_cross(y[p], on[p], torque);
      vec3_add_scaled(1, on[p], action->force);
      vec3_add_scaled(1, torque, action->torque);
    }
    if (!by_velocity_too(joint))
      break;
  }
  Law law = law_at(joints, joint, at->time, y);
  action->travel = travel_of(joint, &law, y);
}

static void add_actions(const void *data, const StPoint *at, StAction *action) {
  const Joints *joints = data;
  for (int j = 0; j < joints->count; j++) {
    if (!is_reported(joints, j))
      continue;
    if (is_owned(joints, &joints->joint[j].member[0]))
      add_action(joints, &joints->joint[j], at, action);
    action++;
  }
}

#define JOINT_FUNCTIONS                                                                            \
  .joins = true, .present = present, .size = sizeof(Joints), .build = build, .destroy = destroy,   \
  .bind = bind, .add = add, .add_blocks = add_blocks, .add_complex = add_complex,                  \
  .commit = commit, .memory_count = count_of, .remember = remember, .recall = recall,              \
  .action_count = action_count, .action_name = action_name, .add_actions = add_actions

const StForceType st_force_joint = {
    .name = "joint",
    .summary = "Springs and ties between parts of bodies, or between a part and the world.",
    .has_energy = true,
    .of_time = true,
    .energy = energy,
    JOINT_FUNCTIONS,
};

const StForceType st_force_drive = {
    .name = "drive",
    .summary = "Dampers and motors of joints, and external torques.",
    .by_velocity = true,
    .of_outside = true,
    .of_load = true,
    JOINT_FUNCTIONS,
};
