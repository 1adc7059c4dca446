// Numbers of the engine that were chosen or fitted, not derived: thresholds, fractions, patience.
// Each layer has one table of them, tunables.h in its folder. They are constants of the process; an
// experiment changes them for the scene it runs. Sizes of arrays and limits of rounding errors are
// not among them: nothing is to be learned from changing these.
#pragma once

#include "base/memory.h"
#include "base/status.h"

// meaning: what the number decides; reason: why it has this value ("fitted" where it was fitted).
typedef struct StTunable {
  const char *name, *unit, *meaning, *reason;
  double initial;
} StTunable;

typedef struct StTunableTable {
  const char *layer;
  const StTunable *row;
  int count;
  double *value; // [count] in force
} StTunableTable;

// A table is a macro ST_LAYER_TUNABLES(T) of rows T(name, initial, unit, meaning, reason). From it
// come the struct of values, all doubles, and the table:
#define ST_TUNABLE_FIELD(name, initial, unit, meaning, reason) double name;
#define ST_TUNABLE_VALUE(name, initial, unit, meaning, reason) initial,
#define ST_TUNABLE_ROW(name, initial, unit, meaning, reason)                                       \
  {#name, unit, meaning, reason, initial},
#define ST_DEFINE_TUNABLES(layer, Struct, ROWS)                                                    \
  Struct st_##layer##_tunables = {ROWS(ST_TUNABLE_VALUE)};                                         \
  static const StTunable ROW[] = {ROWS(ST_TUNABLE_ROW)};                                           \
  const StTunableTable st_##layer##_tunable_table = {#layer, ROW, ST_LENGTH(ROW),                  \
                                                     (double *)&st_##layer##_tunables}

// A value that differs from the initial one.
typedef struct StTunableSetting {
  const StTunableTable *table;
  int row;
  double value;
} StTunableSetting;

// Finds a name, of which no two tables have the same, in a NULL-terminated list of tables; NULL:
// there is none.
const StTunableTable *st_tunables_find(const StTunableTable *const *tables, const char *name,
                                       int *row);

// Puts these values in force, and the initial ones everywhere else, until they are released as many
// times as held. Fails where others are held with other values.
StStatus st_tunables_hold(const StTunableSetting *setting, int count, StError *error);
void st_tunables_release(void);
