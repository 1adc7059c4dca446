// Whole files: read at once, or written under another name and renamed, so that no broken file ever
// stands under a final name, whatever kills the process or fills the disk.
#ifndef ST_BASE_FILE_H
#define ST_BASE_FILE_H

#include "base/status.h"

#include <stddef.h>

// *data gets size + 1 bytes, the last one 0; free() it. A file that is not there, may not be read
// or is no plain file (folders, pipes, sockets, devices: some never end) is ST_BAD_INPUT; a disk or
// a memory that fails is ST_SYSTEM_FAULT: who takes one for the other loses what is in the file.
StStatus st_file_read(const char *path, char **data, size_t *size, StError *error);

// The same; a file of more than this many bytes is ST_BAD_INPUT too.
StStatus st_file_read_most(const char *path, size_t most, char **data, size_t *size,
                           StError *error);

// On disk for good when it returns ST_OK: the file and its name.
StStatus st_file_write(const char *path, const void *data, size_t size, StError *error);

// The same in two halves, for files that must appear together: the content goes under path.tmp,
// then gets its name. unstage takes an unpublished one away again.
StStatus st_file_stage(const char *path, const void *data, size_t size, StError *error);
StStatus st_file_publish(const char *path, StError *error);
void st_file_unstage(const char *path);

// Creates a folder and those above it that are missing.
StStatus st_folder_create(const char *path, StError *error);

// Creates the folders that are missing above a file.
StStatus st_folder_create_above(const char *path, StError *error);

// Whether anything has that name; fails when it cannot be told.
StStatus st_file_find(const char *path, bool *found, StError *error);

// Where not being able to tell is as good as no.
bool st_file_exists(const char *path);

#endif
