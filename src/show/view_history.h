// The columns of a run's history for the viewer's page.
#ifndef ST_SHOW_VIEW_HISTORY_H
#define ST_SHOW_VIEW_HISTORY_H

#include "base/text.h"
#include "replay/recording.h"

// {"rows":…,"columns":[{"name":…,"unit":…}…]}
void st_view_history_describe(const StRecording *recording, StText *json);

#endif
