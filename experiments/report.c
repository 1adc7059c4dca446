// Puts summary.md of several folders together.
#include "report.h"

#include "common.h"

#include <stdlib.h>
#include <string.h>

static const char introduction[] =
    "# Results\n"
    "\n"
    "Made by `make results` from the summaries of the experiments; "
    "[experiments.md](experiments.md) "
    "says what\n"
    "each does and why. Where the paper has a figure, it is next to ours. Our times are CPU time "
    "of "
    "all\n"
    "processes, the paper's are wall time on 12 cores; memory is the peak. A word stands for a "
    "missing figure:\n"
    "*not run*; *unfinished*, the case was stopped before its end (other figures are from what it "
    "had until\n"
    "then: see its frames); *failed*, a step could not be solved; – means that there can be none.\n"
    "\n";

// A plot is a paragraph of its own, "![name](file)", and its file is in the folder.
static void copy_summary(FILE *from, const char *folder, bool plots, FILE *out) {
  char *line = NULL;
  size_t size = 0;
  bool dropped = false; // a plot, and so the empty line after it
  while (getline(&line, &size, from) >= 0) {
    const char *link = strncmp(line, "![", 2) == 0 ? strstr(line, "](") : NULL;
    if (link && plots)
      fprintf(out, "%.*s](%s/%s", (int)(link - line), line, folder, link + 2);
    else if (!link && !(dropped && strcmp(line, "\n") == 0))
      fputs(line, out);
    dropped = link && !plots;
  }
  free(line);
}

bool report_write(const char *const *folder, int count, bool plots, FILE *out, char **missing) {
  fputs(introduction, out);
  for (int i = 0; i < count; i++) {
    char *path = join_path(folder[i], "summary.md");
    FILE *file = fopen(path, "r");
    if (!file) {
      *missing = path;
      return false;
    }
    copy_summary(file, folder[i], plots, out);
    fclose(file);
    free(path);
  }
  return true;
}
