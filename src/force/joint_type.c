// The kinds of joints and their parameters.
#include "force/joint.h"

#include "base/memory.h"
#include "model/description.h"

#include <string.h>

#define AT_LEAST_0 .min = 0, .max = INFINITY

#define DAMPING                                                                                    \
  {                                                                                                \
    .name = "damping", .doc = "Force per rate of change of its length.",                           \
    .dimension = ST_DAMPING_RATE, AT_LEAST_0                                                       \
  }
#define CHOSEN_STIFFNESS                                                                           \
  {                                                                                                \
    .name = "stiffness",                                                                           \
    .doc =                                                                                         \
        "Force per distance between its points; default: 10 times the stiffness of the stiffer "   \
        "body at the joint, Young's modulus times the radius of the part.",                        \
    .dimension = ST_TENSION, .fallback = INFINITY, AT_LEAST_0, .min_open = true                    \
  }

static const StParam SPRING[] = {
    [ST_JOINT_STIFFNESS] = {.name = "stiffness",
                            .doc = "Force per elongation.",
                            .dimension = ST_TENSION,
                            .fallback = NAN,
                            AT_LEAST_0},
    [ST_JOINT_DAMPING] = DAMPING,
    [ST_JOINT_REST] = {.name = "length",
                       .doc = "Length at which it exerts no force; default: its length at rest.",
                       .dimension = ST_LENGTH_DIMENSION,
                       .fallback = INFINITY,
                       AT_LEAST_0,
                       .over_time = true},
};

static const StParam DISTANCE[] = {
    [ST_JOINT_STIFFNESS] = CHOSEN_STIFFNESS,
    [ST_JOINT_DAMPING] = DAMPING,
    [ST_JOINT_REST] = {.name = "length",
                       .doc = "The distance to keep; default: the distance at rest.",
                       .dimension = ST_LENGTH_DIMENSION,
                       .fallback = INFINITY,
                       AT_LEAST_0,
                       .over_time = true},
};

static const StParam TIE[] = {[ST_JOINT_STIFFNESS] = CHOSEN_STIFFNESS};

static const StParam SLIDER[] = {
    [ST_JOINT_STIFFNESS] = CHOSEN_STIFFNESS,
    [ST_JOINT_LOWER] =
        ST_PARAM("lower",
                 "Lower limit of the position of the first end along the axis, from the second; "
                 "default: none.",
                 .dimension = ST_LENGTH_DIMENSION, .fallback = INFINITY),
    [ST_JOINT_UPPER] = ST_PARAM("upper", "Upper limit of the position; default: none.",
                                .dimension = ST_LENGTH_DIMENSION, .fallback = INFINITY),
};

static const StParam STOP[] = {
    [ST_JOINT_STIFFNESS] =
        {.name = "stiffness",
         .doc = "Torque per angle beyond a limit; default: that of a tie of the same parts at the "
                "radius of the part.",
         .dimension = ST_TORSION_STIFFNESS,
         .fallback = INFINITY,
         AT_LEAST_0,
         .min_open = true},
    [ST_JOINT_LOWER] =
        ST_PARAM("lower", "Lower limit of the angle, which is 0 at rest; default: none.",
                 .dimension = ST_ANGLE, .fallback = INFINITY),
    [ST_JOINT_UPPER] = ST_PARAM("upper", "Upper limit of the angle; default: none.",
                                .dimension = ST_ANGLE, .fallback = INFINITY),
};

static const StParam TORSION[] = {
    [ST_JOINT_STIFFNESS] = {.name = "stiffness",
                            .doc = "Torque per angle.",
                            .dimension = ST_TORSION_STIFFNESS,
                            .fallback = NAN,
                            AT_LEAST_0},
    [ST_JOINT_DAMPING] = {.name = "damping",
                          .doc = "Torque per angular velocity.",
                          .dimension = ST_TORSION_DAMPING,
                          AT_LEAST_0},
    [ST_JOINT_REST] =
        {.name = "angle",
         .doc = "Angle at which it exerts no torque; changing over time it acts as a servo.",
         .dimension = ST_ANGLE,
         .over_time = true},
    [ST_JOINT_MOST] = {.name = "torque",
                       .doc = "Largest torque of the spring, which it approaches at large angles; "
                              "default: none.",
                       .dimension = ST_ENERGY,
                       .fallback = INFINITY,
                       AT_LEAST_0,
                       .min_open = true},
};

static const StParam MOTOR[] = {
    [ST_MOTOR_TORQUE] =
        ST_PARAM("torque", "Torque; with a speed, the largest torque in either direction.",
                 .dimension = ST_ENERGY, .fallback = NAN, .over_time = true),
    [ST_MOTOR_SPEED] = ST_PARAM("speed", "Target angular velocity; default: none, constant torque.",
                                .dimension = ST_SPIN, .fallback = INFINITY, .over_time = true),
    [ST_MOTOR_SLIP] = {.name = "slip",
                       .doc = "Distance from the target speed at which it reaches 71 % of its "
                              "torque; default: 2 % of the speed.",
                       .dimension = ST_SPIN,
                       .fallback = INFINITY,
                       AT_LEAST_0,
                       .min_open = true},
    [ST_MOTOR_GEAR] =
        ST_PARAM("gear",
                 "Ratio of a gear between motor and joint: torque, speed and slip are "
                 "the motor's; the joint gets this many times the torque, and turns "
                 "that much more slowly.",
                 .fallback = 1),
};

#define PARAMETERS(table) .param = table, .param_count = ST_LENGTH(table)
#define TIES .ties = true, .chosen = true

const StJointType st_joint_types[] = {
    {"spring", "A spring between two points, with optional damping.", ST_JOINT_SPRING,
     PARAMETERS(SPRING), 1, .apart = true, .damped = true},
    {"distance", "Keeps two points at a distance.", ST_JOINT_DISTANCE, PARAMETERS(DISTANCE), 1,
     .apart = true, .damped = true, TIES},
    {"ball", "Ties two points together; the parts turn freely about them.", ST_JOINT_BALL,
     PARAMETERS(TIE), 1, TIES},
    {"hinge", "The parts can only turn about a common axis.", ST_JOINT_HINGE, PARAMETERS(TIE), 2,
     .axis = true, TIES},
    {"slider", "The parts can only slide along a common axis, between limits if there are some.",
     ST_JOINT_SLIDER, PARAMETERS(SLIDER), 4, .axis = true, .limits = true, TIES},
    {"weld", "The parts can neither slide nor turn relative to each other.", ST_JOINT_WELD,
     PARAMETERS(TIE), 4, TIES},
    {"torsion",
     "A torsion spring and damper about an axis; add a hinge to hold the parts together.",
     ST_JOINT_TORSION, PARAMETERS(TORSION), 4, .axis = true, .damped = true},
    {"motor",
     "A torque between parts about an axis, up to a speed; add a hinge to hold the parts together.",
     ST_JOINT_MOTOR, PARAMETERS(MOTOR), 4, .axis = true},
    {"stop",
     "Limits of an angle about an axis, an elastic stop at each; add a hinge to hold the parts "
     "together.",
     ST_JOINT_STOP, PARAMETERS(STOP), 4, .axis = true, .limits = true, .chosen = true},
    {0},
};

const StJointType *st_joint_type_find(const char *name) {
  for (const StJointType *type = st_joint_types; type->name; type++)
    if (strcmp(type->name, name) == 0)
      return type;
  return NULL;
}

static void mark(const StDescription *description, const int *vertex, int count, bool *tied) {
  if (count > 0)
    tied[st_description_body_of(description, vertex[0])] = true;
}

void st_joints_mark_tied(const StDescription *description, bool *tied) {
  for (int i = 0; i < description->joint_count; i++) {
    const StJointDesc *joint = &description->joint[i];
    if (st_joint_type_find(joint->type.name)->ties)
      for (int e = 0; e < 2; e++)
        mark(description, joint->end[e].vertex, joint->end[e].vertex_count, tied);
  }
  for (int i = 0; i < description->bearing_count; i++)
    mark(description, description->bearing[i].vertex, description->bearing[i].vertex_count, tied);
}
