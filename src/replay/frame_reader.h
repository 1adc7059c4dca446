// How one format of frames is read: frame_fields.c stands on this and knows no format.
#pragma once

#include "replay/frame_fields.h"

// The contents of an open file.
typedef struct StFrameContent {
  size_t vertex_count, cell_count;
  bool has_time;
  double time;
  int field_count;
  StFrameField *field; // [field_count]
  char **label;        // NULL-terminated
} StFrameContent;

// A file is the reader's own; *file must be closed also after a failed open, unless it is NULL.
typedef struct StFrameReader {
  StStatus (*open)(const char *path, void **file, StFrameContent *content, StError *error);
  void (*close)(void *file);
  // [items][components] and [vertices][3], free() it.
  StStatus (*read)(const void *file, int field, double **value, StError *error);
  StStatus (*positions)(const void *file, double **value, StError *error);
} StFrameReader;

extern const StFrameReader st_frame_reader_vtu, st_frame_reader_vtkhdf;
