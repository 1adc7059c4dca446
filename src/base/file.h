// Whole files: read at once, or written under another name and renamed, so that no broken file ever
// stands under a final name, whatever kills the process or fills the disk.
#ifndef ST_BASE_FILE_H
#define ST_BASE_FILE_H

#include "base/status.h"

#include <stddef.h>

// *data gets size + 1 bytes, the last one 0; free() it. Folders, pipes, sockets and devices, some
// of which never end, are ST_BAD_INPUT.
StStatus st_file_read(const char *path, char **data, size_t *size, StError *error);

// The same; a file of more than this many bytes is ST_BAD_INPUT too.
StStatus st_file_read_most(const char *path, size_t most, char **data, size_t *size,
                           StError *error);

StStatus st_file_write(const char *path, const void *data, size_t size, StError *error);

// Creates a folder and those above it that are missing.
StStatus st_folder_create(const char *path, StError *error);

// Creates the folders that are missing above a file.
StStatus st_folder_create_above(const char *path, StError *error);

bool st_file_exists(const char *path);

#endif
