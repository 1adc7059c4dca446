// A PNG picture read back, dot by dot.
#ifndef TEST_PICTURE_H
#define TEST_PICTURE_H

#include "base/text.h"

#include <cairo.h>
#include <stdlib.h>
#include <string.h>

typedef struct Picture {
  int width, height;
  unsigned char *dot; // [height][width][3]
} Picture;

typedef struct PictureBytes {
  const StText *file;
  size_t at;
} PictureBytes;

static inline cairo_status_t picture_read(void *context, unsigned char *data, unsigned count) {
  PictureBytes *bytes = context;
  if (bytes->at + count > bytes->file->length)
    return CAIRO_STATUS_READ_ERROR;
  memcpy(data, bytes->file->data + bytes->at, count);
  bytes->at += count;
  return CAIRO_STATUS_SUCCESS;
}

// free() its dots. Without a picture there are none.
static inline Picture picture_of(const StText *file) {
  PictureBytes bytes = {file, 0};
  cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(picture_read, &bytes);
  Picture picture = {0};
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
    const unsigned char *data = cairo_image_surface_get_data(surface);
    picture.width = cairo_image_surface_get_width(surface);
    picture.height = cairo_image_surface_get_height(surface);
    picture.dot = malloc(3 * (size_t)picture.width * (size_t)picture.height);
    for (int y = 0; y < picture.height; y++)
      for (int x = 0; x < picture.width; x++)
        for (int c = 0; c < 3; c++) // blue comes first in cairo's words
          picture.dot[3 * (y * picture.width + x) + c] =
              data[y * cairo_image_surface_get_stride(surface) + 4 * x + 2 - c];
  }
  cairo_surface_destroy(surface);
  return picture;
}

static inline const unsigned char *picture_dot(const Picture *picture, int x, int y) {
  return picture->dot + 3 * ((size_t)y * (size_t)picture->width + (size_t)x);
}

static inline bool picture_is(const Picture *picture, int x, int y, const unsigned char *colour) {
  return memcmp(picture_dot(picture, x, y), colour, 3) == 0;
}

// Dots of a colour from column x0 up to x1.
static inline int picture_count(const Picture *picture, int x0, int x1,
                                const unsigned char *colour) {
  int count = 0;
  for (int y = 0; y < picture->height; y++)
    for (int x = x0; x < x1; x++)
      count += picture_is(picture, x, y, colour);
  return count;
}

#endif
