// From a surface to tets: repair, remesh to the target size, fill with tets.
#pragma once

#include "fill/repair.h"

typedef struct StFillWish {
  double edge;      // target edge length, m; 0: that bodies bend, at most a twentieth of the size
  double tolerance; // how far the surface may move, m; 0: a tenth of the edge
  double hole;      // holes up to this wide are closed, m; 0: a fifth of the size
  int order;        // of the elements, for the edge that is not given; 0: 1
} StFillWish;

typedef struct StFillReport {
  StFillWish wish; // with what was chosen
  StRepair repair;
  double deviation;   // largest distance between the given surface and the tets' own, m
  double volume_loss; // fraction of the volume that is lost; negative: gained
  int tight_count;    // places where a smaller tolerance was needed
} StFillReport;

// The size that defaults are based on: the diagonal of the bounding box, m.
double st_fill_size(const StMesh *surface);

// surface: triangles as read from a file. Labels of its triangles become tags of vertices. name:
// for messages. Repairs are logged. The same surface always gives the same mesh.
StStatus st_fill(const StMesh *surface, const char *name, const StFillWish *wish, const StLog *log,
                 StMesh **result, StFillReport *report, StError *error);

// The same, but reads the mesh from the cache folder ($STICTION_CACHE, or stiction in the user's
// cache folder) if this surface was filled before with the same settings.
StStatus st_fill_cached(const StMesh *surface, const char *name, const StFillWish *wish,
                        const StLog *log, StMesh **result, StError *error);

// Path of the cached mesh; free() it. NULL: none, or out of memory.
char *st_fill_cache_path(const StMesh *surface, const StFillWish *wish);
