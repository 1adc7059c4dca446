// Box and sheet: straight lattices.
#include "base/memory.h"
#include "mesh/shape_parts.h"

typedef struct Grid {
  int cells[3];
  double size[3];
} Grid;

enum { X_LOW = 1, X_HIGH = 2, Y_LOW = 4, Y_HIGH = 8, Z_LOW = 16, Z_HIGH = 32, CORNER = 64 };

// Exact at both ends and in the middle, and symmetric about it.
static double spread(int index, int count, double size) {
  return count == 0 ? 0 : size / 2 * (2 * index - count) / count;
}

static unsigned ends(int index, int count, unsigned low) {
  return (index == 0 ? low : 0) | (index == count ? 2 * low : 0);
}

static unsigned place(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Grid *grid = shape;
  const int at[3] = {lattice[0], lattice[1], layer};
  for (int i = 0; i < 3; i++)
    x[i] = spread(at[i], grid->cells[i], grid->size[i]);
  unsigned in_x = ends(at[0], grid->cells[0], X_LOW), in_y = ends(at[1], grid->cells[1], Y_LOW);
  if (grid->cells[2] > 0)
    return in_x | in_y | ends(at[2], grid->cells[2], Z_LOW);
  return in_x | in_y | (in_x && in_y ? CORNER : 0);
}

static StStatus make_grid(const StShapeType *type, const Grid *grid, bool uniform, StShapeFill fill,
                          StMesh **mesh, StError *error) {
  ST_FINALLY(st_patch_free) StPatch patch = {0};
  ST_TRY(st_patch_rectangle(grid->cells[0], grid->cells[1], &patch, error));
  StSweep sweep = {
      .patch = &patch, .layers = grid->cells[2], .uniform = uniform, .place = place, .shape = grid};
  return st_sweep_mesh(&sweep, fill, type->label, mesh, error);
}

static StStatus check_grid(const StShapeType *type, StShapeFill fill, const double count[3],
                           Grid *grid, StError *error) {
  double x = count[0], y = count[1], z = count[2];
  double quads = z > 0 ? 2 * (x * y + y * z + z * x) : x * y;
  ST_TRY(st_shape_check_size(type, fill, x * y * z, quads, error));
  for (int i = 0; i < 3; i++)
    grid->cells[i] = (int)count[i];
  return ST_OK;
}

// n cells through a beam let it bend by n²/(n² + 2) of the right amount: four by 89 %, five by 93
// %.
static const double bending_cells = 5;

// For so many cells along the largest extent.
static double usual_edge(const double size[3], double cells, StShapeFill fill) {
  double usual = fmax(size[0], fmax(size[1], size[2])) / cells;
  if (fill != ST_SHAPE_SOLID)
    return usual;
  return st_shape_bending_edge(usual, fmin(size[0], fmin(size[1], size[2])) / bending_cells,
                               size[0] * size[1] * size[2]);
}

static const StParam box_param[] = {
    ST_SHAPE_LENGTH("size_x", 1, "Extent along x."),
    ST_SHAPE_LENGTH("size_y", 1, "Extent along y."),
    ST_SHAPE_LENGTH("size_z", 1, "Extent along z."),
    ST_SHAPE_EDGE("a tenth of the largest extent; of a solid at most a fifth of the smallest, if "
                  "4000 cells are enough for that."),
    ST_SHAPE_CELLS("cells_x", "Cells along x"),
    ST_SHAPE_CELLS("cells_y", "Cells along y"),
    ST_SHAPE_CELLS("cells_z", "Cells along z"),
};

static StStatus make_box(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  ST_TRY(st_shape_check(&st_shape_box, value, error));
  Grid grid = {.size = {value[0], value[1], value[2]}};
  double edge = value[3] > 0 ? value[3] : usual_edge(grid.size, 10, fill), count[3];
  for (int i = 0; i < 3; i++)
    count[i] = st_shape_cells(value[4 + i], value[i], edge, 1, 1);
  ST_TRY(check_grid(&st_shape_box, fill, count, &grid, error));
  return make_grid(&st_shape_box, &grid, false, fill, mesh, error);
}

static const char *const box_label[] = {"x-", "x+", "y-", "y+", "z-", "z+", NULL};

const StShapeType st_shape_box = {
    .name = "box",
    .summary = "Box with its edges along the axes.",
    .param = box_param,
    .param_count = ST_LENGTH(box_param),
    .solid_by_default = true,
    .label = box_label,
    .make = make_box,
};

static const char *const patterns[] = {"alternating", "uniform", NULL};

static const StParam sheet_param[] = {
    ST_SHAPE_LENGTH("width", 1, "Extent along x."),
    ST_SHAPE_LENGTH("length", 1, "Extent along y."),
    ST_SHAPE_EDGE(
        "a twentieth of the larger extent; of a solid at most a fifth of the thickness, if "
        "4000 cells are enough for that."),
    ST_SHAPE_CELLS("cells_x", "Cells along x"),
    ST_SHAPE_CELLS("cells_y", "Cells along y"),
    ST_PARAM("pattern",
             "How cells are cut: with diagonals that alternate, for the least directional bias, or "
             "that all run the same way.",
             .kind = ST_WORD, .fallback = 0, ST_RANGE(0, 1), .word = patterns),
    ST_SHAPE_LENGTH("thickness", 0.05, "Extent along z when filled with tets."),
    ST_SHAPE_CELLS("layers", "Cells through the thickness when filled with tets"),
};

static StStatus make_sheet(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  ST_TRY(st_shape_check(&st_shape_sheet, value, error));
  bool solid = fill == ST_SHAPE_SOLID;
  Grid grid = {.size = {value[0], value[1], solid ? value[6] : 0}};
  double edge = value[2] > 0 ? value[2] : usual_edge(grid.size, 20, fill);
  const double count[3] = {st_shape_cells(value[3], value[0], edge, 1, 1),
                           st_shape_cells(value[4], value[1], edge, 1, 1),
                           solid ? st_shape_cells(value[7], value[6], edge, 1, 1) : 0};
  ST_TRY(check_grid(&st_shape_sheet, fill, count, &grid, error));
  return make_grid(&st_shape_sheet, &grid, value[5] == 1, fill, mesh, error);
}

static const char *const sheet_label[] = {"x-", "x+", "y-", "y+", "z-", "z+", "corners", NULL};

const StShapeType st_shape_sheet = {
    .name = "sheet",
    .summary = "Flat rectangle in the xy-plane, facing up; open as a surface, a plate when solid.",
    .param = sheet_param,
    .param_count = ST_LENGTH(sheet_param),
    .solid_by_default = false,
    .label = sheet_label,
    .make = make_sheet,
};
