// Reads links and joints, and where all links are at rest. Tested by tests/app/import_urdf.sh.
#include "import/urdf_parts.h"

#include "base/file.h"
#include "base/memory.h"
#include "import/write.h"
#include "math/vec3.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const StUrdfPose identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

StStatus st_urdf_fail(const StUrdf *urdf, int node, StError *error, const char *format, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return st_fail(error, ST_BAD_INPUT, "%s:%d: %s", urdf->path, urdf->tree.node[node].line, text);
}

void st_urdf_pose_apply(const StUrdfPose *pose, const double y[3], double x[3]) {
  mat3_apply(pose->matrix, y, x);
  vec3_add_scaled(1, pose->place, x);
}

static void multiply(const double a[9], const double b[9], double out[9]) {
  for (int i = 0; i < 9; i++)
    out[i] =
        a[i / 3 * 3] * b[i % 3] + a[i / 3 * 3 + 1] * b[3 + i % 3] + a[i / 3 * 3 + 2] * b[6 + i % 3];
}

StUrdfPose st_urdf_pose_chain(const StUrdfPose *first, const StUrdfPose *then) {
  StUrdfPose pose;
  multiply(then->matrix, first->matrix, pose.matrix);
  st_urdf_pose_apply(then, first->place, pose.place);
  return pose;
}

void st_urdf_pose_turn_matrix(const StUrdfPose *pose, const double m[9], double turned[9]) {
  double left[9], transposed[9];
  for (int i = 0; i < 9; i++)
    transposed[i] = pose->matrix[i % 3 * 3 + i / 3];
  multiply(pose->matrix, m, left);
  multiply(left, transposed, turned);
}

// Rotations about x, y, z, in this order, then the translation.
static StUrdfPose read_origin(const StUrdf *urdf, int node) {
  int origin = st_xml_child(&urdf->tree, node, "origin");
  StUrdfPose pose = identity;
  double angle[3] = {0}, turn[9], before[9];
  st_xml_numbers(&urdf->tree, origin, "xyz", pose.place, 3);
  st_xml_numbers(&urdf->tree, origin, "rpy", angle, 3);
  for (int k = 0; k < 3; k++) {
    memcpy(before, pose.matrix, sizeof before);
    mat3_rotation((const double[]){k == 0, k == 1, k == 2}, angle[k], turn);
    multiply(turn, before, pose.matrix);
  }
  return pose;
}

// "package://name/path": the folder "name" is looked for beside the robot's file and above it.
static char *find_package(const char *start, const char *name) {
  size_t length = strcspn(name, "/");
  ST_FREE char *folder = realpath(*start ? start : ".", NULL);
  while (folder && *folder) {
    char *slash = strrchr(folder, '/');
    bool here = strlen(slash + 1) == length && memcmp(slash + 1, name, length) == 0;
    char *path = here ? st_format("%s%s", folder, name + length) : st_format("%s/%s", folder, name);
    if (!path || st_file_exists(path))
      return path;
    free(path);
    *slash = 0;
  }
  return st_copy_string(name);
}

static StStatus find_mesh(const StUrdf *urdf, int node, char **path, StError *error) {
  static const char *const SCHEME[] = {"package://", "model://", "file://"};
  ST_FREE char *name = st_xml_text(&urdf->tree, node, "filename");
  ST_FREE char *start = st_import_folder(urdf->path);
  if (!name)
    return st_urdf_fail(urdf, node, error, "mesh: \"filename\" is missing");
  ST_TRY_MEMORY(start, error);
  *path = NULL;
  for (int i = 0; i < ST_LENGTH(SCHEME); i++)
    if (strncmp(name, SCHEME[i], strlen(SCHEME[i])) == 0)
      *path = i < 2 ? find_package(start, name + strlen(SCHEME[i]))
                    : st_copy_string(name + strlen(SCHEME[i]));
  if (!*path)
    *path = *name == '/' ? st_copy_string(name) : st_format("%s%s", start, name);
  ST_TRY_MEMORY(*path, error);
  return ST_OK;
}

static StStatus read_shape(const StUrdf *urdf, int node, StUrdfGeometry *geometry, StError *error) {
  const StXmlTree *tree = &urdf->tree;
  int shape = st_xml_child(tree, node, "geometry"), child;
  bool good = true;
  if ((child = st_xml_child(tree, shape, "box")) >= 0) {
    geometry->shape = ST_URDF_BOX;
    good = st_xml_numbers(tree, child, "size", geometry->size, 3) == 3;
  } else if ((child = st_xml_child(tree, shape, "cylinder")) >= 0) {
    geometry->shape = ST_URDF_CYLINDER;
    good = st_xml_numbers(tree, child, "radius", geometry->size, 1) == 1 &&
           st_xml_numbers(tree, child, "length", geometry->size + 1, 1) == 1;
  } else if ((child = st_xml_child(tree, shape, "sphere")) >= 0) {
    geometry->shape = ST_URDF_SPHERE;
    good = st_xml_numbers(tree, child, "radius", geometry->size, 1) == 1;
  } else if ((child = st_xml_child(tree, shape, "mesh")) >= 0) {
    geometry->shape = ST_URDF_MESH;
    int count = st_xml_numbers(tree, child, "scale", geometry->size, 3);
    for (int k = count; k < 3; k++)
      geometry->size[k] = count == 1 ? geometry->size[0] : 1;
    return find_mesh(urdf, child, &geometry->mesh, error);
  }
  return child >= 0 && good ? ST_OK
                            : st_urdf_fail(urdf, node, error,
                                           "geometry: a box (size), cylinder (radius, length), "
                                           "sphere (radius) or mesh (filename) is needed");
}

static StStatus read_geometry(StUrdf *urdf, int node, const char *kind, StError *error) {
  StUrdfLink *link = &urdf->link[urdf->link_count - 1];
  for (int at = st_xml_child(&urdf->tree, node, kind); at >= 0;
       at = st_xml_next_child(&urdf->tree, at, kind)) {
    StUrdfGeometry geometry = {.pose = read_origin(urdf, at), .link = urdf->link_count - 1};
    ST_TRY(read_shape(urdf, at, &geometry, error));
    if (!st_grow((void **)&urdf->geometry, &urdf->geometry_capacity,
                 (size_t)urdf->geometry_count + 1, sizeof geometry)) {
      free(geometry.mesh);
      return st_fail_memory(error);
    }
    urdf->geometry[urdf->geometry_count++] = geometry;
    link->has_geometry = true;
  }
  return ST_OK;
}

// Mass properties in the link's frame; move_inertia turns them into the world's.
static void read_inertia(const StUrdf *urdf, int node, StUrdfLink *link) {
  static const char *const NAME[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  static const int ENTRY[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
  int inertial = st_xml_child(&urdf->tree, node, "inertial");
  StUrdfPose pose = read_origin(urdf, inertial);
  double moment[6] = {0}, matrix[9];
  st_xml_numbers(&urdf->tree, st_xml_child(&urdf->tree, inertial, "mass"), "value", &link->mass, 1);
  for (int i = 0; i < 6; i++)
    st_xml_numbers(&urdf->tree, st_xml_child(&urdf->tree, inertial, "inertia"), NAME[i], &moment[i],
                   1);
  for (int i = 0; i < 9; i++)
    matrix[i] = moment[ENTRY[i]];
  memcpy(link->centre, pose.place, sizeof link->centre);
  st_urdf_pose_turn_matrix(&pose, matrix, link->inertia);
}

static StStatus read_link(StUrdf *urdf, int node, StError *error) {
  StUrdfLink link = {.name = st_xml_text(&urdf->tree, node, "name"), .joint = -1};
  if (!link.name)
    return st_urdf_fail(urdf, node, error, "link: \"name\" is missing");
  read_inertia(urdf, node, &link);
  if (!st_grow((void **)&urdf->link, &urdf->link_capacity, (size_t)urdf->link_count + 1,
               sizeof link)) {
    free(link.name);
    return st_fail_memory(error);
  }
  urdf->link[urdf->link_count++] = link;
  ST_TRY(read_geometry(urdf, node, "collision", error));
  return urdf->link[urdf->link_count - 1].has_geometry ? ST_OK
                                                       : read_geometry(urdf, node, "visual", error);
}

static StStatus find_link(const StUrdf *urdf, int node, const char *end, int *link,
                          StError *error) {
  ST_FREE char *name = st_xml_text(&urdf->tree, st_xml_child(&urdf->tree, node, end), "link");
  for (*link = 0; *link < urdf->link_count; ++*link)
    if (name && strcmp(urdf->link[*link].name, name) == 0)
      return ST_OK;
  return st_urdf_fail(urdf, node, error, "joint: there is no %s link \"%s\"", end,
                      name ? name : "");
}

static StStatus read_joint(StUrdf *urdf, int node, StError *error) {
  StUrdfJoint joint = {.node = node, .axis = {1, 0, 0}};
  ST_TRY(find_link(urdf, node, "parent", &joint.parent, error));
  ST_TRY(find_link(urdf, node, "child", &joint.child, error));
  if (urdf->link[joint.child].joint >= 0)
    return st_urdf_fail(urdf, node, error, "joint: the link \"%s\" has two parents",
                        urdf->link[joint.child].name);
  st_xml_numbers(&urdf->tree, st_xml_child(&urdf->tree, node, "axis"), "xyz", joint.axis, 3);
  ST_TRY_MEMORY(st_grow((void **)&urdf->joint, &urdf->joint_capacity, (size_t)urdf->joint_count + 1,
                        sizeof joint),
                error);
  joint.name = st_xml_text(&urdf->tree, node, "name");
  joint.type = st_xml_text(&urdf->tree, node, "type");
  urdf->link[joint.child].joint = urdf->joint_count;
  urdf->joint[urdf->joint_count++] = joint;
  if (!joint.name || !joint.type)
    return st_urdf_fail(urdf, node, error, "joint: \"name\" or \"type\" is missing");
  return vec3_length(joint.axis) > 0
             ? ST_OK
             : st_urdf_fail(urdf, node, error, "joint \"%s\": the axis has no length", joint.name);
}

// Whether a joint is rigid: fixed, or of a type that cannot be imported.
static bool is_rigid(StUrdf *urdf, const StUrdfJoint *joint) {
  const char *type = joint->type;
  if (strcmp(type, "fixed") == 0)
    return true;
  if (strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0 ||
      strcmp(type, "prismatic") == 0 || strcmp(type, "floating") == 0)
    return false;
  st_import_note(urdf->notes, "joint %s: of type \"%s\"; it is rigid", joint->name, type);
  return true;
}

// Places links from the root on; those with a way to the root through rigid joints are its body.
static StStatus place_links(StUrdf *urdf, StError *error) {
  int placed = 0, roots = 0;
  ST_FREE bool *done = ST_NEW(bool, urdf->link_count);
  ST_TRY_MEMORY(done, error);
  for (int last = -1; placed > last;) {
    last = placed;
    for (int i = 0; i < urdf->link_count; i++) {
      StUrdfLink *link = &urdf->link[i];
      const StUrdfJoint *joint = link->joint < 0 ? NULL : &urdf->joint[link->joint];
      if (done[i] || (joint && !done[joint->parent]))
        continue;
      StUrdfPose pose = joint ? read_origin(urdf, joint->node) : identity;
      link->world = joint ? st_urdf_pose_chain(&pose, &urdf->link[joint->parent].world) : identity;
      link->body = joint && is_rigid(urdf, joint) ? urdf->link[joint->parent].body : i;
      roots += !joint;
      done[i] = true;
      placed++;
    }
  }
  if (roots > 1)
    return st_urdf_fail(urdf, 0, error, "%d links have no parent; one is needed", roots);
  if (placed < urdf->link_count)
    return st_urdf_fail(urdf, 0, error, "joints form a loop");
  return ST_OK;
}

// A moving body needs a shape: one without becomes part of the body above it.
static void join_empty_bodies(StUrdf *urdf) {
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < urdf->link_count; i++)
      urdf->link[i].body_has_some = false;
    for (int i = 0; i < urdf->link_count; i++)
      urdf->link[urdf->link[i].body].body_has_some |= urdf->link[i].has_geometry;
    for (int i = 0; i < urdf->link_count && !again; i++) {
      const StUrdfLink *link = &urdf->link[i];
      if (link->body != i || link->body_has_some || link->joint < 0)
        continue;
      const StUrdfJoint *joint = &urdf->joint[link->joint];
      st_import_note(urdf->notes, "joint %s: link %s has no geometry; the joint is rigid",
                     joint->name, link->name);
      for (int k = 0; k < urdf->link_count; k++)
        if (urdf->link[k].body == i)
          urdf->link[k].body = urdf->link[joint->parent].body;
      again = true;
    }
  }
}

static void move_inertia(StUrdfLink *link) {
  double centre[3], inertia[9];
  st_urdf_pose_apply(&link->world, link->centre, centre);
  st_urdf_pose_turn_matrix(&link->world, link->inertia, inertia);
  memcpy(link->centre, centre, sizeof centre);
  memcpy(link->inertia, inertia, sizeof inertia);
}

StStatus st_urdf_read(StUrdf *urdf, StError *error) {
  ST_TRY(st_xml_tree_read(urdf->path, &urdf->tree, error));
  const StXmlTree *tree = &urdf->tree;
  if (!st_span_is(tree->node[0].tag.name, "robot"))
    return st_urdf_fail(urdf, 0, error, "no robot: <robot> is needed at the top, not <%s>",
                        st_quote(tree->node[0].tag.name).text);
  for (int n = tree->node[0].child; n >= 0; n = tree->node[n].next)
    if (strncmp(tree->node[n].tag.name.at, "xacro:", 6) == 0)
      return st_urdf_fail(urdf, n, error, "macros of xacro are not expanded here; do so before");
  for (int n = st_xml_child(tree, 0, "link"); n >= 0; n = st_xml_next_child(tree, n, "link"))
    ST_TRY(read_link(urdf, n, error));
  for (int n = st_xml_child(tree, 0, "joint"); n >= 0; n = st_xml_next_child(tree, n, "joint"))
    ST_TRY(read_joint(urdf, n, error));
  if (urdf->geometry_count == 0)
    return st_urdf_fail(urdf, 0, error, "no link has a geometry");
  ST_TRY(place_links(urdf, error));
  join_empty_bodies(urdf);
  for (int i = 0; i < urdf->link_count; i++)
    move_inertia(&urdf->link[i]);
  return ST_OK;
}

void st_urdf_free(StUrdf *urdf) {
  for (int i = 0; i < urdf->link_count; i++)
    free(urdf->link[i].name);
  for (int i = 0; i < urdf->joint_count; i++) {
    free(urdf->joint[i].name);
    free(urdf->joint[i].type);
  }
  for (int i = 0; i < urdf->geometry_count; i++)
    free(urdf->geometry[i].mesh);
  free(urdf->link);
  free(urdf->joint);
  free(urdf->geometry);
  st_xml_tree_free(&urdf->tree);
}
