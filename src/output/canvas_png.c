// The canvas that becomes PNG. A line first marks how much of each dot it covers, and then colours
// what it has marked, so that where its pieces overlap nothing shows.
#include "output/canvas.h"

#include "base/memory.h"
#include "output/palette.h"
#include "output/stroke_font.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum { SCALE = 2 }; // dots per pixel

typedef struct Png {
  StCanvas canvas;
  int width, height;    // dots
  unsigned char *dot;   // [height][width][3]
  unsigned char *cover; // [height][width] of the line that is being drawn, 0 … 255
  int low[2], high[2];  // dots that it has touched; high is past them
  StSpot origin;        // pixels
  double clip[4];       // dots: left, top, right, bottom
} Png;

static const unsigned char ink_text[3] = {0x22, 0x22, 0x22}, ink_grid[3] = {0xdd, 0xdd, 0xdd};
static const double line_width = 1.6, thin_width = 1;
static const double text_size = 0.87, title_size = 1; // pixels per unit of the font
static const double text_width = 1.05, title_width = 1.7;

static const unsigned char *colour_of(int ink) {
  if (ink == ST_INK_TEXT)
    return ink_text;
  return ink == ST_INK_GRID ? ink_grid : st_palette[ink % ST_PALETTE_SIZE];
}

static void place(StCanvas *canvas, double x, double y) {
  ((Png *)canvas)->origin = (StSpot){x, y};
}

static void clip(StCanvas *canvas, const StBox *box) {
  Png *png = (Png *)canvas;
  double left = box ? box->x + png->origin.x : 0, top = box ? box->y + png->origin.y : 0;
  png->clip[0] = SCALE * left;
  png->clip[1] = SCALE * top;
  png->clip[2] = box ? SCALE * (left + box->width) : png->width;
  png->clip[3] = box ? SCALE * (top + box->height) : png->height;
}

// Dots from low up to high, as far as they are on the canvas and not cut off.
static void reach(const Png *png, double low, double high, int axis, int *first, int *last) {
  double least = fmax(low, png->clip[axis]), most = fmin(high, png->clip[2 + axis]);
  int size = axis ? png->height : png->width;
  *first = least > 0 ? (int)least : 0;
  *last = most < size ? (int)ceil(most) : size;
}

// Marks what lies nearer than half the width to the piece from a to b, in dots; ends are round.
static void mark_piece(Png *png, StSpot a, StSpot b, double half) {
  int x0, x1, y0, y1;
  reach(png, fmin(a.x, b.x) - half - 1, fmax(a.x, b.x) + half + 1, 0, &x0, &x1);
  reach(png, fmin(a.y, b.y) - half - 1, fmax(a.y, b.y) + half + 1, 1, &y0, &y1);
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++) {
      double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
      double along = square > 0 ? fmin(fmax((px * dx + py * dy) / square, 0), 1) : 0;
      double cover = half + 0.5 - hypot(px - along * dx, py - along * dy);
      unsigned char level = (unsigned char)(255 * fmin(fmax(cover, 0), 1));
      unsigned char *held = &png->cover[(size_t)y * (size_t)png->width + (size_t)x];
      *held = level > *held ? level : *held;
    }
  png->low[0] = x0 < png->low[0] ? x0 : png->low[0];
  png->low[1] = y0 < png->low[1] ? y0 : png->low[1];
  png->high[0] = x1 > png->high[0] ? x1 : png->high[0];
  png->high[1] = y1 > png->high[1] ? y1 : png->high[1];
}

static void blend(unsigned char *dot, const unsigned char *colour, double share) {
  for (int k = 0; k < 3; k++)
    dot[k] = (unsigned char)(dot[k] + share * (colour[k] - dot[k]) + 0.5);
}

// Colours what is marked, and takes the marks away.
static void pour(Png *png, const unsigned char *colour) {
  for (int y = png->low[1]; y < png->high[1]; y++)
    for (int x = png->low[0]; x < png->high[0]; x++) {
      size_t at = (size_t)y * (size_t)png->width + (size_t)x;
      if (png->cover[at])
        blend(png->dot + 3 * at, colour, png->cover[at] / 255.0);
      png->cover[at] = 0;
    }
  png->low[0] = png->width, png->low[1] = png->height;
  png->high[0] = png->high[1] = 0;
}

static StSpot dots(const Png *png, StSpot spot) {
  return (StSpot){SCALE * (spot.x + png->origin.x), SCALE * (spot.y + png->origin.y)};
}

// How far along its dashes a line has come.
typedef struct Pace {
  const double *length; // pixels, ended by 0; empty: no gaps
  int at;
  double left; // dots, of the stroke or gap
} Pace;

static void mark_dashed(Png *png, StSpot a, StSpot b, double half, Pace *pace) {
  double whole = hypot(b.x - a.x, b.y - a.y), from = 0;
  if (!(pace->length[0] > 0)) {
    mark_piece(png, a, b, half);
    return;
  }
  while (from < whole) {
    double to = fmin(from + pace->left, whole);
    StSpot begin = {a.x + (b.x - a.x) * from / whole, a.y + (b.y - a.y) * from / whole};
    StSpot end = {a.x + (b.x - a.x) * to / whole, a.y + (b.y - a.y) * to / whole};
    if (pace->at % 2 == 0)
      mark_piece(png, begin, end, half);
    pace->left -= to - from;
    from = to;
    if (pace->left > 1e-9)
      continue;
    pace->at = pace->length[pace->at + 1] > 0 ? pace->at + 1 : 0;
    pace->left = SCALE * pace->length[pace->at];
  }
}

// As far as a line can be off the canvas, it is not followed dash by dash.
static bool far_away(const Png *png, StSpot spot) {
  return fabs(spot.x) > 16.0 * png->width || fabs(spot.y) > 16.0 * png->height;
}

static void line(StCanvas *canvas, const StSpot *spot, int count, StStroke stroke) {
  Png *png = (Png *)canvas;
  double half = SCALE * (stroke.thin ? thin_width : line_width) / 2;
  Pace pace = {st_dash[stroke.dash], 0, SCALE * st_dash[stroke.dash][0]};
  for (int i = 1; i < count; i++) {
    StSpot a = dots(png, spot[i - 1]), b = dots(png, spot[i]);
    if (isfinite(a.x + a.y + b.x + b.y) && !far_away(png, a) && !far_away(png, b))
      mark_dashed(png, a, b, half, &pace);
  }
  pour(png, colour_of(stroke.ink));
}

static void dot(StCanvas *canvas, StSpot spot, double radius, int ink) {
  Png *png = (Png *)canvas;
  mark_piece(png, dots(png, spot), dots(png, spot), SCALE * radius);
  pour(png, colour_of(ink));
}

static void frame(StCanvas *canvas, const StBox *box) {
  const StSpot corner[5] = {{box->x, box->y},
                            {box->x + box->width, box->y},
                            {box->x + box->width, box->y + box->height},
                            {box->x, box->y + box->height},
                            {box->x, box->y}};
  line(canvas, corner, 5, (StStroke){.ink = ST_INK_TEXT, .thin = true});
}

static void veil(StCanvas *canvas, const StBox *box) {
  static const unsigned char white[3] = {255, 255, 255};
  Png *png = (Png *)canvas;
  StSpot low = dots(png, (StSpot){box->x, box->y});
  int x0, x1, y0, y1;
  reach(png, low.x, low.x + SCALE * box->width, 0, &x0, &x1);
  reach(png, low.y, low.y + SCALE * box->height, 1, &y0, &y1);
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      blend(png->dot + 3 * ((size_t)y * (size_t)png->width + (size_t)x), white, 0.8);
}

static void words(StCanvas *canvas, const StWords *words) {
  static const double shift[] = {0, 0.5, 1};
  Png *png = (Png *)canvas;
  StSpot spot[ST_FONT_STROKE], origin = dots(png, words->at);
  double unit = SCALE * (words->title ? title_size : text_size);
  double half = SCALE * (words->title ? title_width : text_width) / 2;
  double start = -shift[words->anchor] * st_font_width(words->text);
  StFontCursor cursor = {.text = words->text};
  for (int count; (count = st_font_next(&cursor, spot)) > 0;) {
    for (int i = 0; i < count; i++) {
      double x = unit * (start + spot[i].x), y = -unit * spot[i].y;
      spot[i] = (StSpot){origin.x + (words->upward ? y : x), origin.y + (words->upward ? -x : y)};
    }
    for (int i = 1; i < count; i++)
      mark_piece(png, spot[i - 1], spot[i], half);
  }
  pour(png, ink_text);
}

static void put_u32(char *to, uint32_t value) {
  for (int i = 0; i < 4; i++)
    to[i] = (char)(value >> (24 - 8 * i));
}

static void add_chunk(StText *file, const char *kind, const void *data, size_t size) {
  char number[4];
  uint32_t crc = (uint32_t)crc32(0, (const Bytef *)kind, 4);
  put_u32(number, (uint32_t)size);
  st_text_add_bytes(file, number, 4);
  st_text_add_bytes(file, kind, 4);
  st_text_add_bytes(file, data, size);
  if (size)
    crc = (uint32_t)crc32(crc, data, (uInt)size);
  put_u32(number, crc);
  st_text_add_bytes(file, number, 4);
}

// Rows as differences to the one above, which compresses well where much is alike.
static void filter_rows(const Png *png, unsigned char *row) {
  size_t width = 3 * (size_t)png->width;
  for (int y = 0; y < png->height; y++, row += 1 + width) {
    const unsigned char *own = png->dot + (size_t)y * width;
    row[0] = 2;
    for (size_t i = 0; i < width; i++)
      row[1 + i] = (unsigned char)(own[i] - (y ? own[i - width] : 0));
  }
}

static StStatus finish(StCanvas *canvas, StText *file, StError *error) {
  Png *png = (Png *)canvas;
  size_t size = (1 + 3 * (size_t)png->width) * (size_t)png->height;
  uLongf packed_size = compressBound(size);
  unsigned char *rows = ST_NEW(unsigned char, size);
  unsigned char *packed = ST_NEW(unsigned char, packed_size);
  StStatus status = rows && packed ? ST_OK : st_fail_memory(error);
  if (status == ST_OK) {
    filter_rows(png, rows);
    if (compress2(packed, &packed_size, rows, size, 9) != Z_OK)
      status = st_fail(error, ST_SYSTEM_FAULT, "zlib could not compress the picture");
  }
  if (status == ST_OK) {
    char head[13] = {[8] = 8, [9] = 2}; // eight bits each of red, green and blue
    put_u32(head, (uint32_t)png->width);
    put_u32(head + 4, (uint32_t)png->height);
    st_text_add_bytes(file, "\x89PNG\r\n\x1a\n", 8);
    add_chunk(file, "IHDR", head, sizeof head);
    add_chunk(file, "IDAT", packed, packed_size);
    add_chunk(file, "IEND", "", 0);
    status = file->failed ? st_fail_memory(error) : ST_OK;
  }
  free(rows);
  free(packed);
  return status;
}

static void destroy(StCanvas *canvas) {
  Png *png = (Png *)canvas;
  if (!png)
    return;
  free(png->dot);
  free(png->cover);
  free(png);
}

static const StCanvasType png_type = {place, clip, line, dot, frame, veil, words, finish, destroy};

StStatus st_canvas_png(int width, int height, StCanvas **canvas, StError *error) {
  size_t count = (size_t)width * SCALE * (size_t)height * SCALE;
  Png *png = ST_NEW(Png, 1);
  if (!png)
    return st_fail_memory(error);
  *png = (Png){.canvas = {&png_type}, .width = SCALE * width, .height = SCALE * height};
  png->dot = ST_NEW(unsigned char, 3 * count);
  png->cover = ST_NEW(unsigned char, count);
  if (!png->dot || !png->cover) {
    destroy(&png->canvas);
    return st_fail_memory(error);
  }
  memset(png->dot, 255, 3 * count);
  clip(&png->canvas, NULL);
  pour(png, ink_text); // nothing is marked yet
  *canvas = &png->canvas;
  return ST_OK;
}
