// A steel strip bends under its own weight, by membrane and hinges together: its sag must converge
// to that of a beam whose stiffness is what the mesh makes of its hinges. Left to itself a mesh of
// right triangles gives way to bending by faint folds or by twisting: a strip has 2.4 k instead of
// the 3 k of a sheet held on a cylinder (docs/verification.md).
#include "verify/list.h"

#include "base/memory.h"
#include "verify/trial.h"

// Five millimetres of steel without sideways shrinking: E t, ρ t and D = E t³/12.
static const double length = 0.2, young = 1e9, density = 39, plate = 2e11 * 1.25e-7 / 12;
static const double strip_stiffness = 2.4; // in k of a hinge

typedef enum Support { CLAMPED, PROPPED } Support;

typedef enum Pattern { ALTERNATING, UNIFORM } Pattern; // of the sheet

typedef struct Strip {
  Support support;
  Pattern pattern;
  int cells;  // along the free length
  int across; // cells
} Strip;

static bool clamped_end(const double X[3], const void *context) {
  (void)context;
  return X[0] < 1e-9 * length;
}

static bool left_end(const double X[3], const void *context) {
  (void)context;
  return X[0] < -length / 2 + 1e-9;
}

static bool either_end(const double X[3], const void *context) {
  (void)context;
  return fabs(X[0]) > length / 2 - 1e-9;
}

// From x = 0 on. A hinge stands for half a cell to either side, so a clamp that lies between two
// cells must be followed by hardly any cell at all: the first column is drawn up to it.
static StMesh *clamped_mesh(StWorld *world, const Strip *strip) {
  int cells = strip->cells;
  double cell = length / cells, whole = length + cell;
  const double value[] = {whole, strip->across * cell, 0, cells + 1, strip->across, strip->pattern};
  const double shift[] = {whole / 2 - cell, 0, 0};
  StMesh *mesh = st_world_surface(world, "sheet", value, ST_LENGTH(value), shift);
  for (int v = 0; mesh && v < mesh->vertex_count; v++)
    if (mesh->position[3 * v] < -cell / 2)
      mesh->position[3 * v] = -1e-3 * cell;
  return mesh;
}

static StMesh *propped_mesh(StWorld *world, const Strip *strip) {
  const double value[] = {
      length,        strip->across * length / strip->cells, 0, strip->cells, strip->across,
      strip->pattern};
  return st_world_surface(world, "sheet", value, ST_LENGTH(value), (double[3]){0, 0, 0});
}

static void hold(StWorld *world, Support support) {
  if (support == CLAMPED) {
    st_world_add_boundary(world, 0, clamped_end, NULL);
    return;
  }
  // One end may slide, so that nothing but bending carries.
  st_world_add_boundary(world, 0, left_end, NULL);
  StBoundaryDesc *ends = st_world_add_boundary(world, 0, either_end, NULL);
  if (ends)
    ends->axis[0] = ends->axis[1] = false;
}

static StWorld strip_world(const Strip *strip) {
  StWorld world = st_world_begin();
  const StCloth steel = {.young = young, .area_density = density, .bending = plate / 3};
  int material = st_world_add_cloth(&world, &steel);
  StMesh *mesh =
      strip->support == CLAMPED ? clamped_mesh(&world, strip) : propped_mesh(&world, strip);
  st_world_add_body(&world, "strip", mesh, material);
  hold(&world, strip->support);
  // Steps so long that inertia has no say.
  st_world_set_time(&world, "be", 10, 40);
  st_world_set_tolerance(&world, 1e-12);
  if (world.description)
    world.description->gravity[2] = -ST_VERIFY_GRAVITY;
  return world;
}

static StStatus lowest(const Strip *strip, double *sag, StError *error) {
  StWorld world = strip_world(strip);
  ST_FINALLY(st_trial_end) StTrial trial = {0};
  ST_FINALLY(st_snapshot_free) StSnapshot state = {0};
  ST_TRY(st_trial_start(&world, &trial, error));
  ST_TRY(st_trial_run(&trial, 0, error));
  ST_TRY(st_trial_state(&trial, &state, error));
  *sag = 0;
  for (int v = 0; v < state.vertex_count; v++)
    *sag = fmax(*sag, -state.position[3 * v + 2]);
  return ST_OK;
}

// In the uniform pattern bending goes along with twisting, which two propped ends forbid on the
// whole: q L⁴/(1152 k) less.
static double beam_sag(const Strip *strip) {
  double load = 3 * density * ST_VERIFY_GRAVITY * pow(length, 4) / plate;
  if (strip->support == CLAMPED)
    return load / (8 * strip_stiffness);
  return load * (5 / (384 * strip_stiffness) - (strip->pattern == UNIFORM ? 1 / 1152.0 : 0));
}

static const char *describe(const Strip *strip) {
  static const char *const name[2][2] = {{"clamped, alternating", "clamped, uniform"},
                                         {"propped, alternating", "propped, uniform"}};
  return name[strip->support][strip->pattern];
}

// One cell across, where no border disturbs. A clamp keeps the cells next to it from twisting,
// which is felt at first order.
static StStatus refine(StVerify *verify, Strip strip, StError *error) {
  bool first_order = strip.support == CLAMPED && strip.pattern == UNIFORM;
  double expected = beam_sag(&strip), before = NAN, off = NAN;
  for (strip.cells = 4; strip.cells <= 32; strip.cells *= 2) {
    double sag;
    ST_TRY(lowest(&strip, &sag, error));
    before = off;
    off = sag - expected;
    st_verify_compare(verify, "m", expected, sag,
                      strip.cells < 32 ? NAN
                      : first_order    ? 0.01
                                       : 0.002,
                      "%s, %d cells: sag", describe(&strip), strip.cells);
  }
  st_verify_compare(verify, "", first_order ? 1 : 2, log2(before / off), first_order ? NAN : 0.05,
                    "%s: order", describe(&strip));
  return ST_OK;
}

// A quarter as wide as long: held ends also hinder the bending across, which is not in the beam.
static StStatus widen(StVerify *verify, Strip strip, StError *error) {
  for (strip.cells = 16; strip.cells <= 64; strip.cells *= 2) {
    double sag;
    strip.across = strip.cells / 4;
    ST_TRY(lowest(&strip, &sag, error));
    st_verify_compare(verify, "m", beam_sag(&strip), sag, strip.support == PROPPED ? 0.01 : NAN,
                      "%s, %d by %d cells: sag", describe(&strip), strip.cells, strip.across);
  }
  return ST_OK;
}

static StStatus run(StVerify *verify, StError *error) {
  for (Support support = CLAMPED; support <= PROPPED; support++) {
    for (Pattern pattern = ALTERNATING; pattern <= UNIFORM; pattern++)
      ST_TRY(refine(verify, (Strip){support, pattern, 0, 1}, error));
    ST_TRY(widen(verify, (Strip){support, ALTERNATING, 0, 0}, error));
  }
  return ST_OK;
}

const StVerifyCase st_verify_plate = {
    .name = "plate",
    .summary = "A strip of steel under its own weight, clamped or propped: its sag converges at "
               "second order to that of a beam with the stiffness of the mesh.",
    .run = run,
};
