// Answers the viewer's page when it is served: what the run is by now, and any of its frames.
#ifndef ST_SHOW_VIEW_SERVER_H
#define ST_SHOW_VIEW_SERVER_H

#include "show/serve.h"
#include "show/view_run.h"

// A StAnswer; context: the StViewRun.
// /              the page
// /run           the JSON object about the run as it is now
// /block/NAME    numbers, see view_run.h
// /frame/NUMBER  Uint32 length of a header, the header (JSON), the frame as a pack of one
void st_view_server_answer(void *context, const char *path, StReply *reply);

#endif
