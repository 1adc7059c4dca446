// The table of this layer's tunables and the values in force.
#include "scene/tunables.h"

ST_DEFINE_TUNABLES(scene, StSceneTunables, ST_SCENE_TUNABLES);
