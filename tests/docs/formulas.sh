#!/usr/bin/env bash
# docs/physics.md: every source file it names exists, and every kernel of forces and contact, the
# files that hold formulas, is named.
source "$(dirname "$0")/../app/tools.sh"
page=$STICTION_SOURCE/docs/physics.md

count=0
while read -r path; do
  [ -f "$STICTION_SOURCE/docs/$path" ] || fail "docs/physics.md names $path, which is not there"
  count=$((count + 1))
done < <(grep -oE '\]\(\.\./src/[^)]+\)' "$page" | sed 's/^](//; s/)$//')
[ "$count" -ge 60 ] || fail "docs/physics.md names only $count files"

for kernel in "$STICTION_SOURCE"/src/{force,contact/*}/*_kernel.h; do
  name=${kernel#"$STICTION_SOURCE"/}
  grep -qF "](../$name)" "$page" || fail "docs/physics.md has no formula of $name"
done
