# Exports a run to all formats; third-party readers find the same shapes in them.
. "$STICTION_SOURCE/tests/app/tools.sh"

cat >falls.json <<'JSON'
{
  "materials": {
    "gum": { "young": "50 kPa", "poisson": 0.4, "density": 1000 },
    "silk": { "law": "membrane", "young": "100 N/m", "poisson": 0.3, "area_density": "60 g/m^2" }
  },
  "bodies": {
    "block": {
      "shape": { "type": "box", "size_x": 0.2, "size_y": 0.1, "size_z": 0.1, "edge": 0.05 },
      "material": "gum", "translate": [0, 0, 0.06], "velocity": [0.5, 0, -0.5]
    },
    "sheet": {
      "shape": { "type": "sheet", "width": 0.2, "length": 0.2, "edge": 0.1 },
      "material": "silk", "translate": [0, 1, 0.5]
    }
  },
  "obstacles": {
    "floor": { "shape": { "type": "half_space" } },
    "a ball": {
      "shape": { "type": "sphere", "radius": 0.1 }, "translate": [-1, 0, 0.2],
      "motion": { "axis": "z", "keys": [
        { "time": 0 }, { "time": 0.04, "translate": [0, 0.2, 0], "angle": "90 deg" }
      ] }
    }
  },
  "time": { "duration": 0.04, "step": 0.005, "frame_rate": 100 }
}
JSON
expect 0 "$stiction" run falls.json --out run
for format in glb gltf usda vtu vtm vtkhdf obj ply pc2 mdd; do
  expect 0 "$stiction" export run --to $format
  says stdout.txt "5 frames written to run/export/"
done
/usr/bin/python3 "$STICTION_SOURCE/tests/app/read_exports.py" run run/export falls 5 points=51 triangles=88

# Blocks with names in ParaView's way; USD by a parser of its own.
/usr/bin/python3 "$STICTION_SOURCE/tests/app/read_blocks.py" run run/export/vtm falls 5
/usr/bin/python3 "$STICTION_SOURCE/tests/app/read_usda.py" run run/export/falls.usda 5
expect 0 "$stiction" export run --to vtm --every 4 --surface --fields body
/usr/bin/python3 "$STICTION_SOURCE/tests/app/read_blocks.py" run run/export/vtm falls 2 surface
[ "$(ls run/export/vtm/frames | wc -l)" = 5 ] || fail "parts of an earlier export are left"

# The script for Blender, where there is one: it takes 1.5 GB of packages, too much for every test machine.
if command -v blender >/dev/null; then
  expect 0 "$stiction" export run --to glb
  XDG_CONFIG_HOME=$PWD expect 0 blender -b --factory-startup -noaudio \
    --python "$STICTION_SOURCE/examples/blender/import_run.py" --python-exit-code 3 \
    --python "$STICTION_SOURCE/tests/app/look_in_blender.py" -- run/export/falls.glb --slow 2
  says stdout.txt "Blender holds the same shapes"
else
  echo "blender is not here: its import script was not run"
fi

# A shorter export leaves nothing of the longer one; the surface has no cells inside; chosen fields only.
expect 0 "$stiction" export run --to obj --every 2 --from 10ms --until 0.04
says stdout.txt "2 frames written"
[ "$(ls run/export/obj)" = "falls_00000.obj
falls_00001.obj" ] || fail "files of an earlier export are left"
expect 0 "$stiction" export run --to vtu --surface --fields velocity,body --every 4 --out skin
/usr/bin/python3 "$STICTION_SOURCE/tests/mesh/read_with_vtk.py" skin/frames/frame_00001.vtu points=51 tets=0 \
  triangles=88 time=0.04 point_array=velocity:3:float cell_array=body:1:int
lacks skin/frames/frame_00001.vtu von_mises

# Mistakes get a message, and nothing is written.
expect 2 "$stiction" export run
says stderr.txt "--to FORMAT is needed"
expect 2 "$stiction" export run --to gbl
says stderr.txt "did you mean 'glb'?"
expect 2 "$stiction" export run --to obj --volume
says stderr.txt "obj holds surfaces only"
expect 2 "$stiction" export run --to glb --from 3
says stderr.txt "there are 5, from 0 s to 0.04 s"
expect 2 "$stiction" export run --to vtu --out run
says stderr.txt "is the folder of a run"
expect 2 "$stiction" export run --to ply --fields colour
says stderr.txt "they have velocity, displacement"
expect 2 "$stiction" export run --to glb --out run.obj
says stderr.txt "must end in .glb"
expect 2 "$stiction" export run --to obj --every 0
says stderr.txt "--every needs a whole number from 1"
expect 2 "$stiction" export run --to obj --fields velocity
says stderr.txt "obj holds no fields"
expect 2 "$stiction" export . --to obj
says stderr.txt "there are runs in ./run"
expect 2 "$stiction" export nowhere --to obj
says stderr.txt "nowhere: there is no such folder"
[ ! -e run.obj ] || fail "something was written"

# A run that is under way has its frames so far, and one that was stopped those up to then.
scene bar.json 100
"$stiction" run bar.json --out bar --quiet 2>stopped.txt &
run=$!
wait_for bar/frames/frame_00006.vtu
expect 0 "$stiction" export bar --to glb --until 0.1
says stdout.txt "6 frames written to bar/export/bar.glb"
kill -TERM $run
wait $run && fail "the run was not stopped"
expect 0 "$stiction" export bar --to pc2 --until 0.1
says stdout.txt "6 frames written to bar/export/bar.pc2"
