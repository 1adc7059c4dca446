// The most memory the process has held, counted anew for each case: cases run one after the other
// in one process, and a small one must not be charged with a large one before it.
#ifndef EXPERIMENTS_PEAK_MEMORY_H
#define EXPERIMENTS_PEAK_MEMORY_H

// Where the system does not allow it, peaks stay those of the whole process.
void peak_memory_reset(void);

#endif
