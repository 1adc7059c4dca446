// A scene described in lines of text: sizes, masses, materials, what is held, how many steps it
// takes, and the defaults that were chosen. Printed by `stiction check`.
#pragma once

#include "base/text.h"
#include "model/description.h"

// Appends to *text; the caller frees it.
StStatus st_scene_summary(const StDescription *description, StText *text, StError *error);
