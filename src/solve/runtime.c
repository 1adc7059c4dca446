// Start and stop of MPI and PETSc.
// Tested by tests/parallel/test_solve_ranks.c.
#include "solve/runtime.h"

#include "solve/communicator.h"
#include "solve/lapack.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <petscsys.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Libraries that may be loaded: OpenBLAS and an OpenMP runtime default to one thread per core,
// which makes the small kernels of a sparse factorisation crawl. Their functions are looked up by
// name: linkers differ in what they make of weak symbols, and mold drops these. NULL: there is no
// such function.
typedef void (*Function)(void);

static Function find_function(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  Function function;
  memcpy(&function, &found, sizeof function);
  return function;
}

static int ask_for_number(const char *name, int otherwise) {
  int (*ask)(void) = (int (*)(void))find_function(name);
  return ask ? ask() : otherwise;
}

static void set_number(const char *name, int number) {
  void (*set)(int) = (void (*)(int))find_function(name);
  if (set)
    set(number);
}

// OpenBLAS works in a buffer it maps with its first product (128 MB on most machines) and asks for
// without end when it gets none: a run under a limit of memory would hang in the middle. So there
// must be room for it, with some to spare, and it is taken at once; the library then keeps it.
enum { BLAS_ROOM = 192 << 20, PRODUCT = 128 };

static void multiply_once(double *room) {
  static const int n = PRODUCT;
  static const double one = 1, zero = 0;
  size_t size = (size_t)PRODUCT * PRODUCT;
  dgemm_("N", "N", &n, &n, &n, &one, room, &n, room + size, &n, &zero, room + 2 * size, &n);
}

static StStatus take_blas_buffer(StError *error) {
  if (!find_function("openblas_set_num_threads"))
    return ST_OK; // another BLAS
  void *room = mmap(NULL, BLAS_ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED)
    return st_fail(error, ST_SYSTEM_FAULT,
                   "out of memory: linear algebra (OpenBLAS) needs %d MB to start with: %s; raise "
                   "the limit of memory (ulimit -v), if there is one",
                   BLAS_ROOM >> 20, strerror(errno));
  munmap(room, BLAS_ROOM);
  double *factors = calloc(3 * (size_t)PRODUCT * PRODUCT, sizeof(double));
  if (!factors)
    return st_fail_memory(error);
  multiply_once(factors);
  free(factors);
  return ST_OK;
}

bool st_runtime_blas_is_shared(void) {
  return ask_for_number("openblas_get_parallel", 1) != 0; // 0: built for one thread
}

// Whether nothing like mpiexec has started this process among others.
static bool started_alone(void) {
  static const char *const sign[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMI_FD",
                                     "PMIX_RANK"};
  for (size_t i = 0; i < sizeof sign / sizeof *sign; i++)
    if (getenv(sign[i]))
      return false;
  return true;
}

// What the process had before, and has again once MPI runs: nothing of it is the host's wish.
// Open MPI catches signals for its stack traces, and leaves variables in the environment that
// would lead astray what the host starts later, such as an mpiexec of its own.
enum { SETTINGS = 3 };
static const char *const SETTING[SETTINGS][2] = {
    {"OMPI_MCA_ess_singleton_isolated", "1"}, {"OMPI_MCA_pml", "ob1"}, {"OMPI_MCA_btl", "self"}};

extern char **environ;

typedef struct Host {
  char **entry; // [entry_count] the environment as it was
  int entry_count;
  struct sigaction action[NSIG];
} Host;

// A process started without mpiexec needs no daemon and no network: 0.1 s instead of 0.4 s.
static void borrow_host(Host *host) {
  int running = 0;
  MPI_Initialized(&running);
  *host = (Host){0};
  while (environ && environ[host->entry_count])
    host->entry_count++;
  host->entry = calloc((size_t)host->entry_count + 1, sizeof *host->entry);
  for (int i = 0; i < host->entry_count && host->entry; i++)
    host->entry[i] = environ[i];
  for (int i = 0; i < SETTINGS && !running && started_alone(); i++)
    setenv(SETTING[i][0], SETTING[i][1], 0);
  for (int signal = 1; signal < NSIG; signal++)
    sigaction(signal, NULL, &host->action[signal]);
}

static bool had(const Host *host, const char *entry) {
  size_t length = strcspn(entry, "=") + 1;
  for (int i = 0; i < host->entry_count; i++)
    if (strncmp(host->entry[i], entry, length) == 0)
      return true;
  return false;
}

static void return_host(Host *host) {
  for (int i = 0; host->entry && environ && environ[i];) {
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(environ[i], "="), environ[i]);
    if (had(host, environ[i]) || strlen(name) + 1 == sizeof name || unsetenv(name) != 0)
      i++;
  }
  free(host->entry);
  for (int signal = 1; signal < NSIG; signal++)
    sigaction(signal, &host->action[signal], NULL);
}

// The runtime is the process's, as MPI and PETSc are. It starts and stops while nothing else of the
// library runs, and MPI, in a process that works alone, while one thread has PETSc for itself.
static struct {
  bool running;
  atomic_bool mpi; // with MPI and PETSc; else one process alone
  bool own_petsc;  // was started here, not by the program
  pid_t process;   // that has started MPI
  MPI_Comm world;
  int rank, size; // 0 and 0 without MPI
} runtime;

static StStatus start_petsc(MPI_Comm like, StError *error) {
  Host host;
  PETSC_MPI_THREAD_REQUIRED = MPI_THREAD_SERIALIZED; // calls may come from several threads in turn
  // The user's PETSc settings for other programs must not change our results.
  PetscOptionsSetValue(NULL, "-skip_petscrc", "true");
  PetscOptionsSetValue(NULL, "-no_signal_handler", "true");
  if (like != MPI_COMM_NULL)
    PETSC_COMM_WORLD = like;
  borrow_host(&host);
  bool good = PetscInitializeNoArguments() == 0;
  return_host(&host);
  return good ? ST_OK : st_fail(error, ST_SYSTEM_FAULT, "PETSc and MPI could not be started");
}

static bool is_same(MPI_Comm like) {
  int relation = MPI_UNEQUAL, size = 0;
  if (runtime.mpi)
    MPI_Comm_compare(like, runtime.world, &relation);
  else
    MPI_Comm_size(like, &size);
  return size == 1 || relation == MPI_IDENT || relation == MPI_CONGRUENT;
}

static StStatus check_again(MPI_Comm like, StError *error) {
  if (like == MPI_COMM_NULL || is_same(like))
    return ST_OK;
  return st_fail(error, ST_BAD_INPUT,
                 "a session of this process has another communicator; all must have the same");
}

// like: MPI_COMM_NULL: all processes.
static StStatus start_mpi(MPI_Comm like, StError *error) {
  PetscBool running = PETSC_FALSE;
  PetscInitialized(&running);
  if (!running)
    ST_TRY(start_petsc(like, error));
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  // Of our own, so that no message meets one of the program's.
  MPI_Comm_dup(like == MPI_COMM_NULL ? MPI_COMM_WORLD : like, &runtime.world);
  runtime.own_petsc = !running;
  runtime.process = getpid();
  if (!runtime.running) { // started later it is for this process alone, as it was before
    MPI_Comm_rank(runtime.world, &runtime.rank);
    MPI_Comm_size(runtime.world, &runtime.size);
  }
  runtime.mpi = true;
  return ST_OK;
}

StStatus st_runtime_need_mpi(StError *error) {
  int started = 0, stopped = 0;
  if (runtime.mpi)
    return ST_OK;
  MPI_Initialized(&started);
  MPI_Finalized(&stopped);
  if (stopped)
    return st_fail(
        error, ST_SYSTEM_FAULT,
        "MUMPS and multigrid need MPI, which has been stopped in this process and cannot "
        "be started again");
  // The program may have started it meanwhile, among others.
  return start_mpi(started ? MPI_COMM_SELF : MPI_COMM_NULL, error);
}

MPI_Comm st_communicator(void) {
  return st_runtime_need_mpi(NULL) == ST_OK ? runtime.world : MPI_COMM_SELF;
}

StStatus st_runtime_start_on(const void *communicator, StError *error) {
  MPI_Comm like = communicator ? *(const MPI_Comm *)communicator : MPI_COMM_NULL;
  int started = 0, stopped = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&stopped);
  if (communicator && (!started || stopped || like == MPI_COMM_NULL))
    return st_fail(error, ST_BAD_INPUT, "there is no communicator before MPI_Init");
  if (runtime.running)
    return check_again(like, error);
  if (stopped && !started_alone())
    return st_fail(error, ST_SYSTEM_FAULT,
                   "MPI has been stopped in this process and cannot be started again");
  st_runtime_calm_blas();
  ST_TRY(take_blas_buffer(error));
  if ((started && !stopped) || !started_alone())
    ST_TRY(start_mpi(like, error));
  runtime.running = true;
  return ST_OK;
}

StStatus st_runtime_start(StError *error) {
  return st_runtime_start_on(NULL, error);
}

bool st_runtime_is_here(void) {
  return runtime.running && !st_runtime_was_forked();
}

bool st_runtime_was_forked(void) {
  return runtime.mpi && runtime.process != getpid();
}

void st_runtime_stop(void) {
  if (!st_runtime_is_here())
    return;
  runtime.running = false;
  if (!runtime.mpi)
    return;
  runtime.mpi = false;
  runtime.rank = runtime.size = 0;
  MPI_Comm_free(&runtime.world);
  PetscPopErrorHandler();
  if (runtime.own_petsc)
    PetscFinalize();
}

int st_runtime_calm_blas(void) {
  int before = ask_for_number("openblas_get_num_threads", 0);
  set_number("openblas_set_num_threads", 1);
  return before;
}

void st_runtime_wake_blas(int before) {
  if (before > 1)
    set_number("openblas_set_num_threads", before);
}

int st_runtime_calm_openmp(void) {
  int before = ask_for_number("omp_get_max_threads", 0);
  set_number("omp_set_num_threads", 1);
  return before;
}

void st_runtime_wake_openmp(int before) {
  if (before > 1)
    set_number("omp_set_num_threads", before);
}

int st_runtime_rank(void) {
  return runtime.rank;
}

int st_runtime_size(void) {
  return runtime.size > 0 ? runtime.size : 1;
}

StStatus st_runtime_agree(StStatus mine, StError *error) {
  if (st_runtime_size() == 1)
    return mine;
  struct {
    int status, rank;
  } local = {(int)mine, st_runtime_rank()}, worst;
  MPI_Allreduce(&local, &worst, 1, MPI_2INT, MPI_MAXLOC, st_communicator());
  if (worst.status == ST_OK)
    return ST_OK;
  StError scratch = {0};
  StError *agreed = error ? error : &scratch;
  MPI_Bcast(agreed->text, (int)sizeof agreed->text, MPI_CHAR, worst.rank, st_communicator());
  agreed->status = (StStatus)worst.status;
  return agreed->status;
}

static void reduce(void *values, int count, MPI_Datatype type, MPI_Op operation) {
  if (count > 0 && st_runtime_size() > 1)
    MPI_Allreduce(MPI_IN_PLACE, values, count, type, operation, st_communicator());
}

void st_runtime_sum_all(void *values, int count) {
  reduce(values, count, MPI_DOUBLE, MPI_SUM);
}

void st_runtime_max_all(double *values, int count) {
  reduce(values, count, MPI_DOUBLE, MPI_MAX);
}

void st_runtime_min_all(double *values, int count) {
  reduce(values, count, MPI_DOUBLE, MPI_MIN);
}

void st_runtime_any_all(bool *values, int count) {
  reduce(values, count, MPI_C_BOOL, MPI_LOR);
}

double st_runtime_sum(double mine) {
  st_runtime_sum_all(&mine, 1);
  return mine;
}

// MPI's maximum would lose a NaN.
double st_runtime_max(double mine) {
  double most = isnan(mine) ? INFINITY : mine;
  st_runtime_max_all(&most, 1);
  return most;
}

bool st_runtime_any(bool mine) {
  st_runtime_any_all(&mine, 1);
  return mine;
}

int st_runtime_least(int mine) {
  reduce(&mine, 1, MPI_INT, MPI_MIN);
  return mine;
}

void st_runtime_largest(double *value, int *label) {
  struct {
    double value;
    int label;
  } largest = {*value, *label};
  reduce(&largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC);
  *value = largest.value;
  *label = largest.label;
}

void st_runtime_share(int rank, void *values, size_t size) {
  enum { AT_ONCE = 1 << 30 }; // the length of a message is an int
  for (size_t at = 0; at < size && st_runtime_size() > 1; at += AT_ONCE) {
    size_t part = size - at < AT_ONCE ? size - at : AT_ONCE;
    MPI_Bcast((char *)values + at, (int)part, MPI_BYTE, rank, st_communicator());
  }
}

void st_runtime_versions(char *petsc, char *mpi, size_t size) {
  char words[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0, major = 0, minor = 0, patch = 0;
  PetscGetVersionNumber(&major, &minor, &patch, NULL);
  MPI_Get_library_version(words, &length);
  snprintf(petsc, size, "%d.%d.%d", major, minor, patch);
  snprintf(mpi, size, "%.*s", (int)strcspn(words, ","), words);
}
