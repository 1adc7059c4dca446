// Sleeve: the wall of a cylinder as one layer of cloth, open at both ends.
#include "base/memory.h"
#include "mesh/shape_parts.h"

typedef struct Sleeve {
  int around, along;
  double radius, length;
} Sleeve;

enum { BOTTOM = 1, TOP = 2 };

// Rings of the annulus from the top down, so that its upper side faces outward.
static unsigned place(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Sleeve *sleeve = shape;
  double angle = 2 * M_PI * lattice[0] / sleeve->around;
  (void)layer;
  x[0] = sleeve->radius * cos(angle), x[1] = sleeve->radius * sin(angle);
  x[2] = sleeve->length / 2 * (sleeve->along - 2 * lattice[1]) / sleeve->along;
  return (lattice[1] == sleeve->along ? BOTTOM : 0) | (lattice[1] == 0 ? TOP : 0);
}

static const StParam sleeve_param[] = {
    ST_SHAPE_LENGTH("radius", 0.25, "Radius."),
    ST_SHAPE_LENGTH("length", 1, "Extent along z."),
    ST_SHAPE_EDGE("a tenth of the diameter."),
    ST_SHAPE_CELLS("cells_around",
                   "Cells along the circumference, at least 6, rounded to an even number"),
    ST_SHAPE_CELLS("cells_along", "Cells along the length"),
};

static StStatus make_sleeve(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  const StShapeType *type = &st_shape_sleeve;
  ST_TRY(st_shape_check(type, value, error));
  if (fill == ST_SHAPE_SOLID)
    return st_fail(error, ST_BAD_INPUT,
                   "sleeve: it is a single layer and can only be a surface; use a tube for a wall");
  double edge = value[2] > 0 ? value[2] : value[0] / 5, circle = 2 * M_PI * value[0];
  double around = st_shape_circle_cells(value[3], circle, edge);
  double along =
      st_shape_cells(value[4], value[1], st_shape_other_edge(value[2], circle, around), 1, 1);
  ST_TRY(st_shape_check_size(type, fill, 0, around * along, error));
  Sleeve sleeve = {(int)around, (int)along, value[0], value[1]};
  ST_FINALLY(st_patch_free) StPatch patch = {0};
  ST_TRY(st_patch_annulus(sleeve.around, sleeve.along, &patch, error));
  StSweep sweep = {.patch = &patch, .place = place, .shape = &sleeve};
  return st_sweep_mesh(&sweep, fill, type->label, mesh, error);
}

static const char *const sleeve_label[] = {"bottom", "top", NULL};

const StShapeType st_shape_sleeve = {
    .name = "sleeve",
    .summary = "Wall of a cylinder along z as a single layer of triangles, open at both ends: a "
               "tube of cloth.",
    .param = sleeve_param,
    .param_count = ST_LENGTH(sleeve_param),
    .surface_only = true,
    .label = sleeve_label,
    .make = make_sleeve,
};
