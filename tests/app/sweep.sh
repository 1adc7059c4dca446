# Values from the command line, a scene from standard input, and sweeps over lists and grids.
. "$STICTION_SOURCE/tests/app/tools.sh"
scene bar.json 0.05

expect 0 "$stiction" check bar.json --set 'materials.rubber.young=1 MPa' --set time.step=5ms
says stdout.txt "5 ms"
expect 2 "$stiction" check bar.json --set 'bodies.barr.translate=[0,0,1]'
says stderr.txt 'there is no "barr" in bodies; known: bar (did you mean "bar"?)'
expect 2 "$stiction" check bar.json --set 'time.stp=1ms'
says stderr.txt 'bar.json (with --set):'
says stderr.txt 'did you mean "step"?'

# What a run was made with is in its folder, and is what resume goes on with.
expect 0 "$stiction" run bar.json --set time.step=25ms --out set --quiet
grep -q '"step": "25ms"' set/scene.json || fail "the folder's scene lacks what was set"
[ "$(wc -l <set/history.csv)" -eq 5 ] || fail "the step that was set was not used" # frames are 20 ms apart

# Standard input: paths in the scene start in the current folder.
"$stiction" run - --set time.duration=0.02 --out piped --quiet <bar.json
grep -q '"status": "finished"' piped/summary.json || fail "a scene from standard input did not run"
mkdir meshes
"$stiction" mesh make box --edge 0.5 -o meshes/box.vtu >/dev/null
sed 's|"shape": {[^}]*}|"mesh": "meshes/box.vtu"|' bar.json >elsewhere.json
"$stiction" check --quiet --set 'boundaries.wall.region={"box": {"min": [-1, -1, -1], "max": [-0.4, 1, 1]}}' - \
  <elsewhere.json || fail "a mesh beside the current folder was not found"

# A grid; one value is nonsense, which fails its runs and no others.
code=0
"$stiction" sweep bar.json --vary 'materials.rubber.young=100:300:2 kPa' --vary materials.rubber.poisson=0.3,0.7 \
  --out grid --jobs 2 --show centre_of_mass_z,kinetic_energy:max >stdout.txt 2>stderr.txt || code=$?
[ $code -eq 4 ] || fail "a sweep with failed runs ended with $code"
says stderr.txt "2 of 4 runs did not finish"
says stderr.txt "less than 0.5, is 0.7"
[ "$(head -1 grid/sweep.csv)" = \
  "run,materials.rubber.young,materials.rubber.poisson,status,steps,newton_per_step,wall [s],centre_of_mass_z [m],kinetic_energy:max [J]" ] ||
  fail "the table's head is otherwise"
[ "$(grep -c ',finished,' grid/sweep.csv)" -eq 2 ] || fail "two runs should have finished"
grep -q '^run-001,100 kPa,0.3,finished,' grid/sweep.csv || fail "the first run's row is otherwise"
grep -q '^run-003,300 kPa,0.3,finished,' grid/sweep.csv || fail "the third run's row is otherwise"
grep -q '<svg' grid/sweep.svg || fail "there is no plot"

# The softer bar hangs lower.
awk -F, '$4 == "finished" { z[$1] = $8 } END { exit !(z["run-001"] < z["run-003"]) }' grid/sweep.csv ||
  fail "the softer bar should hang lower"

# Again: what is finished stays, byte by byte.
cp grid/run-001/history.csv before.csv
"$stiction" sweep bar.json --vary 'materials.rubber.young=100:300:2 kPa' --vary materials.rubber.poisson=0.3,0.7 \
  --out grid >stdout.txt 2>stderr.txt || true
says stdout.txt "finished before"
cmp before.csv grid/run-001/history.csv || fail "a finished run was touched"
expect 2 "$stiction" sweep bar.json --vary time.step=10ms --out grid
says stderr.txt "holds a run of another scene or other values; --overwrite replaces it"
expect 0 "$stiction" sweep bar.json --vary time.step=10ms --out grid --overwrite --quiet
[ ! -s stdout.txt ] || fail "--quiet says something"

# Values side by side instead of all combinations.
expect 0 "$stiction" sweep bar.json --vary time.step=10ms,5ms --vary integrator=be,tr --together --out pairs
[ "$(grep -c finished pairs/sweep.csv)" -eq 2 ] || fail "--together should make two runs"
expect 2 "$stiction" sweep bar.json --vary time.step=10ms,5ms --vary integrator=be --together --out pairs
expect 2 "$stiction" sweep bar.json --out none
says stderr.txt "--vary KEY=VALUE,VALUE is missing"
expect 2 "$stiction" sweep bar.json --vary time.step=1:2:1 --out none
