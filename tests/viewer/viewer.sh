#!/usr/bin/env bash
# The viewer as a user meets it: the command, then its page in a real browser. Pictures of what was
# seen stay in this test's folder. With STICTION_PICTURES set to a folder, those of the docs are made
# there too, from runs of the examples, which takes a minute or two.
source "$(dirname "$0")/../app/tools.sh"
here=$STICTION_SOURCE/tests/viewer

expect 2 "$stiction" view
says stderr.txt "the folder of a run is needed"
expect 2 "$stiction" view nowhere
if [ ! -s "$STICTION_BUILD/viewer/page.html" ]; then
  says stderr.txt "built without the viewer"
  echo "the viewer was not built"
  exit 77
fi
says stderr.txt "nowhere: there is no such folder"
expect 2 "$stiction" view nowhere --out x.html --serve 0
says stderr.txt "exclude each other"
expect 2 "$stiction" view nowhere --out ''
says stderr.txt "--out needs the name of a file"

expect 0 "$stiction" run "$here/scene.json" --out run --quiet
expect 2 "$stiction" view run --every 0
says stderr.txt "--every needs a whole number from 1"
expect 2 "$stiction" view run --serve 70000
says stderr.txt "--serve needs a whole number from 0 to 65535"
expect 0 "$stiction" view run --no-open
says stdout.txt "26 frames"
[ -s run/view.html ] || fail "run/view.html is not there"
expect 0 "$stiction" view run --no-open --every 10 --out new/thin.html
says stdout.txt "4 frames"
[ "$(grep -c '<b>pushed</b>' run/view.html)" -eq 0 ] || fail "a title reached the page as HTML"

# Without what is inside, the page is smaller; two runs share one.
expect 0 "$stiction" view run --no-open --hollow --out hollow.html
[ "$(stat -c %s hollow.html)" -lt "$(stat -c %s run/view.html)" ] || fail "a hollow page is no smaller"
expect 0 "$stiction" run "$here/scene.json" --set materials.gum.young=90kPa --set time.frame_rate=25Hz \
  --out other --quiet
expect 0 "$stiction" view run other --no-open
says stdout.txt "26 and 14 frames"
says stdout.txt "run/view-other.html"
expect 2 "$stiction" view run other run
says stderr.txt "run"
expect 2 "$stiction" view run nowhere
says stderr.txt "nowhere: there is no such folder"

expect 2 "$stiction" view run --video film.avi
says stderr.txt "ends in .webm or .mp4"
expect 2 "$stiction" view run --video film.webm --serve 0
says stderr.txt "--video goes with neither --out nor --serve"
expect 2 env PATH=/nowhere "$stiction" view run --video film.webm
says stderr.txt "none in PATH"

command -v chromium >/dev/null || { echo "chromium is not here: the page was not looked at"; exit 77; }

# Few frames, as each is drawn by software here; the film is as long as it would be with all. Each is in it once, and
# the last one twice.
expect 0 "$stiction" view run --every 5 --video film.webm
says stdout.txt "film.webm is written"
[ "$(head -c 4 film.webm | od -An -tx1 | tr -d ' ')" = 1a45dfa3 ] || fail "film.webm is no WebM"
[ "$(stat -c %s film.webm)" -gt 10000 ] || fail "film.webm shows nothing"
expect 0 "$stiction" view run other --every 12 --video film.mp4
[ "$(head -c 12 film.mp4 | tail -c 8)" = ftypisom ] || fail "film.mp4 is no MP4"
if command -v ffprobe >/dev/null; then
  probe() { ffprobe -v error -count_frames -of csv=p=0 -show_entries "stream=$1:format=duration" "$2" >probed.txt; }
  probe width,height,nb_read_frames film.webm
  says probed.txt "1280,720,7"
  says probed.txt "5.600000"
  probe width,height,nb_read_frames film.mp4
  says probed.txt "1280,720,5"
  says probed.txt "5.600000"
else
  echo "ffprobe is not here: films were not looked into"
fi

# A run that is under way: half of the frames, then, on a sign from the browser's side, the rest.
cp -r run live
series=$(ls live/*.pvd)
cp "$series" whole.pvd
grep -vE 'frame_000(0[6-9]|[12])' whole.pvd >"$series"
sed -i 's/"status": "finished"/"status": "running"/' live/summary.json
"$stiction" view live --serve 0 --no-open >served.txt 2>&1 &
server=$!
"$stiction" view run other --serve 0 --no-open >served-two.txt 2>&1 &
second=$!
trap 'kill $server $second 2>/dev/null || true' EXIT
for i in $(seq 1000); do
  grep -q http:// served.txt && grep -q http:// served-two.txt && break
  sleep 0.02
done
address_in() { grep -o 'http://[0-9.:]*/[0-9a-f]*/' "$1" || fail "the server does not say where it is"; }
address=$(address_in served.txt)
says served-two.txt "shows run beside other"

# Renamed, as the program does: the server may read at any moment.
cp run/summary.json whole.json
cat >finish.sh <<SH
mv "$PWD/whole.pvd" "$PWD/$series"
mv "$PWD/whole.json" "$PWD/live/summary.json"
SH
ln -sfn "$STICTION_BUILD/viewer/node_modules" node_modules
cp "$here"/*.js .
pictures=
if [ -n "${STICTION_PICTURES:-}" ]; then
  pictures=$STICTION_PICTURES
  for example in swing cloth; do
    expect 0 "$stiction" run "$STICTION_SOURCE/examples/$example.json" --out "$example" --quiet
    expect 0 "$stiction" view "$example" --no-open
  done
  expect 0 "$stiction" run "$STICTION_SOURCE/examples/swing.json" --set materials.jelly.young=50kPa --out soft --quiet
  expect 0 "$stiction" view swing soft --no-open --out pair/view.html
fi
export PICTURES=$pictures ADDRESS=$address
PAIR=$(address_in served-two.txt)
export PAIR
for tests in page two film ${pictures:+pictures}; do # one after the other: each has a browser of its own
  node --test $tests.test.js
done
kill "$server" "$second"
wait "$server" || fail "the server ended with $?"
wait "$second" || fail "the second server ended with $?"
trap - EXIT
