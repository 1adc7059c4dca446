// Pillow: two flat sheets sewn together along their rims, almost touching until inflated.
#include "base/memory.h"
#include "mesh/shape_parts.h"

typedef struct Pillow {
  int cells[2];
  double size[2], gap;
} Pillow;

enum { BOTTOM = 1, TOP = 2, SEAM = 4 };

static unsigned place(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Pillow *pillow = shape;
  bool seam = false;
  (void)layer;
  for (int i = 0; i < 2; i++) {
    int count = pillow->cells[i];
    x[i] = pillow->size[i] / 2 * (2 * lattice[i] - count) / count;
    seam = seam || lattice[i] == 0 || lattice[i] == count;
  }
  x[2] = seam ? 0 : pillow->gap / (lattice[2] > 0 ? 2 : -2);
  if (seam)
    return BOTTOM | TOP | SEAM;
  return lattice[2] > 0 ? TOP : BOTTOM;
}

static const StParam pillow_param[] = {
    ST_SHAPE_LENGTH("width", 1, "Extent along x."),
    ST_SHAPE_LENGTH("length", 1, "Extent along y."),
    ST_SHAPE_EDGE("a twentieth of the larger extent."),
    ST_SHAPE_CELLS("cells_x", "Cells along x, rounded to an even number"),
    ST_SHAPE_CELLS("cells_y", "Cells along y, rounded to an even number"),
    ST_PARAM("relative_gap",
             "Distance of the rectangles away from the rim, relative to the smaller extent; 0: "
             "they coincide, which only contact by smooth surfaces can start from.",
             .fallback = 0.01, ST_RANGE(0, 1)),
};

static StStatus make_pillow(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  ST_TRY(st_shape_check(&st_shape_pillow, value, error));
  if (fill == ST_SHAPE_SOLID)
    return st_fail(error, ST_BAD_INPUT,
                   "pillow: there is nothing between its sheets to fill; it can only be a surface");
  double edge = value[2] > 0 ? value[2] : fmax(value[0], value[1]) / 20;
  double x = st_shape_cells(value[3], value[0], edge, 2, 2);
  double y = st_shape_cells(value[4], value[1], edge, 2, 2);
  ST_TRY(st_shape_check_size(&st_shape_pillow, fill, 0, 2 * x * y, error));
  Pillow pillow = {.cells = {(int)x, (int)y},
                   .size = {value[0], value[1]},
                   .gap = value[5] * fmin(value[0], value[1])};
  ST_FINALLY(st_patch_free) StPatch patch = {0};
  ST_TRY(st_patch_pillow(pillow.cells[0], pillow.cells[1], &patch, error));
  StSweep sweep = {.patch = &patch, .place = place, .shape = &pillow};
  return st_sweep_mesh(&sweep, fill, st_shape_pillow.label, mesh, error);
}

static const char *const pillow_label[] = {"bottom", "top", "seam", NULL};

const StShapeType st_shape_pillow = {
    .name = "pillow",
    .summary = "Two flat rectangles along the xy-plane sewn together along the rim: a closed "
               "surface, almost empty until it is inflated.",
    .param = pillow_param,
    .param_count = ST_LENGTH(pillow_param),
    .surface_only = true,
    .label = pillow_label,
    .make = make_pillow,
};
