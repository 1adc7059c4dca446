// `stiction manual`: man pages, made from the same texts as --help.
#include "app/command.h"
#include "app/options.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Kind of the lines that follow.
typedef enum Part { SYNOPSIS, WORDS, OPTIONS, VERBATIM } Part;

typedef struct Page {
  StText *text;
  Part part;
  bool open; // copying lines verbatim
} Page;

// Text with roff's special characters escaped.
static void add_escaped(StText *text, const char *line, size_t length) {
  if (length > 0 && (line[0] == '.' || line[0] == '\''))
    st_text_add(text, "\\&");
  for (size_t i = 0; i < length; i++) {
    if (line[i] == '\\')
      st_text_add(text, "\\e");
    else if (line[i] == '-')
      st_text_add(text, "\\-");
    else
      st_text_add_bytes(text, &line[i], 1);
  }
}

static void copy_as_is(Page *page, bool open) {
  if (open != page->open)
    st_text_add(page->text, open ? ".nf\n" : ".fi\n");
  page->open = open;
}

static void begin_part(Page *page, Part part, const char *title, size_t length) {
  copy_as_is(page, false);
  st_text_add(page->text, ".SH ");
  for (size_t i = 0; i < length; i++)
    st_text_add(page->text, "%c", toupper((unsigned char)title[i]));
  st_text_add(page->text, "\n");
  page->part = part;
}

// A line such as "Options of fill:".
static bool is_heading(const char *line, size_t length) {
  return length > 1 && isupper((unsigned char)line[0]) && line[length - 1] == ':' &&
         !memchr(line, '.', length);
}

// "  --out DIR     where the results go": the name ends at two spaces.
static void add_option(Page *page, const char *line, size_t length) {
  size_t name = 2;
  while (name < length && !(line[name] == ' ' && name + 1 < length && line[name + 1] == ' '))
    name++;
  st_text_add(page->text, ".TP\n.B ");
  add_escaped(page->text, line + 2, name - 2);
  while (name < length && line[name] == ' ')
    name++;
  st_text_add(page->text, "\n");
  add_escaped(page->text, line + name, length - name);
  st_text_add(page->text, "\n");
}

static void add_plain(Page *page, const char *line, size_t length) {
  size_t indent = strspn(line, " ");
  bool table = page->part == WORDS && indent >= 2;
  copy_as_is(page, page->part == VERBATIM || page->part == SYNOPSIS || table);
  size_t skip = page->open ? 0 : indent;
  add_escaped(page->text, line + skip, length - skip);
  st_text_add(page->text, "\n");
}

static void add_line(Page *page, const char *line, size_t length) {
  if (length == 0) {
    if (page->part == SYNOPSIS)
      begin_part(page, WORDS, "Description", 11);
    else if (page->part == WORDS) {
      copy_as_is(page, false);
      st_text_add(page->text, ".PP\n");
    }
  } else if (is_heading(line, length)) {
    bool options = strncmp(line, "Options", 7) == 0;
    bool words = !options && strncmp(line, "Examples", 8) != 0;
    begin_part(page, options ? OPTIONS : words ? WORDS : VERBATIM, line, length - 1);
  } else if (page->part == OPTIONS && strncmp(line, "  -", 3) == 0) {
    add_option(page, line, length);
  } else {
    add_plain(page, line, length);
  }
}

static void add_usage(Page *page, const char *usage) {
  while (*usage) {
    size_t length = strcspn(usage, "\n");
    add_line(page, usage, length);
    usage += length + (usage[length] == '\n');
  }
  copy_as_is(page, false);
}

static void begin_page(StText *text, const char *name, const char *summary) {
  st_text_add(text,
              ".TH %s 1 \"\" \"stiction %s\" \"Stiction\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n",
              name, STICTION_VERSION, name, summary);
}

static void add_command(StText *text, const StCommand *command) {
  char name[64];
  Page page = {text, SYNOPSIS, false};
  ST_FINALLY(st_text_free) StText more = {0};
  snprintf(name, sizeof name, "stiction-%s", command->name);
  begin_page(text, name, command->summary);
  const char *usage = command->usage;
  if (strncmp(usage, "Usage: ", 7) == 0)
    usage += 7;
  add_usage(&page, usage);
  if (command->more)
    command->more(&more);
  if (more.data)
    add_usage(&page, more.data);
}

static void add_program(StText *text) {
  ST_FINALLY(st_text_free) StText help = {0};
  Page page = {text, SYNOPSIS, false};
  st_help_text(&help);
  begin_page(text, "stiction", "soft solids, cloth and inflated shells in contact");
  const char *usage = help.data ? strstr(help.data, "Usage: ") : NULL;
  if (usage)
    add_usage(&page, usage + 7);
  st_text_add(text, ".SH SEE ALSO\n");
  for (int i = 0; st_commands[i]; i++)
    if (!st_commands[i]->hidden)
      st_text_add(text, "%s.BR stiction-%s (1)\n", i ? "" : "", st_commands[i]->name);
}

static int run_manual(int argc, char **argv) {
  const char *name = NULL;
  int operands;
  StError error;
  ST_FINALLY(st_text_free) StText text = {0};
  if (st_options_parse(argc, argv, NULL, 0, &name, 1, &operands, &error) != ST_OK)
    return st_command_misused("manual", "%s", error.text);
  const StCommand *found = NULL;
  for (int i = 0; st_commands[i] && name; i++)
    if (strcmp(st_commands[i]->name, name) == 0)
      found = st_commands[i];
  if (name && !found)
    return st_command_misused("manual", "there is no command '%s'", name);
  if (found)
    add_command(&text, found);
  else
    add_program(&text);
  return st_command_print(&text);
}

const StCommand st_command_manual = {
    .name = "manual",
    .summary = "print a man page",
    .usage = "Usage: stiction manual [COMMAND]\n"
             "\n"
             "Prints the man page of the program or of one command; `make install` puts them\n"
             "where man finds them.\n"
             "\n"
             "Examples:\n"
             "  stiction manual run | man -l -\n",
    .hidden = true,
    .run = run_manual,
};
