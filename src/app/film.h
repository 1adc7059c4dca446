// Films a page of the viewer in a browser without a window, picture by picture.
#ifndef ST_APP_FILM_H
#define ST_APP_FILM_H

#include "base/status.h"

#include <stdbool.h>

// Whether a file of this name can be a film: it ends in .webm or .mp4.
bool st_film_has_type(const char *out);

// The browser that would be used, or ST_BAD_INPUT with the names that were looked for.
StStatus st_film_find_browser(const char **program, StError *error);

// A folder for the page and the browser's own files; st_film_leave removes it with all in it.
StStatus st_film_enter(char folder[64], StError *error);
void st_film_leave(const char *folder);

// page: an HTML file in that folder.
StStatus st_film_record(const char *program, const char *folder, const char *page, const char *out,
                        StError *error);

#endif
