# Bodies in cages: a cage that fits is the solid; one that does not slides and weighs as it should, on any number of
# processes and from a checkpoint; surfaces that cannot be filled run; what is wrong is named.
. "$STICTION_SOURCE/tests/app/tools.sh"

column() { # FILE NAME
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if (index($i, name) == 1) k = i } END { print $k }' "$1"
}
near() { # WHAT A B RELATIVE
  awk -v a="$2" -v b="$3" -v part="$4" 'BEGIN { d = a - b; exit !(d * d <= part * part * b * b) }' ||
    fail "$1 is $2, not $3"
}

"$stiction" mesh make box --size-x 0.2 --size-y 0.2 --size-z 0.1 --edge 0.05 --surface -o block.obj >/dev/null
# The same turned about x, so that no plane of the lattice is one of its faces; the scene turns it back.
awk '$1 == "v" { c = cos(0.4); s = sin(0.4); printf "v %.17g %.17g %.17g\n", $2, c * $3 - s * $4, s * $3 + c * $4; next }
     { print }' block.obj >turned.obj

scene() { # FILE BODY [MORE]
  cat >"$1" <<JSON
{
  "materials": { "rubber": { "young": "1 MPa", "poisson": 0.3, "density": 1000 } },
  "bodies": { "block": { $2, "material": "rubber", "translate": [0, 0, 0.0501], "velocity": [1, 0, 0] } },
  "obstacles": { "floor": { "shape": { "type": "half_space" } } },
  "friction": [{ "between": "any", "dynamic": 0.3 }],
  "time": { "duration": "0.5 s", "step": "5 ms", "frame_rate": "20 Hz" },
  "output": { "checkpoint_interval": "0.25 s" }
}
JSON
}
scene solid.json '"shape": { "type": "box", "size_x": 0.2, "size_y": 0.2, "size_z": 0.1, "edge": 0.05 }'
scene fits.json '"mesh": "block.obj", "fill": "cage", "edge": "5 cm"'
scene turned.json '"mesh": "turned.obj", "fill": "cage", "edge": "5 cm", "rotate": { "axis": "x", "angle": -0.4 }'
for name in solid fits turned; do
  expect 0 "$stiction" run $name.json --out $name --quiet
done

# Vertices of the surface lie on those of the cage then, and all that differs is rounding.
for name in centre_of_mass_x centre_of_mass_z kinetic_energy solid_energy 'normal(block|floor)'; do
  near "$name" "$(column fits/history.csv "$name")" "$(column solid/history.csv "$name")" 1e-6
done
# v²/(2μg), and vh/2 less by implicit steps; its weight of 4 kg to the solver's tolerance.
near "the way" "$(column turned/history.csv centre_of_mass_x)" 0.1673947 0.01
near "the weight" "$(column turned/history.csv 'normal(block|floor)')" 39.24 1e-6

for count in 2 3; do
  expect 0 mpiexec -n $count --oversubscribe "$stiction" run turned.json --out many$count --quiet
  for name in centre_of_mass_x centre_of_mass_z 'normal(block|floor)'; do
    near "$name on $count processes" "$(column many$count/history.csv "$name")" "$(column turned/history.csv "$name")" 1e-6
  done
done

# Stopped and continued, the same numbers; wall times differ.
"$stiction" run turned.json --out half --quiet &
id=$!
wait_for half/checkpoint.h5
"$stiction" stop half >/dev/null 2>&1 || true # it may be over by now
wait $id || true
expect 0 "$stiction" resume half --quiet
[ "$(column half/history.csv centre_of_mass_x)" = "$(column turned/history.csv centre_of_mass_x)" ] ||
  fail "a continued run differs"

# What is shown and written is the surface.
expect 0 "$stiction" view turned --out turned.html
expect 0 "$stiction" export turned --to obj --out obj
[ "$(grep -c '^v ' "$(find obj -name '*.obj' | head -1)")" -eq 66 ] || fail "the export is not the surface"

# Held by the cells that carry the chosen part of the surface.
scene held.json '"mesh": "turned.obj", "fill": "cage", "edge": "5 cm", "rotate": { "axis": "x", "angle": -0.4 }'
sed -i 's|"obstacles"|"boundaries": { "side": { "region": { "plane": { "point": [-0.1, 0, 0], "normal": "x" } } } }, "obstacles"|
        s|"velocity": \[1, 0, 0\]|"velocity": [0, 0, 0]|' held.json
expect 0 "$stiction" run held.json --out held --quiet
awk -v x="$(column held/history.csv centre_of_mass_x)" 'BEGIN { exit !(x * x < 1e-4) }' || fail "it was not held"
sed -i 's|"5 cm"|"9 cm"|; s|"side": |"other": { "region": { "plane": { "point": [-0.05, 0, 0], "normal": "x" } }, "motion": { "velocity": [0.1, 0, 0] } }, "side": |' held.json
expect 2 "$stiction" check held.json
says stderr.txt "which holds the same cells of its cage"

# Two balls stuck into each other, a ball with a hole, and a sheet: none can be filled as it is.
"$stiction" mesh make sphere --radius 0.1 --edge 0.05 --surface -o ball.obj >/dev/null
awk '$1 == "v" { v[++n] = $0 } $1 == "f" { f[++m] = $0 }
     END { for (i = 1; i <= n; i++) print v[i]
           for (i = 1; i <= n; i++) { split(v[i], x, " "); printf "v %.9g %.9g %.9g\n", x[2] + 0.12, x[3] + 0.013, x[4] + 0.007 }
           for (i = 1; i <= m; i++) print f[i]
           for (i = 1; i <= m; i++) { split(f[i], x, " "); print "f", x[2] + n, x[3] + n, x[4] + n } }' ball.obj >both.obj
"$stiction" mesh convert both.obj both.stl >/dev/null
grep -v '^f' ball.obj >holed.obj
grep '^f' ball.obj | tail -n +30 >>holed.obj
"$stiction" mesh make sheet --width 0.2 --length 0.2 --edge 0.04 -o sheet.obj >/dev/null
for mesh in both.stl holed.obj sheet.obj; do
  cat >odd.json <<JSON
{
  "materials": { "rubber": { "young": "100 kPa", "poisson": 0.3, "density": 1000 } },
  "bodies": { "odd": { "mesh": "$mesh", "fill": "cage", "edge": "5 cm", "translate": [0, 0, 0.14] },
              "box": { "shape": { "type": "box", "size_x": 0.3, "size_y": 0.3, "size_z": 0.05, "edge": 0.15 }, "translate": [0, 0, 0.0251] } },
  "obstacles": { "floor": { "shape": { "type": "half_space" } } },
  "time": { "duration": "0.2 s", "step": "5 ms" }
}
JSON
  expect 0 "$stiction" run odd.json --out odd --overwrite --strict
  cp stdout.txt odd.txt
done
expect 0 "$stiction" mesh fill both.stl --cage --edge 5cm
says stderr.txt "the surface passes through itself"
says stdout.txt "by samples"
expect 0 "$stiction" mesh fill holed.obj --cage --edge 5cm -o holed.vtu
says stderr.txt "the surface is open"
expect 0 "$stiction" mesh inspect holed.vtu

# What does not go together.
expect 2 "$stiction" mesh fill ball.obj --cage --hole 1cm
says stderr.txt "--hole is not for a cage"
refuse() { # MESSAGE BODY
  scene wrong.json "$2"
  expect 2 "$stiction" check wrong.json
  says stderr.txt "$1"
}
refuse 'is for a mesh with "fill": "solid"' '"mesh": "ball.obj", "fill": "cage", "tolerance": "1 mm"'
refuse 'is for surfaces from a file' '"shape": { "type": "box" }, "fill": "cage"'
refuse 'choose a larger edge' '"mesh": "ball.obj", "fill": "cage", "edge": "0.1 mm"'
refuse 'it already has tets' '"mesh": "holed.vtu", "fill": "cage"'
refuse '"fill": "cage" if it is not fit for that' '"mesh": "ball.obj"'
refuse 'is made of one material' '"mesh": "ball.obj", "fill": "cage", "materials": { "a": "rubber" }'

# The surface touches itself: a hollow ball is pressed until its inside meets.
"$stiction" mesh make hollow_ball --radius 0.1 --thickness 0.03 --edge 0.04 --surface -o hollow.obj >/dev/null
cat >press.json <<'JSON'
{
  "materials": { "rubber": { "young": "100 kPa", "poisson": 0.3, "density": 1000 } },
  "bodies": { "ball": { "mesh": "hollow.obj", "fill": "cage", "edge": "4 cm", "translate": [0, 0, 0.101] } },
  "obstacles": {
    "floor": { "shape": { "type": "half_space" } },
    "plate": { "shape": { "type": "half_space" }, "rotate": { "axis": "x", "angle": "180 deg" }, "translate": [0, 0, 0.2021],
               "motion": { "keys": [{ "time": 0, "translate": [0, 0, 0] }, { "time": "0.5 s", "translate": [0, 0, -0.15] }] } }
  },
  "time": { "duration": "0.5 s", "step": "10 ms" }
}
JSON
expect 0 "$stiction" run press.json --out press --strict
awk -v n="$(column press/history.csv 'normal(ball|ball)')" 'BEGIN { exit !(n > 1) }' || fail "its inside does not touch"
