// Collects distributed data on rank 0 in the description's numbering, and distributes it again.
#ifndef ST_STEP_GATHER_H
#define ST_STEP_GATHER_H

#include "model/piece.h"

typedef struct StGather StGather;

StStatus st_gather_create(const StPiece *piece, StGather **gather, StError *error);
void st_gather_destroy(StGather *gather);

int st_gather_vertex_total(const StGather *gather);
int st_gather_tet_total(const StGather *gather);

// local: [owned][width]; *whole on rank 0: [total][width], allocated here, free() it; NULL
// elsewhere.
StStatus st_gather_vertices(const StGather *gather, const double *local, int width, double **whole,
                            StError *error);
StStatus st_gather_tets(const StGather *gather, const double *local, int width, double **whole,
                        StError *error);

// whole: [vertices][3], read on rank 0 only; local: [owned][3].
StStatus st_gather_spread(const StGather *gather, const double *whole, double *local,
                          StError *error);

#endif
