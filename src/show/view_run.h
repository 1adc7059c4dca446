// A run for the viewer's page: one JSON object about it, packs of frames, and binary blocks by
// name. Written and served pages consist of the same parts.
#pragma once

#include "show/view_pack.h"

typedef struct StViewRun {
  StRecording recording;
  StViewSurface surface;
  StViewFields fields;
  bool hollow;    // without the interior of bodies
  int every;      // show every n-th frame; 1: all
  int generation; // for a served folder: how many runs it has contained before this one
} StViewRun;

StStatus st_view_run_open(const char *folder, bool hollow, const StLog *log, StViewRun *run,
                          StError *error);
void st_view_run_close(StViewRun *run);

// Leaves out from now on what is inside of bodies.
StStatus st_view_run_drop_interior(StViewRun *run, StError *error);

int st_view_run_frames(const StViewRun *run);           // that are shown
int st_view_run_frame(const StViewRun *run, int shown); // its number in the recording

// The last part of a folder's name, into name[size].
void st_view_run_name(const StViewRun *run, char *name, size_t size);

// Everything but numbers in bulk. packs: the headers of all packs as a JSON list, NULL: none yet.
StStatus st_view_run_describe(const StViewRun *run, const char *packs, StText *json,
                              StError *error);

// Little-endian and deflated:
// "surface"     Uint32 [triangles][3], per triangle Uint32 the frames' cell behind it, per vertex
//               Uint32 its number among those of all bodies, Uint16 its body, Uint16 its material;
//               vertices inside of bodies come last; Float32 [vertices][3] undeformed positions
// "held"        Uint32 vertices of one boundary after the other, in the description's order; their
//               numbers are those among all bodies
// "inside"      Uint32 [tets][4] vertices, Uint16 [tets] materials
// "history"     Float32 [columns][rows], as the description lists them
// "obstacle-0"… Uint32 vertices, Uint32 triangles, Float32 [vertices][3], Uint32 [triangles][3]
// ST_BAD_INPUT: there is no block of this name.
StStatus st_view_run_block(const StViewRun *run, const char *name, StText *bytes, StError *error);
