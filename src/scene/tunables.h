// Tunables of defaults and warnings. Rows: name, value, unit, meaning, reason (base/tunables.h).
#pragma once

#include "base/tunables.h"

#define ST_SCENE_TUNABLES(T)                                                                        \
  T(slender_ratio, 4, "length over thickness",                                                      \
    "bodies above it are warned of when they are too stiff in bending",                             \
    "derived: bending makes up 95 % of the deflection of a cantilever of this ratio; the rest is "  \
    "shear")                                                                                        \
  T(bending_cells, 1, "cells squared",                                                              \
    "a slender body with n cells through it bends by n²/(n² + this + bending_aspect a²) of the " \
    "right amount",                                                                                 \
    "fitted to cantilevers of ν = 0.3 with 1 to 9 cells: cubes cut in five bend up to 0.05 more, " \
    "plates filled by Gmsh up to 0.07 less")                                                        \
  T(bending_aspect, 1.3, "cells squared", "the same for cells that are a times as long as high",    \
    "fitted likewise, a from 1 to 8")                                                               \
  T(bending_warned, 0.84, "of the right amount", "a warning is given below",                        \
    "chosen: between three cubes (80 %) and four (87 %)")                                           \
  T(bending_filled, 0.8, "of the box",                                                              \
    "bars and plates fill this part of the box with their second moments; others are not judged",   \
    "derived: boxes 1, rods 1.05, rings a half")                                                    \
  T(bending_held, 1.0 / 3, "of the vertices", "a body held along so much of itself does not bend",  \
    "derived: with up to two cells a whole side has at least a third of all vertices")              \
  T(bending_sag, 0.01, "of the length",                                                             \
    "a free body that sags less on two supports is stiff: its bending hardly shows", "chosen")      \
  T(poisson_warned, 0.45, "", "a warning of locking tets is given above",                           \
    "measured: a cantilever with two cells bends by 5 % less than at 0.3, by 10 % at 0.49")         \
  T(quality_warned, 0.01, "", "a warning of slivers is given below",                                \
    "derived: a tet of quality q is inverted where the strain of its neighbours differs by q; "     \
    "soft bodies are strained by a hundredth as a rule")                                            \
  T(facet_deviation, 0.25, "of the default thickness",                                              \
    "how far facets of round rigid bodies may be from the circle",                                  \
    "fitted: a ball rolls down 12 degrees with 0.99 of the right acceleration, with 0.98 at a "     \
    "half")                                                                                         \
  T(friction_sticking, 1e-4, "of the scene's speed", "default sticking speed", "chosen")            \
  T(friction_stribeck, 10, "of the sticking speed", "default Stribeck speed", "chosen")             \
  T(smooth_thickness, 1e-3, "of the smaller body", "default thickness of smooth contact",           \
    "chosen: small enough for the gap not to be seen")                                              \
  T(smooth_sheet_thickness, 2.5e-3, "of the smaller body", "the same for cloth",                    \
    "chosen: cloth moves fast for its weight, and would pass a thinner layer in a step")            \
  T(smooth_stiffness, 1e-4, "of Young's modulus",                                                   \
    "default stiffness of smooth contact from the material", "chosen")                              \
  T(tie_stiffness, 10, "of the body's stiffness",                                                   \
    "default stiffness of bearings and of joints that tie",                                         \
    "chosen: a tie yields by a tenth of what the body does, and is no harder to solve")             \
  T(tie_rigid, 1e-3, "of a rigid body's stiffness",                                                 \
    "stiffness that ties of rigid bodies start from",                                               \
    "chosen: ties need not be as stiff as the body")                                                \
  T(default_density, 1000, "kg/m^3", "density of materials that have none", "that of water")        \
  T(default_residual, 1e-6, "of the scene's speed", "default velocity tolerance", "chosen")         \
  T(default_change, 1e-5, "of the scene's speed", "default tolerance on changes", "chosen")         \
  T(tolerance_sticking, 0.01, "of the sticking speed", "the velocity tolerance is no larger",       \
    "derived: an inaccurate speed makes friction by velocity as inaccurate: 1 %")                   \
  T(clearance_reach, 2, "of the thickness", "gaps up to this count as clearance",                   \
    "derived: with less on both sides together the thickness would fill it")                        \
  T(thickness_size, 1e-3, "of the smaller body's size", "default thickness of contact",             \
    "chosen: the gap is hardly visible")                                                            \
  T(thickness_give, 1.0 / 3, "of how far the softer body gives under its weight",                   \
    "thickness where that is more than thickness_size",                                             \
    "derived: a cube rests as far above the floor as its weight shortens it")                       \
  T(thickness_wall, 0.02, "of a body's wall", "limit of the thickness",                             \
    "chosen: piles of plates have many gaps")                                                       \
  T(thickness_edge, 0.25, "of the median edge", "limit of the thickness",                           \
    "chosen: contact must not reach past the neighbours of a feature")                              \
  T(thickness_way, 0.02, "of how far prescribed motion squeezes", "limit of the thickness",         \
    "derived: half the thickness then changes the force by 1 % (Hertz 1.5 %)")                      \
  T(thickness_play, 0.5, "of the clearance", "limit of the thickness",                              \
    "derived: a body that touches one side is then free of the other")                              \
  T(rest_gap_stiff, 0.8, "of the thickness",                                                        \
    "gap at which default stiffness carries the load, instead of stiffness_gap, for bodies that "   \
    "give less than that themselves",                                                               \
    "fitted: joints of arches may not give more than the stones; a wider gap makes the barrier "    \
    "hard to solve")                                                                                \
  T(sheet_layers, 10, "weights per area", "load that contact of a sheet carries",                   \
    "chosen: several times the weight where it hangs over an edge")                                 \
  T(standing_vertices, 3, "vertices", "a body that does not flatten rests on so few",               \
    "derived: three points hold a body")                                                            \
  T(squeeze_hertz, 0.75, "E w/c", "pressure in the middle of a dent w with the half-width c",       \
    "derived: 2/π E*/E is 0.70 to 0.80 for Poisson's ratios from 0.3 to 0.45")                      \
  T(squeeze_opposite, 0.5, "-cosine",                                                               \
    "two parts on sides whose directions enclose more squeeze what is between them",                \
    "chosen: 60 degrees")

typedef struct StSceneTunables {
  ST_SCENE_TUNABLES(ST_TUNABLE_FIELD)
} StSceneTunables;

extern StSceneTunables st_scene_tunables; // in force
extern const StTunableTable st_scene_tunable_table;
