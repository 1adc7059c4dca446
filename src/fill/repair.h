// Repairs a surface from a file to a closed one: merges vertices at the same place, drops duplicate
// triangles and those without area, orients all counter-clockwise seen from outside, and closes
// small holes. Defects without an obvious repair are reported with their places.
#pragma once

#include "mesh/mesh.h"

typedef struct StRepair {
  int joined;                  // vertices that became one with another
  int repeated;                // triangles left out because another has the same corners
  int empty;                   // triangles left out because two corners are one vertex
  int loose;                   // triangles left out where two holes met
  int parted;                  // vertices doubled because parts touched there in a single point
  int turned;                  // triangles turned round
  int holes;                   // closed
  double widest_hole;          // m
  double hole_middle[3];       // of the widest one
  int crossings;               // edges that passed through triangles, cut out and closed again
  double crossing_place[1][3]; // of the first
  int cavities;                // parts of the surface that lie inside another one
} StRepair;

// width: holes up to this wide are closed, m. *result is a closed surface: every edge has two
// triangles, outer parts face outward, cavities inward. Repairs are logged, under the name.
StStatus st_repair(const StMesh *surface, const char *name, double width, const StLog *log,
                   StMesh **result, StRepair *repair, StError *error);

// ST_BAD_INPUT if the surface crosses itself; the message says where. If place is given, it gets up
// to `most` places, with *count, and crossings are not an error.
StStatus st_repair_crossings(const StMesh *surface, int most, double (*place)[3], int *count,
                             StError *error);

// The steps of st_repair, in their order.
StStatus st_repair_weld(const StMesh *surface, StMesh **result, StRepair *repair, StError *error);
StStatus st_repair_turn(StMesh *surface, StRepair *repair, StError *error);
StStatus st_repair_loosen(StMesh *surface, StRepair *repair, StError *error);
StStatus st_repair_holes(StMesh **surface, double width, StRepair *repair, StError *error);
StStatus st_repair_part(StMesh **surface, StRepair *repair, StError *error);
StStatus st_repair_cut(StMesh **surface, double width, StRepair *repair, StError *error);
StStatus st_repair_face(StMesh *surface, StRepair *repair, StError *error);
