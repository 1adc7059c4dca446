// Cylinder and torus: a disc swept along a line or round a circle.
#include "base/memory.h"
#include "mesh/shape_parts.h"

#include "mesh/ball_map.h"

typedef struct Roll {
  StBallMap map;
  int along; // cells along the sweep
  double radius;
  double sweep; // height of a cylinder, major radius of a torus
} Roll;

// Returns whether the point lies on the rim.
static bool place_in_disc(const Roll *roll, const int lattice[3], double x[3]) {
  int cells = roll->map.cells;
  const int twice[3] = {2 * lattice[0] - cells, 2 * lattice[1] - cells, 0};
  st_ball_map_place(&roll->map, twice, lattice[2], x);
  for (int i = 0; i < 3; i++)
    x[i] *= roll->radius;
  return lattice[2] == roll->map.layers;
}

static StStatus make_roll(const StShapeType *type, double cells, double along, Roll *roll,
                          StPlace place, bool closed, StShapeFill fill, StMesh **mesh,
                          StError *error) {
  double disc = cells * cells + 4 * cells * ceil(cells / 4), side = 4 * cells * along;
  // A torus has no caps, but the whole disc is laid out all the same.
  double quads = closed ? fmax(side, disc) : side + 2 * disc;
  ST_TRY(st_shape_check_size(type, fill, disc * along, quads, error));
  roll->map = st_disc_map((int)cells);
  roll->along = (int)along;
  ST_FINALLY(st_patch_free) StPatch patch = {0};
  ST_TRY(st_patch_disc(roll->map.cells, roll->map.layers, &patch, error));
  StSweep sweep = {
      .patch = &patch, .layers = roll->along, .closed = closed, .place = place, .shape = roll};
  return st_sweep_mesh(&sweep, fill, type->label, mesh, error);
}

static const StParam cylinder_param[] = {
    ST_SHAPE_LENGTH("radius", 0.5, "Radius."),
    ST_SHAPE_LENGTH("height", 1, "Extent along z."),
    ST_SHAPE_EDGE("a tenth of the diameter."),
    ST_SHAPE_CELLS("cells", "Cells along a quarter of the circumference, at least 2"),
    ST_SHAPE_CELLS("cells_along", "Cells along the height"),
};

enum { BOTTOM = 1, TOP = 2, SIDE = 4 };

static unsigned place_in_cylinder(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Roll *roll = shape;
  bool rim = place_in_disc(roll, lattice, x);
  x[2] = roll->sweep / 2 * (2 * layer - roll->along) / roll->along;
  return (layer == 0 ? BOTTOM : 0) | (layer == roll->along ? TOP : 0) | (rim ? SIDE : 0);
}

static StStatus make_cylinder(const double *value, StShapeFill fill, StMesh **mesh,
                              StError *error) {
  ST_TRY(st_shape_check(&st_shape_cylinder, value, error));
  Roll roll = {.radius = value[0], .sweep = value[1]};
  double edge = value[2] > 0 ? value[2] : st_shape_edge(value[0]);
  double quarter = M_PI / 2 * roll.radius;
  double cells = st_shape_quarter_cells(value[3], quarter, edge);
  edge = st_shape_other_edge(value[2], quarter, cells);
  double along = st_shape_cells(value[4], roll.sweep, edge, 1, 1);
  return make_roll(&st_shape_cylinder, cells, along, &roll, place_in_cylinder, false, fill, mesh,
                   error);
}

static const char *const cylinder_label[] = {"bottom", "top", "side", NULL};

const StShapeType st_shape_cylinder = {
    .name = "cylinder",
    .summary = "Cylinder with its axis along z.",
    .param = cylinder_param,
    .param_count = ST_LENGTH(cylinder_param),
    .solid_by_default = true,
    .round = {.radius = 0, .edge = 2, .cells = 3, .quarters = 1, .along = 4, .length = 1},
    .label = cylinder_label,
    .make = make_cylinder,
};

static const StParam torus_param[] = {
    ST_SHAPE_LENGTH("major_radius", 0.35, "Radius of the circle in the middle of the ring."),
    ST_SHAPE_LENGTH("minor_radius", 0.15, "Radius of the ring's cross-section."),
    ST_SHAPE_EDGE("a sixth of the minor diameter."),
    ST_SHAPE_CELLS("cells", "Cells along a quarter of the minor circumference, at least 2"),
    ST_SHAPE_CELLS("cells_around",
                   "Cells along the major circumference, at least 6, rounded to an even number"),
};

// The disc's x points away from the axis, its y up; the sweep then runs clockwise.
static unsigned place_in_torus(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Roll *roll = shape;
  bool rim = place_in_disc(roll, lattice, x);
  double angle = -2 * M_PI * layer / roll->along, from_axis = roll->sweep + x[0];
  x[2] = x[1];
  x[0] = from_axis * cos(angle), x[1] = from_axis * sin(angle);
  return rim;
}

static StStatus make_torus(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  ST_TRY(st_shape_check(&st_shape_torus, value, error));
  Roll roll = {.radius = value[1], .sweep = value[0]};
  if (roll.radius >= roll.sweep)
    return st_fail(error, ST_BAD_INPUT,
                   "torus: minor_radius is %g m; it must be less than major_radius, %g m",
                   roll.radius, roll.sweep);
  double edge = value[2] > 0 ? value[2] : roll.radius / 3;
  double quarter = M_PI / 2 * roll.radius;
  double cells = st_shape_quarter_cells(value[3], quarter, edge);
  edge = st_shape_other_edge(value[2], quarter, cells);
  double around = st_shape_circle_cells(value[4], 2 * M_PI * roll.sweep, edge);
  return make_roll(&st_shape_torus, cells, around, &roll, place_in_torus, true, fill, mesh, error);
}

static const char *const torus_label[] = {"surface", NULL};

const StShapeType st_shape_torus = {
    .name = "torus",
    .summary = "Ring about the z-axis.",
    .param = torus_param,
    .param_count = ST_LENGTH(torus_param),
    .solid_by_default = true,
    .label = torus_label,
    .make = make_torus,
};
