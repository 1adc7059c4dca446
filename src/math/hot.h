// Marks the few functions in which most of the time goes. A build for any machine has them for
// several kinds of processors, and the one that fits is chosen when the program starts.
#ifndef ST_MATH_HOT_H
#define ST_MATH_HOT_H

// What they call is compiled into them: else it would stay as slow as everywhere, and batches of
// numbers (math/lanes.h) could not be passed to it, since how that is done depends on the
// processor. They are static: gcc would show others outside of a shared library.
#ifdef ST_HOT_CLONES
#define ST_HOT                                                                                     \
  __attribute__((flatten, target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define ST_HOT
#endif

#endif
