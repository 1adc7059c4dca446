// Sheets rolled around cylinders without stretching: the energy of their hinges is that of a plate,
// ½ D/r² per area, whatever the resolution. And shells at rest, flat or curved, feel nothing.
#include "verify/list.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "verify/trial.h"

static const double bending = 2e-3, young = 50; // J, N/m

// How cells are cut: two patterns of the sheet, and rhombi of equilateral triangles.
typedef enum Weave { ALTERNATING, UNIFORM, EQUILATERAL } Weave;

typedef struct Roll {
  Weave weave;
  double direction; // rad from x: the way in which the sheet is curved
  double radius;
  int cells;
} Roll;

static StMesh *sheet_mesh(StWorld *world, Weave weave, int cells) {
  const double value[] = {1, 1, 0, cells, cells, weave == ALTERNATING ? 0 : 1};
  StMesh *mesh = st_world_surface(world, "sheet", value, ST_LENGTH(value), (double[3]){0, 0, 0});
  for (int v = 0; mesh && weave == EQUILATERAL && v < mesh->vertex_count; v++) {
    double *X = mesh->position + 3 * v;
    X[0] -= X[1] / 2; // the diagonals, from corner to corner, become as long as the sides
    X[1] *= sqrt(3) / 2;
  }
  return mesh;
}

static void add_shell(StWorld *world, StMesh *mesh) {
  const StCloth cloth = {.young = young, .poisson = 0.3, .area_density = 0.2, .bending = bending};
  int material = st_world_add_cloth(world, &cloth);
  st_world_add_body(world, "shell", mesh, material);
  st_world_set_time(world, "be", 1e-3, 1e-3);
}

// Along the direction goes around the cylinder, across it along its axis.
static void bend(const Roll *roll, const double X[3], double x[3]) {
  double c = cos(roll->direction), s = sin(roll->direction);
  double around = c * X[0] + s * X[1], along = c * X[1] - s * X[0];
  double way = roll->radius * sin(around / roll->radius);
  vec3_set(c * way - s * along, s * way + c * along,
           roll->radius * (1 - cos(around / roll->radius)), x);
}

static StStatus rolled_energy(const Roll *roll, double *energy, StError *error) {
  StWorld world = st_world_begin();
  add_shell(&world, sheet_mesh(&world, roll->weave, roll->cells));
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  StStatus status = st_trial_start(&world, &trial, error);
  const StMesh *mesh = status == ST_OK ? trial.description->body[0].mesh : NULL;
  ST_FREE double *position = mesh ? ST_NEW(double, 3 * (size_t)mesh->vertex_count) : NULL;
  if (mesh && !position)
    status = st_fail_memory(error);
  for (int v = 0; position && v < mesh->vertex_count; v++)
    bend(roll, mesh->position + 3 * v, position + 3 * v);
  if (status == ST_OK)
    status = st_trial_throw(&trial, position, (double[3]){0, 0, 0}, error);
  if (status == ST_OK)
    *energy = st_trial_energy(&trial, "bending");
  return status;
}

// D/k from the energy of a sheet. A hinge stands for half a cell to either side, so that along the
// border half a cell is not bent; the border counts half as much when cells are half as large, and
// drops out of the combination.
static StStatus plate_stiffness(Roll roll, double *ratio, StError *error) {
  double energy[2], area = roll.weave == EQUILATERAL ? sqrt(3) / 2 : 1;
  for (int i = 0; i < 2; i++, roll.cells *= 2)
    ST_TRY(rolled_energy(&roll, &energy[i], error));
  *ratio = 2 * roll.radius * roll.radius * (2 * energy[1] - energy[0]) / (area * bending);
  return ST_OK;
}

// The reading farthest from the expected one, over radii and resolutions.
static StStatus worst_stiffness(Roll roll, double expected, double *worst, StError *error) {
  static const double radius[] = {0.25, 1, 4};
  static const int cells[] = {16, 32};
  *worst = expected;
  for (int r = 0; r < ST_LENGTH(radius); r++)
    for (int n = 0; n < ST_LENGTH(cells); n++) {
      double ratio;
      roll.radius = radius[r];
      roll.cells = cells[n];
      ST_TRY(plate_stiffness(roll, &ratio, error));
      if (fabs(ratio - expected) >= fabs(*worst - expected))
        *worst = ratio;
    }
  return ST_OK;
}

// D/k of a mesh whose cells are small, from the angles of its three kinds of hinges: aK_xx along
// one side, aK_yy along the other and √2 aK_xy along a diagonal; in the uniform pattern K_xy adds
// to the other two. Equilateral triangles have no direction.
static double expected_stiffness(Weave weave, double direction) {
  double c = cos(direction), s = sin(direction), twist = c * s;
  switch (weave) {
  case ALTERNATING: return 3 * (c * c * c * c + s * s * s * s) + 12 * twist * twist;
  case UNIFORM: return 3 * (1 + 2 * twist) + 12 * twist * twist;
  default: return 3;
  }
}

static StStatus check_rolls(StVerify *verify, StError *error) {
  static const char *const name[] = {"alternating", "uniform", "equilateral"};
  static const int degrees[] = {0, 90, 45, -45};
  for (Weave weave = ALTERNATING; weave <= EQUILATERAL; weave++)
    for (int d = 0; d < ST_LENGTH(degrees); d++) {
      double direction = degrees[d] * M_PI / 180, worst;
      double expected = expected_stiffness(weave, direction);
      ST_TRY(
          worst_stiffness((Roll){.weave = weave, .direction = direction}, expected, &worst, error));
      st_verify_compare(verify, "", expected, worst, 0.01, "%s, rolled at %d°: D/k", name[weave],
                        degrees[d]);
    }
  return ST_OK;
}

static StStatus check_whole(StVerify *verify, StError *error) {
  for (Weave weave = ALTERNATING; weave <= UNIFORM; weave++)
    for (int cells = 32; cells <= 128; cells *= 2) {
      double energy;
      Roll roll = {.weave = weave, .radius = 0.5, .cells = cells};
      ST_TRY(rolled_energy(&roll, &energy, error));
      st_verify_compare(verify, "J", 3 * bending / (2 * roll.radius * roll.radius), energy,
                        cells == 128 ? 0.01 : NAN, "%s, %d cells: whole energy",
                        weave == UNIFORM ? "uniform" : "alternating", cells);
    }
  return ST_OK;
}

// Largest force on a vertex, N.
static StStatus strongest(StTrial *trial, double *most, StError *error) {
  ST_FINALLY(st_snapshot_free) StSnapshot state = {0};
  ST_TRY(st_simulation_snapshot(trial->simulation, true, false, &state, error));
  *most = state.force_count > 0 ? 0 : NAN;
  for (int f = 0; f < state.force_count; f++)
    for (int v = 0; v < state.vertex_count; v++)
      *most = fmax(*most, vec3_length(state.force[f] + 3 * v));
  return ST_OK;
}

static StStatus check_rest(StVerify *verify, StError *error) {
  static const struct {
    const char *shape;
    int count;
    double value[4];
  } shell[] = {{"sheet", 3, {1, 1, 0.1}},
               {"sphere", 2, {0.5, 0.1}},
               {"tube", 4, {0.5, 0.1, 1, 0.1}},
               {"torus", 3, {0.5, 0.2, 0.1}}};
  for (int i = 0; i < ST_LENGTH(shell); i++) {
    StWorld world = st_world_begin();
    StMesh *mesh = st_world_surface(&world, shell[i].shape, shell[i].value, shell[i].count,
                                    (double[3]){0, 0, 0});
    add_shell(&world, mesh);
    StTrial trial;
    double most = NAN;
    StStatus status = st_trial_start(&world, &trial, error);
    if (status == ST_OK)
      status = strongest(&trial, &most, error);
    st_trial_end(&trial);
    if (status != ST_OK)
      return status;
    // Over the tension that would double an edge.
    st_verify_bound(verify, "", most / (young * 0.1), 1e-13, "%s at rest: force/(E edge)",
                    shell[i].shape);
  }
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  ST_TRY(check_rolls(verify, error));
  ST_TRY(check_whole(verify, error));
  return check_rest(verify, error);
}

const StVerifyCase st_verify_roll = {
    .name = "roll",
    .summary = "Sheets rolled to several radii have the bending energy D/(2 r^2) per area, at any "
               "resolution; flat and curved shells at rest have no force.",
    .run = run,
};
