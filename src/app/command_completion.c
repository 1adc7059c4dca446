// `stiction completion`: what a shell needs to complete commands and options, from the same texts
// as
// --help.
#include "app/command.h"
#include "app/options.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The next "--name" that begins a line of options; *length without the dashes. NULL: none left.
static const char *next_option(const char *text, size_t *length) {
  while ((text = strstr(text, "\n  -"))) {
    text += 3;
    const char *end = text + strcspn(text, "\n"), *at = strstr(text, "--");
    if (!at || at > end || (at != text && at > text + 4)) // "-o, --out" or "--out"
      continue;
    *length = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-_");
    if (*length > 0)
      return at + 2;
  }
  return NULL;
}

static void add_options(StText *text, const StCommand *command, const char *before,
                        const char *after) {
  size_t length;
  for (const char *at = command->usage; (at = next_option(at, &length));)
    st_text_add(text, "%s%.*s%s", before, (int)length, at, after);
}

static void add_commands(StText *text, const char *after) {
  for (int i = 0; st_commands[i]; i++)
    if (!st_commands[i]->hidden)
      st_text_add(text, "%s%s", st_commands[i]->name, after);
  st_text_add(text, "help");
}

static void add_bash(StText *text) {
  st_text_add(text, "# Completion of stiction in bash: source <(stiction completion bash)\n"
                    "_stiction() {\n"
                    "  local word=${COMP_WORDS[COMP_CWORD]} options=\n"
                    "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                    "    COMPREPLY=($(compgen -W \"");
  add_commands(text, " ");
  st_text_add(text, "\" -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  for (int i = 0; st_commands[i]; i++) {
    st_text_add(text, "  %s) options='", st_commands[i]->name);
    add_options(text, st_commands[i], "--", " ");
    st_text_add(text, "' ;;\n");
  }
  st_text_add(text, "  help) options='");
  add_commands(text, " ");
  st_text_add(text, "' ;;\n  esac\n"
                    "  case $word in\n"
                    "  -*) COMPREPLY=($(compgen -W \"$options --help\" -- \"$word\")) ;;\n"
                    "  *) COMPREPLY=($(compgen -f -- \"$word\"))\n"
                    "     [ \"${COMP_WORDS[1]}\" != help ] || COMPREPLY=($(compgen -W \"$options\" "
                    "-- \"$word\")) ;;\n"
                    "  esac\n"
                    "}\n"
                    "complete -o filenames -F _stiction stiction\n");
}

static void add_zsh(StText *text) {
  st_text_add(text, "#compdef stiction\n"
                    "# Completion of stiction in zsh.\n"
                    "_stiction() {\n"
                    "  if (( CURRENT == 2 )); then\n"
                    "    local -a commands=(");
  for (int i = 0; st_commands[i]; i++)
    if (!st_commands[i]->hidden)
      st_text_add(text, "\n      '%s:%s'", st_commands[i]->name, st_commands[i]->summary);
  st_text_add(text, ")\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n");
  for (int i = 0; st_commands[i]; i++) {
    st_text_add(text, "  %s) compadd -- ", st_commands[i]->name);
    add_options(text, st_commands[i], "--", " ");
    st_text_add(text, "--help ;;\n");
  }
  st_text_add(text, "  esac\n  _files\n}\n_stiction \"$@\"\n");
}

static void add_fish(StText *text) {
  st_text_add(text, "# Completion of stiction in fish.\n");
  for (int i = 0; st_commands[i]; i++) {
    const char *name = st_commands[i]->name;
    char before[160];
    if (!st_commands[i]->hidden)
      st_text_add(text, "complete -c stiction -n __fish_use_subcommand -a %s -d \"%s\"\n", name,
                  st_commands[i]->summary);
    snprintf(before, sizeof before, "complete -c stiction -n '__fish_seen_subcommand_from %s' -l ",
             name);
    add_options(text, st_commands[i], before, "\n");
  }
}

typedef struct Shell {
  const char *name;
  void (*add)(StText *text);
} Shell;

static const Shell SHELLS[] = {{"bash", add_bash}, {"zsh", add_zsh}, {"fish", add_fish}};

static int run_completion(int argc, char **argv) {
  const char *name = NULL;
  int operands;
  StError error;
  if (st_options_parse(argc, argv, NULL, 0, &name, 1, &operands, &error) != ST_OK)
    return st_command_misused("completion", "%s", error.text);
  for (int i = 0; i < ST_LENGTH(SHELLS) && name; i++) {
    if (strcmp(SHELLS[i].name, name) != 0)
      continue;
    ST_FINALLY(st_text_free) StText text = {0};
    SHELLS[i].add(&text);
    return st_command_print(&text);
  }
  return st_command_misused("completion", "one of the shells bash, zsh and fish is needed");
}

const StCommand st_command_completion = {
    .name = "completion",
    .summary = "print the completion script for bash, zsh or fish",
    .usage = "Usage: stiction completion bash|zsh|fish\n"
             "\n"
             "Prints the completion script of a shell; `make install` installs all three.\n"
             "\n"
             "Examples:\n"
             "  source <(stiction completion bash)\n"
             "  stiction completion zsh >~/.zfunc/_stiction\n"
             "  stiction completion fish >~/.config/fish/completions/stiction.fish\n",
    .run = run_completion,
};
