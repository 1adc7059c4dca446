// Forces of contacts: summed up in the order of contacts at every vertex, whatever the number of
// threads and however many places a contact has.
#include "base/memory.h"
#include "contact/core/contacts.h"
#include "force/contact_loop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

// Some places belong to a rigid obstacle. The widest contact widens the work space; either way the
// contacts do not fit into it at once.
enum { VERTICES = 50, RIGID = 4, FEW = 700, MANY = 9000, WIDEST = 2500 };

typedef struct Bench {
  StPiece piece;
  StContacts contacts;
  StContactSet set;
} Bench;

static int count_of(int t) {
  return t == FEW ? WIDEST : t % 11 == 0 ? 5 + t % 60 : 1 + t % 4;
}

static void bench_open(Bench *b, int touches) {
  *b = (Bench){.piece = {.vertex_count = VERTICES}};
  b->contacts.piece = &b->piece;
  b->set.contacts = &b->contacts;
  assert_int_equal(st_contact_scratch_create(&b->set.work, NULL), ST_OK);
  StContactArray *list = &b->set.now;
  list->contact = ST_NEW(StContact, touches);
  for (; list->count < touches; list->count++) {
    int t = list->count, count = count_of(t);
    list->contact[t] = (StContact){.count = count, .first = list->used, .owned = t % 7 != 3};
    list->used += (size_t)count;
    assert_true(st_contact_scratch_reserve(b->set.work, count));
  }
  assert_true(st_contact_scratch_reserve_forces(b->set.work, list->used));
  list->vertex = ST_NEW(int, list->used);
  for (size_t i = 0; i < list->used; i++)
    list->vertex[i] = (int)((i * 2654435761u >> 8) % (VERTICES + RIGID));
}

static void bench_close(Bench *b) {
  st_contact_scratch_destroy(b->set.work);
  free(b->set.now.contact);
  free(b->set.now.vertex);
}

// Of many sizes and signs, so that another order gives other bits.
static double number(size_t entry, int c) {
  uint32_t mixed = (uint32_t)(3 * entry + (size_t)c) * 2246822519u;
  return ((double)mixed - 2e9) / (double)(1 + (mixed >> 7) % 1000);
}

static void fill(const StContactSet *set, const StContactArray *list, const StContact *contact,
                 const StPoint *at, double *room, double *stencil) {
  (void)set, (void)list, (void)at;
  for (int k = 0; k < 3 * contact->count; k++)
    room[k] = number(contact->first + (size_t)(k / 3), k % 3);
  memcpy(stencil, room, 3 * (size_t)contact->count * sizeof(double));
}

static void add_one_by_one(const StContactArray *list, double *force) {
  for (int t = 0; t < list->count; t++)
    for (size_t i = list->contact[t].first;
         i < list->contact[t].first + (size_t)list->contact[t].count; i++)
      for (int c = 0; c < 3 && list->contact[t].owned && list->vertex[i] < VERTICES; c++)
        force[3 * list->vertex[i] + c] += number(i, c);
}

static void check_order(int touches) {
  Bench b;
  bench_open(&b, touches);
  double expected[3 * VERTICES] = {0};
  assert_true(ST_CONTACT_WORK_FORCE * b.set.now.used > b.set.work->real_count);
  add_one_by_one(&b.set.now, expected);
  for (int threads = 1; threads <= 5; threads++) {
    double force[3 * VERTICES] = {0};
    assert_int_equal(st_crew_create(threads, &b.piece.crew, NULL), ST_OK);
    st_contact_loop_forces(&b.set.now, &(StPoint){.contact_set = &b.set}, fill, force);
    st_crew_destroy(b.piece.crew);
    assert_memory_equal(force, expected, sizeof force);
  }
  bench_close(&b);
}

static void each_vertex_gets_forces_in_the_order_of_contacts(void **state) {
  (void)state;
  check_order(FEW);
  check_order(MANY);
}

static void no_contacts_add_nothing(void **state) {
  (void)state;
  Bench b;
  double force[3 * VERTICES] = {0}, none[3 * VERTICES] = {0};
  bench_open(&b, 1);
  b.set.now.count = 0;
  st_contact_loop_forces(&b.set.now, &(StPoint){.contact_set = &b.set}, fill, force);
  assert_memory_equal(force, none, sizeof force);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_vertex_gets_forces_in_the_order_of_contacts),
      cmocka_unit_test(no_contacts_add_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
