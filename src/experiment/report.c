// One page from many summaries.
#include "experiment/report.h"

#include "experiment/result.h"
#include "output/run_folder.h"

#include <stdlib.h>

static StStatus add_one(const char *folder, bool plots, StText *text, StError *error) {
  StResult result;
  char *path = st_run_folder_file(folder, "summary.json");
  if (!path)
    return st_fail_memory(error);
  StStatus status = st_result_read(path, &result, error);
  free(path);
  if (status == ST_OK)
    st_result_write_markdown(&result, plots ? folder : NULL, text);
  st_result_free(&result);
  return status;
}

StStatus st_report_write(const char *const *folder, int count, bool plots, StText *text,
                         StError *error) {
  st_text_add(text, "# Results\n"
                    "\n"
                    "Made by `make results` from the summaries of the experiments; "
                    "[experiments.md](experiments.md) says what\n"
                    "each does and why. Where the paper has a figure, it is next to ours. Our "
                    "times are CPU time of all\n"
                    "processes, the paper's are wall time on 12 cores; memory is the peak. A word "
                    "stands for a missing figure:\n"
                    "*not run*; *unfinished*, the case was stopped before its end (other figures "
                    "are from what it had until\n"
                    "then: see its frames); *failed*, a step could not be solved; – means that "
                    "there can be none.\n"
                    "\n");
  for (int i = 0; i < count; i++)
    ST_TRY(add_one(folder[i], plots, text, error));
  return text->failed ? st_fail_memory(error) : ST_OK;
}
