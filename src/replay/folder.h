// Checks that a folder contains a run, with a helpful message if not.
#pragma once

#include "base/status.h"

// ST_BAD_INPUT: no such folder, or no run in it; the message names runs in subfolders.
StStatus st_recording_check_folder(const char *folder, StError *error);
