# Khronos' validator finds nothing wrong with exported glTF: animations, single frames, names of all kinds. three.js reads
# the same shapes from USD.
. "$STICTION_SOURCE/tests/app/tools.sh"
modules=$STICTION_BUILD/viewer/node_modules
[ -e "$modules/gltf-validator/package.json" ] || {
  echo "gltf-validator is not here: Node.js and npm fetch it when the viewer is built"
  exit 77
}
check() { node "$STICTION_SOURCE/tests/app/check_gltf.js" "$STICTION_BUILD/viewer" "$@"; }

cat >"a swing, 2.json" <<'JSON'
{
  "materials": {
    "gum": { "young": "50 kPa", "poisson": 0.4, "density": 1000 },
    "silk": { "law": "membrane", "young": "100 N/m", "poisson": 0.3, "area_density": "60 g/m^2" }
  },
  "bodies": {
    "the \"block\"": {
      "shape": { "type": "box", "size_x": 0.2, "size_y": 0.1, "size_z": 0.1, "edge": 0.05 },
      "material": "gum", "translate": [0, 0, 0.06], "velocity": [0.5, 0, -0.5]
    },
    "sheet": {
      "shape": { "type": "sheet", "width": 0.2, "length": 0.2, "edge": 0.1 },
      "material": "silk", "translate": [0, 1, 0.5]
    }
  },
  "obstacles": {
    "floor": { "shape": { "type": "half_space", "normal": [0.1, 0, 1] } },
    "ball": {
      "shape": { "type": "capsule", "radius": 0.1, "length": 0.2 }, "translate": [-1, 0, 0.2],
      "motion": { "axis": "x", "keys": [
        { "time": 0 }, { "time": 0.04, "translate": [0, 0.2, 0], "angle": "3 turn" }
      ] }
    },
    "ring": { "shape": { "type": "torus" }, "translate": [0, 0, 3] }
  },
  "time": { "duration": 0.04, "step": 0.005, "frame_rate": 100 }
}
JSON
expect 0 "$stiction" run "a swing, 2.json" --out run
expect 0 "$stiction" export run --to glb
expect 0 "$stiction" export run --to gltf
expect 0 "$stiction" export run --to glb --until 0 --out still.glb
check "run/export/a swing, 2.glb" animationCount=1 hasMorphTargets=true materialCount=5 drawCallCount=5
check "run/export/a swing, 2.gltf" animationCount=1 hasMorphTargets=true materialCount=5 drawCallCount=5
check still.glb animationCount=0 hasMorphTargets=false materialCount=5

# The validator looks at what it is given.
head -c 3000 still.glb >broken.glb
if check broken.glb 2>stderr.txt; then fail "a file that is cut off passes"; fi
says stderr.txt GLB

# At the first frame, before anything has moved.
expect 0 "$stiction" export run --to usda
usda() { node "$STICTION_SOURCE/tests/app/check_usda.mjs" "$STICTION_BUILD/viewer" "run/export/a swing, 2.usda" "$@"; }
usda the__block_=80,0.2,0.1,0.1 sheet=8,0.2,0.2,0
if usda sheet=8,0.3 2>stderr.txt; then fail "a sheet of another width passes"; fi
