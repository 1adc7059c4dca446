// Appends the forces of touching pairs to a file.
#include "output/contact_table.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/checksum.h"
#include "output/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HEADING[] =
    "step,time [s],pair,touching,sticking,normal [N],friction_x [N],friction_y [N],friction_z [N],"
    "force_x [N],force_y [N],force_z [N],lost [J]\n";

struct StContactTable {
  char *path;
  StContactsWritten written;
  StText rows; // not yet written
};

static StStatus fail_write(const char *path, StError *error) {
  return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be written: %s", path, strerror(errno));
}

static StStatus make(const char *path, StContactsWritten written, StContactTable **table,
                     StError *error) {
  *table = ST_NEW(StContactTable, 1);
  if (*table)
    **table = (StContactTable){.path = st_copy_string(path), .written = written};
  if (*table && (*table)->path)
    return ST_OK;
  st_contact_table_destroy(*table);
  *table = NULL;
  return st_fail_memory(error);
}

void st_contact_table_destroy(StContactTable *table) {
  if (!table)
    return;
  st_text_free(&table->rows);
  free(table->path);
  free(table);
}

StStatus st_contact_table_create(const char *path, StContactTable **table, StError *error) {
  const long size = sizeof HEADING - 1;
  ST_TRY(st_file_write(path, HEADING, (size_t)size, error));
  return make(path, (StContactsWritten){size, st_checksum(HEADING, (size_t)size)}, table, error);
}

StContactsWritten st_contact_table_written(const StContactTable *table) {
  return table->written;
}

// The part of the file that was written before.
static StContactsWritten read_written(FILE *file, long size) {
  char block[1 << 14];
  StContactsWritten have = {0, st_checksum(NULL, 0)};
  for (size_t count; have.size < size; have.size += (long)count) {
    size_t want =
        (size_t)(size - have.size) < sizeof block ? (size_t)(size - have.size) : sizeof block;
    if ((count = fread(block, 1, want, file)) == 0)
      break;
    have.crc = st_checksum_more(have.crc, block, count);
  }
  return have;
}

static StStatus check(const char *path, StContactsWritten written, StError *error) {
  FILE *file = fopen(path, "r");
  if (!file)
    return st_fail(error, ST_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
  StContactsWritten have = read_written(file, written.size);
  bool whole = !ferror(file);
  fclose(file);
  if (!whole)
    return st_fail(error, ST_SYSTEM_FAULT, "%s: cannot be read", path);
  if (have.size < written.size)
    return st_fail(error, ST_BAD_INPUT, "%s: damaged (%ld bytes, %ld are needed); %s", path,
                   have.size, written.size, ST_CHECKSUM_ADVICE);
  if (have.crc != written.crc)
    return st_fail(error, ST_BAD_INPUT, "%s: damaged (rows up to here have changed); %s", path,
                   ST_CHECKSUM_ADVICE);
  return ST_OK;
}

StStatus st_contact_table_resume(const char *path, StContactsWritten written, const StLog *log,
                                 StContactTable **table, StError *error) {
  bool found = false;
  ST_TRY(st_file_find(path, &found, error));
  if (!found) {
    st_log(log, ST_WARNING, "%s: is missing; the table of contacts begins here", path);
    return st_contact_table_create(path, table, error);
  }
  ST_TRY(check(path, written, error));
  if (truncate(path, written.size) != 0)
    return fail_write(path, error);
  return make(path, written, table, error);
}

// Bytes of the rows before a time; rows have the time in their second cell.
static long size_before(FILE *file, double time) {
  ST_FREE char *line = NULL;
  size_t room = 0;
  long size = sizeof HEADING - 1;
  if (fseek(file, size, SEEK_SET) != 0)
    return -1;
  for (ssize_t length; (length = getline(&line, &room, file)) > 0; size += (long)length) {
    const char *cell = strchr(line, ',');
    if (!cell || !(strtod(cell + 1, NULL) < time))
      break;
  }
  return ferror(file) ? -1 : size;
}

StStatus st_contact_table_cut(StContactTable *table, double time, StError *error) {
  ST_TRY(st_contact_table_flush(table, error));
  FILE *file = fopen(table->path, "r");
  long size = file ? size_before(file, time) : -1;
  StContactsWritten kept = {0};
  if (size >= 0) {
    rewind(file);
    kept = read_written(file, size);
  }
  if (file)
    fclose(file);
  if (size < 0 || kept.size != size || truncate(table->path, size) != 0)
    return fail_write(table->path, error);
  table->written = kept;
  return ST_OK;
}

StStatus st_contact_table_add(StContactTable *table, const StReport *report, StError *error) {
  size_t begin = table->rows.length;
  for (int i = 0; i < report->touching_count; i++) {
    const StPairReport *pair = &report->pair[report->touching[i]];
    st_text_add(&table->rows, "%ld,%.17g,", report->step, report->time);
    st_history_add_name(&table->rows, pair->name);
    st_text_add(&table->rows, ",%d,%d,%.9g", pair->touching, pair->sticking, pair->normal_force);
    for (int k = 0; k < 3; k++)
      st_text_add(&table->rows, ",%.9g", pair->friction[k]);
    for (int k = 0; k < 3; k++)
      st_text_add(&table->rows, ",%.9g", pair->force[k]);
    st_text_add(&table->rows, ",%.9g\n", pair->lost);
  }
  if (!table->rows.failed)
    return ST_OK;
  table->rows.length = begin; // whole rows only
  table->rows.failed = false;
  return st_fail_memory(error);
}

static bool write_all(int file, const char *data, size_t size) {
  while (size > 0) {
    ssize_t done = write(file, data, size);
    if (done < 0 && errno != EINTR)
      return false;
    data += done > 0 ? done : 0;
    size -= done > 0 ? (size_t)done : 0;
  }
  return fsync(file) == 0;
}

// All rows, or none.
static StStatus append(const StContactTable *table, int file, StError *error) {
  off_t before = lseek(file, 0, SEEK_END);
  if (before >= 0 && write_all(file, table->rows.data, table->rows.length))
    return ST_OK;
  StStatus status = fail_write(table->path, error);
  bool undone = before >= 0 && ftruncate(file, before) == 0;
  (void)undone; // resuming cuts off what is left
  return status;
}

StStatus st_contact_table_flush(StContactTable *table, StError *error) {
  if (table->rows.length == 0)
    return ST_OK;
  int file = open(table->path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0)
    return fail_write(table->path, error);
  StStatus status = append(table, file, error);
  close(file); // what append has synced is safe, whatever this says
  if (status != ST_OK)
    return status;
  table->written.size += (long)table->rows.length;
  table->written.crc = st_checksum_more(table->written.crc, table->rows.data, table->rows.length);
  table->rows.length = 0;
  return status;
}
