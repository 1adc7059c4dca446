#!/usr/bin/env bash
# The viewer as a user meets it: the command, then its page in a real browser. Pictures of what was
# seen stay in this test's folder. With STICTION_PICTURES set to a folder, those of the docs are made
# there too, from runs of the examples, which takes a minute or two.
source "$(dirname "$0")/tools.sh"

expect 2 "$stiction" view
says stderr.txt "the folder of a run is needed"
need_page
expect 2 "$stiction" view nowhere
says stderr.txt "nowhere: there is no such folder"
expect 2 "$stiction" view nowhere --out x.html --serve 0
says stderr.txt "cannot be combined"
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

# Without what is inside, the page is smaller.
expect 0 "$stiction" view run --no-open --hollow --out hollow.html
[ "$(stat -c %s hollow.html)" -lt "$(stat -c %s run/view.html)" ] || fail "a hollow page is no smaller"

# With one field it is smaller too.
expect 0 "$stiction" view run --no-open --fields contact_gap,velocity --out thin.html
[ "$(stat -c %s thin.html)" -lt "$(stat -c %s run/view.html)" ] || fail "a page of two fields is no smaller"
[ "$(grep -c 'id="data-0-pack-0-overlap"' thin.html)" -eq 1 ] || fail "contact_gap is not there"
[ "$(grep -c 'id="data-0-pack-0-stress"' thin.html)" -eq 0 ] || fail "stress is still there"
for wrong in heat velocity,heat velocity, ''; do
  expect 2 "$stiction" view run --no-open --fields "$wrong" --out thin.html
  says stderr.txt "the viewer finds no field"
done
expect 2 "$stiction" view run --fields velocity --serve 0
says stderr.txt "--fields and --serve cannot be combined"
need_browser

# A run that is under way: half of the frames, then, on a sign from the browser's side, the rest.
cp -r run live
series=$(ls live/*.pvd)
cp "$series" whole.pvd
grep -vE 'frame_000(0[6-9]|[12])' whole.pvd >"$series"
sed -i 's/"status": "finished"/"status": "running"/' live/summary.json
serve served.txt live
ADDRESS=$(address_in served.txt)
export ADDRESS

# Renamed, as the program does: the server may read at any moment.
cp run/summary.json whole.json
cat >finish.sh <<SH
mv "$PWD/whole.pvd" "$PWD/$series"
mv "$PWD/whole.json" "$PWD/live/summary.json"
SH
look page
stop_servers

if [ -n "${STICTION_PICTURES:-}" ]; then
  for example in swing cloth; do
    expect 0 "$stiction" run "$STICTION_SOURCE/examples/$example.json" --out "$example" --quiet
    expect 0 "$stiction" view "$example" --no-open
  done
  expect 0 "$stiction" run "$STICTION_SOURCE/examples/swing.json" --set materials.jelly.young=50kPa --out soft --quiet
  expect 0 "$stiction" view swing soft --no-open --out pair/view.html
  export PICTURES=$STICTION_PICTURES
  look pictures
fi
