#!/usr/bin/env bash
# docs/failures.md: every scene there says what the page says it does. A scene is a block of JSON,
# the text after it the message; … stands for anything.
source "$(dirname "$0")/../app/tools.sh"
here=$STICTION_SOURCE/tests/docs
command -v node >/dev/null || { echo "node is not here"; exit 77; }
node "$here/blocks.js" "$STICTION_SOURCE/docs/failures.md" blocks

count=0
for scene in blocks/*.json; do
  number=$(basename "$scene" .json)
  message=blocks/$(printf '%03d' $((10#$number + 1))).text
  [ -s "$message" ] || fail "no message follows the scene of block $number"
  cp "$scene" scene.json
  # check finds mistakes; what only shows in motion needs a run.
  if "$stiction" check --quiet scene.json >stdout.txt 2>stderr.txt </dev/null; then
    "$stiction" run scene.json --out run --overwrite --quiet \
      >stdout.txt 2>stderr.txt </dev/null || true
  fi
  pattern=$(sed 's/[][\\*?]/\\&/g; s/…/*/g' "$message")
  # shellcheck disable=SC2053 # a pattern is meant
  [[ $(cat stderr.txt) == $pattern ]] || {
    cat stderr.txt >&2
    fail "block $number of docs/failures.md says otherwise: $(cat "$message")"
  }
  count=$((count + 1))
done
[ "$count" -ge 10 ] || fail "only $count scenes were found"
