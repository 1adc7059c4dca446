// Tets that stand on their tips: the smallest bodies of which a single vertex touches something.
// For experiments on one contact, or on a row of contacts that know nothing of each other.
#ifndef EXPERIMENTS_TIPS_H
#define EXPERIMENTS_TIPS_H

#include <stiction/build.h>

#define TIPS_SIZE 1.0 // m: height, and from tet to tet along y
#define TIPS_VOLUME (TIPS_SIZE * TIPS_SIZE * TIPS_SIZE / 24) // m³, of one

double tips_area(void); // m², of the surface that a tip stands for: a third of each side beside it

// For scenes of a single contact: so many that every process has some, up to 64 processes.
enum { TIPS_FEW = 16 };

// A body "tips" of `count` tets, the tip of tet i being vertex 4 i at (0, i, 0) m.
StictionPart *tips_add(StictionBuild *build, int count, const char *material);

#endif
