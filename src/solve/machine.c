// The lowest rank of each machine makes the memory, and all ranks there write into it; the lowest
// ranks then send each other what their machines wrote.
// Tested by tests/parallel/test_machine_ranks.c.
#include "solve/machine.h"

#include "base/memory.h"
#include "solve/communicator.h"
#include "solve/runtime.h"

// Bytes per message: MPI counts with an int.
enum { PIECE = 1 << 28, ALIGNMENT = 64 };

typedef struct Machine {
  MPI_Comm inside;  // ranks that share memory, …
  MPI_Comm leaders; // … and the lowest of each such group; the others are in none
  bool leads;
} Machine;

static bool leads(MPI_Comm inside) {
  int rank;
  MPI_Comm_rank(inside, &rank);
  return rank == 0;
}

static void leave(Machine *machine) {
  if (machine->inside != MPI_COMM_NULL)
    MPI_Comm_free(&machine->inside);
  if (machine->leaders != MPI_COMM_NULL)
    MPI_Comm_free(&machine->leaders);
}

// Everyone on the machine joins what its leader made; false: somebody could not.
static bool join(const Machine *machine, size_t size, StSharedHandle *handle, StShared **shared) {
  MPI_Bcast(handle, (int)sizeof *handle, MPI_BYTE, 0, machine->inside);
  bool good = machine->leads || st_shared_join(size, handle, shared, NULL) == ST_OK;
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_C_BOOL, MPI_LAND, machine->inside);
  return good;
}

// As if every rank had a machine of its own.
static StStatus stay_alone(Machine *machine, size_t size, StShared **shared, StError *error) {
  StSharedHandle handle;
  MPI_Comm_free(&machine->inside);
  MPI_Comm_dup(MPI_COMM_SELF, &machine->inside);
  if (machine->leads)
    return ST_OK;
  st_shared_destroy(*shared);
  *shared = NULL;
  machine->leads = true;
  return st_shared_create(size, shared, &handle, error);
}

static StStatus meet(Machine *machine, size_t size, StShared **shared, StError *error) {
  StSharedHandle handle = {0};
  MPI_Comm_split_type(st_communicator(), MPI_COMM_TYPE_SHARED, st_runtime_rank(), MPI_INFO_NULL,
                      &machine->inside);
  machine->leads = leads(machine->inside);
  StStatus status = machine->leads ? st_shared_create(size, shared, &handle, error) : ST_OK;
  ST_TRY(st_runtime_agree(status, error));
  status = join(machine, size, &handle, shared) ? ST_OK : stay_alone(machine, size, shared, error);
  ST_TRY(st_runtime_agree(status, error));
  MPI_Comm_split(st_communicator(), machine->leads ? 0 : MPI_UNDEFINED, st_runtime_rank(),
                 &machine->leaders);
  return ST_OK;
}

// Which leader has what each rank wrote: its number among the leaders. home: [ranks].
static void find_homes(const Machine *machine, int *home) {
  int mine = 0;
  if (machine->leads)
    MPI_Comm_rank(machine->leaders, &mine);
  MPI_Bcast(&mine, 1, MPI_INT, 0, machine->inside);
  MPI_Allgather(&mine, 1, MPI_INT, home, 1, MPI_INT, st_communicator());
}

// offset: [ranks + 1].
static void swap(const Machine *machine, const int *home, const size_t *offset, char *bytes) {
  int machines = 1;
  if (machine->leads)
    MPI_Comm_size(machine->leaders, &machines);
  for (int r = 0; r < st_runtime_size() && machines > 1; r++)
    for (size_t at = offset[r]; at < offset[r + 1]; at += PIECE) {
      size_t left = offset[r + 1] - at;
      MPI_Bcast(bytes + at, (int)(left < PIECE ? left : PIECE), MPI_BYTE, home[r],
                machine->leaders);
    }
  MPI_Barrier(machine->inside);
}

// offset: [ranks + 1] from the sizes of all.
static void add_up(size_t size, size_t *offset) {
  unsigned long long mine = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  _Static_assert(sizeof mine == sizeof *offset, "sizes are sent as they are");
  MPI_Allgather(&mine, 1, MPI_UNSIGNED_LONG_LONG, offset, 1, MPI_UNSIGNED_LONG_LONG,
                st_communicator());
  size_t sum = 0;
  for (int r = 0; r <= st_runtime_size(); r++) {
    size_t next = sum + (r < st_runtime_size() ? offset[r] : 0);
    offset[r] = sum;
    sum = next;
  }
}

static StStatus share(size_t *offset, int *home, StFill *fill, void *context, StShared **shared,
                      StError *error) {
  Machine machine = {MPI_COMM_NULL, MPI_COMM_NULL, false};
  StStatus status = meet(&machine, offset[st_runtime_size()], shared, error);
  if (status == ST_OK) {
    fill(context, (*shared)->bytes + offset[st_runtime_rank()]);
    MPI_Barrier(machine.inside);
    find_homes(&machine, home);
    swap(&machine, home, offset, (*shared)->bytes);
    st_shared_seal(*shared);
  }
  leave(&machine);
  return status;
}

StStatus st_machine_share(size_t size, StFill *fill, void *context, StShared **shared,
                          size_t **offset, StError *error) {
  int ranks = st_runtime_size(), *home = ST_NEW(int, ranks);
  StShared *made = NULL;
  *offset = ST_NEW(size_t, ranks + 1);
  StStatus status = st_runtime_agree(*offset && home ? ST_OK : st_fail_memory(error), error);
  if (status == ST_OK) {
    add_up(size, *offset);
    status = share(*offset, home, fill, context, &made, error);
  }
  free(home);
  if (status == ST_OK) {
    *shared = made;
    return ST_OK;
  }
  st_shared_destroy(made);
  free(*offset);
  *offset = NULL;
  return status;
}
