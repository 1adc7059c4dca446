# The scenes of examples/: each says what it shows and what to try, is checked without a warning, is in
# the table of examples/README.md, and runs its first steps without a finding.
. "$STICTION_SOURCE/tests/app/tools.sh"
examples=$STICTION_SOURCE/examples

count=0
for scene in "$examples"/*.json; do
  name=$(basename "$scene" .json)
  count=$((count + 1))
  [ "$(head -c 3 "$scene")" = "// " ] || fail "$name does not begin with what it shows"
  says "$scene" "// Try: "
  says "$examples/README.md" "[$name]($name.json)"
  expect 0 "$stiction" check "$scene" --quiet
  [ ! -s stderr.txt ] || { cat stderr.txt >&2; fail "$name has warnings"; }

  # The same scene, but a few steps only.
  expect 0 "$stiction" run "$scene" --set 'time.duration=30 ms' --out "$name" --strict
  [ ! -s stderr.txt ] || { cat stderr.txt >&2; fail "$name has warnings when it runs"; }
  says stdout.txt "Done: 0.03 s of motion"
  says stdout.txt "Checked at the start and after each of "
done
[ "$count" -ge 10 ] || fail "there are $count scenes"

# Every row of the table is a scene.
grep -oE '^\| \[[a-z_]+\]' "$examples/README.md" | tr -d '|[] ' | while read -r name; do
  [ -s "$examples/$name.json" ] || fail "examples/README.md tells of $name, which is not there"
done
