// A square of cloth, let go lying flat and held by two corners that are drawn together,
// swings down and comes to rest: how far its upper edge sags must not depend on the mesh.
#include "verify/list.h"

#include "base/memory.h"
#include "verify/client.h"

static const double nearer = 0.15; // m, each of the corners

// side: -1 or 1
static void draw_in(const char *name, double side, StictionBuild *build) {
  static const double time[] = {0, 0.5, 1}, way[] = {0, 1, 1};
  StictionPart *corner = stiction_build_add_boundary(build, name, NULL);
  StictionPart *sphere = stiction_part_object(stiction_part_object(corner, "region"), "sphere");
  stiction_part_set_vector(sphere, "centre", side * 0.5, 0.5, 0);
  stiction_part_set_number(sphere, "radius", 1e-6);
  for (int i = 0; i < ST_LENGTH(time); i++)
    stiction_part_set_vector(stiction_part_add_motion_key(corner, time[i]), "translate",
                             -side * nearer * way[i], 0, 0);
}

static StictionBuild *build_cloth(int cells) {
  StictionBuild *build = st_client_build("be", 0.025, 20, 1e-6);
  StictionPart *cloth = stiction_build_add_material(build, "cloth", "membrane");
  stiction_part_set_number(cloth, "young", 1e4);
  stiction_part_set_number(cloth, "poisson", 0.3);
  stiction_part_set_number(cloth, "area_density", 0.2);
  stiction_part_set_number(cloth, "bending", 2e-2);
  stiction_part_set_number(cloth, "mass_damping", 4);
  stiction_part_set_number(cloth, "stiffness_damping", 1e-3);
  StictionPart *sheet =
      stiction_part_set_shape(stiction_build_add_body(build, "cloth", NULL), "sheet");
  stiction_part_set_number(sheet, "width", 1);
  stiction_part_set_number(sheet, "length", 1);
  stiction_part_set_number(sheet, "cells_x", cells);
  stiction_part_set_number(sheet, "cells_y", cells);
  draw_in("left", -1, build);
  draw_in("right", 1, build);
  stiction_part_set_number(stiction_build_root(build), "gravity", ST_VERIFY_GRAVITY);
  return build;
}

typedef struct Hung {
  double sag;    // of the middle of the upper edge, m
  double lowest; // m
} Hung;

static void read_off(const StClient *client, Hung *hung) {
  const double *position = stiction_simulation_positions(client->simulation);
  StictionBody cloth;
  *hung = (Hung){0};
  stiction_scene_body(client->scene, 0, &cloth);
  for (int v = 0; v < cloth.vertex_count; v++) {
    double drop = -position[3 * v + 2];
    hung->lowest = fmax(hung->lowest, drop);
    if (fabs(cloth.rest[3 * v]) < 1e-9 && cloth.rest[3 * v + 1] > 0.5 - 1e-9)
      hung->sag = drop;
  }
}

static StStatus hang(const StVerify *verify, int cells, Hung *hung, StError *error) {
  ST_FINALLY(st_client_end) StClient client = {0};
  ST_TRY(st_client_start(verify, build_cloth(cells), &client, error));
  ST_TRY(st_client_run(&client, 5e-5, error));
  read_off(&client, hung);
  return ST_OK;
}

// Against the limit of the finest two meshes, at second order.
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
    ST_TRY(hang(verify, cells, &hung, error));
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
