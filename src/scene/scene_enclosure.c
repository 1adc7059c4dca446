// Which closed surface encloses a volume: the triangles of a body, the outer boundary of its
// tetrahedra or a cavity within them; and that no two volumes have the same one.
#include "scene/parts.h"

#include "base/memory.h"
#include "base/text.h"
#include "mesh/closed.h"
#include "mesh/tuple.h"

#include <string.h>

// Below this fraction of area^(3/2) a surface counts as flat: round-off of positions is smaller.
static const double FLAT_PART = 1e-9;

static const char *const KIND_NAMES[] = {"auto", "surface", "boundary", "cavity"};

// Triangles in the body's own numbering.
typedef struct Surface {
  int count;
  int *triangle; // [count][3]
} Surface;

static bool has_label(const StMesh *mesh, int triangle, const StJson *labels) {
  int label = mesh->triangle_label[triangle];
  if (!labels)
    return true;
  const StJson *name = labels->kind == ST_JSON_LIST ? labels->child : labels;
  for (; label >= 0 && name; name = labels->kind == ST_JSON_LIST ? name->next : NULL)
    if (strcmp(mesh->label_name[label], name->text) == 0)
      return true;
  return false;
}

static const char *label_name(const void *mesh, int index) {
  return ((const StMesh *)mesh)->label_name[index];
}

static StStatus check_labels(const StReader *reader, const StJson *labels, const StMesh *mesh) {
  const StJson *name = labels && labels->kind == ST_JSON_LIST ? labels->child : labels;
  for (; name; name = labels->kind == ST_JSON_LIST ? name->next : NULL) {
    int label = 0, t = 0;
    ST_TRY(st_reader_find_name(reader, name, "label", label_name, mesh, mesh->label_count, &label));
    while (t < mesh->triangle_count && mesh->triangle_label[t] != label)
      t++;
    if (t == mesh->triangle_count)
      return st_reader_fail(reader, name, "no triangle has this label");
  }
  return ST_OK;
}

static StStatus take_triangles(StReader *reader, const StEnclosure *wanted, const StMesh *mesh,
                               Surface *surface) {
  if (mesh->triangle_count == 0)
    return st_reader_fail(reader, st_json_get(wanted->at, "of"),
                          "the body has no triangles, only tetrahedra; choose boundary or cavity");
  ST_TRY(check_labels(reader, wanted->labels, mesh));
  ST_TRY_MEMORY(surface->triangle = ST_NEW(int, 3 * (size_t)mesh->triangle_count), reader->error);
  for (int t = 0; t < mesh->triangle_count; t++)
    if (has_label(mesh, t, wanted->labels))
      memcpy(surface->triangle + 3 * (size_t)surface->count++, mesh->triangle + 3 * (size_t)t,
             3 * sizeof(int));
  return ST_OK;
}

static StStatus take_parts(const StReader *reader, const StParts *parts, int first, int last,
                           Surface *surface) {
  int start = parts->start[first], count = parts->start[last] - start;
  ST_TRY_MEMORY(surface->triangle = ST_NEW(int, 3 * (size_t)count), reader->error);
  surface->count = count;
  memcpy(surface->triangle, parts->triangle + 3 * (size_t)start, 3 * (size_t)count * sizeof(int));
  return ST_OK;
}

// Replaces round-off in the centre of symmetric shapes by 0, for readable messages.
static double tidy(double x, double volume) {
  return fabs(x) < 1e-9 * cbrt(volume) ? 0 : x;
}

// "1 (0.002 m^3 about (0, 0, 1)), 2 (…)"
static StStatus fail_which(StReader *reader, const StJson *at, const StMesh *mesh,
                           const StParts *walls, int outer) {
  enum { MOST = 8 };
  ST_FINALLY(st_text_free) StText list = {0};
  int count = walls->count - outer;
  for (int i = 0; i < count && i < MOST; i++) {
    double middle[3];
    int start = walls->start[outer + i], end = walls->start[outer + i + 1];
    double volume =
        st_surface_volume(mesh->position, walls->triangle + 3 * (size_t)start, end - start, middle);
    st_text_add(&list, "%s%d (%.4g m^3 about (%.4g, %.4g, %.4g) m)", i ? ", " : "", i + 1, volume,
                tidy(middle[0], volume), tidy(middle[1], volume), tidy(middle[2], volume));
  }
  st_text_add(&list, "%s", count > MOST ? ", …" : "");
  return list.failed
             ? st_fail_memory(reader->error)
             : st_reader_fail(reader, at,
                              "the body has %d cavities, and the key \"cavity\" must say which: %s",
                              count, list.data);
}

static StStatus take_cavity(StReader *reader, const StEnclosure *wanted, const StMesh *mesh,
                            const StParts *walls, int outer, Surface *surface) {
  int count = walls->count - outer, index = wanted->cavity;
  const StJson *of = st_json_get(wanted->at, "of"), *number = st_json_get(wanted->at, "cavity");
  if (count == 0)
    return st_reader_fail(reader, of ? of : wanted->at, "the body has no cavity");
  if (!number && count > 1)
    return fail_which(reader, wanted->at, mesh, walls, outer);
  if (number && index > count)
    return st_reader_fail(reader, number, "the body has %d cavit%s", count,
                          count == 1 ? "y" : "ies");
  int part = outer + (number ? index - 1 : 0);
  return take_parts(reader, walls, part, part + 1, surface);
}

static StStatus note_kind(StReader *reader, const StEnclosure *wanted, StEnclosureKind kind) {
  static const char *const REASONS[] = {"", "the body is a shell", "the body is full",
                                        "the body is hollow"};
  return st_reader_note(reader, wanted->at, "of", KIND_NAMES[kind], REASONS[kind]);
}

static StStatus take_wall(StReader *reader, const StEnclosure *wanted, const StMesh *mesh,
                          const StParts *walls, int outer, Surface *surface) {
  StEnclosureKind kind = wanted->of;
  if (kind == ST_ENCLOSED_AUTO) {
    kind = walls->count > outer ? ST_ENCLOSED_CAVITY : ST_ENCLOSED_BOUNDARY;
    ST_TRY(note_kind(reader, wanted, kind));
  }
  if (kind == ST_ENCLOSED_CAVITY)
    return take_cavity(reader, wanted, mesh, walls, outer, surface);
  if (st_json_get(wanted->at, "cavity"))
    return st_reader_fail_key(reader, st_json_get(wanted->at, "cavity"),
                              "does not apply to the outer boundary");
  return take_parts(reader, walls, 0, outer, surface);
}

static StStatus take_walls(StReader *reader, const StEnclosure *wanted, const StMesh *mesh,
                           Surface *surface) {
  StParts walls = {0};
  int outer = 0;
  if (mesh->tet_count == 0 || mesh->cage)
    return st_reader_fail(reader, st_json_get(wanted->at, "of"), "the body %s; choose surface",
                          mesh->cage ? "is in a cage and has a surface of triangles"
                                     : "has no tetrahedra, only triangles");
  if (wanted->labels)
    return st_reader_fail_key(reader, wanted->labels,
                              "chooses triangles, which have no part in the boundary and the "
                              "cavities of tetrahedra");
  StStatus status = st_mesh_walls(mesh, &walls, &outer, reader->error);
  if (status != ST_OK)
    return st_reader_prefix(reader, wanted->at, status);
  status = take_wall(reader, wanted, mesh, &walls, outer, surface);
  st_parts_free(&walls);
  return status;
}

static StStatus take_surface(StReader *reader, const StEnclosure *wanted, const StMesh *mesh,
                             Surface *surface) {
  bool shell = mesh->tet_count == 0 || mesh->cage;
  if (wanted->of == ST_ENCLOSED_SURFACE || (wanted->of == ST_ENCLOSED_AUTO && shell)) {
    const StJson *cavity = st_json_get(wanted->at, "cavity");
    if (cavity)
      return st_reader_fail_key(reader, cavity, "does not apply to a surface of triangles");
    if (wanted->of == ST_ENCLOSED_AUTO)
      ST_TRY(note_kind(reader, wanted, ST_ENCLOSED_SURFACE));
    return take_triangles(reader, wanted, mesh, surface);
  }
  return take_walls(reader, wanted, mesh, surface);
}

static StStatus measure(StReader *reader, const StEnclosure *wanted, const StMesh *mesh,
                        const Surface *surface, StEnclosed *enclosed) {
  double area = 0;
  StStatus status = st_surface_check_closed(mesh->position, mesh->vertex_count, surface->triangle,
                                            surface->count, reader->error);
  if (status != ST_OK)
    return st_reader_prefix(reader, wanted->at, status);
  for (int t = 0; t < surface->count; t++)
    area += st_triangle_area(mesh->position, surface->triangle + 3 * (size_t)t);
  enclosed->volume = st_surface_volume(mesh->position, surface->triangle, surface->count, NULL);
  enclosed->flat = !(enclosed->volume > FLAT_PART * area * sqrt(area));
  return ST_OK;
}

StStatus st_scene_enclose(StReader *reader, const StEnclosure *wanted, StVolumeDesc *desc,
                          StEnclosed *enclosed) {
  const StDescription *description = reader->description;
  int body = 0, first = 0;
  ST_TRY(st_scene_find_body(reader, wanted->body, &body));
  for (int b = 0; b < body; b++)
    first += description->body[b].mesh->vertex_count;
  const StMesh *mesh = description->body[body].mesh;
  Surface surface = {0};
  StStatus status = take_surface(reader, wanted, mesh, &surface);
  if (status == ST_OK)
    status = measure(reader, wanted, mesh, &surface, enclosed);
  desc->triangle = surface.triangle; // the description frees it in any case
  desc->triangle_count = surface.count;
  for (int i = 0; i < 3 * surface.count; i++)
    desc->triangle[i] += first;
  return status;
}

// The same triangle whichever corner comes first; a reversed one stays different.
static void put_smallest_first(const int from[3], int to[3]) {
  int first = from[0] < from[1] ? (from[0] < from[2] ? 0 : 2) : (from[1] < from[2] ? 1 : 2);
  for (int i = 0; i < 3; i++)
    to[i] = from[(first + i) % 3];
}

static int volume_of(const StDescription *description, int triangle) {
  int v = 0;
  while (triangle >= description->volume[v].triangle_count)
    triangle -= description->volume[v++].triangle_count;
  return v;
}

static StStatus fail_shared(const StReader *reader, const StJson *at, int one, int other) {
  const StDescription *description = reader->description;
  int a = volume_of(description, one < other ? one : other);
  int b = volume_of(description, one < other ? other : one);
  const StJson *child = at->child;
  for (int i = 0; i < b; i++)
    child = child->next;
  return st_reader_fail(reader, child,
                        "its surface is that of the volume \"%.60s\", or shares triangles with it; "
                        "one side of a surface can hold one filling only",
                        description->volume[a].name);
}

static StStatus find_shared(const StReader *reader, const StJson *at, size_t count, int *triangle,
                            int *order) {
  const StDescription *description = reader->description;
  int *to = triangle;
  for (int v = 0; v < description->volume_count; v++)
    for (int t = 0; t < description->volume[v].triangle_count; t++, to += 3)
      put_smallest_first(description->volume[v].triangle + 3 * (size_t)t, to);
  ST_TRY(st_tuple_sort(triangle, count, 3, st_description_vertex_count(description), order,
                       reader->error));
  for (size_t k = 1; k < count; k++)
    if (st_tuple_equal(triangle, 3, order[k - 1], order[k]))
      return fail_shared(reader, at, order[k - 1], order[k]);
  return ST_OK;
}

StStatus st_scene_check_enclosures(StReader *reader, const StJson *at) {
  const StDescription *description = reader->description;
  size_t count = 0;
  for (int v = 0; v < description->volume_count; v++)
    count += (size_t)description->volume[v].triangle_count;
  ST_FREE int *triangle = ST_NEW(int, 3 * count), *order = ST_NEW(int, count);
  ST_TRY_MEMORY(triangle && order, reader->error);
  return find_shared(reader, at, count, triangle, order);
}
