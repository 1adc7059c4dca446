// The steps of the repair in order, and their messages.
#include "fill/repair.h"

#include "base/memory.h"
#include "base/text.h"
#include "judge/crossing.h"

typedef struct Found {
  const StMesh *mesh;
  int count, most;
  double (*place)[3];
} Found;

static void note_crossing(void *context, const int edge[2], const int triangle[3], bool second) {
  Found *found = context;
  (void)triangle, (void)second;
  if (found->count < found->most)
    for (int c = 0; c < 3; c++)
      found->place[found->count][c] =
          (found->mesh->position[3 * edge[0] + c] + found->mesh->position[3 * edge[1] + c]) / 2;
  found->count++;
}

static StStatus fail_crossings(const Found *found, StError *error) {
  ST_FINALLY(st_text_free) StText text = {0};
  int shown = found->count < 5 ? found->count : 5;
  for (int k = 0; k < shown; k++)
    st_text_add(&text, "%s(%g, %g, %g)", k ? ", " : "", found->place[k][0], found->place[k][1],
                found->place[k][2]);
  return text.failed ? st_fail_memory(error)
                     : st_fail(error, ST_BAD_INPUT,
                               "the surface crosses itself: %d %s through a triangle, at %s%s",
                               found->count, found->count == 1 ? "edge passes" : "edges pass",
                               text.data, shown < found->count ? ", …" : "");
}

StStatus st_repair_crossings(const StMesh *surface, int most, double (*place)[3], int *count,
                             StError *error) {
  double own[5][3];
  Found found = {surface, 0, place ? most : ST_LENGTH(own), place ? place : own};
  StHull hull;
  ST_TRY(st_hull_create(surface, 0, &hull, error));
  st_box_tree_fit(&hull.tree, surface->position);
  const StSheet sheet = {&hull, surface->position};
  const StCrossings visit = {note_crossing, &found};
  st_crossings_within(&sheet, &visit);
  st_hull_free(&hull);
  if (count)
    *count = found.count;
  return place || found.count == 0 ? ST_OK : fail_crossings(&found, error);
}

static void report_count(const StLog *log, const char *name, int count, const char *one,
                         const char *many) {
  if (count > 0)
    st_log(log, ST_INFO, "%s: %d %s", name, count, count == 1 ? one : many);
}

static void report(const StLog *log, const char *name, const StRepair *repair) {
  report_count(log, name, repair->joined, "vertex joined to another at the same place",
               "vertices joined to others at the same places");
  report_count(log, name, repair->empty, "triangle without area left out",
               "triangles without area left out");
  report_count(log, name, repair->repeated, "triangle left out that was there twice",
               "triangles left out that were there twice");
  report_count(log, name, repair->loose, "triangle left out where two holes meet",
               "triangles left out where two holes meet");
  report_count(log, name, repair->parted, "vertex doubled where two parts touch in a single point",
               "vertices doubled where parts touch in single points");
  report_count(log, name, repair->turned, "triangle turned to face outward",
               "triangles turned to face outward");
  report_count(log, name, repair->cavities, "part inside another one taken for a cavity",
               "parts inside others taken for cavities");
  const double *y = repair->crossing_place[0];
  if (repair->crossings > 0)
    st_log(log, ST_INFO,
           "%s: %d %s through a triangle, the first at (%g, %g, %g): cut out and closed again",
           name, repair->crossings, repair->crossings == 1 ? "edge passed" : "edges passed", y[0],
           y[1], y[2]);
  const double *x = repair->hole_middle;
  if (repair->holes > 0)
    st_log(log, ST_INFO, "%s: %d %s closed, the widest %.3g m across at (%g, %g, %g)", name,
           repair->holes, repair->holes == 1 ? "hole" : "holes", repair->widest_hole, x[0], x[1],
           x[2]);
}

StStatus st_repair(const StMesh *surface, const char *name, double width, const StLog *log,
                   StMesh **result, StRepair *repair, StError *error) {
  *repair = (StRepair){0};
  if (surface->triangle_count == 0)
    return st_fail(error, ST_BAD_INPUT, "%s: there are no triangles", name);
  StMesh *mesh = NULL;
  StStatus status = st_repair_weld(surface, &mesh, repair, error);
  if (status == ST_OK)
    status = st_repair_turn(mesh, repair, error);
  if (status == ST_OK)
    status = st_repair_loosen(mesh, repair, error);
  if (status == ST_OK)
    status = st_repair_holes(&mesh, width, repair, error);
  if (status == ST_OK)
    status = st_repair_part(&mesh, repair, error);
  if (status == ST_OK)
    status = st_repair_cut(&mesh, width, repair, error);
  if (status == ST_OK)
    status = st_repair_part(&mesh, repair, error);
  if (status == ST_OK && repair->parted > 0) // moved, if only slightly
    status = st_repair_crossings(mesh, 0, NULL, NULL, error);
  if (status == ST_OK)
    status = st_repair_face(mesh, repair, error);
  if (status != ST_OK) {
    st_mesh_destroy(mesh);
    return st_error_prefix(error, status, "%s: ", name);
  }
  report(log, name, repair);
  *result = mesh;
  return ST_OK;
}
