// The bar, its plain-text sibling, and how long it still takes.
#include "progress.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double redraw_interval = 0.1; // s; faster than this only flickers
static const double line_interval = 2;     // s; between plain lines, at frames
static const double line_longest = 10;     // s; without a plain line, frame or not

enum { NARROWEST = 40, FALLBACK_WIDTH = 80, TEXT = 256 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

Progress progress_begin(bool quiet) {
  // mpiexec gives ranks a terminal of its own making, wherever its output really goes.
  bool under_mpi = getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE");
  const char *terminal = getenv("TERM");
  bool bar = !under_mpi && isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
  locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
  bool utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
  if (locale)
    freelocale(locale);
  return (Progress){.style = quiet ? PROGRESS_QUIET
                             : bar ? PROGRESS_BAR
                                   : PROGRESS_LINES,
                    .utf8 = utf8};
}

static double share_of(const StictionProgress *run) {
  return run->duration > 0 ? fmin(1, fmax(0, run->time / run->duration)) : 1;
}

// Estimated from the fraction of cases done, which is rough if they differ in size.
static double seconds_left(const Progress *progress, const Moment *moment) {
  double share = share_of(moment->run);
  double done = moment->cases_done - progress->skipped + share;
  double left = moment->cases - moment->cases_done - share;
  return done > 0 && left >= 0 ? (now() - progress->began_at) * left / done : NAN;
}

static void write_time(double seconds, char text[32]) {
  long whole = lround(seconds);
  if (whole < 60)
    snprintf(text, 32, "%ld s", whole);
  else if (whole < 3600)
    snprintf(text, 32, "%ld min %ld s", whole / 60, whole % 60);
  else
    snprintf(text, 32, "%ld h %ld min", whole / 3600, whole % 3600 / 60);
}

// Returns its width; names of cases are ASCII.
static int write_line(const Progress *progress, const Moment *moment, char text[TEXT]) {
  double left = seconds_left(progress, moment);
  char time[32] = "";
  if (!isnan(left))
    write_time(left, time);
  int width = snprintf(text, TEXT, "  case %d/%d %s  Newton %d  frame %d/%d%s%s%s",
                       moment->cases_done + 1, moment->cases, moment->name,
                       moment->run->report->newton_iterations, moment->run->frames_written - 1,
                       moment->run->frame_count - 1, *time ? "  " : "", time, *time ? " left" : "");
  return width < TEXT ? width : TEXT - 1;
}

static double fraction_done(const Moment *moment) {
  double share = share_of(moment->run);
  return moment->cases > 0 ? fmin(1, (moment->cases_done + share) / moment->cases) : share;
}

static int terminal_width(void) {
  struct winsize size;
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : FALLBACK_WIDTH;
}

// The text is cut where it does not fit; the last column stays empty, for writing there may wrap.
static void draw_bar(const Progress *progress, double fraction, const char *text, int width) {
  int room = terminal_width() - 8, shown = width + 10 <= room ? width : room - 10;
  shown = shown < 0 ? 0 : shown;
  int cells = room - shown > NARROWEST ? NARROWEST : room - shown > 1 ? room - shown : 1;
  int full = (int)(fraction * cells);
  printf("\r%3d%% %s", (int)(100 * fraction), progress->utf8 ? "▕" : "[");
  for (int i = 0; i < cells; i++)
    fputs(i >= full ? " " : progress->utf8 ? "█" : "#", stdout);
  printf("%s%.*s\033[K", progress->utf8 ? "▏" : "]", shown, text);
}

void progress_update(Progress *progress, const Moment *moment) {
  if (!progress->running) {
    progress->running = true;
    progress->skipped = moment->cases_done;
    progress->began_at = now();
  }
  bool bar = progress->style == PROGRESS_BAR, last = moment->run->time >= moment->run->duration;
  double interval = bar ? redraw_interval : moment->run->on_frame ? line_interval : line_longest;
  double time = now();
  if (progress->style == PROGRESS_QUIET || (!last && time - progress->drawn_at < interval))
    return;
  char text[TEXT];
  int width = write_line(progress, moment, text);
  double fraction = fraction_done(moment);
  if (bar)
    draw_bar(progress, fraction, text, width);
  else
    printf("%3d%%%s\n", (int)(100 * fraction), text);
  fflush(stdout);
  progress->bar_shown = bar;
  progress->drawn_at = time;
}

void progress_clear(Progress *progress) {
  if (!progress->bar_shown)
    return;
  fputs("\r\033[K", stdout);
  fflush(stdout);
  progress->bar_shown = false;
  progress->drawn_at = 0;
}

void progress_message(Progress *progress, int level, const char *text) {
  bool warning = level == STICTION_WARNING;
  if (level == STICTION_DETAIL || (!warning && progress->style == PROGRESS_QUIET))
    return;
  progress_clear(progress);
  if (warning)
    fprintf(stderr, "stiction: warning: %s\n", text);
  else
    printf("%s\n", text);
}
