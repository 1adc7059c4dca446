// Opens pages in the user's browser, where there is a screen to show them.
#ifndef ST_APP_BROWSER_H
#define ST_APP_BROWSER_H

#include <stdbool.h>

// false: there is no screen, or nothing that opens pages.
bool st_browser_open(const char *address);

#endif
