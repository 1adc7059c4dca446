// From a surface to tets: repair, triangles of the wanted size, tets inside.
#ifndef ST_FILL_FILL_H
#define ST_FILL_FILL_H

#include "fill/repair.h"

typedef struct StFillWish {
  double edge;      // length that edges should have, m; 0: a twentieth of the size
  double tolerance; // how far the surface may move, m; 0: a tenth of the edge
  double hole;      // holes up to this wide are closed, m; 0: a fifth of the size
} StFillWish;

typedef struct StFillReport {
  StFillWish wish; // with what was chosen
  StRepair repair;
  double deviation;   // largest distance between the given surface and the tets' own, m
  double volume_loss; // part of the volume that is lost; negative: won
  int tight_count;    // places where a smaller tolerance was needed
} StFillReport;

// The size that defaults go by: the diagonal of the box around the vertices, m.
double st_fill_size(const StMesh *surface);

// surface: triangles as a file has them. Labels of its triangles become tags of vertices. name: for
// messages. What was repaired is told to the log. The same surface always gives the same mesh.
StStatus st_fill(const StMesh *surface, const char *name, const StFillWish *wish, const StLog *log,
                 StMesh **result, StFillReport *report, StError *error);

// The same, but a mesh that was made of this surface with this wish before is read from the folder
// for such meshes ($STICTION_CACHE, or stiction in the user's folder for caches) instead.
StStatus st_fill_cached(const StMesh *surface, const char *name, const StFillWish *wish,
                        const StLog *log, StMesh **result, StError *error);

// Where it is kept; free() it. NULL: nowhere, or no memory.
char *st_fill_cache_path(const StMesh *surface, const StFillWish *wish);

#endif
