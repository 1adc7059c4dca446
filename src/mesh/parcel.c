// Each mesh: its counts, then its arrays one after the other, then the names of its labels.
#include "mesh/parcel.h"

#include "base/memory.h"
#include "mesh/cage.h"

#include <string.h>

enum { ALIGNMENT = 64, ARRAYS = 9 };

typedef struct Head {
  size_t bytes; // of all that belongs to the mesh, this included; no more than this: no mesh
  size_t label_bytes;
  int vertex_count, tet_count, triangle_count, label_count, tag_count, boundary_count;
  int cage_count; // -1: no cage
  bool boundary, second_order, cage_closed, cage_crossed;
} Head;

typedef struct Array {
  void **at;
  size_t bytes;
} Array;

static size_t aligned(size_t bytes) {
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// Where a mesh has its arrays, and their sizes by its counts. Returns how many.
static int list_arrays(StMesh *mesh, Array array[ARRAYS]) {
  size_t vertices = (size_t)mesh->vertex_count, tets = (size_t)mesh->tet_count;
  size_t triangles = (size_t)mesh->triangle_count, tags = (size_t)mesh->tag_count;
  StCage *cage = mesh->cage;
  int count = 0;
  array[count++] = (Array){(void **)&mesh->position, 3 * vertices * sizeof(double)};
  array[count++] = (Array){(void **)&mesh->tet, 4 * tets * sizeof(int)};
  array[count++] = (Array){(void **)&mesh->tet_label, tets * sizeof(int)};
  array[count++] = (Array){(void **)&mesh->triangle, 3 * triangles * sizeof(int)};
  array[count++] = (Array){(void **)&mesh->triangle_label, triangles * sizeof(int)};
  array[count++] = (Array){(void **)&mesh->tag, 2 * tags * sizeof(int)};
  array[count++] = (Array){(void **)&mesh->boundary, (size_t)mesh->boundary_count * sizeof(int)};
  if (cage) {
    array[count++] = (Array){(void **)&cage->tet, (size_t)cage->vertex_count * sizeof(int)};
    array[count++] = (Array){(void **)&cage->volume, 4 * tets * sizeof(double)};
  }
  return count;
}

static Head describe(StMesh *mesh) {
  Head head = {.bytes = aligned(sizeof head)};
  if (!mesh)
    return head;
  Array array[ARRAYS];
  head.vertex_count = mesh->vertex_count;
  head.tet_count = mesh->tet_count;
  head.triangle_count = mesh->triangle_count;
  head.label_count = mesh->label_count;
  head.tag_count = mesh->tag_count;
  head.boundary_count = mesh->boundary_count;
  head.boundary = mesh->boundary;
  head.second_order = mesh->second_order;
  head.cage_count = mesh->cage ? mesh->cage->vertex_count : -1;
  head.cage_closed = mesh->cage && mesh->cage->closed;
  head.cage_crossed = mesh->cage && mesh->cage->crossed;
  for (int i = 0, count = list_arrays(mesh, array); i < count; i++)
    head.bytes += aligned(array[i].bytes);
  for (int i = 0; i < mesh->label_count; i++)
    head.label_bytes += strlen(mesh->label_name[i]) + 1;
  head.bytes += ALIGNMENT + aligned(head.label_bytes);
  return head;
}

size_t st_parcel_size(StMesh *const *mesh, int count) {
  size_t size = 0;
  for (int i = 0; i < count; i++)
    size += describe(mesh[i]).bytes;
  return size;
}

static void pack_mesh(StMesh *mesh, char *to) {
  Array array[ARRAYS];
  to += aligned(sizeof(Head));
  for (int i = 0, count = list_arrays(mesh, array); i < count; i++) {
    if (array[i].bytes)
      memcpy(to, *array[i].at, array[i].bytes);
    to += aligned(array[i].bytes);
  }
  for (int i = 0; i < mesh->label_count; i++)
    to = stpcpy(to, mesh->label_name[i]) + 1;
}

void st_parcel_pack(StMesh *const *mesh, int count, char *bytes) {
  for (int i = 0; i < count; i++) {
    Head head = describe(mesh[i]);
    memcpy(bytes, &head, sizeof head);
    if (mesh[i])
      pack_mesh(mesh[i], bytes);
    bytes += head.bytes;
  }
}

// A mesh of these counts without any arrays.
static StMesh *outline(const Head *head) {
  StMesh *mesh = ST_NEW(StMesh, 1);
  if (!mesh)
    return NULL;
  *mesh = (StMesh){.vertex_count = head->vertex_count,
                   .tet_count = head->tet_count,
                   .triangle_count = head->triangle_count,
                   .tag_count = head->tag_count,
                   .boundary_count = head->boundary_count,
                   .second_order = head->second_order,
                   .borrowed = true};
  if (head->cage_count >= 0 && !(mesh->cage = ST_NEW(StCage, 1))) {
    free(mesh);
    return NULL;
  }
  if (mesh->cage)
    *mesh->cage = (StCage){.vertex_count = head->cage_count,
                           .closed = head->cage_closed,
                           .crossed = head->cage_crossed};
  return mesh;
}

static StStatus copy_names(const Head *head, const char *name, StMesh *mesh, StError *error) {
  ST_TRY_MEMORY(mesh->label_name = ST_NEW(char *, head->label_count), error);
  for (int i = 0; i < head->label_count; i++, name += strlen(name) + 1) {
    ST_TRY_MEMORY(mesh->label_name[i] = st_copy_string(name), error);
    mesh->label_count++;
  }
  return ST_OK;
}

static StStatus unpack_mesh(const Head *head, char *from, StMesh **result, StError *error) {
  Array array[ARRAYS];
  StMesh *mesh = outline(head);
  ST_TRY_MEMORY(mesh, error);
  for (int i = 0, count = list_arrays(mesh, array); i < count; i++) {
    *array[i].at = from;
    from += aligned(array[i].bytes);
  }
  if (!head->boundary)
    mesh->boundary = NULL;
  StStatus status = copy_names(head, from, mesh, error);
  if (status == ST_OK)
    *result = mesh;
  else
    st_mesh_destroy(mesh);
  return status;
}

StStatus st_parcel_unpack(char *bytes, int count, StMesh **mesh, StError *error) {
  for (int i = 0; i < count; i++) {
    Head head;
    memcpy(&head, bytes, sizeof head);
    if (head.bytes > aligned(sizeof head))
      ST_TRY(unpack_mesh(&head, bytes + aligned(sizeof head), &mesh[i], error));
    bytes += head.bytes;
  }
  return ST_OK;
}

StStatus st_mesh_own(StMesh *mesh, StError *error) {
  Array array[ARRAYS];
  void *copy[ARRAYS] = {0};
  bool good = true;
  if (!mesh->borrowed)
    return ST_OK;
  int count = list_arrays(mesh, array);
  for (int i = 0; i < count; i++) {
    good = (copy[i] = st_room_array(array[i].bytes, 1)) && good;
    if (copy[i] && array[i].bytes)
      memcpy(copy[i], *array[i].at, array[i].bytes);
  }
  bool boundary = mesh->boundary;
  for (int i = 0; i < count; i++)
    if (good)
      *array[i].at = copy[i];
    else
      free(copy[i]);
  ST_TRY_MEMORY(good, error);
  mesh->borrowed = false;
  if (!boundary) {
    free(mesh->boundary);
    mesh->boundary = NULL;
  }
  return ST_OK;
}
