// history.csv: one row of global quantities per committed step, the initial state first. Rows are
// kept in memory and the whole file is published at once, so that no reader ever sees half a line.
#pragma once

#include "base/log.h"
#include "base/text.h"
#include "output/zone_course.h"
#include "step/record.h"

#include <stdint.h>

typedef struct StHistory StHistory;

// Contact pairs with their own columns: first those of two different objects, then bodies against
// themselves. Totals include all pairs, and contacts.csv has each that touches.
enum { ST_HISTORY_PAIRS = 16 };

// Boundaries, then obstacles, with their own columns. Reports and the summary have all.
enum { ST_HISTORY_REACTIONS = 32 };

// A name in a CSV file: commas and quotes would need quoting, which not every reader supports, and
// become "_".
void st_history_add_name(StText *text, const char *name);

// The columns follow from the first report: one per force with an energy, two per zone, three per
// bearing, six per load and seven per joint, those of the independent check unless it is off, those
// of contact if bodies may touch, those of probes, eight per listed body, and six per boundary and
// obstacle.
StStatus st_history_create(const StReport *first, StHistory **history, StError *error);
void st_history_destroy(StHistory *history); // NULL is fine

StStatus st_history_add(StHistory *history, const StReport *report, StError *error);
long st_history_rows(const StHistory *history);
const uint32_t *st_history_crc(const StHistory *history); // [rows] CRC32 of each row's text

// Whether a report has the same columns as the first one.
bool st_history_fits(const StHistory *history, const StReport *report);

// Drops rows from a time (s) on.
void st_history_cut(StHistory *history, double time);

StStatus st_history_publish(const StHistory *history, const char *path, StError *error);

// Volume and pressure of all zones in all rows, including earlier sessions; st_zone_course_free it.
StStatus st_history_zones(const StHistory *history, StZoneCourse *course, StError *error);

// Takes over the first rows of a published file and drops the rest, which a resumed run computes
// again. crc: [rows] from st_history_crc when they were published. If the file has been removed, it
// warns and the history begins here; if it is unreadable or damaged, the error says where.
StStatus st_history_load(StHistory *history, const char *path, const uint32_t *crc, long rows,
                         const StLog *log, StError *error);
