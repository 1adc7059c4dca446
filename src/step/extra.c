// Packs and unpacks in one order: the linear method, the records of the run, the pairs, the forces,
// the sides of shells that points are on.
#include "step/extra.h"

#include "base/memory.h"
#include "contact/sides.h"
#include "solve/runtime.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

typedef struct Memory {
  StLinearMemory linear;
  StContactRecord record;
  StRunMemory run;
  StJudgeRecord judged;
} Memory;

static int pair_count(const StExtra *extra) {
  const StContacts *contacts = extra->system->contacts;
  return contacts ? contacts->pair_count : 0;
}

static size_t force_memory(const StForce *force) {
  return force->type->memory_count ? (size_t)force->type->memory_count(force->data) : 0;
}

static size_t forces_at(const StExtra *extra) {
  return sizeof(Memory) + (size_t)pair_count(extra) * sizeof(StPairMemory);
}

static size_t sides_at(const StExtra *extra) {
  size_t numbers = 0;
  for (int i = 0; i < extra->system->force_count; i++)
    numbers += force_memory(&extra->system->force[i]);
  return forces_at(extra) + numbers * sizeof(double);
}

static size_t extra_size(const StExtra *extra) {
  const StContacts *contacts = extra->system->contacts;
  size_t sides = contacts ? (size_t)st_sides_count(contacts) : 0;
  return sides_at(extra) + sides * sizeof(int);
}

// Each number is some rank's own and zero on the others.
static StStatus remember_forces(const StExtra *extra, char *to, StError *error) {
  for (int i = 0; i < extra->system->force_count; i++) {
    const StForce *force = &extra->system->force[i];
    size_t count = force_memory(force);
    if (count == 0)
      continue;
    double *memory = ST_NEW(double, count);
    ST_TRY(st_runtime_agree(memory ? ST_OK : st_fail_memory(error), error));
    force->type->remember(force->data, memory);
    if (st_runtime_size() > 1)
      MPI_Allreduce(MPI_IN_PLACE, memory, (int)count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    memcpy(to, memory, count * sizeof(double));
    to += count * sizeof(double);
    free(memory);
  }
  return ST_OK;
}

static StStatus recall_forces(const StExtra *extra, const char *from, StError *error) {
  for (int i = 0; i < extra->system->force_count; i++) {
    StForce *force = &extra->system->force[i];
    size_t count = force_memory(force);
    if (count == 0)
      continue;
    double *memory = ST_NEW(double, count); // the bytes need not be aligned
    if (!memory)
      return st_fail_memory(error);
    memcpy(memory, from, count * sizeof(double));
    force->type->recall(force->data, memory);
    from += count * sizeof(double);
    free(memory);
  }
  return ST_OK;
}

StStatus st_extra_pack(const StExtra *extra, StCheckpoint *checkpoint, StError *error) {
  checkpoint->extra_size = extra_size(extra);
  char *bytes = checkpoint->extra = ST_NEW(char, checkpoint->extra_size);
  ST_TRY(st_runtime_agree(bytes ? ST_OK : st_fail_memory(error), error));
  Memory memory;
  memset(&memory, 0, sizeof memory);
  memory.linear = st_linear_memory(extra->linear);
  memcpy(&memory.run, extra->run, sizeof memory.run);
  if (extra->certificate)
    memcpy(&memory.record, &extra->certificate->record, sizeof memory.record);
  memcpy(&memory.judged, extra->judged, sizeof memory.judged);
  memcpy(bytes, &memory, sizeof memory);
  const StContacts *contacts = extra->system->contacts;
  const StContactState *state = extra->system->contact_state;
  for (int p = 0; p < pair_count(extra); p++) {
    StPairMemory pair;
    st_contact_state_remember(contacts, state, p, &pair);
    memcpy(bytes + sizeof memory + (size_t)p * sizeof pair, &pair, sizeof pair);
  }
  if (contacts)
    st_sides_remember(contacts, state, (int *)(bytes + sides_at(extra)));
  return remember_forces(extra, bytes + forces_at(extra), error);
}

static bool is_between(int value, int low, int end) {
  return low <= value && value < end;
}

// Its sentences name the bodies and obstacles of findings.
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

// What the checkpoint's own checks cannot see, since they do not know what the bytes mean.
static bool is_sane(const StExtra *extra, const char *bytes) {
  for (int p = 0; p < pair_count(extra); p++) {
    StPairMemory pair;
    memcpy(&pair, bytes + sizeof(Memory) + (size_t)p * sizeof pair, sizeof pair);
    if (!(pair.stiffness > 0 && isfinite(pair.stiffness) && isfinite(pair.depth) &&
          pair.radius >= 0 && isfinite(pair.radius)))
      return false;
  }
  for (size_t at = forces_at(extra); at < sides_at(extra); at += sizeof(double)) {
    double number;
    memcpy(&number, bytes + at, sizeof number);
    if (!isfinite(number))
      return false;
  }
  return true;
}

static StStatus recall(const StExtra *extra, const char *bytes, StError *error) {
  const int *side = (const int *)(bytes + sides_at(extra));
  const StContacts *contacts = extra->system->contacts;
  StContactState *state = extra->system->contact_state;
  bool known = !contacts || st_sides_recall(contacts, state, side);
  if (!known || !is_sane(extra, bytes))
    return st_fail(error, ST_BAD_INPUT,
                   "the checkpoint is damaged (what contacts and forces remember has no meaning)");
  Memory memory;
  memcpy(&memory, bytes, sizeof memory);
  if (!is_of_scene(&memory.judged, extra->system->description))
    return st_fail(error, ST_BAD_INPUT,
                   "the checkpoint is damaged (the judge's findings are none of this scene's)");
  st_linear_restore(extra->linear, memory.linear);
  *extra->run = memory.run;
  if (extra->certificate)
    extra->certificate->record = memory.record;
  memcpy(extra->judged, &memory.judged, sizeof memory.judged);
  for (int p = 0; p < pair_count(extra); p++) {
    StPairMemory pair;
    memcpy(&pair, bytes + sizeof memory + (size_t)p * sizeof pair, sizeof pair);
    st_contact_state_recall(contacts, state, p, &pair);
  }
  return recall_forces(extra, bytes + forces_at(extra), error);
}

StStatus st_extra_unpack(const StExtra *extra, const StCheckpoint *checkpoint, StError *error) {
  size_t size = extra_size(extra);
  bool root = st_runtime_rank() == 0;
  char *bytes = ST_NEW(char, size);
  StStatus status = bytes ? ST_OK : st_fail_memory(error);
  if (status == ST_OK && root && checkpoint->extra_size != size)
    status = st_fail(error, ST_BAD_INPUT,
                     "the checkpoint was made with other contacts or shells than the scene's");
  status = st_runtime_agree(status, error);
  if (status == ST_OK) {
    if (root)
      memcpy(bytes, checkpoint->extra, size);
    if (st_runtime_size() > 1)
      MPI_Bcast(bytes, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
    status = st_runtime_agree(recall(extra, bytes, error), error);
  }
  free(bytes);
  return status;
}
