// A square of cloth, let go lying flat and held by two corners that are drawn together,
// swings down and comes to rest: how far its upper edge sags must not depend on the mesh.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/trial.h"

static const double nearer = 0.15; // m, each of the corners

static bool left_corner(const double X[3], const void *context) {
  (void)context;
  return X[0] < -0.5 + 1e-9 && X[1] > 0.5 - 1e-9;
}

static bool right_corner(const double X[3], const void *context) {
  (void)context;
  return X[0] > 0.5 - 1e-9 && X[1] > 0.5 - 1e-9;
}

static void draw_in(StWorld *world, StWorldChoice corner, double side) {
  StBoundaryDesc *held = st_world_add_boundary(world, 0, corner, NULL);
  if (held)
    st_world_move(world, &held->motion, 3, (double[3]){0, 0.5, 1},
                  (double[9]){[3] = -side * nearer, [6] = -side * nearer});
}

static StWorld cloth_world(int cells) {
  StWorld world = st_world_begin();
  const StCloth cloth = {.young = 1e4,
                         .poisson = 0.3,
                         .area_density = 0.2,
                         .bending = 2e-2,
                         .mass_damping = 4,
                         .stiffness_damping = 1e-3};
  int material = st_world_add_cloth(&world, &cloth);
  const double value[] = {1, 1, 0, cells, cells}, origin[3] = {0, 0, 0};
  StMesh *mesh = st_world_surface(&world, "sheet", value, ST_LENGTH(value), origin);
  st_world_add_body(&world, "cloth", mesh, material);
  draw_in(&world, left_corner, -1);
  draw_in(&world, right_corner, 1);
  st_world_set_time(&world, "be", 0.025, 20);
  st_world_set_tolerance(&world, 1e-6);
  if (world.description)
    world.description->gravity[2] = -ST_VERIFY_GRAVITY;
  return world;
}

typedef struct Hung {
  double sag;    // of the middle of the upper edge, m
  double lowest; // m
} Hung;

static void read_off(const StTrial *trial, const StSnapshot *state, Hung *hung) {
  const double *rest = trial->description->body[0].mesh->position;
  hung->lowest = 0;
  for (int v = 0; v < state->vertex_count; v++) {
    double drop = -state->position[3 * v + 2];
    hung->lowest = fmax(hung->lowest, drop);
    if (fabs(rest[3 * v]) < 1e-9 && rest[3 * v + 1] > 0.5 - 1e-9)
      hung->sag = drop;
  }
}

static StStatus hang(int cells, Hung *hung, StError *error) {
  StWorld world = cloth_world(cells);
  StTrial trial;
  StSnapshot state = {0};
  StStatus status = st_trial_start(&world, &trial, error);
  *hung = (Hung){0};
  if (status == ST_OK)
    status = st_trial_run(&trial, 5e-5, error);
  if (status == ST_OK)
    status = st_trial_state(&trial, &state, error);
  if (status == ST_OK)
    read_off(&trial, &state, hung);
  st_snapshot_free(&state);
  st_trial_end(&trial);
  return status;
}

// Against what the finest two meshes tend to, at second order.
static void compare(StVerify *verify, const char *what, double coarse, double fine, int cells) {
  double limit = fine + (fine - coarse) / 3;
  st_verify_compare(verify, "m", limit, coarse, NAN, "%d cells, against the limit: %s", cells / 2,
                    what);
  st_verify_compare(verify, "m", limit, fine, 0.005, "%d cells, against the limit: %s", cells,
                    what);
  st_verify_compare(verify, "m", coarse, fine, 0.01, "%d against %d cells: %s", cells, cells / 2,
                    what);
}

static StStatus run(StVerify *verify, StError *error) {
  int finest = verify->settings.full ? 48 : 24;
  Hung coarse = {0}, hung = {0};
  for (int cells = 6; cells <= finest; cells *= 2) {
    coarse = hung;
    ST_TRY(hang(cells, &hung, error));
    st_verify_compare(verify, "m", NAN, hung.sag, NAN, "%d cells: sag of the edge", cells);
    st_verify_compare(verify, "m", NAN, hung.lowest, NAN, "%d cells: lowest point", cells);
  }
  compare(verify, "sag", coarse.sag, hung.sag, finest);
  compare(verify, "lowest", coarse.lowest, hung.lowest, finest);
  return ST_OK;
}

const StVerifyCase st_verify_hang = {
    .name = "hang",
    .summary = "A square of cloth hung by two corners: the sag of its upper edge does not depend "
               "on the mesh.",
    .run = run,
};
