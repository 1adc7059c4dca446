// Some frames of a run, compressed for transfer: quantised, as differences, and deflated.
// Displacements have 16 bits in a cube around those of the pack; numbers of fields have 8.
// viewer/src/codec.js is the counterpart. Each field is a group of its own, because the page
// unpacks only what it shows.
#pragma once

#include "base/text.h"
#include "show/view_fields.h"

// Frames in order, until they are packed.
typedef struct StViewPack {
  const StViewSurface *surface;
  const StViewFields *fields;
  int count, capacity; // frames
  double *position;    // [capacity][vertex_count][3]
  float *value;        // [capacity][numbers of all fields][vertex_count]
} StViewPack;

StStatus st_view_pack_create(const StViewSurface *surface, const StViewFields *fields, int capacity,
                             StViewPack *pack, StError *error);
void st_view_pack_free(StViewPack *pack);

// How many frames a pack should hold to be quick to unpack and still small.
int st_view_pack_frames(const StViewSurface *surface, const StViewFields *fields);

// Reads a frame. positions: false if only fields are wanted.
StStatus st_view_pack_add(StViewPack *pack, const StRecording *recording, int frame, bool positions,
                          StError *error);

// "position" for group 0, then the names of the fields; NULL: there are no more.
const char *st_view_pack_name(const StViewPack *pack, int group);

// Adds the packed numbers of a group to `bytes`, and a JSON member about them to `header`:
// "position":{ "size": side of the cube, "low", "high": of displacements, "box_low", "box_high":
//              of positions, "farthest": the longest displacement }
// "contact":{ "largest": by which amounts are scaled, one for each of the field's numbers or for
//             the vector; "low", "high": ends of a legend, for each component, of a vector for its
//             length, x, y and z }
StStatus st_view_pack_group(const StViewPack *pack, int group, StText *header, StText *bytes,
                            StError *error);

void st_view_pack_empty(StViewPack *pack);

// zlib, appended to text.
StStatus st_view_deflate(const void *bytes, size_t size, StText *text, StError *error);
