// The scene's own speed (√(gL), or the fastest given motion, or √(FL/m) of loads and springs, or
// the wind, or the speed of sound, or L/T) and default tolerances derived from it, so that the same
// scene at another size behaves the same.
#include "scene/contact_method.h"

#include "force/force.h"
#include "force/joint.h"
#include "math/vec3.h"
#include "model/contact_pairs.h"
#include "model/piece.h"
#include "scene/tunables.h"

#include <stdio.h>

double st_scene_body_pull(const StDescription *description, int index) {
  const StBodyDesc *body = &description->body[index];
  double pull = vec3_length(body->own_gravity ? body->gravity : description->gravity);
  for (int i = 0; i < description->acceleration_count; i++) {
    const StAccelerationDesc *acceleration = &description->acceleration[i];
    if (acceleration->body < 0 || acceleration->body == index)
      pull = fmax(pull, vec3_length(acceleration->value));
  }
  return pull;
}

static double strongest_pull(const StDescription *description) {
  double pull = 0;
  for (int i = 0; i < description->body_count; i++)
    pull = fmax(pull, st_scene_body_pull(description, i));
  return pull;
}

static double fastest_motion(const StDescription *description, double diagonal) {
  double speed = 0, end = description->time.duration;
  for (int i = 0; i < description->body_count; i++) {
    const StBodyDesc *body = &description->body[i];
    double spin = vec3_length(body->angular_velocity);
    speed = fmax(speed, vec3_length(body->velocity) + spin * diagonal / 2);
  }
  for (int i = 0; i < description->boundary_count; i++)
    speed = fmax(speed, st_motion_speed(&description->boundary[i].motion, diagonal / 2, end));
  for (int i = 0; i < description->obstacle_count; i++)
    speed = fmax(speed, st_motion_speed(&description->obstacle[i].motion, diagonal / 2, end));
  return speed;
}

static double load_force(const StDescription *description, const StLoadDesc *load) {
  double end = description->time.duration, value[3], share = 0;
  for (int c = 0; c < 3; c++)
    value[c] = st_curve_largest_value(&load->value[c], end);
  for (int i = 0; i < load->vertex_count; i++)
    share += load->weight[i];
  return vec3_length(value) * share;
}

// The largest |value| of a parameter that may change over time; 0 if none is given.
static double largest_param(const StDescription *description, const StCurve *curve, double value) {
  if (st_curve_is_given(curve))
    return st_curve_largest_value(curve, description->time.duration);
  return isfinite(value) ? fabs(value) : 0;
}

// Of a spring that starts out of its rest length, or whose rest length changes. Ties are no
// springs: what they are far from they reach at once.
static double spring_force(const StDescription *description, const StJointDesc *joint) {
  const StCurve *length = &joint->curve[ST_JOINT_REST];
  double arm[3];
  vec3_sub(joint->end[0].place[0], joint->end[1].place[0], arm);
  double now = vec3_length(arm), rest = st_curve_at(length, 0, joint->type.value[ST_JOINT_REST]);
  double most = isfinite(rest) ? fabs(now - rest) : 0;
  if (st_curve_is_given(length))
    most = fmax(most, st_curve_largest_value(length, description->time.duration) - rest);
  return most * joint->type.value[ST_JOINT_STIFFNESS];
}

// The load of a joint, as a force.
static double joint_force(const StDescription *description, const StJointDesc *joint, double size) {
  const StJointType *type = st_joint_type_find(joint->type.name);
  const double *value = joint->type.value;
  if (type && type->kind == ST_JOINT_MOTOR)
    return largest_param(description, &joint->curve[ST_MOTOR_TORQUE], value[ST_MOTOR_TORQUE]) *
           fabs(value[ST_MOTOR_GEAR]) / size;
  if (type && type->kind == ST_JOINT_TORSION)
    return fmin(largest_param(description, &joint->curve[ST_JOINT_REST], value[ST_JOINT_REST]) *
                    value[ST_JOINT_STIFFNESS],
                value[ST_JOINT_MOST]) /
           size;
  return type && type->kind == ST_JOINT_SPRING ? spring_force(description, joint) : 0;
}

static double strongest_force(const StDescription *description, double size) {
  double force = 0;
  for (int i = 0; i < description->load_count; i++)
    if (description->load[i].kind != ST_LOAD_PRESSURE)
      force = fmax(force, load_force(description, &description->load[i]));
  for (int i = 0; i < description->joint_count; i++)
    force = fmax(force, joint_force(description, &description->joint[i], size));
  return force;
}

static double strongest_pressure(const StDescription *description) {
  double pressure = 0;
  for (int i = 0; i < description->load_count; i++)
    if (description->load[i].kind == ST_LOAD_PRESSURE)
      pressure = fmax(pressure, st_curve_largest_value(&description->load[i].value[0],
                                                       description->time.duration));
  return pressure;
}

// Spreads a load over the bodies whose vertices share it.
static void add_load(const StDescription *description, const StLoadDesc *load, double *force) {
  double end = description->time.duration, value[3];
  for (int c = 0; c < 3; c++)
    value[c] = st_curve_largest_value(&load->value[c], end);
  for (int i = 0; i < load->vertex_count; i++)
    force[st_description_body_of(description, load->vertex[i])] +=
        vec3_length(value) * load->weight[i];
}

// Both bodies that a joint connects feel its force.
static void add_joint(const StDescription *description, const StJointDesc *joint,
                      const double *size, double *force) {
  for (int k = 0; k < 2; k++) {
    const StJointEnd *end = &joint->end[k];
    int body = end->vertex_count > 0 ? st_description_body_of(description, end->vertex[0]) : -1;
    if (body >= 0)
      force[body] += joint_force(description, joint, size[body]);
  }
}

void st_scene_body_loads(const StDescription *description, const double *size, double *force,
                         double *pressure) {
  for (int i = 0; i < description->load_count; i++) {
    const StLoadDesc *load = &description->load[i];
    double most = st_curve_largest_value(&load->value[0], description->time.duration);
    if (load->kind != ST_LOAD_PRESSURE)
      add_load(description, load, force);
    for (int k = 0; load->kind == ST_LOAD_PRESSURE && k < load->triangle_count; k++) {
      int body = st_description_body_of(description, load->triangle[3 * k]);
      pressure[body] = fmax(pressure[body], most);
    }
  }
  for (int i = 0; i < description->joint_count; i++)
    add_joint(description, &description->joint[i], size, force);
  for (int i = 0; i < description->bearing_count; i++) {
    const StBearingDesc *bearing = &description->bearing[i];
    int body = st_description_body_of(description, bearing->vertex[0]);
    force[body] += largest_param(description, &bearing->torque, 0) / size[body];
  }
}

// The speed that a force would give all bodies together.
static double pushed_speed(const StDescription *description, double size, double force) {
  double mass = 0;
  for (int i = 0; i < description->body_count; i++)
    mass += st_body_mass(description, &description->body[i]);
  double speed = sqrt(force * size / mass);
  return isfinite(speed) ? speed : 0;
}

// The fastest stream of a force such as drag.
static double strongest_wind(const StDescription *description) {
  double speed = 0;
  for (int i = 0; i < description->force_count; i++) {
    const StForceDesc *force = &description->force[i];
    const StForceType *type = force->type ? NULL : st_force_type_find(force->choice.name);
    for (int k = 0; type && k < type->param_count; k++)
      if (st_dimension_equal(type->param[k].dimension, ST_SPEED))
        speed = fmax(speed, largest_param(description, &force->curve[k], force->choice.value[k]));
  }
  return speed;
}

static double slowest_sound(const StDescription *description) {
  double speed = INFINITY;
  for (int i = 0; i < description->material_count; i++) {
    const StMaterialDesc *material = &description->material[i];
    if (material->rigid)
      continue;
    speed = fmin(speed, sqrt(st_scene_elasticity(material).modulus / material->density));
  }
  return isfinite(speed) ? speed : 0;
}

void st_scene_scale(const StDescription *description, StSceneScale *scale) {
  const StSceneMethod *method = st_scene_method(description);
  double size = method->size(description);
  double pull = scale->pull = strongest_pull(description);
  scale->motion = fastest_motion(description, size);
  scale->force = strongest_force(description, size);
  scale->pressure = strongest_pressure(description);
  if (pull > 0) {
    scale->speed = sqrt(pull) * sqrt(size);
    snprintf(scale->reason, sizeof scale->reason,
             "√(gL) = %.4g m/s with g = %.4g m/s^2 and the scene's %s L = %.4g m", scale->speed,
             pull, method->size_name, size);
    return;
  }
  scale->speed = scale->motion;
  const char *source = "the fastest given motion";
  if (scale->speed == 0) {
    scale->speed = pushed_speed(description, size, scale->force);
    source = "√(FL/m) of the strongest load or joint F, the scene's size L and its mass m";
  }
  if (scale->speed == 0) {
    scale->speed = strongest_wind(description);
    source = "the wind";
  }
  if (scale->speed == 0) {
    scale->speed = slowest_sound(description);
    source = "the speed of sound in the softest material";
  }
  if (scale->speed == 0) { // rigid bodies only; inflated ones hardly move
    scale->speed = pushed_speed(description, size, size * size * scale->pressure);
    source = "√(pL³/m) of the strongest pressure p, the scene's size L and its mass m";
  }
  if (scale->speed == 0) { // a program may push what nothing in the scene moves
    scale->speed = size / description->time.duration;
    source = "L/T with the scene's size L and its duration T, since nothing in it moves";
  }
  snprintf(scale->reason, sizeof scale->reason, "%.4g m/s, %s (no gravity)", scale->speed, source);
}

// The smallest sticking speed of any pair; INFINITY if none sticks by velocity. Anchors need no
// finer tolerance: a residual stretches them slightly, once.
static double smallest_sticking_speed(const StDescription *description) {
  double smallest = INFINITY;
  const StFrictionDesc *friction;
  for (int i = 0; (friction = st_pairs_friction(description, i)); i++)
    if (friction->static_coefficient > 0 && friction->stick == ST_STICK_VELOCITY)
      smallest = fmin(smallest, friction->sticking_speed);
  return smallest;
}

// Accepts a user's tolerance, with a warning if friction would be wrong.
static void warn_of_loose(const StReader *reader, const char *key, double tolerance,
                          double sticking) {
  if (tolerance > 10 * st_scene_tunables.tolerance_sticking * sticking)
    st_log(reader->log, ST_WARNING,
           "%s: %s is %g m/s; friction sticks below %g m/s, and is accurate only if the tolerance "
           "is much smaller: %g m/s or less",
           reader->name, key, tolerance, sticking, st_scene_tunables.tolerance_sticking * sticking);
}

static StStatus choose(StReader *reader, const char *key, double part, const StSceneScale *scale,
                       double *tolerance) {
  double sticking = smallest_sticking_speed(reader->description);
  if (*tolerance > 0) {
    warn_of_loose(reader, key, *tolerance, sticking);
    return ST_OK;
  }
  *tolerance = part * scale->speed;
  // With a margin: if the sticking speed is a default, both may be equal up to round-off.
  bool stuck = st_scene_tunables.tolerance_sticking * sticking < *tolerance * (1 - 1e-9);
  if (stuck)
    *tolerance = st_scene_tunables.tolerance_sticking * sticking;
  if (!(*tolerance > 0) || !isfinite(*tolerance))
    return st_reader_fail(reader, st_json_root(reader->document),
                          "the scene's own speed comes out as %g m/s; please set "
                          "solver.velocity_tolerance and solver.change_tolerance",
                          scale->speed);
  char value[60], reason[300];
  snprintf(value, sizeof value, "%.4g m/s", *tolerance);
  if (stuck)
    snprintf(reason, sizeof reason,
             "%g of the sticking speed %.4g m/s, so that friction is accurate",
             st_scene_tunables.tolerance_sticking, sticking);
  else
    snprintf(reason, sizeof reason, "%g of %s", part, scale->reason);
  return st_description_add_note(reader->description, key, value, reason, reader->error);
}

StStatus st_scene_choose_tolerances(StReader *reader) {
  StSolverDesc *solver = &reader->description->solver;
  StSceneScale scale = {0};
  st_scene_scale(reader->description, &scale);
  ST_TRY(choose(reader, "solver.velocity_tolerance", st_scene_tunables.default_residual, &scale,
                &solver->velocity_tolerance));
  return choose(reader, "solver.change_tolerance", st_scene_tunables.default_change, &scale,
                &solver->change_tolerance);
}
