// Brings what ranks own into the description's numbering, on rank 0 or with consecutive rows on
// every rank, and back.
#pragma once

#include "model/piece.h"
#include "step/record.h"

typedef struct StGather StGather;

// To rank 0.
StStatus st_gather_create(const StPiece *piece, StGather **gather, StError *error);

// To all ranks: each says which vertices and tets of the description it gets. Together these must
// be all, each once, in the order of ranks.
StStatus st_gather_create_rows(const StPiece *piece, StRows vertices, StRows tets,
                               StGather **gather, StError *error);
void st_gather_destroy(StGather *gather); // NULL is fine

int st_gather_vertex_total(const StGather *gather);
int st_gather_tet_total(const StGather *gather);

// Whether these are the rows it was created for; the answer may differ between ranks.
bool st_gather_has_rows(const StGather *gather, StRows vertices, StRows tets);

// local: [owned][width]; *whole: [rows of this rank][width], allocated here, free() it; NULL on
// ranks other than the first where that one gets all.
StStatus st_gather_vertices(const StGather *gather, const double *local, int width, double **whole,
                            StError *error);
StStatus st_gather_tets(const StGather *gather, const double *local, int width, double **whole,
                        StError *error);

// Marks of all vertices or tets, known to rank 0, as numbers for the ranks that get their rows;
// *rows as *whole above.
StStatus st_gather_deal_vertices(const StGather *gather, const unsigned char *mark, int **rows,
                                 StError *error);
StStatus st_gather_deal_tets(const StGather *gather, const unsigned char *mark, int **rows,
                             StError *error);

// whole: [vertices][3], read on rank 0 only; local: [owned][3].
StStatus st_gather_spread(const StGather *gather, const double *whole, double *local,
                          StError *error);
