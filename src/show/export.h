// A run in the files of other programs: animation packages, viewers, analysis. Formats are const
// descriptors; the command, its help and the manual read the one list.
#ifndef ST_SHOW_EXPORT_H
#define ST_SHOW_EXPORT_H

#include "replay/recording.h"

typedef enum StExportPart {
  ST_EXPORT_USUAL,   // the volume where the format can hold it
  ST_EXPORT_SURFACE, // outer faces of solids, and shells
  ST_EXPORT_VOLUME,  // all tets and triangles
} StExportPart;

typedef struct StExportJob StExportJob;

typedef struct StExportFormat {
  const char *name;    // the word behind --to
  const char *summary; // one line: what is written, and who reads it
  bool folder;         // a file per frame in a folder; else one file, whose ending is the name
  bool volume;         // can hold tets
  bool fields;         // can hold fields of vertices and cells
  bool animation;      // keeps all frames in memory of who opens it: long runs are thinned out
  StStatus (*write)(StExportJob *job, StError *error);
} StExportFormat;

extern const StExportFormat *const st_export_formats[]; // NULL-terminated
const StExportFormat *st_export_find(const char *name); // NULL: no such format

typedef struct StExportSettings {
  const StExportFormat *format;
  const char *out;    // file or folder; NULL: DIR/export/NAME.glb, DIR/export/obj …
  int every;          // of the frames in the span every so many; 0: all, or what the format bears
  double from, until; // s; frames at these times are in
  StExportPart part;
  int field_count; // fields to keep; 0: all that the format can hold
  const char *const *field;
  const StLog *log;
} StExportSettings;

typedef struct StExported {
  char *path; // what to open; free() it
  int frame_count, every;
} StExported;

StStatus st_export(const StRecording *recording, const StExportSettings *settings,
                   StExported *exported, StError *error);

#endif
