// The canvas of plots: lines, dots, boxes and text, in pixels from the upper left corner, drawn by
// cairo into an SVG or a PNG file.
#pragma once

#include "base/status.h"
#include "base/text.h"

typedef struct StSpot {
  double x, y;
} StSpot;

typedef struct StBox {
  double x, y, width, height;
} StBox;

// Negative inks belong to the page; 0, 1 … are colours of the palette.
enum { ST_INK_GRID = -3, ST_INK_FRAME = -2, ST_INK_TEXT = -1 };

typedef enum StPlotDash { ST_PLOT_SOLID, ST_PLOT_DASHED, ST_PLOT_DOTTED, ST_PLOT_MIXED } StPlotDash;
enum { ST_PLOT_DASHES = 4 };

typedef struct StStroke {
  int ink;
  StPlotDash dash;
  bool thin; // of grid and frame
} StStroke;

typedef enum StTextAnchor { ST_ANCHOR_START, ST_ANCHOR_MIDDLE, ST_ANCHOR_END } StTextAnchor;

typedef enum StFont { ST_FONT_LABEL, ST_FONT_TITLE, ST_FONT_SMALL } StFont;

typedef struct StWords {
  const char *text; // bytes that are not UTF-8 are shown as �
  StSpot at;        // on the baseline
  StTextAnchor anchor;
  StFont font;
  bool upward;  // rotated, read from below
  double width; // longer text is shortened in the middle; 0: no limit
} StWords;

typedef struct StCanvas StCanvas;

typedef enum StPicture {
  ST_PICTURE_SVG,
  ST_PICTURE_PNG, // two dots per pixel, for high-resolution screens
} StPicture;

StStatus st_canvas_create(StPicture kind, int width, int height, StCanvas **canvas, StError *error);
void st_canvas_destroy(StCanvas *canvas); // NULL is fine

// Origin of the coordinates that follow.
void st_canvas_place(StCanvas *canvas, double x, double y);

// Clips lines and dots; NULL: no clipping.
void st_canvas_clip(StCanvas *canvas, const StBox *box);

// Lifts the pen at spots that are not finite.
void st_canvas_line(StCanvas *canvas, const StSpot *spot, int count, StStroke stroke);
void st_canvas_dot(StCanvas *canvas, StSpot spot, double radius, int ink);
void st_canvas_triangle(StCanvas *canvas, const StSpot corner[3], int ink);
void st_canvas_frame(StCanvas *canvas, const StBox *box);
void st_canvas_veil(StCanvas *canvas, const StBox *box); // dims what is under text

void st_canvas_words(StCanvas *canvas, const StWords *words);
double st_canvas_width(StCanvas *canvas, StFont font, const char *text);

// Adds the whole file to the text. description: the content in words, for readers who cannot see
// it; part of an SVG.
StStatus st_canvas_finish(StCanvas *canvas, const char *description, StText *file, StError *error);
