# How scenes may start with contact by primitives: touching or slightly overlapping bodies are
# corrected, deeper overlaps rejected with line, names, place, depth and a remedy; check says the same
# as run.
. "$STICTION_SOURCE/tests/app/tools.sh"

# stack FILE OVERLAP: a cube on another that stands on the floor.
stack() {
  cat >"$1" <<JSON
{
  "materials": { "rubber": { "young": "10 MPa", "poisson": 0.3, "density": 1000 } },
  "bodies": {
    "lower": {
      "shape": { "type": "box", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1, "edge": 0.05 },
      "translate": [0, 0, 0.05]
    },
    "upper": {
      "shape": { "type": "box", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1, "edge": 0.05 },
      "translate": [0.02, 0, $2]
    }
  },
  "obstacles": { "floor": { "shape": { "type": "half_space" }, "material": "rubber" } },
  "friction": [ { "between": ["rubber", "rubber"], "dynamic": 0.5 } ],
  "contact": { "method": "primitives" },
  "time": { "duration": 0.05, "step": 0.01, "frame_rate": 20 }
}
JSON
}

# same FILE CODE: check and run end with this code and the same words on stderr.
same() {
  expect "$2" "$stiction" check "$1" --quiet
  cp stderr.txt said.txt
  rm -rf out
  expect "$2" "$stiction" run "$1" --out out --quiet
  cmp stderr.txt said.txt || fail "check and run say different things of $1"
}

# In touch: not a word, and nothing flies. What moves is the weight that comes to rest, m g times
# far less than the contact's thickness of 0.17 mm.
stack touch.json 0.15
same touch.json 0
[ ! -s stderr.txt ] || fail "a scene in touch is not worth a word"
/usr/bin/python3 - <<'END' || fail "a stack in touch does not start at rest"
import csv
rows = list(csv.DictReader(open("out/history.csv")))
assert len(rows) > 4
most = max(float(row["kinetic_energy [J]"]) for row in rows)
assert most < 2 * 1.0 * 9.81 * 0.17e-3, most
END

stack inside.json 0.147
same inside.json 0
says stderr.txt 'body "upper" starts in contact with body "lower": it was moved by 3.'
says stderr.txt ' mm to open a gap'
grep -q "lower\" starts" stderr.txt && fail "the lower body need not move"

stack deep.json 0.13
same deep.json 2
says stderr.txt 'deep.json:8:5: bodies.upper: body "upper" starts 0.02 m inside body "lower", near ('
says stderr.txt 'up to 0.00866 m is resolved automatically. Move "upper" by 0.02 m along (0, 0, 1), or take the pair'
[ ! -e out ] || [ -z "$(ls out)" ] || fail "a refused run left files"

# The remedy works.
stack moved.json 0.15005
same moved.json 0

# Two sheets in one plane.
cat >sheets.json <<'JSON'
{
  "materials": { "silk": { "law": "membrane", "young": "90 N/m", "poisson": 0.3, "area_density": "0.1 kg/m^2" } },
  "bodies": {
    "one": { "shape": { "type": "sheet", "cells_x": 3, "cells_y": 3 } },
    "two": { "shape": { "type": "sheet", "cells_x": 4, "cells_y": 4 } }
  },
  "contact": { "method": "primitives" },
  "time": { "duration": 0.1 }
}
JSON
same sheets.json 2
says stderr.txt 'it is not clear which side it is on; move it by'
