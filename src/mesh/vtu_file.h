// A VTU file in memory: one pass over its tags records all arrays, which are decoded on demand.
// Used by the mesh reader and by the reader of frames.
#pragma once

#include "mesh/number.h"
#include "mesh/vtu_bytes.h"

typedef enum StVtuSection {
  ST_VTU_NOWHERE,
  ST_VTU_FIELD_DATA,
  ST_VTU_POINT_DATA,
  ST_VTU_CELL_DATA,
  ST_VTU_POINTS,
  ST_VTU_CELLS,
} StVtuSection;

typedef enum StVtuStorage { ST_VTU_ASCII, ST_VTU_INLINE, ST_VTU_APPENDED } StVtuStorage;

typedef struct StVtuEntry {
  StVtuSection section;
  StSpan name;
  StNumberType type; // none for strings
  StVtuStorage storage;
  size_t offset;  // into the appended data
  StSpan content; // between the tags
  int64_t components;
  const char *mark; // its tag, for messages
} StVtuEntry;

typedef struct StVtuPiece {
  size_t point_count, cell_count;
  size_t first_entry, entry_count;
  const char *mark;
} StVtuPiece;

typedef struct StVtuFile {
  StScan *scan; // the file's bytes; must outlive this
  StVtuEncoding encoding;
  size_t entry_count, entry_capacity;
  StVtuEntry *entry;
  size_t piece_count, piece_capacity;
  StVtuPiece *piece;
  StSpan appended; // after the underscore
  bool appended_base64;
} StVtuFile;

// Decodes nothing. The file must be freed even after a failure.
StStatus st_vtu_file_walk(StScan *scan, StVtuFile *file);
void st_vtu_file_free(StVtuFile *file);

// The array of a piece, or NULL. name NULL: any name.
const StVtuEntry *st_vtu_file_find(const StVtuFile *file, const StVtuPiece *piece,
                                   StVtuSection section, const char *name);

// Exactly `count` numbers. *value must be NULL before; afterwards the caller must free() it, even
// after a failure.
StStatus st_vtu_file_reals(const StVtuFile *file, const StVtuEntry *entry, size_t count,
                           double **value);
StStatus st_vtu_file_integers(const StVtuFile *file, const StVtuEntry *entry, size_t count,
                              int64_t **value);

// An array of strings, each terminated by 0, of at most this many bytes; *text as above.
StStatus st_vtu_file_strings(const StVtuFile *file, const StVtuEntry *entry, size_t most,
                             char **text, size_t *size);
