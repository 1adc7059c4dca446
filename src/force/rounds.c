// Each chunk gets the first round in which none of its vertices is used yet.
#include "force/rounds.h"

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { LEAST_CHUNK = 64, MOST_CHUNKS = 256 }; // batches
enum { ROUND_BITS = 64 };
// Number of batches below which one thread is faster (measured: 2 µs to wake and wait, per round).
static const int SMALL[] = {[ST_LIGHT] = 512, [ST_HEAVY] = 128};

static int cut_chunks(const StBatches *batches, int grain, StChunk *chunk) {
  int count = 0;
  for (int b = 0; b < batches->count; b++) {
    int group = batches->group(batches->set, b);
    bool full = count > 0 && chunk[count - 1].end - chunk[count - 1].first == grain;
    if (count == 0 || full || chunk[count - 1].group != group)
      chunk[count++] = (StChunk){group, b, b};
    chunk[count - 1].end = b + 1;
  }
  return count;
}

// Rounds in which some vertex of a chunk is used, as bits.
static uint64_t taken_rounds(const StBatches *batches, const StChunk *chunk,
                             const uint64_t *taken) {
  uint64_t rounds = 0;
  for (int b = chunk->first; b < chunk->end; b++) {
    int count;
    const int *vertex = batches->vertices(batches->set, b, &count);
    for (int i = 0; i < count; i++)
      rounds |= taken[vertex[i]];
  }
  return rounds;
}

static void take_round(const StBatches *batches, const StChunk *chunk, int round, uint64_t *taken) {
  for (int b = chunk->first; b < chunk->end; b++) {
    int count;
    const int *vertex = batches->vertices(batches->set, b, &count);
    for (int i = 0; i < count; i++)
      taken[vertex[i]] |= (uint64_t)1 << round;
  }
}

// round: [chunk_count]; returns the number of rounds. If all are taken, new ones start.
static int find_rounds(const StBatches *batches, const StChunk *chunk, int chunk_count,
                       uint64_t *taken, int *round) {
  int base = 0, count = 0;
  for (int c = 0; c < chunk_count; c++) {
    uint64_t free_rounds = ~taken_rounds(batches, &chunk[c], taken);
    if (free_rounds == 0) {
      memset(taken, 0, (size_t)batches->vertex_count * sizeof *taken);
      base = count;
      free_rounds = ~(uint64_t)0;
    }
    int bit = __builtin_ctzll(free_rounds);
    take_round(batches, &chunk[c], bit, taken);
    round[c] = base + bit;
    count = round[c] >= count ? round[c] + 1 : count;
  }
  return count;
}

static void sort_chunks(const StChunk *chunk, const int *round, StRounds *rounds) {
  int *start = rounds->start;
  for (int c = 0; c < rounds->chunk_count; c++)
    start[round[c] + 1]++;
  for (int r = 0; r < rounds->round_count; r++)
    start[r + 1] += start[r];
  for (int c = 0; c < rounds->chunk_count; c++)
    rounds->chunk[start[round[c]]++] = chunk[c];
  memmove(start + 1, start, (size_t)rounds->round_count * sizeof(int));
  start[0] = 0;
}

StStatus st_rounds_create(const StBatches *batches, StCrew *crew, StRounds *rounds,
                          StError *error) {
  size_t most = (size_t)batches->count;
  int grain = st_span_grain(batches->count, LEAST_CHUNK, MOST_CHUNKS), *round = ST_NEW(int, most);
  ST_FREE StChunk *chunk = ST_NEW(StChunk, most);
  ST_FREE uint64_t *taken = ST_NEW(uint64_t, batches->vertex_count);
  *rounds = (StRounds){.crew = crew,
                       .batch_count = batches->count,
                       .chunk = ST_NEW(StChunk, most),
                       .start = ST_NEW(int, most + 1)};
  bool good = round && chunk && taken && rounds->chunk && rounds->start;
  if (good) {
    rounds->chunk_count = cut_chunks(batches, grain, chunk);
    rounds->round_count = find_rounds(batches, chunk, rounds->chunk_count, taken, round);
    sort_chunks(chunk, round, rounds);
  }
  free(round);
  if (!good)
    st_rounds_free(rounds);
  return good ? ST_OK : st_fail_memory(error);
}

void st_rounds_free(StRounds *rounds) {
  free(rounds->chunk);
  free(rounds->start);
  *rounds = (StRounds){0};
}

typedef struct Round {
  const StChunk *chunk;
  int groups;
  StChunkWork work;
  void *context;
} Round;

static void do_chunk(void *context, int part, int worker) {
  (void)worker;
  const Round *round = context;
  if (round->chunk[part].group < round->groups)
    round->work(round->context, &round->chunk[part]);
}

void st_rounds_do(const StRounds *rounds, int groups, StEffort effort, StChunkWork work,
                  void *context) {
  StCrew *crew = rounds->batch_count < SMALL[effort] ? NULL : rounds->crew;
  for (int r = 0; r < rounds->round_count; r++) {
    int first = rounds->start[r];
    Round round = {rounds->chunk + first, groups, work, context};
    st_crew_do(crew, rounds->start[r + 1] - first, do_chunk, &round);
  }
}

void st_first_failed_note(StFirstFailed *failed, int number) {
  int before = atomic_load(failed);
  while (number < before && !atomic_compare_exchange_weak(failed, &before, number))
    ;
}
