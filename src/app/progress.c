// The progress bar and its plain-text version.
#include "app/progress.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double redraw_interval = 0.1; // s; faster than this only flickers
static const double line_interval = 2;     // s; between plain lines, at frames
static const double line_longest = 10;     // s; at most this long without a plain line

enum { FALLBACK_WIDTH = 80, BAR_MIN = 10, BAR_MAX = 40, FIELD_COUNT = 5, FIELD_SIZE = 64 };

static bool speaks_utf8(void) {
  const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (int i = 0; i < 3; i++) {
    const char *value = getenv(names[i]);
    if (value && *value)
      return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
  }
  return false;
}

StProgressStyle st_progress_style(FILE *stream, bool quiet) {
  const char *terminal = getenv("TERM");
  if (quiet)
    return ST_PROGRESS_QUIET;
  // mpiexec gives ranks a pseudo-terminal, wherever its output really goes.
  bool under_mpi = getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE");
  if (under_mpi || !isatty(fileno(stream)) || !terminal || strcmp(terminal, "dumb") == 0)
    return ST_PROGRESS_PLAIN;
  return speaks_utf8() ? ST_PROGRESS_UTF8 : ST_PROGRESS_ASCII;
}

static int terminal_width(FILE *stream) {
  struct winsize size;
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return FALLBACK_WIDTH;
}

void st_duration_text(double seconds, char *text, size_t size) {
  long whole = lround(seconds);
  if (seconds < 9.95)
    snprintf(text, size, "%.1f s", seconds);
  else if (whole < 60)
    snprintf(text, size, "%ld s", whole);
  else if (whole < 3600)
    snprintf(text, size, "%ld min %ld s", whole / 60, whole % 60);
  else
    snprintf(text, size, "%ld h %ld min", whole / 3600, whole % 3600 / 60);
}

void st_step_text(double seconds, char *text, size_t size) {
  if (seconds >= 1 || seconds == 0)
    snprintf(text, size, "%.3g s", seconds);
  else if (seconds >= 1e-3)
    snprintf(text, size, "%.3g ms", seconds * 1e3);
  else
    snprintf(text, size, "%.3g us", seconds * 1e6);
}

// The bar itself. Block characters resolve an eighth of a column.
static void draw_cells(StText *line, double fraction, int cells, bool utf8) {
  static const char *const eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  int parts = (int)(fraction * cells * 8), full = parts / 8;
  st_text_add(line, utf8 ? "▕" : "[");
  for (int i = 0; i < full; i++)
    st_text_add(line, utf8 ? "█" : "#");
  int drawn = full;
  if (utf8 && full < cells && parts % 8) {
    st_text_add(line, "%s", eighth[parts % 8]);
    drawn++;
  }
  st_text_add(line, "%*s%s", cells - drawn, "", utf8 ? "▏" : "]");
}

// The fields beside the bar, from left to right.
static void write_fields(const StMoment *moment, char field[FIELD_COUNT][FIELD_SIZE]) {
  char h[24], left[32];
  st_step_text(moment->h, h, sizeof h);
  st_duration_text(moment->seconds_left, left, sizeof left);
  snprintf(field[0], FIELD_SIZE, "  %.3f of %.4g s", moment->time, moment->duration);
  snprintf(field[1], FIELD_SIZE, "  h %s", h);
  snprintf(field[2], FIELD_SIZE, "  Newton %d", moment->newton_iterations);
  snprintf(field[3], FIELD_SIZE, "  frame %d/%d", moment->frame, moment->frame_count - 1);
  field[4][0] = 0;
  if (moment->time < moment->duration && !isnan(moment->seconds_left))
    snprintf(field[4], FIELD_SIZE, "  %s left", left);
}

static double fraction_done(const StMoment *moment) {
  double fraction = moment->duration > 0 ? moment->time / moment->duration : 1;
  return fmin(fmax(fraction, 0), 1);
}

int st_progress_bar(const StMoment *moment, StProgressStyle style, int width, char *text,
                    size_t size) {
  static const int by_weight[FIELD_COUNT] = {4, 0, 2, 1, 3};
  enum { AROUND = 8 }; // "100% ", the two ends, and the last column, where writing may wrap
  char field[FIELD_COUNT][FIELD_SIZE];
  bool kept[FIELD_COUNT] = {false};
  write_fields(moment, field);
  int used = AROUND;
  for (int i = 0; i < FIELD_COUNT; i++) {
    int columns = (int)strlen(field[by_weight[i]]);
    kept[by_weight[i]] = used + columns + BAR_MIN <= width;
    used += kept[by_weight[i]] ? columns : 0;
  }
  int cells = width - used;
  cells = cells < 1 ? 1 : cells > BAR_MAX ? BAR_MAX : cells;
  ST_FINALLY(st_text_free) StText line = {0};
  st_text_add(&line, "%3d%% ", (int)(100 * fraction_done(moment)));
  draw_cells(&line, fraction_done(moment), cells, style == ST_PROGRESS_UTF8);
  for (int i = 0; i < FIELD_COUNT; i++)
    if (kept[i])
      st_text_add(&line, "%s", field[i]);
  snprintf(text, size, "%s", line.failed ? "" : line.data);
  return used + cells - 1;
}

void st_progress_line(const StMoment *moment, char *text, size_t size) {
  char field[FIELD_COUNT][FIELD_SIZE];
  write_fields(moment, field);
  snprintf(text, size, "%3d%%%s%s%s%s%s", (int)(100 * fraction_done(moment)), field[0], field[1],
           field[2], field[3], field[4]);
}

void st_progress_update(StProgress *progress, const StMoment *moment, bool on_frame) {
  if (progress->style == ST_PROGRESS_QUIET)
    return;
  double now = st_clock_seconds(), waited = now - progress->drawn_at;
  bool last = moment->time >= moment->duration;
  char text[512];
  if (progress->style == ST_PROGRESS_PLAIN) {
    if (!last && waited < (on_frame ? line_interval : line_longest))
      return;
    st_progress_line(moment, text, sizeof text);
    fprintf(progress->stream, "%s\n", text);
  } else {
    if (!last && waited < redraw_interval)
      return;
    st_progress_bar(moment, progress->style, terminal_width(progress->stream), text, sizeof text);
    fprintf(progress->stream, "\r%s\033[K", text);
    progress->bar_shown = true;
  }
  fflush(progress->stream);
  progress->drawn_at = now;
}

void st_progress_clear(StProgress *progress) {
  if (!progress->bar_shown)
    return;
  fputs("\r\033[K", progress->stream);
  fflush(progress->stream);
  progress->bar_shown = false;
  progress->drawn_at = 0;
}

static void write_message(void *context, StLevel level, const char *text) {
  StProgress *progress = context;
  bool warning = level == ST_WARNING;
  if (level == ST_DETAIL || (!warning && progress->style == ST_PROGRESS_QUIET))
    return;
  st_progress_clear(progress);
  if (warning)
    fprintf(stderr, "stiction: warning: %s\n", text);
  else
    fprintf(progress->stream, "%s\n", text);
}

StLog st_progress_log(StProgress *progress) {
  return (StLog){write_message, progress};
}
