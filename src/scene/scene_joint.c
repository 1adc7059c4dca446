// joints: {"pin": {"type": "hinge", "from": {"body": "arm", "point": […]}, "axis": "y"}, …}:
// springs, ties and motors between a part of a body and another one, or the world.
#include "scene/parts.h"

#include "base/memory.h"
#include "force/joint.h"
#include "math/vec3.h"
#include "scene/tunables.h"

#include <stdio.h>

static const double SAME_PLACE = 1e-6; // of the scene's size

static const StKey END_KEYS[] = {
    ST_KEY(StJointSite, body, NAMES, "The body, or a list of them; none: the world.",
           .otherwise = "the world, or with a region all bodies"),
    ST_KEY(StJointSite, region, OBJECTS, "The vertices it is attached to, as a whole.",
           ST_KEY_REGION, .otherwise = "those around the point"),
    ST_KEY_NAMED("point", StJointSite, place, VECTOR,
                 "Position at rest; it then moves with the vertices.",
                 .param.dimension = ST_LENGTH_DIMENSION,
                 .otherwise = "the mean position of the region's vertices; in the world, and for "
                              "the second end of a tie, the point of the other end"),
};

const StKeyTable st_keys_joint_end = {
    .name = "joint end",
    .doc = "Where a joint is attached: a part of a body, or a point of the world.",
    ST_KEYS(END_KEYS),
};

typedef struct Joint {
  int type;
  const StJson *from, *to;
  double axis[3];
  StJointDesc desc;
} Joint;

static bool joint_at(int index, StVariant *variant) {
  const StJointType *type = &st_joint_types[index];
  if (!type->name)
    return false;
  *variant = (StVariant){type->name, type->summary, type->param, type->param_count, NULL};
  return true;
}

static const StKey KEYS[] = {
    ST_KEY(Joint, type, SCALAR, "Which joint. Its parameters go next to these keys.",
           .param.kind = ST_WORD, .variant = joint_at, .required = true),
    ST_KEY(Joint, from, OBJECT, "One end: a part of a body.", .table = &st_keys_joint_end,
           .required = true),
    ST_KEY(Joint, to, OBJECT, "The other end.", .table = &st_keys_joint_end,
           .otherwise = "the world, where the first end is"),
    ST_KEY(Joint, axis, DIRECTION,
           "Axis of a hinge, slider, torsion spring, motor or stop; it turns with the second end.",
           .otherwise = "none"),
};

const StKeyTable st_keys_joint = {
    .name = "joint",
    .path = "joints",
    .doc = "A spring, tie or motor between a part of a body and another one, or the world. Bodies "
           "that it joins touch each other like any others, unless contact says otherwise.",
    ST_KEYS(KEYS),
    .chooser = &KEYS[0],
    .choice_offset = offsetof(Joint, desc.type),
    .curves_offset = offsetof(Joint, desc.curve),
};

static StStatus read_site(StReader *reader, const StJson *at, const double other[3],
                          StJointSite *site) {
  *site = (StJointSite){0};
  vec3_copy(other, site->place);
  if (at)
    ST_TRY(st_reader_object(reader, at, &st_keys_joint_end, site));
  site->at = at;
  site->point = at ? st_json_get(at, "point") : NULL;
  return ST_OK;
}

// A stop's is that of a tie at the arm of the part's radius.
static StStatus choose_stiffness(StReader *reader, const StJson *at, const StJointType *type,
                                 double span, StJointDesc *desc) {
  double *stiffness = &desc->type.value[ST_JOINT_STIFFNESS];
  double arm = type->ties ? 1 : span;
  char value[40], reason[160];
  if (isfinite(*stiffness))
    return ST_OK;
  double body = 0;
  for (int e = 0; e < 2; e++)
    body = fmax(body, st_scene_stiffest(reader->description, desc->end[e].vertex,
                                        desc->end[e].vertex_count, span));
  *stiffness = st_scene_tunables.tie_stiffness * body * arm * arm;
  snprintf(value, sizeof value, "%.4g %s", *stiffness, type->ties ? "N/m" : "N*m/rad");
  snprintf(reason, sizeof reason,
           "%g × the body's own %.4g N/m: it yields a tenth of what the body does there",
           st_scene_tunables.tie_stiffness, body);
  return st_reader_note(reader, at, "stiffness", value, reason);
}

static StStatus check_sites(const StReader *reader, const StJson *at, const StJointType *type,
                            const StJointSite site[2]) {
  bool has_axis = st_json_get(at, "axis") != NULL;
  if (!site[0].body && !site[0].region)
    return st_reader_fail(reader, site[0].at, "must name a body or a region");
  if (type->axis && !has_axis)
    return st_reader_fail(reader, at, "the key \"axis\" is missing, which %s needs", type->name);
  if (!type->axis && has_axis)
    return st_reader_fail_key(reader, st_json_get(at, "axis"), "does not apply to %s", type->name);
  bool placed = site[1].at && (site[1].point || site[1].region);
  if (type->apart && !placed)
    return st_reader_fail(reader, site[1].at ? site[1].at : at,
                          "%s needs another end: \"to\" with a point or a region", type->name);
  return ST_OK;
}

// Joints that hold points together would snap ends that are apart.
static StStatus check_places(const StReader *reader, const StJointType *type, const double *axis,
                             const StJointSite site[2], const StJointDesc *desc) {
  double apart[3];
  vec3_sub(desc->end[1].place[0], desc->end[0].place[0], apart);
  if (type->kind == ST_JOINT_SLIDER)
    vec3_add_scaled(-vec3_dot(apart, axis), axis, apart);
  double length = vec3_length(apart);
  if (type->apart || !type->ties || length <= SAME_PLACE * st_scene_size(reader->description))
    return ST_OK;
  return st_reader_fail(reader, site[1].point,
                        "the ends of a %s are one point, but these lie %.3g m apart at rest; give "
                        "both the same point, or only one",
                        type->name, length);
}

static StStatus check_limits(const StReader *reader, const StJson *at, const StJointType *type,
                             const double *value) {
  if (!type->limits)
    return ST_OK;
  bool lower = isfinite(value[ST_JOINT_LOWER]), upper = isfinite(value[ST_JOINT_UPPER]);
  if (!type->ties && !lower && !upper)
    return st_reader_fail(reader, at, "\"lower\" or \"upper\" is missing, which a %s needs",
                          type->name);
  if (lower && upper && !(value[ST_JOINT_LOWER] < value[ST_JOINT_UPPER]))
    return st_reader_fail(reader, st_json_get(at, "upper"), "must be larger than \"lower\", %g",
                          value[ST_JOINT_LOWER]);
  return ST_OK;
}

static StStatus choose_ends(StReader *reader, const StJson *at, const Joint *given,
                            const StJointType *type, StJointDesc *desc) {
  StJointSite site[2];
  const double origin[3] = {0};
  ST_TRY(read_site(reader, given->from, origin, &site[0]));
  ST_TRY(read_site(reader, given->to, origin, &site[1]));
  ST_TRY(check_sites(reader, at, type, site));
  ST_TRY(st_scene_choose_end(reader, &site[0], &desc->end[0]));
  if (!site[1].point)
    vec3_copy(desc->end[0].place[0], site[1].place);
  // A tie has one position; the other body is attached there too.
  bool same = !type->apart && !site[1].point;
  if (same && (site[1].region || site[1].body))
    site[1].point = site[1].at;
  ST_TRY(st_scene_choose_end(reader, &site[1], &desc->end[1]));
  double span = st_scene_end_radius(reader, &desc->end[0]);
  if (span < 0)
    return st_fail_memory(reader->error);
  if (!(span > 0))
    span = 1e-3 * st_scene_size(reader->description); // a single vertex
  const double *axis = type->axis ? given->axis : NULL;
  ST_TRY(check_places(reader, type, axis, site, desc));
  for (int e = 0; e < 2; e++)
    ST_TRY(st_scene_attach_end(reader, &site[e], type->points, axis, span, &desc->end[e]));
  return type->chosen ? choose_stiffness(reader, at, type, span, desc) : ST_OK;
}

static StStatus read_joint(StReader *reader, const StJson *at) {
  Joint given = {0};
  StStatus status = st_reader_object(reader, at, &st_keys_joint, &given);
  StJointDesc *desc = &reader->description->joint[reader->description->joint_count++];
  *desc = given.desc; // including its curves, even if the rest is rejected
  ST_TRY(status);
  ST_TRY_MEMORY(desc->name = st_copy_string(at->key), reader->error);
  const StJointType *type = &st_joint_types[given.type];
  ST_TRY(check_limits(reader, at, type, desc->type.value));
  if (type->kind == ST_JOINT_MOTOR && desc->type.value[ST_MOTOR_GEAR] == 0)
    return st_reader_fail(reader, st_json_get(at, "gear"), "must not be 0");
  return choose_ends(reader, at, &given, type, desc);
}

StStatus st_scene_read_joints(StReader *reader, const StJson *at, int torques) {
  int count = torques + (at ? at->child_count : 0);
  ST_TRY_MEMORY(reader->description->joint = ST_NEW(StJointDesc, count), reader->error);
  for (const StJson *child = at ? at->child : NULL; child; child = child->next)
    ST_TRY(read_joint(reader, child));
  return ST_OK;
}
