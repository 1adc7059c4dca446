#!/bin/sh
# The list command: every section, as text and as JSON that parses.
# Usage: test_list_command.sh PROGRAM
set -u
program=$1
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# expect TEXT WORD...: `list WORD...` succeeds and prints the text
expect() {
  text=$1
  shift
  output=$("$program" list "$@") || fail "list $* fails"
  case $output in
  *"$text"*) ;;
  *) fail "list $* does not print '$text'" ;;
  esac
}

expect "gravity" forces
expect "neo_hookean" materials
expect "young" materials
expect "tr_bdf2" integrators
expect "preconditioner" solvers
expect "hollow_ball" shapes
expect "alternating | uniform" shapes
expect "kPa" units
for section in forces materials integrators solvers shapes units; do
  expect "$section"
  expect "\"$section\": [" $section --json
  expect "\"$section\": [" --json
done

if command -v python3 >/dev/null; then
  "$program" list --json | python3 -m json.tool >/dev/null || fail "the JSON does not parse"
fi

longest=$("$program" list | LC_ALL=C.UTF-8 wc -L)
[ "$longest" -le 100 ] || fail "a line is $longest columns wide"

output=$("$program" list shape 2>&1)
[ $? -eq 2 ] || fail "an unknown list does not exit with 2"
case $output in
*"there is no list of 'shape'; did you mean 'shapes'?"*) ;;
*) fail "an unknown list says: $output" ;;
esac

[ $failures -eq 0 ]
