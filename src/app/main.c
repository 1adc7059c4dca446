// The program: finds the command, answers the calls for help, hands over.
#include "app/command.h"
#include "app/options.h"
#include "base/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static const StCommand *const commands[] = {
    &st_command_run,        &st_command_sweep, &st_command_check,  &st_command_resume,
    &st_command_mesh,       &st_command_list,  &st_command_schema, &st_command_verify,
    &st_command_experiment, &st_command_view,  &st_command_export, &st_command_plot,
};

static const char introduction[] =
    "stiction: soft solids, cloth and inflated shells in contact, solved fully implicitly\n"
    "\n"
    "Usage: stiction COMMAND [ARGUMENTS]\n"
    "       mpiexec -n N stiction run SCENE.json      the same on N processes\n"
    "\n"
    "Commands:\n";

static const char conclusion[] =
    "\n"
    "`stiction help COMMAND` or `stiction COMMAND --help` tells more; `stiction --version` the\n"
    "version.\n"
    "\n"
    "Exit codes:\n"
    "  0    all is well\n"
    "  2    the scene, a file or the command line is wrong; the message says what would be right\n"
    "  3    the system failed: memory, disk, MPI\n"
    "  4    a step could not be solved (what was computed until then is saved), or a case of\n"
    "       `stiction verify` falls short\n"
    "  5    a fault in stiction itself; please report it\n"
    "  6    with --strict: the run came to its end, but the judge found something passing "
    "through,\n"
    "       inside or inverted\n"
    "  130  interrupted; saved, and `stiction resume` goes on\n"
    "\n"
    "Examples:\n"
    "  stiction run examples/swing.json --out out/swing\n"
    "  stiction check examples/swing.json\n"
    "  stiction list materials\n";

static void print_help(void) {
  if (!st_command_speaks())
    return;
  fputs(introduction, stdout);
  for (int i = 0; i < ST_LENGTH(commands); i++)
    if (!commands[i]->hidden)
      printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
  fputs(conclusion, stdout);
}

static const StCommand *find_command(const char *name) {
  for (int i = 0; i < ST_LENGTH(commands); i++)
    if (strcmp(commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

static int fail_unknown(const char *name) {
  const char *names[ST_LENGTH(commands) + 1];
  for (int i = 0; i < ST_LENGTH(commands); i++)
    names[i] = commands[i]->name;
  names[ST_LENGTH(commands)] = "help";
  const char *nearest = st_nearest_name(name, names, ST_LENGTH(names));
  if (st_command_speaks()) {
    fprintf(stderr, "stiction: there is no command '%s'", name);
    if (nearest)
      fprintf(stderr, "; did you mean '%s'?", nearest);
    fputs("\nSee `stiction --help`.\n", stderr);
  }
  return ST_EXIT_BAD_INPUT;
}

static bool wants_help(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
      return true;
  return false;
}

static int explain(const char *name) {
  const StCommand *command = find_command(name);
  if (!command)
    return fail_unknown(name);
  StText more = {0};
  if (command->more)
    command->more(&more);
  if (st_command_speaks())
    printf("%s%s", command->usage, more.data ? more.data : "");
  st_text_free(&more);
  return ST_EXIT_GOOD;
}

// A full disk or a closed pipe shows only when the last bytes leave.
static int finish(int code) {
  bool lost = fflush(stdout) != 0 || ferror(stdout);
  if (!lost || code != ST_EXIT_GOOD)
    return code;
  fputs("stiction: the output could not be written\n", stderr);
  return ST_EXIT_SYSTEM_FAULT;
}

// Files opened later must not get the numbers of standard streams that somebody closed: messages
// would end up in them. What takes the place cannot be written (or read): that is still told.
static bool hold_streams(void) {
  for (int stream = 0; stream <= 2; stream++)
    if (fcntl(stream, F_GETFD) == -1 &&
        open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream)
      return false;
  return true;
}

int main(int argc, char **argv) {
  if (!hold_streams())
    return ST_EXIT_SYSTEM_FAULT;
  const char *word = argc > 1 ? argv[1] : NULL;
  if (!word) {
    print_help();
    return ST_EXIT_BAD_INPUT;
  }
  if (strcmp(word, "--version") == 0) {
    printf("stiction %s\n", STICTION_VERSION);
    return finish(ST_EXIT_GOOD);
  }
  bool help = strcmp(word, "help") == 0;
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (help && argc == 2)) {
    print_help();
    return finish(ST_EXIT_GOOD);
  }
  if (help)
    return finish(explain(argv[2]));
  const StCommand *command = find_command(word);
  if (!command)
    return fail_unknown(word);
  if (!command->answers_help && wants_help(argc - 1, argv + 1))
    return finish(explain(command->name));
  return finish(command->run(argc - 1, argv + 1));
}
