// The viewer's page: one HTML file with a whole run and all that is needed to look at it inside.
#ifndef ST_SHOW_VIEW_PAGE_H
#define ST_SHOW_VIEW_PAGE_H

#include "base/log.h"
#include "show/view_run.h"

// Whether this program was built with the page, and if not, what to do about it.
StStatus st_view_page_check(StError *error);

// The page without a run: it asks whoever serves it for one.
void st_view_page_plain(StText *page);

// Runs that would make a page of more than some 200 MB lose frames evenly, with a word in the log.
// run->every tells how many were left out.
StStatus st_view_page_write(StViewRun *run, const char *path, const StLog *log, StError *error);

#endif
