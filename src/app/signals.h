// How Ctrl-C and its like reach a run: the first time it finishes its step and saves, the second
// time the process ends at once.
#ifndef ST_APP_SIGNALS_H
#define ST_APP_SIGNALS_H

#include <signal.h>

// Listens from now on; what comes back turns non-zero when a stop is asked for.
volatile sig_atomic_t *st_signals_listen(void);

#endif
