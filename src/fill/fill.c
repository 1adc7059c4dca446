// The steps of filling. Where the new triangles cross, as can happen between thin walls, the
// original ones, which do not cross, stay in a growing neighbourhood.
#include "fill/fill.h"

#include "base/memory.h"
#include "fill/nearest.h"
#include "fill/polish.h"
#include "fill/remesh.h"
#include "fill/tets.h"
#include "fill/thickness.h"
#include "math/vec3.h"
#include "mesh/check.h"
#include "mesh/closed.h"

#include <string.h>

// Fractions of the tolerance: for single changes of the surface, which check a few points only, and
// for all of them together; the rest is for removing flat tets.
static const double SINGLE = 0.55, TOGETHER = 0.8;

enum { ATTEMPTS = 6, MOST_PLACES = 2000 };

static const double REGULAR_TETS = 8.5; // in a cube of their edge's length

// Default edges: along the diagonal of the box around a surface, and through a thin body.
static const double EDGES_ALONG = 20, EDGES_THROUGH = 7.5, BENDING_MOST = 40000;

double st_fill_size(const StMesh *surface) {
  return vec3_extent(surface->position, surface->vertex_count);
}

static double enclosed(const StMesh *surface) {
  return st_surface_volume(surface->position, surface->triangle, surface->triangle_count, NULL);
}

// That bodies bend, as far as the number of tets allows. An element of second order bends alone,
// and has eight parts.
static StStatus find_edge(const StMesh *repaired, StFillWish *wish, StError *error) {
  double usual = st_fill_size(repaired) / EDGES_ALONG, thickness;
  ST_TRY(st_fill_thickness(repaired, &thickness, error));
  double through = wish->order == 2 ? 1 : EDGES_THROUGH, parts = wish->order == 2 ? 8 : 1;
  double cheap = cbrt(REGULAR_TETS * parts * fabs(enclosed(repaired)) / BENDING_MOST);
  wish->edge = fmin(usual, fmax(thickness / through, cheap));
  return ST_OK;
}

// Values that were not given: the edge follows from the repaired surface.
static StStatus complete(const StMesh *repaired, StFillWish *wish, StError *error) {
  if (!(wish->edge > 0))
    ST_TRY(find_edge(repaired, wish, error));
  wish->tolerance = wish->tolerance > 0 ? wish->tolerance : wish->edge / 10;
  return ST_OK;
}

// More tets than this are probably a mistake in the unit.
static StStatus check_count(const StMesh *surface, const StFillWish *wish, StError *error) {
  double volume = fabs(enclosed(surface)),
         tets = REGULAR_TETS * volume / (wish->edge * wish->edge * wish->edge);
  if (tets < 3e7)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "edges of %g m would make some %.1g tets of this surface, which is %g m across; "
                 "is its file in other units? (\"scale\" changes them)",
                 wish->edge, tets, st_fill_size(surface));
}

// Where the new triangles are not acceptable: they cross, or are too far from the original ones.
typedef struct Flaws {
  double (*place)[3]; // [MOST_PLACES]
  int count;          // of all; those beyond MOST_PLACES are not kept
  double deviation;   // largest distance between the surfaces, m
  bool crossing;
} Flaws;

static void add_flaw(Flaws *flaws, const double x[3]) {
  if (flaws->count < MOST_PLACES)
    vec3_copy(x, flaws->place[flaws->count++]);
}

// Corners, middles of edges and the middle of a triangle.
static void sample(const StMesh *mesh, int triangle, double point[7][3]) {
  const int *corner = mesh->triangle + 3 * (size_t)triangle;
  memset(point, 0, 7 * sizeof *point);
  for (int i = 0; i < 3; i++) {
    const double *x = mesh->position + 3 * (size_t)corner[i];
    vec3_copy(x, point[i]);
    vec3_add_scaled(0.5, x, point[3 + i]);
    vec3_add_scaled(0.5, mesh->position + 3 * (size_t)corner[(i + 1) % 3], point[3 + i]);
    vec3_add_scaled(1.0 / 3, x, point[6]);
  }
}

static StStatus compare(const StMesh *from, const StMesh *to, double tolerance, Flaws *flaws,
                        StError *error) {
  ST_FINALLY(st_nearest_free) StNearest nearest = {0};
  double reach = 2 * st_fill_size(from), point[7][3];
  ST_TRY(st_nearest_create(to, &nearest, error));
  for (int t = 0; t < from->triangle_count; t++) {
    sample(from, t, point);
    for (int k = 0; k < 7; k++) {
      double far = st_nearest_find(&nearest, point[k], reach, NULL, NULL);
      flaws->deviation = fmax(flaws->deviation, far);
      if (far > tolerance)
        add_flaw(flaws, point[k]);
    }
  }
  return ST_OK;
}

static StStatus find_flaws(const StMesh *given, const StMesh *made, double tolerance, Flaws *flaws,
                           StError *error) {
  *flaws = (Flaws){.place = flaws->place};
  ST_TRY(st_repair_crossings(made, MOST_PLACES, flaws->place, &flaws->count, error));
  flaws->crossing = flaws->count > 0;
  flaws->count = flaws->count < MOST_PLACES ? flaws->count : MOST_PLACES;
  ST_TRY(compare(made, given, tolerance, flaws, error));
  return compare(given, made, tolerance, flaws, error);
}

// Reduces the tolerance around the flaws; further, and in a wider region, where that did not help.
static int tighten(StBall *ball, int count, const Flaws *flaws, double radius) {
  int before = count;
  ST_FREE bool *again = ST_NEW(bool, MOST_PLACES + 1);
  for (int k = 0; k < flaws->count && again; k++) {
    bool covered = false;
    for (int b = 0; b < count && !covered; b++) {
      double way[3];
      vec3_sub(flaws->place[k], ball[b].middle, way);
      covered = vec3_length(way) < 0.7 * ball[b].radius;
      again[b] |= covered && b < before;
    }
    if (covered || count == MOST_PLACES)
      continue;
    vec3_copy(flaws->place[k], ball[count].middle);
    ball[count].factor = 0.3;
    ball[count++].radius = radius;
  }
  for (int b = 0; b < before && again; b++)
    if (again[b]) {
      ball[b].radius *= 1.5;
      ball[b].factor *= 0.3;
    }
  return count;
}

// The last attempt makes no change that moves the surface, so it cannot cross.
static StStatus resize(const StMesh *surface, double tolerance, StFillReport *report,
                       StMesh **result, StError *error) {
  ST_FREE StBall *ball = ST_NEW(StBall, MOST_PLACES + 1);
  Flaws flaws = {.place = st_new_array(MOST_PLACES, sizeof *flaws.place)};
  StRemeshWish wish = {report->wish.edge, SINGLE * tolerance, 0, ball};
  StStatus status = ball && flaws.place ? ST_OK : st_fail_memory(error);
  *result = NULL;
  for (int attempt = 1; attempt <= ATTEMPTS && status == ST_OK && !*result; attempt++) {
    if (attempt == ATTEMPTS)
      wish.tolerance *= 1e-3;
    report->tight_count = wish.ball_count;
    status = st_remesh(surface, &wish, result, error);
    if (status == ST_OK)
      status = find_flaws(surface, *result, TOGETHER * tolerance, &flaws, error);
    if (status == ST_OK && flaws.count > 0) {
      st_mesh_destroy(*result);
      *result = NULL;
      wish.ball_count = tighten(ball, wish.ball_count, &flaws, 1.5 * wish.edge);
    }
  }
  free(flaws.place);
  report->deviation = flaws.deviation;
  if (status == ST_OK && !*result)
    return st_fail(error, ST_BAD_INPUT, "the surface cannot be given triangles of this size");
  return status;
}

static StStatus tag_labels(const StMesh *surface, StMesh *mesh, StError *error) {
  for (int l = 0; l < surface->label_count; l++) {
    int label = st_mesh_label(mesh, surface->label_name[l]);
    bool *seen = ST_NEW(bool, surface->vertex_count);
    StStatus status = seen && label >= 0 ? ST_OK : st_fail_memory(error);
    for (int i = 0; i < 3 * surface->triangle_count && status == ST_OK; i++) {
      int v = surface->triangle[i];
      if (surface->triangle_label[i / 3] != l || seen[v])
        continue;
      seen[v] = true;
      status = st_mesh_add_tag(mesh, v, label, error);
    }
    free(seen);
    ST_TRY(status);
  }
  return ST_OK;
}

// The tets must fill exactly the volume inside the surface.
static StStatus check_volume(const StMesh *surface, const StMesh *mesh, StError *error) {
  double wanted = enclosed(surface), volume = 0;
  for (int t = 0; t < mesh->tet_count; t++)
    volume += st_tet_volume(mesh->position, mesh->tet + 4 * (size_t)t);
  if (fabs(volume - wanted) <= 1e-6 * wanted)
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "the surface encloses %g m^3, but %s put tets into %g m^3: it may touch itself",
                 wanted, st_tets_maker(), volume);
}

static StStatus fill_within(const StMesh *repaired, const char *name, double tolerance,
                            StMesh **result, StFillReport *report, StError *error) {
  StMesh *surface = NULL, *mesh = NULL;
  double shift = 0;
  StStatus status = resize(repaired, tolerance, report, &surface, error);
  if (status == ST_OK)
    report->volume_loss = 1 - enclosed(surface) / enclosed(repaired);
  if (status == ST_OK)
    status = st_tets_fill(surface, report->wish.edge, &mesh, error);
  if (status == ST_OK)
    status = check_volume(surface, mesh, error);
  if (status == ST_OK)
    status = st_polish(mesh, tolerance - report->deviation, &shift, error);
  report->deviation += shift;
  if (status == ST_OK)
    status = tag_labels(surface, mesh, error);
  if (status == ST_OK)
    status = st_mesh_check(mesh, name, NULL, error); // vertices may have lost their last tet
  st_mesh_destroy(surface);
  if (status == ST_OK)
    *result = mesh;
  else
    st_mesh_destroy(mesh);
  return status;
}

// Walls thinner than the tolerance may end up on each other: then it tries a smaller one.
static StStatus fill_repaired(const StMesh *repaired, const char *name, StMesh **result,
                              StFillReport *report, StError *error) {
  ST_TRY(check_count(repaired, &report->wish, error));
  StStatus status = ST_BAD_INPUT;
  for (double part = 1; part > 0.03 && status == ST_BAD_INPUT; part /= 5)
    status = fill_within(repaired, name, part * report->wish.tolerance, result, report, error);
  return status;
}

StStatus st_fill(const StMesh *surface, const char *name, const StFillWish *wish, const StLog *log,
                 StMesh **result, StFillReport *report, StError *error) {
  *report = (StFillReport){.wish = *wish};
  if (!(wish->hole > 0))
    report->wish.hole = st_fill_size(surface) / 5;
  if (surface->tet_count > 0)
    return st_fail(error, ST_BAD_INPUT, "%s: it already has tets; only surfaces can be filled",
                   name);
  if (!st_tets_maker()) // before any slow work
    return st_tets_fill(surface, 0, result, error);
  ST_FINALLY(st_mesh_destroy_at) StMesh *repaired = NULL;
  ST_TRY(st_repair(surface, name, report->wish.hole, log, &repaired, &report->repair, error));
  ST_TRY(complete(repaired, &report->wish, error));
  StStatus status = fill_repaired(repaired, name, result, report, error);
  return status == ST_OK ? ST_OK : st_error_prefix(error, status, "%s: ", name);
}
