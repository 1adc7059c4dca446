// Tunables of contact. Rows: name, value, unit, meaning, reason (base/tunables.h).
#pragma once

#include "base/tunables.h"

#define ST_CONTACT_TUNABLES(T)                                                                     \
  T(overlap_allowed, 0.05, "of the smaller body", "overlaps up to this are corrected",             \
    "chosen: more is a mistake in the scene")                                                      \
  T(overlap_same_way, 0.7, "cosine", "normals that lead out in the same direction",                \
    "chosen: 45 degrees")                                                                          \
  T(overlap_opposed, 0.1, "cosine", "normals of two sides are opposed", "chosen")                  \
  T(separation_upper, 0.1, "cosine", "a spot with more has an upper and a lower side", "chosen")   \
  T(overlap_along, 0.05, "cosine",                                                                 \
    "a direction that encloses less with a surface lies along it, and a spot whose normal "        \
    "encloses less with the vertical has no upper side",                                           \
    "chosen: 87 degrees")                                                                          \
  T(overlap_across, 0.3, "cosine",                                                                 \
    "a rim, or the normal of a sheet, that encloses more with a normal says on which side of a "   \
    "sheet something lies",                                                                        \
    "chosen: 73 degrees")                                                                          \
  T(separation_deepest, 2, "of overlap_allowed", "overlaps are searched down to this", "chosen")   \
  T(separation_enough, 1e-3, "of the target", "shortfalls below this do not matter", "chosen")     \
  T(separation_work, 1e7, "spots times sweeps",                                                    \
    "limit of the search for a place without overlaps", "chosen: some seconds")                    \
  T(same_direction, 0.9, "cosine",                                                                 \
    "faces and contacts whose normals enclose less look the same way, and those whose normals "    \
    "enclose more than the opposite angle look against each other",                                \
    "chosen: 25 degrees")                                                                          \
  T(lists_strays, 0.5, "of all skins",                                                             \
    "lists of near pairs are renewed as a whole when more have left their boxes",                  \
    "fitted for speed")                                                                            \
  T(lists_growth, 0.5, "of the lists", "lists may grow by this through searches for single skins", \
    "fitted for speed")                                                                            \
  T(lists_per_feature, 200, "pairs", "a path that makes longer lists is shortened",                \
    "fitted for speed")                                                                            \
  T(patch_slack, 0.25, "of a patch's mean extent",                                                 \
    "how far vertices may leave their patch before a new plan of exchange is made",                \
    "fitted for speed: new plans are rare, and little more is sent")                               \
  T(patch_triangles, 32, "triangles", "size of a patch",                                           \
    "fitted for speed: fewer mean more boxes, more mean boxes that reach farther than their "      \
    "contents")                                                                                    \
  T(lists_slack, 1, "of the activation distance",                                                  \
    "lists of near pairs remain valid for motions of this beyond those requested",                 \
    "fitted for speed")                                                                            \
  T(advance_kept, 0.1, "of the gap", "a path may close a gap to this",                             \
    "chosen: the barrier must stay finite")                                                        \
  T(advance_close, 0.02, "of what must remain", "an advance ends when the gap is so near",         \
    "chosen")                                                                                      \
  T(advance_deep, 0.3, "of the activation distance",                                               \
    "in gaps below it a path may use up no more than advance_half", "fitted")                      \
  T(advance_half, 0.5, "of the gap", "part that a path may use up of a gap below advance_deep",    \
    "fitted")                                                                                      \
  T(sweep_angle, 0.25, "rad", "rotation per part of a sweep",                                      \
    "derived: chords are within 0.8 % of the radius of the arcs")                                  \
  T(sweep_steep, 0.5, "sine", "edges of 60 degrees and more can be gone around in a step",         \
    "derived: sin 30 degrees")                                                                     \
  T(anchor_stiffness, 0.3, "of the normal stiffness", "tangential stiffness of anchors",           \
    "fitted: softer anchors let contacts swing, stiffer ones slow Newton's method")                \
  T(flush_cosine, 0.99996, "cosine", "faces at a smaller angle lie in one plane",                  \
    "fitted: 0.5 degrees; with 1.8 a house of cards took 7 % more iterations")                     \
  T(flush_spread, 0.1, "of the reach",                                                             \
    "planes farther away than the nearest by more have no share", "chosen")                        \
  T(flat_reach, 0.25, "of the thickness",                                                          \
    "edges and points of flat faces that others stand for press only below",                       \
    "fitted: where something gets between points")                                                 \
  T(rest_touching, 0.5, "of the rest distance", "closer parts of one body at rest touch",          \
    "chosen")                                                                                      \
  T(rest_least, 1e-3, "of the activation distance", "least distance that parts of one body keep",  \
    "chosen")                                                                                      \
  T(sharp_angle, M_PI / 9, "rad", "edges from this on are sharp", "chosen: 20 degrees")            \
  T(prism_deviation, 0.1, "of the activation distance",                                            \
    "edges of the prism around a cylinder stand out by no more",                                   \
    "fitted: with a fifth of it a cloth on a turning roller took twice as long for the same "      \
    "forces within 0.1 %")                                                                         \
  T(anchor_same_surface, 0.5, "cosine",                                                            \
    "contacts of one point whose normals enclose less share an anchor", "chosen: 60 degrees")      \
  T(anchor_no_corner, 0.17, "cosine",                                                              \
    "they also do within this if the features they touch are adjacent", "chosen: 80 degrees")      \
  T(smooth_bridge, 1.5, "of the radius", "triangles within it may connect parts of a surface",     \
    "chosen")                                                                                      \
  T(ease_widest, 1e4, "of the sticking speed",                                                     \
    "first sticking speed when friction by velocity is eased", "fitted")                           \
  T(ease_narrowing, 0.3, "", "from one sticking speed to the next", "fitted")                      \
  T(start_sideways, 0.3, "of the stiffness across surfaces",                                       \
    "stiffness along surfaces when bodies are put into equilibrium", "chosen")                     \
  T(stiffness_gap, 0.5, "of the thickness",                                                        \
    "gap at which contact is to carry its load, or has stopped what meets",                        \
    "derived: two such gaps keep the bodies on both sides of a sheet a thickness apart")           \
  T(stiffness_loose, 0.9, "of the thickness", "contacts at a larger gap carry no load",            \
    "derived: they store less than 1 % of what they do at half the thickness")                     \
  T(stiffness_step, 2, "",                                                                         \
    "a factor falls and follows a load by so much per step and per neighbour; no smaller changes " \
    "are made within a step",                                                                      \
    "derived: it moves gaps by about 0.1 of the thickness")                                        \
  T(stiffness_close, 0.02, "of the thickness", "new contacts that come closer are rescued",        \
    "fitted")                                                                                      \
  T(stiffness_most, 1000, "",                                                                      \
    "largest factor of sheets at rest, and largest change of a new contact's in one step",         \
    "fitted: where motion and not load keeps a gap small, no stiffness opens it")                  \
  T(stiffness_closing, 0.8, "of the last gap", "sheets are at rest if their gap is at least this", \
    "fitted: with 0.98 a folding cloth gains twice the energy")                                    \
  T(stiffness_opening, 1.02, "of the last gap", "sheets are at rest if their gap is at most this", \
    "fitted")

typedef struct StContactTunables {
  ST_CONTACT_TUNABLES(ST_TUNABLE_FIELD)
} StContactTunables;

extern StContactTunables st_contact_tunables; // in force
extern const StTunableTable st_contact_tunable_table;
