# A run with shells, volumes and a bearing reports them: in its first message, in history.csv, in
# the summary, in a curve, in frames of both kinds of cells, and to VTK; also when it was stopped and
# resumed.
. "$STICTION_SOURCE/tests/app/tools.sh"

# A balloon with too much air, a hollow ball of tets that is pumped up, and a wheel that a torque
# turns.
cat >filled.json <<'JSON'
{
  "materials": {
    "rubber": { "young": "1 MPa", "poisson": 0.4, "density": 1000 },
    "latex": { "law": "membrane", "young": "300 N/m", "poisson": 0.4, "area_density": 0.3 }
  },
  "bodies": {
    "balloon": { "shape": { "type": "sphere", "fill": "surface", "radius": 0.1, "edge": 0.04 },
                 "material": "latex" },
    "ball": { "shape": { "type": "hollow_ball", "radius": 0.1, "thickness": 0.02, "edge": 0.05 },
              "translate": [0.3, 0, 0], "material": "rubber" },
    "wheel": { "shape": { "type": "tube", "radius": 0.1, "thickness": 0.03, "length": 0.04, "edge": 0.04 },
               "translate": [0.6, 0, 0], "material": "rubber" }
  },
  "volumes": {
    "air, warm": { "body": "balloon", "model": "ideal_gas", "overpressure": "1 kPa" },
    "inside": { "body": "ball", "model": "nearly_incompressible", "compressibility": "1e-3 1/kPa",
                "overpressure": [ { "time": 0, "value": 0 }, { "time": 0.1, "value": "9 kPa" } ] }
  },
  "bearings": {
    "hub": { "body": "wheel", "region": { "label": "inside" }, "axis": "z", "torque": "0.1 J" }
  },
  "gravity": [0, 0, 0],
  "contact": { "pairs": "none" },
  "time": { "duration": 0.2, "step": 0.005, "frame_rate": 100 }
}
JSON
expect 0 "$stiction" run filled.json --out run
says stdout.txt "198 vertices, 180 tets, 192 triangles, "
says run/history.csv ',volume(air_ warm) [m^3],pressure(air_ warm) [Pa],volume(inside) [m^3],'
says run/history.csv ',angle(hub) [rad],speed(hub) [rad/s],torque(hub) [N m]'
says run/summary.json '"air, warm": {'
says run/summary.json '"model": "nearly_incompressible"'
says run/summary.json '"outside_pressure_Pa": 101325'
says run/summary.json '"hub": {'
expect 0 "$stiction" plot run --of pressure_volume --out run/pressure_volume.svg
says run/pressure_volume.svg "absolute pressure (kPa) over volume (l): air_ warm, inside"

# figure NAME: the first number of this name in the summary.
figure() { grep -m1 "\"$1\"" run/summary.json | sed 's/.*: //; s/,//'; }
# holds EXPRESSION: in awk.
holds() { awk "BEGIN { exit !($1) }" || fail "$1 does not hold"; }
holds "$(figure pressure_volume_spread) < 1e-12"
holds "$(figure volume_loss_percent) < -0.5"
holds "$(figure angle_rad) > 0.1"
holds "$(figure torque_N_m) == 0.1"

# Stopped in the middle and resumed: the same, seen from outside.
"$stiction" run filled.json --out stopped --quiet &
process=$!
wait_for stopped/frames/frame_00003.vtu
kill -TERM $process
wait $process && fail "the run was over before the signal" || true
expect 0 "$stiction" resume stopped --quiet
cmp run/frames/frame_00020.vtu stopped/frames/frame_00020.vtu
for folder in run stopped; do
  sed -n '/"volumes"/,/"files"/p' $folder/summary.json >$folder.txt
done
cmp run.txt stopped.txt

code=0
/usr/bin/python3 "$STICTION_SOURCE/tests/mesh/read_with_vtk.py" run/frames/frame_00020.vtu \
  points=198 tets=180 triangles=192 time=0.2 cell_array=kind:1:int cell_array=body:1:int \
  cell_array=material:1:int cell_array=stress:6:float cell_array=von_mises:1:float \
  point_array=force_membrane:3:float point_array=force_volume:3:float || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 77 ] || fail "VTK does not find what the frames should hold"
