// The piece that is the whole model, and the lumped masses of its vertices.
#include "model/piece.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <limits.h>

void st_piece_destroy(StPiece *piece) {
  if (!piece)
    return;
  free(piece->vertex_id);
  free(piece->rest);
  free(piece->mass);
  free(piece->body);
  free(piece->tet);
  free(piece->tet_id);
  free(piece->tet_material);
  free(piece);
}

StPiece *st_piece_create(int vertex_count, int tet_count) {
  StPiece *piece = ST_NEW(StPiece, 1);
  if (!piece)
    return NULL;
  piece->owned_count = piece->vertex_count = vertex_count;
  piece->owned_tet_count = piece->tet_count = tet_count;
  piece->vertex_id = ST_NEW(int, vertex_count);
  piece->rest = ST_NEW(double, 3 * (size_t)vertex_count);
  piece->mass = ST_NEW(double, vertex_count);
  piece->body = ST_NEW(int, vertex_count);
  piece->tet = ST_NEW(int, 4 * (size_t)tet_count);
  piece->tet_id = ST_NEW(int, tet_count);
  piece->tet_material = ST_NEW(int, tet_count);
  if (piece->vertex_id && piece->rest && piece->mass && piece->body && piece->tet &&
      piece->tet_id && piece->tet_material)
    return piece;
  st_piece_destroy(piece);
  return NULL;
}

int st_body_tet_material(const StBodyDesc *body, int tet) {
  int label = body->mesh->tet_label[tet];
  for (int i = 0; label >= 0 && i < body->label_material_count; i++)
    if (body->label_material[i].label == label)
      return body->label_material[i].material;
  return body->material;
}

static void add_body(StPiece *piece, const StDescription *description, int body, int first_vertex,
                     int first_tet) {
  const StBodyDesc *from = &description->body[body];
  const StMesh *mesh = from->mesh;
  for (int v = 0; v < mesh->vertex_count; v++) {
    int local = first_vertex + v;
    piece->vertex_id[local] = local;
    piece->body[local] = body;
    vec3_copy(mesh->position + 3 * (size_t)v, piece->rest + 3 * (size_t)local);
  }
  for (int t = 0; t < mesh->tet_count; t++) {
    int local = first_tet + t;
    int material = st_body_tet_material(from, t);
    double volume = st_tet_volume(mesh->position, mesh->tet + 4 * (size_t)t);
    double share = description->material[material].density * volume / 4;
    piece->tet_id[local] = local;
    piece->tet_material[local] = material;
    for (int i = 0; i < 4; i++) {
      int vertex = first_vertex + mesh->tet[4 * (size_t)t + (size_t)i];
      piece->tet[4 * (size_t)local + (size_t)i] = vertex;
      piece->mass[vertex] += share;
    }
  }
}

StStatus st_piece_create_whole(const StDescription *description, StPiece **piece, StError *error) {
  long vertex_count = 0, tet_count = 0;
  for (int b = 0; b < description->body_count; b++) {
    vertex_count += description->body[b].mesh->vertex_count;
    tet_count += description->body[b].mesh->tet_count;
  }
  ST_CHECK(vertex_count <= INT_MAX / 4 && tet_count <= INT_MAX / 4, error);
  *piece = st_piece_create((int)vertex_count, (int)tet_count);
  if (!*piece)
    return st_fail_memory(error);
  int first_vertex = 0, first_tet = 0;
  for (int b = 0; b < description->body_count; b++) {
    add_body(*piece, description, b, first_vertex, first_tet);
    first_vertex += description->body[b].mesh->vertex_count;
    first_tet += description->body[b].mesh->tet_count;
  }
  return ST_OK;
}
