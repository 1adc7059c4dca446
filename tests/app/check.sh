# check describes what would be simulated and writes nothing.
. "$STICTION_SOURCE/tests/app/tools.sh"

scene bar.json 1
ls >before.txt
expect 0 "$stiction" check bar.json
rm -f stderr.txt
cp stdout.txt ../check.txt
rm stdout.txt
ls >after.txt
grep -v after.txt after.txt | cmp - before.txt || fail "check wrote files"
mv ../check.txt stdout.txt

says stdout.txt "100 steps of at most 10 ms, 51 frames"
says stdout.txt "4 kg, volume 0.004 m^3"
says stdout.txt "x -0.2 to 0.2, y -0.05 to 0.05, z -0.05 to 0.05 m"
says stdout.txt "neo_hookean, young 200000 Pa, poisson 0.4"
says stdout.txt "lambda 2.8571e+05 Pa, mu 71429 Pa"
says stdout.txt "pressure waves at 20.7 m/s"
says stdout.txt "worst quality"
grep -qE 'wall +9 vertices, x y z held' stdout.txt || fail "boundary not described"
says stdout.txt "Gravity          (0, 0, -9.81) m/s^2"
says stdout.txt "Defaults chosen"
says stdout.txt "Integrator       be"

expect 0 "$stiction" check bar.json --quiet
[ ! -s stdout.txt ] || fail "--quiet printed"

cat >touch.json <<'END'
{
  "materials": {"rubber": {"young": "1 MPa", "poisson": 0.4}},
  "bodies": {"cube": {"shape": {"type": "box", "edge": 0.5}}},
  "obstacles": {
    "floor": {"shape": {"type": "half_space"}, "material": "ice", "translate": [0, 0, -1]},
    "peg": {"shape": {"type": "sphere", "radius": "10 cm"}, "translate": [0, 0, 2], "motion": {"velocity": [1, 0, 0]}}
  },
  "friction": [
    {"between": ["rubber", "ice"], "dynamic": 0.1, "static": 0.2, "sticking_speed": "1 mm/s"}
  ],
  "contact": {"friction": "lagged", "friction_iterations": 3},
  "time": {"duration": 1}
}
END
expect 0 "$stiction" check touch.json
says stdout.txt "half_space at (0, 0, -1) m, made of ice"
says stdout.txt "sphere, radius 0.1 m at (0, 0, 2) m, moved by 2 keys"
says stdout.txt "Contact by primitives, friction lagged 3 times"
says stdout.txt "cube on itself: from 0.006667 m, 1.424e+04 Pa, no friction"
says stdout.txt "cube on floor: from 0.006667 m, 1.424e+04 Pa, friction 0.1 (static 0.2"
says stdout.txt "cube on peg: from 0.006667 m, 1.424e+04 Pa, no friction"
says stdout.txt 'contact of rubber on ice = 0.006667 m, 1.424e+04 Pa: thickness 0.02 of how thick "cube" is; stiffness carries 1.699e+04 Pa (ρgL of "cube")'
sed -i 's/"contact": {/&"method": "smooth", /' touch.json
expect 0 "$stiction" check touch.json
says stdout.txt "Contact by smooth surfaces, friction lagged 3 times"
says stdout.txt "cube on floor: from 0.001732 m, 1.308e+07 Pa/m, friction 0.1 (static 0.2"
says stdout.txt 'contact of rubber on ice = 0.001732 m, 1.308e+07 Pa/m: thickness 0.001 of the diagonal of "cube"; stiffness carries 1.699e+04 Pa (ρgL of "cube")'
says stderr.txt "no row of the friction table fits rubber on no material; they slide freely"

cat >balloon.json <<'END'
{
  "materials": {
    "skin": {"law": "shell", "thickness": "1 mm", "young": "1 MPa", "poisson": 0.5},
    "silk": {"law": "membrane", "young": "90 N/m", "poisson": 0.5, "area_density": "0.1 kg/m^2"}
  },
  "bodies": {
    "ball": {"shape": {"type": "sphere", "fill": "surface", "cells": 2}, "material": "skin"},
    "veil": {"shape": {"type": "sheet", "cells_x": 1, "cells_y": 1}, "material": "silk", "translate": [5, 0, 0]}
  },
  "volumes": {"air": {"body": "ball", "overpressure": [{"time": 0, "value": 0}, {"time": 1, "value": "1 kPa"}]}},
  "bearings": {"hub": {"body": "veil", "region": "all", "axis": "x", "torque": "2 N m"}},
  "contact": {"pairs": "none"},
  "solver": {"type": "direct", "coupling": "inexact"},
  "time": {"duration": 1}
}
END
expect 0 "$stiction" check balloon.json
says stdout.txt "Sizes            30 vertices, 50 triangles, 90 unknowns (0 held)"
says stdout.txt "direct, inexact coupling, to"
says stdout.txt "0.1 kg, area 1 m^2"
says stdout.txt "lambda 666.67 N/m, mu 333.33 N/m, bending 3.7037e-05 J (a plate of 0.00011111 N m)"
says stdout.txt "1 kg/m^2, waves in its plane at 36.51 m/s"
says stdout.txt "law          membrane, young 90 N/m, poisson 0.5, area_density 0.1 kg/m^2, bending 0 J"
says stdout.txt "air            in ball, 48 triangles, rest volume 0.394338 m^3"
says stdout.txt "quadratic, compressibility 9.86923e-06 1/Pa"
says stdout.txt "101325 to 102325 Pa inside at rest, 101325 Pa outside; 2 keys over time"
says stdout.txt "hub            4 vertices about (1, 0, 0) through (5, 0, 0) m, 900 N/m, torque 2 N m"

# Boundaries that hold still may share vertices: what is held counts once (9 vertices along x, y and z, 24 along y
# and z), and moves as if each were held by one.
held() { # FILE REGION: a bar held at its end, and along y and z there
  scene "$1" 0.05
  sed -i 's|"boundaries": {|& "under": { "region": '"$2"', "hold": ["y", "z"] }, |' "$1"
  expect 0 "$stiction" check "$1"
  says stdout.txt "168 unknowns (75 held)"
  expect 0 "$stiction" run "$1" --out "${1%.json}" --quiet
}
held shared.json '{ "label": "z-" }'
held apart.json '{ "box": { "min": [-0.175, -1, -0.06], "max": [1, 1, -0.04] } }'
cmp shared/frames/frame_00002.vtu apart/frames/frame_00002.vtu

# Values that are hardly meant in the unit they have.
cat >odd.obj <<'END'
v 0 0 0
v 40 0 0
v 0 40 0
f 1 2 3
END
cat >odd.json <<'END'
{
  "materials": {"silk": {"law": "membrane", "young": "90 N/m", "poisson": 0.5, "area_density": "0.1 kg/m^2"}},
  "bodies": {"part": {"mesh": "odd.obj", "rotate": {"axis": "z", "angle": 90}, "self_contact": false}},
  "friction": [{"between": "any", "dynamic": 30}],
  "time": {"duration": 1}
}
END
expect 0 "$stiction" check odd.json
says stderr.txt 'odd.json:3:75: bodies.part.rotate.angle: 90 rad is 14.3 turns; an angle in degrees is "90 deg"'
says stderr.txt 'odd.json:3:31: bodies.part.mesh: the mesh is '
says stderr.txt 'm long; if its file is in mm, add "scale": 0.001'
says stderr.txt 'odd.json:4:46: friction[0].dynamic: a coefficient of friction of 30 is far above that of real materials'
sed -i 's/"angle": 90/"angle": "90 deg"/; s/"dynamic": 30/"dynamic": "30 %"/; s/"odd.obj"/&, "scale": 0.001/' odd.json
expect 0 "$stiction" check odd.json
[ ! -s stderr.txt ] || { cat stderr.txt; fail "a sound scene was warned about"; }

# Young's moduli without their unit, and some that nothing has. A unit is believed, and a membrane's is no pressure.
young() { # MATERIAL
  echo "{\"materials\": {\"m\": {$1, \"poisson\": 0.3}}, \"bodies\": {\"b\": {\"shape\": {\"type\": \"box\", \"edge\": 1}}}}" >young.json
  expect 0 "$stiction" check young.json
}
young '"young": 210'
says stderr.txt 'young.json:1:31: materials.m.young: 210 Pa is softer than brain or jelly (1 kPa); was a unit forgotten, as in "210 GPa" or "210 MPa"?'
young '"young": "210 Pa"'
lacks stderr.txt softer
young '"young": 1e5'
lacks stderr.txt young
young '"young": "210e3 GPa"'
says stderr.txt 'materials.m.young: 2.1e+14 Pa is stiffer than diamond (1.2 TPa)'

# Meshes that make bodies too stiff: a cantilever with n cells through it that are a times as long as high bends by
# about n²/(n² + 1 + 1.3 a²) of the right amount.
beam() { # LENGTH CELLS_ALONG CELLS_THROUGH [POISSON [REGION [LAW]]]
  cat >beam.json <<JSON
{
  "materials": {"rubber": {${6:-"\"young\": \"1 MPa\", \"poisson\": ${4:-0.3}"}}},
  "bodies": {"bar": {
    "shape": {"type": "box", "size_x": $1, "size_y": 0.1, "size_z": 0.1, "cells_x": $2, "cells_y": $3, "cells_z": $3},
    "rotate": {"axis": [1, 2, 3], "angle": 1}}},
  "boundaries": {"wall": {"body": "bar", "region": ${5:-{\"label\": \"x-\"\}}}},
  "time": {"duration": 1}
}
JSON
  expect 0 "$stiction" check beam.json --quiet
}
silent() {
  [ ! -s stderr.txt ] || { cat stderr.txt; fail "a sound mesh was warned about"; }
}
beam 1 10 1
says stderr.txt 'beam.json:3:14: bodies.bar: bends too little, by about 30 % of the right amount: it is 10 times as long as thick, with about 1 cell of'
says stderr.txt '4 cells with edges of 0.025 m give 87 %'
beam 1 20 2
says stderr.txt 'by about 63 % of the right amount'
beam 1 10 4
says stderr.txt 'with about 4 cells of tetrahedra through its thickness of 0.1 m, each about 4 times as long as high'
beam 1 30 3
says stderr.txt 'by about 80 % of the right amount'
beam 1 40 4
silent
beam 0.4 4 1 # too short to bend
silent
beam 1 10 1 0.3 '"all"'
silent
beam 1 10 1 0.3 '{"label": "z-"}' # glued down
silent
beam 1 10 1 0.3 '{"label": "x-"}' '"law": "rigid"'
silent
beam 0.4 4 1 0.49
says stderr.txt 'bodies.bar: has the material "rubber" with a Poisson'"'"'s ratio of 0.49: tetrahedra lock above 0.45'
beam 0.4 4 1 0.45
silent

# A card that lies on others does not bend enough to matter, one of rubber does.
sed -i '/"boundaries"/d' beam.json
sed -i 's/"size_x": 0.4/"size_x": 1/; s/1 MPa/1 GPa/' beam.json
expect 0 "$stiction" check beam.json --quiet
silent
sed -i 's/1 GPa/1 MPa/' beam.json
expect 0 "$stiction" check beam.json --quiet
says stderr.txt 'bends too little'

# Slivers, with digits.
cat >sliver.json <<'END'
{
  "materials": {"rubber": {"young": "1 MPa", "poisson": 0.3}},
  "bodies": {"flat": {"mesh": {"vertices": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.4, 0.4, 1e-5, 0, 0, -1],
                               "tets": [0, 1, 2, 3, 0, 2, 1, 4]}}},
  "time": {"duration": 1}
}
END
expect 0 "$stiction" check sliver.json
says stderr.txt 'bodies.flat: 1 of 2 tetrahedra are nearly flat, with a quality below 0.01 (1: regular); the worst, tet 0, has 1.'
says stdout.txt 'worst quality 1.'

# Many bodies share a warning.
/usr/bin/python3 - <<'END'
import json
scene = json.load(open("beam.json"))
bar = scene["bodies"]["bar"]
scene["bodies"] = {f"bar {i}": dict(bar, translate=[0, 2 * i, 0]) for i in range(7)}
json.dump(scene, open("beams.json", "w"))
END
expect 0 "$stiction" check beams.json --quiet
[ "$(grep -c 'bends too little' stderr.txt)" = 4 ] || fail "not one warning for each of the first bodies"
says stderr.txt 'beams.json: 3 more bodies bend too little, for the same reason'
