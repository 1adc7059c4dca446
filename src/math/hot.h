// Marks the few functions that take most of the time. A portable build compiles them for several
// kinds of processors and chooses the right one at start.
#pragma once

// Functions they call are inlined: otherwise those would stay slow, and batches of numbers
// (math/lanes.h) could not be passed to them, since the calling convention depends on the
// processor. They are static, because gcc would export others from a shared library.
#ifdef ST_HOT_CLONES
#define ST_HOT                                                                                     \
  __attribute__((flatten, target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define ST_HOT
#endif
