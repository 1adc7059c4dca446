// Tube, hollow ball and bowl: curved walls in layers. Radii grow by a constant ratio from layer to
// layer, so that cells keep their proportions through a thick wall.
#include "base/memory.h"
#include "mesh/shape_parts.h"

#include "mesh/ball_map.h"

typedef struct Wall {
  int cells, layers; // along the circumference, through the wall
  int along;
  double inner, outer, length;
  int coat_layers; // the last ones, beyond the radius `coat`; 0: no coat
  double coat;
} Wall;

// 0 … layers, from one radius to the other.
static double even_radius(double inner, double outer, int layer, int layers) {
  if (layer == 0)
    return inner;
  return layer == layers ? outer : inner * pow(outer / inner, (double)layer / layers);
}

static double layer_radius(const Wall *wall, int layer) {
  int core = wall->layers - wall->coat_layers;
  if (wall->coat_layers == 0)
    return even_radius(wall->inner, wall->outer, layer, core);
  return layer <= core ? even_radius(wall->inner, wall->coat, layer, core)
                       : even_radius(wall->coat, wall->outer, layer - core, wall->coat_layers);
}

static StStatus check_thickness(const StShapeType *type, double radius, double thickness,
                                StError *error) {
  if (thickness < radius && radius - thickness < radius)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "%s: thickness is %g m; it must be less than the radius, %g m, and not vanish "
                 "beside it",
                 type->name, thickness, radius);
}

static const StParam tube_param[] = {
    ST_SHAPE_LENGTH("radius", 0.5, "Outer radius."),
    ST_SHAPE_LENGTH("thickness", 0.1, "Thickness of the wall."),
    ST_SHAPE_LENGTH("length", 1, "Extent along z."),
    ST_SHAPE_EDGE("a tenth of the diameter."),
    ST_SHAPE_CELLS("layers", "Cells through the wall"),
    ST_SHAPE_CELLS("cells_around",
                   "Cells along the circumference, at least 6, rounded to an even number"),
    ST_SHAPE_CELLS("cells_along", "Cells along the length"),
};

enum { TUBE_BOTTOM = 1, TUBE_TOP = 2, TUBE_INSIDE = 4, TUBE_OUTSIDE = 8 };

static unsigned place_in_tube(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Wall *wall = shape;
  double radius = layer_radius(wall, lattice[1]), angle = 2 * M_PI * lattice[0] / wall->cells;
  x[0] = radius * cos(angle), x[1] = radius * sin(angle);
  x[2] = wall->length / 2 * (2 * layer - wall->along) / wall->along;
  return (layer == 0 ? TUBE_BOTTOM : 0) | (layer == wall->along ? TUBE_TOP : 0) |
         (lattice[1] == 0 ? TUBE_INSIDE : 0) | (lattice[1] == wall->layers ? TUBE_OUTSIDE : 0);
}

static StStatus make_tube(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  const StShapeType *type = &st_shape_tube;
  ST_TRY(st_shape_check(type, value, error));
  ST_TRY(check_thickness(type, value[0], value[1], error));
  double edge = value[3] > 0 ? value[3] : st_shape_edge(value[0]), middle = value[0] - value[1] / 2;
  double circle = 2 * M_PI * middle;
  double around = st_shape_circle_cells(value[5], circle, edge);
  edge = st_shape_other_edge(value[3], circle, around);
  double layers = st_shape_cells(value[4], value[1], edge, 1, 1);
  double along = st_shape_cells(value[6], value[2], edge, 1, 1);
  ST_TRY(st_shape_check_size(type, fill, around * layers * along, 2 * around * (layers + along),
                             error));
  Wall wall = {.cells = (int)around,
               .layers = (int)layers,
               .along = (int)along,
               .inner = value[0] - value[1],
               .outer = value[0],
               .length = value[2]};
  ST_FINALLY(st_patch_free) StPatch patch = {0};
  ST_TRY(st_patch_annulus(wall.cells, wall.layers, &patch, error));
  StSweep sweep = {.patch = &patch, .layers = wall.along, .place = place_in_tube, .shape = &wall};
  return st_sweep_mesh(&sweep, fill, type->label, mesh, error);
}

static const char *const tube_label[] = {"bottom", "top", "inside", "outside", NULL};

const StShapeType st_shape_tube = {
    .name = "tube",
    .summary = "Pipe with its axis along z, open at both ends.",
    .param = tube_param,
    .param_count = ST_LENGTH(tube_param),
    .solid_by_default = true,
    .round = {.radius = 0, .edge = 3, .cells = 5, .quarters = 4, .along = 6, .length = 2},
    .label = tube_label,
    .make = make_tube,
};

static const StParam hollow_ball_param[] = {
    ST_SHAPE_LENGTH("radius", 0.5, "Outer radius."),
    ST_SHAPE_LENGTH("thickness", 0.1, "Thickness of the wall."),
    ST_SHAPE_EDGE("a tenth of the diameter."),
    ST_SHAPE_CELLS("layers", "Cells through the wall, without the coat"),
    ST_SHAPE_CELLS("cells", "Cells along a quarter of the circumference, at least 2"),
    ST_PARAM("coat",
             "Thickness of an outer layer of the wall, labelled \"coat\" (the rest: \"core\"), for "
             "another material; 0: none.",
             .dimension = ST_LENGTH_DIMENSION, .fallback = 0, .max = INFINITY, .max_open = true),
    ST_SHAPE_CELLS("coat_layers", "Cells through the coat"),
};

enum { BALL_INSIDE = 1, BALL_OUTSIDE = 2, BALL_RIM = 4 };

// twice: 2 i - cells of a point on the surface of the cube that the ball is made from.
static unsigned place_on_ball(const Wall *wall, const int twice[3], int layer, double x[3]) {
  const StBallMap map = {.cells = wall->cells, .layers = 1};
  st_ball_map_place(&map, twice, 1, x);
  for (int i = 0; i < 3; i++)
    x[i] *= layer_radius(wall, layer);
  return (layer == 0 ? BALL_INSIDE : 0) | (layer == wall->layers ? BALL_OUTSIDE : 0);
}

static unsigned place_in_ball(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Wall *wall = shape;
  int twice[3];
  for (int i = 0; i < 3; i++)
    twice[i] = 2 * lattice[i] - wall->cells;
  return place_on_ball(wall, twice, layer, x);
}

static StStatus check_coat(const Wall *wall, double coat, StError *error) {
  if (coat == 0 || (wall->inner < wall->coat && wall->coat < wall->outer))
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "hollow_ball: coat is %g m; it must be less than the thickness of the wall, %g m, "
                 "and not negligible compared with the radius",
                 coat, wall->outer - wall->inner);
}

// Sweeps create tets layer by layer.
static StStatus label_coat(const Wall *wall, StMesh *mesh, StError *error) {
  if (wall->coat_layers == 0 || mesh->tet_count == 0)
    return ST_OK;
  int core = st_mesh_label(mesh, "core"), coat = st_mesh_label(mesh, "coat");
  if (core < 0 || coat < 0)
    return st_fail_memory(error);
  int first = mesh->tet_count / wall->layers * (wall->layers - wall->coat_layers);
  for (int t = 0; t < mesh->tet_count; t++)
    mesh->tet_label[t] = t < first ? core : coat;
  return ST_OK;
}

static StStatus make_hollow_ball(const double *value, StShapeFill fill, StMesh **mesh,
                                 StError *error) {
  const StShapeType *type = &st_shape_hollow_ball;
  ST_TRY(st_shape_check(type, value, error));
  ST_TRY(check_thickness(type, value[0], value[1], error));
  double edge = value[2] > 0 ? value[2] : st_shape_edge(value[0]), middle = value[0] - value[1] / 2;
  double quarter = M_PI / 2 * middle, cells = st_shape_quarter_cells(value[4], quarter, edge);
  edge = st_shape_other_edge(value[2], quarter, cells);
  double coat = value[5], coat_layers = coat > 0 ? st_shape_cells(value[6], coat, edge, 1, 1) : 0;
  double layers = st_shape_cells(value[3], value[1] - coat, edge, 1, 1) + coat_layers;
  ST_TRY(st_shape_check_size(type, fill, 6 * cells * cells * layers, 12 * cells * cells, error));
  Wall wall = {.cells = (int)cells,
               .layers = (int)layers,
               .inner = value[0] - value[1],
               .outer = value[0],
               .coat_layers = (int)coat_layers,
               .coat = value[0] - coat};
  ST_TRY(check_coat(&wall, coat, error));
  ST_FINALLY(st_patch_free) StPatch patch = {0};
  ST_TRY(st_patch_box_surface(wall.cells, wall.cells, wall.cells, &patch, error));
  StSweep sweep = {.patch = &patch, .layers = wall.layers, .place = place_in_ball, .shape = &wall};
  StStatus status = st_sweep_mesh(&sweep, fill, type->label, mesh, error);
  if (status == ST_OK && (status = label_coat(&wall, *mesh, error)) != ST_OK)
    st_mesh_destroy(*mesh);
  return status;
}

static const char *const hollow_ball_label[] = {"inside", "outside", "core", "coat", NULL};

const StShapeType st_shape_hollow_ball = {
    .name = "hollow_ball",
    .summary = "Hollow ball about the origin with a wall of uniform thickness.",
    .param = hollow_ball_param,
    .param_count = ST_LENGTH(hollow_ball_param),
    .solid_by_default = true,
    .labels_tets = true,
    .round = {.radius = 0, .edge = 2, .cells = 4, .quarters = 1},
    .label = hollow_ball_label,
    .make = make_hollow_ball,
};

static const StParam bowl_param[] = {
    ST_SHAPE_LENGTH("radius", 0.5, "Outer radius, at the rim; also how deep it is."),
    ST_SHAPE_LENGTH("thickness", 0.1, "Thickness of the wall."),
    ST_SHAPE_EDGE("a tenth of the diameter."),
    ST_SHAPE_CELLS("layers", "Cells through the wall"),
    ST_SHAPE_CELLS("cells", "Cells along a quarter of the rim, rounded to an even number"),
};

// The disc is wrapped over half a cube: its square becomes one face, its rings the sides down to
// the middle. Flipped, so that the bowl is upright.
static unsigned place_in_bowl(const void *shape, const int lattice[3], int layer, double x[3]) {
  const Wall *wall = shape;
  const int twice[3] = {2 * lattice[0] - wall->cells, wall->cells - 2 * lattice[1],
                        2 * lattice[2] - wall->cells};
  unsigned side = place_on_ball(wall, twice, layer, x);
  return side | (2 * lattice[2] == wall->cells ? BALL_RIM : 0);
}

static StStatus make_bowl(const double *value, StShapeFill fill, StMesh **mesh, StError *error) {
  const StShapeType *type = &st_shape_bowl;
  ST_TRY(st_shape_check(type, value, error));
  ST_TRY(check_thickness(type, value[0], value[1], error));
  double edge = value[2] > 0 ? value[2] : st_shape_edge(value[0]);
  double quarter = M_PI / 2 * (value[0] - value[1] / 2);
  double cells = st_shape_cells(value[4], quarter, edge, 2, 2);
  edge = st_shape_other_edge(value[2], quarter, cells);
  double layers = st_shape_cells(value[3], value[1], edge, 1, 1);
  double quads = 3 * cells * cells;
  ST_TRY(st_shape_check_size(type, fill, quads * layers, 2 * quads + 4 * cells * layers, error));
  Wall wall = {
      .cells = (int)cells, .layers = (int)layers, .inner = value[0] - value[1], .outer = value[0]};
  ST_FINALLY(st_patch_free) StPatch patch = {0};
  ST_TRY(st_patch_disc(wall.cells, wall.cells / 2, &patch, error));
  StSweep sweep = {.patch = &patch, .layers = wall.layers, .place = place_in_bowl, .shape = &wall};
  return st_sweep_mesh(&sweep, fill, type->label, mesh, error);
}

static const char *const bowl_label[] = {"inside", "outside", "rim", NULL};

const StShapeType st_shape_bowl = {
    .name = "bowl",
    .summary = "Half of a hollow ball about the origin, open at the top.",
    .param = bowl_param,
    .param_count = ST_LENGTH(bowl_param),
    .solid_by_default = true,
    .label = bowl_label,
    .make = make_bowl,
};
