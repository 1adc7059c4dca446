# The program under mpiexec: prints once, writes frames together that VTK reads, stops in good order on
# SIGUSR1, and may be resumed on another number of processes.
. "$STICTION_SOURCE/tests/app/tools.sh"
parallel="mpiexec -n 2 --oversubscribe"

scene bar.json 1 bdf2
expect 0 "$stiction" run bar.json --out one --quiet
expect 0 $parallel "$stiction" run bar.json --out two
says stdout.txt ", 2 processes"
[ "$(grep -c 'Done: 1 s of motion' stdout.txt)" -eq 1 ] || fail "said more than once"
(cd one && find . -name '*.vtu' | sort | sed 's/vtu$/vtkhdf/') >one.txt
(cd two && find . -name '*.vtkhdf' | sort) | cmp - one.txt || fail "other frames on two processes"
[ -z "$(find two -name '*.tmp' -o -name '*.vtu')" ] || fail "something is left beside the frames"
[ "$(grep -c '"time"' two/bar.vtkhdf.series)" -eq "$(wc -l <one.txt)" ] || fail "the list of frames is wrong"
/usr/bin/python3 "$STICTION_SOURCE/tests/mesh/read_with_vtk.py" two/frames/frame_00010.vtkhdf points=81 tets=160 \
  time=0.2 point_array=velocity:3:float point_array=force_solid:3:float cell_array=stress:6:float || [ $? -eq 77 ]

# One process writes that format too, and both write VTU when told to: all of it shows the same.
expect 0 "$stiction" run bar.json --set time.duration=0.1 --set output.frames=vtkhdf --out one-hdf --quiet
expect 0 $parallel "$stiction" run bar.json --set time.duration=0.1 --set output.frames=vtu --out two-vtu --quiet
for run in one-hdf two; do
  expect 0 "$stiction" export $run --to vtu --out $run-export
done
for frame in 00000 00005; do
  cmp one/frames/frame_$frame.vtu one-hdf-export/frames/frame_$frame.vtu || fail "VTKHDF holds another frame $frame"
done
cmp two-vtu/frames/frame_00000.vtu two-export/frames/frame_00000.vtu || fail "two processes wrote another frame"

# The centre of mass agrees: columns of the history by name.
column() { # FILE NAME: the last value
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if (index($i, name) == 1) k = i } END { print $k }' "$1"
}
for name in centre_of_mass_z total_energy; do
  awk -v a="$(column one/history.csv $name)" -v b="$(column two/history.csv $name)" \
    'BEGIN { d = a - b; exit !(d * d <= 1e-10 * a * a) }' || fail "$name differs on two processes"
done

expect 2 $parallel "$stiction" run missing.json
[ "$(grep -c 'missing.json' stderr.txt)" -eq 1 ] || fail "the error was said more than once"

$parallel "$stiction" run bar.json --out stopped >stdout.txt 2>stderr.txt &
process=$!
wait_for stopped/frames/frame_00002.vtkhdf
kill -USR1 $process
code=0
wait $process || code=$?
[ $code -eq 130 ] || { cat stderr.txt; fail "SIGUSR1 ended with $code"; }
says stderr.txt "stiction resume stopped"
touch stopped/frames/frame_00090.vtkhdf.tmp # as a killed run leaves one
expect 0 "$stiction" resume stopped --quiet
(cd stopped && find . -name '*.vtkhdf' | sort) | cmp - one.txt || fail "frames of the resumed run are missing"
[ -z "$(find stopped -name '*.tmp' -o -name '*.vtu')" ] || fail "the resumed run has other files"
awk -v a="$(column one/history.csv total_energy)" -v b="$(column stopped/history.csv total_energy)" \
  'BEGIN { d = a - b; exit !(d * d <= 1e-10 * a * a) }' || fail "the resumed run differs"
