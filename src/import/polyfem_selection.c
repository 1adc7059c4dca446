// Selections: PolyFEM gives each face of a body's surface the id of the first selection that its
// middle is in, and each vertex there that of the first point selection that it is in. Tested by
// tests/app/import_polyfem.sh.
#include "import/polyfem_parts.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "mesh/check.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOTHING = -1, OTHER_SIDES = 7 };

// The box of an item, for positions relative to it.
typedef struct Frame {
  const double *low, *high;
  bool relative;
} Frame;

static bool read_place(const StJson *value, const Frame *frame, double place[3]) {
  if (!st_polyfem_vector(value, place))
    return false;
  for (int k = 0; k < 3 && frame->relative; k++)
    place[k] = frame->low[k] + place[k] * (frame->high[k] - frame->low[k]);
  return true;
}

static double diagonal(const Frame *frame) {
  double size[3];
  vec3_sub(frame->high, frame->low, size);
  return vec3_length(size);
}

static bool in_box(const StJson *box, const Frame *frame, const double x[3]) {
  double low[3], high[3];
  if (box->kind != ST_JSON_LIST || box->child_count != 2 || !read_place(box->child, frame, low) ||
      !read_place(box->child->next, frame, high))
    return false;
  for (int k = 0; k < 3; k++)
    if (x[k] < low[k] || x[k] > high[k])
      return false;
  return true;
}

static bool in_ball(const StJson *selection, const Frame *frame, const double x[3]) {
  double centre[3], way[3], radius = st_polyfem_number(st_json_get(selection, "radius"));
  if (!read_place(st_json_get(selection, "center"), frame, centre))
    return false;
  vec3_sub(x, centre, way);
  return vec3_length(way) <= radius * (frame->relative ? diagonal(frame) : 1);
}

static bool in_cylinder(const StJson *selection, const Frame *frame, const double x[3]) {
  double a[3], b[3], axis[3], way[3], radius = st_polyfem_number(st_json_get(selection, "radius"));
  if (!read_place(st_json_get(selection, "p1"), frame, a) ||
      !read_place(st_json_get(selection, "p2"), frame, b))
    return false;
  vec3_sub(b, a, axis);
  vec3_sub(x, a, way);
  double length = vec3_length(axis), along = vec3_dot(way, axis) / length;
  double across = sqrt(fmax(vec3_dot(way, way) - along * along, 0));
  return along >= 0 && along <= length &&
         across <= radius * (frame->relative ? diagonal(frame) : 1);
}

// An axis is a number ±1 … ±3 or a text such as "-y".
static int read_axis(const StJson *axis) {
  if (axis->kind == ST_JSON_NUMBER)
    return (int)axis->number;
  if (axis->kind != ST_JSON_STRING || !*axis->text)
    return 0;
  int letter = tolower((unsigned char)axis->text[strlen(axis->text) - 1]) - 'x' + 1;
  return *axis->text == '-' ? -letter : letter;
}

static bool behind_position(const StJson *selection, const Frame *frame, const double x[3]) {
  int axis = read_axis(st_json_get(selection, "axis")), k = abs(axis) - 1;
  double position = st_polyfem_number(st_json_get(selection, "position"));
  if (k < 0 || k > 2)
    return false;
  if (frame->relative)
    position = frame->low[k] + position * (frame->high[k] - frame->low[k]);
  return axis > 0 ? x[k] >= position : x[k] <= position;
}

static bool behind_plane(const StJson *selection, const Frame *frame, const double x[3]) {
  double normal[3], point[3], way[3], offset = st_polyfem_number(st_json_get(selection, "offset"));
  if (!st_polyfem_vector(st_json_get(selection, "normal"), normal))
    return false;
  double length = vec3_length(normal);
  for (int k = 0; k < 3; k++)
    point[k] = isnan(offset) ? 0 : offset * normal[k] / length;
  read_place(st_json_get(selection, "point"), frame, point);
  vec3_sub(x, point, way);
  return vec3_dot(way, normal) >= 0;
}

// Sides of the box: 1, 2 the lower ones in x and y, 3, 4 the upper ones, 5, 6 those in z.
static int box_side(const StJson *selection, const Frame *frame, const double x[3]) {
  static const int AXIS[] = {0, 1, 0, 1, 2, 2};
  double threshold = st_polyfem_number(st_json_get(selection, "threshold"));
  int side = 0;
  threshold = threshold < 0 ? 1e-7 : threshold;
  for (; side < 6; side++) {
    const double *corner = side == 2 || side == 3 || side == 5 ? frame->high : frame->low;
    if (fabs(x[AXIS[side]] - corner[AXIS[side]]) < threshold)
      break;
  }
  double offset = st_polyfem_number(st_json_get(selection, "id_offset"));
  return (side < 6 ? side + 1 : OTHER_SIDES) + (isnan(offset) ? 0 : (int)offset);
}

// The id that one selection gives a face with this middle, or a vertex.
static int id_by(const StJson *selection, const StPolyfemItem *item, const double x[3]) {
  const StJson *relative = st_json_get(selection, "relative");
  const Frame frame = {item->low, item->high, relative && relative->truth};
  double id = st_polyfem_number(st_json_get(selection, "id"));
  bool inside = true;
  if (selection->kind == ST_JSON_NUMBER)
    return (int)selection->number;
  if (st_json_get(selection, "threshold"))
    return box_side(selection, &frame, x);
  if (st_json_get(selection, "box"))
    inside = in_box(st_json_get(selection, "box"), &frame, x);
  else if (st_json_get(selection, "center"))
    inside = in_ball(selection, &frame, x);
  else if (st_json_get(selection, "p1"))
    inside = in_cylinder(selection, &frame, x);
  else if (st_json_get(selection, "axis"))
    inside = behind_position(selection, &frame, x);
  else if (st_json_get(selection, "normal"))
    inside = behind_plane(selection, &frame, x);
  return inside && !isnan(id) ? (int)id : NOTHING;
}

static int selected_id(const StPolyfemItem *item, const StJson *selections, const double x[3]) {
  if (selections->kind != ST_JSON_LIST)
    return id_by(selections, item, x);
  for (const StJson *one = selections->child; one; one = one->next) {
    int id = id_by(one, item, x);
    if (id != NOTHING)
      return id;
  }
  return NOTHING;
}

static void mark_faces(const StPolyfemItem *item, const StJson *selections, const StJson *id,
                       const int *triangle, int count, bool *marked) {
  const double *position = item->mesh->position;
  for (int t = 0; t < count; t++) {
    const int *corner = triangle + 3 * t;
    double x[3];
    for (int k = 0; k < 3; k++)
      x[k] = item->offset[k] + (position[3 * corner[0] + k] + position[3 * corner[1] + k] +
                                position[3 * corner[2] + k]) /
                                   3;
    if (st_polyfem_id_matches(id, selected_id(item, selections, x)))
      for (int k = 0; k < 3; k++)
        marked[corner[k]] = true;
  }
}

static void mark_points(const StPolyfemItem *item, const StJson *selections, const StJson *id,
                        const int *triangle, int count, bool *marked) {
  for (int i = 0; i < 3 * count; i++) {
    const double *at = item->mesh->position + 3 * triangle[i];
    const double x[3] = {at[0] + item->offset[0], at[1] + item->offset[1], at[2] + item->offset[2]};
    if (st_polyfem_id_matches(id, selected_id(item, selections, x)))
      marked[triangle[i]] = true;
  }
}

// The selections under a key of the item; NULL: none that can be imported.
static const StJson *selections_of(StPolyfem *polyfem, const StPolyfemItem *item, const char *key) {
  const StJson *selections = st_json_get(item->json, key);
  if (!selections || selections->kind != ST_JSON_STRING)
    return selections;
  st_import_note(polyfem->notes, "%s.%s: ids from a file", item->key, key);
  return NULL;
}

StStatus st_polyfem_select(StPolyfem *polyfem, const StPolyfemItem *item, const StJson *id,
                           int **vertex, int *count, StError *error) {
  const StJson *faces = selections_of(polyfem, item, "surface_selection");
  const StJson *points = selections_of(polyfem, item, "point_selection");
  ST_FREE bool *marked = ST_NEW(bool, item->mesh->vertex_count);
  ST_FREE int *triangle = NULL;
  int triangle_count;
  *count = 0;
  *vertex = ST_NEW(int, item->mesh->vertex_count);
  ST_TRY_MEMORY(marked && *vertex, error);
  ST_TRY(st_mesh_boundary(item->mesh, &triangle, &triangle_count, error));
  if (faces)
    mark_faces(item, faces, id, triangle, triangle_count, marked);
  if (points)
    mark_points(item, points, id, triangle, triangle_count, marked);
  for (int i = 0; i < item->mesh->vertex_count; i++)
    if (marked[i])
      (*vertex)[(*count)++] = i;
  return ST_OK;
}
