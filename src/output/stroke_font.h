// A small font of strokes, for pictures that are made of dots. Latin letters, digits, signs and
// what stands in units.
#ifndef ST_OUTPUT_STROKE_FONT_H
#define ST_OUTPUT_STROKE_FONT_H

#include "output/canvas.h"

// Letters are ST_FONT_HEIGHT units high above the baseline.
enum { ST_FONT_HEIGHT = 10, ST_FONT_STROKE = 24 };

double st_font_width(const char *text); // of a text in UTF-8, units

// The strokes of a text one after the other, y upward from the baseline. Begin with the text alone.
typedef struct StFontCursor {
  const char *text;
  const char *stroke; // the next one of the letter that is being drawn
  double x, next;     // where that letter begins, and the one after it
} StFontCursor;

// Returns the number of spots, 0 when there is no more.
int st_font_next(StFontCursor *cursor, StSpot spot[ST_FONT_STROKE]);

#endif
