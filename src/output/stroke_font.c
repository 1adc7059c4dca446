// Letters on a lattice: the width, then strokes with a blank between them. A point is a digit, its
// x, and a letter, its y: d is the baseline, k the height of small letters, n that of capitals.
#include "output/stroke_font.h"

#include <string.h>

enum { FIRST = ' ', LAST = '~', GAP = 2 };

static const char *const letters[] = {
    "3",                                         // blank
    "1 0n0g 0e0d",                               // !
    "3 0n0k 3n3k",                               // "
    "7 2d3n 4d5n 0g7g 0k7k",                     // #
    "6 6l5m1m0l0k1i5i6h6f5e1e0f 3n3d",           // $
    "8 0n2n2k0k0n 6g8g8d6d6g 7n1d",              // %
    "7 7d1k1m2n4n5m5k0g0e1d4d7h",                // &
    "1 0n0k",                                    // '
    "2 2n0k0f2b",                                // (
    "2 0n2k2f0b",                                // )
    "4 2n2i 0m4j 4m0j",                          // *
    "6 3k3e 0h6h",                               // +
    "1 1e1d0b",                                  // ,
    "4 0h4h",                                    // -
    "1 0e0d",                                    // .
    "5 0c5n",                                    // /
    "6 2n4n6l6f4d2d0f0l2n",                      // 0
    "4 0l2n2d 0d4d",                             // 1
    "6 0l0m1n5n6m6k0d6d",                        // 2
    "6 0m1n5n6m6k5i2i 5i6g6e5d1d0e",             // 3
    "6 5d5n0g6g",                                // 4
    "6 6n1n0i4i6h6e5d1d0e",                      // 5
    "6 5n2n0k0f1d5d6e6h5i1i0h",                  // 6
    "6 0n6n2d",                                  // 7
    "6 1n5n6m6k5i1i0k0m1n 1i0g0e1d5d6e6g5i",     // 8
    "6 1d4d6g6l5n1n0m0j1i5i6j",                  // 9
    "1 0k0j 0e0d",                               // :
    "1 1k1j 1e1d0b",                             // ;
    "6 6k0h6e",                                  // <
    "6 0i6i 0f6f",                               // =
    "6 0k6h0e",                                  // >
    "5 0l1n4n5m5k2i2g 2e2d",                     // ?
    "8 6h5j3j2i2f3e5e6f6j 6f7e8f8k6n3n0k0f3c6c", // @
    "6 0d3n6d 1g5g",                             // A
    "6 0d0n4n6m6k4i0i 4i6g6e4d0d",               // B
    "6 6m5n2n0l0f2d5d6e",                        // C
    "6 0d0n4n6l6f4d0d",                          // D
    "5 5n0n0d5d 0i4i",                           // E
    "5 5n0n0d 0i4i",                             // F
    "6 6m5n2n0l0f2d5d6e6h4h",                    // G
    "6 0n0d 6n6d 0i6i",                          // H
    "0 0n0d",                                    // I
    "4 4n4e3d1d0e0f",                            // J
    "6 0n0d 6n0h 2i6d",                          // K
    "5 0n0d5d",                                  // L
    "8 0d0n4g8n8d",                              // M
    "6 0d0n6d6n",                                // N
    "7 2n5n7l7f5d2d0f0l2n",                      // O
    "6 0d0n4n6m6j4h0h",                          // P
    "7 2n5n7l7f5d2d0f0l2n 4g7c",                 // Q
    "6 0d0n4n6m6j4h0h 3h6d",                     // R
    "6 6m5n1n0m0k1i5i6g6e5d1d0e",                // S
    "6 0n6n 3n3d",                               // T
    "6 0n0f2d4d6f6n",                            // U
    "6 0n3d6n",                                  // V
    "8 0n2d4l6d8n",                              // W
    "6 0n6d 6n0d",                               // X
    "6 0n3i6n 3i3d",                             // Y
    "6 0n6n0d6d",                                // Z
    "2 2n0n0b2b",                                // [
    "5 0n5c",                                    // backslash
    "2 0n2n2b0b",                                // ]
    "4 0k2n4k",                                  // ^
    "6 0b6b",                                    // _
    "2 0n2l",                                    // `
    "5 5k5d 5i4k1k0i0f1d4d5f",                   // a
    "5 0n0d 0i1k4k5i5f4d1d0f",                   // b
    "5 5j4k1k0i0f1d4d5e",                        // c
    "5 5n5d 5i4k1k0i0f1d4d5f",                   // d
    "5 0h5h5i4k1k0i0f1d4d5e",                    // e
    "3 3n2n1m1d 0k3k",                           // f
    "5 5k5b4a1a0b 5i4k1k0i0f1d4d5f",             // g
    "5 0n0d 0i2k4k5i5d",                         // h
    "0 0k0d 0n0m",                               // i
    "2 2k2b1a0a 2n2m",                           // j
    "5 0n0d 5k0g 2h5d",                          // k
    "0 0n0d",                                    // l
    "8 0k0d 0i1k3k4i4d 4i5k7k8i8d",              // m
    "5 0k0d 0i2k4k5i5d",                         // n
    "5 1k4k5i5f4d1d0f0i1k",                      // o
    "5 0k0a 0i1k4k5i5f4d1d0f",                   // p
    "5 5k5a 5i4k1k0i0f1d4d5f",                   // q
    "3 0k0d 0i1k3k",                             // r
    "5 5j4k1k0j0i1h4g5f5e4d1d0e",                // s
    "3 1n1e2d3d 0k3k",                           // t
    "5 0k0f1d3d5f 5k5d",                         // u
    "6 0k3d6k",                                  // v
    "8 0k2d4k6d8k",                              // w
    "5 0k5d 5k0d",                               // x
    "6 0k3d 6k2a0a",                             // y
    "5 0k5k0d5d",                                // z
    "3 3n2n1m1j0h1f1c2b3b",                      // {
    "0 0n0b",                                    // |
    "3 0n1n2m2j3h2f2c1b0b",                      // }
    "6 0h1i2i4g5g6h",                            // ~
};

// What units and numbers need beyond ASCII.
static const struct {
  const char *utf8, *strokes;
} signs[] = {
    {"²", "3 0m1n2n3m0i3i"},
    {"³", "3 0n3n1l3k3j2i0i"},
    {"µ", "5 0k0a 0f1d3d5f 5k5d"},
    {"·", "1 0h0i"},
    {"°", "3 1n2n3m3l2k1k0l0m1n"},
    {"−", "6 0h6h"},
    {"–", "6 0h6h"},
    {"…", "6 0e0d 3e3d 6e6d"},
    {"×", "5 0k5f 5k0f"},
    {"₀", "3 1g2g3e3c2a1a0c0e1g"},
};

static const char unknown[] = "5 0d0n5n5d0d";

// The letter at *text, which moves behind it; NULL at the end.
static const char *next_letter(const char **text) {
  unsigned char c = (unsigned char)**text;
  if (c == 0)
    return NULL;
  for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
    size_t length = strlen(signs[i].utf8);
    if (strncmp(*text, signs[i].utf8, length) == 0) {
      *text += length;
      return signs[i].strokes;
    }
  }
  do
    ++*text;
  while ((**text & 0xc0) == 0x80); // later bytes of the same letter
  return c >= FIRST && c <= LAST ? letters[c - FIRST] : unknown;
}

double st_font_width(const char *text) {
  double width = 0;
  for (const char *letter; (letter = next_letter(&text));)
    width += letter[0] - '0' + GAP;
  return width > GAP ? width - GAP : 0;
}

int st_font_next(StFontCursor *cursor, StSpot spot[ST_FONT_STROKE]) {
  while (!cursor->stroke || !*cursor->stroke) {
    const char *letter = next_letter(&cursor->text);
    if (!letter)
      return 0;
    cursor->x = cursor->next;
    cursor->next += letter[0] - '0' + GAP;
    cursor->stroke = letter[1] ? letter + 2 : NULL;
  }
  int count = 0;
  const char *at = cursor->stroke;
  for (; *at && *at != ' ' && count < ST_FONT_STROKE; at += 2)
    spot[count++] = (StSpot){cursor->x + at[0] - '0', at[1] - 'd'};
  cursor->stroke = at + (*at == ' ');
  return count;
}
