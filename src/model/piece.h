// A rank's local piece of the model: the vertices it owns, the ghosts its elements touch, and those
// elements. Forces are serial loops over a piece and never learn that other ranks exist.
#ifndef ST_MODEL_PIECE_H
#define ST_MODEL_PIECE_H

#include "base/status.h"
#include "model/description.h"

typedef struct StPiece {
  int owned_count;  // vertices 0 … owned_count-1 are ours
  int vertex_count; // then come ghosts
  int *vertex_id;   // [vertex_count] number in the description (counts through all bodies)
  double *rest;     // [vertex_count][3] rest position
  double *mass;     // [vertex_count] lumped, complete (all elements, also other ranks')
  int *body;        // [vertex_count] body index

  // Elements that touch an owned vertex. The first owned_tet_count count towards forces and
  // energies; the rest are other ranks' and only complete our matrix rows.
  int owned_tet_count;
  int tet_count;
  int *tet;          // [tet_count][4] local vertices
  int *tet_id;       // [tet_count] number in the description (counts through all bodies)
  int *tet_material; // [tet_count] index into the description's materials
} StPiece;

// Empty arrays for so many vertices and tets, all of them owned; NULL: no memory.
StPiece *st_piece_create(int vertex_count, int tet_count);
void st_piece_destroy(StPiece *piece); // NULL is fine

// Material of a body's element: its label's, or else the body's own.
int st_body_tet_material(const StBodyDesc *body, int tet);

#endif
