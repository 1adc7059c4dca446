// Exports a run to the files of other programs: animation packages, viewers, analysis. Formats are
// const descriptors; the command, its help and the manual use the same list.
#pragma once

#include "replay/recording.h"

typedef enum StExportPart {
  ST_EXPORT_USUAL,   // the volume if the format supports it
  ST_EXPORT_SURFACE, // outer faces of solids, and shells
  ST_EXPORT_VOLUME,  // all tets and triangles
} StExportPart;

typedef struct StExportJob StExportJob;

typedef struct StExportFormat {
  const char *name;    // the word after --to
  const char *summary; // one line: what is written, and which programs read it
  bool folder;    // a file per frame in a folder; otherwise one file, whose extension is the name
  bool volume;    // supports tets
  bool fields;    // supports fields of vertices and cells
  bool animation; // readers keep all frames in memory: long runs are thinned out
  StStatus (*write)(StExportJob *job, StError *error);
} StExportFormat;

extern const StExportFormat *const st_export_formats[]; // NULL-terminated
const StExportFormat *st_export_find(const char *name); // NULL: no such format

typedef struct StExportSettings {
  const StExportFormat *format;
  const char *out; // file or folder; NULL: DIR/export/NAME.glb, DIR/export/obj …
  int every;       // take every n-th frame in the time span; 0: all, or what the format can handle
  double from, until; // s; inclusive
  StExportPart part;
  int field_count; // fields to keep; 0: all that the format supports
  const char *const *field;
  const StLog *log;
} StExportSettings;

typedef struct StExported {
  char *path; // what to open; free() it
  int frame_count, every;
} StExported;

StStatus st_export(const StRecording *recording, const StExportSettings *settings,
                   StExported *exported, StError *error);
