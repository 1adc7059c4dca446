// Columns of contact pairs that the history leaves out, made of the rows in contacts.csv: the
// strongest pairs, with the same names as in the history.
#pragma once

#include "replay/recording.h"

// More would make pages and plots heavy without being readable.
enum { ST_CONTACT_COLUMNS_PAIRS = 32 };

// Adds them to a recording whose history is loaded. Nothing to do without contacts.csv.
StStatus st_contact_columns_add(StRecording *recording, StError *error);
