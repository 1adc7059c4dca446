# A run with contact reports it: in its final message, in history.csv, in the summary, in the frames
# and to VTK. A scene that starts inside the floor is corrected; with smooth surfaces it gets a message.
. "$STICTION_SOURCE/tests/app/tools.sh"

# block FILE DURATION HEIGHT STEP [KEYS]: a cube whose middle is at HEIGHT above the floor, and keys
# of contact.
block() {
  cat >"$1" <<JSON
{
  "materials": { "rubber": { "young": "1 MPa", "poisson": 0.3, "density": 1000 } },
  "bodies": {
    "cube": {
      "shape": { "type": "box", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1, "edge": 0.05 },
      "translate": [0, 0, $3],
      "velocity": [0.2, 0, 0],
      "material": "rubber"
    }
  },
  "obstacles": { "floor": { "shape": { "type": "half_space" }, "material": "rubber" } },
  "friction": [ { "between": ["rubber", "rubber"], "dynamic": 0.5 } ],
  "contact": { ${5:-}"thickness": "1 mm" },
  "time": { "duration": $2, "step": $4, "frame_rate": 10 }
}
JSON
}

block slide.json 0.2 0.0505 0.01
expect 0 "$stiction" run slide.json --out run
clean="no edge passes through a triangle, nothing reaches into an obstacle, no tet is inverted, nothing passed through anything within a step."
says stdout.txt "Checked at the start and after each of 20 steps: $clean By contact's own measure the smallest gap was "
says run/summary.json "\"verdict\": \"Checked at the start and after each of 20 steps: $clean"
says run/history.csv ",cone_violation [N],friction_power [W],"
says run/history.csv ",normal(cube|floor) [N],friction_x(cube|floor) [N],"
says run/frames/frame_00002.vtu 'Name="contact_state"'

block free.json 0.02 1 0.01
expect 0 "$stiction" run free.json --out free
says stdout.txt "Checked at the start and after each of 2 steps: $clean By contact's own measure nothing touched."

block inside.json 0.01 0.0495 0.0001
expect 0 "$stiction" run inside.json --out inside
[ ! -s stderr.txt ] || fail "a small overlap is put right, and no news"
says stdout.txt "Checked at the start and after each of 100 steps: $clean"

block inside.json 0.01 0.0495 0.0001 '"method": "smooth", '
rm -r inside
expect 0 "$stiction" run inside.json --out inside
says stderr.txt "the scene starts with an overlap"
says stdout.txt "By contact's own measure the overlap the scene began with lasted until"
says stdout.txt "surface vertices inside another body or an obstacle (\"cube\" and obstacle \"floor\", first at t = 0 s)"

# Plates of two cells across, one on the other: their smooth surfaces reach through them.
cat > plates.json <<'END'
{ "materials": { "stuff": { "law": "neo_hookean", "young": "10 MPa", "poisson": 0.3, "density": 1000 } },
  "bodies": {
    "lower": { "shape": { "type": "box", "size_x": 0.4, "size_y": 0.4, "size_z": 0.02, "cells_x": 6, "cells_y": 6, "cells_z": 1 },
               "material": "stuff" },
    "upper": { "shape": { "type": "box", "size_x": 0.2, "size_y": 0.2, "size_z": 0.02, "cells_x": 2, "cells_y": 2, "cells_z": 1 },
               "material": "stuff", "translate": [0, 0, 0.02005] } },
  "contact": { "method": "smooth", "thickness": "0.1 mm" },
  "time": { "duration": 0.01, "step": 0.01 } }
END
expect 0 "$stiction" check plates.json
says stderr.txt 'the triangles of body "upper" are too large for contact by smooth surfaces'

code=0
/usr/bin/python3 "$STICTION_SOURCE/tests/mesh/read_with_vtk.py" run/frames/frame_00002.vtu \
  point_array=contact_state:1:int point_array=contact_gap:1:float point_array=slip_speed:1:float \
  point_array=contact_normal_force:1:float point_array=held_displacement:1:float \
  point_array=force_friction:3:float || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 77 ] || fail "VTK does not find the fields of contact"
