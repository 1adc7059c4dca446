# run: files, the plain log, the final message, --quiet, --overwrite, the default folder.
. "$STICTION_SOURCE/tests/app/tools.sh"

scene bar.json 0.2
expect 0 "$stiction" run bar.json
[ ! -s stderr.txt ] || { cat stderr.txt; fail "stderr is not empty"; }
lacks stdout.txt "$(printf '\r')"
lacks stdout.txt "$(printf '\033')"
says stdout.txt "0.2 s of motion into out/bar"
says stdout.txt "100%  0.200 of 0.2 s"
says stdout.txt "frame 10/10"
says stdout.txt "Done: 0.2 s of motion, 20 steps and 11 frames"
says stdout.txt "stiction view out/bar (or paraview out/bar/bar.pvd)"
for file in bar.pvd history.csv summary.json checkpoint.h5 scene.json frames/frame_00000.vtu \
  frames/frame_00010.vtu; do
  [ -s "out/bar/$file" ] || fail "$file is missing"
done
[ -z "$(find out -name '*.tmp')" ] || fail "temporary files are left"
cmp bar.json out/bar/scene.json
says out/bar/summary.json '"finished"'
[ "$(wc -l <out/bar/history.csv)" -eq 22 ] || fail "history has not a row per step"

expect 0 "$stiction" run bar.json --out=quiet --quiet
[ ! -s stdout.txt ] && [ ! -s stderr.txt ] || fail "--quiet printed"
cmp out/bar/frames/frame_00010.vtu quiet/frames/frame_00010.vtu

# A static analysis has a path of loads and no motion.
sed 's/^{/{"analysis": "static", "load_steps": 1, "gravity": 0,/' bar.json >path.json
expect 0 "$stiction" run path.json
says stdout.txt "load parameter 0 to 1 into out/path"
says stdout.txt "Done: load parameter 0 to 1, "
lacks stdout.txt motion

# Warnings of the end are warnings, too.
cat >soft.json <<'END'
{"materials": {"m": {"law": "rigid", "stiffness": "10 MPa"}}, "gravity": 0,
 "bodies": {"b": {"shape": {"type": "box", "edge": 1}, "angular_velocity": [0, 0, 20]}},
 "time": {"duration": 0.02, "step": 0.01}}
END
expect 0 "$stiction" run soft.json --quiet
[ ! -s stdout.txt ] || fail "--quiet printed"
says stderr.txt 'Warning: the rigid body "b" was strained by'

# Both count what the scene has, not what carries a rigid body inside.
expect 0 "$stiction" run soft.json --overwrite
vertices=$(sed -n 's/.*"vertices": \([0-9]*\).*/\1/p' out/soft/summary.json)
says stdout.txt "$vertices vertices, "

expect 0 "$stiction" run bar.json --overwrite
