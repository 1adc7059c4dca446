// A mesh described in lines of text: what `stiction mesh` prints.
#ifndef ST_APP_MESH_SUMMARY_H
#define ST_APP_MESH_SUMMARY_H

#include "base/text.h"
#include "mesh/mesh.h"

// Appends to *text; the caller frees it.
StStatus st_mesh_summary(const StMesh *mesh, StText *text, StError *error);

#endif
