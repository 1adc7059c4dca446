# The gripper of examples/grasp.json lifts its beam with 1.03 of the force that friction needs, and leaves it
# where it is with 0.97: half a second after it began to close, it has risen by 10 mm in another half.
. "$STICTION_SOURCE/tests/app/tools.sh"

scene=$STICTION_SOURCE/examples/grasp.json
needed=1.986 # N: m (g + a) / (2 μ) with 0.2 kg, 9.81 and 0.12 m/s², 0.5
for share in 1.03 0.97; do
  force=$(python3 -c "print($share * $needed)")
  expect 0 "$stiction" run "$scene" --set "time.duration=1 s" --set "loads.left push.force=min(t / (0.3 s), 1) * $force N" \
    --set "loads.right push.force=min(t / (0.3 s), 1) * $force N" --out "$share" --quiet --strict
done
python3 - <<'PYTHON'
import csv

def last(folder):
    rows = list(csv.DictReader(open(f"{folder}/history.csv")))
    return float(rows[-1]["centre_z(beam) [m]"]) - float(rows[0]["centre_z(beam) [m]"]), rows[-1]

lift, row = last("1.03")
assert 0.0097 < lift < 0.01, lift  # the pads give way by less than 0.3 mm
weight = sum(float(row[f"{what}(beam|{side} pad) [N]"]) for side in ("left", "right") for what in ("friction_z",))
assert abs(weight - 0.2 * 9.81) < 0.005 * 0.2 * 9.81, weight  # at the middle of the way nothing accelerates
lift, row = last("0.97")
assert abs(lift) < 1e-4, lift  # less than the gap at rest
for side in ("left", "right"):
    ratio = float(row[f"friction_z(beam|{side} pad) [N]"]) / float(row[f"normal(beam|{side} pad) [N]"])
    assert abs(ratio - 0.5) < 1e-3, ratio
PYTHON
