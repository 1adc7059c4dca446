// Passes the address to the desktop's own opener.
#include "app/browser.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
static const char OPENER[] = "open";
static bool has_screen(void) {
  return true;
}
#else
static const char OPENER[] = "xdg-open";
// Without a screen the opener would look for a browser that takes over the terminal.
static bool has_screen(void) {
  const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  return (x11 && *x11) || (wayland && *wayland);
}
#endif

static void become_opener(const char *address) {
  int nowhere = open("/dev/null", O_RDWR);
  for (int i = 0; i < 3 && nowhere >= 0; i++)
    dup2(nowhere, i);
  setsid();
  execlp(OPENER, OPENER, address, (char *)NULL);
  _exit(127);
}

bool st_browser_open(const char *address) {
  if (!has_screen())
    return false;
  pid_t child = fork();
  if (child == 0)
    become_opener(address);
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}
