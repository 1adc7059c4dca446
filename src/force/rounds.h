// How threads share a loop over batches of elements that add into vertices or blocks. Batches are
// grouped into chunks, and chunks into rounds: the chunks of a round share no vertex. The rounds
// depend on the elements alone, so every sum has its terms in the same order for any number of
// threads.
#pragma once

#include "base/crew.h"

#include <limits.h>
#include <stdatomic.h>

typedef struct StChunk {
  int group; // group of its batches
  int first, end;
} StChunk;

typedef struct StRounds {
  StCrew *crew;
  int chunk_count;
  StChunk *chunk; // round by round
  int round_count;
  int *start;      // [round_count + 1]
  int batch_count; // of all chunks
} StRounds;

// Batches of a set and their vertices.
typedef struct StBatches {
  const void *set;
  int count;
  int vertex_count;                                               // numbers are below it
  const int *(*vertices)(const void *set, int batch, int *count); // [count]
  int (*group)(const void *set, int batch);                       // ascending
} StBatches;

StStatus st_rounds_create(const StBatches *batches, StCrew *crew, StRounds *rounds, StError *error);
void st_rounds_free(StRounds *rounds);

// The lowest failing number, whichever thread finds it first.
typedef atomic_int StFirstFailed;
enum { ST_NONE_FAILED = INT_MAX };
void st_first_failed_note(StFirstFailed *failed, int number);

// Small work is not shared: waking threads would take longer.
typedef enum StEffort { ST_LIGHT, ST_HEAVY } StEffort;

// Runs all chunks of groups below `groups`, round by round.
typedef void (*StChunkWork)(void *context, const StChunk *chunk);
void st_rounds_do(const StRounds *rounds, int groups, StEffort effort, StChunkWork work,
                  void *context);
