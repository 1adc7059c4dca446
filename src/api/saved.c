// States of the public interface: saved in memory, as bytes or in a file, and restored. A state
// also contains the motions that the program has set, and a checksum of its parameters: if those
// differ when it is restored, forces and energies are recomputed.
#include "api/handles.h"
#include "base/file.h"
#include "base/memory.h"
#include "model/contact_pairs.h"
#include "output/checkpoint.h"
#include "solve/runtime.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

// Numbers before the motions: checksums of the parameters and of the scene's contents.
enum { PARAMETERS, MAKEUP, COURSES };

static uLong add_text(uLong sum, const char *text) {
  return crc32_z(sum, (const Bytef *)text, strlen(text) + 1);
}

static uLong add_numbers(uLong sum, const int *number, size_t count) {
  return crc32_z(sum, (const Bytef *)number, count * sizeof *number);
}

// States of another scene are meaningless here, even if they have the same length.
static double makeup_of(const StDescription *d) {
  uLong sum = add_text(crc32_z(0, NULL, 0), d->integrator);
  for (int i = 0; i < d->body_count; i++) {
    const StMesh *mesh = d->body[i].mesh;
    const int size[] = {mesh->vertex_count, mesh->tet_count, mesh->triangle_count};
    sum = add_numbers(add_text(sum, d->body[i].name), size, 3);
  }
  for (int i = 0; i < d->contact_count; i++) {
    const int pair[] = {d->contact[i].collider, d->contact[i].body, d->contact[i].obstacle};
    sum = add_numbers(sum, pair, 3);
  }
  const int pairs[] = {(int)(st_pairs_count(d) >> 31), (int)(st_pairs_count(d) & INT_MAX)};
  sum = add_numbers(sum, pairs, 2);
  for (int i = 0; i < d->boundary_count; i++)
    sum = add_text(sum, d->boundary[i].name);
  for (int i = 0; i < d->obstacle_count; i++)
    sum = add_text(sum, d->obstacle[i].name);
  const int more[] = {d->volume_count, d->bearing_count, d->joint_count,
                      (int)d->contact_settings.method};
  return (double)add_numbers(sum, more, 4);
}

// Functions of its own that the scene has not.
static bool has_own_functions(const StictionSimulation *simulation) {
  const StDrives *own = &simulation->drives, *scene = &simulation->scene->drives;
  for (int i = 0; i < st_drives_count(own); i++)
    if (own->drive[i].pose != scene->drive[i].pose ||
        own->drive[i].targets != scene->drive[i].targets)
      return true;
  return false;
}

static StStatus keep_program(const StictionSimulation *simulation, StCheckpoint *checkpoint,
                             StError *error) {
  const StDrives *drives = &simulation->drives;
  size_t count = COURSES + ST_COURSE_NUMBERS * (size_t)st_drives_count(drives);
  ST_TRY_MEMORY(checkpoint->program = ST_NEW(double, count), error);
  checkpoint->program_count = count;
  checkpoint->program[PARAMETERS] = (double)st_parameters_checksum(&simulation->parameters);
  checkpoint->program[MAKEUP] = makeup_of(simulation->own);
  st_drives_remember(drives, checkpoint->program + COURSES);
  return ST_OK;
}

static void destroy(StReleased *released) {
  StictionState *state = (StictionState *)released; // its first member
  st_checkpoint_free(&state->checkpoint);
  free(state->bytes);
  free(state);
}

void st_saved_destroy(StictionState *state) {
  if (state)
    destroy(&state->released);
}

static StictionState *make_state(void) {
  StictionState *state = ST_NEW(StictionState, 1);
  if (state)
    state->released.destroy = destroy;
  return state;
}

StStatus st_saved_take(StictionSimulation *simulation, StictionState **result, StError *error) {
  StictionState *state = make_state();
  StStatus status = st_runtime_agree(state ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK)
    status = st_simulation_checkpoint(simulation->simulation, &state->checkpoint, error);
  if (status == ST_OK)
    status = st_runtime_agree(keep_program(simulation, &state->checkpoint, error), error);
  if (status == ST_OK)
    *result = state;
  else
    st_saved_destroy(state);
  return status;
}

// A run's checkpoint has no data of a program.
static bool fits(const StictionSimulation *simulation, const StCheckpoint *checkpoint) {
  size_t wanted = COURSES + ST_COURSE_NUMBERS * (size_t)st_drives_count(&simulation->drives);
  if (checkpoint->program_count == 0)
    return true;
  return checkpoint->program_count == wanted &&
         checkpoint->program[MAKEUP] == makeup_of(simulation->own);
}

static void recall_program(StictionSimulation *simulation, const StCheckpoint *checkpoint) {
  bool any = checkpoint->program_count > 0;
  StPending *pending = &simulation->pending;
  bool known = st_drives_recall(&simulation->drives, any ? checkpoint->program + COURSES : NULL);
  double checksum = (double)st_parameters_checksum(&simulation->parameters);
  if (any && checkpoint->program[PARAMETERS] != checksum)
    pending->any = pending->change.joints = pending->change.friction = true;
  pending->rebuild = pending->rebuild || !known;
}

StStatus st_saved_give(StictionSimulation *simulation, const StictionState *state, StError *error) {
  const StCheckpoint *checkpoint = &state->checkpoint;
  if (!fits(simulation, checkpoint))
    return st_fail(error, ST_BAD_INPUT,
                   "the state is of a scene with other bodies, contacts, boundaries or obstacles");
  recall_program(simulation, checkpoint);
  if (simulation->pending.rebuild)
    return st_pending_rebuild(simulation, checkpoint, error);
  return st_simulation_restore(simulation->simulation, checkpoint, error);
}

StStatus st_saved_keep(const StictionSimulation *simulation, StCheckpoint *checkpoint,
                       StError *error) {
  const StCheckpoint *start = &simulation->start->checkpoint;
  ST_TRY(keep_program(simulation, checkpoint, error));
  bool changed =
      checkpoint->program_count != start->program_count ||
      memcmp(checkpoint->program, start->program, start->program_count * sizeof(double)) != 0 ||
      has_own_functions(simulation);
  if (changed)
    return ST_OK;
  free(checkpoint->program);
  checkpoint->program = NULL;
  checkpoint->program_count = 0;
  return ST_OK;
}

static StStatus save(StictionSimulation *simulation, StictionState **state, StError *error) {
  ST_TRY(st_pending_settle(simulation, error));
  return st_saved_take(simulation, state, error);
}

StictionStatus stiction_simulation_save(StictionSimulation *simulation, StictionState **state) {
  ST_NEED(state);
  *state = NULL;
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(save(simulation, state, st_call_error()));
}

static StStatus go_to(StictionSimulation *simulation, const StictionState *state, StError *error) {
  ST_TRY(st_saved_give(simulation, state, error));
  return st_live_follow(simulation, st_record_jump(simulation, error), error);
}

StictionStatus stiction_simulation_restore(StictionSimulation *simulation,
                                           const StictionState *state) {
  ST_NEED(simulation);
  ST_NEED(state);
  ST_ENTER(simulation->session, ST_ALONE(simulation), ST_SHARED(state));
  return st_call_leave(go_to(simulation, state, st_call_error()));
}

StictionStatus stiction_simulation_reset(StictionSimulation *simulation) {
  ST_NEED(simulation);
  ST_ENTER(simulation->session, ST_ALONE(simulation));
  return st_call_leave(go_to(simulation, simulation->start, st_call_error()));
}

void stiction_state_free(StictionState *state) {
  if (state)
    st_call_release(&state->released);
}

double stiction_state_time(const StictionState *state) {
  return state ? state->checkpoint.time : NAN;
}

// No writer's files go with it.
static StStatus pack(const StictionState *state, const char *name, char **bytes, size_t *size,
                     StError *error) {
  StCheckpoint checkpoint = state->checkpoint;
  checkpoint.frame = -1;
  return st_checkpoint_pack(name, &checkpoint, &(StWritten){0}, bytes, size, error);
}

static StStatus unpack(const char *name, char *bytes, size_t size, StictionState **state,
                       StError *error) {
  StWritten written;
  ST_TRY_MEMORY(*state = make_state(), error);
  ST_TRY(st_checkpoint_unpack(name, bytes, size, &(*state)->checkpoint, &written, error));
  st_written_free(&written);
  return ST_OK;
}

// Other ranks hear of what the program keeps with the state; the rest goes where it is needed when
// the state is gone back to.
static StStatus share_program(StCheckpoint *checkpoint, StError *error) {
  bool root = st_runtime_rank() == 0;
  size_t *count = &checkpoint->program_count;
  st_runtime_share(0, &checkpoint->time, sizeof checkpoint->time);
  st_runtime_share(0, count, sizeof *count);
  if (!root)
    checkpoint->program = ST_NEW(double, *count);
  bool good = checkpoint->program && *count <= INT_MAX;
  ST_TRY(st_runtime_agree(good ? ST_OK : st_fail_memory(error), error));
  st_runtime_share(0, checkpoint->program, *count * sizeof(double));
  return ST_OK;
}

// Shares one rank's result with all. A state that none could make is freed.
static StStatus share(StictionState **state, StStatus status, StError *error) {
  status = st_runtime_agree(status, error);
  if (status == ST_OK && !*state)
    *state = make_state();
  status = st_runtime_agree(status != ST_OK || *state ? status : st_fail_memory(error), error);
  if (status == ST_OK && st_runtime_size() > 1)
    status = share_program(&(*state)->checkpoint, error);
  if (status != ST_OK) {
    st_saved_destroy(*state);
    *state = NULL;
  }
  return status;
}

StStatus st_saved_go_on(StictionSimulation *simulation, StCheckpoint *checkpoint, StError *error) {
  if (st_runtime_size() > 1)
    ST_TRY(share_program(checkpoint, error));
  StictionState state = {.checkpoint = *checkpoint};
  return st_saved_give(simulation, &state, error);
}

static StStatus write_state(const StictionState *state, const char *path, StError *error) {
  ST_FREE char *bytes = NULL;
  size_t size;
  StStatus status = ST_OK;
  if (st_runtime_rank() == 0) {
    status = pack(state, path, &bytes, &size, error);
    if (status == ST_OK)
      status = st_file_write(path, bytes, size, error);
  }
  return st_runtime_agree(status, error);
}

StictionStatus stiction_state_write(Stiction *session, const StictionState *state,
                                    const char *path) {
  ST_NEED(session);
  ST_NEED(state);
  ST_NEED(path);
  ST_ENTER(session, ST_SHARED(state));
  return st_call_leave(write_state(state, path, st_call_error()));
}

static StStatus read_state(const char *path, StictionState **state, StError *error) {
  ST_FREE char *bytes = NULL;
  size_t size;
  StStatus status = ST_OK;
  if (st_runtime_rank() == 0) {
    status = st_file_read(path, &bytes, &size, error);
    if (status == ST_OK)
      status = unpack(path, bytes, size, state, error);
  }
  return share(state, status, error);
}

StictionStatus stiction_state_read(Stiction *session, const char *path, StictionState **state) {
  ST_NEED(state);
  *state = NULL;
  ST_NEED(session);
  ST_NEED(path);
  ST_ENTER(session, ST_NOTHING);
  return st_call_leave(read_state(path, state, st_call_error()));
}

static StStatus give_bytes(StictionState *state, const void **bytes, size_t *size, StError *error) {
  StStatus status = ST_OK;
  if (!state->bytes && st_runtime_rank() == 0)
    status = pack(state, "state", &state->bytes, &state->size, error);
  ST_TRY(st_runtime_agree(status, error));
  *bytes = state->bytes;
  *size = state->size;
  return ST_OK;
}

StictionStatus stiction_state_bytes(Stiction *session, StictionState *state, const void **bytes,
                                    size_t *size) {
  ST_NEED(bytes);
  ST_NEED(size);
  *bytes = NULL;
  *size = 0;
  ST_NEED(session);
  ST_NEED(state);
  ST_ENTER(session, ST_ALONE(state));
  return st_call_leave(give_bytes(state, bytes, size, st_call_error()));
}

static StStatus take_bytes(const void *bytes, size_t size, StictionState **state, StError *error) {
  ST_FREE char *copy = NULL;
  StStatus status = ST_OK;
  if (st_runtime_rank() == 0) {
    copy = ST_NEW(char, size);
    status = copy ? ST_OK : st_fail_memory(error);
    if (copy) {
      memcpy(copy, bytes, size);
      status = unpack("state", copy, size, state, error);
    }
  }
  return share(state, status, error);
}

StictionStatus stiction_state_from_bytes(Stiction *session, const void *bytes, size_t size,
                                         StictionState **state) {
  ST_NEED(state);
  *state = NULL;
  ST_NEED(session);
  ST_NEED(bytes);
  ST_ENTER(session, ST_NOTHING);
  return st_call_leave(take_bytes(bytes, size, state, st_call_error()));
}
