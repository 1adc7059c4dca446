# A wrong scene: exit code 2, a message with file, line, column and key, and nothing written.
. "$STICTION_SOURCE/tests/app/tools.sh"

scene good.json 0.1
sed 's/"young": "200 kPa"/"young": "200 kg"/' good.json >unit.json
sed 's/"density"/"densty"/' good.json >key.json
printf '{ "materials": { ' >syntax.json

for command in run check; do
  expect 2 "$stiction" $command unit.json
  grep -qE '^stiction: unit.json:2:[0-9]+: materials.rubber.young: ' stderr.txt ||
    { cat stderr.txt; fail "no place in the message"; }
  expect 2 "$stiction" $command key.json
  says stderr.txt 'density'
  expect 2 "$stiction" $command syntax.json
  says stderr.txt "syntax.json:1:"
  expect 2 "$stiction" $command missing.json
  says stderr.txt "missing.json"
  expect 2 "$stiction" $command .
done
[ ! -e out ] || fail "a folder was made"

expect 2 "$stiction" run unit.json --out there
[ ! -e there ] || fail "a folder was made"

# A run that is there is not touched.
expect 0 "$stiction" run good.json --out there
ls -lR --full-time there >before.txt
expect 2 "$stiction" run good.json --out there
says stderr.txt "--overwrite"
expect 2 "$stiction" run unit.json --out there --overwrite
ls -lR --full-time there | cmp - before.txt || fail "the old run was touched"

expect 2 "$stiction" resume nowhere
says stderr.txt "nowhere"
mkdir empty
expect 2 "$stiction" resume empty
[ -z "$(ls -A empty)" ] || fail "resume wrote into an empty folder"
