// JSON Merge Patch (RFC 7386) and JSON Patch (RFC 6902) on trees of values.
#pragma once

#include "base/json_tree.h"

// Members of the patch replace those of the target, objects member by member; a null removes one.
StStatus st_json_merge(StJson *target, const StJson *patch, StError *error);

// A list of operations "add", "remove" and "replace" with paths such as "/geometry/0/mesh".
StStatus st_json_patch(StJson *root, const StJson *operations, StError *error);
