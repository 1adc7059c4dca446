// Which columns of a run's history the viewer's page plots.
#ifndef ST_SHOW_VIEW_HISTORY_H
#define ST_SHOW_VIEW_HISTORY_H

#include "base/text.h"
#include "replay/recording.h"

bool st_view_history_wants(const char *column);

// {"rows":…,"columns":[{"name":…,"unit":…}…]}
void st_view_history_describe(const StRecording *recording, StText *json);

#endif
