# Processes that read mesh files of a scene together: what they say and compute is what one process does, a broken file
# stops all of them, whoever reads it, and a run goes on with another number of processes.
. "$STICTION_SOURCE/tests/app/tools.sh"

column() { # FILE NAME
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if (index($i, name) == 1) k = i } END { print $k }' "$1"
}
near() { # WHAT A B RELATIVE
  awk -v a="$2" -v b="$3" -v part="$4" 'BEGIN { d = a - b; exit !(d * d <= part * part * b * b) }' ||
    fail "$1 is $2, not $3"
}
many() { # COUNT COMMAND…: within two minutes, so that processes which wait forever are found
  timeout 120 mpiexec -n "$1" --oversubscribe "$stiction" "${@:2}"
}

box="--size-x 0.1 --size-y 0.1 --size-z 0.1 --edge 0.05"
for name in box.vtu box.vtkhdf box.vtk box.msh; do
  "$stiction" mesh make box $box -o $name >/dev/null
done
# Two that are repaired with a warning, and one that cannot be.
awk '/^CELLS/ { cells = 1 } cells && /^4 / && n < 2 { n++; print 4, $2, $3, $5, $4; next } { print }' box.vtk >flipped.vtk
awk '/^27$/ { print 28; next } /^1 -0.05/ && !done { print "28 9 9 9"; done = 1 } { print }' box.msh >alone.msh
awk '/^CELLS/ { cells = 1 } cells && /^4 / && n < 1 { n++; print 4, $2, $2, $4, $5; next } { print }' box.vtk >broken.vtk
"$stiction" mesh make box --size-x 1 --size-y 1 --size-z 0.1 --edge 0.5 --surface -o slab.obj >/dev/null

scene() { # FILE MESH-OF-THE-LAST-BODY
  cat >"$1" <<JSON
{
  "materials": { "rubber": { "young": "200 kPa", "poisson": 0.4, "density": 1000 }, "steel": { "law": "rigid", "density": 7800 } },
  "bodies": {
    "a": { "mesh": "box.vtu", "material": "rubber", "translate": [0, 0, 0.0502] },
    "b": { "mesh": "flipped.vtk", "material": "rubber", "translate": [0.01, 0.02, 0.1506] },
    "c": { "shape": { "type": "sphere", "radius": 0.05, "edge": 0.03 }, "material": "rubber", "translate": [0.2, 0, 0.0502] },
    "d": { "mesh": "alone.msh", "material": "steel", "translate": [0, 0.2, 0.0502] },
    "e": { "mesh": "$2", "material": "rubber", "scale": [-1, 1, 1], "translate": [0.2, 0.2, 0.0502] }
  },
  "boundaries": { "held": { "body": "e", "region": { "label": "x-" } } },
  "obstacles": { "slab": { "mesh": "slab.obj", "translate": [0, 0, -0.05] } },
  "time": { "duration": "40 ms", "step": "2 ms", "frame_rate": 100 },
  "output": { "checkpoint_interval": "20 ms" }
}
JSON
}
scene all.json box.vtkhdf
expect 0 "$stiction" run all.json --out one --quiet
grep warning stderr.txt >warnings.txt
says warnings.txt "flipped.vtk: 2 tets were inverted"
says warnings.txt "alone.msh: vertex"
[ "$(wc -l <warnings.txt)" -eq 2 ] || fail "there are other warnings"
for count in 2 3; do
  expect 0 many $count run all.json --out many$count --quiet
  grep warning stderr.txt | cmp - warnings.txt || fail "$count processes warn otherwise"
  for name in centre_of_mass_z total_energy kinetic_energy; do
    near "$name on $count processes" "$(column many$count/history.csv $name)" "$(column one/history.csv $name)" 1e-6
  done
  # All of the rest state, and of its numbers: the mesh is the same one.
  "$stiction" mesh convert one/frames/frame_00000.vtu one.vtk >/dev/null
  "$stiction" mesh convert many$count/frames/frame_00000.vtkhdf many.vtk >/dev/null
  cmp one.vtk many.vtk || fail "$count processes have another mesh"
done

# From a frame, and with the positions of one.
sed 's|"boundaries"|"start": "one/frames/frame_00004.vtu", "boundaries"|' all.json >later.json
expect 0 "$stiction" run later.json --out later1 --quiet
expect 0 many 3 run later.json --out later3 --quiet
near "the centre" "$(column later3/history.csv centre_of_mass_z)" "$(column later1/history.csv centre_of_mass_z)" 1e-6
sed 's|"boundaries"|"start": "box.vtu", "boundaries"|' all.json >wrong.json
expect 2 many 3 run wrong.json --out wrong
[ "$(grep -c 'the frame has 27 vertices, the bodies have' stderr.txt)" -eq 1 ] || fail "a wrong start is not named once"

# Whoever of three processes reads it.
for number in 1 2 3 4 5; do
  awk -v n=$number '/"(mesh|shape)":/ && /translate/ && ++k == n { sub(/"(mesh": "[^"]*"|shape": {[^}]*})/, "\"mesh\": \"broken.vtk\"") } { print }' \
    all.json >broken.json
  [ "$(grep -c broken.vtk broken.json)" -eq 1 ] || fail "the scene has no broken mesh"
  expect 2 many 3 run broken.json --out broken
  [ "$(grep -c 'broken.vtk: tet 0 has vertex' stderr.txt)" -eq 1 ] || { cat stderr.txt; fail "a broken mesh is not named once"; }
  [ ! -e broken ] || fail "a run was begun"
done
scene missing.json nowhere.vtu
expect 2 many 3 check missing.json
[ "$(grep -c 'there is no file "nowhere.vtu"' stderr.txt)" -eq 1 ] || fail "a missing mesh is not named once"
sed 's|slab.obj|broken.vtk|' all.json >broken.json
expect 2 many 2 run broken.json --out broken
says stderr.txt "broken.vtk: tet 0 has vertex"

# Stopped, and continued by another number of processes.
mpiexec -n 2 --oversubscribe "$stiction" run all.json --out stopped --quiet >stdout.txt 2>stderr.txt &
process=$!
wait_for stopped/checkpoint.h5
"$stiction" stop stopped >/dev/null 2>&1 || true # it may be over by now
wait $process || true
expect 0 many 3 resume stopped --quiet
near "the energy after going on" "$(column stopped/history.csv total_energy)" "$(column one/history.csv total_energy)" 1e-6
