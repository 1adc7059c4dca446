// From a surface that need not be fit for filling (open, crossing itself, with edges of three
// triangles, or simply very fine) to a mesh with a cage: a lattice of tets around it.
#pragma once

#include "fill/repair.h"
#include "mesh/cage.h"

typedef struct StCageReport {
  double edge;     // longest side of the lattice's cells, m
  int cells[3];    // of the lattice along the axes
  StRepair repair; // of the surface: joined, repeated, empty, turned
  int open;        // edges of the surface with one triangle, …
  int crowded;     // … and with more than two
  int crossings;   // edges that pass through triangles
  double turns;    // most that the surface winds about a sample
  double volume;   // m³ of the body
  bool exact;      // that is the volume that the surface encloses
  bool whole;      // the surface encloses nothing: its cells are filled through
} StCageReport;

// edge: the longest that sides of cells may be, m; 0: a twentieth of the surface's size. The
// lattice fits the box around the surface. Cells are kept that the surface passes through or
// encloses. The mesh has the surface's vertices, then those of the tets. Vertices of the surface at
// the same place become one; its labels stay. What is odd about the surface is told to the log.
StStatus st_cage(const StMesh *surface, const char *name, double edge, const StLog *log,
                 StMesh **result, StCageReport *report, StError *error);

// For st_cage alone. lattice: all its tets; cut[t]: the surface passes through tet t. The first
// fills volume[t][4] by samples, all zero for tets outside; the second corrects it and completes
// the report.
StStatus st_cage_sample(const StMesh *surface, const StMesh *lattice, const bool *cut,
                        double *volume, StCageReport *report, StError *error);
void st_cage_correct(const StMesh *surface, const StMesh *lattice, const bool *cut, double *volume,
                     StCageReport *report);
