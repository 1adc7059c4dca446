// Packs and unpacks in one order: the linear method, the records of the run, the memory of the
// contact method, the forces, what bodies lost of their rotation, reactions, the factors of
// stiffness, and the anchors.
#include "step/saved_state.h"

#include "base/memory.h"
#include "solve/runtime.h"
#include "step/rows.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Memory {
  StLinearMemory linear;
  StContactRecord record;
  StRunMemory run;
  StJudgeRecord judged;
  int64_t contact_size, factor_count; // saved: bytes of the contact method, and factors
} Memory;

// Its members, with the records of the judge apart. The bytes between them are not the run's, and
// would make checkpoints of equal states differ.
typedef struct Member {
  size_t at, size;
} Member;

#define MEMBER(name)                                                                               \
  { offsetof(Memory, name), sizeof(((Memory *)NULL)->name) }
#define FINDING(name)                                                                              \
  { offsetof(StFindingRecord, name), sizeof(((StFindingRecord *)NULL)->name) }

static const Member MEMBERS[] = {
    MEMBER(linear.price),
    MEMBER(linear.iterating),
    MEMBER(linear.reuse),
    MEMBER(linear.rough),
    MEMBER(record.cone_violation),
    MEMBER(record.friction_power),
    MEMBER(record.pair_net_force),
    MEMBER(record.normal_force_error),
    MEMBER(record.creep_speed),
    MEMBER(record.held_displacement),
    MEMBER(record.sticking_speed),
    MEMBER(record.stiffness_growth),
    MEMBER(record.repeats),
    MEMBER(record.deepest_gap),
    MEMBER(record.deepest_time),
    MEMBER(record.deepest_vertex),
    MEMBER(record.overlapping),
    MEMBER(record.overlapping_steps),
    MEMBER(record.overlap_time),
    MEMBER(run.energy.work),
    MEMBER(run.energy.largest_gain),
    MEMBER(run.energy.largest_time),
    MEMBER(run.energy.unexplained),
    MEMBER(run.energy.unexplained_energy),
    MEMBER(run.recovery.solved),
    MEMBER(run.recovery.rejected),
    MEMBER(run.recovery.most_iterations),
    MEMBER(run.recovery.most_time),
    MEMBER(run.rigidity.strain),
    MEMBER(run.rigidity.time),
    MEMBER(run.rigidity.body),
    MEMBER(run.spin.body),
    MEMBER(run.spin.time),
    MEMBER(run.spin.speed),
    MEMBER(run.spin.angle),
    MEMBER(run.spin.lost),
    MEMBER(run.spin.until_end),
    MEMBER(run.loss.taken),
    MEMBER(run.loss.moving),
    MEMBER(run.loss.fastest),
    MEMBER(run.loss.spent),
    MEMBER(run.loss.warned),
    MEMBER(run.loss.warned_time),
    MEMBER(run.loss.warned_share),
    MEMBER(run.kinetic_energy),
    MEMBER(run.total_energy),
    MEMBER(run.force_energy),
    MEMBER(run.lost_energy),
    MEMBER(run.restart),
    MEMBER(judged.starts),
    MEMBER(judged.steps),
    MEMBER(judged.found),
    MEMBER(contact_size),
    MEMBER(factor_count),
};

static const Member FINDINGS[] = {
    FINDING(states), FINDING(most),  FINDING(most_time), FINDING(first_time),
    FINDING(body),   FINDING(other), FINDING(obstacle),
};

static void copy_members(const Member *member, int count, const char *from, char *to) {
  for (int i = 0; i < count; i++)
    memcpy(to + member[i].at, from + member[i].at, member[i].size);
}

// to: zeros
static void pack_memory(const Memory *memory, char *to) {
  copy_members(MEMBERS, ST_LENGTH(MEMBERS), (const char *)memory, to);
  for (int k = 0; k < ST_FOUND_KINDS; k++) {
    size_t at = offsetof(Memory, judged.kind) + (size_t)k * sizeof(StFindingRecord);
    copy_members(FINDINGS, ST_LENGTH(FINDINGS), (const char *)memory + at, to + at);
  }
}

// A factor of stiffness in the file, without padding.
typedef struct PackedFactor {
  int64_t vertex, kind;
  double factor;
} PackedFactor;

static size_t force_memory(const StForce *force) {
  return force->type->memory_count ? (size_t)force->type->memory_count(force->data) : 0;
}

// Offsets of the parts after so many bytes of the contact method.
static size_t forces_at(int64_t contact) {
  return sizeof(Memory) + (size_t)contact;
}

static size_t spins_at(const StSavedState *saved, int64_t contact) {
  size_t numbers = 0;
  for (int i = 0; i < saved->system->force_count; i++)
    numbers += force_memory(&saved->system->force[i]);
  return forces_at(contact) + numbers * sizeof(double);
}

static size_t spins_size(const StSavedState *saved) {
  return (size_t)saved->system->description->body_count * sizeof(StSpun);
}

static size_t reactions_at(const StSavedState *saved, int64_t contact) {
  return spins_at(saved, contact) + spins_size(saved);
}

static size_t factors_at(const StSavedState *saved, int64_t contact) {
  return reactions_at(saved, contact) + st_reactions_size(saved->reactions);
}

static size_t anchors_at(const StSavedState *saved, int64_t contact, int64_t factors) {
  return factors_at(saved, contact) + (size_t)factors * sizeof(PackedFactor);
}

static void pack_factors(const StFactors *factors, char *to) {
  for (int i = 0; i < factors->count; i++) {
    const StFactor *item = &factors->item[i];
    PackedFactor packed = {item->vertex, item->kind, item->factor};
    memcpy(to + (size_t)i * sizeof packed, &packed, sizeof packed);
  }
}

static bool is_sane_factor(const StStiffness *stiffness, const PackedFactor *packed) {
  return packed->vertex >= 0 && packed->vertex < stiffness->count && packed->kind >= 0 &&
         packed->kind < ST_CONTACT_KINDS && packed->factor > 1 && isfinite(packed->factor);
}

static StStatus unpack_factors(const char *from, int64_t count, const StStiffness *stiffness,
                               StFactors *factors) {
  factors->item = ST_NEW(StFactor, count);
  for (int64_t i = 0; factors->item && i < count; i++) {
    PackedFactor packed;
    memcpy(&packed, from + (size_t)i * sizeof packed, sizeof packed);
    if (!is_sane_factor(stiffness, &packed))
      return ST_BAD_INPUT;
    factors->item[factors->count++] =
        (StFactor){(int)packed.vertex, (int)packed.kind, packed.factor};
  }
  return factors->item ? ST_OK : ST_SYSTEM_FAULT;
}

// Each number belongs to one rank and is zero on the others.
static StStatus remember_forces(const StSavedState *saved, char *to, StError *error) {
  for (int i = 0; i < saved->system->force_count; i++) {
    const StForce *force = &saved->system->force[i];
    size_t count = force_memory(force);
    if (count == 0)
      continue;
    ST_FREE double *memory = ST_NEW(double, count);
    ST_TRY(st_runtime_agree(memory ? ST_OK : st_fail_memory(error), error));
    force->type->remember(force->data, memory);
    st_runtime_sum_all(memory, (int)count);
    memcpy(to, memory, count * sizeof(double));
    to += count * sizeof(double);
  }
  return ST_OK;
}

static StStatus recall_forces(const StSavedState *saved, const char *from, StError *error) {
  for (int i = 0; i < saved->system->force_count; i++) {
    StForce *force = &saved->system->force[i];
    size_t count = force_memory(force);
    if (count == 0)
      continue;
    ST_FREE double *memory = ST_NEW(double, count); // the bytes may be unaligned
    ST_TRY_MEMORY(memory, error);
    memcpy(memory, from, count * sizeof(double));
    force->type->recall(force->data, memory);
    from += count * sizeof(double);
  }
  return ST_OK;
}

StStatus st_saved_state_gather_anchors(const StSavedState *saved, char **all, size_t *size,
                                       StError *error) {
  size_t capacity = 0;
  *all = NULL;
  *size = 0;
  if (!saved->system->contacts)
    return ST_OK;
  char *bytes = *all = st_anchors_pack(saved->anchors, saved->system->contacts, &capacity);
  int count = (int)capacity;
  bool good = bytes && capacity <= INT_MAX;
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  ST_TRY(ST_ROWS_GATHER(*all, capacity, count, error));
  *size = (size_t)count;
  good = st_runtime_rank() > 0 || st_anchors_sort_packed(*all, *size);
  return st_runtime_agree(good ? ST_OK : st_fail_memory(error), error);
}

static StStatus make_room(const StSavedState *saved, size_t contact, StCheckpoint *checkpoint,
                          StError *error) {
  ST_FREE char *anchors = NULL;
  size_t size, fixed = anchors_at(saved, (int64_t)contact, saved->factors->count);
  ST_TRY(st_saved_state_gather_anchors(saved, &anchors, &size, error));
  checkpoint->extra_size = fixed + size;
  checkpoint->extra = ST_NEW(char, fixed + size);
  ST_TRY(st_runtime_agree(checkpoint->extra ? ST_OK : st_fail_memory(error), error));
  if (size > 0)
    memcpy(checkpoint->extra + fixed, anchors, size);
  return ST_OK;
}

static StStatus pack(const StSavedState *saved, const char *contact, size_t size,
                     StCheckpoint *checkpoint, StError *error) {
  int64_t first = (int64_t)size;
  ST_TRY(make_room(saved, size, checkpoint, error));
  char *bytes = checkpoint->extra;
  Memory memory = {.linear = st_linear_memory(saved->linear),
                   .run = *saved->run,
                   .judged = *saved->judged,
                   .contact_size = first,
                   .factor_count = saved->factors->count};
  if (saved->certificate)
    memory.record = saved->certificate->record;
  pack_memory(&memory, bytes);
  if (size > 0)
    memcpy(bytes + sizeof memory, contact, size);
  pack_factors(saved->factors, bytes + factors_at(saved, first));
  memcpy(bytes + spins_at(saved, first), saved->spin_loss->of_body, spins_size(saved));
  st_reactions_pack(saved->reactions, bytes + reactions_at(saved, first));
  return remember_forces(saved, bytes + forces_at(first), error);
}

StStatus st_saved_state_pack(const StSavedState *saved, StCheckpoint *checkpoint, StError *error) {
  const StSystem *system = saved->system;
  size_t size = 0;
  ST_FREE char *contact = NULL;
  if (system->contacts) {
    contact = st_contact_state_pack(system->contacts, system->contact_state, &size);
    ST_TRY(st_runtime_agree(contact ? ST_OK : st_fail_memory(error), error));
  }
  return pack(saved, contact, size, checkpoint, error);
}

static bool is_between(int value, int low, int end) {
  return low <= value && value < end;
}

// Its messages name the bodies and obstacles of findings.
static bool is_of_scene(const StJudgeRecord *judged, const StDescription *description) {
  for (int k = 0; k < ST_FOUND_KINDS; k++) {
    const StFindingRecord *finding = &judged->kind[k];
    if (finding->states != 0 && !(is_between(finding->body, 0, description->body_count) &&
                                  is_between(finding->other, -1, description->body_count) &&
                                  is_between(finding->obstacle, -1, description->obstacle_count)))
      return false;
  }
  return true;
}

// Whether the saved numbers are finite; the checkpoint reader does not know what the bytes mean.
static bool is_sane(const StSavedState *saved, const char *bytes, int64_t contact) {
  for (size_t at = forces_at(contact); at < factors_at(saved, contact); at += sizeof(double)) {
    double number;
    memcpy(&number, bytes + at, sizeof number);
    if (!isfinite(number))
      return false;
  }
  return true;
}

static StStatus recall_anchors(const StSavedState *saved, const char *bytes, size_t size) {
  const StContacts *contacts = saved->system->contacts;
  StContactState *state = saved->system->contact_state;
  if (!contacts)
    return size == 0 ? ST_OK : ST_BAD_INPUT;
  st_contact_state_drop_anchors(contacts, state);
  return st_anchors_unpack(bytes, size, contacts, &state->anchors);
}

static StStatus recall_factors(const StSavedState *saved, const char *bytes, int64_t count,
                               StError *error) {
  StContactState *state = saved->system->contact_state;
  StFactors factors = {0};
  StStatus status = unpack_factors(bytes, count, &state->stiffness, &factors);
  if (status == ST_OK)
    st_contact_state_release(state, &factors);
  st_factors_free(&factors);
  if (status == ST_SYSTEM_FAULT)
    return st_fail_memory(error);
  return status == ST_OK
             ? ST_OK
             : st_fail(error, status, "the checkpoint is damaged (a factor of stiffness is wrong)");
}

// Whether the size matches the counts.
static bool fits_scene(const StSavedState *saved, const char *bytes, size_t size) {
  Memory memory;
  if (size < sizeof memory)
    return false;
  memcpy(&memory, bytes, sizeof memory);
  const StContacts *contacts = saved->system->contacts;
  int64_t most =
      contacts ? ST_CONTACT_KINDS * (int64_t)saved->system->contact_state->stiffness.count : 0;
  return memory.contact_size >= 0 && (size_t)memory.contact_size <= (contacts ? size : 0) &&
         memory.factor_count >= 0 && memory.factor_count <= most &&
         size >= anchors_at(saved, memory.contact_size, memory.factor_count);
}

static StStatus recall(const StSavedState *saved, const char *bytes, size_t size, StError *error) {
  Memory memory;
  if (!fits_scene(saved, bytes, size))
    return st_fail(error, ST_BAD_INPUT, "the checkpoint is damaged (it ends too early)");
  memcpy(&memory, bytes, sizeof memory);
  int64_t contact = memory.contact_size;
  const StContacts *contacts = saved->system->contacts;
  StContactState *state = saved->system->contact_state;
  size_t fixed = anchors_at(saved, contact, memory.factor_count);
  StStatus status = recall_anchors(saved, bytes + fixed, size - fixed);
  if (status == ST_OK && contacts) {
    st_contact_state_forget(contacts, state);
    status = st_contact_state_unpack(contacts, state, bytes + sizeof memory, (size_t)contact);
  }
  if (status == ST_SYSTEM_FAULT)
    return st_fail_memory(error);
  if (status != ST_OK || !is_sane(saved, bytes, contact))
    return st_fail(error, ST_BAD_INPUT,
                   "the checkpoint is damaged (the saved state of contacts and forces is invalid)");
  if (!is_of_scene(&memory.judged, saved->system->description))
    return st_fail(error, ST_BAD_INPUT,
                   "the checkpoint is damaged (the judge's findings do not belong to this scene)");
  if (!is_between(memory.run.spin.body, -1, saved->system->description->body_count))
    return st_fail(error, ST_BAD_INPUT,
                   "the checkpoint is damaged (the loss of rotation is not of this scene)");
  memcpy(saved->spin_loss->of_body, bytes + spins_at(saved, contact), spins_size(saved));
  st_reactions_unpack(saved->reactions, bytes + reactions_at(saved, contact));
  st_linear_restore(saved->linear, memory.linear);
  *saved->run = memory.run;
  if (saved->certificate)
    saved->certificate->record = memory.record;
  memcpy(saved->judged, &memory.judged, sizeof memory.judged);
  if (contacts)
    ST_TRY(recall_factors(saved, bytes + factors_at(saved, contact), memory.factor_count, error));
  return recall_forces(saved, bytes + forces_at(contact), error);
}

StStatus st_saved_state_check(const StSavedState *saved, const StCheckpoint *checkpoint,
                              StError *error) {
  bool fits = st_runtime_rank() > 0 || fits_scene(saved, checkpoint->extra, checkpoint->extra_size);
  StStatus status = ST_OK;
  if (!fits)
    status = st_fail(error, ST_BAD_INPUT,
                     "the checkpoint was made with other contacts or shells than the scene's");
  return st_runtime_agree(status, error);
}

StStatus st_saved_state_unpack(const StSavedState *saved, const StCheckpoint *checkpoint,
                               StError *error) {
  bool root = st_runtime_rank() == 0;
  size_t size = root ? checkpoint->extra_size : 0;
  st_runtime_share(0, &size, sizeof size);
  ST_FREE char *bytes = size <= INT_MAX ? ST_NEW(char, size) : NULL;
  ST_TRY(st_runtime_agree(bytes ? ST_OK : st_fail_memory(error), error));
  if (root)
    memcpy(bytes, checkpoint->extra, size);
  st_runtime_share(0, bytes, size);
  return st_runtime_agree(recall(saved, bytes, size, error), error);
}
