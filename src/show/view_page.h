// The viewer's page: one HTML file that contains a whole run, or two side by side, and the viewer
// itself.
#pragma once

#include "base/log.h"
#include "show/view_run.h"

// Whether this program was built with the page; if not, the error says what to do.
StStatus st_view_page_check(StError *error);

// The page without a run: it requests one from its server.
void st_view_page_plain(StText *page);

enum { ST_VIEW_PAGE_BYTES = 200 << 20 }; // browsers still open this easily

enum { ST_VIEW_RUNS = 2 }; // that a page can show side by side

// If the page would exceed `most`, runs lose the interior of bodies, then evenly spaced frames,
// with a message in the log, and run->every then says how many; at least two frames remain.
StStatus st_view_page_write(StViewRun *run, int run_count, const char *path, size_t most,
                            const StLog *log, StError *error);
