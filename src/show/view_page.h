// The viewer's page: one HTML file with a whole run, or two side by side, and all that is needed to
// look at it inside.
#ifndef ST_SHOW_VIEW_PAGE_H
#define ST_SHOW_VIEW_PAGE_H

#include "base/log.h"
#include "show/view_run.h"

// Whether this program was built with the page, and if not, what to do about it.
StStatus st_view_page_check(StError *error);

// The page without a run: it asks whoever serves it for one.
void st_view_page_plain(StText *page);

enum { ST_VIEW_PAGE_BYTES = 200 << 20 }; // what browsers still open with ease

enum { ST_VIEW_RUNS = 2 }; // that a page can show side by side

// Where the page would be larger than `most`, runs lose what is inside of bodies, then frames
// evenly, with a word in the log, and run->every then tells how many; two frames are always there.
StStatus st_view_page_write(StViewRun *run, int run_count, const char *path, size_t most,
                            const StLog *log, StError *error);

#endif
