// Builds glTF 2.0: numbers go into one buffer, and everything that refers to them into lists of
// JSON objects, until the whole is written as .gltf with its .bin, or as one .glb.
#pragma once

#include "base/status.h"
#include "base/text.h"

typedef enum StGltfList {
  ST_GLTF_VIEWS,
  ST_GLTF_ACCESSORS,
  ST_GLTF_MATERIALS,
  ST_GLTF_MESHES,
  ST_GLTF_NODES,
  ST_GLTF_SAMPLERS, // of the one animation
  ST_GLTF_CHANNELS,
  ST_GLTF_LISTS
} StGltfList;

typedef struct StGltf {
  StText buffer;
  struct {
    int count;
    StText text; // objects with commas between them
  } list[ST_GLTF_LISTS];
} StGltf;

void st_gltf_free(StGltf *gltf);

// Starts the next object of a list, to be completed by adding text; returns its number and the
// text.
int st_gltf_next(StGltf *gltf, StGltfList list, StText **text);

typedef enum StGltfUse { ST_GLTF_ANIMATION, ST_GLTF_VERTICES, ST_GLTF_TRIANGLES } StGltfUse;

// Accessors of [count][width] numbers; they return its number. Floats carry their bounds.
int st_gltf_add_floats(StGltf *gltf, const float *value, int count, int width, StGltfUse use);
int st_gltf_add_indices(StGltf *gltf, const int *value, int count, int subtract);

// A matt material of this colour, linear RGB; one_sided: transparent from behind.
int st_gltf_add_material(StGltf *gltf, const char *name, const double colour[3], bool one_sided);

void st_gltf_add_string(StText *text, const char *value); // as JSON

// Writes path, which ends in .gltf (then path.bin goes beside it) or .glb. `root` is the one node
// of the scene.
StStatus st_gltf_write(const StGltf *gltf, const char *path, const char *title, int root,
                       StError *error);
