// Bodies of a robot: a shape or a mesh file where one geometry is all there is, otherwise a mesh in
// the scene. Masses and moments of inertia of links that are one body add up.
// Tested by tests/app/import_urdf.sh.
#include "import/urdf_parts.h"

#include "base/memory.h"
#include "import/write.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/read.h"
#include "mesh/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ROUND = 5e-4; // of the radius: how far facets may be from the circle

// Mass, centre of mass and moments of inertia about it of all links of a body, in the world.
typedef struct Inertia {
  double mass, centre[3], matrix[9];
} Inertia;

static Inertia add_up(const StUrdf *urdf, int body) {
  Inertia sum = {0};
  for (int i = 0; i < urdf->link_count; i++)
    if (urdf->link[i].body == body) {
      sum.mass += urdf->link[i].mass;
      vec3_add_scaled(urdf->link[i].mass, urdf->link[i].centre, sum.centre);
    }
  for (int k = 0; k < 3 && sum.mass > 0; k++)
    sum.centre[k] /= sum.mass;
  for (int i = 0; i < urdf->link_count; i++) {
    const StUrdfLink *link = &urdf->link[i];
    double arm[3];
    vec3_sub(link->centre, sum.centre, arm);
    for (int k = 0; k < 9 && link->body == body; k++)
      sum.matrix[k] += link->inertia[k] + link->mass * ((k % 4 == 0 ? vec3_dot(arm, arm) : 0) -
                                                        arm[k / 3] * arm[k % 3]);
  }
  return sum;
}

static StUrdfPose inverse(const StUrdfPose *pose) {
  StUrdfPose back = {{0}, {0}};
  for (int i = 0; i < 9; i++)
    back.matrix[i] = pose->matrix[i % 3 * 3 + i / 3];
  mat3_apply(back.matrix, pose->place, back.place);
  for (int k = 0; k < 3; k++)
    back.place[k] = -back.place[k];
  return back;
}

// Mass properties in the coordinates of the mesh. pose: from these to the world.
static void write_inertia(StUrdf *urdf, int body, const StUrdfPose *pose, StJsonOut *out) {
  Inertia world = add_up(urdf, body);
  StUrdfPose back = inverse(pose);
  double centre[3], matrix[9];
  if (!(world.mass > 0)) {
    st_import_note(urdf->notes, "link %s: it has no mass; that of water is there",
                   urdf->link[body].name);
    return;
  }
  st_urdf_pose_apply(&back, world.centre, centre);
  st_urdf_pose_turn_matrix(&back, world.matrix, matrix);
  for (int k = 0; k < 9; k++)
    if (fabs(matrix[k]) < 1e-12 * (matrix[0] + matrix[4] + matrix[8]))
      matrix[k] = 0; // round-off
  st_json_number(out, "mass", world.mass);
  st_import_write_vector(out, "centre", centre);
  if (!(matrix[0] > 0 && matrix[4] > 0 && matrix[8] > 0)) {
    st_import_note(urdf->notes,
                   "link %s: it has no moments of inertia; those of a uniform density "
                   "are there",
                   urdf->link[body].name);
    return;
  }
  st_import_write_vector(out, "inertia", (const double[]){matrix[0], matrix[4], matrix[8]});
  if (matrix[1] != 0 || matrix[2] != 0 || matrix[5] != 0)
    st_import_write_vector(out, "inertia_products",
                           (const double[]){matrix[1], matrix[2], matrix[5]});
}

// The rotation as an axis and an angle.
static void write_pose(const StUrdfPose *pose, StJsonOut *out) {
  const double *m = pose->matrix;
  double axis[3] = {m[7] - m[5], m[2] - m[6], m[3] - m[1]}, sine = vec3_length(axis) / 2;
  double angle = atan2(sine, (m[0] + m[4] + m[8] - 1) / 2);
  if (angle > 3.14) { // nearly half a turn: the axis is the largest column of R + 1
    int k = m[0] > m[4] ? (m[0] > m[8] ? 0 : 2) : (m[4] > m[8] ? 1 : 2);
    double sign = axis[k] < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
      axis[i] = sign * (m[3 * i + k] + (i == k));
  }
  if (angle > 1e-12) {
    double length = vec3_length(axis);
    StJsonOut rotation = st_json_line(out, "rotate", '{');
    st_import_write_vector(&rotation, "axis",
                           (const double[]){axis[0] / length, axis[1] / length, axis[2] / length});
    st_json_number(&rotation, "angle", angle);
    st_json_end(&rotation);
  }
  if (vec3_length(pose->place) > 0)
    st_import_write_vector(out, "translate", pose->place);
}

static void write_shape(const StUrdfGeometry *geometry, StJsonOut *out) {
  static const char *const SIZE[3] = {"size_x", "size_y", "size_z"};
  StJsonOut shape = st_json_line(out, "shape", '{');
  if (geometry->shape == ST_URDF_BOX) {
    st_json_string(&shape, "type", "box");
    for (int k = 0; k < 3; k++)
      st_json_number(&shape, SIZE[k], geometry->size[k]);
  } else {
    bool sphere = geometry->shape == ST_URDF_SPHERE;
    st_json_string(&shape, "type", sphere ? "sphere" : "cylinder");
    st_json_number(&shape, "radius", geometry->size[0]);
    if (!sphere)
      st_json_number(&shape, "height", geometry->size[1]);
  }
  st_json_end(&shape);
}

static StStatus make_shape(const StUrdfGeometry *geometry, StMesh **mesh, StError *error) {
  static const char *const NAME[] = {"box", "cylinder", "sphere"};
  const StShapeType *type = st_shape_find(NAME[geometry->shape]);
  double value[ST_PARAM_MAX];
  st_param_defaults(type->param, type->param_count, value);
  for (int i = 0; i < (geometry->shape == ST_URDF_BOX ? 3 : 2); i++)
    if (geometry->shape != ST_URDF_SPHERE || i == 0)
      value[i] = geometry->size[i];
  st_shape_refine_round(type, ROUND, value);
  return type->make(value, ST_SHAPE_SURFACE, mesh, error);
}

// A geometry's surface, in the world.
static StStatus surface_of(const StUrdf *urdf, const StUrdfGeometry *geometry, StMesh **mesh,
                           StError *error) {
  bool file = geometry->shape == ST_URDF_MESH;
  StUrdfPose world = st_urdf_pose_chain(&geometry->pose, &urdf->link[geometry->link].world);
  ST_TRY(file ? st_mesh_read(geometry->mesh, urdf->log, mesh, error)
              : make_shape(geometry, mesh, error));
  for (int i = 0; i < (*mesh)->vertex_count; i++) {
    double *x = (*mesh)->position + 3 * i, scaled[3];
    for (int k = 0; k < 3; k++)
      scaled[k] = x[k] * (file ? geometry->size[k] : 1);
    st_urdf_pose_apply(&world, scaled, x);
  }
  return ST_OK;
}

// Several surfaces as one mesh within the scene.
static StStatus write_surfaces(const StUrdf *urdf, int body, StJsonOut *out, StError *error) {
  ST_FINALLY(st_text_free) StText triangles = {0};
  StJsonOut mesh = st_json_lines(out, "mesh", '{');
  StJsonOut vertices = st_json_line(&mesh, "vertices", '[');
  int first = 0;
  for (int g = 0; g < urdf->geometry_count; g++) {
    ST_FINALLY(st_mesh_destroy_at) StMesh *part = NULL;
    ST_FREE int *boundary = NULL;
    if (urdf->link[urdf->geometry[g].link].body != body)
      continue;
    ST_TRY(surface_of(urdf, &urdf->geometry[g], &part, error));
    int count = part->triangle_count;
    const int *triangle = part->triangle;
    if (part->tet_count > 0) {
      ST_TRY(st_mesh_boundary(part, &boundary, &count, error));
      triangle = boundary;
    }
    for (int i = 0; i < 3 * part->vertex_count; i++)
      st_json_number(&vertices, NULL, part->position[i]);
    for (int i = 0; i < 3 * count; i++)
      st_text_add(&triangles, "%s%d", triangles.length ? ", " : "", first + triangle[i]);
    first += part->vertex_count;
  }
  st_json_end(&vertices);
  st_json_key(&mesh, "triangles");
  st_text_add(out->text, "[%s]", triangles.data ? triangles.data : "");
  st_json_end(&mesh);
  return triangles.failed ? st_fail_memory(error) : ST_OK;
}

static StStatus check_mesh(StUrdf *urdf, const StUrdfGeometry *geometry, StError *error) {
  ST_FINALLY(st_mesh_destroy_at) StMesh *mesh = NULL;
  StMeshReport report;
  ST_TRY(st_mesh_read(geometry->mesh, urdf->log, &mesh, error));
  ST_TRY(st_mesh_report(mesh, &report, error));
  if (!report.closed && mesh->tet_count == 0)
    st_import_note(urdf->notes,
                   "link %s: the surface of %s is not closed, which a rigid body needs",
                   urdf->link[geometry->link].name, geometry->mesh);
  return ST_OK;
}

static StStatus write_body(StUrdf *urdf, int body, StJsonOut *out, StError *error) {
  static const StUrdfPose world = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  const StUrdfGeometry *only = NULL;
  int count = 0;
  for (int g = 0; g < urdf->geometry_count; g++)
    if (urdf->link[urdf->geometry[g].link].body == body) {
      only = &urdf->geometry[g];
      count++;
    }
  StUrdfPose pose =
      count == 1 ? st_urdf_pose_chain(&only->pose, &urdf->link[only->link].world) : world;
  if (count > 1) {
    ST_TRY(write_surfaces(urdf, body, out, error));
  } else if (only->shape == ST_URDF_MESH) {
    static const double ONE[3] = {1, 1, 1};
    ST_TRY(check_mesh(urdf, only, error));
    st_import_write_mesh(out, urdf->folder, only->mesh);
    if (memcmp(only->size, ONE, sizeof ONE) != 0)
      st_import_write_vector(out, "scale", only->size);
  } else {
    write_shape(only, out);
  }
  write_pose(&pose, out);
  write_inertia(urdf, body, &pose, out);
  return ST_OK;
}

StStatus st_urdf_write_bodies(StUrdf *urdf, StJsonOut *out, StError *error) {
  StJsonOut bodies = st_json_lines(out, "bodies", '{');
  for (int i = 0; i < urdf->link_count; i++) {
    if (urdf->link[i].body != i || !urdf->link[i].body_has_some)
      continue;
    StJsonOut body = st_json_lines(&bodies, urdf->link[i].name, '{');
    StStatus status = write_body(urdf, i, &body, error);
    if (status != ST_OK)
      return st_error_prefix(error, status, "%s: link %s: ", urdf->path, urdf->link[i].name);
    st_json_end(&body);
  }
  st_json_end(&bodies);
  return ST_OK;
}
