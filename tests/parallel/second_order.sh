# A block of tets of second order slides to rest where friction stops it, and weighs what it should, on any number of processes.
. "$STICTION_SOURCE/tests/app/tools.sh"

column() { # FILE NAME
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if (index($i, name) == 1) k = i } END { print $k }' "$1"
}
near() { # WHAT A B RELATIVE
  awk -v a="$2" -v b="$3" -v part="$4" 'BEGIN { d = a - b; exit !(d * d <= part * part * b * b) }' ||
    fail "$1 is $2, not $3"
}

cat >block.json <<'JSON'
{
  "materials": { "rubber": { "young": "10 MPa", "poisson": 0.3, "density": 1000, "stiffness_damping": "1 ms" } },
  "bodies": {
    "block": {
      "shape": { "type": "box", "size_x": "10 cm", "size_y": "10 cm", "size_z": "4 cm", "cells_x": 3, "cells_y": 3, "cells_z": 1 },
      "order": 2, "translate": [0, 0, "2.0006 cm"], "velocity": ["1 m/s", 0, 0]
    }
  },
  "obstacles": { "floor": { "shape": { "type": "half_space" } } },
  "friction": [{ "between": "any", "dynamic": 0.3 }],
  "time": { "duration": "0.5 s", "step": "4 ms" }
}
JSON
expect 0 "$stiction" run block.json --out one
says stdout.txt '45 tets (order 2)'
# v²/(2μg), and vh/2 less by implicit steps; 0.4 kg.
near "the way" "$(column one/history.csv centre_of_mass_x)" 0.1678947 0.001
near "the weight" "$(column one/history.csv 'normal(block|floor)')" 3.924 1e-5

for count in 2 3; do
  expect 0 mpiexec -n $count --oversubscribe "$stiction" run block.json --out many$count --quiet
  for name in centre_of_mass_x centre_of_mass_z 'normal(block|floor)'; do
    near "$name on $count processes" "$(column many$count/history.csv "$name")" "$(column one/history.csv "$name")" 1e-6
  done
done

# What cannot be of second order is named.
sed 's/"order": 2/"order": 3/' block.json >third.json
expect 2 "$stiction" check third.json
sed 's/"order": 2/"order": 2, "material": "steel"/; s/"materials": {/"materials": { "steel": { "law": "rigid" },/' block.json >rigid.json
expect 2 "$stiction" check rigid.json
says stderr.txt 'bodies.block.order: 2 is for bodies that deform, this one is rigid'
sed 's/"size_z"/"fill": "surface", "size_z"/' block.json >surface.json
expect 2 "$stiction" check surface.json
