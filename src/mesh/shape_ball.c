// Sphere and capsule: a lattice core in a shell; the capsule is a ball cut at the equator and
// extended.
#include "base/memory.h"
#include "mesh/shape_parts.h"

#include "mesh/ball_map.h"

typedef struct Capsule {
  StBallMap map;
  int straight; // cells along the straight part, 0 for a sphere
  double radius, length;
} Capsule;

enum { SURFACE = 1 };
enum { BOTTOM = 1, TOP = 2, SIDE = 4 };

// k runs over the lower half of the ball, the straight part and the upper half.
static void place_in_capsule(const Capsule *capsule, int i, int j, int k, int layer, double x[3]) {
  int cells = capsule->map.cells, half = cells / 2, straight = capsule->straight;
  int along = k <= half ? 0 : k >= half + straight ? straight : k - half;
  const int twice[3] = {2 * i - cells, 2 * j - cells, 2 * (k - along) - cells};
  st_ball_map_place(&capsule->map, twice, layer, x);
  for (int a = 0; a < 3; a++)
    x[a] *= capsule->radius;
  if (straight > 0)
    x[2] += capsule->length / 2 * (2 * along - straight) / straight;
}

static unsigned surface_labels(const Capsule *capsule, int k) {
  if (capsule->straight == 0)
    return SURFACE;
  int low = capsule->map.cells / 2, high = low + capsule->straight;
  return (k <= low ? BOTTOM : 0) | (k >= high ? TOP : 0) | (k >= low && k <= high ? SIDE : 0);
}

static unsigned place_core(const void *shape, const int lattice[3], int layer, double x[3]) {
  place_in_capsule(shape, lattice[0], lattice[1], layer, 0, x);
  return 0;
}

static unsigned place_shell(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Capsule *capsule = shape;
  place_in_capsule(capsule, lattice[0], lattice[1], lattice[2], layer, x);
  return layer == capsule->map.layers ? surface_labels(capsule, lattice[2]) : 0;
}

static unsigned place_surface(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Capsule *capsule = shape;
  return place_shell(shape, lattice, layer + capsule->map.layers, x);
}

static StStatus make_surface(const StShapeType *type, const Capsule *capsule,
                             const StPatch *outside, StMesh **mesh, StError *error) {
  // The colouring continues from the core through the shell.
  StSweep sweep = {.patch = outside,
                   .colour = capsule->map.layers % 2,
                   .place = place_surface,
                   .shape = capsule};
  return st_sweep_mesh(&sweep, ST_SHAPE_SURFACE, type->label, mesh, error);
}

static StStatus make_solid(const StShapeType *type, const Capsule *capsule, const StPatch *section,
                           const StPatch *outside, StMesh **mesh, StError *error) {
  ST_FREE int *foot = ST_NEW(int, outside->vertex_count);
  ST_TRY_MEMORY(foot, error);
  for (int v = 0; v < outside->vertex_count; v++) {
    const int *at = outside->lattice + 3 * (size_t)v;
    foot[v] = at[2] * section->vertex_count + at[1] * (capsule->map.cells + 1) + at[0];
  }
  const StSweep sweep[2] = {{.patch = section,
                             .layers = capsule->map.cells + capsule->straight,
                             .place = place_core,
                             .shape = capsule},
                            {.patch = outside,
                             .layers = capsule->map.layers,
                             .foot = foot,
                             .place = place_shell,
                             .shape = capsule}};
  StSweepOutput output;
  ST_TRY(st_sweep_begin(&output, ST_SHAPE_SOLID, sweep, 2, error));
  st_sweep_run(&output, &sweep[0]);
  st_sweep_run(&output, &sweep[1]);
  ST_TRY(st_sweep_finish(&output, type->label, mesh, error));
  return ST_OK;
}

static StStatus make_capsule_mesh(const StShapeType *type, const Capsule *capsule, StShapeFill fill,
                                  StMesh **mesh, StError *error) {
  int cells = capsule->map.cells;
  StPatch section = {0}, outside;
  ST_TRY(st_patch_box_surface(cells, cells, cells + capsule->straight, &outside, error));
  StStatus status = ST_OK;
  if (fill == ST_SHAPE_SURFACE)
    status = make_surface(type, capsule, &outside, mesh, error);
  else if ((status = st_patch_rectangle(cells, cells, &section, error)) == ST_OK)
    status = make_solid(type, capsule, &section, &outside, mesh, error);
  st_patch_free(&section);
  st_patch_free(&outside);
  return status;
}

// cells and straight are still unchecked here.
static StStatus make_checked(const StShapeType *type, double radius, double length, double cells,
                             double straight, StShapeFill fill, StMesh **mesh, StError *error) {
  double core = cells * cells * (cells + straight);
  double outside = 2 * cells * cells + 4 * cells * (cells + straight);
  ST_TRY(st_shape_check_size(type, fill, core + outside * ceil(cells / 3), outside, error));
  Capsule capsule = {st_ball_map((int)cells), (int)straight, radius, length};
  return make_capsule_mesh(type, &capsule, fill, mesh, error);
}

static const StParam sphere_param[] = {
    ST_SHAPE_LENGTH("radius", 0.5, "Radius."),
    ST_SHAPE_EDGE("a tenth of the diameter."),
    ST_SHAPE_CELLS("cells", "Cells along a quarter of the circumference, at least 2"),
};

static StStatus make_sphere(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  ST_TRY(st_shape_check(&st_shape_sphere, value, error));
  double radius = value[0], edge = value[1] > 0 ? value[1] : st_shape_edge(radius);
  double cells = st_shape_quarter_cells(value[2], M_PI / 2 * radius, edge);
  return make_checked(&st_shape_sphere, radius, 0, cells, 0, fill, mesh, error);
}

static const char *const sphere_label[] = {"surface", NULL};

const StShapeType st_shape_sphere = {
    .name = "sphere",
    .summary = "Ball about the origin.",
    .param = sphere_param,
    .param_count = ST_LENGTH(sphere_param),
    .solid_by_default = true,
    .round = {.radius = 0, .edge = 1, .cells = 2, .quarters = 1},
    .label = sphere_label,
    .make = make_sphere,
};

static const StParam capsule_param[] = {
    ST_SHAPE_LENGTH("radius", 0.25, "Radius of the straight part and of the round ends."),
    ST_SHAPE_LENGTH("length", 0.5, "Length of the straight part."),
    ST_SHAPE_EDGE("a tenth of the diameter."),
    ST_SHAPE_CELLS("cells",
                   "Cells along a quarter of the circumference, rounded to an even number"),
    ST_SHAPE_CELLS("cells_along", "Cells along the straight part"),
};

static StStatus make_capsule(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  ST_TRY(st_shape_check(&st_shape_capsule, value, error));
  double radius = value[0], length = value[1],
         edge = value[2] > 0 ? value[2] : st_shape_edge(radius);
  double quarter = M_PI / 2 * radius, cells = st_shape_cells(value[3], quarter, edge, 2, 2);
  edge = st_shape_other_edge(value[2], quarter, cells);
  double straight = st_shape_cells(value[4], length, edge, 1, 1);
  return make_checked(&st_shape_capsule, radius, length, cells, straight, fill, mesh, error);
}

static const char *const capsule_label[] = {"bottom", "top", "side", NULL};

const StShapeType st_shape_capsule = {
    .name = "capsule",
    .summary = "Cylinder with round ends, its axis along z.",
    .param = capsule_param,
    .param_count = ST_LENGTH(capsule_param),
    .solid_by_default = true,
    .round = {.radius = 0, .edge = 2, .cells = 3, .quarters = 1, .along = 4, .length = 1},
    .label = capsule_label,
    .make = make_capsule,
};
