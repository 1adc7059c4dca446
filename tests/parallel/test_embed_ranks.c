// A program with its own MPI: some of its processes share a session on their own communicator, and
// the program's state is unchanged.
#include "api/session.h"

#include <mpi.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));

static const char DROP[] =
    "{ \"materials\": { \"gum\": { \"young\": \"1 MPa\", \"poisson\": 0.4, \"density\": 1000 } },"
    "\"bodies\": { \"brick\": { \"shape\": { \"type\": \"box\", \"size_x\": 0.1, \"size_y\": 0.1,"
    " \"size_z\": 0.1, \"edge\": 0.05 } } }, \"obstacles\": { \"floor\": { \"shape\": {"
    " \"type\": \"half_space\" }, \"translate\": [0, 0, -0.06] } },"
    "\"time\": { \"duration\": 1, \"step\": \"10 ms\" } }";

static int rank, size;
static MPI_Comm part;

static int count_environment(void) {
  int count = 0;
  while (environ[count])
    count++;
  return count;
}

static void note(int number) {
  (void)number;
}

static void the_host_is_left_alone(void **state) {
  (void)state;
  struct sigaction own = {.sa_handler = note}, now;
  sigaction(SIGSEGV, &own, NULL);
  sigaction(SIGINT, &own, NULL);
  int before = count_environment();
  if (openblas_set_num_threads)
    openblas_set_num_threads(2);
  int threads = openblas_get_num_threads ? openblas_get_num_threads() : 0;
  Stiction *session = NULL, *second = NULL;
  StictionOptions options = {.size = sizeof options, .communicator = &part};
  must(NULL, stiction_open_with(&options, &session));
  must(NULL, stiction_open(&second)); // of the same communicator
  MPI_Comm other = MPI_COMM_SELF;
  int part_size;
  MPI_Comm_size(part, &part_size);
  options.communicator = &other;
  Stiction *third = NULL;
  if (part_size > 1)
    must_fail(NULL, stiction_open_with(&options, &third), STICTION_BAD_INPUT, "communicator");
  options.size = 3;
  must_fail(NULL, stiction_open_with(&options, &third), STICTION_BAD_INPUT, "sizeof");
  assert_int_equal(count_environment(), before);
  sigaction(SIGSEGV, NULL, &now);
  assert_true(now.sa_handler == note);
  sigaction(SIGINT, NULL, &now);
  assert_true(now.sa_handler == note);
  StictionScene *scene = parse_scene(session, DROP);
  StictionSimulation *simulation = start(session, scene);
  must(session, stiction_simulation_advance(simulation, rank % 2 ? 0.1 : 0.3)); // each its own
  assert_near(stiction_simulation_time(simulation), rank % 2 ? 0.1 : 0.3, 1e-12);
  assert_int_equal(stiction_rank(session), rank / 2);
  pid_t child = fork(); // which has no MPI
  if (child == 0) {
    bool refused = stiction_simulation_step(simulation) == STICTION_BAD_INPUT &&
                   strstr(stiction_error(session), "had started MPI");
    stiction_simulation_free(simulation);
    stiction_close(session);
    _exit(refused ? 0 : 1);
  }
  int code = 1;
  assert_true(waitpid(child, &code, 0) == child && WIFEXITED(code) && WEXITSTATUS(code) == 0);
  if (threads)
    assert_int_equal(openblas_get_num_threads(), threads);
  finish(scene, simulation);
  stiction_close(second);
  stiction_close(session);
  int stopped = 1;
  MPI_Finalized(&stopped);
  assert_false(stopped);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int count, char **word) {
  MPI_Init(&count, &word);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_host_is_left_alone)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Comm_free(&part);
  MPI_Finalize();
  return failed;
}
