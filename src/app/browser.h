// Opens pages in the user's browser, if there is a screen.
#pragma once

#include <stdbool.h>

// false: no screen, or nothing that opens pages.
bool st_browser_open(const char *address);
