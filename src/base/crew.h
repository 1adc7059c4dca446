// Threads that share the work of one caller. Work is divided into parts by its size alone, never by
// the number of threads, and one thread does a part from start to end: results have the same bits
// for any number of threads. Threads run only while the caller waits.
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { ST_CREW_MOST = 256 }; // threads

typedef struct StCrew StCrew;

// threads: including the caller; with 1, *crew is NULL, which all functions accept.
StStatus st_crew_create(int threads, StCrew **crew, StError *error);
void st_crew_destroy(StCrew *crew);

int st_crew_size(const StCrew *crew);

int st_crew_processors(void); // that this process may use

// Default number of threads: OMP_NUM_THREADS from the environment, or all processors.
int st_crew_default_size(void);

// Runs parts 0 … count-1, each once, in any order. worker: 0 … size-1, to choose scratch memory.
// Must not be called from within a part.
typedef void (*StCrewWork)(void *context, int part, int worker);
void st_crew_do(StCrew *crew, int count, StCrewWork work, void *context);

// Processes a range in parts of `grain`.
typedef void (*StCrewSweep)(void *context, int begin, int end);
void st_crew_sweep(StCrew *crew, int begin, int end, int grain, StCrewSweep work, void *context);

// A range divided into parts of `grain`: how many, and part number `part`.
typedef struct StSpan {
  int begin, end;
} StSpan;

static inline int st_span_count(int size, int grain) {
  return (size + grain - 1) / grain;
}

static inline StSpan st_span_part(int size, int grain, int part) {
  StSpan span = {part * grain, 0};
  span.end = size - span.begin < grain ? size : span.begin + grain;
  return span;
}

// A grain that gives at most `most` parts, none smaller than `least`.
static inline int st_span_grain(int size, int least, int most) {
  int grain = (int)(((size_t)size + (size_t)most - 1) / (size_t)most);
  return grain > least ? grain : least;
}
