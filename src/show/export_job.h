// Input of the writers of all formats, and what they share.
#pragma once

#include "base/text.h"
#include "replay/skin.h"
#include "show/export.h"

struct StExportJob {
  const StRecording *recording;
  const StExportSettings *settings;
  StSkin skin;
  bool volume; // export all cells, not the skin
  int frame_count;
  int *frame;    // [frame_count] of the recording
  char *name;    // of the run, for file names
  char *path;    // the file or folder to write
  char *opening; // the file a user opens; a writer may set it, otherwise it is the path
};

extern const StExportFormat st_export_gltf, st_export_glb, st_export_usda, st_export_vtu,
    st_export_vtm, st_export_vtkhdf, st_export_obj, st_export_ply, st_export_pc2, st_export_mdd;

// Range of one body's vertices and triangles in the skin.
typedef struct StExportRange {
  int first_vertex, vertex_count, first_triangle, triangle_count;
} StExportRange;

StStatus st_export_ranges(const StExportJob *job, StExportRange **range, StError *error); // free()

// sRGB to linear light, as in animation files.
double st_export_linear(int byte);

double st_export_time(const StExportJob *job, int index); // s, of the chosen frame

// Positions of the skin in a chosen frame: [skin.vertex_count][3], free() it.
StStatus st_export_positions(const StExportJob *job, int index, double **position, StError *error);

// The skin at rest as a mesh whose labels are the bodies' names; the caller sets its positions.
StStatus st_export_mesh(const StExportJob *job, StMesh **mesh, StError *error);

// folder/PREFIX_00012.ending of the chosen frame, to free(); NULL: out of memory.
char *st_export_file(const StExportJob *job, const char *prefix, int index, const char *ending);

// Removes leftover files of a longer export, after this one's last.
void st_export_drop_rest(const StExportJob *job, const char *prefix, const char *ending);

// path with another extension, to free(); NULL: out of memory.
char *st_export_beside(const char *path, const char *ending);
