# Loads and joints under mpiexec: the same motion and the same read-outs on one, two and three processes, and after a
# stop and a start on another number of them.
. "$STICTION_SOURCE/tests/app/tools.sh"

cat >arm.json <<'SCENE'
{
  "materials": { "m": { "young": "10 MPa", "poisson": 0.3, "density": 1000 } },
  "bodies": {
    "arm": { "shape": { "type": "box", "size_x": 0.4, "size_y": 0.1, "size_z": 0.1, "cells_x": 4, "cells_y": 1, "cells_z": 1 } },
    "bob": {
      "shape": { "type": "box", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1, "cells_x": 1, "cells_y": 1, "cells_z": 1 },
      "translate": [0.4, 0, 0]
    }
  },
  "joints": {
    "hinge": { "type": "hinge", "axis": "y", "from": { "body": "arm", "region": { "label": "x-" } } },
    "motor": { "type": "motor", "axis": "y", "from": { "body": "arm", "region": { "label": "x-" } }, "torque": "40 N*m", "speed": "20 rad/s" },
    "tie": { "type": "weld", "from": { "body": "bob", "region": { "label": "x-" } }, "to": { "body": "arm", "region": { "label": "x+" } } }
  },
  "loads": {
    "push": { "body": "bob", "region": { "label": "x+" }, "pressure": "2 kPa + 1 kPa/s*t" },
    "twist": { "body": "bob", "region": "all", "torque": "0.3 N*m", "axis": "x" }
  },
  "contact": { "pairs": "none" },
  "time": { "duration": "0.1 s", "step": "20 ms", "frame_rate": "10 Hz" },
  "solver": { "velocity_tolerance": 1e-9, "change_tolerance": 1e-8 }
}
SCENE

# The last value of a column.
column() { # FILE NAME
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if (index($i, name) == 1) k = i } END { print $k }' "$1"
}

same() { # DIR: as in `one`, to what Newton's method leaves over
  for name in centre_of_mass_z total_energy 'force_x(hinge)' 'force_z(tie)' 'travel(motor)' 'force_x(push)' \
    'torque_x(twist)'; do
    awk -v a="$(column one/history.csv "$name")" -v b="$(column "$1/history.csv" "$name")" \
      'BEGIN { d = a - b; exit !(d * d <= 1e-10 * a * a + 1e-16) }' || fail "$name differs in $1"
  done
}

expect 0 "$stiction" run arm.json --out one --quiet
for count in 2 3; do
  expect 0 mpiexec -n $count --oversubscribe "$stiction" run arm.json --out many$count --quiet
  same many$count
done
awk -v turned="$(column one/history.csv 'travel(motor)')" 'BEGIN { exit !(turned > 0.1) }' || fail "the motor stands still"
