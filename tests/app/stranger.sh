# A stranger's path: a surface from somewhere else, filled, put into a scene, run, looked at.
. "$STICTION_SOURCE/tests/app/tools.sh"
export STICTION_CACHE=$PWD/cache

# Somebody's part, in millimetres, as STL: no shared vertices, no names, no units.
"$stiction" mesh make torus --surface --edge 0.03 -o metres.obj >/dev/null
awk '$1 == "v" { printf "v %.9g %.9g %.9g\n", 100 * $2, 100 * $3, 100 * $4; next } { print }' metres.obj >mm.obj
"$stiction" mesh convert mm.obj ring.stl >/dev/null

code=0
"$stiction" mesh fill ring.stl --scale 0.001 --edge 6mm -o ring.vtu >stdout.txt 2>stderr.txt || code=$?
if grep -q 'made without Gmsh' stderr.txt; then
  echo "this build has no Gmsh to fill surfaces with"
  exit 77
fi
[ $code -eq 0 ] || { cat stderr.txt; fail "the ring was not filled"; }
says stdout.txt "degrees between faces of tets"
says stdout.txt "moved by"
says stdout.txt "written to ring.vtu"

cat >ring.json <<'JSON'
{
  "materials": { "rubber": { "young": "100 kPa", "poisson": 0.4, "density": 1000 } },
  "bodies": { "ring": { "mesh": "ring.vtu", "rotate": { "axis": "x", "angle": "20 deg" }, "translate": [0, 0, "7 cm"] } },
  "obstacles": { "floor": { "shape": { "type": "half_space" } } },
  "time": { "duration": "0.1 s", "step": "10 ms" }
}
JSON
expect 0 "$stiction" run ring.json --out ring --strict
expect 0 "$stiction" plot ring --of height,energy --out ring.png
expect 0 "$stiction" view ring --out ring.html
head -c 8 ring.png | grep -q PNG || fail "there is no picture"
[ -s ring.html ] || fail "there is no page"

# The same with the scene doing the filling: once, then from what was kept.
sed 's|"mesh": "ring.vtu"|"mesh": "ring.stl", "scale": 0.001, "fill": "solid", "edge": "6 mm"|' ring.json >filled.json
expect 0 "$stiction" check filled.json
says stderr.txt "ring.stl: filled with"
[ "$(ls cache | wc -l)" -eq 1 ] || fail "the filled mesh was not kept"
expect 0 "$stiction" run filled.json --out filled --quiet
[ ! -s stderr.txt ] || fail "filled a second time"
# Wall times differ; where the centre of mass is must not.
middle() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^centre_of_mass_/) c[++n] = i }
                    { print $c[1], $c[2], $c[3] }' "$1/history.csv"; }
[ "$(middle ring)" = "$(middle filled)" ] || fail "both ways should give the same run"

# Without fill the message offers it.
sed 's|"fill": "solid", "edge": "6 mm"|"material": "rubber"|' filled.json >hollow.json
expect 2 "$stiction" check hollow.json
says stderr.txt 'or fill the surface with tetrahedra: "fill": "solid" and an "edge" beside "mesh"'

# Repairs are reported, defects named.
head -n -1 mm.obj >open.obj
expect 0 "$stiction" mesh fill open.obj --scale 0.001 --edge 6mm
says stderr.txt "1 hole closed"
expect 2 "$stiction" mesh fill open.obj --scale 0.001 --edge 6mm --hole 0.01mm
says stderr.txt "the surface has a hole"
says stderr.txt "--cage takes surfaces as they are"
expect 2 "$stiction" mesh fill mm.obj --edge 1um
says stderr.txt "is its file in other units?"
