// All columns: the user chooses in the page what to plot.
#include "show/view_history.h"

#include "base/json_text.h"

void st_view_history_describe(const StRecording *recording, StText *json) {
  st_text_add(json, "{\"rows\":%ld,\"columns\":[", recording->rows);
  for (int c = 0; c < recording->column_count; c++) {
    st_text_add(json, "%s{\"name\":", c ? "," : "");
    st_json_text_add_string(json, recording->name[c]);
    st_text_add(json, ",\"unit\":");
    st_json_text_add_string(json, recording->unit[c]);
    st_text_add(json, "}");
  }
  st_text_add(json, "]}");
}
