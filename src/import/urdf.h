// A robot (URDF) as a scene: links as rigid bodies, joints as hinges, sliders, stops and dampers.
#pragma once

#include "base/log.h"
#include "base/status.h"
#include "base/text.h"

// As st_polyfem_import (import/polyfem.h).
StStatus st_urdf_import(const char *path, const char *folder, const StLog *log, StText *scene,
                        StText *notes, StError *error);
