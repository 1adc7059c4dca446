// Sweeps a patch through layers into tets or into the triangles of the swept body's surface.
// Hexahedra become five tets each; diagonals join vertices of one colour, so that neighbours always
// agree.
#pragma once

#include "mesh/mesh.h"
#include "mesh/patch.h"
#include "mesh/shape.h"

// Maps a lattice point of a layer to space; returns its set of labels (bit b: label b).
typedef unsigned (*StPlace)(const void *shape, const int lattice[3], int layer, double x[3]);

typedef struct StSweep {
  const StPatch *patch;
  int layers;   // 0: the patch itself, as a surface
  bool closed;  // the last layer is the first one again; layers must be even
  bool uniform; // every cell is cut the same way (six tets, or one diagonal) instead of alternating
  int colour;   // 0 or 1: which half of the vertices the diagonals join
  const int *foot; // solid: vertices of layer 0 made by an earlier sweep; NULL: make them
  StPlace place;
  const void *shape;
} StSweep;

// A mesh being filled, sweep after sweep.
typedef struct StSweepOutput {
  StShapeFill fill;
  StMesh *mesh;
  unsigned char *labels; // [vertex_count] bit sets
  int vertices, tets, triangles;
} StSweepOutput;

// Allocates the results of all these sweeps.
StStatus st_sweep_begin(StSweepOutput *output, StShapeFill fill, const StSweep *sweep, int count,
                        StError *error);
void st_sweep_run(StSweepOutput *output, const StSweep *sweep);

// Returns the mesh with its labels: bit b of a vertex is label[b] (NULL-terminated, at most 8); a
// triangle has the labels that all its corners have.
StStatus st_sweep_finish(StSweepOutput *output, const char *const *label, StMesh **mesh,
                         StError *error);

// The complete mesh of a shape that is one sweep.
StStatus st_sweep_mesh(const StSweep *sweep, StShapeFill fill, const char *const *label,
                       StMesh **mesh, StError *error);
