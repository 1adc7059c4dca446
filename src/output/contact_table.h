// contacts.csv: one row for each pair that touches in a committed step, for any number of pairs.
// It may grow large, so rows are appended and not kept in memory; the last line may be incomplete
// if the process is killed, and resuming cuts it off.
#pragma once

#include "base/log.h"
#include "step/record.h"

#include <stdint.h>

typedef struct StContactTable StContactTable;

// Writes the heading of a new file.
StStatus st_contact_table_create(const char *path, StContactTable **table, StError *error);

// How much of the file is written and durable.
typedef struct StContactsWritten {
  long size; // bytes
  uint32_t crc;
} StContactsWritten;

StContactsWritten st_contact_table_written(const StContactTable *table);

// Continues a file of which this much was written, and drops the rest, which a resumed run computes
// again. ST_BAD_INPUT if that part has changed; if the file has been removed, it warns and the
// table begins here.
StStatus st_contact_table_resume(const char *path, StContactsWritten written, const StLog *log,
                                 StContactTable **table, StError *error);
void st_contact_table_destroy(StContactTable *table); // NULL is fine

StStatus st_contact_table_add(StContactTable *table, const StReport *report, StError *error);

// Drops rows from a time (s) on, from the file too.
StStatus st_contact_table_cut(StContactTable *table, double time, StError *error);

// Appends the rows added since the last call; they are durable on disk when it returns ST_OK.
StStatus st_contact_table_flush(StContactTable *table, StError *error);
