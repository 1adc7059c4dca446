// Tunables of Newton's method and of partitions. Rows: name, value, unit, meaning, reason
// (base/tunables.h).
#ifndef ST_SOLVE_TUNABLES_H
#define ST_SOLVE_TUNABLES_H

#include "base/tunables.h"

#define ST_SOLVE_TUNABLES(T)                                                                       \
  T(partition_imbalance, 0.01, "", "how much larger than the mean a part may be", "chosen")

typedef struct StSolveTunables {
  ST_SOLVE_TUNABLES(ST_TUNABLE_FIELD)
} StSolveTunables;

extern StSolveTunables st_solve_tunables; // in force
extern const StTunableTable st_solve_tunable_table;

#endif
