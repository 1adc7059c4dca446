// Storage of a piece.
#include "model/piece.h"

#include "base/memory.h"

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
