// All commands, and the rest of `stiction --help`: shared by main.c, the manual and completion.
#include "app/command.h"

#include <stddef.h>

const StCommand *const st_commands[] = {
    &st_command_run,        &st_command_sweep,      &st_command_fit,
    &st_command_check,      &st_command_resume,     &st_command_stop,
    &st_command_mesh,       &st_command_list,       &st_command_schema,
    &st_command_verify,     &st_command_experiment, &st_command_view,
    &st_command_export,     &st_command_import,     &st_command_plot,
    &st_command_completion, &st_command_manual,     NULL,
};

const char st_help_introduction[] =
    "stiction: soft solids, cloth and inflated shells in contact, solved fully implicitly\n"
    "\n"
    "Usage: stiction COMMAND [ARGUMENTS]\n"
    "       mpiexec -n N stiction run SCENE.json      the same on N processes\n"
    "\n"
    "Commands:\n";

const char st_help_conclusion[] =
    "\n"
    "`stiction help COMMAND` or `stiction COMMAND --help` explains a command; `stiction "
    "--version`\n"
    "prints the version.\n"
    "\n"
    "Exit codes:\n"
    "  0    success\n"
    "  2    the scene, a file or the command line is wrong; the message says what would be right\n"
    "  3    the system failed: memory, disk, MPI\n"
    "  4    a step could not be solved (what was computed until then is saved), a case of\n"
    "       `stiction verify` failed, or `stiction fit` found no definite values\n"
    "  5    a bug in stiction; please report it\n"
    "  6    with --strict: the run finished, but the judge found something passing through,\n"
    "       inside or inverted\n"
    "  130  interrupted; saved, and `stiction resume` continues\n"
    "\n"
    "Examples:\n"
    "  stiction run examples/swing.json --out out/swing\n"
    "  stiction check examples/swing.json\n"
    "  stiction list materials\n";

void st_help_text(StText *text) {
  st_text_add(text, "%s", st_help_introduction);
  for (int i = 0; st_commands[i]; i++)
    if (!st_commands[i]->hidden)
      st_text_add(text, "  %-10s %s\n", st_commands[i]->name, st_commands[i]->summary);
  st_text_add(text, "%s", st_help_conclusion);
}
