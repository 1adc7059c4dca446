// checkpoint.h5: everything a run needs to go on, in one file that is either whole or not there. An
// HDF5 file behind a 512-byte header with format, size and CRC32 of the rest, so that any damage is
// found and named before HDF5 looks at a byte. Files do not depend on the number of ranks.
#ifndef ST_OUTPUT_CHECKPOINT_H
#define ST_OUTPUT_CHECKPOINT_H

#include "step/record.h"

#include <stdint.h>

// What the writers had put out when the state was saved: the rest of their files is computed again.
typedef struct StWritten {
  uint32_t scene_crc; // of the scene's text, so that a checkpoint of another scene is refused
  long history_rows;
  uint32_t *history_crc; // [history_rows] of each row's text
  int frame_count;
  double *frame_time; // [frame_count] seconds
} StWritten;

void st_written_free(StWritten *written); // frees the arrays

// The file's bytes, and back; name: for messages. free() *bytes. HDF5 wants the bytes that it reads
// not to be const, but leaves them as they are.
StStatus st_checkpoint_pack(const char *name, const StCheckpoint *checkpoint,
                            const StWritten *written, char **bytes, size_t *size, StError *error);
StStatus st_checkpoint_unpack(const char *name, char *bytes, size_t size, StCheckpoint *checkpoint,
                              StWritten *written, StError *error);

StStatus st_checkpoint_write(const char *path, const StCheckpoint *checkpoint,
                             const StWritten *written, StError *error);

// On success both are filled, every array is there, and numbers are what a run can have written:
// st_checkpoint_free and st_written_free them. On failure both are empty: ST_BAD_INPUT when the
// file is not there, may not be read or is damaged, ST_SYSTEM_FAULT when memory or disk failed.
StStatus st_checkpoint_read(const char *path, StCheckpoint *checkpoint, StWritten *written,
                            StError *error);

#endif
