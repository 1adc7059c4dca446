// Signals that request a stop.
#include "app/signals.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

// The only state a signal handler can access.
static volatile sig_atomic_t stop_requested;

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

static void request_stop(int number) {
  if (stop_requested) { // the second time: at once; what was saved remains
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  stop_requested = 1;
}

// SIGUSR1 is what batch systems are asked to send before time is over. Launchers pass signals on as
// they please, so `stiction stop` needs none.
volatile sig_atomic_t *st_signals_listen(void) {
  struct sigaction action = {.sa_handler = request_stop, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < ST_LENGTH(stop_signals); i++) {
    struct sigaction before;
    bool ignored = sigaction(stop_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
    if (!ignored) // nohup
      sigaction(stop_signals[i], &action, NULL);
  }
  // Exceeding a file size limit is then a write error, which is reported, and does not kill us. The
  // same holds for a closed pipe: results matter more than messages.
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  return &stop_requested;
}
