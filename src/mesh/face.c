// Faces of tets, matched by sorting.
#include "mesh/face.h"

#include "base/memory.h"
#include "mesh/tuple.h"

#include <string.h>

const int st_tet_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static void list_faces(const int *tet, size_t tet_count, int *face) {
  for (size_t t = 0; t < tet_count; t++)
    for (int f = 0; f < 4; f++, face += 3) {
      for (int i = 0; i < 3; i++)
        face[i] = tet[4 * t + (size_t)st_tet_face[f][i]];
      st_tuple_ascend(face, 3);
    }
}

// Faces of the tets first, then the extra triangles.
static StStatus create(const int *tet, size_t tet_count, const int *extra, size_t extra_count,
                       int vertex_count, StFaces *faces, StError *error) {
  size_t count = 4 * tet_count + extra_count;
  *faces = (StFaces){count, ST_NEW(int, 3 * count), ST_NEW(int, count)};
  if (!faces->vertex || !faces->order) {
    st_faces_free(faces);
    return st_fail_memory(error);
  }
  list_faces(tet, tet_count, faces->vertex);
  int *last = faces->vertex + 12 * tet_count;
  if (extra_count)
    memcpy(last, extra, 3 * extra_count * sizeof(int));
  for (size_t i = 0; i < extra_count; i++)
    st_tuple_ascend(last + 3 * i, 3);
  StStatus status = st_tuple_sort(faces->vertex, count, 3, vertex_count, faces->order, error);
  if (status != ST_OK)
    st_faces_free(faces);
  return status;
}

StStatus st_faces_create(const int *tet, size_t tet_count, int vertex_count, StFaces *faces,
                         StError *error) {
  return create(tet, tet_count, NULL, 0, vertex_count, faces, error);
}

void st_faces_free(StFaces *faces) {
  free(faces->vertex);
  free(faces->order);
  *faces = (StFaces){0};
}

StStatus st_faces_mark_skin(const int *tet, size_t tet_count, const int *triangle,
                            size_t triangle_count, int vertex_count, bool *skin, StError *error) {
  ST_FINALLY(st_faces_free) StFaces faces = {0};
  ST_TRY(create(tet, tet_count, triangle, triangle_count, vertex_count, &faces, error));
  for (size_t at = 0, end; at < faces.count; at = end) {
    end = st_tuple_run(faces.vertex, 3, faces.order, faces.count, at);
    // The sort is stable, so a tet's face, if any, comes first in the run.
    bool of_tet = (size_t)faces.order[at] < 4 * tet_count;
    for (size_t k = at; k < end; k++)
      if ((size_t)faces.order[k] >= 4 * tet_count)
        skin[(size_t)faces.order[k] - 4 * tet_count] = of_tet;
  }
  return ST_OK;
}

// open[f]: face f has no partner. Returns their number.
static int mark_open(const StFaces *faces, bool *open) {
  int count = 0;
  for (size_t at = 0, end; at < faces->count; at = end) {
    end = st_tuple_run(faces->vertex, 3, faces->order, faces->count, at);
    open[faces->order[at]] = end - at == 1;
    count += end - at == 1;
  }
  return count;
}

// Faces in the order of their tets, so that neighbours in the list are neighbours in space.
static int *list_open(const bool *open, size_t face_count, int count) {
  int *face = ST_NEW(int, count), *to = face;
  for (size_t f = 0; f < face_count && face; f++)
    if (open[f])
      *to++ = (int)f;
  return face;
}

StStatus st_faces_list_open(const StFaces *faces, int **face, int *count, StError *error) {
  ST_FREE bool *open = ST_NEW(bool, faces->count);
  *count = open ? mark_open(faces, open) : 0;
  *face = open ? list_open(open, faces->count, *count) : NULL;
  return *face ? ST_OK : st_fail_memory(error);
}
