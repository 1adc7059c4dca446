// Films a page of the viewer in a headless browser, frame by frame.
#pragma once

#include "base/status.h"

#include <stdbool.h>

// Whether a file name is that of a film: it ends in .webm or .mp4.
bool st_film_has_type(const char *out);

// The browser to use, or ST_BAD_INPUT with the names tried.
StStatus st_film_find_browser(const char **program, StError *error);

// A temporary folder for the page and the browser's own files; st_film_leave removes it with its
// contents.
StStatus st_film_enter(char folder[64], StError *error);
void st_film_leave(const char *folder);

// page: an HTML file in that folder.
StStatus st_film_record(const char *program, const char *folder, const char *page, const char *out,
                        StError *error);
