# Rigid bodies under mpiexec: the same motion on one, two and three processes, and from a checkpoint the same bits.
. "$STICTION_SOURCE/tests/app/tools.sh"

box='"shape": { "type": "box", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1, "edge": 0.1 }'
cat >heap.json <<SCENE
{
  "materials": {
    "stone": { "law": "rigid", "density": 2000 },
    "rubber": { "law": "neo_hookean", "young": "1 MPa", "poisson": 0.3, "density": 1000 }
  },
  "bodies": {
    "a": { $box, "material": "stone", "translate": [0, 0, 0.0505] },
    "b": { $box, "material": "stone", "rotate": { "axis": "x", "angle": "20 deg" }, "translate": [0.02, 0, 0.2] },
    "c": { $box, "material": "stone", "translate": [0.16, 0, 0.0505] },
    "d": { $box, "material": "stone", "translate": [0.32, 0, 0.0505] },
    "e": { $box, "material": "rubber", "translate": [0.16, 0.01, 0.152] },
    "wheel": { $box, "material": "stone", "translate": [0, 1, 0.5] }
  },
  "bearings": { "axle": { "body": "wheel", "region": "all", "axis": "y", "torque": 1 } },
  "joints": { "link": { "type": "ball", "from": { "body": "c", "point": [0.24, 0, 0.05] }, "to": { "body": "d" } } },
  "boundaries": { "pull": { "body": "d", "region": "all", "motion": { "keys": [
    { "time": 0, "translate": [0, 0, 0] }, { "time": "1 s", "translate": ["0.2 m", 0, 0] }] } } },
  "obstacles": { "floor": { "shape": { "type": "half_space" } } },
  "friction": [{ "between": "any", "dynamic": 0.5 }],
  "time": { "duration": "0.2 s", "step": "5 ms", "frame_rate": "20 Hz" },
  "output": { "checkpoint_interval": "0.1 s" },
  "solver": { "velocity_tolerance": 1e-9, "change_tolerance": 1e-8 }
}
SCENE

column() { # FILE NAME
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if (index($i, name) == 1) k = i } END { print $k }' "$1"
}

expect 0 "$stiction" run heap.json --out one --quiet
for count in 2 3; do
  expect 0 mpiexec -n $count --oversubscribe "$stiction" run heap.json --out many$count --quiet
  for name in centre_of_mass_x centre_of_mass_z 'force_x(link)' 'speed(axle)'; do
    awk -v a="$(column one/history.csv "$name")" -v b="$(column "many$count/history.csv" "$name")" \
      'BEGIN { d = a - b; exit !(d * d <= 1e-10 * a * a + 1e-16) }' || fail "$name differs on $count processes"
  done
done
awk -v strain="$(column one/history.csv rigid_strain)" 'BEGIN { exit !(strain > 0 && strain < 1e-6) }' ||
  fail "rigid bodies are strained"
