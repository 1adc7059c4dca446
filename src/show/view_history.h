// The columns of a run's history for the viewer's page.
#pragma once

#include "base/text.h"
#include "replay/recording.h"

// {"rows":…,"columns":[{"name":…,"unit":…}…]}
void st_view_history_describe(const StRecording *recording, StText *json);
