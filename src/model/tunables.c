// The table of this layer's tunables and the values in force.
#include "model/tunables.h"

ST_DEFINE_TUNABLES(model, StModelTunables, ST_MODEL_TUNABLES);
