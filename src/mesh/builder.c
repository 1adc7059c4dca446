// Turns loose vertices, elements and labels into a mesh.
#include "mesh/builder.h"

#include "base/memory.h"
#include "mesh/face.h"
#include "mesh/second_order.h"
#include "mesh/tuple.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NODES = ST_SECOND_NODES - 4 };

static StStatus too_many(StError *error, const char *what) {
  return st_fail(error, ST_BAD_INPUT, "more than %d %s are too many", ST_MESH_LIMIT, what);
}

StStatus st_builder_add_vertex(StBuilder *builder, const double position[3], StError *error) {
  if (builder->vertex_count >= ST_MESH_LIMIT)
    return too_many(error, "vertices");
  ST_TRY_MEMORY(st_grow((void **)&builder->position, &builder->position_capacity,
                        builder->vertex_count + 1, 3 * sizeof(double)),
                error);
  memcpy(builder->position + 3 * builder->vertex_count, position, 3 * sizeof(double));
  builder->vertex_count++;
  return ST_OK;
}

static StStatus add_tag(StBuilder *builder, int vertex, int label, StError *error) {
  if (builder->tag_count >= ST_MESH_LIMIT)
    return too_many(error, "labelled vertices");
  ST_TRY_MEMORY(st_grow((void **)&builder->tag, &builder->tag_capacity, builder->tag_count + 1,
                        2 * sizeof(int)),
                error);
  builder->tag[2 * builder->tag_count] = vertex;
  builder->tag[2 * builder->tag_count + 1] = label;
  builder->tag_count++;
  return ST_OK;
}

StStatus st_builder_add_tags(StBuilder *builder, int corners, const int *vertex, int label,
                             StError *error) {
  for (int i = 0; i < corners && label >= 0; i++)
    ST_TRY(add_tag(builder, vertex[i], label, error));
  return ST_OK;
}

static StStatus add_element(StElements *elements, int corners, const int *vertex, int label,
                            StError *error) {
  if (elements->count >= ST_MESH_LIMIT)
    return too_many(error, "elements");
  size_t count = elements->count;
  ST_TRY_MEMORY(
      st_grow((void **)&elements->vertex, &elements->vertex_capacity, count + 1,
              (size_t)corners * sizeof(int)) &&
          st_grow((void **)&elements->label, &elements->label_capacity, count + 1, sizeof(int)),
      error);
  memcpy(elements->vertex + (size_t)corners * count, vertex, (size_t)corners * sizeof(int));
  elements->label[count] = label;
  elements->count++;
  return ST_OK;
}

StStatus st_builder_add(StBuilder *builder, int corners, const int *vertex, int label,
                        StError *error) {
  for (int i = 0; i < corners; i++)
    ST_CHECK(vertex[i] >= 0 && (size_t)vertex[i] < builder->vertex_count, error);
  if (corners == 4)
    return add_element(&builder->tet, 4, vertex, label, error);
  if (corners == 3)
    return add_element(&builder->triangle, 3, vertex, label, error);
  return st_builder_add_tags(builder, corners, vertex, label, error);
}

StStatus st_builder_add_second_order(StBuilder *builder, const int *node, int label,
                                     StError *error) {
  ST_TRY(st_builder_add(builder, 4, node, label, error));
  if (!builder->second_order)
    return ST_OK;
  ST_TRY_MEMORY(st_grow((void **)&builder->node, &builder->node_capacity, builder->node_count + 1,
                        NODES * sizeof(int)),
                error);
  memcpy(builder->node + NODES * builder->node_count++, node + 4, NODES * sizeof(int));
  return ST_OK;
}

StStatus st_builder_add_polygon(StBuilder *builder, size_t corners, const int *vertex, int label,
                                StError *error) {
  for (size_t i = 2; i < corners; i++)
    ST_TRY(st_builder_add(builder, 3, (int[]){vertex[0], vertex[i - 1], vertex[i]}, label, error));
  return ST_OK;
}

int st_builder_label(StBuilder *builder, StSpan name) {
  return st_table_add(&builder->label, name.at, strnlen(name.at, name.length));
}

int st_builder_number_label(StBuilder *builder, int64_t number) {
  char name[32];
  int length = snprintf(name, sizeof name, "%" PRId64, number);
  return st_builder_label(builder, (StSpan){name, (size_t)length});
}

StStatus st_builder_label_of_line(StBuilder *builder, StScan *scan, int *label) {
  StSpan name = st_scan_rest_of_line(scan);
  *label = name.length ? st_builder_label(builder, name) : -1;
  return name.length && *label < 0 ? st_fail_memory(scan->error) : ST_OK;
}

static void map_labels(int *label, size_t count, int stride, const int *map) {
  for (size_t i = 0; i < count; i++, label += stride)
    if (*label >= 0)
      *label = map[*label];
}

void st_builder_map_labels(StBuilder *builder, const int *map) {
  map_labels(builder->tet.label, builder->tet.count, 1, map);
  map_labels(builder->triangle.label, builder->triangle.count, 1, map);
  if (builder->tag_count)
    map_labels(builder->tag + 1, builder->tag_count, 2, map);
}

// Drops the elements marked in gone[], keeping their labels as tags of their vertices.
static StStatus turn_into_tags(StBuilder *builder, StElements *elements, int corners,
                               const bool *gone, StError *error) {
  size_t kept = 0, width = (size_t)corners;
  for (size_t i = 0; i < elements->count; i++) {
    if (gone[i]) {
      ST_TRY(st_builder_add_tags(builder, corners, elements->vertex + width * i, elements->label[i],
                                 error));
      continue;
    }
    memmove(elements->vertex + width * kept, elements->vertex + width * i, width * sizeof(int));
    if (elements == &builder->tet && builder->node_count)
      memmove(builder->node + NODES * kept, builder->node + NODES * i, NODES * sizeof(int));
    elements->label[kept++] = elements->label[i];
  }
  elements->count = kept;
  return ST_OK;
}

// Gmsh 2 writes an element once for each of its groups: all but the first become tags. Equal
// elements with equal labels are left for the check to report.
static void mark_repeats(const StElements *elements, int corners, const int *tuple,
                         const int *order, bool *gone) {
  for (size_t at = 0, end; at < elements->count; at = end) {
    end = st_tuple_run(tuple, corners, order, elements->count, at);
    for (size_t k = at + 1; k < end; k++)
      gone[order[k]] =
          elements->label[order[k]] >= 0 && elements->label[order[k]] != elements->label[order[at]];
  }
}

static StStatus drop_repeats(StBuilder *builder, StElements *elements, int corners,
                             StError *error) {
  size_t size = elements->count * (size_t)corners;
  if (builder->label.count < 2 || !elements->count)
    return ST_OK;
  int *tuple = ST_NEW(int, size), *order = ST_NEW(int, elements->count);
  bool *gone = ST_NEW(bool, elements->count);
  StStatus status = tuple && order && gone ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    memcpy(tuple, elements->vertex, size * sizeof(int));
    for (size_t i = 0; i < elements->count; i++)
      st_tuple_ascend(tuple + (size_t)corners * i, corners);
    status =
        st_tuple_sort(tuple, elements->count, corners, (int)builder->vertex_count, order, error);
  }
  if (status == ST_OK) {
    mark_repeats(elements, corners, tuple, order, gone);
    status = turn_into_tags(builder, elements, corners, gone, error);
  }
  free(tuple);
  free(order);
  free(gone);
  return status;
}

static StStatus drop_skin(StBuilder *builder, StError *error) {
  if (!builder->tet.count || !builder->triangle.count)
    return ST_OK;
  bool *skin = ST_NEW(bool, builder->triangle.count);
  ST_TRY_MEMORY(skin, error);
  StStatus status =
      st_faces_mark_skin(builder->tet.vertex, builder->tet.count, builder->triangle.vertex,
                         builder->triangle.count, (int)builder->vertex_count, skin, error);
  if (status == ST_OK)
    status = turn_into_tags(builder, &builder->triangle, 3, skin, error);
  free(skin);
  return status;
}

// Sorted by vertex, each pair once.
static StStatus give_tags(const StBuilder *builder, StMesh *mesh, StError *error) {
  size_t count = builder->tag_count, kept = 0;
  size_t bound =
      builder->vertex_count > builder->label.count ? builder->vertex_count : builder->label.count;
  ST_FREE int *order = ST_NEW(int, count);
  mesh->tag = ST_NEW(int, 2 * count);
  StStatus status = order && mesh->tag ? ST_OK : st_fail_memory(error);
  if (status == ST_OK)
    status = st_tuple_sort(builder->tag, count, 2, (int)bound, order, error);
  for (size_t at = 0; at < count && status == ST_OK;
       at = st_tuple_run(builder->tag, 2, order, count, at))
    memcpy(mesh->tag + 2 * kept++, builder->tag + 2 * (size_t)order[at], 2 * sizeof(int));
  mesh->tag_count = (int)kept;
  return status;
}

static StStatus give_labels(const StTable *names, StMesh *mesh, StError *error) {
  ST_TRY_MEMORY(mesh->label_name = ST_NEW(char *, names->count), error);
  for (size_t i = 0; i < names->count; i++) {
    const StTableKey *key = &names->key[i];
    ST_TRY_MEMORY(mesh->label_name[i] = strndup(names->bytes + key->at, key->size), error);
    mesh->label_count++;
  }
  return ST_OK;
}

static void copy_ints(int *to, const int *from, size_t count) {
  if (count)
    memcpy(to, from, count * sizeof *to);
}

static StStatus make_mesh(const StBuilder *builder, StMesh *mesh, StError *error) {
  if (builder->vertex_count)
    memcpy(mesh->position, builder->position, 3 * builder->vertex_count * sizeof(double));
  copy_ints(mesh->tet, builder->tet.vertex, 4 * builder->tet.count);
  copy_ints(mesh->tet_label, builder->tet.label, builder->tet.count);
  copy_ints(mesh->triangle, builder->triangle.vertex, 3 * builder->triangle.count);
  copy_ints(mesh->triangle_label, builder->triangle.label, builder->triangle.count);
  ST_TRY(give_labels(&builder->label, mesh, error));
  return builder->tag_count ? give_tags(builder, mesh, error) : ST_OK;
}

StStatus st_builder_finish(StBuilder *builder, StMesh **mesh, StError *error) {
  if (builder->node_count != builder->tet.count)
    builder->node_count = 0;
  ST_TRY(drop_skin(builder, error));
  ST_TRY(drop_repeats(builder, &builder->tet, 4, error));
  ST_TRY(drop_repeats(builder, &builder->triangle, 3, error));
  StMesh *made = st_mesh_create((int)builder->vertex_count, (int)builder->tet.count,
                                (int)builder->triangle.count);
  ST_TRY_MEMORY(made, error);
  StStatus status = make_mesh(builder, made, error);
  if (status == ST_OK && builder->node_count)
    status = st_mesh_take_nodes(made, builder->node, error);
  if (status != ST_OK) {
    st_mesh_destroy(made);
    return status;
  }
  *mesh = made;
  return ST_OK;
}

void st_builder_free(StBuilder *builder) {
  free(builder->position);
  free(builder->tet.vertex);
  free(builder->tet.label);
  free(builder->triangle.vertex);
  free(builder->node);
  free(builder->triangle.label);
  free(builder->tag);
  st_table_free(&builder->label);
  *builder = (StBuilder){0};
}
