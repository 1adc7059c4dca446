# The program under mpiexec: prints once, writes frames together that VTK reads, stops in good order when
# asked by `stiction stop`, and may be resumed on another number of processes.
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
for run in one one-hdf two two-vtu; do
  expect 0 "$stiction" export $run --to vtu --out $run-export
done
for frame in 00000 00005; do
  cmp one-export/frames/frame_$frame.vtu one-hdf-export/frames/frame_$frame.vtu || fail "VTKHDF holds another frame $frame"
done
cmp two-vtu-export/frames/frame_00000.vtu two-export/frames/frame_00000.vtu || fail "two processes wrote another frame"

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

# A run of hours, asked to stop, and continued on one process until that is asked too: what it has then is what one
# process has after the same time.
$parallel "$stiction" run bar.json --set time.duration=100000 --out stopped >run.txt 2>run-errors.txt &
process=$!
wait_for stopped/frames/frame_00002.vtkhdf
expect 0 "$stiction" stop stopped
says stdout.txt "stopped: stopped at t = "
code=0
wait $process || code=$?
[ $code -eq 130 ] || { cat run-errors.txt; fail "a request to stop ended with $code"; }
says run-errors.txt "stiction resume stopped"
[ "$(grep -c 'Stopped at t = ' run.txt)" -eq 1 ] || fail "the end was said more than once"
touch stopped/frames/frame_90000.vtkhdf.tmp # as a killed run leaves one
frames=$(find stopped/frames -name '*.vtkhdf' | wc -l)
"$stiction" resume stopped --quiet >run.txt 2>run-errors.txt &
process=$!
wait_for "stopped/frames/frame_$(printf %05d $((frames + 5))).vtkhdf"
expect 0 "$stiction" stop stopped
wait $process || [ $? -eq 130 ] || { cat run-errors.txt; fail "the resumed run was not stopped in good order"; }
[ -z "$(find stopped -name '*.tmp' -o -name '*.vtu')" ] || fail "the resumed run has other files"
expect 0 "$stiction" run bar.json --set "time.duration=$(column stopped/history.csv time)" --out whole --quiet
[ "$(wc -l <whole/history.csv)" -eq "$(wc -l <stopped/history.csv)" ] || fail "the resumed run has other steps"
awk -v a="$(column whole/history.csv total_energy)" -v b="$(column stopped/history.csv total_energy)" \
  'BEGIN { d = a - b; exit !(d * d <= 1e-10 * a * a) }' || fail "the resumed run differs"
