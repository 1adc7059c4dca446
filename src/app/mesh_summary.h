// A mesh described in lines of text: what `stiction mesh` prints.
#pragma once

#include "base/text.h"
#include "mesh/mesh.h"

// Appends to *text; the caller frees it.
StStatus st_mesh_summary(const StMesh *mesh, StText *text, StError *error);
