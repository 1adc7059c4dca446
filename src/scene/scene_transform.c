// rotate: {"axis": "z", "angle": "30 deg", "centre": […]}, and the placement of a mesh in the
// world.
#include "scene/parts.h"

#include "math/vec3.h"
#include "base/memory.h"
#include "mesh/second_order.h"

#include <math.h>
#include <string.h>

typedef struct Rotate {
  double axis[3], angle, centre[3];
} Rotate;

static const StKey KEYS[] = {
    ST_KEY(Rotate, axis, DIRECTION, "Direction of the axis, by the right-hand rule.",
           .required = true),
    ST_KEY(Rotate, angle, SCALAR, "Angle; a plain number is in radians.", .param.kind = ST_REAL,
           .param.dimension = ST_ANGLE, .param.fallback = NAN, .required = true),
    ST_KEY(Rotate, centre, VECTOR, "A point on the axis.", .param.dimension = ST_LENGTH_DIMENSION,
           .otherwise = "[0, 0, 0]"),
};

const StKeyTable st_keys_rotate = {
    .name = "rotation",
    .doc = "A rotation about an axis.",
    ST_KEYS(KEYS),
};

// A full turn changes nothing, so more than one is hardly meant in radians. Motions do turn
// further.
void st_scene_warn_angle(const StReader *reader, const StJson *at) {
  static const double TURN = 6.28318530717958648;
  if (at && at->kind == ST_JSON_NUMBER && fabs(at->number) > TURN)
    st_reader_warn(reader, at, "%g rad is %.3g turns; an angle in degrees is \"%g deg\"",
                   at->number, at->number / TURN, at->number);
}

static StStatus read_rotation(StReader *reader, const StJson *at, double matrix[9],
                              double centre[3]) {
  Rotate rotate = {0};
  ST_TRY(st_reader_object(reader, at, &st_keys_rotate, &rotate));
  st_scene_warn_angle(reader, st_json_get(at, "angle"));
  mat3_rotation(rotate.axis, rotate.angle, matrix);
  vec3_copy(rotate.centre, centre);
  return ST_OK;
}

static void turn(const double matrix[9], const double centre[3], double x[3]) {
  double arm[3];
  vec3_sub(x, centre, arm);
  mat3_apply(matrix, arm, x);
  vec3_add_scaled(1, centre, x);
}

static StStatus rotate_mesh(StReader *reader, const StJson *at, StMesh *mesh) {
  double matrix[9], centre[3];
  ST_TRY(read_rotation(reader, at, matrix, centre));
  for (int v = 0; v < mesh->vertex_count; v++)
    turn(matrix, centre, mesh->position + 3 * v);
  return ST_OK;
}

static StStatus rotate_pose(StReader *reader, const StJson *at, double rotation[9],
                            double origin[3]) {
  double matrix[9], centre[3], before[9];
  ST_TRY(read_rotation(reader, at, matrix, centre));
  memcpy(before, rotation, sizeof before);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      rotation[3 * i + j] = matrix[3 * i] * before[j] + matrix[3 * i + 1] * before[3 + j] +
                            matrix[3 * i + 2] * before[6 + j];
  turn(matrix, centre, origin);
  return ST_OK;
}

static void swap(int *a, int *b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

// Mirroring turns a mesh inside out. Of an element of second order the parts at the two corners
// change places as well.
static void turn_inside_out(StMesh *mesh) {
  for (int i = 0; i < mesh->tet_count; i++)
    swap(&mesh->tet[4 * i + 2], &mesh->tet[4 * i + 3]);
  for (int i = 0; mesh->second_order && i < 4 * mesh->tet_count; i += 4 * ST_SECOND_PARTS)
    for (int k = 0; k < 4; k++)
      swap(&mesh->tet[i + 8 + k], &mesh->tet[i + 12 + k]);
  for (int i = 0; i < mesh->triangle_count; i++)
    swap(&mesh->triangle[3 * i + 1], &mesh->triangle[3 * i + 2]);
  st_mesh_forget_boundary(mesh);
}

static void scale_mesh(const double scale[3], StMesh *mesh) {
  for (int v = 0; v < mesh->vertex_count; v++)
    for (int k = 0; k < 3; k++)
      mesh->position[3 * v + k] *= scale[k];
  int mirrors = (scale[0] < 0) + (scale[1] < 0) + (scale[2] < 0);
  if (mirrors % 2)
    turn_inside_out(mesh);
}

// Extreme values can overflow positions or flatten elements by round-off.
static StStatus check_placed(StReader *reader, const StJson *body, const StMesh *mesh) {
  for (int i = 0; i < 3 * mesh->vertex_count; i++)
    if (!isfinite(mesh->position[i]))
      return st_reader_fail(reader, body, "scale, rotate and translate carry vertex %d to infinity",
                            i / 3);
  for (int i = 0; i < mesh->tet_count; i++) {
    double volume = st_tet_volume(mesh->position, mesh->tet + 4 * i);
    if (!(volume > 0) || !isfinite(volume))
      return st_reader_fail(
          reader, body, "scale, rotate and translate make tetrahedron %d too %s to have a volume",
          i, isfinite(volume) ? "small" : "large");
  }
  for (int i = 0; i < mesh->triangle_count; i++) {
    double area = st_triangle_area(mesh->position, mesh->triangle + 3 * i);
    if (!(area > 0) || !isfinite(area))
      return st_reader_fail(reader, body,
                            "scale, rotate and translate make triangle %d too %s to have an area",
                            i, isfinite(area) ? "small" : "large");
  }
  return ST_OK;
}

// Iterates over one object or a list of them.
static const StJson *first_of(const StJson *at) {
  return at && at->kind == ST_JSON_LIST ? at->child : at;
}

static const StJson *next_of(const StJson *list, const StJson *item) {
  return list->kind == ST_JSON_LIST ? item->next : NULL;
}

static StStatus apply_scale(StReader *reader, const StJson *at, const double scale[3],
                            StMesh *mesh) {
  for (int k = 0; k < 3; k++)
    if (scale[k] == 0)
      return st_reader_fail(reader, st_json_get(at, "scale"), "must not be zero");
  scale_mesh(scale, mesh);
  return ST_OK;
}

StStatus st_scene_scale_mesh(StReader *reader, const StJson *at, const double scale[3],
                             StMesh *mesh) {
  ST_TRY(apply_scale(reader, at, scale, mesh));
  return check_placed(reader, at, mesh);
}

StStatus st_scene_pose(StReader *reader, const StJson *at, const StJson *rotate,
                       const double translate[3], double rotation[9], double origin[3]) {
  for (const StJson *item = first_of(rotate); item; item = next_of(rotate, item))
    ST_TRY(rotate_pose(reader, item, rotation, origin));
  vec3_add_scaled(1, translate, origin);
  for (int k = 0; k < 3; k++)
    if (!isfinite(origin[k]))
      return st_reader_fail(reader, at, "rotate and translate carry it to infinity");
  return ST_OK;
}

StStatus st_scene_transform(StReader *reader, const StJson *body, const double scale[3],
                            const StJson *rotate, const double translate[3], StMesh *mesh) {
  ST_TRY(apply_scale(reader, body, scale, mesh));
  for (const StJson *item = first_of(rotate); item; item = next_of(rotate, item))
    ST_TRY(rotate_mesh(reader, item, mesh));
  for (int v = 0; v < mesh->vertex_count; v++)
    vec3_add_scaled(1, translate, mesh->position + 3 * v);
  return check_placed(reader, body, mesh);
}
