// checkpoint.h5: everything a run needs to continue, in one file that is either complete or absent.
// An HDF5 file after a 512-byte header with format, size and CRC32 of the rest, so that damage is
// detected before HDF5 reads a byte. Files do not depend on the number of ranks.
#pragma once

#include "step/record.h"

#include <stdint.h>

// The output that had been written when the state was saved: later output is computed again.
typedef struct StWritten {
  uint32_t scene_crc; // of the scene's text: rejects a checkpoint of another scene
  long history_rows;
  uint32_t *history_crc; // [history_rows] of each row's text
  long contacts_size;    // bytes of contacts.csv, …
  uint32_t contacts_crc; // … and of all of them
  int frame_count;
  double *frame_time; // [frame_count] seconds
} StWritten;

void st_written_free(StWritten *written); // frees the arrays

// The file's bytes, and back; name: for messages. free() *bytes. HDF5's interface takes non-const
// bytes, but leaves them unchanged.
StStatus st_checkpoint_pack(const char *name, const StCheckpoint *checkpoint,
                            const StWritten *written, char **bytes, size_t *size, StError *error);
StStatus st_checkpoint_unpack(const char *name, char *bytes, size_t size, StCheckpoint *checkpoint,
                              StWritten *written, StError *error);

StStatus st_checkpoint_write(const char *path, const StCheckpoint *checkpoint,
                             const StWritten *written, StError *error);

// On success both are filled, every array is present, and numbers are plausible: st_checkpoint_free
// and st_written_free them. On failure both are empty: ST_BAD_INPUT if the file is missing,
// unreadable or damaged, ST_SYSTEM_FAULT if memory or disk failed.
StStatus st_checkpoint_read(const char *path, StCheckpoint *checkpoint, StWritten *written,
                            StError *error);
