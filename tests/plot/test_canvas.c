// The canvas: ink is where it should be, and nowhere else.
#include "plot/canvas.h"
#include "plot/palette.h"
#include "support/picture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static const unsigned char white[3] = {255, 255, 255};

static StCanvas *blank(StPicture kind, int width, int height) {
  StCanvas *canvas = NULL;
  StError error = {0};
  assert_int_equal(st_canvas_create(kind, width, height, &canvas, &error), ST_OK);
  return canvas;
}

static StText finished(StCanvas *canvas, const char *description) {
  StText file = {0};
  StError error = {0};
  if (st_canvas_finish(canvas, description, &file, &error) != ST_OK)
    fail_msg("%s", error.text);
  st_canvas_destroy(canvas);
  return file;
}

static Picture picture(StCanvas *canvas) {
  StText file = finished(canvas, "");
  Picture result = picture_of(&file);
  assert_non_null(result.dot);
  st_text_free(&file);
  return result;
}

// Two dots per pixel; lines are 1.6 pixels wide and broken where a spot is missing.
static void lines_cover_what_they_should(void **state) {
  (void)state;
  StCanvas *canvas = blank(ST_PICTURE_PNG, 50, 20);
  const StSpot spot[] = {{5, 10}, {15, 10}, {NAN, NAN}, {30, 10}, {45, 10}};
  st_canvas_line(canvas, spot, 5, (StStroke){.ink = 1});
  Picture seen = picture(canvas);
  assert_int_equal(seen.width, 100);
  assert_int_equal(seen.height, 40);
  for (int x = 12; x < 28; x++) {
    assert_true(picture_is(&seen, x, 19, st_palette[1]));
    assert_true(picture_is(&seen, x, 20, st_palette[1]));
    assert_true(picture_is(&seen, x, 16, white) && picture_is(&seen, x, 23, white));
  }
  for (int x = 33; x < 57; x++)
    assert_true(picture_is(&seen, x, 20, white));
  assert_true(picture_is(&seen, 75, 20, st_palette[1]));
  free(seen.dot);
}

static void dashes_have_their_lengths(void **state) {
  (void)state;
  StCanvas *canvas = blank(ST_PICTURE_PNG, 60, 10);
  const StSpot spot[] = {{5, 5}, {55, 5}};
  st_canvas_line(canvas, spot, 2, (StStroke){.ink = 0, .dash = ST_PLOT_DASHED});
  Picture seen = picture(canvas);
  for (int k = 0; k < 5; k++) { // 6 on, 4 off, from pixel 5 on
    assert_true(picture_is(&seen, 2 * (5 + 10 * k + 3), 10, st_palette[0]));
    assert_true(picture_is(&seen, 2 * (5 + 10 * k + 8), 10, white));
  }
  free(seen.dot);
}

static void nothing_leaves_the_clip(void **state) {
  (void)state;
  StCanvas *canvas = blank(ST_PICTURE_PNG, 40, 40);
  st_canvas_place(canvas, 10, 10);
  st_canvas_clip(canvas, &(StBox){0, 0, 20, 20});
  st_canvas_line(canvas, (StSpot[]){{-50, 10}, {90, 10}}, 2, (StStroke){.ink = 2});
  st_canvas_dot(canvas, (StSpot){20, 20}, 8, 3);
  Picture seen = picture(canvas);
  for (int y = 0; y < 80; y++)
    for (int x = 0; x < 80; x++)
      if (x < 20 || x >= 60 || y < 20 || y >= 60)
        assert_true(picture_is(&seen, x, y, white));
  assert_true(picture_is(&seen, 40, 40, st_palette[2]));
  assert_true(picture_is(&seen, 57, 57, st_palette[3]));
  free(seen.dot);
}

// Places beyond what cairo can count neither come back on the other side nor bend lines: one that
// leads far away passes through the middle of the picture as it should.
static void far_places_stay_far(void **state) {
  (void)state;
  static const double far[] = {1e5, 1e7, 1e9, 1e15, 1e300};
  for (int i = 0; i < 5; i++) {
    StCanvas *canvas = blank(ST_PICTURE_PNG, 40, 40);
    st_canvas_line(canvas, (StSpot[]){{far[i], 5}, {2 * far[i], 6}}, 2,
                   (StStroke){.dash = ST_PLOT_DOTTED});
    st_canvas_line(canvas, (StSpot[]){{-far[i], -far[i]}, {far[i], far[i]}}, 2,
                   (StStroke){.ink = 1});
    st_canvas_dot(canvas, (StSpot){far[i], far[i]}, 3, 2);
    Picture seen = picture(canvas);
    for (int k = 0; k < 80 && far[i] < 1e12; k++) // beyond, doubles do not know where it passes
      assert_true(picture_is(&seen, k, k, st_palette[1]));
    assert_int_equal(picture_count(&seen, 0, 80, st_palette[0]), 0);
    assert_int_equal(picture_count(&seen, 0, 80, st_palette[2]), 0);
    assert_true(picture_is(&seen, 60, 20, white) && picture_is(&seen, 20, 60, white));
    free(seen.dot);
  }
}

static int ink_in(const Picture *seen, int x0, int x1) {
  int count = 0;
  for (int y = 0; y < seen->height; y++)
    for (int x = x0; x < x1; x++)
      count += picture_dot(seen, x, y)[0] < 128;
  return count;
}

static void words_stand_at_their_anchor(void **state) {
  (void)state;
  for (int anchor = ST_ANCHOR_START; anchor <= ST_ANCHOR_END; anchor++) {
    StCanvas *canvas = blank(ST_PICTURE_PNG, 200, 20);
    st_canvas_words(
        canvas, &(StWords){.text = "energy (µJ)", .at = {100, 14}, .anchor = (StTextAnchor)anchor});
    Picture seen = picture(canvas);
    int left = ink_in(&seen, 0, 200), right = ink_in(&seen, 200, 400);
    assert_true(left + right > 200);
    assert_true(anchor == ST_ANCHOR_START ? left < 20 : left > 100);
    assert_true(anchor == ST_ANCHOR_END ? right < 20 : right > 100);
    free(seen.dot);
  }
}

// Whatever the words, they are drawn, within their width, and cairo does not give up.
static void words_keep_their_width(void **state) {
  (void)state;
  static const char *const odd[] = {"a name that is much longer than what there is room for",
                                    "\xff\xfe\x80\xc3(",
                                    "日本語の名前 日本語の名前",
                                    "\x01\t\n\x7f",
                                    "",
                                    "ééééééééééééééééééééééééééééééé",
                                    "\xf0\x9f\x98\x80\xf0\x9f"};
  char long_text[4000];
  memset(long_text, 'm', sizeof long_text - 1);
  long_text[sizeof long_text - 1] = 0;
  for (int i = 0; i <= 7; i++) {
    StCanvas *canvas = blank(ST_PICTURE_PNG, 300, 20);
    const char *text = i < 7 ? odd[i] : long_text;
    st_canvas_words(canvas, &(StWords){.text = text, .at = {10, 14}, .width = 100});
    assert_true(st_canvas_width(canvas, ST_FONT_LABEL, text) >= 0);
    Picture seen = picture(canvas);
    assert_int_equal(ink_in(&seen, 2 * 112, 600), 0);
    assert_true(ink_in(&seen, 0, 600) > 0 || !*text);
    free(seen.dot);
  }
}

static void an_svg_says_what_it_shows(void **state) {
  (void)state;
  StCanvas *canvas = blank(ST_PICTURE_SVG, 50, 20);
  st_canvas_line(canvas, (StSpot[]){{1, 2}, {3, NAN}}, 2, (StStroke){.ink = 1});
  StText file = finished(canvas, "force < weight & \xff more");
  assert_non_null(strstr(file.data, "<desc>force &lt; weight &amp; \xEF\xBF\xBD more</desc>"));
  assert_non_null(strstr(file.data, " width=\"50px\" height=\"20px\" viewBox=\"0 0 50 20\""));
  assert_true(strncmp(file.data, "<?xml ", 6) == 0);
  assert_string_equal(file.data + file.length - 7, "</svg>\n");
  assert_null(strstr(file.data, "nan"));
  st_text_free(&file);
}

static void what_is_too_large_is_told_of(void **state) {
  (void)state;
  StCanvas *canvas = NULL;
  StError error = {0};
  assert_int_equal(st_canvas_create(ST_PICTURE_PNG, 1000000, 10, &canvas, &error), ST_SYSTEM_FAULT);
  assert_non_null(strstr(error.text, "1000000 × 10 pixels"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_cover_what_they_should),
      cmocka_unit_test(dashes_have_their_lengths),
      cmocka_unit_test(nothing_leaves_the_clip),
      cmocka_unit_test(far_places_stay_far),
      cmocka_unit_test(words_stand_at_their_anchor),
      cmocka_unit_test(words_keep_their_width),
      cmocka_unit_test(an_svg_says_what_it_shows),
      cmocka_unit_test(what_is_too_large_is_told_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
