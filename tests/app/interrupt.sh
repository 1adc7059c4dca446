# Ctrl-C and SIGTERM save and print how to continue; when resumed, the result is the same bit for bit. So it is
# after SIGKILL.
. "$STICTION_SOURCE/tests/app/tools.sh"

scene bar.json 2 bdf2
expect 0 "$stiction" run bar.json --out whole --quiet

# start FOLDER: in the background, with signals as a terminal gives them (a shell's background jobs
# ignore SIGINT otherwise).
start() {
  rm -rf "$1"
  env --default-signal=INT "$stiction" run bar.json --out "$1" >stdout.txt 2>stderr.txt &
  process=$!
  wait_for "$1/frames/frame_00002.vtu"
}

same_as_whole() {
  for frame in 00000 00003 00050 00100; do
    cmp "whole/frames/frame_$frame.vtu" "$1/frames/frame_$frame.vtu"
  done
  cmp "whole/bar.pvd" "$1/bar.pvd"
  # All but the wall time of each step.
  [ "$(wc -l <whole/history.csv)" -eq "$(wc -l <"$1/history.csv")" ] || fail "history differs"
  [ -z "$(find "$1" -name '*.tmp')" ] || fail "temporary files are left"
}

for signal in INT TERM; do
  start stopped
  kill -$signal $process
  code=0
  wait $process || code=$?
  [ $code -eq 130 ] || { cat stderr.txt; fail "SIG$signal ended with $code"; }
  says stderr.txt "stiction resume stopped"
  says stopped/summary.json '"interrupted"'
  says stdout.txt "Stopped at t = "
  says stdout.txt "Checked at the start and after each of "
  [ ! -e stopped/frames/frame_00100.vtu ] || fail "the run was over before the signal"
  expect 0 "$stiction" resume stopped
  says stdout.txt "resumed at"
  same_as_whole stopped
done

start killed
kill -KILL $process
wait $process 2>/dev/null || true
expect 0 "$stiction" resume killed --quiet
rm -f killed/frames/*.tmp killed/*.tmp
same_as_whole killed

# Resuming a finished run changes nothing.
expect 0 "$stiction" resume whole
same_as_whole killed
