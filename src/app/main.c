// The program: finds the command, handles requests for help, calls it.
#include "app/command.h"
#include "app/options.h"
#include "base/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static void print_help(void) {
  ST_FINALLY(st_text_free) StText text = {0};
  st_help_text(&text);
  if (st_command_prints() && !text.failed)
    fputs(text.data, stdout);
}

static const StCommand *find_command(const char *name) {
  for (int i = 0; st_commands[i]; i++)
    if (strcmp(st_commands[i]->name, name) == 0)
      return st_commands[i];
  return NULL;
}

static int fail_unknown(const char *name) {
  const char *names[64];
  int count = 0;
  for (int i = 0; st_commands[i] && count < ST_LENGTH(names) - 1; i++)
    if (!st_commands[i]->hidden)
      names[count++] = st_commands[i]->name;
  names[count++] = "help";
  StError error;
  st_fail_name("command", name, names, count, &error);
  if (st_command_prints())
    fprintf(stderr, "stiction: %s\nSee `stiction --help`.\n", error.text);
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
  ST_FINALLY(st_text_free) StText more = {0};
  if (command->more)
    command->more(&more);
  if (st_command_prints())
    printf("%s%s", command->usage, more.data ? more.data : "");
  return ST_EXIT_GOOD;
}

// A full disk or a closed pipe shows only when the last bytes are written.
static int finish(int code) {
  bool lost = fflush(stdout) != 0 || ferror(stdout);
  if (!lost || code != ST_EXIT_GOOD)
    return code;
  fputs("stiction: the output could not be written\n", stderr);
  return ST_EXIT_SYSTEM_FAULT;
}

// Files opened later must not get the descriptors of standard streams that were closed: messages
// would end up in them. The placeholders cannot be written (or read), so the failure is still
// reported.
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
