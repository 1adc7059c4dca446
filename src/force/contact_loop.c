// Loops over contacts.
#include "force/contact_loop.h"

#include "contact/core/rigid_contact.h"
#include "math/vec3.h"

#include <string.h>

// Per place of the stencil, in the complex work space of the set: 3 positions, 3 velocities and 3
// forces. The rest belongs to the provider.
typedef struct Work {
  StDual *position, *velocity, *force;
} Work;

static Work work_of(const StContactSet *set, int count) {
  StDual *base = set->work->dual;
  return (Work){base, base + 3 * count, base + 6 * count};
}

static void load_real(const StContactSet *set, const StContact *contact, const int *place,
                      const StPoint *at, Work *work) {
  double *real = set->work->real;
  int numbers = 3 * contact->count;
  st_contact_set_positions(set, contact->count, place, at->position, real);
  st_contact_set_velocities(set, contact->count, place, at->velocity, real + numbers);
  for (int i = 0; i < numbers; i++) {
    work->position[i] = real[i];
    work->velocity[i] = real[numbers + i];
  }
}

static void clear_force(const StContact *contact, Work *work) {
  for (int i = 0; i < 3 * contact->count; i++)
    work->force[i] = 0;
}

// A contact in the numbering of the point's slots.
static size_t index_of(const StPoint *at, const StContactArray *list, const StContact *contact) {
  size_t before = list == &at->contact_set->now ? 0 : (size_t)at->slots->now_count;
  return before + (size_t)(contact - list->contact);
}

static bool is_carried(const StPoint *at, const StContactArray *list, const StContact *contact) {
  return at->slots && at->slots->carried[index_of(at, list, contact)];
}

// Slots of a contact's blocks, row by row: from the point, or looked up.
static const int *slots_of(const StPoint *at, const StContactArray *list, const StContact *contact,
                           const StBlockMatrix *matrix) {
  const StContactSet *set = at->contact_set;
  if (at->slots)
    return at->slots->slot + at->slots->start[index_of(at, list, contact)];
  const int *place = st_contact_array_places(list, contact);
  int count = contact->count,
      *slot = st_contact_scratch_slots(set->work, (size_t)count * (size_t)count);
  for (int i = 0; slot && i < count * count; i++)
    slot[i] = st_block_matrix_slot(matrix, place[i / count], place[i % count]);
  return slot;
}

// Numbers of each place, or of each carrier where the contact's slots are those: how many there
// are.
static int spread_out(const StPoint *at, const StContactArray *list, const StContact *contact,
                      int size, const double **vector, double *room) {
  StRigidContact bodies;
  if (!is_carried(at, list, contact))
    return contact->count;
  st_rigid_contact(at->contact_set, list, contact, &bodies);
  st_rigid_contact_carry(&bodies, contact->count, size, *vector, room);
  *vector = room;
  return ST_CARRIERS * bodies.count;
}

void st_contact_loop_spread_block(const StPoint *at, const StContactArray *list,
                                  const StContact *contact, const double *weight,
                                  const double block[9], StBlockMatrix *matrix) {
  double room[ST_CONTACT_CARRIERS];
  int count = spread_out(at, list, contact, 1, &weight, room);
  const int *slot = slots_of(at, list, contact, matrix);
  for (int k = 0; slot && k < count * count; k++) {
    if (slot[k] < 0)
      continue;
    double *to = matrix->value + 9 * (size_t)slot[k];
    for (int i = 0; i < 9; i++)
      to[i] += weight[k / count] * weight[k % count] * block[i];
  }
}

void st_contact_loop_add_outer(const StPoint *at, const StContactArray *list,
                               const StContact *contact, double factor, const double *g,
                               StBlockMatrix *matrix) {
  double room[3 * ST_CONTACT_CARRIERS];
  int count = spread_out(at, list, contact, 3, &g, room);
  const int *slot = slots_of(at, list, contact, matrix);
  for (int k = 0; slot && k < count * count; k++) {
    if (slot[k] < 0)
      continue;
    double *to = matrix->value + 9 * (size_t)slot[k];
    const double *left = g + 3 * (k / count), *right = g + 3 * (k % count);
    for (int i = 0; i < 9; i++)
      to[i] += factor * left[i / 3] * right[i % 3];
  }
}

static void add_dense(const int *slot, int count, const double *jacobian, StBlockMatrix *matrix) {
  size_t width = 3 * (size_t)count;
  for (int r = 0; slot && r < count; r++)
    for (int c = 0; c < count; c++, slot++) {
      if (*slot < 0)
        continue;
      const double *from = jacobian + 3 * (size_t)r * width + 3 * (size_t)c;
      double *to = matrix->value + 9 * (size_t)*slot;
      for (int i = 0; i < 3; i++, from += width, to += 3) {
        to[0] += from[0];
        to[1] += from[1];
        to[2] += from[2];
      }
    }
}

static bool reaches_rows(const StContact *contact, const int *place, const StBlockMatrix *matrix) {
  for (int k = 0; k < contact->count; k++)
    if (place[k] < matrix->row_count)
      return true;
  return false;
}

// The blocks that a loop over contacts adds.
typedef struct Blocks {
  const StContactArray *list;
  const StPoint *at;
  double by_position, by_velocity;
  StContactForce add;
  StContactJacobian fill;
} Blocks;

// By complex numbers, column by column.
static void fill_columns(const Blocks *blocks, const StContact *contact, double *jacobian) {
  const StContactSet *set = blocks->at->contact_set;
  const int *place = st_contact_array_places(blocks->list, contact);
  int width = 3 * contact->count;
  Work work = work_of(set, contact->count);
  load_real(set, contact, place, blocks->at, &work);
  memset(jacobian, 0, (size_t)width * (size_t)width * sizeof(double));
  for (int c = 0; c < width; c++) {
    if (!st_contact_set_is_local(set, place[c / 3]))
      continue;
    StDual x = work.position[c], v = work.velocity[c];
    work.position[c] = s_dual(creal(x), blocks->by_position);
    work.velocity[c] = s_dual(creal(v), blocks->by_velocity);
    clear_force(contact, &work);
    blocks->add(set, blocks->list, contact, work.position, work.velocity, work.force);
    for (int r = 0; r < width; r++)
      jacobian[(size_t)r * (size_t)width + (size_t)c] = s_derivative(work.force[r]);
    work.position[c] = x;
    work.velocity[c] = v;
  }
}

// The Jacobian of any contact, in the set's scratch memory. Contacts with many places have many
// columns, so analytic derivatives are cheaper. NULL: there is no room.
static const double *find_jacobian(const Blocks *blocks, const StContact *contact) {
  const StContactSet *set = blocks->at->contact_set;
  const int *place = st_contact_array_places(blocks->list, contact);
  size_t width = 3 * (size_t)contact->count;
  double *jacobian = st_contact_scratch_jacobian(set->work, width * width);
  double *position = set->work->real, *velocity = position + width;
  if (!jacobian)
    return NULL;
  st_contact_set_positions(set, contact->count, place, blocks->at->position, position);
  st_contact_set_velocities(set, contact->count, place, blocks->at->velocity, velocity);
  if (!blocks->fill(set, contact, position, velocity, blocks->by_position, blocks->by_velocity,
                    velocity + width, jacobian))
    fill_columns(blocks, contact, jacobian);
  return jacobian;
}

enum { SMALL = ST_CONTACT_SMALL, FULL = 9 * SMALL * SMALL, CONTACTS_AT_ONCE = 512, PART = 32 };

// The Jacobian of a small contact, which threads may find at once; false: they may not.
static bool find_small_jacobian(const Blocks *blocks, const StContact *contact, double *jacobian) {
  const StContactSet *set = blocks->at->contact_set;
  const int *place = st_contact_array_places(blocks->list, contact);
  double position[3 * SMALL], velocity[3 * SMALL], room[3 * SMALL];
  if (contact->count > SMALL || !contact->provider->shares_jacobians)
    return false;
  st_contact_set_positions(set, contact->count, place, blocks->at->position, position);
  st_contact_set_velocities(set, contact->count, place, blocks->at->velocity, velocity);
  return blocks->fill(set, contact, position, velocity, blocks->by_position, blocks->by_velocity,
                      room, jacobian);
}

// Jacobians of small stencils, computed by threads for several contacts at a time, then added one
// after the other.
typedef struct Batch {
  const Blocks *blocks;
  const StBlockMatrix *matrix;
  int first;
  double *jacobian; // [TOUCHES_AT_ONCE][FULL]
  bool filled[CONTACTS_AT_ONCE];
} Batch;

static bool is_left_out(const Blocks *blocks, const StContact *contact,
                        const StBlockMatrix *matrix) {
  return is_carried(blocks->at, blocks->list, contact) ||
         !reaches_rows(contact, st_contact_array_places(blocks->list, contact), matrix);
}

static void fill_contacts(void *context, int begin, int end) {
  Batch *batch = context;
  for (int t = begin; t < end; t++) {
    const StContact *contact = &batch->blocks->list->contact[t];
    int index = t - batch->first;
    batch->filled[index] =
        !is_left_out(batch->blocks, contact, batch->matrix) &&
        find_small_jacobian(batch->blocks, contact, batch->jacobian + FULL * (size_t)index);
  }
}

static void add_blocks(const Batch *batch, int t, StBlockMatrix *matrix) {
  const Blocks *blocks = batch->blocks;
  const StContact *contact = &blocks->list->contact[t];
  const double *jacobian = batch->jacobian + FULL * (size_t)(t - batch->first);
  if (is_left_out(blocks, contact, matrix))
    return;
  if (!batch->jacobian || !batch->filled[t - batch->first])
    jacobian = find_jacobian(blocks, contact);
  if (jacobian)
    add_dense(slots_of(blocks->at, blocks->list, contact, matrix), contact->count, jacobian,
              matrix);
}

static bool are_carried(const Blocks *blocks, int first, int end) {
  for (int t = first; t < end; t++)
    if (!is_carried(blocks->at, blocks->list, &blocks->list->contact[t]))
      return false;
  return true;
}

static void add_contacts(const Blocks *blocks, StBlockMatrix *matrix) {
  const StContactArray *list = blocks->list;
  const StContactSet *set = blocks->at->contact_set;
  size_t room = (size_t)(list->count < CONTACTS_AT_ONCE ? list->count : CONTACTS_AT_ONCE);
  Batch batch = {.blocks = blocks,
                 .matrix = matrix,
                 .jacobian = st_contact_scratch_batch(set->work, FULL * room)};
  for (int first = 0; first < list->count; first += CONTACTS_AT_ONCE) {
    int end = list->count - first < CONTACTS_AT_ONCE ? list->count : first + CONTACTS_AT_ONCE;
    batch.first = first;
    if (are_carried(blocks, first, end))
      continue;
    if (batch.jacobian)
      st_crew_sweep(set->contacts->piece->crew, first, end, PART, fill_contacts, &batch);
    for (int t = first; t < end; t++)
      add_blocks(&batch, t, matrix);
  }
}

// Contacts between the same two rigid bodies are summed up over their carriers by one thread; sums
// are then added to the matrix, each row's in their order whoever adds them.
enum { ROW = ST_CONTACT_BODIES_ROW, SUM = ROW * ST_CONTACT_CARRIERS, RUNS_AT_ONCE = 128, RUNS = 4 };

typedef struct Run {
  int begin, end;
  StRigidContact bodies; // of the last contact: carriers are the same for all
  const int *slot;
  bool whole; // all contacts are in the sum
} Run;

typedef struct Runs {
  const Blocks *blocks;
  Run run[RUNS_AT_ONCE];
  int count;
  double *sum; // [RUNS_AT_ONCE][SUM]
  StBlockMatrix *matrix;
  int shares; // of the matrix's rows, one for each thread
} Runs;

// The next contacts that share their slots, from `begin` on; false: there are none.
static bool find_run(const Blocks *blocks, int begin, Run *run) {
  const StContactArray *list = blocks->list;
  while (begin < list->count && !is_carried(blocks->at, list, &list->contact[begin]))
    begin++;
  if (begin == list->count)
    return false;
  const size_t *start = blocks->at->slots->start;
  const bool *carried = blocks->at->slots->carried;
  size_t index = index_of(blocks->at, list, &list->contact[begin]);
  int length = 1;
  while (begin + length < list->count && carried[index + (size_t)length] &&
         start[index + (size_t)length] == start[index])
    length++;
  *run = (Run){.begin = begin, .end = begin + length};
  return true;
}

static void sum_run(const Blocks *blocks, Run *run, bool alone, double *sum) {
  const StContactArray *list = blocks->list;
  StRigidContact *bodies = &run->bodies;
  memset(sum, 0, SUM * sizeof(double));
  run->whole = true;
  for (int t = run->begin; t < run->end && run->whole; t++) {
    const StContact *contact = &list->contact[t];
    double small[FULL];
    const double *jacobian = small;
    st_rigid_contact(blocks->at->contact_set, list, contact, bodies);
    if (alone)
      jacobian = find_jacobian(blocks, contact);
    else
      run->whole = find_small_jacobian(blocks, contact, small);
    if (run->whole && jacobian)
      st_rigid_contact_fold(bodies, contact->count, jacobian, sum);
  }
}

static void sum_runs(void *context, int begin, int end) {
  Runs *runs = context;
  for (int i = begin; i < end; i++)
    sum_run(runs->blocks, &runs->run[i], false, runs->sum + SUM * (size_t)i);
}

static void add_share(void *context, int share, int worker) {
  (void)worker;
  const Runs *runs = context;
  for (int i = 0; i < runs->count; i++) {
    const Run *run = &runs->run[i];
    int count = ST_CARRIERS * run->bodies.count;
    const double *sum = runs->sum + SUM * (size_t)i;
    for (int r = 0; r < count; r++)
      if (run->bodies.carrier[r / ST_CARRIERS][r % ST_CARRIERS] % runs->shares == share)
        st_rigid_contact_add_row(&run->bodies, sum + ROW * r, run->slot + count * r,
                                 runs->matrix->value);
  }
}

static void add_runs(Runs *runs) {
  const Blocks *blocks = runs->blocks;
  StCrew *crew = blocks->at->contact_set->contacts->piece->crew;
  st_crew_sweep(crew, 0, runs->count, RUNS, sum_runs, runs);
  for (int i = 0; i < runs->count; i++) {
    Run *run = &runs->run[i];
    if (!run->whole)
      sum_run(blocks, run, true, runs->sum + SUM * (size_t)i);
    run->slot =
        slots_of(blocks->at, blocks->list, &blocks->list->contact[run->begin], runs->matrix);
  }
  runs->shares = st_crew_size(crew);
  st_crew_do(crew, runs->shares, add_share, runs);
  runs->count = 0;
}

// Room for the runs of so many contacts that are done at a time; NULL: out of memory.
static double *room_for_runs(const StContactSet *set, int contacts) {
  size_t most = (size_t)(contacts < RUNS_AT_ONCE ? contacts : RUNS_AT_ONCE);
  return st_contact_scratch_batch(set->work, most * SUM);
}

// Most scenes have no runs, and take no room for them.
static void add_carried(const Blocks *blocks, StBlockMatrix *matrix) {
  Runs runs = {.blocks = blocks, .matrix = matrix};
  Run run = {.end = 0};
  while (find_run(blocks, run.end, &run)) {
    if (!runs.sum && !(runs.sum = room_for_runs(blocks->at->contact_set, blocks->list->count)))
      return; // not after st_touching_reserve
    runs.run[runs.count++] = run;
    if (runs.count == RUNS_AT_ONCE)
      add_runs(&runs);
  }
  if (runs.count > 0)
    add_runs(&runs);
}

static int widest(const StContactArray *list) {
  int most = 0;
  for (int t = 0; t < list->count; t++)
    most = list->contact[t].count > most ? list->contact[t].count : most;
  return most;
}

bool st_contact_loop_reserve(const StContactSet *set, const StContactSlots *slots) {
  int now = widest(&set->now), before = widest(set->before);
  size_t width = 3 * (size_t)(now > before ? now : before);
  int most = set->now.count > set->before->count ? set->now.count : set->before->count;
  bool carried = false;
  for (int t = 0; t < slots->count && !carried; t++)
    carried = slots->carried[t];
  return (width == 0 || st_contact_scratch_jacobian(set->work, width * width)) &&
         (!carried || room_for_runs(set, most));
}

void st_contact_loop_blocks(const StContactArray *list, const StPoint *at, double by_position,
                            double by_velocity, StContactForce add, StContactJacobian fill,
                            StBlockMatrix *matrix) {
  Blocks blocks = {list, at, by_position, by_velocity, add, fill};
  add_contacts(&blocks, matrix);
  if (at->slots)
    add_carried(&blocks, matrix);
}

// Forces on stencils, computed by threads, then added: each vertex gets those on it in their order,
// whoever adds them.
typedef struct Forces {
  const StContactArray *list;
  const StPoint *at;
  StContactStencil fill;
  int first, end;         // contacts whose stencils are in …
  double *stencil, *room; // … the work space, one after the other, as in the list's pools
  double *force;
  int shares; // of the vertices, one for each thread
} Forces;

static size_t offset_of(const Forces *forces, const StContact *contact) {
  return 3 * (contact->first - forces->list->contact[forces->first].first);
}

static void fill_forces(void *context, int begin, int end) {
  const Forces *forces = context;
  for (int t = begin; t < end; t++) {
    const StContact *contact = &forces->list->contact[t];
    size_t offset = offset_of(forces, contact);
    if (contact->owned)
      forces->fill(forces->at->contact_set, forces->list, contact, forces->at,
                   forces->room + offset, forces->stencil + offset);
  }
}

static void add_forces(void *context, int share, int worker) {
  (void)worker;
  const Forces *forces = context;
  int vertices = forces->at->contact_set->contacts->piece->vertex_count;
  for (int t = forces->first; t < forces->end; t++) {
    const StContact *contact = &forces->list->contact[t];
    const int *place = st_contact_array_places(forces->list, contact);
    const double *stencil = forces->stencil + offset_of(forces, contact);
    for (int k = 0; k < contact->count && contact->owned; k++)
      if (place[k] < vertices && place[k] % forces->shares == share)
        vec3_add_scaled(1, stencil + 3 * k, forces->force + 3 * (size_t)place[k]);
  }
}

// The end of the contacts from `first` on whose stencils take no more entries; at least one's do.
static int end_of_batch(const StContactArray *list, int first, size_t entries) {
  const StContact *contact = list->contact;
  size_t last = contact[first].first + entries;
  int end = first + 1;
  while (end < list->count && contact[end].first + (size_t)contact[end].count <= last)
    end++;
  return end;
}

void st_contact_loop_forces(const StContactArray *list, const StPoint *at, StContactStencil fill,
                            double *force) {
  const StContactScratch *work = at->contact_set->work;
  StCrew *crew = at->contact_set->contacts->piece->crew;
  size_t entries = work->real_count / ST_CONTACT_WORK_FORCE;
  Forces forces = {.list = list,
                   .at = at,
                   .fill = fill,
                   .stencil = work->real,
                   .room = work->real + 3 * entries,
                   .force = force,
                   .shares = st_crew_size(crew)};
  for (; forces.first < list->count; forces.first = forces.end) {
    forces.end = end_of_batch(list, forces.first, entries);
    st_crew_sweep(crew, forces.first, forces.end, PART, fill_forces, &forces);
    st_crew_do(crew, forces.shares, add_forces, &forces);
  }
}

void st_contact_loop_complex(const StContactArray *list, const StPoint *at, const StDual *position,
                             const StDual *velocity, StContactForce add, StDual *force) {
  const StContactSet *set = at->contact_set;
  for (int t = 0; t < list->count; t++) {
    const StContact *contact = &list->contact[t];
    const int *place = st_contact_array_places(list, contact);
    if (!contact->owned)
      continue;
    Work work = work_of(set, contact->count);
    load_real(set, contact, place, at, &work);
    for (int c = 0; c < 3 * contact->count; c++)
      if (st_contact_set_is_local(set, place[c / 3])) {
        work.position[c] = position[3 * place[c / 3] + c % 3];
        work.velocity[c] = velocity[3 * place[c / 3] + c % 3];
      }
    clear_force(contact, &work);
    add(set, list, contact, work.position, work.velocity, work.force);
    for (int c = 0; c < 3 * contact->count; c++)
      if (st_contact_set_is_local(set, place[c / 3]))
        force[3 * place[c / 3] + c % 3] += work.force[c];
  }
}

bool st_contact_loop_known(const StPoint *at) {
  return at->contact_set && at->contact_set->status == ST_OK;
}

bool st_contact_loop_check(const StPoint *at, const char *force, StTrouble *trouble) {
  if (!at->contact_set || at->contact_set->status == ST_OK)
    return true;
  *trouble = (StTrouble){-1, force, "the contact search failed (memory, or not a number)", -1};
  return false;
}
