// The canvas that becomes SVG.
#include "output/canvas.h"

#include "base/memory.h"
#include "output/palette.h"

#include <math.h>

typedef struct Svg {
  StCanvas canvas;
  StText text;
  bool placed, clipped; // groups that are open
  int clips;
} Svg;

// Both for a light page and, where that is preferred, for a dark one.
static const char style_sheet[] =
    ".paper{fill:#fff}text{fill:#222}.grid{stroke:#ddd;fill:none}.frame{stroke:#222;fill:none}"
    ".line{fill:none;stroke-width:1.6;stroke-linejoin:round}.reference{stroke:#222}"
    ".title{font-size:14px;font-weight:bold}.box{fill:#fff;fill-opacity:.8}"
    "@media (prefers-color-scheme:dark){.paper,.box{fill:#181a1e}text{fill:#ddd}"
    ".grid{stroke:#3c3f45}.frame,.reference{stroke:#ccc}}";

const double st_dash[][5] = {[ST_PLOT_SOLID] = {0},
                             [ST_PLOT_DASHED] = {6, 4, 0},
                             [ST_PLOT_DOTTED] = {1.6, 3, 0},
                             [ST_PLOT_MIXED] = {8, 3, 1.6, 3, 0}};

static StText *text_of(StCanvas *canvas) {
  return &((Svg *)canvas)->text;
}

static void clip(StCanvas *canvas, const StBox *box) {
  Svg *svg = (Svg *)canvas;
  if (svg->clipped)
    st_text_add(&svg->text, "</g>\n");
  svg->clipped = box != NULL;
  if (!box)
    return;
  int number = svg->clips++;
  st_text_add(&svg->text,
              "<clipPath id=\"clip%d\"><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>"
              "</clipPath><g clip-path=\"url(#clip%d)\">\n",
              number, box->x, box->y, box->width, box->height, number);
}

static void place(StCanvas *canvas, double x, double y) {
  Svg *svg = (Svg *)canvas;
  clip(canvas, NULL);
  st_text_add(&svg->text, "%s<g transform=\"translate(%g %g)\">\n", svg->placed ? "</g>\n" : "", x,
              y);
  svg->placed = true;
}

static void add_colour(StText *text, const char *attribute, int ink) {
  const unsigned char *colour = st_palette[ink % ST_PALETTE_SIZE];
  st_text_add(text, " %s=\"#%02x%02x%02x\"", attribute, colour[0], colour[1], colour[2]);
}

static void begin_path(StText *text, StStroke stroke) {
  if (stroke.ink == ST_INK_GRID)
    st_text_add(text, "<path class=\"grid\"");
  else
    st_text_add(text, "<path class=\"line%s\"", stroke.ink == ST_INK_TEXT ? " reference" : "");
  if (stroke.ink >= 0)
    add_colour(text, "stroke", stroke.ink);
  const double *length = st_dash[stroke.dash];
  for (int i = 0; length[i] > 0; i++)
    st_text_add(text, "%s%g", i ? " " : " stroke-dasharray=\"", length[i]);
  st_text_add(text, "%s d=\"", length[0] > 0 ? "\"" : "");
}

static void line(StCanvas *canvas, const StSpot *spot, int count, StStroke stroke) {
  StText *text = text_of(canvas);
  bool drawing = false;
  begin_path(text, stroke);
  for (int i = 0; i < count; i++) {
    bool there = isfinite(spot[i].x) && isfinite(spot[i].y);
    if (there)
      st_text_add(text, "%c%.2f %.2f", drawing ? 'L' : 'M', spot[i].x, spot[i].y);
    drawing = there;
  }
  st_text_add(text, "\"/>\n");
}

static void dot(StCanvas *canvas, StSpot spot, double radius, int ink) {
  StText *text = text_of(canvas);
  st_text_add(text, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%g\"", spot.x, spot.y, radius);
  add_colour(text, "fill", ink < 0 ? 0 : ink);
  st_text_add(text, "/>\n");
}

static void add_box(StCanvas *canvas, const char *kind, const StBox *box) {
  st_text_add(text_of(canvas),
              "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", kind,
              box->x, box->y, box->width, box->height);
}

static void frame(StCanvas *canvas, const StBox *box) {
  add_box(canvas, "frame", box);
}

static void veil(StCanvas *canvas, const StBox *box) {
  add_box(canvas, "box", box);
}

static void add_escaped(StText *text, const char *raw) {
  for (; *raw; raw++) {
    switch (*raw) {
    case '&': st_text_add(text, "&amp;"); break;
    case '<': st_text_add(text, "&lt;"); break;
    case '>': st_text_add(text, "&gt;"); break;
    default: st_text_add_bytes(text, raw, 1);
    }
  }
}

static void words(StCanvas *canvas, const StWords *words) {
  static const char *const anchor[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  StText *text = text_of(canvas);
  StSpot at = words->upward ? (StSpot){0, 0} : words->at;
  if (words->upward)
    st_text_add(text, "<g transform=\"translate(%g %.1f) rotate(-90)\">", words->at.x, words->at.y);
  st_text_add(text, "<text x=\"%.1f\" y=\"%.1f\"%s%s>", at.x, at.y,
              words->title ? " class=\"title\"" : "", anchor[words->anchor]);
  add_escaped(text, words->text);
  st_text_add(text, "</text>%s\n", words->upward ? "</g>" : "");
}

static StStatus finish(StCanvas *canvas, StText *file, StError *error) {
  Svg *svg = (Svg *)canvas;
  clip(canvas, NULL);
  st_text_add(&svg->text, "%s</svg>\n", svg->placed ? "</g>\n" : "");
  if (!svg->text.failed)
    st_text_add_bytes(file, svg->text.data, svg->text.length);
  return svg->text.failed || file->failed ? st_fail_memory(error) : ST_OK;
}

static void destroy(StCanvas *canvas) {
  if (canvas)
    st_text_free(text_of(canvas));
  free(canvas);
}

static const StCanvasType svg_type = {place, clip, line, dot, frame, veil, words, finish, destroy};

StStatus st_canvas_svg(int width, int height, StCanvas **canvas, StError *error) {
  Svg *svg = ST_NEW(Svg, 1);
  if (!svg)
    return st_fail_memory(error);
  svg->canvas.type = &svg_type;
  st_text_add(&svg->text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
              "<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
              width, height, width, height, style_sheet);
  *canvas = &svg->canvas;
  return ST_OK;
}
