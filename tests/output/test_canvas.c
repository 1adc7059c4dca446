// Plots as PNG: the file is what it says, and ink is where it should be.
#include "base/memory.h"
#include "output/canvas.h"
#include "output/palette.h"
#include "output/plot.h"
#include "output/plot_unit.h"
#include "output/scratch.h"
#include "output/stroke_font.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <zlib.h>

typedef struct Picture {
  int width, height;
  unsigned char *dot; // [height][width][3]
} Picture;

static uint32_t number_at(const unsigned char *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// The data of the first chunk of a kind; every checksum on the way is looked at.
static const unsigned char *chunk(const StText *file, const char *kind, size_t *size) {
  const unsigned char *data = (const unsigned char *)file->data;
  for (size_t at = 8; at < file->length; at += *size + 12) {
    *size = number_at(data + at);
    assert_true(at + 12 + *size <= file->length);
    assert_int_equal(number_at(data + at + 8 + *size), crc32(0, data + at + 4, (uInt)*size + 4));
    if (memcmp(data + at + 4, kind, 4) == 0)
      return data + at + 8;
  }
  return NULL;
}

static Picture decode(const StText *file) {
  size_t size;
  assert_memory_equal(file->data, "\x89PNG\r\n\x1a\n", 8);
  const unsigned char *head = chunk(file, "IHDR", &size);
  assert_int_equal(size, 13);
  assert_memory_equal(head + 8, "\x08\x02\0\0\0", 5);
  Picture picture = {(int)number_at(head), (int)number_at(head + 4), NULL};
  size_t width = 3 * (size_t)picture.width;
  uLongf length = (1 + width) * (size_t)picture.height;
  unsigned char *rows = malloc(length);
  picture.dot = calloc(width, (size_t)picture.height);
  const unsigned char *packed = chunk(file, "IDAT", &size);
  assert_int_equal(uncompress(rows, &length, packed, size), Z_OK);
  for (int y = 0; y < picture.height; y++) {
    assert_int_equal(rows[(1 + width) * (size_t)y], 2);
    for (size_t i = 0; i < width; i++)
      picture.dot[width * (size_t)y + i] =
          (unsigned char)(rows[(1 + width) * (size_t)y + 1 + i] +
                          (y ? picture.dot[width * (size_t)(y - 1) + i] : 0));
  }
  free(rows);
  assert_non_null(chunk(file, "IEND", &size));
  return picture;
}

static const unsigned char *dot_at(const Picture *picture, int x, int y) {
  return picture->dot + 3 * ((size_t)y * (size_t)picture->width + (size_t)x);
}

static bool is_colour(const Picture *picture, int x, int y, const unsigned char *colour) {
  return memcmp(dot_at(picture, x, y), colour, 3) == 0;
}

static const unsigned char white[3] = {255, 255, 255};

static Picture finished(StCanvas *canvas) {
  StText file = {0};
  StError error = {0};
  assert_int_equal(canvas->type->finish(canvas, &file, &error), ST_OK);
  canvas->type->destroy(canvas);
  Picture picture = decode(&file);
  st_text_free(&file);
  return picture;
}

static StCanvas *blank(int width, int height) {
  StCanvas *canvas = NULL;
  StError error = {0};
  assert_int_equal(st_canvas_png(width, height, &canvas, &error), ST_OK);
  return canvas;
}

// Two dots per pixel; lines are 1.6 pixels wide and broken where a spot is missing.
static void lines_cover_what_they_should(void **state) {
  (void)state;
  StCanvas *canvas = blank(50, 20);
  const StSpot spot[] = {{5, 10}, {15, 10}, {NAN, NAN}, {30, 10}, {45, 10}};
  canvas->type->line(canvas, spot, 5, (StStroke){.ink = 1});
  Picture picture = finished(canvas);
  assert_int_equal(picture.width, 100);
  assert_int_equal(picture.height, 40);
  for (int x = 12; x < 28; x++) {
    assert_true(is_colour(&picture, x, 19, st_palette[1]));
    assert_true(is_colour(&picture, x, 20, st_palette[1]));
    assert_true(is_colour(&picture, x, 16, white) && is_colour(&picture, x, 23, white));
  }
  for (int x = 33; x < 57; x++)
    assert_true(is_colour(&picture, x, 20, white));
  assert_true(is_colour(&picture, 75, 20, st_palette[1]));
  free(picture.dot);
}

static void dashes_have_their_lengths(void **state) {
  (void)state;
  StCanvas *canvas = blank(60, 10);
  const StSpot spot[] = {{5, 5}, {55, 5}};
  canvas->type->line(canvas, spot, 2, (StStroke){.ink = 0, .dash = ST_PLOT_DASHED});
  Picture picture = finished(canvas);
  for (int k = 0; k < 5; k++) { // 6 on, 4 off, from pixel 5 on
    assert_true(is_colour(&picture, 2 * (5 + 10 * k + 3), 10, st_palette[0]));
    assert_true(is_colour(&picture, 2 * (5 + 10 * k + 8), 10, white));
  }
  free(picture.dot);
}

static void nothing_leaves_the_clip(void **state) {
  (void)state;
  StCanvas *canvas = blank(40, 40);
  canvas->type->place(canvas, 10, 10);
  canvas->type->clip(canvas, &(StBox){0, 0, 20, 20});
  canvas->type->line(canvas, (StSpot[]){{-50, 10}, {90, 10}}, 2, (StStroke){.ink = 2});
  canvas->type->dot(canvas, (StSpot){20, 20}, 8, 3);
  // Far away spots neither take for ever nor reach the paper from where they are.
  canvas->type->line(canvas, (StSpot[]){{1e12, 5}, {2e12, 6}}, 2,
                     (StStroke){.dash = ST_PLOT_DOTTED});
  Picture picture = finished(canvas);
  for (int y = 0; y < 80; y++)
    for (int x = 0; x < 80; x++)
      if (x < 20 || x >= 60 || y < 20 || y >= 60)
        assert_true(is_colour(&picture, x, y, white));
  assert_true(is_colour(&picture, 40, 40, st_palette[2]));
  assert_true(is_colour(&picture, 57, 57, st_palette[3]));
  free(picture.dot);
}

static int ink_in(const Picture *picture, int x0, int x1) {
  int count = 0;
  for (int y = 0; y < picture->height; y++)
    for (int x = x0; x < x1; x++)
      count += dot_at(picture, x, y)[0] < 128;
  return count;
}

static void words_stand_at_their_anchor(void **state) {
  (void)state;
  for (int anchor = ST_ANCHOR_START; anchor <= ST_ANCHOR_END; anchor++) {
    StCanvas *canvas = blank(200, 20);
    canvas->type->words(
        canvas, &(StWords){.text = "energy (µJ)", .at = {100, 14}, .anchor = (StTextAnchor)anchor});
    Picture picture = finished(canvas);
    int left = ink_in(&picture, 0, 200), right = ink_in(&picture, 200, 400);
    assert_true(left + right > 200);
    assert_true(anchor == ST_ANCHOR_START ? left < 20 : left > 100);
    assert_true(anchor == ST_ANCHOR_END ? right < 20 : right > 100);
    free(picture.dot);
  }
}

// Every letter stays in its cell, so that neighbours never touch.
static void letters_stay_in_their_cells(void **state) {
  (void)state;
  for (int c = ' '; c <= '~'; c++) {
    const char text[] = {(char)c, 0};
    StFontCursor cursor = {.text = text};
    StSpot spot[ST_FONT_STROKE];
    double width = st_font_width(text);
    for (int count; (count = st_font_next(&cursor, spot)) > 0;) {
      assert_true(count >= 2);
      for (int i = 0; i < count; i++) {
        assert_true(spot[i].x >= 0 && spot[i].x <= width);
        assert_true(spot[i].y >= -3 && spot[i].y <= ST_FONT_HEIGHT);
      }
    }
  }
  assert_true(st_font_width("cm³") > st_font_width("cm"));
  assert_true(st_font_width("日本") > 0);
  assert_true(st_font_width("") == 0);
}

static void the_ending_tells_the_kind(void **state) {
  (void)state;
  const double x[] = {0, 1, 2}, y[] = {0, 2e-3, 1e-3};
  const StPlotSeries series = {.name = "curve", .style = ST_PLOT_LINE, .count = 3, .x = x, .y = y};
  const StPlot plot = {.title = "plot", .series_count = 1, .series = &series};
  StError error = {0};
  assert_int_equal(st_plot_write(scratch("plot.png"), &plot, 1, 1, &error), ST_OK);
  assert_int_equal(st_plot_write(scratch("plot.svg"), &plot, 1, 1, &error), ST_OK);
  StText file = {0};
  file.data = scratch_read(scratch("plot.png"), &file.length);
  Picture picture = decode(&file);
  int coloured = 0;
  for (int i = 0; i < picture.width * picture.height; i++)
    coloured += memcmp(picture.dot + 3 * i, st_palette[0], 3) == 0;
  assert_true(coloured > 800 && coloured < 5000);
  free(picture.dot);
  free(file.data);
  char *svg = scratch_read(scratch("plot.svg"), NULL);
  assert_memory_equal(svg, "<svg ", 5);
  free(svg);
}

static void units_fit(void **state) {
  (void)state;
  static const struct {
    const char *si;
    double most;
    const char *shown;
  } cases[] = {{"J", 3e-4, "µJ"},    {"J", 0, "J"},         {"m", 0.5, "mm"},     {"m", 2, "m"},
               {"m^3", 1e-5, "cm³"}, {"Pa", 101325, "kPa"}, {"rad", 1e-9, "rad"}, {"", 7, ""},
               {"m^3", 0, "m³"},     {"s", 1e-12, "µs"}};
  for (int i = 0; i < ST_LENGTH(cases); i++)
    assert_string_equal(st_plot_unit(cases[i].si, cases[i].most).shown, cases[i].shown);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_cover_what_they_should),
      cmocka_unit_test(dashes_have_their_lengths),
      cmocka_unit_test(nothing_leaves_the_clip),
      cmocka_unit_test(words_stand_at_their_anchor),
      cmocka_unit_test(letters_stay_in_their_cells),
      cmocka_unit_test(the_ending_tells_the_kind),
      cmocka_unit_test(units_fit),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
