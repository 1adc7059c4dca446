// Hollow box: the surface of a box of cells, swept through the wall from inside to outside.
#include "base/memory.h"
#include "mesh/shape_parts.h"

typedef struct Crate {
  int cells[3], layers;
  double size[3], thickness;
} Crate;

enum { INSIDE = 64, OUTSIDE = 128 }; // after the six faces

// Exact at both ends and in the middle, and symmetric about it.
static unsigned place(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Crate *crate = shape;
  bool outside = layer == crate->layers;
  double depth = crate->thickness * (crate->layers - layer) / crate->layers;
  unsigned labels = layer == 0 ? INSIDE : outside ? OUTSIDE : 0;
  for (int i = 0; i < 3; i++) {
    double half = crate->size[i] / 2 - depth;
    x[i] = half * (2 * lattice[i] - crate->cells[i]) / crate->cells[i];
    if (outside && lattice[i] == 0)
      labels |= 1u << 2 * i;
    if (outside && lattice[i] == crate->cells[i])
      labels |= 2u << 2 * i;
  }
  return labels;
}

static const StParam param[] = {
    ST_SHAPE_LENGTH("size_x", 1, "Outer extent along x."),
    ST_SHAPE_LENGTH("size_y", 1, "Outer extent along y."),
    ST_SHAPE_LENGTH("size_z", 1, "Outer extent along z."),
    ST_SHAPE_LENGTH("thickness", 0.1, "Thickness of the walls."),
    ST_SHAPE_EDGE("a tenth of the largest extent."),
    ST_SHAPE_CELLS("layers", "Cells through the wall"),
    ST_SHAPE_CELLS("cells_x", "Cells along x"),
    ST_SHAPE_CELLS("cells_y", "Cells along y"),
    ST_SHAPE_CELLS("cells_z", "Cells along z"),
};

static StStatus check_thickness(const double *value, StError *error) {
  double least = fmin(value[0], fmin(value[1], value[2]));
  if (value[3] < least / 2 && least / 2 - value[3] < least / 2)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "hollow_box: thickness is %g m; it must be less than half of the smallest extent, "
                 "%g m, and not negligible compared with it",
                 value[3], least);
}

static StStatus make(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  const StShapeType *type = &st_shape_hollow_box;
  ST_TRY(st_shape_check(type, value, error));
  ST_TRY(check_thickness(value, error));
  Crate crate = {.size = {value[0], value[1], value[2]}, .thickness = value[3]};
  double edge = value[4] > 0 ? value[4] : fmax(value[0], fmax(value[1], value[2])) / 10, n[3];
  for (int i = 0; i < 3; i++)
    n[i] = st_shape_cells(value[6 + i], value[i], edge, 1, 1);
  double layers = st_shape_cells(value[5], value[3], edge, 1, 1);
  double quads = 2 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]);
  ST_TRY(st_shape_check_size(type, fill, quads * layers, 2 * quads, error));
  for (int i = 0; i < 3; i++)
    crate.cells[i] = (int)n[i];
  crate.layers = (int)layers;
  ST_FINALLY(st_patch_free) StPatch patch = {0};
  ST_TRY(st_patch_box_surface(crate.cells[0], crate.cells[1], crate.cells[2], &patch, error));
  StSweep sweep = {.patch = &patch, .layers = crate.layers, .place = place, .shape = &crate};
  return st_sweep_mesh(&sweep, fill, type->label, mesh, error);
}

static const char *const label[] = {"x-", "x+", "y-", "y+", "z-", "z+", "inside", "outside", NULL};

const StShapeType st_shape_hollow_box = {
    .name = "hollow_box",
    .summary = "Closed box with its edges along the axes and walls of uniform thickness.",
    .param = param,
    .param_count = ST_LENGTH(param),
    .solid_by_default = true,
    .label = label,
    .make = make,
};
