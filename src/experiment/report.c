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
  st_text_add(
      text,
      "# Results\n\n"
      "Made by `make results` from the summaries of the experiments; what each does "
      "and why is in\n[experiments.md](experiments.md). Where the paper has a "
      "figure it stands beside ours.\nTimes are processor time of all processes together, "
      "the paper\'s wall time on 12 cores; memory is the most\nthat was held. Where a figure is "
      "missing a word says why: *not run*; *unfinished*, the case was stopped before its\n"
      "end (other figures are what it had until then: see its frames); *failed*, a step "
      "could not be solved; – means\nthat there can be none.\n\n");
  for (int i = 0; i < count; i++)
    ST_TRY(add_one(folder[i], plots, text, error));
  return text->failed ? st_fail_memory(error) : ST_OK;
}
