// Tyre: tread and side walls as a single layer, from rim to rim. A drum between the rims closes it,
// so that it can hold air.
#include "base/memory.h"
#include "mesh/shape_parts.h"

// A cross-section runs through `wall` cells from the lower rim to the shoulder, over the tread,
// down the other wall and back along the drum.
typedef struct Tyre {
  int around, tread, wall, drum; // cells; drum: 0 where the tyre is open
  double radius, width, rim_radius, rim_width, bulge;
} Tyre;

enum { TREAD = 1, WALL = 2, RIM = 4 };

// Of the upper wall, as (from the axis, z): a circular arc over the line from rim to shoulder.
static void place_in_wall(const Tyre *tyre, double share, double point[2]) {
  double out = tyre->radius - tyre->rim_radius, up = (tyre->width - tyre->rim_width) / 2;
  double chord = hypot(out, up), half_angle = 2 * atan(2 * tyre->bulge / chord);
  double along = share, away = 0;
  if (half_angle > 0) {
    double angle = (2 * share - 1) * half_angle;
    along = (1 + sin(angle) / sin(half_angle)) / 2;
    away = chord / 2 * (cos(angle) - cos(half_angle)) / sin(half_angle);
  }
  point[0] = tyre->rim_radius + along * out - away * up / chord;
  point[1] = tyre->rim_width / 2 + along * up + away * out / chord;
}

// A point of the cross-section, and its labels. The lower wall mirrors the upper one exactly.
static unsigned place_in_section(const Tyre *tyre, int at, double point[2]) {
  int wall = tyre->wall, shoulder = wall + tyre->tread, end = shoulder + wall;
  point[0] = tyre->radius;
  if (at > end) {
    point[0] = tyre->rim_radius;
    point[1] = tyre->rim_width / 2 * (tyre->drum - 2 * (at - end)) / tyre->drum;
    return RIM;
  }
  if (at > wall && at < shoulder) {
    point[1] = tyre->width / 2 * (2 * (at - wall) - tyre->tread) / tyre->tread;
    return TREAD;
  }
  bool lower = at <= wall;
  int from_rim = lower ? at : end - at;
  place_in_wall(tyre, (double)from_rim / wall, point);
  if (from_rim == wall)
    point[0] = tyre->radius, point[1] = tyre->width / 2;
  point[1] = lower ? -point[1] : point[1];
  return WALL | (from_rim == 0 ? RIM : 0) | (from_rim == wall ? TREAD : 0);
}

static unsigned place(const Tyre *tyre, int at, int turn, double x[3]) {
  double point[2], angle = 2 * M_PI * turn / tyre->around;
  unsigned labels = place_in_section(tyre, at, point);
  x[0] = point[0] * cos(angle), x[1] = point[0] * sin(angle), x[2] = point[1];
  return labels;
}

// The section is the rim of a strip one cell wide, swept clockwise.
static unsigned place_closed(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Tyre *tyre = shape;
  int length = 2 * tyre->wall + tyre->tread + tyre->drum;
  int at = lattice[1] == 0 ? lattice[0] : length - 1 - lattice[0];
  return place(tyre, at, (tyre->around - layer) % tyre->around, x);
}

// Rings of an annulus from the upper rim to the lower one: its upper side then faces outward.
static unsigned place_open(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Tyre *tyre = shape;
  (void)layer;
  return place(tyre, 2 * tyre->wall + tyre->tread - lattice[1], lattice[0], x);
}

static const char *const rims[] = {"drum", "open", NULL};
enum { RIM_DRUM };

enum {
  RADIUS,
  WIDTH,
  RIM_RADIUS,
  RIM_WIDTH,
  BULGE,
  RIM_KIND,
  EDGE,
  CELLS_AROUND,
  CELLS_TREAD,
  CELLS_WALL,
  CELLS_DRUM
};

static const StParam tyre_param[] = {
    [RADIUS] = ST_SHAPE_LENGTH("radius", 0.46, "Radius of the tread."),
    [WIDTH] = ST_SHAPE_LENGTH("width", 0.43, "Width of the tread, along z."),
    [RIM_RADIUS] = ST_SHAPE_LENGTH("rim_radius", 0.205, "Radius of the rims."),
    [RIM_WIDTH] = ST_SHAPE_LENGTH("rim_width", 0.41, "Distance between the rims, along z."),
    [BULGE] = ST_PARAM("bulge", "How far the side walls bulge; they are arcs from rim to shoulder.",
                       .dimension = ST_LENGTH_DIMENSION, .fallback = 0.03, .max = INFINITY,
                       .max_open = true),
    [RIM_KIND] =
        ST_PARAM("rim", "Whether a drum between the rims closes the surface, or it is open there.",
                 .kind = ST_WORD, .max = 1, .word = rims),
    [EDGE] = ST_SHAPE_EDGE("a twentieth of the diameter."),
    [CELLS_AROUND] = ST_SHAPE_CELLS(
        "cells_around", "Cells along the circumference, at least 6, rounded to an even number"),
    [CELLS_TREAD] =
        ST_SHAPE_CELLS("cells_tread", "Cells across the tread, rounded to an even number"),
    [CELLS_WALL] = ST_SHAPE_CELLS("cells_wall", "Cells from rim to shoulder"),
    [CELLS_DRUM] = ST_SHAPE_CELLS("cells_drum", "Cells across the drum, rounded to an even number"),
};

static double wall_length(const double *value) {
  double chord = hypot(value[RADIUS] - value[RIM_RADIUS], (value[WIDTH] - value[RIM_WIDTH]) / 2);
  double half_angle = 2 * atan(2 * value[BULGE] / chord);
  return half_angle > 0 ? chord * half_angle / sin(half_angle) : chord;
}

static StStatus check(const double *value, StShapeFill fill, StError *error) {
  ST_TRY(st_shape_check(&st_shape_tyre, value, error));
  if (fill == ST_SHAPE_SOLID)
    return st_fail(error, ST_BAD_INPUT,
                   "tyre: it is a single layer and can only be a surface; use a tube for a wall");
  if (value[RIM_RADIUS] >= value[RADIUS])
    return st_fail(error, ST_BAD_INPUT,
                   "tyre: rim_radius is %g m; it must be less than the radius, %g m",
                   value[RIM_RADIUS], value[RADIUS]);
  double most = (value[RADIUS] - value[RIM_RADIUS]) / 2;
  if (value[BULGE] > most)
    return st_fail(error, ST_BAD_INPUT,
                   "tyre: bulge is %g m; it must be at most half of the height of the walls, %g m",
                   value[BULGE], most);
  return ST_OK;
}

static StStatus make_tyre(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  ST_TRY(check(value, fill, error));
  bool closed = value[RIM_KIND] == RIM_DRUM;
  double edge = value[EDGE] > 0 ? value[EDGE] : value[RADIUS] / 10;
  double circle = 2 * M_PI * value[RADIUS];
  double around = st_shape_circle_cells(value[CELLS_AROUND], circle, edge);
  edge = st_shape_other_edge(value[EDGE], circle, around);
  double tread = st_shape_cells(value[CELLS_TREAD], value[WIDTH], edge, 2, 2);
  double wall = st_shape_cells(value[CELLS_WALL], wall_length(value), edge, 1, 1);
  double drum = closed ? st_shape_cells(value[CELLS_DRUM], value[RIM_WIDTH], edge, 2, 2) : 0;
  double length = 2 * wall + tread + drum;
  ST_TRY(st_shape_check_size(&st_shape_tyre, fill, 0, around * length, error));
  Tyre tyre = {.around = (int)around, .tread = (int)tread, .wall = (int)wall, .drum = (int)drum};
  tyre.radius = value[RADIUS], tyre.width = value[WIDTH], tyre.bulge = value[BULGE];
  tyre.rim_radius = value[RIM_RADIUS], tyre.rim_width = value[RIM_WIDTH];
  ST_FINALLY(st_patch_free) StPatch patch = {0};
  ST_TRY(closed ? st_patch_rectangle((int)length / 2 - 1, 1, &patch, error)
                : st_patch_annulus(tyre.around, (int)length, &patch, error));
  StSweep sweep = {.patch = &patch, .place = closed ? place_closed : place_open, .shape = &tyre};
  if (closed)
    sweep.layers = tyre.around, sweep.closed = true;
  return st_sweep_mesh(&sweep, fill, st_shape_tyre.label, mesh, error);
}

static const char *const tyre_label[] = {"tread", "wall", "rim", NULL};

const StShapeType st_shape_tyre = {
    .name = "tyre",
    .summary = "Tread and side walls of a tyre about the z-axis as a single layer of triangles, "
               "closed by a drum between the rims.",
    .param = tyre_param,
    .param_count = ST_LENGTH(tyre_param),
    .surface_only = true,
    .label = tyre_label,
    .make = make_tyre,
};
