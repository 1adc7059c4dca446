# The program under mpiexec: prints once, writes the same files, stops in good order on SIGUSR1, and may
# be resumed on another number of processes.
. "$STICTION_SOURCE/tests/app/tools.sh"
parallel="mpiexec -n 2 --oversubscribe"

scene bar.json 1 bdf2
expect 0 "$stiction" run bar.json --out one --quiet
expect 0 $parallel "$stiction" run bar.json --out two
says stdout.txt ", 2 processes"
[ "$(grep -c 'Done: 1 s of motion' stdout.txt)" -eq 1 ] || fail "said more than once"
(cd one && find . -name '*.vtu' | sort) >one.txt
(cd two && find . -name '*.vtu' | sort) | cmp - one.txt || fail "other files on two processes"

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
wait_for stopped/frames/frame_00002.vtu
kill -USR1 $process
code=0
wait $process || code=$?
[ $code -eq 130 ] || { cat stderr.txt; fail "SIGUSR1 ended with $code"; }
says stderr.txt "stiction resume stopped"
expect 0 "$stiction" resume stopped --quiet
awk -v a="$(column one/history.csv total_energy)" -v b="$(column stopped/history.csv total_energy)" \
  'BEGIN { d = a - b; exit !(d * d <= 1e-10 * a * a) }' || fail "the resumed run differs"
