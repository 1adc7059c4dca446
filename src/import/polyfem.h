// A scene of PolyFEM (JSON) as a scene of Stiction: geometry, materials, boundary conditions,
// contact, friction and time.
#pragma once

#include "base/log.h"
#include "base/status.h"
#include "base/text.h"

// path: of PolyFEM's scene. folder: that of the new scene, to which paths of meshes are relative.
// notes: a line for everything that the new scene does not say.
StStatus st_polyfem_import(const char *path, const char *folder, const StLog *log, StText *scene,
                           StText *notes, StError *error);
