# `stiction stop`: a request in the folder stops a run in good order, whoever started it; old requests, runs that
# have ended and folders of others. The runs would take hours, so none is over before it is asked.
. "$STICTION_SOURCE/tests/app/tools.sh"
scene short.json 0.1 bdf2
scene long.json 100000 bdf2

start() { # COMMAND…: in the background
  "$stiction" "$@" >run.txt 2>run-errors.txt &
  process=$!
}
ended_with() { # CODE
  local code=0
  wait $process || code=$?
  [ $code -eq "$1" ] || { cat run.txt run-errors.txt; fail "the run ended with $code, not $1"; }
}

start run long.json --out long
wait_for long/frames/frame_00002.vtu
expect 0 "$stiction" stop long
says stdout.txt "long: asked to stop after the current step; waiting"
says stdout.txt "long: stopped at t = "
says stdout.txt "resume long\""
ended_with 130
says run-errors.txt "stopped on request at t = "
says run-errors.txt "resume long\""
says run.txt "Stopped at t = "
says long/summary.json '"interrupted"'
[ ! -e long/stop ] || fail "the request is left"

# Up to there it is the run that was to end there, which has one frame more if that is between frames.
awk -F, 'END { print $2 }' long/history.csv >time.txt
expect 0 "$stiction" run long.json --set "time.duration=$(cat time.txt)" --out whole --quiet
last=$(cd long/frames && ls | tail -n 1)
cmp "whole/frames/$last" "long/frames/$last"

# A run that has ended, in one way or another, is not asked.
expect 2 "$stiction" stop long
says stderr.txt "long: the run has ended already (interrupted at t = "
expect 2 "$stiction" stop whole
says stderr.txt "whole: the run has ended already (finished at t = "
[ ! -e long/stop ] && [ ! -e whole/stop ] || fail "a request was left for a run that has ended"

# Resumed, it is asked without waiting, and once more by hand: the file is the request.
start resume long
wait_until grep -qF '"running"' long/summary.json
expect 0 "$stiction" stop long --no-wait
lacks stdout.txt "waiting"
ended_with 130
start resume long
wait_until grep -qF '"running"' long/summary.json
touch long/stop
ended_with 130
[ ! -e long/stop ] || fail "the request is left"

# A killed run: its lock is free. Where it ran on another machine, that may not be seen from here.
start resume long
wait_until grep -qF '"running"' long/summary.json
kill -KILL $process
wait $process 2>/dev/null || true
expect 2 "$stiction" stop long
says stderr.txt "long: no process writes there: the run was killed; continue it from its last checkpoint"
[ ! -e long/stop ] || fail "a request was left for a killed run"
printf elsewhere >long/.lock
expect 0 "$stiction" stop long --no-wait
says stderr.txt "warning: the run began on elsewhere, and whether it still runs cannot be known here"

# That request does not stop the next session, which gets further than the frames there were.
[ -e long/stop ] || fail "there is no request"
frames=$(ls long/frames | grep -c 'vtu$')
start resume long
wait_for "long/frames/frame_$(printf %05d $((frames + 5))).vtu"
expect 0 "$stiction" stop long
ended_with 130
expect 0 "$stiction" run short.json --out short --quiet
touch short/stop
expect 0 "$stiction" run short.json --out short --overwrite --quiet
[ ! -e short/stop ] || fail "an old request is left"

# A second run that is turned away leaves the request of the first alone.
start run long.json --out long --overwrite
wait_until grep -qF '"running"' long/summary.json
kill -STOP $process
touch long/stop
expect 2 "$stiction" resume long
says stderr.txt "another run is writing there"
[ -e long/stop ] || fail "a run that did not begin removed a request"
kill -CONT $process
ended_with 130

# Folders that are no run, and a file of somebody else with that name.
expect 2 "$stiction" stop
says stderr.txt "the folder of a run is needed"
expect 2 "$stiction" stop nowhere
says stderr.txt "nowhere: there is no such folder"
expect 2 "$stiction" stop short.json
says stderr.txt "short.json: is a file"
expect 2 "$stiction" stop .
says stderr.txt "is not the folder of a run (it has no run.json); there are runs in ./long"
mkdir own
echo mine >own/stop
expect 2 "$stiction" run short.json --out own
says stderr.txt 'own: holds "stop", which is not from a Stiction run'
[ "$(cat own/stop)" = mine ] || fail "somebody's file was removed"
