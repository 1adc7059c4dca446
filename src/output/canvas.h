// What plots are drawn on: lines, dots, boxes and words, in pixels from the upper left corner. One
// kind of canvas becomes an SVG file, the other a PNG.
#ifndef ST_OUTPUT_CANVAS_H
#define ST_OUTPUT_CANVAS_H

#include "base/status.h"
#include "base/text.h"

typedef struct StSpot {
  double x, y;
} StSpot;

typedef struct StBox {
  double x, y, width, height;
} StBox;

// Inks below are of the page; 0, 1 … are colours of the palette.
enum { ST_INK_GRID = -2, ST_INK_TEXT = -1 };

typedef enum StPlotDash { ST_PLOT_SOLID, ST_PLOT_DASHED, ST_PLOT_DOTTED, ST_PLOT_MIXED } StPlotDash;
enum { ST_PLOT_DASHES = 4 };

// Lengths of strokes and gaps in pixels, ended by 0.
extern const double st_dash[][5];

typedef struct StStroke {
  int ink;
  StPlotDash dash;
  bool thin; // of grid and frame
} StStroke;

typedef enum StTextAnchor { ST_ANCHOR_START, ST_ANCHOR_MIDDLE, ST_ANCHOR_END } StTextAnchor;

typedef struct StWords {
  const char *text;
  StSpot at; // on the baseline
  StTextAnchor anchor;
  bool title;  // larger and bold
  bool upward; // read from below
} StWords;

typedef struct StCanvas StCanvas;

typedef struct StCanvasType {
  // Where the coordinates that follow begin.
  void (*place)(StCanvas *canvas, double x, double y);
  // What lines and dots are cut off at; NULL: nothing.
  void (*clip)(StCanvas *canvas, const StBox *box);
  // Lifts the pen at spots that are not finite.
  void (*line)(StCanvas *canvas, const StSpot *spot, int count, StStroke stroke);
  void (*dot)(StCanvas *canvas, StSpot spot, double radius, int ink);
  void (*frame)(StCanvas *canvas, const StBox *box);
  void (*veil)(StCanvas *canvas, const StBox *box); // dims what lies under words
  void (*words)(StCanvas *canvas, const StWords *words);
  // Adds the whole file to the text.
  StStatus (*finish)(StCanvas *canvas, StText *file, StError *error);
  void (*destroy)(StCanvas *canvas);
} StCanvasType;

struct StCanvas {
  const StCanvasType *type;
};

// Text stays text, and a viewer that prefers dark pages gets a dark one.
StStatus st_canvas_svg(int width, int height, StCanvas **canvas, StError *error);

// Two dots of the file for every pixel, since screens are fine nowadays.
StStatus st_canvas_png(int width, int height, StCanvas **canvas, StError *error);

#endif
