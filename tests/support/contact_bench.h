// Contacts of a whole description on one rank, with a state and a set to evaluate them in.
#ifndef TESTS_SUPPORT_CONTACT_BENCH_H
#define TESTS_SUPPORT_CONTACT_BENCH_H

#include "base/memory.h"
#include "contact/core/contacts.h"
#include "model/partition.h"

#include <stdlib.h>
#include <string.h>

typedef struct ContactBench {
  StDescription *description;
  StPiece *piece;
  StContacts *contacts;
  StContactState *state;
  StContactSet *set;
  int numbers;                 // 3 × vertices
  double *position, *velocity; // [vertex_count][3] at first as at rest
} ContactBench;

static inline void contact_bench_must(bool good) {
  if (!good)
    abort();
}

// Owns the description from now on.
static inline ContactBench contact_bench_open(StDescription *description) {
  ContactBench bench = {.description = description};
  contact_bench_must(st_piece_create_whole(description, &bench.piece, NULL) == ST_OK);
  contact_bench_must(st_contacts_create(description, bench.piece, &bench.contacts, NULL) == ST_OK);
  contact_bench_must(st_contact_state_create(bench.contacts, &bench.state, NULL) == ST_OK);
  contact_bench_must(st_contact_set_create(bench.contacts, &bench.set, NULL) == ST_OK);
  bench.numbers = 3 * bench.piece->vertex_count;
  bench.position = ST_NEW(double, bench.numbers);
  bench.velocity = ST_NEW(double, bench.numbers);
  contact_bench_must(bench.position && bench.velocity);
  memcpy(bench.position, bench.piece->rest, (size_t)bench.numbers * sizeof(double));
  return bench;
}

static inline void contact_bench_close(ContactBench *bench) {
  st_contact_set_destroy(bench->set);
  st_contact_state_destroy(bench->state);
  st_contacts_destroy(bench->contacts);
  st_piece_destroy(bench->piece);
  st_description_destroy(bench->description);
  free(bench->position);
  free(bench->velocity);
}

#endif
