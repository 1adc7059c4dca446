// Changes single values in a scene's text, for `--set KEY=VALUE`: the rest of the text, comments
// included, stays as it is.
#pragma once

#include "base/status.h"

#include <stddef.h>

// assignment: "materials.rubber.young=2 MPa", "friction[0].dynamic=0.3", "friction.0.dynamic=0.3".
// A value that is not JSON is a text, such as a number with a unit or a name. The last key may be
// new, and so may objects on the path to it, but not names of bodies, materials and the like. name:
// of the scene, for messages. *text is replaced.
StStatus st_scene_set(const char *name, const char *assignment, char **text, size_t *size,
                      StError *error);
