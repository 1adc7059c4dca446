# The judge finds what contact misses: a rod that falls through a box, since smooth contact sees
# vertices alone and none of them ever meets it, and cloth without self-contact that is drawn through
# itself. --strict makes it a failure.
. "$STICTION_SOURCE/tests/app/tools.sh"

# rod FILE HEIGHT MORE: MORE goes into "output".
rod() {
  cat >"$1" <<JSON
{
  "materials": { "wood": { "law": "neo_hookean", "young": "10 MPa", "poisson": 0.3, "density": 600 } },
  "bodies": {
    "rod": {
      "shape": { "type": "box", "size_x": 1, "size_y": 0.02, "size_z": 0.02, "edge": 1 },
      "translate": [0, 0, $2], "material": "wood"
    }
  },
  "obstacles": { "block": { "shape": { "type": "box", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1 } } },
  "contact": { "method": "smooth" },
  "time": { "duration": 0.2, "step": 0.01, "frame_rate": 10 },
  "output": { $3 }
}
JSON
}

rod through.json 0.1 ''
expect 0 "$stiction" run through.json --out through
says stdout.txt "Found in "
says stdout.txt 'triangles or edges reaching into an obstacle ("rod" and obstacle "block", first at t = '
says through/summary.json '"first": "rod|block"'
says through/history.csv ",crossings,self_crossings,obstacle_crossings,vertices_inside,inverted_tets,passages"
says through/frames/frame_00001.vtu 'Name="findings"'
says through/frames/frame_00001.vtu 'Name="inverted"'
expect 6 "$stiction" run through.json --out through --overwrite --strict
says stdout.txt "Found in "
says stderr.txt "--strict: this run fails because of what the judge found"
expect 6 "$stiction" run through.json --out through --overwrite --strict --quiet
says stderr.txt "Found in "
# A run that is over is judged again by its record.
expect 6 "$stiction" resume through --strict
expect 0 "$stiction" resume through
expect 6 mpiexec -n 2 --oversubscribe "$stiction" run through.json --out through --overwrite --strict --quiet

rod above.json 2 ''
expect 0 "$stiction" run above.json --out above --strict
says stdout.txt "Checked at the start and after each of 20 steps: no edge passes through a triangle, nothing"

rod frames.json 0.1 '"judge": "frame"'
expect 6 "$stiction" run frames.json --out frames --strict
says stdout.txt "(checked at 3 frames, but not in the steps between them): "
[ "$(grep -c 'nan,nan,nan,nan,nan' frames/history.csv)" -eq 18 ] || fail "steps between frames have counts"

rod off.json 0.1 '"judge": "off"'
expect 0 "$stiction" run off.json --out off
says stdout.txt "Not checked: the scene turns the judge off (output.judge)."
lacks off/history.csv "crossings"
lacks off/frames/frame_00001.vtu "findings"
expect 2 "$stiction" run off.json --out strict --strict
says stderr.txt "--strict needs the judge, which the scene turns off"
[ ! -e strict ] || fail "a refused run left a folder"

rod wrong.json 0.1 '"judge": "always"'
expect 2 "$stiction" check wrong.json
says stderr.txt 'output.judge: "always" is not known; known: step, frame, off'

# One end of a strip is lifted over the other, which is held, and drawn down through it.
cat >cloth.json <<JSON
{
  "materials": {
    "silk": { "law": "membrane", "young": "200 N/m", "poisson": 0.3, "area_density": 0.1, "bending": "20 uJ" }
  },
  "bodies": {
    "strip": { "shape": { "type": "sheet", "width": 1, "length": 0.2, "edge": 0.05 }, "material": "silk", "self_contact": false }
  },
  "gravity": [0, 0, 0],
  "boundaries": {
    "held": { "body": "strip", "region": { "box": { "min": [-1, -1, -1], "max": [-0.19, 1, 1] } } },
    "drawn": {
      "body": "strip",
      "region": { "box": { "min": [0.44, -1, -1], "max": [1, 1, 1] } },
      "motion": {
        "keys": [
          { "time": 0, "translate": [0, 0, 0] },
          { "time": 0.2, "translate": [-0.75, 0, 0.2] },
          { "time": 0.4, "translate": [-0.77, 0.013, -0.1] }
        ]
      }
    }
  },
  "time": { "duration": 0.4, "step": 0.01, "frame_rate": 5 }
}
JSON
expect 6 "$stiction" run cloth.json --out cloth --strict
says stdout.txt 'edges of a body through triangles of the same body ("strip", first at t = '

# A ball exactly on a box exactly on the floor: the box is moved off the floor, and the ball with it
# rather than into it. By primitives that is no news.
cat >tower.json <<'JSON'
{
  "materials": { "rubber": { "young": "1 MPa", "poisson": 0.4, "density": 1000 } },
  "bodies": {
    "box": {
      "shape": { "type": "box", "size_x": 0.2, "size_y": 0.2, "size_z": 0.2, "edge": 0.05 },
      "translate": [0, 0, 0.1]
    },
    "ball": { "shape": { "type": "sphere", "radius": 0.1, "cells": 4 }, "translate": [0, 0, 0.3] }
  },
  "obstacles": { "floor": { "shape": { "type": "half_space" } } },
  "time": { "duration": 0.05, "step": 0.01 }
}
JSON
expect 0 "$stiction" run tower.json --out tower --strict
[ ! -s stderr.txt ] || fail "a ball on a box is worth a warning"
sed -i 's/"time":/"contact": { "method": "smooth" }, &/' tower.json
expect 0 "$stiction" run tower.json --out tower --overwrite --strict
says stderr.txt 'body "box" starts pressed against what it touches'
says stderr.txt 'body "ball" starts pressed against what it touches'
lacks stderr.txt "overlap"
