# Shared by the shell tests: $stiction is the program under test, the current folder is empty.
set -euo pipefail
stiction=$1
rm -rf ./*

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# expect CODE COMMAND…: runs it, keeps its output in stdout.txt and stderr.txt, checks its exit code.
expect() {
  local wanted=$1 code=0
  shift
  "$@" >stdout.txt 2>stderr.txt </dev/null || code=$?
  [ "$code" -eq "$wanted" ] || {
    cat stdout.txt stderr.txt >&2
    fail "'$*' ended with $code, not $wanted"
  }
}

# says FILE TEXT: the file contains the text.
says() { grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "$1 does not say '$2'"; }; }
lacks() { ! grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "$1 says '$2'"; }; }

# wait_for FILE: until it is there, two minutes at most, since other programs may keep the machine busy.
wait_for() {
  local end=$((SECONDS + 120))
  while [ "$SECONDS" -lt "$end" ]; do
    [ ! -e "$1" ] || return 0
    sleep 0.01
  done
  fail "$1 did not appear"
}

# wait_until COMMAND…: until it succeeds, as long as wait_for.
wait_until() {
  local end=$((SECONDS + 120))
  while [ "$SECONDS" -lt "$end" ]; do
    ! "$@" >/dev/null 2>&1 || return 0
    sleep 0.01
  done
  fail "'$*' did not succeed"
}

# scene FILE DURATION [INTEGRATOR]: a bar that is held at one end and bends under its weight.
scene() {
  cat >"$1" <<JSON
{
  "materials": { "rubber": { "young": "200 kPa", "poisson": 0.4, "density": 1000 } },
  "bodies": {
    "bar": {
      "shape": { "type": "box", "size_x": 0.4, "size_y": 0.1, "size_z": 0.1, "edge": 0.05 },
      "material": "rubber"
    }
  },
  "boundaries": { "wall": { "body": "bar", "region": { "label": "x-" } } },
  "time": { "duration": $2, "step": 0.01, "frame_rate": 50 },
  "integrator": "${3:-be}"
}
JSON
}
