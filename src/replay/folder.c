// Recognises folders of runs.
#include "replay/folder.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/run_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_NAMED = 4 };

static bool is_run(const char *folder) {
  ST_FREE char *path = st_run_folder_file(folder, "run.json");
  return path && st_file_exists(path);
}

static int is_inner_run(const char *folder, const char *name) {
  ST_FREE char *path = *name == '.' ? NULL : st_run_folder_file(folder, name);
  return path && is_run(path);
}

// "; there are runs in DIR/a, DIR/b …" if there are, as in folders of experiments.
static void name_inner_runs(const char *folder, StText *text) {
  struct dirent **entry = NULL;
  int count = scandir(folder, &entry, NULL, alphasort), found = 0;
  for (int i = 0; i < count; i++) {
    if (found <= MOST_NAMED && is_inner_run(folder, entry[i]->d_name)) {
      if (found < MOST_NAMED)
        st_text_add(text, "%s%s/%s", found ? ", " : "; there are runs in ", folder,
                    entry[i]->d_name);
      else
        st_text_add(text, " …");
      found++;
    }
    free(entry[i]);
  }
  free(entry);
}

StStatus st_recording_check_folder(const char *folder, StError *error) {
  struct stat about;
  if (is_run(folder))
    return ST_OK;
  if (stat(folder, &about) != 0)
    return st_fail(error, ST_BAD_INPUT, "%s: there is no such folder", folder);
  if (!S_ISDIR(about.st_mode))
    return st_fail(error, ST_BAD_INPUT,
                   "%s: is a file; expected the folder of a run, the one that \"stiction run\" "
                   "names at its end",
                   folder);
  ST_FINALLY(st_text_free) StText inner = {0};
  name_inner_runs(folder, &inner);
  st_fail(error, ST_BAD_INPUT, "%s: is not the folder of a run (it has no run.json)%s", folder,
          inner.data && !inner.failed ? inner.data : "");
  return ST_BAD_INPUT;
}

StFolderState st_folder_state(const char *folder) {
  StFolderState found = {.state = ST_RECORDING_MISSING};
  ST_FINALLY(st_json_destroy_at) StJsonDocument *document = NULL;
  ST_FREE char *path = st_run_folder_file(folder, "summary.json");
  if (!path || st_json_read_own(path, &document, NULL) != ST_OK)
    return found;
  const StJson *summary = st_json_root(document);
  const char *reason = st_json_get_text(summary, "reason");
  found.state = st_recording_state_of(st_json_get_text(summary, "status"));
  found.time = st_json_get_number(summary, "time_s");
  snprintf(found.reason, sizeof found.reason, "%s", reason ? reason : "");
  return found;
}
