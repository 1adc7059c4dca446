// Whole files: read at once, or written under a temporary name and renamed, so that no incomplete
// file ever has its final name, even if the process is killed or the disk is full.
#pragma once

#include "base/status.h"

#include <stddef.h>

// *data gets size + 1 bytes, the last one 0; free() it. ST_BAD_INPUT: the file does not exist, may
// not be read or is not a plain file (folders, pipes, sockets, devices: some never end).
// ST_SYSTEM_FAULT: disk or memory failed. Callers that confuse the two lose the file's content.
StStatus st_file_read(const char *path, char **data, size_t *size, StError *error);

// The same; a file of more than `most` bytes is ST_BAD_INPUT too.
StStatus st_file_read_most(const char *path, size_t most, char **data, size_t *size,
                           StError *error);

// When it returns ST_OK, the file and its name are durable on disk.
StStatus st_file_write(const char *path, const void *data, size_t size, StError *error);

// The same in two steps, for files that must appear together: stage writes path.tmp, publish
// renames it, unstage deletes an unpublished one.
StStatus st_file_stage(const char *path, const void *data, size_t size, StError *error);
StStatus st_file_publish(const char *path, StError *error);
void st_file_unstage(const char *path);

// Creates a folder and its missing parents.
StStatus st_folder_create(const char *path, StError *error);

// Creates the missing parent folders of a file.
StStatus st_folder_create_above(const char *path, StError *error);

// Whether the path exists; fails if that cannot be determined.
StStatus st_file_find(const char *path, bool *found, StError *error);

// The same, where "cannot be determined" may count as no.
bool st_file_exists(const char *path);
