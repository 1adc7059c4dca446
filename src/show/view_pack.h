// Some frames of a run, compressed for transfer: quantised, as differences, and deflated. Positions
// have 16 bits in a cube around the pack; other planes have 8. viewer/src/codec.js is the
// counterpart.
#pragma once

#include "base/text.h"
#include "show/view_fields.h"

// Frames in order, until they are packed.
typedef struct StViewPack {
  int vertex_count;
  const StViewPlanes *planes;
  int count, capacity; // frames
  double *position;    // [capacity][vertex_count][3]
  float *value;        // [capacity][planes][vertex_count]
} StViewPack;

StStatus st_view_pack_create(const StViewSurface *surface, const StViewPlanes *planes, int capacity,
                             StViewPack *pack, StError *error);
void st_view_pack_free(StViewPack *pack);

// How many frames a pack should hold to be quick to unpack and still small.
int st_view_pack_frames(const StViewSurface *surface, const StViewPlanes *planes);

StStatus st_view_pack_add(StViewPack *pack, const StRecording *recording, int frame,
                          const StViewSurface *surface, StError *error);

// The packed frames, with a JSON object about them: the page's number of the first frame, how many
// there are, their bounding box, cube and largest values. Empties the pack.
StStatus st_view_pack_finish(StViewPack *pack, int first, StText *header, StText *bytes,
                             StError *error);

// zlib, appended to text.
StStatus st_view_deflate(const void *bytes, size_t size, StText *text, StError *error);
