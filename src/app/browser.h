// Opens pages in the user's browser, if there is a screen.
#ifndef ST_APP_BROWSER_H
#define ST_APP_BROWSER_H

#include <stdbool.h>

// false: no screen, or nothing that opens pages.
bool st_browser_open(const char *address);

#endif
