#!/bin/sh
# Threads: a run has the same bits on any number of them; what is no number
# is refused; the summary tells what was used.
set -eu
stiction=$1
rm -rf one two three asks none

fail() { echo "threads: $*" >&2; exit 1; }

# Large enough that every loop is shared: solids with damping, cloth, contact of all kinds.
cat >scene.json <<'JSON'
{
  "materials": {
    "rubber": { "law": "stable_neo_hookean", "young": "100 kPa", "poisson": 0.3, "density": "1000 kg/m^3",
                "stiffness_damping": "1 ms" },
    "cloth": { "law": "membrane", "young": "500 N/m", "poisson": 0.3, "area_density": "0.2 kg/m^2", "bending": "1e-5 J" }
  },
  "bodies": {
    "lower": { "shape": { "type": "sphere", "radius": "10 cm", "cells": 7 }, "material": "rubber",
               "translate": [0, 0, "10.02 cm"] },
    "upper": { "shape": { "type": "sphere", "radius": "10 cm", "cells": 7 }, "material": "rubber",
               "translate": ["1 cm", 0, "30.1 cm"], "velocity": [0, 0, "-1 m/s"] },
    "sheet": { "shape": { "type": "sheet", "width": "40 cm", "length": "40 cm", "cells_x": 40, "cells_y": 40 },
               "material": "cloth", "translate": [0, 0, "40.3 cm"], "velocity": [0, 0, "-1 m/s"] }
  },
  "obstacles": { "floor": { "shape": { "type": "half_space" } } },
  "friction": [ { "between": "any", "dynamic": 0.3 } ],
  "time": { "duration": "7.5 ms", "step": "2.5 ms", "frame_rate": "400 Hz" },
  "output": { "forces": false, "stress": false }
}
JSON

# All columns but the time it took.
course() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /seconds/) skip = i } { $skip = ""; print }' "$1/history.csv"; }

"$stiction" run scene.json --out one -j 1 --quiet
"$stiction" run scene.json --out two -j2 --quiet
"$stiction" run scene.json --out three --threads 3 --quiet 2>warning
for n in two three; do
  [ "$(course one)" = "$(course $n)" ] || fail "one thread and $n have different histories"
  for frame in one/frames/*.vtu; do
    cmp -s "$frame" "$n/frames/$(basename "$frame")" || fail "one thread and $n differ in $(basename "$frame")"
  done
done
grep -q '"threads": 1,' one/summary.json && grep -q '"threads": 3,' three/summary.json ||
  fail "the summary does not tell the number of threads"
if [ "$(getconf _NPROCESSORS_ONLN)" -lt 3 ]; then
  grep -q "3 threads share" warning || fail "no word of threads without a processor"
fi

for nonsense in 0 -1 1.5 many 100000; do
  "$stiction" run scene.json --out none --threads "$nonsense" 2>told && fail "--threads $nonsense is taken"
  grep -q "needs a whole number from 1 to 256, not '$nonsense'" told || fail "--threads $nonsense: $(cat told)"
done
[ ! -e none ] || fail "a refused run made a folder"

# The scene may say it too, and the option goes before it.
sed 's/"time"/"solver": { "threads": 2 }, "time"/' scene.json >asks.json
"$stiction" run asks.json --out asks --quiet
grep -q '"threads": 2,' asks/summary.json || fail "solver.threads is not heeded"
cmp -s one/frames/frame_00003.vtu asks/frames/frame_00003.vtu || fail "solver.threads changes the result"
