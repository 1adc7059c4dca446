// The canvas: a cairo context, and a stream that its file is written to.
#include "plot/canvas.h"

#include "base/memory.h"
#include "plot/palette.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <string.h>

enum { DENSITY = 2, WORDS_SIZE = 512 };

// Cairo uses fixed-point numbers: coordinates farther out would wrap around.
static const double far_away = 1e4;

struct StCanvas {
  StPicture kind;
  cairo_surface_t *surface;
  cairo_t *cairo;
  StText file;
  bool clipped;
};

static const double dash_lengths[][4] = {[ST_PLOT_SOLID] = {0},
                                         [ST_PLOT_DASHED] = {6, 4},
                                         [ST_PLOT_DOTTED] = {1.6, 3},
                                         [ST_PLOT_MIXED] = {8, 3, 1.6, 3}};
static const int dash_counts[] = {0, 2, 2, 4};

static cairo_status_t take_bytes(void *context, const unsigned char *bytes, unsigned count) {
  StText *file = context;
  st_text_add_bytes(file, bytes, count);
  return file->failed ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static void set_ink(cairo_t *cairo, int ink) {
  static const unsigned char page[][3] = {
      {0xe4, 0xe4, 0xe4}, {0x80, 0x80, 0x80}, {0x22, 0x22, 0x22}};
  const unsigned char *c = ink < 0 ? page[ink - ST_INK_GRID] : st_palette[ink % ST_PALETTE_SIZE];
  cairo_set_source_rgb(cairo, c[0] / 255.0, c[1] / 255.0, c[2] / 255.0);
}

// Unhinted outlines, so that letters have the same positions in both kinds of files.
static void set_up(StCanvas *canvas, int width, int height) {
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(canvas->cairo, options);
  cairo_font_options_destroy(options);
  cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_source_rgb(canvas->cairo, 1, 1, 1);
  cairo_rectangle(canvas->cairo, 0, 0, width, height);
  cairo_fill(canvas->cairo);
}

StStatus st_canvas_create(StPicture kind, int width, int height, StCanvas **result,
                          StError *error) {
  StCanvas *canvas = ST_NEW(StCanvas, 1);
  ST_TRY_MEMORY(canvas, error);
  canvas->kind = kind;
  if (kind == ST_PICTURE_SVG) {
    canvas->surface = cairo_svg_surface_create_for_stream(take_bytes, &canvas->file, width, height);
    cairo_svg_surface_set_document_unit(canvas->surface, CAIRO_SVG_UNIT_PX);
  } else {
    canvas->surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, DENSITY * width, DENSITY * height);
    cairo_surface_set_device_scale(canvas->surface, DENSITY, DENSITY);
  }
  canvas->cairo = cairo_create(canvas->surface);
  if (cairo_status(canvas->cairo) != CAIRO_STATUS_SUCCESS) {
    st_fail(error, ST_SYSTEM_FAULT, "a picture of %d × %d pixels could not be begun: %s", width,
            height, cairo_status_to_string(cairo_status(canvas->cairo)));
    st_canvas_destroy(canvas);
    return ST_SYSTEM_FAULT;
  }
  set_up(canvas, width, height);
  *result = canvas;
  return ST_OK;
}

void st_canvas_destroy(StCanvas *canvas) {
  if (!canvas)
    return;
  cairo_destroy(canvas->cairo);
  cairo_surface_destroy(canvas->surface); // flushes the SVG
  st_text_free(&canvas->file);
  free(canvas);
}

void st_canvas_clip(StCanvas *canvas, const StBox *box) {
  if (canvas->clipped)
    cairo_reset_clip(canvas->cairo);
  canvas->clipped = box != NULL;
  if (!box)
    return;
  cairo_rectangle(canvas->cairo, box->x, box->y, box->width, box->height);
  cairo_clip(canvas->cairo);
}

void st_canvas_place(StCanvas *canvas, double x, double y) {
  st_canvas_clip(canvas, NULL);
  cairo_identity_matrix(canvas->cairo);
  cairo_translate(canvas->cairo, x, y);
}

static bool is_there(StSpot spot) {
  return isfinite(spot.x) && isfinite(spot.y);
}

// The part of a segment from 0 to 1 that lies within ± far_away along one axis.
static void cut(double from, double to, double *begin, double *end) {
  double way = to - from;
  if (way == 0 && fabs(from) > far_away)
    *end = -1;
  if (way == 0)
    return;
  double low = (-far_away - from) / way, high = (far_away - from) / way;
  *begin = fmax(*begin, fmin(low, high));
  *end = fmin(*end, fmax(low, high));
}

static StSpot between(StSpot from, StSpot to, double part) {
  return (StSpot){(1 - part) * from.x + part * to.x, (1 - part) * from.y + part * to.y};
}

// Continues from the last spot if the pen is still down there.
static void add_segment(cairo_t *cairo, StSpot from, StSpot to, bool *down) {
  double begin = 0, end = 1;
  cut(from.x, to.x, &begin, &end);
  cut(from.y, to.y, &begin, &end);
  if (begin > end) {
    *down = false;
    return;
  }
  StSpot first = between(from, to, begin), last = between(from, to, end);
  if (!*down || begin > 0)
    cairo_move_to(cairo, first.x, first.y);
  cairo_line_to(cairo, last.x, last.y);
  *down = end == 1;
}

void st_canvas_line(StCanvas *canvas, const StSpot *spot, int count, StStroke stroke) {
  bool down = false;
  for (int i = 1; i < count; i++) {
    if (is_there(spot[i - 1]) && is_there(spot[i]))
      add_segment(canvas->cairo, spot[i - 1], spot[i], &down);
    else
      down = false;
  }
  set_ink(canvas->cairo, stroke.ink);
  cairo_set_line_width(canvas->cairo, stroke.thin ? 1 : 1.6);
  cairo_set_dash(canvas->cairo, dash_lengths[stroke.dash], dash_counts[stroke.dash], 0);
  cairo_stroke(canvas->cairo);
}

void st_canvas_dot(StCanvas *canvas, StSpot spot, double radius, int ink) {
  if (!is_there(spot) || fabs(spot.x) > far_away || fabs(spot.y) > far_away)
    return;
  set_ink(canvas->cairo, ink);
  cairo_new_sub_path(canvas->cairo);
  cairo_arc(canvas->cairo, spot.x, spot.y, radius, 0, 2 * M_PI);
  cairo_fill(canvas->cairo);
}

void st_canvas_triangle(StCanvas *canvas, const StSpot corner[3], int ink) {
  set_ink(canvas->cairo, ink);
  for (int i = 0; i < 3; i++)
    cairo_line_to(canvas->cairo, corner[i].x, corner[i].y);
  cairo_fill(canvas->cairo);
}

void st_canvas_frame(StCanvas *canvas, const StBox *box) {
  set_ink(canvas->cairo, ST_INK_FRAME);
  cairo_set_line_width(canvas->cairo, 1);
  cairo_set_dash(canvas->cairo, NULL, 0, 0);
  cairo_rectangle(canvas->cairo, box->x, box->y, box->width, box->height);
  cairo_stroke(canvas->cairo);
}

void st_canvas_veil(StCanvas *canvas, const StBox *box) {
  cairo_set_source_rgba(canvas->cairo, 1, 1, 1, 0.85);
  cairo_rectangle(canvas->cairo, box->x, box->y, box->width, box->height);
  cairo_fill(canvas->cairo);
}

// Cairo takes the first font that fontconfig finds for the family, and its own without any.
static void set_font(cairo_t *cairo, StFont font) {
  static const double size[] = {12, 13, 10};
  cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         font == ST_FONT_TITLE ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo, size[font]);
}

// The part of a text that fits into the buffer, as valid UTF-8; control characters have no shape.
static void make_plain(const char *text, size_t size, char plain[WORDS_SIZE]) {
  static const char odd[] = "\xEF\xBF\xBD";
  size_t used = 0;
  for (size_t i = 0; i < size && used + 5 < WORDS_SIZE;) {
    size_t length = st_utf8_length(text + i, size - i);
    bool shown = length > 0 && (unsigned char)text[i] >= 0x20 && text[i] != 0x7f;
    memcpy(plain + used, shown ? text + i : odd, shown ? length : 3);
    used += shown ? length : 3;
    i += length ? length : 1;
  }
  plain[used] = 0;
}

static double width_of(cairo_t *cairo, const char *plain) {
  cairo_text_extents_t extents;
  cairo_text_extents(cairo, plain, &extents);
  return extents.x_advance;
}

double st_canvas_width(StCanvas *canvas, StFont font, const char *text) {
  char plain[WORDS_SIZE];
  make_plain(text, strlen(text), plain);
  set_font(canvas->cairo, font);
  return width_of(canvas->cairo, plain);
}

static bool continues(char c) {
  return (c & 0xc0) == 0x80;
}

static size_t less_of_the_beginning(const char *text, size_t head) {
  do
    head--;
  while (head > 0 && continues(text[head]));
  return head;
}

static size_t less_of_the_end(const char *text, size_t size, size_t tail) {
  do
    tail--;
  while (tail > 0 && continues(text[size - tail]));
  return tail;
}

// Start and end distinguish names, so shortening cuts out the middle.
static void shorten(cairo_t *cairo, char plain[WORDS_SIZE], double width) {
  static const char dots[] = "…";
  char whole[WORDS_SIZE];
  size_t size = strlen(plain), head = size, tail = size;
  memcpy(whole, plain, size + 1);
  while (head > 0 && tail > 0 && width_of(cairo, plain) > width) {
    do {
      if (head >= tail)
        head = less_of_the_beginning(whole, head);
      else
        tail = less_of_the_end(whole, size, tail);
    } while (head + tail + strlen(dots) > size && head > 0 && tail > 0);
    memcpy(plain, whole, head);
    memcpy(plain + head, dots, strlen(dots));
    memcpy(plain + head + strlen(dots), whole + size - tail, tail + 1);
  }
}

void st_canvas_words(StCanvas *canvas, const StWords *words) {
  static const double share[] = {0, 0.5, 1};
  cairo_t *cairo = canvas->cairo;
  char plain[WORDS_SIZE];
  make_plain(words->text, strlen(words->text), plain);
  set_font(cairo, words->font);
  if (words->width > 0)
    shorten(cairo, plain, words->width);
  cairo_save(cairo);
  cairo_translate(cairo, words->at.x, words->at.y);
  if (words->upward)
    cairo_rotate(cairo, -M_PI / 2);
  cairo_move_to(cairo, -share[words->anchor] * width_of(cairo, plain), 0);
  set_ink(cairo, ST_INK_TEXT);
  cairo_show_text(cairo, plain);
  cairo_restore(cairo);
}

static void add_escaped(StText *text, const char *raw) {
  for (size_t left = strlen(raw); left > 0;) {
    size_t length = st_utf8_length(raw, left);
    switch (*raw) {
    case '&': st_text_add(text, "&amp;"); break;
    case '<': st_text_add(text, "&lt;"); break;
    case '>': st_text_add(text, "&gt;"); break;
    default:
      if (length > 0 && ((unsigned char)*raw >= 0x20 || *raw == '\n'))
        st_text_add_bytes(text, raw, length);
      else
        st_text_add(text, "\xEF\xBF\xBD");
    }
    raw += length ? length : 1;
    left -= length ? length : 1;
  }
}

// The description comes first within <svg …>. Cairo's id of the whole is removed: nothing refers to
// it, and its number counts the surfaces of the process.
static void add_svg(const StText *drawn, const char *description, StText *file) {
  static const char name[] = "<g id=\"surface";
  const char *open = strstr(drawn->data, "<svg"), *inside = open ? strchr(open, '>') : NULL;
  size_t head = inside ? (size_t)(inside + 1 - drawn->data) : 0;
  st_text_add_bytes(file, drawn->data, head);
  if (inside) {
    st_text_add(file, "\n<desc>");
    add_escaped(file, description);
    st_text_add(file, "</desc>");
  }
  char *group = strstr(drawn->data + head, name), *end = group ? strchr(group, '>') : NULL;
  size_t until = end ? (size_t)(group + 2 - drawn->data) : head;
  st_text_add_bytes(file, drawn->data + head, until - head);
  size_t from = end ? (size_t)(end - drawn->data) : head;
  st_text_add_bytes(file, drawn->data + from, drawn->length - from);
}

StStatus st_canvas_finish(StCanvas *canvas, const char *description, StText *file, StError *error) {
  cairo_status_t status = cairo_status(canvas->cairo);
  if (status == CAIRO_STATUS_SUCCESS && canvas->kind == ST_PICTURE_PNG)
    status = cairo_surface_write_to_png_stream(canvas->surface, take_bytes, &canvas->file);
  cairo_surface_finish(canvas->surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status(canvas->surface);
  if (canvas->file.failed || status == CAIRO_STATUS_NO_MEMORY)
    return st_fail_memory(error);
  if (status != CAIRO_STATUS_SUCCESS || !canvas->file.data)
    return st_fail(error, ST_SYSTEM_FAULT, "a picture could not be drawn: %s",
                   cairo_status_to_string(status));
  if (canvas->kind == ST_PICTURE_SVG)
    add_svg(&canvas->file, description, file);
  else
    st_text_add_bytes(file, canvas->file.data, canvas->file.length);
  return file->failed ? st_fail_memory(error) : ST_OK;
}
