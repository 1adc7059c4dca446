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
