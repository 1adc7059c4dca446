// Storage of a piece.
#include "model/piece.h"

#include "base/memory.h"
#include "mesh/cage.h"
#include "model/body.h"

void st_piece_destroy(StPiece *piece) {
  if (!piece)
    return;
  void *array[] = {
      piece->vertex_id, piece->rest,     piece->mass,           piece->lumping,
      piece->body,      piece->tet,      piece->tet_id,         piece->tet_material,
      piece->tet_part,  piece->triangle, piece->triangle_id,    piece->triangle_material,
      piece->hinge,     piece->hinge_id, piece->hinge_material, piece->tet_volume};
  for (int i = 0; i < ST_LENGTH(array); i++)
    free(array[i]);
  st_carried_free(&piece->carried);
  free(piece);
}

StPiece *st_piece_create(StPieceSize size) {
  StPiece *piece = ST_NEW(StPiece, 1);
  if (!piece)
    return NULL;
  piece->independent_count = piece->owned_count = size.vertex_count;
  piece->ghost_end = piece->vertex_count = size.vertex_count;
  piece->owned_tet_count = piece->tet_count = size.tet_count;
  piece->owned_triangle_count = piece->triangle_count = size.triangle_count;
  piece->owned_hinge_count = piece->hinge_count = size.hinge_count;
  struct {
    int **array;
    int count, each;
  } whole[] = {
      {&piece->vertex_id, size.vertex_count, 1},
      {&piece->body, size.vertex_count, 1},
      {&piece->tet, size.tet_count, 4},
      {&piece->tet_id, size.tet_count, 1},
      {&piece->tet_material, size.tet_count, 1},
      {&piece->tet_part, size.tet_count, 1},
      {&piece->triangle, size.triangle_count, 3},
      {&piece->triangle_id, size.triangle_count, 1},
      {&piece->triangle_material, size.triangle_count, 1},
      {&piece->hinge, size.hinge_count, 4},
      {&piece->hinge_id, size.hinge_count, 1},
      {&piece->hinge_material, size.hinge_count, 2},
  };
  bool good = (piece->rest = ST_NEW(double, 3 * (size_t)size.vertex_count)) != NULL;
  good = (piece->mass = ST_NEW(double, size.vertex_count)) && good;
  good = (piece->lumping = ST_NEW(double, size.vertex_count)) && good;
  for (int i = 0; i < ST_LENGTH(whole); i++)
    good = (*whole[i].array = ST_NEW(int, (size_t)whole[i].count *(size_t)whole[i].each)) && good;
  if (good)
    return piece;
  st_piece_destroy(piece);
  return NULL;
}

int *st_piece_find_vertices(const StPiece *piece, int vertex_count) {
  int *local = ST_NEW(int, vertex_count);
  for (int v = 0; local && v < vertex_count; v++)
    local[v] = -1;
  for (int i = 0; local && i < piece->vertex_count; i++)
    local[piece->vertex_id[i]] = i;
  return local;
}

void st_piece_corner_volumes(const StPiece *piece, int tet, double volume[4]) {
  double quarter = st_tet_volume(piece->rest, piece->tet + 4 * (size_t)tet) / 4;
  for (int i = 0; i < 4; i++)
    volume[i] = piece->tet_volume ? piece->tet_volume[4 * (size_t)tet + (size_t)i] : quarter;
}

double st_piece_fill_part(const StPiece *piece, int tet) {
  double volume[4];
  if (!piece->tet_volume)
    return 1;
  st_piece_corner_volumes(piece, tet, volume);
  return (volume[0] + volume[1] + volume[2] + volume[3]) /
         st_tet_volume(piece->rest, piece->tet + 4 * (size_t)tet);
}

static int label_material(const StBodyDesc *body, int label, int otherwise) {
  for (int i = 0; label >= 0 && i < body->label_material_count; i++)
    if (body->label_material[i].label == label)
      return body->label_material[i].material;
  return otherwise;
}

int st_body_tet_material(const StBodyDesc *body, int tet) {
  return label_material(body, body->mesh->tet_label[tet], body->material);
}

int st_body_triangle_material(const StBodyDesc *body, int triangle) {
  return label_material(body, body->mesh->triangle_label[triangle], body->shell);
}

double st_body_mass(const StDescription *description, const StBodyDesc *body) {
  const StMesh *mesh = body->mesh;
  double mass = 0;
  if (body->rigid)
    return body->rigid_mass;
  for (int t = 0; t < mesh->tet_count; t++)
    mass += description->material[st_body_tet_material(body, t)].density *
            st_mesh_fill_part(mesh, t) * st_tet_volume(mesh->position, mesh->tet + 4 * (size_t)t);
  for (int t = 0; t < st_body_shell_count(body); t++)
    mass += description->material[st_body_triangle_material(body, t)].density *
            st_triangle_area(mesh->position, mesh->triangle + 3 * (size_t)t);
  return mass;
}

enum { CARRIED_AT_ONCE = 1024 };

typedef struct Following {
  const StPiece *piece;
  double *field;
} Following;

static void follow_some(void *context, int begin, int end) {
  const Following *following = context;
  const StPiece *piece = following->piece;
  const int *carrier = piece->carried.carrier;
  for (int i = begin, first = begin; i < end; i++)
    if (st_piece_is_parked(piece, carrier[ST_CARRIERS * (size_t)i])) {
      st_carried_follow(&piece->carried, first, i, following->field);
      first = i + 1;
    } else if (i == end - 1) {
      st_carried_follow(&piece->carried, first, end, following->field);
    }
}

void st_piece_follow_awake(const StPiece *piece, double *field) {
  st_crew_sweep(piece->crew, 0, piece->carried.count, CARRIED_AT_ONCE, follow_some,
                &(Following){piece, field});
}
