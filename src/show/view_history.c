// Time, energies, Newton iterations, the deepest gap and what the judge found.
#include "show/view_history.h"

#include "base/memory.h"
#include "judge/judge.h"
#include "output/json_text.h"

#include <string.h>

bool st_view_history_wants(const char *column) {
  static const char *const wanted[] = {"time", "newton_iterations", "deepest_gap"};
  static const char energy[] = "_energy";
  size_t length = strlen(column), tail = sizeof energy - 1;
  for (int i = 0; i < ST_LENGTH(wanted); i++)
    if (strcmp(column, wanted[i]) == 0)
      return true;
  for (int k = 0; k < ST_FOUND_KINDS; k++)
    if (strcmp(column, st_finding_name[k]) == 0)
      return true;
  return length > tail && strcmp(column + length - tail, energy) == 0;
}

void st_view_history_describe(const StRecording *recording, StText *json) {
  bool first = true;
  st_text_add(json, "{\"rows\":%ld,\"columns\":[", recording->rows);
  for (int c = 0; c < recording->column_count; c++) {
    if (!st_view_history_wants(recording->name[c]))
      continue;
    st_text_add(json, "%s{\"name\":", first ? "" : ",");
    st_json_text_add_string(json, recording->name[c]);
    st_text_add(json, ",\"unit\":");
    st_json_text_add_string(json, recording->unit[c]);
    st_text_add(json, "}");
    first = false;
  }
  st_text_add(json, "]}");
}
