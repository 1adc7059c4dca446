// Whether a folder is that of a run, with a helpful answer where it is not.
#ifndef ST_REPLAY_FOLDER_H
#define ST_REPLAY_FOLDER_H

#include "base/status.h"

// ST_BAD_INPUT: there is no such folder, or no run in it; runs in its own folders are named.
StStatus st_recording_check_folder(const char *folder, StError *error);

#endif
