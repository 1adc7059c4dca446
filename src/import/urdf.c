// Joints of a robot, and the scene as a whole. Tested by tests/app/import_urdf.sh.
#include "import/urdf.h"

#include "base/memory.h"
#include "import/urdf_parts.h"
#include "import/write.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A joint between two bodies, or a body and the world, at rest.
typedef struct Site {
  const StUrdfJoint *joint;
  const char *child, *parent; // bodies; parent NULL: the world
  double axis[3], place[3];
} Site;

static const char *body_name(const StUrdf *urdf, int link) {
  const StUrdfLink *body = &urdf->link[urdf->link[link].body];
  return body->body_has_some ? body->name : NULL;
}

static Site site_of(const StUrdf *urdf, const StUrdfJoint *joint) {
  const StUrdfPose *pose = &urdf->link[joint->child].world;
  Site site = {joint, body_name(urdf, joint->child), body_name(urdf, joint->parent), {0}, {0}};
  double length = vec3_length(joint->axis);
  mat3_apply(pose->matrix, joint->axis, site.axis);
  for (int k = 0; k < 3; k++) {
    site.axis[k] /= length;
    site.place[k] = pose->place[k];
  }
  return site;
}

static double number_of(const StUrdf *urdf, const Site *site, const char *element,
                        const char *key) {
  double number = NAN;
  st_xml_numbers(&urdf->tree, st_xml_child(&urdf->tree, site->joint->node, element), key, &number,
                 1);
  return number;
}

// Type, axis and ends, which all joints at a site have.
static StJsonOut begin_joint(const Site *site, const char *what, const char *type, StJsonOut *out) {
  char name[200];
  snprintf(name, sizeof name, "%.150s%s", site->joint->name, what);
  StJsonOut joint = st_json_line(out, name, '{');
  st_json_string(&joint, "type", type);
  st_import_write_vector(&joint, "axis", site->axis);
  StJsonOut from = st_json_line(&joint, "from", '{');
  st_json_string(&from, "body", site->child);
  st_import_write_vector(&from, "point", site->place);
  st_json_end(&from);
  if (site->parent) {
    StJsonOut to = st_json_line(&joint, "to", '{');
    st_json_string(&to, "body", site->parent);
    st_json_end(&to);
  }
  return joint;
}

static void write_limits(const StUrdf *urdf, const Site *site, StJsonOut *joint) {
  double lower = number_of(urdf, site, "limit", "lower");
  double upper = number_of(urdf, site, "limit", "upper");
  st_json_number(joint, "lower", isnan(lower) ? 0 : lower);
  st_json_number(joint, "upper", isnan(upper) ? 0 : upper);
}

static void note_rest(StUrdf *urdf, const Site *site) {
  const char *name = site->joint->name;
  double effort = number_of(urdf, site, "limit", "effort");
  double velocity = number_of(urdf, site, "limit", "velocity");
  double friction = number_of(urdf, site, "dynamics", "friction");
  if (effort > 0 || velocity > 0)
    st_import_note(urdf->notes,
                   "joint %s: limits of effort (%g) and velocity (%g): a robot has no "
                   "motors; give them to yours",
                   name, effort, velocity);
  if (friction > 0)
    st_import_note(urdf->notes, "joint %s: friction of %g", name, friction);
  if (st_xml_child(&urdf->tree, site->joint->node, "mimic") >= 0)
    st_import_note(urdf->notes, "joint %s: it moves freely, not as another one (mimic)", name);
  if (st_xml_child(&urdf->tree, site->joint->node, "safety_controller") >= 0)
    st_import_note(urdf->notes, "joint %s: safety_controller", name);
}

static void write_turning(StUrdf *urdf, const Site *site, bool limited, StJsonOut *out) {
  double damping = number_of(urdf, site, "dynamics", "damping");
  StJsonOut hinge = begin_joint(site, "", "hinge", out);
  st_json_end(&hinge);
  if (limited) {
    StJsonOut stop = begin_joint(site, " stop", "stop", out);
    write_limits(urdf, site, &stop);
    st_json_end(&stop);
  }
  if (damping > 0) {
    StJsonOut damper = begin_joint(site, " damper", "torsion", out);
    st_json_number(&damper, "stiffness", 0);
    st_json_number(&damper, "damping", damping);
    st_json_end(&damper);
  }
}

static void write_sliding(StUrdf *urdf, const Site *site, StJsonOut *out) {
  double damping = number_of(urdf, site, "dynamics", "damping");
  StJsonOut slider = begin_joint(site, "", "slider", out);
  write_limits(urdf, site, &slider);
  st_json_end(&slider);
  if (damping > 0)
    st_import_note(urdf->notes, "joint %s: damping of %g", site->joint->name, damping);
}

static bool moves(const StUrdf *urdf, const StUrdfJoint *joint) {
  return urdf->link[joint->child].body != urdf->link[joint->parent].body;
}

static void write_joints(StUrdf *urdf, StJsonOut *out) {
  StJsonOut joints = st_json_lines(out, "joints", '{');
  for (int j = 0; j < urdf->joint_count; j++) {
    const StUrdfJoint *joint = &urdf->joint[j];
    if (!moves(urdf, joint) || strcmp(joint->type, "floating") == 0)
      continue;
    Site site = site_of(urdf, joint);
    if (strcmp(joint->type, "prismatic") == 0)
      write_sliding(urdf, &site, &joints);
    else
      write_turning(urdf, &site, strcmp(joint->type, "revolute") == 0, &joints);
    note_rest(urdf, &site);
  }
  st_json_end(&joints);
}

// Links that a joint connects do not touch.
static void write_contact(const StUrdf *urdf, StJsonOut *out) {
  StJsonOut contact = st_json_lines(out, "contact", '{');
  StJsonOut pairs = st_json_lines(&contact, "pairs", '[');
  for (int j = 0; j < urdf->joint_count; j++) {
    const StUrdfJoint *joint = &urdf->joint[j];
    const char *child = body_name(urdf, joint->child), *parent = body_name(urdf, joint->parent);
    if (!moves(urdf, joint) || !child || !parent)
      continue;
    StJsonOut pair = st_json_line(&pairs, NULL, '{');
    st_json_string(&pair, "collider", child);
    st_json_string(&pair, "surface", parent);
    st_json_key(&pair, "touch");
    st_text_add(pair.text, "false");
    st_json_end(&pair);
  }
  st_json_end(&pairs);
  st_json_end(&contact);
}

static bool has_neighbours(const StUrdf *urdf) {
  for (int j = 0; j < urdf->joint_count; j++)
    if (moves(urdf, &urdf->joint[j]) && body_name(urdf, urdf->joint[j].parent))
      return true;
  return false;
}

// The body that all others hang on is held.
static void write_base(StUrdf *urdf, StJsonOut *out) {
  int root = 0;
  while (urdf->link[root].joint >= 0)
    root++;
  const char *name = body_name(urdf, root);
  if (!name)
    return;
  StJsonOut boundaries = st_json_lines(out, "boundaries", '{');
  StJsonOut base = st_json_line(&boundaries, "base", '{');
  st_json_string(&base, "body", name);
  st_json_string(&base, "region", "all");
  st_json_end(&base);
  st_json_end(&boundaries);
  st_import_note(urdf->notes, "%s is held: without the boundary \"base\" the robot is free", name);
}

static StStatus write_scene(StUrdf *urdf, StText *text, StError *error) {
  ST_FREE char *name = st_xml_text(&urdf->tree, 0, "name");
  StJsonOut out = st_json_begin(text, '{', 2);
  st_json_string(&out, "title", name ? name : "A robot");
  StJsonOut materials = st_json_lines(&out, "materials", '{');
  StJsonOut link = st_json_line(&materials, "link", '{');
  st_json_string(&link, "law", "rigid");
  st_json_end(&link);
  st_json_end(&materials);
  ST_TRY(st_urdf_write_bodies(urdf, &out, error));
  write_base(urdf, &out);
  write_joints(urdf, &out);
  if (has_neighbours(urdf))
    write_contact(urdf, &out);
  st_json_end(&out);
  st_text_add(text, "\n");
  return text->failed || urdf->notes->failed ? st_fail_memory(error) : ST_OK;
}

StStatus st_urdf_import(const char *path, const char *folder, const StLog *log, StText *scene,
                        StText *notes, StError *error) {
  ST_FINALLY(st_urdf_free)
  StUrdf urdf = {.path = path, .folder = folder, .log = log, .notes = notes};
  ST_TRY(st_urdf_read(&urdf, error));
  return write_scene(&urdf, scene, error);
}
