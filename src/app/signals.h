// How Ctrl-C and similar signals reach a run: the first one finishes the step and saves, the second
// one ends the process at once.
#pragma once

#include <signal.h>

// Installs the handlers; the returned flag becomes non-zero when a stop is requested.
volatile sig_atomic_t *st_signals_listen(void);
