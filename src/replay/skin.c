// Collects the skins of all bodies.
#include "replay/skin.h"

#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/face.h"
#include "model/body.h"
#include "model/piece.h"
#include "mesh/cage.h"

#include <string.h>

void st_skin_free(StSkin *skin) {
  free(skin->vertex);
  free(skin->triangle);
  free(skin->body);
  free(skin->material);
  free(skin->label);
  free(skin->cell);
  free(skin->shell);
  *skin = (StSkin){0};
}

// Counts over all bodies before one of them.
typedef struct Before {
  int vertices, tets, triangles;
} Before;

static Before count_all(const StDescription *description) {
  Before all = {0};
  for (int b = 0; b < description->body_count; b++) {
    const StMesh *mesh = description->body[b].mesh;
    all.vertices += mesh->vertex_count;
    all.tets += mesh->tet_count;
    all.triangles += mesh->triangle_count;
  }
  return all;
}

// Triangles, for now with vertex numbers through all bodies.
static void add_face(StSkin *skin, const StBodyDesc *body, int index, const Before *before,
                     int face) {
  int at = skin->triangle_count++, tet = face / 4;
  for (int i = 0; i < 3; i++)
    skin->triangle[3 * at + i] =
        before->vertices + body->mesh->tet[4 * tet + st_tet_face[face % 4][i]];
  skin->body[at] = index;
  skin->material[at] = st_body_tet_material(body, tet);
  skin->label[at] = body->mesh->tet_label[tet];
  skin->cell[at] = before->tets + tet;
  skin->shell[at] = false;
}

static void add_triangle(StSkin *skin, const StBodyDesc *body, int index, const Before *before,
                         int all_tets, int triangle) {
  int at = skin->triangle_count++;
  for (int i = 0; i < 3; i++)
    skin->triangle[3 * at + i] = before->vertices + body->mesh->triangle[3 * triangle + i];
  skin->body[at] = index;
  skin->material[at] = st_body_triangle_material(body, triangle);
  skin->label[at] = body->mesh->triangle_label[triangle];
  skin->cell[at] = body->mesh->cage
                       ? before->tets + body->mesh->cage->tet[body->mesh->triangle[3 * triangle]]
                       : all_tets + before->triangles + triangle;
  skin->shell[at] = !st_body_is_solid(body);
}

static StStatus grow(StSkin *skin, size_t *capacity, int more, StError *error) {
  size_t needed = (size_t)skin->triangle_count + (size_t)more;
  struct {
    void **array;
    size_t item;
  } const part[] = {
      {(void **)&skin->triangle, 3 * sizeof(int)}, {(void **)&skin->body, sizeof(int)},
      {(void **)&skin->material, sizeof(int)},     {(void **)&skin->label, sizeof(int)},
      {(void **)&skin->cell, sizeof(int)},         {(void **)&skin->shell, sizeof(bool)}};
  size_t reached = *capacity;
  for (int i = 0; i < ST_LENGTH(part); i++) {
    reached = *capacity;
    ST_TRY_MEMORY(st_grow(part[i].array, &reached, needed, part[i].item), error);
  }
  *capacity = reached;
  return ST_OK;
}

static StStatus add_body(StSkin *skin, size_t *capacity, const StBodyDesc *body, int index,
                         const Before *before, int all_tets, StError *error) {
  const StMesh *mesh = body->mesh;
  int *face = NULL, face_count = 0;
  ST_TRY(st_mesh_boundary_faces(mesh, &face, &face_count, error));
  StStatus status = grow(skin, capacity, face_count + mesh->triangle_count, error);
  for (int f = 0; f < face_count && status == ST_OK; f++)
    add_face(skin, body, index, before, face[f]);
  for (int t = 0; t < mesh->triangle_count && status == ST_OK; t++)
    add_triangle(skin, body, index, before, all_tets, t);
  free(face);
  return status;
}

static StStatus add_bodies(StSkin *skin, const StDescription *description, StError *error) {
  Before before = {0}, all = count_all(description);
  size_t capacity = 0;
  for (int b = 0; b < description->body_count; b++) {
    const StBodyDesc *body = &description->body[b];
    ST_TRY(add_body(skin, &capacity, body, b, &before, all.tets, error));
    before.vertices += body->mesh->vertex_count;
    before.tets += body->mesh->tet_count;
    before.triangles += body->mesh->triangle_count;
  }
  return ST_OK;
}

// Removes vertices without triangles.
static StStatus compact(StSkin *skin, int all_vertices, StError *error) {
  int *number = ST_NEW(int, all_vertices);
  skin->vertex = ST_NEW(int, all_vertices);
  if (!number || !skin->vertex) {
    free(number);
    return st_fail_memory(error);
  }
  for (int i = 0; i < 3 * skin->triangle_count; i++)
    number[skin->triangle[i]] = 1;
  for (int v = 0; v < all_vertices; v++)
    if (number[v]) {
      number[v] = skin->vertex_count;
      skin->vertex[skin->vertex_count++] = v;
    }
  for (int i = 0; i < 3 * skin->triangle_count; i++)
    skin->triangle[i] = number[skin->triangle[i]];
  free(number);
  return ST_OK;
}

StStatus st_skin_create(const StDescription *description, StSkin *skin, StError *error) {
  *skin = (StSkin){0};
  StStatus status = add_bodies(skin, description, error);
  if (status == ST_OK)
    status = compact(skin, st_description_vertex_count(description), error);
  if (status != ST_OK)
    st_skin_free(skin);
  return status;
}

void st_skin_take(const StSkin *skin, const double *from, int components, double *to) {
  for (int v = 0; v < skin->vertex_count; v++)
    for (int c = 0; c < components; c++)
      to[v * components + c] = from[(size_t)skin->vertex[v] * (size_t)components + (size_t)c];
}
