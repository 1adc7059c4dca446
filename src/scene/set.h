// Single values in a scene's text: changes them, for `--set KEY=VALUE`, while the rest of the text,
// comments included, stays as it is; and reads numbers.
#pragma once

#include "base/status.h"
#include "base/unit.h"

#include <stddef.h>

// assignment: "materials.rubber.young=2 MPa", "friction[0].dynamic=0.3", "friction.0.dynamic=0.3".
// A value that is not JSON is a text, such as a number with a unit or a name. The last key may be
// new, and so may objects on the path to it, but not names of bodies, materials and the like. name:
// of the scene, for messages. *text is replaced.
StStatus st_scene_set(const char *name, const char *assignment, char **text, size_t *size,
                      StError *error);

// A number in SI that is written there, with or without a unit. dimension: of its unit, that of a
// pure number where it has none; may be NULL.
StStatus st_scene_get(const char *name, const char *path, const char *text, size_t size,
                      double *number, StDimension *dimension, StError *error);

// A text as a number in SI, with whatever unit, or none.
StStatus st_scene_quantity(const char *text, double *number, StDimension *dimension,
                           StError *error);
