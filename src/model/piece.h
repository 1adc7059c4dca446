// A rank's local piece of the model: the vertices it owns, the ghosts its elements touch, and those
// elements. Forces are loops over a piece and do not depend on other ranks.
#pragma once

#include "base/crew.h"
#include "model/description.h"

typedef struct StPiece {
  // Vertices 0 … owned_count-1 are ours, then come ghosts. In both groups, independent vertices
  // come first and carried ones last.
  int independent_count; // owned vertices that are not carried
  int owned_count;
  int ghost_end; // ghosts up to ghost_end-1 are not carried
  int vertex_count;
  int *vertex_id; // [vertex_count] number in the description (through all bodies)
  double *rest;   // [vertex_count][3] rest position
  double *mass;   // [vertex_count] lumped, complete (including other ranks' elements)
  int *body;      // [vertex_count] body index
  // [vertex_count] the mass over what elements give, 1 but for tets of second order
  // (model/lumping.h)
  double *lumping;

  // Elements that touch an owned vertex. The first owned_tet_count count towards forces and
  // energies; the others belong to other ranks and only complete our matrix rows.
  int owned_tet_count;
  int tet_count;
  int *tet;          // [tet_count][4] local vertices
  int *tet_id;       // [tet_count] number in the description (counts through all bodies)
  int *tet_material; // [tet_count] index into the description's materials
  // [tet_count] which part of an element of second order it is, whose eight parts follow each other
  // (mesh/second_order.h); -1: an element by itself
  int *tet_part;
  // [tet_count][4] m³ of the body that belong to each corner; NULL: a quarter of the tet
  double *tet_volume;

  // The same for triangles of cloth and shells, …
  int owned_triangle_count;
  int triangle_count;
  int *triangle;          // [triangle_count][3] local vertices
  int *triangle_id;       // [triangle_count] counts through all bodies
  int *triangle_material; // [triangle_count] a shell's

  // … and for hinges: two triangles with a common edge (model/hinge.h).
  int owned_hinge_count;
  int hinge_count;
  int *hinge;          // [hinge_count][4] the edge, then the opposite vertex of either triangle
  int *hinge_id;       // [hinge_count] counts through all bodies
  int *hinge_material; // [hinge_count][2] of either triangle

  StCarried carried; // in local numbers, ours first; all carriers are known here

  StCrew *crew; // threads to share the work, not owned; NULL: the caller alone

  // [independent_count] vertices that stay where they are, and whose forces nobody asks for, while
  // a solve goes on with others (step/parking.h). Not owned; NULL: none.
  const bool *parked;
} StPiece;

static inline bool st_piece_is_parked(const StPiece *piece, int vertex) {
  return piece->parked && vertex < piece->independent_count && piece->parked[vertex];
}

static inline int st_piece_owned_carried(const StPiece *piece) {
  return piece->owned_count - piece->independent_count;
}

// Its entry in the list of carried vertices; -1: it moves by itself.
static inline int st_piece_carried_entry(const StPiece *piece, int vertex) {
  if (vertex < piece->owned_count)
    return vertex < piece->independent_count ? -1 : vertex - piece->independent_count;
  return vertex < piece->ghost_end ? -1 : vertex - piece->ghost_end + st_piece_owned_carried(piece);
}

// Computes carried vertices from their carriers: owned ones, or all.
static inline void st_piece_follow_owned(const StPiece *piece, double *field) {
  st_carried_follow(&piece->carried, 0, st_piece_owned_carried(piece), field);
}

static inline void st_piece_follow(const StPiece *piece, double *field) {
  st_carried_follow(&piece->carried, 0, piece->carried.count, field);
}

// The same but for those that parked ones carry: they are where they were.
void st_piece_follow_awake(const StPiece *piece, double *field);

// Array sizes of a piece.
typedef struct StPieceSize {
  int vertex_count, tet_count, triangle_count, hinge_count;
} StPieceSize;

// Uninitialised content, all owned; NULL: out of memory.
StPiece *st_piece_create(StPieceSize size);
void st_piece_destroy(StPiece *piece); // NULL is fine

// [vertex_count] of the description: local numbers, -1 if unknown here; free() it. NULL: out of
// memory.
int *st_piece_find_vertices(const StPiece *piece, int vertex_count);

// m³ of the body that belong to the corners of a tet, and what part of the tet they are.
void st_piece_corner_volumes(const StPiece *piece, int tet, double volume[4]);
double st_piece_fill_part(const StPiece *piece, int tet);

// Material of a body's element: its label's, otherwise the body's.
int st_body_tet_material(const StBodyDesc *body, int tet);
int st_body_triangle_material(const StBodyDesc *body, int triangle);

double st_body_mass(const StDescription *description, const StBodyDesc *body); // kg
