# The list command: every section, as text and as JSON that parses.
. "$STICTION_SOURCE/tests/app/tools.sh"

# listed TEXT ARGUMENTS…
listed() {
  local text=$1
  shift
  expect 0 "$stiction" list "$@"
  says stdout.txt "$text"
}
listed "gravity" forces
listed "neo_hookean" materials
listed "young" materials
listed "membrane" shells
listed "auto, J" shells
listed "ideal_gas" volumes
listed "tr_bdf2" integrators
listed "preconditioner" solvers
listed "hollow_ball" shapes
listed "alternating | uniform" shapes
listed "half_space" obstacles
listed "size_x" obstacles
listed "kPa" units
for section in forces materials shells volumes integrators solvers shapes obstacles units; do
  listed "$section"
  listed "\"$section\": [" $section --json
  listed "\"$section\": [" --json
done
if command -v python3 >/dev/null; then
  python3 -m json.tool stdout.txt >/dev/null || fail "the JSON does not parse"
fi

listed "default_density = 1000 kg/m^3" --tunables
longest=$(LC_ALL=C.UTF-8 wc -L <stdout.txt)
[ "$longest" -le 110 ] || fail "a line is $longest columns wide"
listed '"name": "default_density"' --tunables --json
if command -v python3 >/dev/null; then
  python3 -m json.tool stdout.txt >/dev/null || fail "the JSON of tunables does not parse"
fi
expect 2 "$stiction" list forces --tunables

expect 0 "$stiction" list
longest=$(LC_ALL=C.UTF-8 wc -L <stdout.txt)
[ "$longest" -le 100 ] || fail "a line is $longest columns wide"

expect 2 "$stiction" list shape
says stderr.txt "there is no list of 'shape'; did you mean 'shapes'?"
expect 2 "$stiction" list forces shapes
says stderr.txt "'shapes' is an unexpected argument"
